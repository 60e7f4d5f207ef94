"""What every process of the service has in common."""

from __future__ import annotations

import subprocess
import sys

FAILS = """
import structlog
from events.process import log_to_stderr

def sit_down(token):
    secret = "hidden-coin"
    raise ValueError("no such seat")

log_to_stderr("here")
try:
    sit_down("fst_hidden-token")
except ValueError:
    structlog.get_logger().exception("request_failed")
"""


def test_a_fault_is_logged_with_its_place_and_without_the_values_there() -> None:
    """Tokens, choices and secrets are values like any other: none is written, whatever fails near them."""
    done = subprocess.run([sys.executable, "-c", FAILS], capture_output=True, text=True, check=True)  # noqa: S603  this program

    assert '"event": "request_failed"' in done.stderr
    assert '"exc_value": "no such seat"' in done.stderr
    assert '"name": "sit_down"' in done.stderr
    assert "hidden" not in done.stderr
