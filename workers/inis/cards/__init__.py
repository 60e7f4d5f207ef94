"""What each card does: how it is declared, and the steps its effect is made of; one file for each family."""

from __future__ import annotations

from workers.inis.cards import actions, advantages, tales_of_clash, tales_of_season, tales_of_windows

EFFECTS = {
    **actions.EFFECTS,
    **advantages.EFFECTS,
    **tales_of_season.EFFECTS,
    **tales_of_windows.EFFECTS,
    **tales_of_clash.EFFECTS,
}
"""From a card to the steps of its effect."""

FORMS = {**actions.FORMS, **advantages.FORMS, **tales_of_season.FORMS, **tales_of_clash.FORMS}
"""From a card to what is declared for it; other cards declare nothing."""
