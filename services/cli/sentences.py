"""Tells steps of any game in plain lines, built from their codes and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SHORT: Final = 24
"""Longer single words, such as digests, are cut."""


def sentence(step: Mapping[str, Any]) -> str:
    """Return one line for a step: who, what, and with what."""
    who = f"seat {step['seat']}: " if isinstance(step.get("seat"), int) else ""
    rest = [
        f"{words(name)} {value(each)}"
        for name, each in step.items()
        if name not in ("kind", "seat") and each not in (None, "", [], {})
    ]
    line = who + words(str(step["kind"])) + (f" ({'; '.join(rest)})" if rest else "")
    return line[0].upper() + line[1:]


def words(code: str) -> str:
    """Return a code as words."""
    return code.replace("_", " ")


def value(each: object) -> str:
    """Return a value in short."""
    if isinstance(each, Mapping):
        return ", ".join(f"{words(str(name))} {value(below)}" for name, below in each.items())
    if isinstance(each, list):
        return ", ".join(_inner(below) for below in each)
    if isinstance(each, bool):
        return "yes" if each else "no"
    text = "-" if each is None else str(each)
    return text if len(text) <= SHORT or " " in text else text[:12] + "..."


def _inner(each: object) -> str:
    """Return a part of a list, with a border around what has parts itself."""
    if isinstance(each, list):
        return f"[{value(each)}]"
    return f"({value(each)})" if isinstance(each, Mapping) else value(each)


def ranking(outcome: Mapping[str, Any]) -> list[str]:
    """Return the lines that tell how a table ended, best first."""
    totals = {each["seat"]: each["total"] for each in outcome.get("scores", ())}
    lines, place = [f"Over: {words(outcome['reason'])}."], 1
    for group in outcome["ranking"]:
        for seat in group:
            points = f", {totals[seat]} points" if seat in totals else ""
            lines.append(f"{place}. seat {seat}{points}")
        place += len(group)
    return lines
