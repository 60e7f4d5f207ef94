"""Players that are never tired: they play tables through the doors, send each command twice, and note every answer."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from random import Random
from typing import Any

import msgspec

from events.codec import command_from_json, raw, to_json
from services.ending import end
from tests.chaos.asking import Http

Json = dict[str, Any]
REUSED = "command_id_reused"
AGAIN_S = 0.05
NO_ANSWER = frozenset((500, 502, 503, 504))


class Told(msgspec.Struct, frozen=True):
    """
    A final answer.

    Args:
        command: what was sent, as the history will hold it; empty for what only the platform may wish.
        versions: first and last, of an accepted command.
    """

    command_id: bytes
    table: str
    command: bytes
    code: str | None
    versions: tuple[int, int]


class Doors:
    """Asks one API process after another until one answers, and keeps what was answered."""

    def __init__(self, ports: Sequence[int], http: Http, random: Random) -> None:
        self._ports = ports
        self._http = http
        self._random = random
        self.told: list[Told] = []
        self.silence = 0.0
        self._last = time.monotonic()
        self.counted: Counter[str] = Counter()

    async def ask(self, method: str, path: str, key: str, *, body: object = None, command: str | None = None) -> Json:
        """Return what was answered; a refusal has a ``code``."""
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        if command is not None:
            headers["Idempotency-Key"] = command
        content = b"" if body is None else to_json(body)
        while True:
            port = self._random.choice(self._ports)
            try:
                status, answer = await self._http.request(port, method, path, headers, content)
            except (OSError, EOFError):
                self.counted["sent again"] += 1
                await asyncio.sleep(AGAIN_S)
                continue
            if status in NO_ANSWER or status == HTTPStatus.ACCEPTED:
                self.counted["asked again"] += 1
                await asyncio.sleep(AGAIN_S)
                continue
            return dict(msgspec.json.decode(answer))

    async def send(self, table: str, path: str, key: str, command_id: uuid.UUID, body: Json | None) -> Json:
        """Send a command until it is answered, and note the answer."""
        answer = await self.ask("POST", path, key, body=body, command=str(command_id))
        now = time.monotonic()
        self.silence, self._last = max(self.silence, now - self._last), now
        command = bytes(raw(command_from_json("nains", to_json(body)))) if body and "kind" in body else b""
        versions = (answer.get("first", 0), answer.get("last", 0))
        name = answer.get("table", table)
        self.told.append(Told(command_id.bytes, name, command, answer.get("code"), versions))
        return answer


class Players:
    """
    Plays so many tables at once until told to stop; every table that was begun is played to its end.

    Args:
        tables: how many at once.
        limit: how many in all; no limit by default.
        giving_up: how likely a seat concedes instead of playing on.
        times: how often each command is sent.
    """

    def __init__(  # noqa: PLR0913  each by its name
        self,
        ports: Sequence[int],
        *,
        platform: str,
        bots: str,
        seed: int,
        tables: int,
        limit: int | None = None,
        giving_up: float = 0.0,
        times: int = 2,
    ) -> None:
        self._ports = ports
        self._platform, self._bots = platform, bots
        self._seed = seed
        self._at_once = tables
        self._left = limit
        self._giving_up = giving_up
        self._times = times
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._play()), name="players", daemon=True)
        self._work: tuple[asyncio.AbstractEventLoop, list[asyncio.Task[None]]] | None = None
        self.doors: Doors | None = None
        self.opened: list[str] = []
        self.ended: set[str] = set()
        self.fault: BaseException | None = None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Open no more tables."""
        self._stop.set()

    def go(self) -> None:
        """Leave everything as it stands."""
        self._stop.set()
        if self._work is not None:
            loop, places = self._work
            for place in places:
                with suppress(RuntimeError):  # the loop has ended already
                    loop.call_soon_threadsafe(place.cancel)
        self._thread.join()

    @property
    def done(self) -> bool:
        """Whether all tables have ended; raises what went wrong at one."""
        if self.fault is not None:
            raise self.fault
        return not self._thread.is_alive()

    @property
    def told(self) -> list[Told]:
        """Return all answers so far."""
        return self.doors.told if self.doors else []

    async def _play(self) -> None:
        http = Http()
        self.doors = Doors(self._ports, http, Random(self._seed))
        places = [asyncio.create_task(self._place(self.doors, number)) for number in range(self._at_once)]
        self._work = asyncio.get_running_loop(), places
        try:
            await asyncio.gather(*places)
        except BaseException as fault:  # noqa: BLE001  it is raised where the test looks
            self.fault = fault
        finally:
            await end(places)
            http.close()

    async def _place(self, doors: Doors, number: int) -> None:
        random = Random(f"{self._seed} {number}")
        while not self._stop.is_set():
            if self._left is not None:
                if self._left <= 0:
                    return
                self._left -= 1
            await self._table(doors, random)

    async def _table(self, doors: Doors, random: Random) -> None:
        seats = random.choice((2, 2, 3))
        opening = {
            "game": "nains",
            "seats": seats,
            "bots": [{"seat": seat, "bot": "random"} for seat in range(seats)],
        }
        key = uuid.UUID(int=random.getrandbits(128), version=4)
        opened = (await self._sent(doors, random, "", "/v1/tables", self._platform, key, opening))["table"]
        self.opened.append(opened)
        key = uuid.UUID(int=random.getrandbits(128), version=4)
        await self._sent(doors, random, opened, f"/v1/tables/{opened}/start", self._platform, key, None)
        version = 0
        while True:
            view = await doors.ask("GET", f"/v1/tables/{opened}/view?at_least={version}", self._bots)
            if "version" not in view or "status" not in view:
                continue  # not there yet: asked again
            if view["status"] == "over":
                self.ended.add(opened)
                return
            asked = [each["seat"] for each in view["asked"]]
            versions = [await self._move(doors, random, opened, seat, view["version"]) for seat in asked]
            version = max((view["version"], *versions))

    async def _move(self, doors: Doors, random: Random, table: str, seat: int, version: int) -> int:
        view = await doors.ask("GET", f"/v1/tables/{table}/view?seat={seat}&at_least={version}", self._bots)
        legal = view.get("legal")
        if not legal:
            return version
        command = {"kind": "concede", "seat": seat} if random.random() < self._giving_up else random.choice(legal)
        key = uuid.UUID(int=random.getrandbits(128), version=4)
        path = f"/v1/tables/{table}/commands"
        answer = await self._sent(doors, random, table, path, self._bots, key, command)
        if random.random() < 1 / 20:
            other = next((each for each in legal if each != command), {"kind": "concede", "seat": seat})
            reused = await doors.send(table, path, self._bots, key, other if other != command else legal[0])
            doors.counted["ids used again"] += 1
            assert reused.get("code") == REUSED or answer.get("code") in {"rate_limited", REUSED}, (answer, reused)
        return int(answer.get("version", version))

    async def _sent(  # noqa: PLR0913, PLR0917  what a request has
        self, doors: Doors, random: Random, table: str, path: str, by: str, key: uuid.UUID, body: Json | None
    ) -> Json:
        """Send a command as often as is wished, at once or one after the other; all answers must be the same."""
        sending = [doors.send(table, path, by, key, body) for _ in range(self._times)]
        doors.counted["commands"] += 1
        answers = await asyncio.gather(*sending) if random.random() < 1 / 2 else [await each for each in sending]
        assert all(each == answers[0] for each in answers), answers
        return answers[0]
