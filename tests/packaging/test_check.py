"""What ``make test`` says when it is stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

CHECK = Path(__file__).parents[1] / "check.py"
STARTED = "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""As at a terminal: whoever runs tests in the background may have made that deaf to Ctrl-C."""


def test_ctrl_c_stops_all_checks_with_a_word() -> None:
    """And no traceback."""
    command = [sys.executable, "-c", f"{STARTED}runpy.run_path({str(CHECK)!r}, run_name='__main__')"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  our own
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=60)

    assert "format ...\n" == first
    assert (130, "Stopped.") == (process.returncode, said.splitlines()[-1])
    assert "" == errors
