"""What a caller may give to an environment: each wrong value is told at once, in its own words."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping
from typing import Any, Final

import numpy as np

from events.tables.vocabulary import OptionValue
from services.bots.options import require_options
from workers.kit.decider import MOST_LEGAL, Refused

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


def action_given(given: object) -> int:
    """Return the number of an action; ``ValueError`` for what is none of them, be it legal or not."""
    found = number(given, called="an action")
    if found >= MOST_LEGAL:
        raise ValueError(f"an action is below {MOST_LEGAL}, and not {given!r}")
    return found


def require_render_mode(given: str | None) -> None:
    """Raise ``ValueError`` for a way to render that there is not."""
    if given is not None and given not in RENDER_MODES:
        raise ValueError(f"there is no render_mode {given!r}: it is None or {' or '.join(map(repr, RENDER_MODES))}")


def options_given(given: Mapping[str, OptionValue] | None, known: Collection[str]) -> dict[str, OptionValue]:
    """Return the options of a table; ``ValueError`` for what is no mapping, and for one that there is not."""
    _require_mapping(given)
    require_options(given or (), known)
    return dict(given or {})


def require_no_option(given: Mapping[str, Any] | None, options: Collection[str]) -> None:
    """Raise ``ValueError`` where a reset names an option of the table; what else it names means nothing here."""
    _require_mapping(given)
    if named := sorted(set(given or ()).intersection(options)):
        raise ValueError(f"options of the table are given when the environment is made: {', '.join(named)}")


def _require_mapping(given: object) -> None:
    if not isinstance(given, Mapping | None):
        raise ValueError(f"options are a mapping from their names, and not {given!r}")  # noqa: TRY004  as all else


def unfit(game: str, refusal: Refused) -> ValueError:
    """Return in words why no table of a game can be opened as it was asked for."""
    match refusal.code, refusal.details:
        case "seats_out_of_range", {"least": least, "most": most}:
            return ValueError(f"seats: {game} has {least} to {most} of them with these options")
        case "malformed", {"path": path, "problem": problem}:
            return ValueError(f"{path.removeprefix('$.')}: {problem}")
        case _:
            return ValueError(f"{game} cannot be opened so: {refusal.code}")
