"""What each card of the expansion does; one file for each family, beside those of the base game."""

from __future__ import annotations

from typing import Final

from workers.inis.seasons.cards import actions, advantages, tales

EFFECTS: Final = {**actions.EFFECTS, **advantages.EFFECTS, **tales.EFFECTS}
"""From a card, new or updated, to the steps of its effect."""

FORMS: Final = {**actions.FORMS, **advantages.FORMS, **tales.FORMS}
"""From a card to what is declared for it."""

ANNOUNCED: Final = advantages.ANNOUNCED
"""From a card that answers a window to the question that declares its move."""
