"""The embedded server keeps what it was given, tells what is wrong, and leaves nothing running."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from services.embedded.folder import DataFolder, EmbeddedError
from services.embedded.server import EmbeddedServer
from tests.until import until

LAUNCHER = """
import sys
from pathlib import Path
from services.embedded.server import EmbeddedServer

server = EmbeddedServer(Path(sys.argv[1]))
server.start()
print(server.pid, flush=True)
sys.stdin.read()
"""
TABLE = "fid:{nains.03}:t:nains-aaaaaaaaaa"


def keep(server: EmbeddedServer, count: int) -> None:
    client = redis.Redis.from_url(server.url)
    for number in range(count):
        client.xadd(TABLE, {"e": f"entry {number}"}, id=f"{number + 1}-0")
    client.close()


def kept(server: EmbeddedServer) -> int:
    client = redis.Redis.from_url(server.url)
    try:
        return int(client.xlen(TABLE))
    finally:
        client.close()


def increment(folder: Path) -> Path:
    return next((folder / "appendonlydir").glob("*.incr.aof"))


def gone(pid: int) -> Callable[[], bool]:
    def check() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    return check


def test_it_keeps_everything_through_a_restart(tmp_path: Path) -> None:
    """What was written is there again, and the settings are those of a store that forgets nothing."""
    with EmbeddedServer(tmp_path) as server:
        keep(server, 3)
        client = redis.Redis.from_url(server.url, decode_responses=True)
        settings = {
            name: client.config_get(name)[name]
            for name in ("appendonly", "appendfsync", "maxmemory-policy", "save", "port")
        }
        client.close()
        first = server.pid
    with EmbeddedServer(tmp_path, durability="fast") as server:
        again = kept(server)

    assert {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "save": "",
        "port": "0",
    } == settings
    assert 3 == again
    assert gone(first)()
    assert 0 == stat.S_IMODE(DataFolder(tmp_path).settings.stat().st_mode) & 0o077


def test_a_second_start_says_who_holds_the_folder(tmp_path: Path) -> None:
    """Two servers never write to one folder."""
    with EmbeddedServer(tmp_path), pytest.raises(EmbeddedError, match=f"in use by process {os.getpid()} since"):
        EmbeddedServer(tmp_path).start()


def test_a_killed_server_comes_back_with_all_that_was_acknowledged(tmp_path: Path) -> None:
    """With ``always`` every acknowledged write survives a kill, at the same address."""
    with EmbeddedServer(tmp_path) as server:
        for round_ in range(1, 4):
            client = redis.Redis.from_url(server.url)
            client.xadd(TABLE, {"e": "x" * 1000}, id=f"{round_}-0")
            client.close()
            os.kill(server.pid, signal.SIGKILL)
            until(server.revive, what="the server's death")

            assert round_ == kept(server)


def test_a_server_ends_with_its_launcher_even_when_that_is_killed(tmp_path: Path) -> None:
    """Nothing is left running, and the folder can be used again at once."""
    launcher = subprocess.Popen(  # noqa: S603  our own launcher
        [sys.executable, "-c", LAUNCHER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    with launcher:
        assert launcher.stdout is not None
        pid = int(launcher.stdout.readline())
        launcher.kill()
    with EmbeddedServer(tmp_path):
        until(gone(pid), what="the end of the server")


@pytest.mark.parametrize("tail", [b"*3\r\n$3\r\nSET\r\n$1", b"\0" * 4096, b"$9\r\ngarbage", bytes(range(256))])
def test_a_damaged_tail_is_cut_told_and_kept(tmp_path: Path, tail: bytes) -> None:
    """A torn or garbage end costs no whole write, and a copy of it stays."""
    with EmbeddedServer(tmp_path) as server:
        keep(server, 5)
    with increment(tmp_path).open("ab") as file:
        file.write(tail)
    told: list[str] = []
    with EmbeddedServer(tmp_path, tell=told.append) as server:
        again = kept(server)
    copies = list(DataFolder(tmp_path).damaged.iterdir())

    assert 5 == again
    assert [f"{len(tail)} bytes" in sentence for sentence in told] == [True]
    assert [True] == [each.read_bytes().endswith(tail) for each in copies]


def test_tables_named_in_the_cut_part_are_told(tmp_path: Path) -> None:
    """A write that was torn in the middle names the table that now ends earlier."""
    with EmbeddedServer(tmp_path) as server:
        keep(server, 2)
    file = increment(tmp_path)
    os.truncate(file, file.stat().st_size - 3)
    told: list[str] = []
    with EmbeddedServer(tmp_path, tell=told.append) as server:
        again = kept(server)

    assert 1 == again
    assert "nains-aaaaaaaaaa" in told[0]


def test_a_torn_group_is_cut_whole(tmp_path: Path) -> None:
    """Half a transaction never comes back to life."""
    with EmbeddedServer(tmp_path) as server:
        keep(server, 1)
        client = redis.Redis.from_url(server.url)
        with client.pipeline() as group:
            group.xadd(TABLE, {"e": "x"}, id="8-0")
            group.xadd(TABLE, {"e": "x"}, id="9-0")
            group.execute()
        client.close()
    file = increment(tmp_path)
    os.truncate(file, file.stat().st_size - 4)  # inside EXEC
    with EmbeddedServer(tmp_path, tell=lambda _: None) as server:
        assert 1 == kept(server)


@pytest.mark.parametrize("lost", ["appendonly.aof.manifest", "appendonly.aof.1.base.rdb", "appendonlydir"])
def test_it_never_starts_empty_in_silence(tmp_path: Path, lost: str) -> None:
    """When what was kept is not there, the start is refused with what to do."""
    with EmbeddedServer(tmp_path) as server:
        keep(server, 1)
    history = DataFolder(tmp_path).history
    if lost == history.name:
        history.rename(tmp_path / "elsewhere")
    else:
        (history / lost).unlink()
    with pytest.raises(EmbeddedError, match="backup"):
        EmbeddedServer(tmp_path).start()


def test_a_damaged_base_is_told_and_left_alone(tmp_path: Path) -> None:
    """What cannot be mended is not touched."""
    with EmbeddedServer(tmp_path) as server:
        keep(server, 1)
    base = next((tmp_path / "appendonlydir").glob("*.base.rdb"))
    base.write_bytes(b"no base at all")
    with pytest.raises(EmbeddedError, match="ended before it answered"):
        EmbeddedServer(tmp_path).start()

    assert b"no base at all" == base.read_bytes()


def test_a_long_path_still_finds_a_socket(tmp_path: Path) -> None:
    """The system's limit for socket paths does not limit where data may lie."""
    folder = tmp_path / ("deep" * 30) / "data folder"
    with EmbeddedServer(folder) as server:
        keep(server, 1)
        url = server.url

        assert 1 == kept(server)
        assert str(folder) not in url


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """The sentence names the folder and the way out."""
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="--data"):
        EmbeddedServer(tmp_path / "file" / "data").start()
