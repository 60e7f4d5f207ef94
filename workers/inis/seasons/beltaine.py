"""The fourth turn option of summer: an Action card for a move by land (expansion, section 4.6, M2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from events.inis.vocabulary import CardId, Part
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import Form, Parts, marching
from workers.inis.phases.season import AFTER_TURN
from workers.inis.seasons.almanac import BELTAINE_MOVE, effect
from workers.inis.seasons.steps import DropCard
from workers.inis.state import InisState
from workers.inis.steps.board import Move

DECLARED: Final = CardId(BELTAINE_MOVE)
"""What stands where a declaration names its card."""


def may_move(state: InisState, seat: Seat) -> bool:
    """Never as the opening turn; with an Action card, and a clan with somewhere to go."""
    if state.more is None or state.opening or effect(state) != BELTAINE_MOVE or not state.contenders[seat].actions:
        return False
    return any(True for _ in _moves(state, seat))


def _moves(state: InisState, seat: Seat) -> Iterator[Part]:
    """Yield every move by land, of few clans."""
    most = state.amount(BELTAINE_MOVE)
    for source in state.present_in(seat):
        for to in state.lands[source].beside:
            for amount in range(1, min(most, state.clans(seat, source)) + 1):
                yield Part(territory=source, to=to, amount=amount)


def declare_beltaine_move(state: InisState, seat: Seat, parts: Parts) -> Form:
    if not parts:
        return Form(options=[Part(card=each) for each in state.contenders[seat].actions])
    return Form(options=tuple(_moves(state, seat)), last=True)


def march(state: InisState, seat: Seat, parts: Parts) -> Steps:
    """Return the steps of a declared move: the card goes, clans move, clash as usual, and the turn ends."""
    card, where = parts
    if card.card is None or where.territory is None or where.to is None or where.amount is None:
        raise AssertionError("both parts are declared")
    moves = [Move(seat=seat, territory=where.territory, to=where.to, amount=where.amount)]
    return (DropCard(seat, card.card), *marching(state, seat, moves, clash=True), *AFTER_TURN)
