"""Clans that leave the island, and what keeps them from it (rules, sections 3.3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence

from events.inis.events import InisEvent
from events.inis.events.board import CauldronSet, ClanReappeared, ClanRemoved, ClanSaved
from events.inis.events.cards import ChoiceMade
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.state import InisState
from workers.inis.steps.board import LoseClan, Reappear, Remove, SaveClan, SetCauldron, TakeOff
from workers.inis.steps.cards import OpenWindow
from workers.kit.decider import Context


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


def choose_loss(_state: InisState, _step: LoseClan, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def clan_lost(state: InisState, step: LoseClan, part: Part) -> InisState:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return done(state, Remove(seat=step.seat, territory=part.territory))


LORE = Lore(
    silent={
        Remove: remove,
        TakeOff: skip_take_off,
        Reappear: skip_reappear,
        SetCauldron: skip_cauldron,
        LoseClan: skip_loss,
    },
    happens={TakeOff: take_off, SaveClan: save_clan, SetCauldron: set_cauldron},
    options={Reappear: elsewhere, LoseClan: own_clans},
    answers={Reappear: reappear, LoseClan: choose_loss},
    choices={LoseClan: clan_lost},
)
