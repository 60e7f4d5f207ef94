"""What a caller may give to an environment: each wrong value is told at once, in its own words."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np

RENDER_MODES: Final = ("ansi",)


def number(given: object, *, called: str, least: int = 0) -> int:
    """Return a whole number of Python or NumPy; ``ValueError`` for anything else, truth values too, and below least."""
    try:
        found = operator.index(given)  # type: ignore[arg-type]  # what is none raises
    except TypeError:
        found = least - 1
    if isinstance(given, bool | np.bool_) or found < least:
        raise ValueError(f"{called} is a whole number, {least} or more, and not {given!r}")
    return found


def require_render_mode(given: str | None) -> None:
    """Raise ``ValueError`` for a way to render that there is not."""
    if given is not None and given not in RENDER_MODES:
        raise ValueError(f"there is no render_mode {given!r}: it is None or {' or '.join(map(repr, RENDER_MODES))}")


def require_no_option(given: Mapping[str, Any] | None, options: Collection[str]) -> None:
    """Raise ``ValueError`` where a reset names an option of the table; what else it names means nothing here."""
    if named := sorted(set(given or ()).intersection(options)):
        raise ValueError(f"options of the table are given when the environment is made: {', '.join(named)}")
