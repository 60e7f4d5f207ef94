"""Clients that follow tables over sockets and play their seats; whenever the line breaks they come back."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from services.ending import end
from tests.chaos.load import Doors

Json = dict[str, Any]
AGAIN_S = 0.05
LATER = frozenset(("busy", "store_away", "store_lost", "not_yet", "internal_error"))
"""Codes after which the same message is sent again."""


class Follower:
    """
    Follows one table from one viewpoint until it is over.

    Args:
        seat: whose moves it makes, too; ``None`` for a spectator.
        told: every chapter it heard, in order; ``view`` the newest it saw.
    """

    def __init__(self, place: Tables, table: str, seat: int | None) -> None:
        self._place = place
        self.table = table
        self.seat = seat
        self.told: list[Json] = []
        self.last = 0
        self.seen = 0
        self.view: Json = {}
        self.over = False
        self._sent: Json | None = None
        self._made = 0
        self._socket: ClientConnection | None = None

    async def run(self) -> None:
        """Return when the table is over and everything of it was told."""
        while not self.over:
            try:
                await self._session()
            except (OSError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage):
                self._place.counted["lines lost"] += 1
                await asyncio.sleep(self._place.random.uniform(0, 2 * AGAIN_S))

    def cut(self) -> bool:
        """Break the line without a word; return whether there was one."""
        if self._socket is None:
            return False
        self._socket.transport.abort()
        return True

    async def _session(self) -> None:
        port = self._place.random.choice(self._place.ports)
        async with connect(f"ws://127.0.0.1:{port}/v1/live", max_size=None, compression=None) as socket:
            self._socket = socket
            try:
                await self._say({"token": self._place.bots})
                follow = {"follow": self.table, "from": self.last, "seen": self.seen}
                await self._say(follow if self.seat is None else {**follow, "seat": self.seat})
                if self._sent is not None:
                    await self._say(self._sent)
                while not self.over:
                    await self._take(json.loads(await socket.recv()))
            finally:
                self._socket = None

    async def _say(self, message: Json) -> None:
        if self._socket is not None:
            await self._socket.send(json.dumps(message))

    async def _take(self, news: Json) -> None:
        match news["kind"]:
            case "following":
                assert self.last == news["after"], "it goes on where it was"
            case "steps":
                for chapter in news["chapters"]:
                    assert self.last + 1 == chapter["first"], "nothing is missing or told twice"
                    self.last = chapter["last"]
                    self.told.append(chapter)
                assert self.last == news["last"]
            case "view":
                assert self.seen < news["version"] <= self.last, "views come behind their steps, each once"
                self.view, self.seen = news["view"], news["version"]
                self.over = self.view["status"] == "over"
                await self._act()
            case "accepted":
                if self._sent is not None and news["id"] == self._sent["id"]:
                    self._sent, self._made = None, news["last"]
                await self._act()
            case "refused" | "pending":
                await self._again(news)
            case "failed" | "unfollowed" if news["code"] in LATER:
                raise EOFError(news["code"])  # come back later
            case "failed" | "unfollowed":
                raise AssertionError(news)

    async def _act(self) -> None:
        """Make a move when the seat is asked and the last one was answered and seen."""
        legal = self.view.get("legal")
        if self.seat is None or self.over or not legal or self._sent is not None or self.seen < self._made:
            return
        random = self._place.random
        give_up = random.random() < self._place.giving_up
        command = {"kind": "concede", "seat": self.seat} if give_up else random.choice(legal)
        self._sent = {
            "send": command,
            "table": self.table,
            "id": str(uuid.UUID(int=random.getrandbits(128), version=4)),
            "expected_version": self.seen,
        }
        self._place.counted["commands"] += 1
        await self._say(self._sent)

    async def _again(self, news: Json) -> None:
        if self._sent is None or news["id"] != self._sent["id"]:
            return
        code = news.get("code", "pending")
        self._place.counted[code] += 1
        await asyncio.sleep(AGAIN_S)
        if code == "pending" or code in LATER:
            await self._say(self._sent)
        else:
            self._sent = None
            await self._act()


class Tables:
    """
    Tables of all games played over sockets, one after another in so many places, until told to stop.

    Args:
        giving_up: how likely a seat concedes instead of playing on.
        finished: followers of tables that are over.
    """

    def __init__(self, doors: Doors, *, ports: Sequence[int], platform: str, bots: str, games: Sequence[str]) -> None:
        self.ports = ports
        self.bots = bots
        self.random = Random(7)
        self.giving_up = 0.0
        self.counted: Counter[str] = Counter()
        self.finished: list[Follower] = []
        self._doors = doors
        self._platform = platform
        self._games = games
        self._stopped = False
        self._places: list[asyncio.Task[None]] = []
        self._following: list[Follower] = []

    def start(self, at_once: int) -> None:
        """Begin at so many tables."""
        self._places = [asyncio.create_task(self._place(number)) for number in range(at_once)]

    def stop(self, *, giving_up: float) -> None:
        """Open no more tables, and come to an end with those that there are."""
        self._stopped = True
        self.giving_up = giving_up

    async def done(self) -> None:
        """Return when all tables are over."""
        await asyncio.gather(*self._places)

    async def end(self) -> None:
        """Leave everything as it stands."""
        await end(self._places)

    @property
    def failed(self) -> bool:
        """Whether something went wrong at one of the tables."""
        return any(each.done() and each.exception() is not None for each in self._places)

    def cut(self) -> None:
        """Break one line."""
        if self._following and self.random.choice(self._following).cut():
            self.counted["lines cut"] += 1

    async def _place(self, number: int) -> None:
        played = 0
        while not self._stopped:
            await self._table(self._games[(number + played) % len(self._games)])
            played += 1

    async def _table(self, game: str) -> None:
        seats = range(2)
        opening = {"game": game, "seats": 2, "bots": [{"seat": seat, "bot": "random"} for seat in seats]}
        opened = await self._settled("/v1/tables", opening)
        table = opened["table"]
        await self._settled(f"/v1/tables/{table}/start", None)
        followers = [Follower(self, table, seat) for seat in (None, *seats)]
        self._following += followers
        async with asyncio.TaskGroup() as group:
            for each in followers:
                group.create_task(each.run())
        for each in followers:
            self._following.remove(each)
        self.finished += followers

    async def _settled(self, path: str, body: Json | None) -> Json:
        answer = await self._doors.ask("POST", path, self._platform, body=body, command=str(uuid.uuid4()))
        assert answer.get("status") == "accepted", answer
        return answer
