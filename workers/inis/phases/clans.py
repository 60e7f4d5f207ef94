"""Clans that come onto the island and move on it (rules, sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.board import ClanExchanged, ClanPlaced, ClansMoved
from events.inis.events.cards import CardDiscarded, ChoiceMade
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.cards.form import marching
from workers.inis.state import LOST_VALE, MOUNTAINS, InisState
from workers.inis.steps.board import (
    EnterMountains,
    ExchangeClan,
    Move,
    PickClan,
    PlaceClan,
    PutClan,
    Remove,
    SkipToll,
    SpyMove,
    Toll,
)
from workers.inis.steps.cards import OpenWindow
from workers.kit.decider import Context

STAY = Part(option="stay")
LOSE_CLAN = Part(option="clan")


# Placing


def skip_placing(state: InisState, step: PlaceClan) -> InisState | None:
    return None if state.contenders[step.seat].reserve and places(state, step, step.seat) else done(state)


def places(state: InisState, step: PlaceClan, seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in (state.present_in(seat) if step.present else state.lands)]


def place_clan(_state: InisState, _step: PlaceClan, seat: Seat, part: Part) -> InisEvent:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return ClanPlaced(seat=seat, territory=part.territory)


def skip_put(state: InisState, step: PutClan) -> InisState | None:
    return None if state.contenders[step.seat].reserve else done(state)


def put_clan(state: InisState, step: PutClan, _context: Context) -> InisEvent:
    return ClanPlaced(seat=step.seat, territory=step.territory or next(reversed(list(state.lands))))


def skip_exchange(state: InisState, step: ExchangeClan) -> InisState | None:
    possible = state.contenders[step.seat].reserve and state.clans(step.owner, step.territory)
    return None if possible else done(state)


def exchange_clan(_state: InisState, step: ExchangeClan, _context: Context) -> InisEvent:
    return ClanExchanged(seat=step.seat, territory=step.territory, owner=step.owner)


# Moving, and the Mountains


def skip_move(state: InisState, step: Move) -> InisState | None:
    """Move what is left of the clans that were declared."""
    there = state.clans(step.seat, step.territory)
    if there >= step.amount:
        return None
    return done(state, replace(step, amount=there, sheltered=min(step.sheltered, there))) if there else done(state)


def move(_state: InisState, step: Move, _context: Context) -> InisEvent:
    return ClansMoved(
        seat=step.seat, territory=step.territory, to=step.to, amount=step.amount, sheltered=step.sheltered
    )


def enter_mountains(state: InisState, step: EnterMountains) -> InisState:
    window = OpenWindow(window="mountains_entry", seat=step.seat)
    return done(state, window, Toll(seat=step.seat)) if state.clans(step.seat, MOUNTAINS) else done(state)


def skip_toll(state: InisState, step: Toll) -> InisState | None:
    """Without an Action card a clan must be lost (rules, section 5.2, Mountains)."""
    if not state.clans(step.seat, MOUNTAINS):
        return done(state)
    if not state.contenders[step.seat].actions:
        return done(state, Remove(seat=step.seat, territory=MOUNTAINS))
    return None


def tolls(state: InisState, _step: Toll, seat: Seat) -> Sequence[Part]:
    return [LOSE_CLAN, *(Part(card=card) for card in state.contenders[seat].actions)]


def pay_toll(_state: InisState, _step: Toll, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part) if part.card is None else CardDiscarded(seat=seat, card=part.card)


def clan_paid(state: InisState, step: Toll, _part: Part) -> InisState:
    return done(state, Remove(seat=step.seat, territory=MOUNTAINS))


def waive_toll(state: InisState, _step: SkipToll) -> InisState:
    place = next(number for number, step in enumerate(state.agenda) if isinstance(step, Toll))
    return replace(state, agenda=(*state.agenda[1:place], *state.agenda[place + 1 :]))


def spy_moves(state: InisState, _step: SpyMove, seat: Seat) -> Sequence[Part]:
    lands = state.lands
    moves = [
        Part(territory=source, to=to, amount=amount)
        for source in state.present_in(seat)
        for to in state.ways(source)
        for amount in range(1, lands[source].clans[seat] + 1)
    ]
    return [STAY, *moves]


def pick_clan(_state: InisState, _step: PickClan | SpyMove, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def spies_move(state: InisState, step: SpyMove, part: Part) -> InisState:
    if part.territory is None or part.to is None or part.amount is None:
        return done(state)
    moves = [Move(seat=step.seat, territory=part.territory, to=part.to, amount=part.amount)]
    return done(state, *marching(state, step.seat, moves, clash=True))


def around_lost_vale(state: InisState, _step: PickClan, _seat: Seat) -> Sequence[Part]:
    if LOST_VALE not in state.lands:
        return ()
    return [
        Part(territory=each, owner=Seat(owner))
        for each in state.ways(LOST_VALE)
        for owner in range(state.seats)
        if state.lands[each].clans[owner]
    ]


def skip_pick(state: InisState, step: PickClan) -> InisState | None:
    return None if around_lost_vale(state, step, step.seat) else done(state)


def clan_picked(state: InisState, _step: PickClan, part: Part) -> InisState:
    if part.owner is None or part.territory is None:
        raise AssertionError("only clans are offered")
    return done(state, Move(seat=part.owner, territory=part.territory, to=LOST_VALE, amount=1))


LORE = Lore(
    silent={
        PlaceClan: skip_placing,
        PutClan: skip_put,
        ExchangeClan: skip_exchange,
        Move: skip_move,
        EnterMountains: enter_mountains,
        Toll: skip_toll,
        SkipToll: waive_toll,
        PickClan: skip_pick,
    },
    happens={PutClan: put_clan, ExchangeClan: exchange_clan, Move: move},
    options={PlaceClan: places, Toll: tolls, SpyMove: spy_moves, PickClan: around_lost_vale},
    answers={PlaceClan: place_clan, Toll: pay_toll, SpyMove: pick_clan, PickClan: pick_clan},
    choices={Toll: clan_paid, SpyMove: spies_move, PickClan: clan_picked},
)
