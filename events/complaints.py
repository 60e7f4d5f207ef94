"""Tells what a decoder complains of: where, by which stable reason, and as a hint that repeats nothing sent."""

from __future__ import annotations

import re
from typing import Final

import msgspec

REASONS: Final = (
    (r"Input data was truncated|JSON is malformed|MessagePack data is malformed", "broken"),
    (r"Invalid UTF-8", "not_utf8"),
    (r"Object contains unknown field", "unknown_field"),
    (r"Object missing required field", "missing_field"),
    (r"(Number|Integer value) out of range|Expected .*( of (at \w+ )?length | [<>]=? )", "out_of_range"),
    (r"Expected .* (matching regex|that's a multiple of) ", "invalid_value"),
    (r"Expected ", "wrong_type"),
)
"""How complaints of msgspec begin, and the reason each is told by; the first that fits counts."""

REPEATING: Final = ("Invalid value", "Invalid enum value", "Object contains unknown field")
"""Complaints that go on with what was sent."""


class Complaint(msgspec.Struct, frozen=True):
    """
    What is wrong, for programs and for people.

    Args:
        path: where the fault lies, such as ``$.coins[2]``.
        problem: a hint in words, which may change.
        reason: snake_case, stable for ever.
    """

    path: str
    problem: str
    reason: str


def complaint(fault: Exception, *, broken: str) -> Complaint:
    """
    Return what a decoder complains of.

    Args:
        fault: what it raised.
        broken: the reason for bytes that are not of its format at all.
    """
    text, _, place = str(fault).partition(" - at `")
    path = place.rpartition("` in `")[2].rstrip("`") or "$"  # a key has no path of its own
    problem = next((start for start in REPEATING if text.startswith(start)), text) or type(fault).__name__
    return Complaint(path, problem, _reason(fault, problem, path, broken=broken))


def _reason(fault: Exception, problem: str, path: str, *, broken: str) -> str:
    if isinstance(fault, RecursionError):
        return "nested_too_deeply"
    if isinstance(fault, UnicodeDecodeError):
        return "not_utf8"
    if problem == "Invalid value" and path.endswith(".kind"):
        return "unknown_kind"
    found = next((reason for start, reason in REASONS if re.match(start, problem)), "invalid_value")
    return broken if found == "broken" else found
