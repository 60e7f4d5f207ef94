"""The stored views of tables: one document for each viewpoint, and the story as each was told it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import asdict

from events.codec import pack, to_json
from events.log.rebuilds import FIRST
from events.log.records import HashPut, StreamAppend, ViewWrite
from events.messages import SPECTATOR, Seat, Viewpoint
from events.streams import numbered
from projections.kit.projection import Home, Step
from projections.tables.behind import kept
from projections.tables.chronicle import chapter
from projections.tables.view import TableView, table_view
from workers.tables.state import TableState

TABLE: Final = "table"
STORY: Final = "chronicle"
VIEWS: Final = numbered(TABLE, FIRST)
"""The table views as they are kept at first; after a rebuild the store says which version is live."""
CHRONICLE: Final = numbered(STORY, FIRST)
"""As ``VIEWS``, the chronicle."""
NEEDS_NEWER: Final = b"needs_newer_program"
VIEW_BROKEN: Final = b"view_broken"


def field_of(viewpoint: Viewpoint) -> str:
    """Return the field of the view hash that holds a viewpoint's document."""
    return "spectator" if viewpoint is None else str(viewpoint)


def documents(state: TableState) -> dict[str, bytes]:
    """
    Return what the view hash of a table holds: its ``version``, and a document of each viewpoint in JSON.

    A seat's holds only the members that differ from the spectator's; ``document`` puts the two together.
    """
    public = table_view(state, SPECTATOR)
    spectator = _members(public)
    fields = {"version": str(state.version).encode(), field_of(SPECTATOR): to_json(spectator)}
    for seat in map(Seat, range(len(state.places))):
        members = _members(table_view(state, seat, public))
        own = {name: value for name, value in members.items() if value != spectator.get(name)}
        fields[field_of(seat)] = to_json(own)
    return fields


def document(spectator: bytes, own: bytes) -> bytes:
    """Return a viewpoint's whole document: the spectator's, with the members that differ."""
    return document_of(members_of(spectator), own)


def document_of(spectator: Mapping[str, msgspec.Raw], own: bytes) -> bytes:
    """Return what ``document`` does, for whoever has the members of the spectator's and wants that of many."""
    return to_json({**spectator, **members_of(own)})


def _members(view: TableView) -> dict[str, object]:
    """Return what the view says, member by member; what is not set is not there."""
    return {name: value for name, value in asdict(view).items() if value is not msgspec.UNSET}


def _spectators(state: TableState) -> bytes:
    return to_json(_members(table_view(state, SPECTATOR)))


members_of: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
"""Returns the members of a document in JSON as they stand, by name."""


class TableViews:
    """
    Keeps the newest document of every viewpoint; of many steps of a table only the last is drawn.

    Where spectators are behind, what they saw before is kept besides.
    """

    name = TABLE
    across = False
    pushed = True

    def writes(self, home: Home, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        by_table: dict[str, list[Step]] = {}
        for step in steps:
            by_table.setdefault(step.table, []).append(step)
        return [
            HashPut(home.key(table), {**documents(own[-1].after), **kept(own, _spectators)})
            for table, own in by_table.items()
        ]

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return [HashPut(home.key(table), {"status": NEEDS_NEWER})]

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return [HashPut(home.key(table), {"status": VIEW_BROKEN})]

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        return tables


class Chronicle:
    """Keeps what every viewpoint was told, commit by commit."""

    name = STORY
    across = False
    pushed = False

    def writes(self, home: Home, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        return [self._append(home, step) for step in steps]

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        return tables

    def _append(self, home: Home, step: Step) -> ViewWrite:
        command = step.commit.command
        told = chapter(step.before, step.events, at=command.at, seat=command.actor.seat)
        return StreamAppend(home.key(step.table), f"{told.last}-0", pack(told))
