"""The page of faults names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "faults.md"


def test_every_named_test_is_there() -> None:
    """A test that is renamed is renamed on the page, too."""
    named = re.findall(r"`(tests/[a-z_/]+\.py)(?:::(test_[a-z0-9_]+))?`", PAGE.read_text(encoding="utf-8"))

    assert len(named) > 30
    assert not [(file, name) for file, name in named if f"def {name}" not in (ROOT / file).read_text(encoding="utf-8")]
