"""Whoever starts a process at a terminal is told in a sentence what it waits for, or why it does not start."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from events.process import DEFAULT_STORE
from services.cli.__main__ import program
from services.cli.local import DATA, URL, service_url, store_url
from services.cli.reader import PATIENCE_S
from services.cli.serve import LOOPBACK, _require_free
from services.cli.supervision import Child
from services.embedded.folder import EmbeddedError
from tests.ports import free_port
from tests.until import until

ROOT = Path(__file__).parents[2]
PASTED = "s3cr3t"
AWAY = f"redis://{PASTED}:{PASTED}@127.0.0.1:1/0?password={PASTED}"


@contextmanager
def typed(folder: Path, *words: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the program; what it says goes into a file ``said``."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("FIDCHELL_", "REDIS_"))}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", "services.cli", *words],
            cwd=ROOT,
            env={**clean, "COLUMNS": "200", **environment},
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def sentence_of(folder: Path) -> str:
    """Return the only sentence that was said."""
    found = sentences(folder)
    assert 1 == len(found), found
    return found[0]


def sentences(folder: Path) -> list[str]:
    """Return what was said that is no line for machines."""
    return [line for line in (folder / "said").read_text().splitlines() if not line.startswith("{")]


def refused(folder: Path, *words: str, **environment: str) -> str:
    """Return the one sentence with which a word ends."""
    with typed(folder, *words, **environment) as process:
        until(lambda: process.poll() is not None, what="it ends", timeout=60)
    assert 1 == process.returncode, (folder / "said").read_text()
    return sentence_of(folder)


@pytest.mark.parametrize("word", ["api", "worker", "project"])
def test_a_process_says_that_it_waits_for_its_store(tmp_path: Path, word: str) -> None:
    """Once, first, and where; neither the sentence nor the log holds what is secret in the address."""
    port = ["--port", str(free_port())] if word == "api" else []
    with typed(tmp_path, word, *port, REDIS_URL=AWAY) as process:
        until(lambda: sentences(tmp_path), what="it is said", timeout=60)
        assert process.poll() is None, sentences(tmp_path)

    sentence = sentence_of(tmp_path)
    assert "Waiting for the store at 127.0.0.1:1: " in sentence
    assert ". Start it, or set REDIS_URL to where it is." in sentence
    assert (tmp_path / "said").read_text().startswith(sentence)
    assert PASTED not in (tmp_path / "said").read_text()


def test_bots_say_that_they_wait_for_the_service(tmp_path: Path) -> None:
    """Once, and at which address; the log repeats it rarely, however often they look again."""
    (tmp_path / "key").write_text("fck_a.b")
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        deaf.settimeout(60)
        with typed(tmp_path, "bots", "--url", url, "--key-file", str(tmp_path / "key")) as process:
            for _ in range(4):
                deaf.accept()[0].close()
            assert process.poll() is None, sentences(tmp_path)

    sentence = sentence_of(tmp_path)
    assert f"Waiting for the service at {url}: " in sentence
    assert "--url" in sentence
    assert 1 == (tmp_path / "said").read_text().count("lobby_was_away")


def test_whoever_follows_a_table_is_told_at_once_that_the_service_is_waited_for(tmp_path: Path) -> None:
    """At which address, and for how long; not only when patience is at an end."""
    (tmp_path / "platform.key").write_text("fck_a.b")
    with typed(
        tmp_path, "follow", "nains-aaaaaaaaaa", "--url", "http://127.0.0.1:1", "--data", str(tmp_path)
    ) as process:
        until(lambda: sentences(tmp_path), what="it is said", timeout=PATIENCE_S / 2)
        assert process.poll() is None

    assert ["The service at http://127.0.0.1:1 does not answer: waiting up to 60 s for it."] == sentences(tmp_path)


def test_a_bot_key_that_is_none_is_told(tmp_path: Path) -> None:
    """As one that is not there."""
    (tmp_path / "key").write_bytes(b"\xff\xfe")

    assert "cannot be read" in refused(tmp_path, "bots", "--key-file", str(tmp_path / "key"))


@contextmanager
def taken(host: str) -> Iterator[str]:
    """Give a port at which somebody listens already."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as other:
        other.bind((host, 0))
        other.listen()
        yield str(other.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_doors_say_that_their_port_is_taken(tmp_path: Path, host: str) -> None:
    """Before they look for a store, and with what to do."""
    with taken(host) as port:
        told = refused(tmp_path, "api", "--host", host, "--port", port, REDIS_URL=AWAY)

    assert f"Port {port} of {host} is taken: choose another with --port." == told


def test_the_doors_say_that_there_is_no_such_host(tmp_path: Path) -> None:
    """Whatever the reason is that nothing can listen."""
    assert "choose others with --host and --port" in refused(tmp_path, "api", "--host", "no host at all")


@pytest.mark.parametrize("host", LOOPBACK)
def test_a_free_port_is_found_free_at_each_address_of_this_machine(host: str) -> None:
    """Of the newer protocol as well; one that is taken is not."""
    _require_free(host, free_port())
    with taken("127.0.0.1" if host == "localhost" else host) as port, pytest.raises(EmbeddedError):
        _require_free(host, int(port))


@pytest.mark.parametrize(
    "url", [PASTED, f"http://{PASTED}", f"redis://127.0.0.1:{PASTED}", f"redis://a,redis://b:{PASTED}"]
)
@pytest.mark.parametrize(
    "words", [("api",), ("worker",), ("project",), ("keys",), ("projections",), ("doctor", "dead")]
)
def test_an_address_of_no_store_is_told(tmp_path: Path, words: tuple[str, ...], url: str) -> None:
    """And not repeated."""
    port = ["--port", str(free_port())] if words == ("api",) else []
    told = refused(tmp_path, *words, *port, REDIS_URL=url)

    assert "The store cannot be used: " in told
    assert "give redis://HOST:PORT" in told
    assert PASTED not in told


WRONG: Mapping[str, tuple[str, str]] = {
    "FIDCHELL_SIGNING_KEY": (PASTED, "64 hexadecimal digits"),
    "FIDCHELL_RATE_KEY": (PASTED, "valid number"),
    "FIDCHELL_CONNECTIONS": (PASTED, "valid integer"),
    "FIDCHELL_LIVE_SOCKETS": (PASTED, "valid integer"),
    "FIDCHELL_RATE_ADDRESS": ("-1", "greater than or equal to 0"),
    "FIDCHELL_LIVE_FOLLOWS": ("0", "greater than or equal to 1"),
    "FIDCHELL_STORE_S": ("0.0001", "greater than or equal to 0.1"),
    "FIDCHELL_HEAD_S": ("1e-9", "greater than or equal to 0.1"),
    "FIDCHELL_WORKER_MEMORY": ("10", "greater than or equal to 256"),
}


@pytest.mark.parametrize(
    ("word", "name"),
    [*(("api", name) for name in WRONG if name != "FIDCHELL_WORKER_MEMORY"), *(("serve", name) for name in WRONG)],
)
def test_a_setting_that_cannot_be_is_named(tmp_path: Path, word: str, name: str) -> None:
    """With what fits there, before anything starts; what was set is not repeated, as it may be a key."""
    value, fits = WRONG[name]
    data = ["--data", str(tmp_path / "data")] if word == "serve" else []
    told = refused(tmp_path, word, "--port", str(free_port()), *data, **{name: value})

    assert re.fullmatch(f"A setting cannot be what it is set to: {name}: .*{fits}.*[.]", told), told
    assert "http" not in told
    assert PASTED not in told
    assert not (tmp_path / "data").exists()


def test_a_process_that_ends_again_and_again_is_told_with_its_last_words(tmp_path: Path) -> None:
    """On the screen, where nobody looks into logs."""
    said: list[str] = []
    child = Child(
        "api",
        ["/bin/sh", "-c", "echo first; printf 'no such \\033[1mplace\\n\\n'; exit 3"],
        environment={},
        log=tmp_path / "log",
    )
    child.start()

    def has_said() -> bool:
        child.mend(said.append)
        return len(said) == 2

    until(has_said, what="it has ended twice")
    child.stop()

    assert said[0].startswith("The process api ended with code 3 and is started again; see ")
    assert "The process api ends again and again at once, 2 times by now, with code 3; see " in said[1]
    assert said[1].endswith("which ends: no such ?[1mplace")


@pytest.mark.parametrize("word", ["worker", "project", "keys"])
def test_what_is_no_store_is_told(tmp_path: Path, word: str) -> None:
    """A web server, say, of which the port was named by mistake."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as other:  # noqa: S603  of Python's own
        try:
            until(lambda: answers(port), what="it answers")
            told = refused(tmp_path, word, REDIS_URL=f"redis://{PASTED}:{PASTED}@127.0.0.1:{port}")
        finally:
            other.terminate()

    assert f"The store cannot be used: what answers at 127.0.0.1:{port} is no Redis or Valkey server." == told


def answers(port: int) -> bool:
    """Whether somebody listens."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


READING = (
    ("keys",),
    ("doctor",),
    ("doctor", "dead"),
    ("projections",),
    ("rebuild", "table"),
    ("show", "nains-aaaaaaaaaa", "--version", "1"),
    ("rotate-signing-key",),
)
"""Words that go to the store themselves."""


def told_of(*words: str, folder: Path | None = None, store: str | None = None) -> str:
    """Return what a word says that ends with 1, by a data folder and an address of a store if they are given."""
    environment = {
        "FIDCHELL_DATA": None if folder is None else str(folder),
        "REDIS_URL": store,
        "FIDCHELL_URL": None,
        "COLUMNS": "500",
    }
    result = CliRunner().invoke(program(), list(words), env=environment)
    assert 1 == result.exit_code, result.output
    return result.output


@pytest.mark.parametrize("words", [*READING, ("serve",)], ids=" ".join)
def test_a_store_that_is_away_is_told_alike(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Whatever word needs it: that it cannot be reached, and what to do."""
    port = ["--port", str(free_port())] if words == ("serve",) else []
    told = told_of(*words, *port, folder=tmp_path, store="redis://127.0.0.1:1")

    assert "The store cannot be reached: " in told
    assert ". Start it, or set REDIS_URL to where it is." in told


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_folder_that_is_named_and_holds_no_service_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    """And no store is looked for elsewhere."""
    told = told_of(*words, folder=tmp_path)

    assert f"no service runs in {tmp_path}. Start the service with `fidchell serve`, set REDIS_URL" in told
    assert "6379" not in told


@pytest.mark.parametrize("words", [("tables",), ("show", "nains-aaaaaaaaaa"), ("follow", "nains-aaaaaaaaaa")])
def test_no_other_service_is_asked_than_that_of_the_folder_that_is_named(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Where none runs it is told, and how to start one there."""
    told = told_of(*words, folder=tmp_path)

    assert f"No service runs in {tmp_path}. Start it with `fidchell serve --data {tmp_path}`" in told


def test_the_folder_that_nobody_names_leads_to_the_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that was started otherwise, as with Compose, is found without more words."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDIS_URL", raising=False)

    assert URL == service_url(None, DATA) == service_url(None, tmp_path / DATA)
    assert DEFAULT_STORE == store_url(DATA) == store_url(tmp_path / DATA)
