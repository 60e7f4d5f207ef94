"""Lobbies without play: tables that went through their statuses at chosen times, written as projections do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

import msgspec
from msgspec import UNSET

from events.commit import Commit
from events.log.records import Save
from events.log.redis_log import RedisLog
from events.messages import Command, Seat, TableId
from events.streams import Partition, numbered, partition_of
from events.tables.commands import CancelTable, LinkRematch, OpenTable, StartTable
from events.tables.vocabulary import Actor
from projections.kit.projection import Home, Step
from projections.lobby.lobby import LOBBY, Lobby
from projections.tables.projections import TABLE, TableViews
from services.embedded.server import EmbeddedServer
from tests.services.house import House
from tests.tables.life import SHELF, Life
from workers.tables.state import TableState, unopened

VIEWS: Final = numbered(TABLE, 1)
ROWS: Final = numbered(LOBBY, 1)
OPEN, RUNNING, OVER = ("open",), ("open", "start"), ("open", "start", "cancel")
PATHS: Final = (OPEN, RUNNING, OVER, ("open", "cancel"), (*OVER, "rematch"))
"""What may happen at a table, in order."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """
    What is to become of a table.

    Args:
        at: milliseconds since 1970 at which each part of its path happens.
        parent: whether it is a rematch.
    """

    name: str
    at: Sequence[int]
    path: Sequence[str] = OPEN
    platform: str = "tests"
    private: bool = False
    delay: int = 0
    parent: bool = False

    @property
    def game(self) -> str:
        return self.name.partition("-")[0]

    def steps(self) -> list[Step]:
        """Return the commits of the table."""
        life, found = Life(unopened(TableId(self.name), SHELF)), []
        commands: dict[str, Command] = {
            "open": OpenTable(
                game=self.game,
                seats=2,
                bots=((Seat(0), "random"), (Seat(1), "random")),
                private=self.private or UNSET,
                spectator_delay=self.delay or UNSET,
                parent=f"{self.game}-before" if self.parent else UNSET,
            ),
            "start": StartTable(),
            "cancel": CancelTable(),
            "rematch": LinkRematch(table=f"{self.game}-again"),
        }
        for what, at in zip(self.path, self.at, strict=True):
            before = life.state
            life = life.when(commands[what], by=Actor("platform", self.platform), at=at)
            assert life.code is None
            found.append(_step(self.name, before, life))
        return found


def _step(table: str, before: TableState, life: Life) -> Step:
    return Step(
        number=0,
        table=table,
        commit=cast("Commit", None),
        events=life.events,
        before=before,
        after=life.state,
    )


class Writer:
    """Writes rows and views of steps into a store, and begins anew."""

    def __init__(self, url: str) -> None:
        self._log = RedisLog(url)
        self._home = Home(partition=Partition("nains", 0), version=ROWS, across=True)

    def close(self) -> None:
        self._log.close()

    def write(self, steps: Sequence[Step]) -> None:
        """Save what came of some steps, first the views and then the rows."""
        places: dict[Partition, list[Step]] = {}
        for step in steps:
            game = step.table.partition("-")[0]
            places.setdefault(partition_of(step.table, len(self._log.partitions(game))), []).append(step)
        for place, own in places.items():
            home = Home(partition=place, version=VIEWS, across=False)
            after = self._log.position(place, VIEWS)
            writes = TableViews().writes(home, own)
            self._log.save(Save(place, VIEWS, after=after, position=after + 1, writes=writes))
            after = self._log.position_of_all(place, ROWS)
            writes = Lobby().writes(self._home, own)
            self._log.save(Save(place, ROWS, after=after, position=after + 1, writes=writes, across=True))


@contextmanager
def a_still_house(folder: Path) -> Iterator[tuple[House, Writer]]:
    """Give a house in which nobody works, and what writes its lobby instead."""
    with EmbeddedServer(folder, durability="fast") as server:
        writer = Writer(server.url)
        try:
            yield House(server.url, server), writer
        finally:
            writer.close()
