"""Reads JSON from outside: what other readers let pass in silence is refused here, with the path to it."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, Final

from services.api.paths import Names, below
from services.api.problems import Problem, malformed

BROKEN: Final = 400
LARGEST: Final = 2**63 - 1
SMALLEST: Final = -(2**63)


class _Fault:
    """Stands in the tree where something is wrong."""

    def __init__(self, problem: str, reason: str, key: str | None = None) -> None:
        self.problem = problem
        self.reason = reason
        self.key = key


class _Reader:
    """One reading; notes whether anything was wrong, so that the tree is only walked then."""

    def __init__(self) -> None:
        self.faults = 0

    def fault(self, problem: str, reason: str, key: str | None = None) -> _Fault:
        self.faults += 1
        return _Fault(problem, reason, key)

    def pairs(self, pairs: list[tuple[str, Any]]) -> Any:  # noqa: ANN401  a JSON value
        read = dict(pairs)
        if len(read) < len(pairs):
            times = Counter(key for key, _ in pairs)
            return self.fault("the same key twice", "duplicate_key", next(key for key in times if times[key] > 1))
        return read

    def whole(self, text: str) -> Any:  # noqa: ANN401  a JSON value
        if len(text) <= len(str(SMALLEST)) and SMALLEST <= (number := int(text)) <= LARGEST:
            return number
        return self.fault("a whole number beyond 64 bits", "beyond_64_bits")

    def broken(self, text: str) -> Any:  # noqa: ANN401  a JSON value
        number = float(text)
        return number if math.isfinite(number) else self.fault("a number out of range", "out_of_range")

    def constant(self, name: str) -> Any:  # noqa: ANN401  a JSON value
        return self.fault(f"{name} is not JSON", "not_a_number")


def read_json(body: bytes, known: Names) -> Any:  # noqa: ANN401  a JSON value
    """
    Return the value, or raise a problem: broken JSON, bad UTF-8, a key twice, numbers that are none, deep nests.

    ``known`` are the members that may be named in the path to a fault.
    """
    reader = _Reader()
    try:
        text = body.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=reader.pairs,
            parse_int=reader.whole,
            parse_float=reader.broken,
            parse_constant=reader.constant,
        )
    except UnicodeDecodeError as fault:
        raise malformed("$", f"not UTF-8 at byte {fault.start}", "not_utf8", status=BROKEN) from None
    except json.JSONDecodeError as fault:
        raise malformed("$", f"not JSON at character {fault.pos}", "not_json", status=BROKEN) from None
    except RecursionError:
        raise malformed("$", "nested too deeply", "nested_too_deeply", status=BROKEN) from None
    if reader.faults:
        raise _first_fault(value, known)
    if "\\u" in text:  # what is UTF-8 has half a character only as an escape
        _require_text(value, known)
    return value


def _require_text(value: Any, known: Names) -> None:  # noqa: ANN401  a JSON value
    """Raise a problem where a text holds half a character (a lone surrogate)."""
    for path, each in _walk(value, known):
        texts = each if isinstance(each, dict) else (each,) if isinstance(each, str) else ()
        for text in texts:
            try:
                text.encode()
            except UnicodeEncodeError:
                raise malformed(path, "a text with half a character", "not_utf8", status=BROKEN) from None


def _first_fault(value: Any, known: Names) -> Problem:  # noqa: ANN401  a JSON value
    for path, each in _walk(value, known):
        if isinstance(each, _Fault):
            where = path if each.key is None else below(path, each.key, known)
            return malformed(where, each.problem, each.reason, status=BROKEN)
    return malformed("$", "hidden behind a key that stands twice", "duplicate_key", status=BROKEN)


def _walk(value: Any, known: Names) -> list[tuple[str, Any]]:  # noqa: ANN401  a JSON value
    found = [("$", value)]
    for path, each in found:  # the list grows while it is read
        if isinstance(each, dict):
            found += [(below(path, key, known), member) for key, member in each.items()]
        elif isinstance(each, list):
            found += [(f"{path}[{place}]", member) for place, member in enumerate(each)]
    return found
