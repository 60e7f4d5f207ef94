"""The options of a table as somebody names them."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def require_options(names: Iterable[object], known: Collection[str]) -> None:
    """Raise ``ValueError`` in words for an option that a game's tables do not have."""
    for name in names:
        if name not in known:
            raise ValueError(f"there is no option {name!r}: there are {', '.join(known) or 'none'}")
