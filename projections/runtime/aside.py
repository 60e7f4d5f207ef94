"""Lets a silent node of a cluster hold up nothing but what lies there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from events.log.errors import NodeAwayError
from projections.runtime.lines import Scope


class Away:
    """What could not be reached in the last look at everything, or since."""

    def __init__(self) -> None:
        self._found: dict[Scope, NodeAwayError] = {}

    @property
    def trouble(self) -> NodeAwayError | None:
        """Return why something waits, if anything does."""
        return next(iter(self._found.values()), None)

    def look_anew(self) -> None:
        """Take everything to be there, until that is found not to be so."""
        self._found.clear()

    @contextmanager
    def aside(self, scope: Scope) -> Iterator[None]:
        """Let what is kept there be away by itself within the block."""
        try:
            yield
        except NodeAwayError as fault:
            self._found[scope] = fault
