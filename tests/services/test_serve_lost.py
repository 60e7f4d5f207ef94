"""A store that was emptied under ``fidchell serve`` is never taken for a new one, whatever is started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import redis

from events.streams import META
from tests.ports import free_port
from tests.services.served import Served, serve
from tests.until import PATIENCE_S, until


def killed(served: Served, *kinds: str) -> None:
    """Kill processes, and wait until others are in their places."""
    before = {kind: served.child(kind) for kind in kinds}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    for kind in kinds:
        until(lambda kind=kind: served.children().get(kind, before[kind]) != before[kind], what=f"{kind} runs again")  # type: ignore[misc]  # no name


def readiness(served: Served) -> str:
    """Return what the API says of itself; nothing while it does not answer."""
    try:
        answer = httpx.get(f"{served.url}/readyz", timeout=PATIENCE_S)
    except httpx.TransportError:
        return ""
    return f"{answer.status_code} {answer.json().get('code', '')}"


@pytest.mark.timeout(300)
def test_a_store_that_is_emptied_while_it_is_served_gets_no_new_epoch(tmp_path: Path) -> None:
    """Neither what is started again nor the next ``serve`` takes it for its own; a new folder begins anew."""
    port = free_port()
    with serve(tmp_path, port) as served:
        epoch = (served.data / "epoch").read_text().strip()
        with redis.Redis.from_url((served.data / "store.url").read_text().strip()) as store:
            assert epoch.encode() == store.hget(META, "epoch")
            store.flushall()
            killed(served, "worker", "api", "project", "bots")
            log = served.data / "logs" / "worker-1.log"
            until(lambda: '"StoreLostError"' in log.read_text(), what="the worker finds out")
            until(lambda: readiness(served) == "503 store_lost", what="the API says so")

            assert not store.exists(META)

    refused = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-m", "services.cli", "serve", "--data", str(served.data), "--port", str(port)],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if name != "REDIS_URL"},
        cwd=Path(__file__).parents[2],
        check=False,
        timeout=PATIENCE_S,
    )

    assert refused.returncode == 1
    assert f"it is empty, and epoch {epoch} is expected. Restore a copy of it, or choose another" in refused.stderr


@pytest.mark.timeout(300)
def test_a_store_that_is_put_back_is_served_again(tmp_path: Path) -> None:
    """What is started with an epoch waits for the store of it."""
    with serve(tmp_path, free_port()) as served:
        with redis.Redis.from_url((served.data / "store.url").read_text().strip()) as store:
            copy = {key: store.dump(key) for key in store.scan_iter()}
            store.flushall()
            killed(served, "api")
            until(lambda: readiness(served) == "503 store_lost", what="the API says so")
            store.flushall()
            for key, value in copy.items():
                store.restore(key, 0, value, replace=True)

        until(lambda: readiness(served).startswith("200"), what="the API is ready")


@pytest.fixture(autouse=True)
def _nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.delenv("FIDCHELL_STORE_EPOCH", raising=False)
