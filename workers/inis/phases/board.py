"""Buildings, the festival and the Flock of Crows (rules, sections 3.3 and 5.2)."""

from __future__ import annotations

from events.inis.events import InisEvent
from events.inis.events.board import CitadelBuilt, CrowsTurned, FestivalHeld, SanctuaryBuilt
from workers.inis.agenda import Lore, done
from workers.inis.state import GATES, InisState
from workers.inis.steps.board import BuildCitadel, BuildSanctuary, HoldFestival, Remove, TurnCrows
from workers.inis.steps.hands import Draw
from workers.inis.steps.rounds import GatesEffect
from workers.kit.decider import Context


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
    silent={BuildCitadel: skip_citadel, BuildSanctuary: skip_sanctuary, GatesEffect: gates_effect},
    happens={
        BuildCitadel: build_citadel,
        BuildSanctuary: build_sanctuary,
        HoldFestival: hold_festival,
        TurnCrows: turn_crows,
    },
)
