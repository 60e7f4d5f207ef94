"""Finds what a card does at a table: the base game's way, or with Seasons of Inis its own or an updated one."""

from __future__ import annotations

from typing import Final

from events.inis.vocabulary import CardId
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards import EFFECTS, FORMS
from workers.inis.cards.form import Declaration, Effect
from workers.inis.seasons.beltaine import DECLARED, declare_beltaine_move
from workers.inis.seasons.cards import ANNOUNCED
from workers.inis.seasons.cards import EFFECTS as SEASONS_EFFECTS
from workers.inis.seasons.cards import FORMS as SEASONS_FORMS
from workers.inis.state import InisState

ALL_EFFECTS: Final = {**EFFECTS, **SEASONS_EFFECTS}
ALL_FORMS: Final = {**FORMS, **SEASONS_FORMS, DECLARED: declare_beltaine_move}


def effect_of(state: InisState, card: CardId) -> Effect:
    """Return what makes the steps of a card's effect."""
    return EFFECTS[card] if state.more is None else ALL_EFFECTS[card]


def form_of(state: InisState, card: CardId) -> Declaration | None:
    """Return how a card is declared, or ``None`` when nothing is."""
    return FORMS.get(card) if state.more is None else ALL_FORMS.get(card)


def announced(seat: Seat, card: CardId) -> Steps:
    """Return what is asked when a card has answered a window, before anybody can answer it in turn."""
    question = ANNOUNCED.get(card)
    return () if question is None else (question(seat),)
