"""All projections of this program."""

from __future__ import annotations

from typing import Final

from projections.lobby.lobby import Lobby
from projections.tables.projections import Chronicle, TableViews

PROJECTIONS: Final = (Chronicle(), Lobby(), TableViews())
"""Views come last: whoever sees a version in a view finds everything else at that version, too."""
