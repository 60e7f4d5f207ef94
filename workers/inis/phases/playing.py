"""Playing a card: from its declaration to its discard (rules, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.cards import ChoiceMade, DeedGained, PlayCancelled, PlayDiscarded, PlayGiven, PlayTakenBack
from events.inis.vocabulary import CardKind, Part
from events.messages import Seat
from workers.inis.agenda import Lore, Steps, done
from workers.inis.cards.all import effect_of, form_of
from workers.inis.cards.form import NOTHING, Form, Parts
from workers.inis.cards.tales_of_clash import declare_withdrawal
from workers.inis.seasons.voyages import narrowed
from workers.inis.state import InisState
from workers.inis.steps.cards import (
    CancelPlay,
    Declare,
    GainDeed,
    GivePlay,
    OpenWindow,
    PickOpponent,
    Resolve,
    SetAsideBy,
    SettlePlay,
    TakeBackPlay,
    TakeNextTurn,
)
from workers.inis.steps.clash import Maneuver
from workers.inis.steps.hands import GiveCard, SeeHand, Steal
from workers.inis.steps.rounds import Turn
from workers.kit.decider import Context

ACTION: Steps = (
    OpenWindow(window="action_declared"),
    Resolve(),
    OpenWindow(window="action_resolved"),
    SettlePlay(),
)
TALE: Steps = (
    OpenWindow(window="epic_or_advantage_declared"),
    Resolve(),
    OpenWindow(window="epic_played"),
    SettlePlay(),
)
ADVANTAGE: Steps = (OpenWindow(window="epic_or_advantage_declared"), Resolve(), SettlePlay())


def pipeline(kind: CardKind) -> Steps:
    """Return the steps of playing a card of a kind, once it is declared (rules, section 3.3, steps 3 to 6)."""
    match kind:
        case "action":
            return ACTION
        case "tale":
            return TALE
        case "advantage":
            return ADVANTAGE


def form(state: InisState, step: Declare) -> Form:
    """Return what can be declared next."""
    offered = _form(state, step)
    if state.more is None:
        return offered
    return narrowed(state, step, offered, lambda following: _form(state, following))


def _form(state: InisState, step: Declare) -> Form:
    if step.card is None:
        return declare_withdrawal(state, step.seat, step.parts)
    declaration = form_of(state, step.card)
    return declaration(state, step.seat, step.parts) if declaration else NOTHING


def declare_options(state: InisState, step: Declare, _seat: Seat) -> Sequence[Part]:
    return form(state, step).options


def resolve(state: InisState, _step: Resolve) -> InisState:
    play = state.plays[-1]
    return done(state) if play.cancelled else done(state, *effect_of(state, play.card)(state, play))


def settle_play(state: InisState, _step: SettlePlay) -> InisState | None:
    return done(state, plays=state.plays[:-1]) if state.plays[-1].gone else None


def discard_play(_state: InisState, _step: SettlePlay, _context: Context) -> InisEvent:
    return PlayDiscarded()


def cancel_play(_state: InisState, _step: CancelPlay, _context: Context) -> InisEvent:
    return PlayCancelled()


def keep_answered(state: InisState, _step: TakeBackPlay) -> InisState | None:
    return done(state) if state.plays[-2].gone else None


def take_back_play(_state: InisState, step: TakeBackPlay, _context: Context) -> InisEvent:
    return PlayTakenBack(seat=step.seat)


def receivers(state: InisState, _step: GivePlay, seat: Seat) -> Sequence[Part]:
    return [Part(owner=Seat(each)) for each in range(state.seats) if each != seat]


def give_play(_state: InisState, _step: GivePlay, seat: Seat, part: Part) -> InisEvent:
    return PlayGiven(seat=seat, to=Seat(part.owner or 0))


def gain_deed(_state: InisState, step: GainDeed, _context: Context) -> InisEvent:
    return DeedGained(seat=step.seat)


def take_next_turn(state: InisState, step: TakeNextTurn) -> InisState:
    return done(state, next_turn=step.seat)


def set_aside_by(state: InisState, step: SetAsideBy) -> InisState:
    return done(state, cathbad=step.seat)


def opponents(state: InisState, step: PickOpponent, seat: Seat) -> Sequence[Part]:
    """Salt Mine needs an opponent with an Action card (house H24)."""
    others = [Seat(each) for each in range(state.seats) if each != seat]
    if step.purpose == "salt_mine":
        others = [each for each in others if state.contenders[each].actions]
    return [Part(owner=each) for each in others]


def skip_opponent(state: InisState, step: PickOpponent) -> InisState | None:
    return None if opponents(state, step, step.seat) else done(state)


def pick_opponent(_state: InisState, _step: PickOpponent, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def opponent_picked(state: InisState, step: PickOpponent, part: Part) -> InisState:
    owner = Seat(part.owner or 0)
    if step.purpose == "moor":
        return done(state, SeeHand(step.seat, owner, tales=True))
    return done(state, Steal(step.seat, owner), GiveCard(seat=step.seat, to=owner))


def declared_so_far(step: Declare, part: Part) -> Parts:
    return (*step.parts, part)


def undeclared(step: Declare) -> Turn | Maneuver:
    """Return the question that a declaration answers."""
    return Maneuver(seat=step.seat) if step.maneuver else Turn(seat=step.seat)


def without_last(step: Declare) -> Declare:
    return replace(step, parts=step.parts[:-1])


LORE = Lore(
    silent={
        Resolve: resolve,
        SettlePlay: settle_play,
        TakeBackPlay: keep_answered,
        TakeNextTurn: take_next_turn,
        SetAsideBy: set_aside_by,
        PickOpponent: skip_opponent,
    },
    happens={
        SettlePlay: discard_play,
        CancelPlay: cancel_play,
        TakeBackPlay: take_back_play,
        GainDeed: gain_deed,
    },
    options={Declare: declare_options, GivePlay: receivers, PickOpponent: opponents},
    answers={GivePlay: give_play, PickOpponent: pick_opponent},
    choices={PickOpponent: opponent_picked},
)
