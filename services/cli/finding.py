"""What the doctor says of one thing it looked at."""

from __future__ import annotations

from typing import Final

Finding = tuple[str, str]
"""``ok``, ``note`` or ``fault``, and a sentence."""

MARKS: Final = {"ok": ("ok   ", "green"), "note": ("note ", "yellow"), "fault": ("fault", "red")}
