"""The whole service in one thread: a store, a rule worker, projections, and a door to send commands through."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any

from events.codec import command_from_json, pack, raw, to_json
from events.commit import Envelope
from events.log.memory import MemoryLog
from events.log.redis_log import RedisLog
from events.messages import SPECTATOR, Command, Seat, Viewpoint
from events.streams import Partition, numbered, partition_of
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Actor, Player
from projections.runtime.projector import Projector
from projections.runtime.words import projector_of
from projections.tables.chronicle import Chapter, read_chapter
from projections.tables.projections import STORY, TABLE, document, field_of
from workers.games import GamesShelf
from workers.runtime.leases import Leases
from workers.runtime.loop import RuleWorker

Log = MemoryLog | RedisLog
PLATFORM = Actor("platform", "house")
SHELF = GamesShelf()


class House:
    """Everything between a click and what is seen of it."""

    def __init__(self, log: Log, *, games: tuple[str, ...] = ("nains",)) -> None:
        self.log = log
        self.games = games
        self._leases = Leases(log, games, owner="house", ttl_ms=60_000)
        numbers = count(1)
        self._worker = RuleWorker(log, SHELF, self._leases, random=lambda size: next(numbers).to_bytes(size, "big"))
        self.projector: Projector = projector_of(log, list(games))
        self._waiting = 0

    def partition(self, table: str) -> Partition:
        """Return a table's partition."""
        return partition_of(table, len(self.log.partitions("nains")))

    def send(self, table: str, command: Command, by: Actor = PLATFORM) -> None:
        """Send a command, without having it handled."""
        self._waiting += 1
        self.log.submit(self.partition(table), pack(Envelope(uuid.uuid4().bytes, table, by, raw(command))))

    def work(self) -> None:
        """Have every command decided."""
        self._leases.tick()
        while self._waiting:
            self._waiting -= self._worker.round()

    def project(self) -> None:
        """Have every event projected."""
        while self.projector.round(block_ms=0):
            pass

    def settle(self) -> None:
        """Have everything handled that was sent."""
        self.work()
        self.project()

    def restart_projections(self) -> None:
        """Forget all that projections hold in memory, as a new process does."""
        self.projector = projector_of(self.log, list(self.games))

    def live(self, table: str, projection: str) -> str:
        """Return the key of what the live version of a projection keeps of a table."""
        place = self.partition(table)
        return place.view(numbered(projection, self.log.standing(place)[1].number(projection)), table)

    def view(self, table: str, viewpoint: Viewpoint = SPECTATOR) -> dict[str, Any]:
        """Return what a viewpoint sees."""
        return _seen(self._fields(table), viewpoint)

    def _fields(self, table: str) -> Mapping[str, bytes]:
        return self.log.view_fields(self.live(table, TABLE))

    def chapters(self, table: str) -> list[Chapter]:
        """Return the table's story."""
        entries = self.log.view_entries(self.live(table, STORY), count=10_000)
        return [read_chapter(body) for _, body in entries]

    def open_table(self, table: str, *, seats: int, game: str = "nains") -> None:
        """Open a table of people and start it."""
        self.send(table, OpenTable(game=game, seats=seats))
        for seat in range(seats):
            self.send(table, TakeSeat(seat=Seat(seat), player=Player(f"p{seat}")))
        self.send(table, StartTable())

    def play_a_move(self, table: str, random: Random) -> bool:
        """
        Let one asked seat send one of the commands its own view offers; false when nobody is asked.

        Who is asked and what is offered are read at once: the views may move meanwhile.
        """
        fields = self._fields(table)
        asked = _seen(fields, SPECTATOR)["asked"]
        if not asked:
            return False
        seat = Seat(random.choice(asked)["seat"])
        offered = random.choice(_seen(fields, seat)["legal"])
        command = command_from_json(self.partition(table).game, to_json(offered))
        self.send(table, command, Actor("seat", "house", seat))
        return True


def _seen(fields: Mapping[str, bytes], viewpoint: Viewpoint) -> dict[str, Any]:
    seen: dict[str, Any] = json.loads(document(fields[field_of(SPECTATOR)], fields[field_of(viewpoint)]))
    return seen
