"""Clans, buildings and the Flock of Crows: what is placed, moved, removed and built (rules, sections 3.3 and 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.board import (
    CauldronSet,
    CitadelBuilt,
    ClanExchanged,
    ClanPlaced,
    ClanReappeared,
    ClanRemoved,
    ClanSaved,
    ClansMoved,
    CrowsTurned,
    FestivalHeld,
    SanctuaryBuilt,
)
from events.inis.events.cards import CardDiscarded, ChoiceMade
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.cards.form import marching
from workers.inis.state import GATES, LOST_VALE, MOUNTAINS, InisState
from workers.inis.steps.board import (
    BuildCitadel,
    BuildSanctuary,
    EnterMountains,
    ExchangeClan,
    HoldFestival,
    LoseClan,
    Move,
    PickClan,
    PlaceClan,
    PutClan,
    Reappear,
    Remove,
    SaveClan,
    SetCauldron,
    SkipToll,
    SpyMove,
    TakeOff,
    Toll,
    TurnCrows,
)
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.hands import Draw
from workers.inis.steps.rounds import GatesEffect
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


def pick_clan(_state: InisState, _step: PickClan | LoseClan | SpyMove, seat: Seat, part: Part) -> InisEvent:
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


# Removing


def remove(state: InisState, step: Remove) -> InisState:
    """Open the window of the removal, then remove, as far as there is a clan."""
    if not _there(state, step):
        return done(state)
    window = OpenWindow(window="clan_removed", seat=step.seat, territory=step.territory)
    off = TakeOff(seat=step.seat, territory=step.territory, exposed=step.exposed, maneuver=step.maneuver)
    return done(state, window, off)


def _there(state: InisState, step: Remove | TakeOff) -> int:
    return state.exposed(step.seat) if step.exposed else state.clans(step.seat, step.territory)


def skip_take_off(state: InisState, step: TakeOff) -> InisState | None:
    return done(state) if step.settled or not _there(state, step) else None


def take_off(_state: InisState, step: TakeOff, _context: Context) -> InisEvent:
    return ClanRemoved(seat=step.seat, territory=step.territory)


def _pending(state: InisState) -> TakeOff:
    return next(step for step in state.agenda if isinstance(step, TakeOff))


def save_clan(_state: InisState, step: SaveClan, _context: Context) -> InisEvent:
    return ClanSaved(seat=step.seat)


def elsewhere(state: InisState, _step: Reappear, seat: Seat) -> Sequence[Part]:
    taken = _pending(state).territory
    return [Part(territory=each) for each in state.present_in(seat) if each != taken]


def skip_reappear(state: InisState, step: Reappear) -> InisState | None:
    return None if elsewhere(state, step, step.seat) and _there(state, _pending(state)) else done(state)


def reappear(_state: InisState, _step: Reappear, seat: Seat, part: Part) -> InisEvent:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return ClanReappeared(seat=seat, territory=part.territory)


def skip_cauldron(state: InisState, _step: SetCauldron) -> InisState | None:
    return None if state.clash is not None and _there(state, _pending(state)) else done(state)


def set_cauldron(_state: InisState, step: SetCauldron, _context: Context) -> InisEvent:
    return CauldronSet(seat=step.seat)


def own_clans(state: InisState, _step: LoseClan, seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in state.present_in(seat)]


def skip_loss(state: InisState, step: LoseClan) -> InisState | None:
    return None if state.present_in(step.seat) else done(state)


def clan_lost(state: InisState, step: LoseClan, part: Part) -> InisState:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return done(state, Remove(seat=step.seat, territory=part.territory))


# Building, festival and crows


def skip_citadel(state: InisState, _step: BuildCitadel) -> InisState | None:
    return None if state.citadels else done(state)


def build_citadel(_state: InisState, step: BuildCitadel, _context: Context) -> InisEvent:
    return CitadelBuilt(territory=step.territory)


def skip_sanctuary(state: InisState, _step: BuildSanctuary) -> InisState | None:
    return None if state.sanctuaries else done(state)


def build_sanctuary(_state: InisState, step: BuildSanctuary, _context: Context) -> InisEvent:
    return SanctuaryBuilt(territory=step.territory)


def hold_festival(_state: InisState, step: HoldFestival, _context: Context) -> InisEvent:
    return FestivalHeld(territory=step.territory)


def turn_crows(_state: InisState, _step: TurnCrows, _context: Context) -> InisEvent:
    return CrowsTurned()


def gates_effect(state: InisState, _step: GatesEffect) -> InisState:
    """Each player in the Gates loses a clan and draws a tale, the Brenn first (rules, section 5.2)."""
    present = [seat for seat in state.order_from(state.brenn) if state.clans(seat, GATES)]
    steps = [
        step for seat in present for step in (Remove(seat=seat, territory=GATES), Draw(seat=seat, amount=1, gates=True))
    ]
    return done(state, *steps)


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
        Remove: remove,
        TakeOff: skip_take_off,
        Reappear: skip_reappear,
        SetCauldron: skip_cauldron,
        LoseClan: skip_loss,
        BuildCitadel: skip_citadel,
        BuildSanctuary: skip_sanctuary,
        GatesEffect: gates_effect,
    },
    happens={
        PutClan: put_clan,
        ExchangeClan: exchange_clan,
        Move: move,
        TakeOff: take_off,
        SaveClan: save_clan,
        SetCauldron: set_cauldron,
        BuildCitadel: build_citadel,
        BuildSanctuary: build_sanctuary,
        HoldFestival: hold_festival,
        TurnCrows: turn_crows,
    },
    options={
        PlaceClan: places,
        Toll: tolls,
        SpyMove: spy_moves,
        PickClan: around_lost_vale,
        Reappear: elsewhere,
        LoseClan: own_clans,
    },
    answers={
        PlaceClan: place_clan,
        Toll: pay_toll,
        SpyMove: pick_clan,
        PickClan: pick_clan,
        Reappear: reappear,
        LoseClan: pick_clan,
    },
    choices={Toll: clan_paid, SpyMove: spies_move, PickClan: clan_picked, LoseClan: clan_lost},
)
