"""A door and a rule worker in one thread: send a command, have it decided, get the answer."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from itertools import count

import msgspec

from events.codec import pack, raw
from events.commit import Commit, Entry, Envelope, Refusal, broken_link, read_entry
from events.log.memory import MemoryLog
from events.log.records import Answer, Moved
from events.log.redis_log import RedisLog
from events.messages import Command, Seat
from events.streams import Partition, partition_of
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Actor, Player
from tests.runtime.echo.rules import EchoShelf
from tests.until import PATIENCE_S
from workers.runtime.cache import Cache
from workers.runtime.leases import Leases
from workers.runtime.limits import UNLIMITED, Limits
from workers.runtime.loop import MAX_LOADED, RuleWorker
from workers.tables.state import RulesShelf

Log = MemoryLog | RedisLog

PLATFORM = Actor("platform", "tests")


def seat_actor(seat: int) -> Actor:
    """Return who plays a seat."""
    return Actor("seat", "tests", Seat(seat))


def envelope(
    table: str,
    command: Command | bytes,
    actor: Actor,
    *,
    expected: int | None = None,
    command_id: bytes | None = None,
) -> bytes:
    """Return a packed envelope; a body may be given as it is."""
    body = raw(command) if isinstance(command, Command) else msgspec.Raw(command)
    return pack(Envelope(command_id or uuid.uuid4().bytes, table, actor, body, expected))


class Worker:
    """A rule worker that does a round when it is told to."""

    def __init__(
        self,
        log: Log,
        owner: str = "desk",
        *,
        shelf: RulesShelf | None = None,
        ttl_ms: int = 60_000,
        limits: Limits = UNLIMITED,
        max_loaded: int = MAX_LOADED,
    ) -> None:
        self.leases = Leases(log, ["echo"], owner=owner, ttl_ms=ttl_ms)
        self.cache = Cache()
        numbers = count()
        self._loop = RuleWorker(
            log,
            shelf or EchoShelf(),
            self.leases,
            cache=self.cache,
            block_ms=1,
            random=lambda size: next(numbers).to_bytes(size, "big"),
            limits=limits,
            max_loaded=max_loaded,
        )

    def drain(self) -> int:
        """Handle everything that waits; return how many commands that were."""
        self.leases.tick()
        handled = 0
        while done := self._loop.round():
            handled += done
            self.leases.tick()
        return handled

    def round(self) -> int:
        """Do one round."""
        return self._loop.round()


class Desk:
    """Sends commands to one worker and hears its answers."""

    def __init__(self, log: Log, worker: Worker | None = None) -> None:
        self.log = log
        self.worker = worker or Worker(log)
        self._ear = log.listen(log.partitions("echo"))
        self._names = count()
        self._marks = count(time.time_ns())
        self._heard()  # nodes of a cluster may have yet to pass on what somebody else was answered before

    def close(self) -> None:
        """Stop listening."""
        self._ear.close()

    def place(self, table: str) -> Partition:
        """Return the partition of a table."""
        return partition_of(table, len(self.log.partitions("echo")))

    def post(self, table: str, body: bytes) -> str:
        """Send a packed envelope, without having it handled."""
        return self.log.submit(self.place(table), body)

    def answers(self) -> list[Answer]:
        """Have everything handled, and return all answers in order, those that are too many among them."""
        self.worker.drain()
        return self._heard()

    def _heard(self) -> list[Answer]:
        """Return all answers until now: on every way on which they come, a mark is sent behind them."""
        mark = Moved(projection="mark", position=next(self._marks), tables={})
        ways = self._mark_all_ways(mark)
        heard: list[Answer] = []
        while ways:
            pushed = self._ear.next(PATIENCE_S)
            assert pushed is not None, "a mark was lost"
            if isinstance(pushed[1], tuple):
                heard.extend(pushed[1])
            else:
                ways -= pushed[1] == mark
        return heard

    def _mark_all_ways(self, mark: Moved) -> int:
        """Send a mark on every way on which answers come, and return how many those are."""
        place = self.log.partitions("echo")[0]
        if isinstance(self.log, MemoryLog):
            memory = self.log._memory  # noqa: SLF001  where answers come from
            with memory.changed:
                memory.push(place, mark)
            return 1
        nodes = list(self.log._store.nodes())  # noqa: SLF001  as above
        for each in nodes:
            each.execute_command("PUBLISH", place.push, pack(mark))
        return len(nodes)

    def send(
        self,
        table: str,
        command: Command | bytes,
        actor: Actor = PLATFORM,
        *,
        expected: int | None = None,
        command_id: bytes | None = None,
    ) -> Answer:
        """Send a command and return its answer."""
        self.post(table, envelope(table, command, actor, expected=expected, command_id=command_id))
        (answer,) = self.answers()
        return answer

    def running_table(self, *, seats: int = 2, turns: bool = False) -> str:
        """Return a table at which play goes on."""
        table = f"echo-t{next(self._names)}"
        opening = OpenTable(game="echo", seats=seats, options={"turns": turns})
        sitting = [TakeSeat(seat=Seat(seat), player=Player(f"p{seat}")) for seat in range(seats)]
        for command in (opening, *sitting, StartTable()):
            self.post(table, envelope(table, command, PLATFORM))
        assert [None] * (seats + 2) == [answer.code for answer in self.answers()]
        return table

    def entries(self, table: str) -> Sequence[Entry]:
        """Return a table's history, after checking its chain."""
        entries = [read_entry(body) for body in self.log.history(self.place(table), table)]
        assert broken_link(entries) is None
        return entries

    def commits(self, table: str) -> Sequence[Commit]:
        """Return a table's commits."""
        return [entry for entry in self.entries(table) if isinstance(entry, Commit)]

    def refusals(self, table: str) -> Sequence[Refusal]:
        """Return a table's refusals."""
        return [entry for entry in self.entries(table) if isinstance(entry, Refusal)]
