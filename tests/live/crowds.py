"""What crowds of clients need: a platform with tables to follow, and a token of their own for each of them."""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from services.bench.line import Line
from tests.chaos.asking import Http
from tests.chaos.load import Doors
from tests.chaos.service import Service
from tests.until import until

Json = dict[str, Any]
SEATS = 4
"""Of every table."""

MINUTES = 60


async def settled(condition: Callable[[], bool], what: str) -> None:
    """Wait in a thread, so that sockets go on meanwhile."""
    await asyncio.to_thread(until, condition, what=what)


class Table(msgspec.Struct, frozen=True):
    """
    A table at which play has begun.

    Args:
        begun: the first version of play.
        token: of its last seat, where a player sits there; bots have all others.
    """

    name: str
    begun: int
    token: str | None


class Ear:
    """
    Counts what its lines hear.

    Args:
        late: a table whose spectators are behind.
        youngest: how old a step of play there was at least when it was told, in milliseconds.
    """

    def __init__(self, late: Table | None = None) -> None:
        self._late = late
        self._seen: set[Line] = set()
        self._told: Counter[tuple[str, int]] = Counter()
        self._noes: list[Json] = []
        self.youngest = sys.maxsize

    def heard(self, line: Line, payload: bytes) -> None:
        news = json.loads(payload)
        match news["kind"]:
            case "failed" | "unfollowed":
                self._noes.append(news)
            case "view":
                self._seen.add(line)
            case "steps":
                self._told[news["table"], news["last"]] += 1
                if self._late is not None and news["table"] == self._late.name:
                    ages = [news["now"] - each["at"] for each in news["chapters"] if each["last"] >= self._late.begun]
                    self.youngest = min(self.youngest, *ages, sys.maxsize)

    def saw(self) -> int:
        """Return how many lines saw their table."""
        assert not self._noes
        return len(self._seen)

    def were_told(self, table: Table, version: int) -> int:
        """Return how many lines were told a version, once it is the newest."""
        assert not self._noes
        return self._told[table.name, version]


class Platform:
    """Opens tables, gives out tokens, and lets the bots' seats move."""

    def __init__(self, service: Service) -> None:
        self._key, self._bots = service.platform, service.bots
        self._http = Http()
        self._random = Random(3)
        self._doors = Doors(service.ports, self._http, self._random)

    async def open(self, *, player: str | None = None, delay_s: int = 0) -> Table:
        """Return a new table, with a player in its last seat if one is named."""
        bots = [{"seat": seat, "bot": "random"} for seat in range(SEATS if player is None else SEATS - 1)]
        terms = {"game": "nains", "seats": SEATS, "bots": bots, "spectator_delay": delay_s}
        name = (await self._sent("/v1/tables", terms))["table"]
        path, token = f"/v1/tables/{name}", None
        if player is not None:
            token = (await self._sent(f"{path}/seats/{SEATS - 1}", {"player": player}))["token"]
        return Table(name, int((await self._sent(f"{path}/start"))["first"]), token)

    async def spectator_token(self, table: str) -> str:
        """Return a token that nobody else has, to watch a table with."""
        return str((await self._sent(f"/v1/tables/{table}/spectators"))["token"])

    async def seat_token(self, table: str) -> str:
        """Return a token of the player in a table's last seat, which looks and plays."""
        return str((await self._sent(f"/v1/tables/{table}/seats/{SEATS - 1}/token"))["token"])

    async def move(self, table: Table) -> int:
        """Make a move of a bot's seat; return the version that it made."""
        path = f"/v1/tables/{table.name}"
        asked = (await self._doors.ask("GET", f"{path}/view", self._bots))["asked"]
        seat = asked[0]["seat"]
        legal = (await self._doors.ask("GET", f"{path}/view?seat={seat}", self._bots))["legal"]
        return int((await self._sent(f"{path}/commands", self._random.choice(legal), key=self._bots))["last"])

    async def _sent(self, path: str, body: object = None, *, key: str | None = None) -> Json:
        return await self._doors.ask("POST", path, key or self._key, body=body, command=str(uuid.uuid4()))

    def close(self) -> None:
        """Close its connections."""
        self._http.close()
