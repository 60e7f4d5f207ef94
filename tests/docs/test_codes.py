"""The page of codes names every code and every reason there is."""

from __future__ import annotations

import re
from pathlib import Path

from events.complaints import REASONS
from services.api import problems

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "codes.md").read_text(encoding="utf-8")


def test_every_code_stands_on_the_page() -> None:
    """What a door, a table or a game can say no with is explained."""
    rules = "".join(each.read_text(encoding="utf-8") for each in (ROOT / "workers").rglob("*.py"))
    codes = {*problems.STATUS, *re.findall(r'Refused\(\s*"([a-z_]+)"', rules)}

    assert len(codes) > 50
    assert not [code for code in sorted(codes) if f"`{code}`" not in PAGE]


def test_every_status_on_the_page_is_the_one_answered() -> None:
    """The page and the doors agree."""
    told = dict(re.findall(r"^\| `([a-z_]+)` \| (?:400, )?(\d+) \|", PAGE, re.MULTILINE))

    assert {code: str(status) for code, status in problems.STATUS.items()}.items() <= told.items()


def test_every_reason_stands_on_the_page() -> None:
    """Whatever a reader complains of has its line."""
    doors = "".join(each.read_text(encoding="utf-8") for each in (ROOT / "services" / "api").glob("strict_*.py"))
    reasons = {reason for _, reason in REASONS} - {"broken"} | set(problems.REASONS.values())
    reasons |= set(re.findall(r'malformed\([^"]*"[^"]*", f?"[^"]*", "([a-z_0-9]+)"', doors))

    assert len(reasons) > 8
    assert not [reason for reason in sorted(reasons) if f"| `{reason}` |" not in PAGE]
