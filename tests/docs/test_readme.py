"""Every command of the README's tour runs as it is written."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.until import PATIENCE_S, until

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
BIN = Path(sys.executable).parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder with the program in ``.venv/bin``, as ``make`` leaves it."""
    (tmp_path / ".venv").symlink_to(BIN.parent)
    return tmp_path


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """Start the service in the folder and return where it listens."""
    number = free_port()
    log = folder / "serve.log"
    with (
        log.open("w") as out,
        subprocess.Popen(  # noqa: S603  this program
            [BIN / "fidchell", "serve", "--port", str(number), "--bot-delay", "0.2"], cwd=folder, stdout=out, stderr=out
        ) as service,
    ):
        try:
            until(lambda: "ready" in log.read_text(), what="the service is ready")
            yield number
        finally:
            service.send_signal(signal.SIGINT)
            service.wait(PATIENCE_S)


def _run(script: str, folder: Path, **variables: str) -> str:
    done = subprocess.run(  # noqa: S603  what the README says
        ["/bin/bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(180)
def test_the_tour(folder: Path, port: int) -> None:
    """From watching the bots to a refusal with its code, each block follows from the ones before."""
    _two_commands, *tour, _without_service = BLOCKS
    script = "\n".join(tour).replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    for _ in range(2):  # whoever takes it again finds seats, too
        told = _run(script, folder, FIDCHELL_URL=f"http://127.0.0.1:{port}")

        assert '"kind":"place_bets"' in told
        assert told.count('"status":"accepted"') >= 3
        assert '"code":"not_your_seat"' in told
        assert '"path":"$.coins"' in told
        assert "not_found" not in told
        assert "}{" not in told
        assert 400 > max(len(line) for line in told.splitlines() if line.startswith("{"))


@pytest.mark.timeout(180)
def test_without_a_service(folder: Path) -> None:
    """Tables are simulated without anything running."""
    *simulations, _bench = BLOCKS[-1].strip().splitlines()
    told = [_run(each, folder) for each in simulations]

    assert all("0 stuck" in each for each in told)


def test_the_two_commands_are_there() -> None:
    """What the README names is what the Makefile makes."""
    makefile = (ROOT / "Makefile").read_text()
    for word in re.findall(r"^make (\w+)", BLOCKS[0], re.MULTILINE) + re.findall(r"`make ([a-z-]+)", README):
        assert re.search(rf"^{word}:.*##", makefile, re.MULTILINE), word
