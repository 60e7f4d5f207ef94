"""What a plain fold makes of a table's history: what each viewpoint was to be told, and what it sees in the end."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from events.codec import event_codec
from events.commit import Commit, read_entry
from events.messages import TableId, Viewpoint
from events.streams import partition_of
from projections.tables.chronicle import chapter
from projections.tables.projections import document, documents, field_of
from projections.tables.view import viewpoints
from tests.chaos.service import Service
from workers.games import GamesShelf
from workers.tables.evolve import apply
from workers.tables.state import TableState, unopened

Json = dict[str, Any]
SHELF = GamesShelf()


class Folded(msgspec.Struct):
    """
    A table in the end.

    Args:
        told: the chapters of each viewpoint, in order.
        shown: the last view of each.
    """

    state: TableState
    told: dict[Viewpoint, list[Json]]
    shown: dict[Viewpoint, Json]


def folded(service: Service, table: str) -> Folded:
    """Fold the history of a table that has its seats."""
    game = table.partition("-")[0]
    place = partition_of(table, len(service.log.partitions(game)))
    state, chapters = unopened(TableId(table), SHELF), []
    for body in service.log.history(place, table):
        entry = read_entry(body)
        if isinstance(entry, Commit):
            events = [event_codec(game).read(each.schema, each.body) for each in entry.events]
            chapters.append(chapter(state, events, at=entry.command.at, seat=entry.command.actor.seat))
            state = apply(state, events, entry.command.actor.seat, entry.command.at)
    fields = documents(state)
    spectator = fields[field_of(None)]
    told: dict[Viewpoint, list[Json]] = {
        viewpoint: [
            {
                "first": each.first,
                "last": each.last,
                "at": each.at,
                "seat": each.seat,
                "steps": json.loads(each.told(viewpoint)),
            }
            for each in chapters
        ]
        for viewpoint in viewpoints(state)
    }
    shown = {each: json.loads(document(spectator, fields[field_of(each)])) for each in viewpoints(state)}
    return Folded(state, told, shown)
