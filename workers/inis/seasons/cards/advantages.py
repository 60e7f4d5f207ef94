"""The Advantage cards of Sea Travels (expansion, section 4.4), in the order of the document; Cove is as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import NOTHING, Declaration, Effect, Form, Parts, marching, one_of
from workers.inis.seasons.more import ABER, ISLE_OF_JOY
from workers.inis.seasons.steps import CountClaim, DiscardTale, KeepSeveral, RecoverTale, SailClan
from workers.inis.state import InisState
from workers.inis.state.pieces import Play
from workers.inis.steps import Question
from workers.inis.steps.board import Move
from workers.inis.steps.hands import Draw


def declare_aber(state: InisState, seat: Seat, _parts: Parts) -> Form:
    around = state.lands[ABER].beside if ABER in state.lands else ()
    return one_of(
        Part(territory=source, to=to) for source in around if state.clans(seat, source) for to in around if to != source
    )


def aber(state: InisState, play: Play) -> Steps:
    """A clan goes round the Aber by land, never into it; clash."""
    moves = [
        Move(seat=play.seat, territory=part.territory, to=part.to, amount=1)
        for part in play.parts
        if part.territory and part.to
    ]
    return marching(state, play.seat, moves, clash=True)


def hy_breasil(_state: InisState, play: Play) -> Steps:
    """A deed more at this victory check."""
    return (CountClaim(play.seat),)


def announce_haven(seat: Seat) -> SailClan:
    return SailClan(seat=seat)


def haven(state: InisState, play: Play) -> Steps:
    """A clan goes by sea; no clash."""
    moves = [
        Move(seat=play.seat, territory=part.territory, to=part.to, amount=1)
        for part in play.parts
        if part.territory and part.to
    ]
    return marching(state, play.seat, moves, clash=False)


def declare_salmons_creek(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(Part(card=card) for card in state.discards) if state.contenders[seat].tales else NOTHING


def salmons_creek(state: InisState, play: Play) -> Steps:
    """An Epic Tale from the discard pile for another one of your hand."""
    if not play.parts or play.parts[0].card is None or not state.contenders[play.seat].tales:
        return ()
    card = play.parts[0].card
    return (RecoverTale(play.seat, card), DiscardTale(seat=play.seat, but=card))


def inis_mona(state: InisState, play: Play) -> Steps:
    """An Epic Tale for two."""
    if not state.contenders[play.seat].tales:
        return ()
    amount = state.amount("inis_mona")
    return (DiscardTale(seat=play.seat), Draw(seat=play.seat, amount=amount), KeepSeveral(amount))


def declare_isle_of_joy(state: InisState, _seat: Seat, _parts: Parts) -> Form:
    harbors = state.more.by_sea(ISLE_OF_JOY) if state.more is not None else ()
    return one_of(
        Part(territory=each, owner=Seat(owner))
        for each in harbors
        for owner in range(state.seats)
        if state.clans(Seat(owner), each)
    )


def isle_of_joy(_state: InisState, play: Play) -> Steps:
    """Anybody's clan from another harbor comes to the Isle of Joy; no clash."""
    return tuple(
        Move(seat=part.owner, territory=part.territory, to=ISLE_OF_JOY, amount=1)
        for part in play.parts
        if part.owner is not None and part.territory
    )


EFFECTS: Final[Mapping[str, Effect]] = {
    "aber": aber,
    "hy_breasil": hy_breasil,
    "haven": haven,
    "salmons_creek": salmons_creek,
    "inis_mona": inis_mona,
    "isle_of_joy": isle_of_joy,
}
FORMS: Final[Mapping[str, Declaration]] = {
    "aber": declare_aber,
    "salmons_creek": declare_salmons_creek,
    "isle_of_joy": declare_isle_of_joy,
}
ANNOUNCED: Final[Mapping[str, Callable[[Seat], Question]]] = {"haven": announce_haven}
"""Cards that answer a window and whose move is declared, with the question for it."""
