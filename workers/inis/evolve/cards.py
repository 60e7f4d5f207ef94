"""What the game becomes by cards that are declared, played, answered, drawn and given."""

from __future__ import annotations

from msgspec.structs import replace

from events.inis.events.cards import (
    AdvantageClaimed,
    CardDiscarded,
    CardGiven,
    CardPlayed,
    CardSetAside,
    CardStolen,
    CardTaken,
    ChoiceMade,
    DeclarationBegun,
    HandSeen,
    PartDeclared,
    PartTakenBack,
    PlayCancelled,
    PlayDiscarded,
    PlayGiven,
    PlayTakenBack,
    TaleClaimed,
    TaleKept,
    TalesDrawn,
    TalesRevealed,
    TributeChosen,
    TributePaid,
    WindowAnswered,
    WindowClosed,
)
from events.inis.events.rounds import TalesShuffled
from events.messages import Seat
from workers.inis.agenda import Steps, done
from workers.inis.cards.all import announced
from workers.inis.changes import discarded, from_hand, to_hand, with_answered, without
from workers.inis.evolve.rounds import claimed
from workers.inis.lore import lore_of
from workers.inis.phases.clash import AFTER_MANEUVER, running
from workers.inis.phases.playing import declared_so_far, pipeline, undeclared, without_last
from workers.inis.phases.season import AFTER_TURN
from workers.inis.state import InisState
from workers.inis.state.pieces import Fight, Play
from workers.inis.steps.cards import Declare, OpenWindow, Window
from workers.inis.steps.clash import Maneuver
from workers.inis.steps.hands import ClaimTale, DrawTales, GiveCard, KeepTale
from workers.inis.steps.rounds import ShuffleTales
from workers.inis.windows import answered

# Declaring and playing


def declaration_begun(state: InisState, event: DeclarationBegun) -> InisState:
    maneuver = isinstance(state.agenda[0], Maneuver)
    return done(state, Declare(seat=event.seat, card=event.card, maneuver=maneuver))


def part_declared(state: InisState, event: PartDeclared) -> InisState:
    step = state.agenda[0]
    return done(state, replace(step, parts=declared_so_far(step, event.part)))


def part_taken_back(state: InisState, _event: PartTakenBack) -> InisState:
    step = state.agenda[0]
    if step.parts:
        return done(state, without_last(step))
    return done(state, undeclared(step))


def card_played(state: InisState, event: CardPlayed) -> InisState:
    """As a turn, as a maneuver, as the answer to a window, or Moor before another answer."""
    step = state.agenda[0]
    card = state.card(event.card)
    steps = pipeline(card.kind)
    state = from_hand(state, event.seat, event.card)
    play = Play(seat=event.seat, card=event.card, parts=event.parts)
    if isinstance(step, Window):
        return done(state, *announced(event.seat, event.card), *steps, step.opened, plays=(*state.plays, play))
    if "any_time" in card.answers:
        return replace(state, agenda=(*steps, *state.agenda), plays=(*state.plays, play))
    if isinstance(step, Maneuver) or (isinstance(step, Declare) and step.maneuver):
        fight = Fight(seat=event.seat, involved=state.exposed_seats)
        clash = replace(running(state), maneuver=fight)
        return done(state, *steps, *AFTER_MANEUVER, plays=(*state.plays, play), clash=clash)
    after: Steps = (OpenWindow(window="season_played", seat=event.seat), *AFTER_TURN)
    return done(state, *steps, *after, plays=(*state.plays, replace(play, season=True)), passed=())


def window_answered(state: InisState, event: WindowAnswered) -> InisState:
    return done(state, answered(state.agenda[0], event.seat, event.card))


def window_closed(state: InisState, _event: WindowClosed) -> InisState:
    return done(state)


def choice_made(state: InisState, event: ChoiceMade) -> InisState:
    step = state.agenda[0]
    return lore_of(state).choices[type(step)](state, step, event.part)


def play_cancelled(state: InisState, _event: PlayCancelled) -> InisState:
    """An Action card waits for its discard, others are discarded at once (rules, section 5.1 and 5.4)."""
    play = state.plays[-2]
    if state.card(play.card).kind == "action":
        return done(state, plays=with_answered(state, cancelled=True))
    plays = with_answered(state, cancelled=True, gone=True)
    return done(discarded(state, play.card), plays=plays)


def play_discarded(state: InisState, _event: PlayDiscarded) -> InisState:
    """With The Dagda the Epic Tale piles are shuffled (rules, section 5.4)."""
    card = state.plays[-1].card
    steps = (ShuffleTales(),) if card == "the_dagda" else ()
    return done(discarded(state, card), *steps, plays=state.plays[:-1])


def play_taken_back(state: InisState, event: PlayTakenBack) -> InisState:
    card = state.plays[-2].card
    return done(to_hand(state, event.seat, card), plays=with_answered(state, gone=True))


def play_given(state: InisState, event: PlayGiven) -> InisState:
    card = state.plays[-2].card
    return done(to_hand(state, event.to, card), plays=with_answered(state, gone=True))


# Epic Tales


def tales_shuffled(state: InisState, event: TalesShuffled) -> InisState:
    """A draw that found the pile empty goes on."""
    if isinstance(state.agenda[0], DrawTales):
        return replace(state, deck=event.deck, discards=())
    return done(state, deck=event.deck, discards=())


def tales_drawn(state: InisState, event: TalesDrawn) -> InisState:
    step = state.agenda[0]
    drawn = (*step.drawn, *event.cards)
    state = replace(state, deck=state.deck[len(event.cards) :])
    if len(drawn) < step.amount and (state.deck or state.discards):
        return done(state, replace(step, drawn=drawn))
    if len(drawn) > 1:
        return done(state, KeepTale(seat=event.seat, drawn=drawn))
    return done(to_hand(state, event.seat, *drawn))


def tale_kept(state: InisState, event: TaleKept) -> InisState:
    rest = without(state.agenda[0].drawn, event.card)
    return done(to_hand(state, event.seat, event.card), discards=(*state.discards, *rest))


def tales_revealed(state: InisState, event: TalesRevealed) -> InisState:
    return done(state, ClaimTale(seat=state.agenda[0].seat, tales=event.tales))


def tale_claimed(state: InisState, event: TaleClaimed) -> InisState:
    revealed = state.agenda[0].tales
    for owner, card in revealed:
        state = from_hand(state, owner, card)
        if card != event.card:
            state = discarded(state, card)
    return done(to_hand(state, event.seat, event.card))


# From hand to hand


def card_discarded(state: InisState, event: CardDiscarded) -> InisState:
    return done(discarded(from_hand(state, event.seat, event.card), event.card))


def card_taken(state: InisState, event: CardTaken) -> InisState:
    state = to_hand(state, event.seat, event.card)
    if event.aside:
        return done(state, aside=None, aside_by=None)
    return done(state, pile=without(state.pile, event.card))


def card_set_aside(state: InisState, event: CardSetAside) -> InisState:
    return done(from_hand(state, event.seat, event.card), aside=event.card, aside_by=event.seat)


def card_stolen(state: InisState, event: CardStolen) -> InisState:
    return done(to_hand(from_hand(state, event.owner, event.card), event.seat, event.card))


def card_given(state: InisState, event: CardGiven) -> InisState:
    return done(to_hand(from_hand(state, event.seat, event.card), event.to, event.card))


def tribute_chosen(state: InisState, event: TributeChosen) -> InisState:
    step = state.agenda[0]
    return done(state, replace(step, gifts=(*step.gifts, (event.seat, event.card))))


def tribute_paid(state: InisState, event: TributePaid) -> InisState:
    """Then each who gave gets a card, in turn order (rules, section 5.4, Maeve's Wealth)."""
    givers = state.agenda[0].givers
    for giver, card in event.gifts:
        state = to_hand(from_hand(state, giver, card), event.seat, card)
    return done(state, *(GiveCard(seat=event.seat, to=Seat(giver)) for giver in givers))


def hand_seen(state: InisState, _event: HandSeen) -> InisState:
    return done(state)


def advantage_claimed(state: InisState, event: AdvantageClaimed) -> InisState:
    return done(claimed(state, event.seat, event.card))
