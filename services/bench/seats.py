"""Seats that play over sockets as fast as they may, and note how long each move took to be seen."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final
from uuid import UUID

import msgspec

from services.bench.line import Line, open_line

TICK_S: Final = 0.002
PATH: Final = "/v1/live"
NO_TOKENS: Final[Mapping[tuple[str, int], str]] = {}


class _Shown(msgspec.Struct):
    status: str
    legal: list[msgspec.Raw]


class _News(msgspec.Struct):
    """What the bench reads of any message."""

    kind: str
    table: str = ""
    version: int = 0
    last: int = 0
    code: str = ""
    view: _Shown | None = None


_read = msgspec.json.Decoder(_News).decode
STEPS: Final = b'{"kind":"steps"'
"""Steps are heard and not read: the view says what matters here."""


class Seat:
    """
    One seat of one table after another, on one socket.

    Args:
        tables: where to play next; all seats of a table take the same in the same order.
        table: where it plays now.
    """

    def __init__(self, game: Game, number: int, tables: Sequence[str]) -> None:
        self._game = game
        self._number = number
        self._tables = iter(tables)
        self.table = ""
        self._legal: list[msgspec.Raw] = []
        self._version = 0
        self._sent = 0.0
        self._made = 0
        self._seen: list[tuple[int, float]] = []
        self._line: Line | None = None

    async def sit_down(self, port: int, key: str) -> None:
        """Open the socket and follow the first table."""
        self._line = await open_line(self, port, PATH)
        self._line.say(msgspec.json.encode({"token": key}))

    def stand_up(self) -> None:
        """Cut the socket."""
        if self._line is not None:
            self._line.close()

    def heard(self, line: Line, payload: bytes) -> None:
        if payload.startswith(STEPS):
            self._game.messages += 1
            return
        news = _read(payload)
        match news.kind:
            case "welcome":
                self._next(line)
            case "view" if news.view is not None:
                self._game.messages += 1
                self._look(line, news.version, news.view)
            case "accepted":
                self._made = news.last
                self._notice()
            case "refused" | "pending":
                self._game.refused[news.code or news.kind] = self._game.refused.get(news.code or news.kind, 0) + 1
                self._sent = 0.0
                self._game.ready(self)
            case "failed" | "unfollowed" if news.code:
                raise RuntimeError(payload.decode())

    def _next(self, line: Line) -> None:
        before, self.table = self.table, next(self._tables, "")
        self._legal, self._version = [], 0
        if before:
            line.say(msgspec.json.encode({"unfollow": before}))
        if self.table:
            token = self._game.tokens.get((self.table, self._number))
            own = {} if token is None else {"token": token}
            line.say(msgspec.json.encode({"follow": self.table, "seat": self._number, **own}))
        else:
            self._game.short_of_tables = True

    def _look(self, line: Line, version: int, view: _Shown) -> None:
        self._version, self._legal = version, view.legal
        if self._sent:
            self._seen.append((version, time.perf_counter()))
            self._notice()
        if view.status == "over":
            self._next(line)
        elif self._legal and not self._sent:
            self._game.ready(self)

    def _notice(self) -> None:
        """Note how long a move took once it is both answered and seen, and be free for the next."""
        if not self._made:
            return
        at = next((at for version, at in self._seen if version >= self._made), None)
        if at is None:
            return
        self._game.moved(at - self._sent)
        self._sent, self._made = 0.0, 0
        self._seen.clear()
        if self._legal:
            self._game.ready(self)

    @property
    def waits_since(self) -> float:
        """When the move was due that was not seen yet, 0 when there is none."""
        return self._sent

    def move(self, due: float | None = None) -> bool:
        """Send a move if the seat is asked, and return whether it was; it waits from when it was due."""
        if self._sent or not self._legal or self._line is None:
            return False
        game = self._game
        wish = {
            "send": game.random.choice(self._legal),
            "table": self.table,
            "id": UUID(int=game.random.getrandbits(128)).hex,
            "expected_version": self._version,
        }
        self._sent = time.perf_counter() if due is None else due
        self._line.say(msgspec.json.encode(wish))
        return True


class Game:
    """
    All seats of all tables.

    Args:
        tokens: those of seats, by table and number, that are not played in the name of the key.
        waits: seconds from each move to its own seat's view of it.
        messages: steps and views that were heard.
        refused: why moves were refused, with how many.
    """

    def __init__(
        self,
        tables: Sequence[str],
        *,
        at_once: int,
        seats: int,
        seed: int,
        tokens: Mapping[tuple[str, int], str] = NO_TOKENS,
    ) -> None:
        self.tokens = tokens
        self.random = Random(seed)  # noqa: S311  random play needs no secrecy
        self.waits: list[float] = []
        self.messages = 0
        self.refused: dict[str, int] = {}
        self.short_of_tables = False
        self._paced = True
        self._ready: deque[Seat] = deque()
        self._seats = [
            Seat(self, number, tables[place::at_once]) for place in range(at_once) for number in range(seats)
        ]

    @property
    def tables(self) -> set[str]:
        """Return where is played now."""
        return {each.table for each in self._seats if each.table}

    def ready(self, seat: Seat) -> None:
        """Let a seat move: at once, or when it is its turn."""
        if self._paced:
            self._ready.append(seat)
        else:
            seat.move()

    def moved(self, wait: float) -> None:
        """Note a move that was seen."""
        self.waits.append(wait)

    async def begin(self, port: int, key: str) -> None:
        """Have all seats follow their first table."""
        for each in self._seats:
            await each.sit_down(port, key)

    def end(self) -> None:
        """Cut all sockets."""
        for each in self._seats:
            each.stand_up()

    async def race(self, seconds: float) -> float:
        """Play without pause; return moves per second."""
        self._paced = False
        while self._ready:
            self._ready.popleft().move()
        await asyncio.sleep(min(1.0, seconds / 4))
        self.waits.clear()
        self.messages = 0
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        return len(self.waits) / (time.perf_counter() - began)

    async def stroll(self, seconds: float, *, per_s: float) -> float:
        """
        Play so many moves a second; return the time in milliseconds within which 99 of 100 were seen.

        A move waits from when it was due, so that who cannot keep the pace is not fast; one that was not seen
        waits yet.
        """
        for wait in self._turns(seconds / 4, per_s):
            await asyncio.sleep(wait)
        self.waits.clear()
        for wait in self._turns(seconds, per_s):
            await asyncio.sleep(wait)
        await asyncio.sleep(0.5)
        now = time.perf_counter()
        waits = sorted([*self.waits, *(now - each.waits_since for each in self._seats if each.waits_since)])
        return 1000 * waits[int(0.99 * (len(waits) - 1))]

    def _turns(self, seconds: float, per_s: float) -> Iterator[float]:
        """Move at a steady pace, and give how long to wait after each look at the clock."""
        began, moves = time.perf_counter(), 0
        while (passed := time.perf_counter() - began) < seconds:
            while moves < passed * per_s and self._ready:
                moves += self._ready.popleft().move(began + moves / per_s)
            yield TICK_S
