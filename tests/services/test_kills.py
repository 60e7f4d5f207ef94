"""Processes are killed again and again under load: nothing acknowledged is lost or doubled, and play goes on."""

from __future__ import annotations

import os
import signal
import threading
import uuid
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from events.codec import to_json
from events.commit import Commit, read_entry
from events.log.redis_log import RedisLog
from events.messages import SPECTATOR
from events.streams import partition_of
from projections.disputes.replay import view_at
from projections.tables.games import SHELF
from tests.ports import free_port
from tests.services.served import Served, serve
from tests.until import PATIENCE_S, until

KINDS = ("worker", "project", "api", "valkey-server")
TABLES = 4


class Player:
    """Plays both seats of one table after another, and notes what was acknowledged."""

    def __init__(self, url: str, key: str, seed: int) -> None:
        self._http = httpx.Client(base_url=url, timeout=PATIENCE_S)
        self._key = key
        self._random = Random(seed)
        self.acknowledged: dict[uuid.UUID, tuple[str, int, int]] = {}
        self.tables: list[str] = []
        self.fault: BaseException | None = None

    def run(self, stop: threading.Event) -> None:
        try:
            while not stop.is_set():
                self._play_a_table(stop)
        except BaseException as fault:  # noqa: BLE001  told by the test
            self.fault = fault
        finally:
            self._http.close()

    def _play_a_table(self, stop: threading.Event) -> None:
        table = self._send("/v1/tables", self._key, {"game": "nains", "seats": 2})["table"]
        self.tables.append(table)
        path = f"/v1/tables/{table}"
        tokens = [self._send(f"{path}/seats/{seat}", self._key, {"player": f"p{seat}"})["token"] for seat in (0, 1)]
        version = self._send(f"{path}/start", self._key, None)["version"]
        while not stop.is_set():
            views = [self._view(path, each, version) for each in tokens]
            if views[0]["status"] == "over":
                return
            seat = next(number for number, view in enumerate(views) if view["legal"])
            version = self._send(f"{path}/commands", tokens[seat], self._random.choice(views[seat]["legal"]))["version"]

    def _view(self, path: str, token: str, version: int) -> dict[str, Any]:
        while True:
            answer = self._ask("GET", f"{path}/view?at_least={version}", token)
            if answer is not None and answer.status_code == 200:
                return dict(answer.json())

    def _send(self, path: str, token: str, body: object) -> dict[str, Any]:
        """Send until it is acknowledged, with the same key each time."""
        key = uuid.uuid4()
        while True:
            answer = self._ask("POST", path, token, content=to_json(body), headers={"Idempotency-Key": str(key)})
            if answer is not None and answer.status_code in (200, 201):
                told = answer.json()
                self.acknowledged[key] = (told["table"], told["first"], told["last"])
                return dict(told)

    def _ask(self, method: str, path: str, token: str, **more: Any) -> httpx.Response | None:  # noqa: ANN401  as httpx
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **more.pop("headers", {})}
        try:
            answer = self._http.request(method, path, headers=headers, **more)
        except httpx.TransportError:
            return None
        assert answer.is_success or answer.status_code >= 500, (path, answer.text)
        return answer


def rounds_of_kills(folder: Path, rounds: int) -> None:
    with serve(folder, free_port()) as served:
        key = (served.data / "platform.key").read_text().strip()
        players = [Player(served.url, key, seed) for seed in range(TABLES)]
        stop = threading.Event()
        threads = [threading.Thread(target=each.run, args=(stop,)) for each in players]
        for each in threads:
            each.start()
        for kind in KINDS * rounds:
            kill_one(served, kind, players)
        stop.set()
        for each in threads:
            each.join()
        assert [None] * TABLES == [each.fault for each in players]
        require_whole(served, players)


def kill_one(served: Served, kind: str, players: list[Player]) -> None:
    """Kill a process and wait until it runs again and commands are acknowledged again at every table."""
    pid = served.child(kind)
    os.kill(pid, signal.SIGKILL)
    until(lambda: served.children().get(kind, pid) != pid, what=f"{kind} runs again")
    done = [len(each.acknowledged) for each in players]
    until(
        lambda: all(each.fault or len(each.acknowledged) > old + 3 for each, old in zip(players, done, strict=True)),
        what="commands are acknowledged again",
    )


def require_whole(served: Served, players: list[Player]) -> None:
    """Every acknowledged command stands once in its table's history, and every view equals a plain fold."""
    log = RedisLog((served.data / "store.url").read_text().strip())
    kept: dict[uuid.UUID, list[tuple[str, int, int]]] = {}
    for table in (each for player in players for each in player.tables):
        partition = partition_of(table, len(log.partitions("nains")))
        entries = log.history(partition, table)
        version = 0
        for entry in map(read_entry, entries):
            if isinstance(entry, Commit):
                assert version + 1 == entry.first
                version = entry.last
                kept.setdefault(uuid.UUID(bytes=entry.command.command_id), []).append((table, entry.first, entry.last))
        fold = view_at(SHELF, table, entries, viewpoint=SPECTATOR, version=version)
        shown = msgspec.json.decode(served.word("show", table))
        assert msgspec.json.decode(to_json(fold)) == shown
    log.close()
    for player in players:
        for command_id, told in player.acknowledged.items():
            assert [told] == kept.get(command_id)


@pytest.mark.timeout(300)
def test_each_process_killed_once(tmp_path: Path) -> None:
    """A sample of the long proof below."""
    rounds_of_kills(tmp_path, 1)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_each_process_killed_ten_times(tmp_path: Path) -> None:
    """Rule worker, projections, API and store, ten times each while four tables are played."""
    rounds_of_kills(tmp_path, 10)
