"""The turns of a Season, and how it ends (rules, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from events.inis.events import InisEvent
from events.inis.events.rounds import DeedReturned, SeasonEnded
from events.inis.vocabulary import CardId
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.state import InisState
from workers.inis.steps.board import PlaceClan
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.rounds import BeginTurn, EndSeason, EndTurn, ReturnDeed, Turn
from workers.kit.decider import Context

AFTER_TURN = (OpenWindow(window="turn_end"), EndTurn())


def begin_turn(state: InisState, step: BeginTurn) -> InisState:
    """Who has no clan on the board comes back first (rules, section 3.2, S1)."""
    seat = step.seat
    back: tuple[object, ...] = ()
    if not state.present_in(seat):
        placing = (PlaceClan(seat=seat),) * state.amount("no_clans")
        back = (ReturnDeed(seat), *placing) if state.contenders[seat].deeds else placing
    return done(state, *back, Turn(seat=seat), turn=seat, phase="season", opening=step.first)


def return_deed(_state: InisState, step: ReturnDeed, _context: Context) -> InisEvent:
    return DeedReturned(seat=step.seat)


def season_cards(state: InisState, seat: Seat) -> Sequence[CardId]:
    """Return the cards a player may play as a turn; Druid only beside another Action card (rules, section 5.1)."""
    contender, cards = state.contenders[seat], state.catalogue.cards
    lone = len(contender.actions) == 1
    return [
        card
        for card in (*contender.actions, *contender.advantages, *contender.tales)
        if cards[card].season and not (card == "druid" and lone)
    ]


def may_take_pretender(state: InisState, seat: Seat) -> bool:
    return not (state.opening or state.contenders[seat].pretender) and state.conditions_met(seat) > 0


def end_turn(state: InisState, _step: EndTurn) -> InisState:
    """Oengus's Ploy goes before the end of the Season (rules, section 3.2, S3, and house H8)."""
    if state.next_turn is not None:
        return done(state, BeginTurn(state.next_turn), next_turn=None)
    if len(state.passed) == state.seats:
        return done(state, EndSeason())
    return done(state, BeginTurn(state.next_after(state.turn)))


def end_season(_state: InisState, _step: EndSeason, _context: Context) -> InisEvent:
    return SeasonEnded()


LORE = Lore(
    silent={BeginTurn: begin_turn, EndTurn: end_turn},
    happens={ReturnDeed: return_deed, EndSeason: end_season},
)
