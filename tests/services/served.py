"""A whole service as a person starts it: ``fidchell serve`` in a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from typer.testing import CliRunner

from services.cli.__main__ import program
from tests.services.house import UNPACED
from tests.until import PATIENCE_S, until

WORDS = ("worker", "project", "api", "bots")


class Served(msgspec.Struct):
    """A running ``fidchell serve``."""

    data: Path
    url: str
    said: Path
    process: subprocess.Popen[str] | None = None

    @property
    def running(self) -> subprocess.Popen[str]:
        assert self.process is not None
        return self.process

    def word(self, *typed: str, code: int = 0) -> str:
        """Return what a word prints; where it goes well without what it says beside that."""
        environment = {"FIDCHELL_URL": None, "FIDCHELL_DATA": str(self.data), "COLUMNS": "200"}
        result = CliRunner().invoke(program(), list(typed), env={**environment, "REDIS_URL": None})
        assert code == result.exit_code, result.output
        return result.output if code else result.stdout

    def children(self) -> dict[str, int]:
        """Return the processes it started, by what they are."""
        found = {}
        pid = self.running.pid
        for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            try:
                line = Path(f"/proc/{each}/cmdline").read_bytes().decode().split("\0")
            except (FileNotFoundError, ProcessLookupError):  # it has ended since it was listed
                continue
            program = Path(line[0].partition(" ")[0]).name
            found[next((word for word in WORDS if word in line), program)] = int(each)
        return found

    def child(self, word: str) -> int:
        """Return the process of a word, as soon as there is one."""
        return until(lambda: self.children().get(word), what=f"{word} runs")

    def tables(self) -> list[str]:
        return re.findall(r"^  (nains-\w+) ", self.said.read_text(), re.MULTILINE)


@contextmanager
def serve(folder: Path, port: int) -> Iterator[Served]:
    said = folder / "said"
    environment = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    command = [sys.executable, "-m", "services.cli", "serve", "--data", str(folder / "data"), "--port", str(port)]
    with said.open("w") as output:
        process = subprocess.Popen(  # noqa: S603  our own program
            [*command, "--bot-delay", "0"],
            stdout=output,
            stderr=output,
            text=True,
            env={**environment, **UNPACED, "FIDCHELL_STORE_S": str(PATIENCE_S / 2)},
            cwd=Path(__file__).parents[2],
        )
    served = Served(folder / "data", f"http://127.0.0.1:{port}", said, process)
    try:
        until(lambda: "Ctrl-C" in said.read_text() or process.poll() is not None, what="the service is ready")
        assert process.poll() is None, said.read_text()
        yield served
    finally:
        process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE_S)
    assert 0 == code
