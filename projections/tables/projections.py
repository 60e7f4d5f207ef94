"""The stored views of tables: one document for each viewpoint, and the story as each was told it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from events.codec import pack, to_json
from events.log.store import HashPut, StreamAppend, ViewWrite
from events.messages import Viewpoint
from events.streams import Partition
from projections.kit.projection import Step
from projections.tables.chronicle import chapter
from projections.tables.view import table_view, viewpoints
from workers.tables.state import TableState

VIEWS: Final = "table@1"
CHRONICLE: Final = "chronicle@1"
NEEDS_NEWER: Final = b"needs_newer_program"


def field_of(viewpoint: Viewpoint) -> str:
    """Return the field of the view hash that holds a viewpoint's document."""
    return "spectator" if viewpoint is None else str(viewpoint)


def documents(state: TableState) -> dict[str, bytes]:
    """Return every viewpoint's document in JSON, and the version they are of."""
    views = {field_of(each): to_json(table_view(state, each)) for each in viewpoints(state)}
    return {"version": str(state.version).encode(), **views}


class TableViews:
    """Keeps the newest document of every viewpoint; of many steps of a table only the last is drawn."""

    name = VIEWS
    across = False

    def writes(self, partition: Partition, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        newest = {step.table: step.after for step in steps}
        return [HashPut(partition.view(VIEWS, table), documents(state)) for table, state in newest.items()]

    def unreadable(self, partition: Partition, table: str) -> Sequence[ViewWrite]:
        return [HashPut(partition.view(VIEWS, table), {"status": NEEDS_NEWER})]


class Chronicle:
    """Keeps what every viewpoint was told, commit by commit."""

    name = CHRONICLE
    across = False

    def writes(self, partition: Partition, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        return [self._append(partition, step) for step in steps]

    def unreadable(self, partition: Partition, table: str) -> Sequence[ViewWrite]:
        return []

    def _append(self, partition: Partition, step: Step) -> ViewWrite:
        command = step.commit.command
        told = chapter(step.before, step.events, at=command.at, seat=command.actor.seat)
        return StreamAppend(partition.view(CHRONICLE, step.table), f"{told.last}-0", pack(told))
