"""Every block of code of the tutorial, the how-to and the client's page runs as it is written."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO

import httpx
import pytest

from services.client import Client
from tests.docs.pages import ROOT, Page
from tests.ports import free_port
from tests.services.served import Served, serve
from tests.until import PATIENCE_S, until


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Return a service as ``make play`` starts it, in a folder as ``make`` leaves it."""
    folder = tmp_path_factory.mktemp("play")
    with serve(folder, free_port()) as served:
        (folder / ".fidchell").symlink_to(served.data)
        (folder / ".venv").symlink_to(Path(sys.executable).parents[1])
        yield served


def run(served: Served, *command: str, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FIDCHELL_URL": served.url, **variables}
    done = subprocess.run(  # noqa: S603  what the page says
        command, cwd=served.data.parent, capture_output=True, text=True, check=False, env=environment, timeout=100
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def test_your_first_table(served: Served) -> None:
    """From opening with curl to an outcome that a program brought about, each block follows from those before."""
    page = Page("tutorials/first-table.md")
    address = served.url.removeprefix("http://")
    page.save_files(served.data.parent)
    told = run(served, "/bin/bash", "-euo", "pipefail", "-c", page.script(_8000=address))

    assert 2 <= told.count('"status":"accepted"')
    assert "table_ended" in told
    assert "places: ((" in told


def test_the_program_of_the_tutorial_says_what_is_missing(tmp_path: Path) -> None:
    """Whoever starts it without its three words reads a sentence."""
    Page("tutorials/first-table.md").save_files(tmp_path)
    done = subprocess.run(
        [sys.executable, "play.py", "http://127.0.0.1:1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

    assert (1, "Say where the service is, which table, and the token of your seat.\n") == (done.returncode, done.stderr)


def test_the_program_of_the_tutorial_ends_on_ctrl_c(tmp_path: Path) -> None:
    """While it waits for the service as well, and without a traceback."""
    Page("tutorials/first-table.md").save_files(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        command = [sys.executable, "play.py", f"http://127.0.0.1:{silent.getsockname()[1]}", "nains-a", "fst_x"]
        with subprocess.Popen(  # noqa: S603  what the page says
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE
        ) as process:
            silent.settimeout(PATIENCE_S)
            with silent.accept()[0]:
                process.send_signal(signal.SIGINT)
                said = process.communicate(timeout=PATIENCE_S)[1]

    assert b"" == said


def test_the_backend_of_the_how_to_ends_on_ctrl_c(served: Served) -> None:
    """Without a traceback."""
    Page("how-to/embed-a-table.md").save_files(served.data.parent)
    said = served.data.parent / "backend.said"
    with said.open("w") as errors, backend(served, errors=errors, end=signal.SIGINT):
        pass

    assert "Traceback" not in said.read_text()


@contextmanager
def backend(
    served: Served, *, errors: int | IO[str] = subprocess.DEVNULL, end: signal.Signals = signal.SIGTERM
) -> Iterator[str]:
    """Run the platform's backend of the how-to, and give its address."""
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FIDCHELL_URL": served.url, "PORT": str(port)}
    with subprocess.Popen(
        [sys.executable, "backend.py"], cwd=served.data.parent, env=environment, stderr=errors
    ) as process:
        try:
            until(lambda: is_up(f"http://127.0.0.1:{port}/table.html"), what="the backend answers")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(end)


def is_up(address: str) -> bool:
    try:
        return httpx.get(address, timeout=PATIENCE_S).is_success
    except httpx.TransportError:
        return False


def node() -> str:
    found = shutil.which("node")
    assert found, "node is missing; install it with: apt-get install nodejs"
    return found


def a_site(served: Served, *, way: str = "line.js") -> Path:
    """Save what the how-to says, and return the folder of the page."""
    Page("how-to/embed-a-table.md").save_files(served.data.parent)
    site = served.data.parent / "site"
    (site / "package.json").write_text('{"type": "module"}')
    page = (site / "page.js").read_text()
    (site / "page.js").write_text(page.replace("./line.js", f"./{way}"))
    return site


def name_origin(served: Served, origin: str) -> str:
    """Name the origin of the page as the how-to says, and return what a browser then hears may ask."""
    asking = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    script = Page("how-to/embed-a-table.md").script(_8080=origin.removeprefix("http://"))
    run(served, "/bin/bash", "-euo", "pipefail", "-c", script)

    def allowed() -> str | None:
        answer = httpx.options(f"{served.url}/v1/tables/nains-a/commands", headers=asking, timeout=PATIENCE_S)
        found: str | None = answer.headers.get("Access-Control-Allow-Origin")
        return found

    return until(allowed, what="the origin is known")


@pytest.mark.needs("node")
@pytest.mark.parametrize("way", ["line.js", "polling.js"])
def test_a_table_in_a_page(served: Served, way: str) -> None:
    """
    The page plays a whole table against the bot, over the socket and without one.

    Its own HTML is loaded with its scripts, and what it asks of the service is what a browser would let it ask.
    """
    a_site(served, way=way)
    with backend(served) as address:
        name_origin(served, address)
        browser = str(ROOT / "tests" / "docs" / "browser.mjs")
        told = run(served, node(), "--experimental-websocket", "--no-warnings", browser, address, "site")

    assert "table_ended" in told
    assert "over: [[" in told
    assert len(told.splitlines()) > 50


@pytest.mark.needs("node")
def test_the_line_of_the_page(served: Served) -> None:
    """It shows why a follow ended or a message failed, gets a new token, and comes back where that helps."""
    a_site(served)
    run(served, node(), "--no-warnings", str(ROOT / "tests" / "docs" / "line.mjs"), "site/line.js")


@pytest.mark.needs("node")
def test_the_polling_of_the_page(served: Served) -> None:
    """It tells every step before its view, and shows why either cannot be had."""
    a_site(served)
    run(served, node(), "--no-warnings", str(ROOT / "tests" / "docs" / "polling.mjs"), "site/polling.js")


def test_the_backend_gives_out_the_page_alone(served: Served) -> None:
    """Neither the keys beside it, nor a list of files, nor anything by a way around."""
    a_site(served)
    key = served.data / "platform.key"
    around = ["/.fidchell/platform.key", "/", "/../", "/../.fidchell/platform.key", "/site/../.fidchell/platform.key"]
    others = ["/backend.py", "/site/", "/package.json", f"/{key}", "/%2e%2e/.fidchell/platform.key"]
    with backend(served) as address:
        given = {path: status_of(address, "GET", path) for path in ("/table.html", "/page.js", "/line.js")}
        refused = {path: status_of(address, "GET", path) for path in (*around, *others)}
        asked = {path: status_of(address, "POST", path) for path in ("/", "/table.html", "/token")}

    assert {200} == set(given.values()), given
    assert {404} == set(refused.values()), refused
    assert {404} == set(asked.values()), asked


def status_of(address: str, method: str, path: str) -> int:
    """Ask for a path as it stands: other clients put it in order first."""
    line = HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE_S)
    try:
        line.request(method, path)
        return line.getresponse().status
    finally:
        line.close()


def test_the_origin_of_the_page_may_ask(served: Served) -> None:
    """Once it is named a browser lets the page ask over HTTP."""
    page = "http://127.0.0.1:8080"

    assert page == name_origin(served, page)


def test_the_page_of_the_client(served: Served) -> None:
    """The examples run: a table is opened and played at, one is followed to its end, and one played to its end."""
    tables, following, playing = Page("reference/client.md").programs()
    key = (served.data / "platform.key").read_text().strip()
    with Client(served.url, key) as platform:
        table = platform.open_table("nains", seats=2, bots={0: "random", 1: "random"}).table
        platform.start(table)
        own = platform.open_table("nains", seats=2, bots={1: "random"}).table
        ann = platform.take_seat(own, 0, "ann").token
        platform.start(own)
    told = run(served, sys.executable, "-c", tables, FIDCHELL_KEY=key)
    followed = run(served, sys.executable, "-c", following, table, FIDCHELL_KEY=key)
    played = run(served, sys.executable, "-c", playing, own, FIDCHELL_KEY=ann)

    assert told.splitlines()[0].isdigit()
    assert "over" == followed.splitlines()[-1].split()[-1]
    assert own in played.split()


@pytest.mark.parametrize(
    "page", ["tutorials/first-table.md", "how-to/add-a-game.md", "how-to/embed-a-table.md", "reference/client.md"]
)
def test_no_block_is_left_out(page: str) -> None:
    """A block that no test would run is named."""
    assert [] == Page(page).unknown()
