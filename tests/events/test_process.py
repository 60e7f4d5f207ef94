"""What every process of the service has in common."""

from __future__ import annotations

import json
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


COMPLAINS = """
import logging
from events.process import log_to_stderr

log_to_stderr("here")
library = logging.getLogger("some.library")
library.info("all is well")
library.warning("line one\\nline %s", "two")
try:
    int("x")
except ValueError:
    library.exception("it failed")
"""


def test_what_a_library_complains_of_is_a_line_like_any_other() -> None:
    """One JSON object each, whatever is in it."""
    done = subprocess.run([sys.executable, "-c", COMPLAINS], capture_output=True, text=True, check=True)  # noqa: S603  this program
    lines = [json.loads(line) for line in done.stderr.splitlines()]

    assert [("line one\nline two", "warning"), ("it failed", "error")] == [
        (each["text"], each["level"]) for each in lines
    ]
    assert {("library_complained", "some.library", "here")} == {
        (each["event"], each["library"], each["owner"]) for each in lines
    }
    assert "ValueError" == lines[1]["exception"][0]["exc_type"]
