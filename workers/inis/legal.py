"""What a seat may wish for now; ``decide`` accepts this and nothing else (rules, section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Final

from events.inis.commands import (
    Attack,
    Choose,
    Confirm,
    InisCommand,
    KeepCards,
    MoveForBeltaine,
    PassTurn,
    PlayCard,
    Respond,
    Shelter,
    TakeBack,
    TakePretender,
    VotePeace,
    Withdraw,
)
from events.inis.vocabulary import CardId
from events.messages import Seat
from workers.inis.lore import lore_of
from workers.inis.phases.clash import epic_maneuvers, may_fight, may_withdraw, targets
from workers.inis.phases.playing import form, undeclared
from workers.inis.phases.season import may_take_pretender, season_cards
from workers.inis.seasons.beltaine import may_move
from workers.inis.state import InisState
from workers.inis.steps import Question
from workers.inis.steps.cards import Declare, Window
from workers.inis.steps.clash import Citadels, Maneuver, Peace
from workers.inis.steps.rounds import DraftCards, Turn
from workers.inis.windows import everybody_asked, fitting
from workers.kit.decider import Prompt

MOOR: Final = CardId("moor")


def prompts(state: InisState) -> Mapping[Seat, Prompt]:
    """Return the open questions by seat: those of the first step of the agenda."""
    if not state.agenda:
        return {}
    step = state.agenda[0]
    if isinstance(step, Question):
        return {step.seat: step}
    asks = lore_of(state).asks.get(type(step))
    return asks(state, step) if asks else {}


def asked(state: InisState) -> Mapping[Seat, Prompt]:
    """Return the open questions as all may know them: windows ask all until they close, declarations are turns yet."""
    step = state.agenda[0] if state.agenda else None
    if isinstance(step, Window):
        return everybody_asked(step)
    if isinstance(step, Declare):
        return {step.seat: undeclared(step)}
    return prompts(state)


def legal_commands(state: InisState, seat: Seat) -> Sequence[InisCommand]:
    """Return all that the seat may wish for; nothing when nothing is asked of it."""
    if seat not in prompts(state):
        return ()
    step = state.agenda[0]
    offer = _OFFERS.get(type(step))
    if offer is not None:
        return offer(state, step, seat)
    return [Choose(seat=seat, part=part) for part in lore_of(state).options[type(step)](state, step, seat)]


def may_play_moor(state: InisState, seat: Seat) -> bool:
    """Before an answer of one's own, at the moments the document names (house H35)."""
    return MOOR in state.contenders[seat].advantages and not (state.clash and state.clash.spear)


def _moor(state: InisState, seat: Seat) -> Sequence[InisCommand]:
    return (PlayCard(seat=seat, card=MOOR),) if may_play_moor(state, seat) else ()


@lru_cache(maxsize=2048)
def _kept(seat: Seat, front: tuple[CardId, ...], amount: int) -> Sequence[KeepCards]:
    return tuple(KeepCards(seat=seat, cards=cards) for cards in combinations(front, amount))


def _offer_draft(state: InisState, _step: DraftCards, seat: Seat) -> Sequence[InisCommand]:
    draft = state.draft
    if draft is None:
        return ()
    return (*_kept(seat, draft.fronts[seat], draft.turn), *_moor(state, seat))


def _offer_turn(state: InisState, _step: Turn, seat: Seat) -> Sequence[InisCommand]:
    played: list[InisCommand] = [PlayCard(seat=seat, card=card) for card in season_cards(state, seat)]
    if not state.opening:
        played.append(PassTurn(seat=seat))
    if may_take_pretender(state, seat):
        played.append(TakePretender(seat=seat))
    if may_move(state, seat):
        played.append(MoveForBeltaine(seat=seat))
    return [*played, *_moor(state, seat)]


def _offer_declaration(state: InisState, step: Declare, seat: Seat) -> Sequence[InisCommand]:
    offered = form(state, step)
    confirm = (Confirm(seat=seat),) if offered.enough else ()
    return [*(Choose(seat=seat, part=part) for part in offered.options), *confirm, TakeBack(seat=seat)]


def _offer_window(state: InisState, step: Window, seat: Seat) -> Sequence[InisCommand]:
    return [Respond(seat=seat), *(Respond(seat=seat, card=card) for card in fitting(state, step.opened, seat))]


def _offer_shelter(state: InisState, _step: Citadels, seat: Seat) -> Sequence[InisCommand]:
    return [Shelter(seat=seat, accept=True), Shelter(seat=seat, accept=False), *_moor(state, seat)]


def _offer_peace(state: InisState, _step: Peace, seat: Seat) -> Sequence[InisCommand]:
    fight = (VotePeace(seat=seat, end=False),) if may_fight(state, seat) else ()
    return [VotePeace(seat=seat, end=True), *fight, *_moor(state, seat)]


def _offer_maneuver(state: InisState, _step: Maneuver, seat: Seat) -> Sequence[InisCommand]:
    withdraw = (Withdraw(seat=seat),) if may_withdraw(state, seat) else ()
    return [
        *(Attack(seat=seat, target=target) for target in targets(state, seat)),
        *withdraw,
        *(PlayCard(seat=seat, card=card) for card in epic_maneuvers(state, seat)),
        *_moor(state, seat),
    ]


_OFFERS: Final[Mapping[type[Any], Callable[[InisState, Any, Seat], Sequence[InisCommand]]]] = {
    DraftCards: _offer_draft,
    Turn: _offer_turn,
    Declare: _offer_declaration,
    Window: _offer_window,
    Citadels: _offer_shelter,
    Peace: _offer_peace,
    Maneuver: _offer_maneuver,
}
