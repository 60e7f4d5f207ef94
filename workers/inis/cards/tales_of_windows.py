"""The Epic Tales that answer a window (rules, section 5.4), in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workers.inis.agenda import Steps
from workers.inis.cards.form import Effect
from workers.inis.state import InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import Reappear, SaveClan, SetCauldron
from workers.inis.steps.cards import CancelPlay, GainDeed, OpenWindow, SetAsideBy, TakeBackPlay, TakeNextTurn
from workers.inis.steps.clash import EmptyCitadels, RaiseSpear, TightenAttack


def battle_frenzy(_state: InisState, _play: Play) -> Steps:
    """All clans come out of the citadels."""
    return (EmptyCitadels(),)


def cathbads_word(_state: InisState, play: Play) -> Steps:
    """You will pick the card that is set aside, and exchange it at the end of the Assembly."""
    return (SetAsideBy(play.seat),)


def the_dagda(_state: InisState, _play: Play) -> Steps:
    """The card that is being answered is ignored; the piles are shuffled when The Dagda is discarded (house H36)."""
    return (CancelPlay(),)


def dagdas_cauldron(_state: InisState, play: Play) -> Steps:
    """Your clans removed in this clash go on the Cauldron (house H34)."""
    return (SetCauldron(play.seat),)


def the_dagdas_club(state: InisState, play: Play) -> Steps:
    """Your clan stays; or you say what your attack takes."""
    return (SaveClan(play.seat),) if _answers(state) == "clan_removed" else (TightenAttack(both=False),)


def diarmuid_and_grainne(_state: InisState, play: Play) -> Steps:
    """Your clan re-appears elsewhere."""
    return (Reappear(seat=play.seat),)


def lug_samildanach(_state: InisState, play: Play) -> Steps:
    """The Action card that is being answered is yours."""
    return (TakeBackPlay(play.seat),)


def lugs_spear(_state: InisState, _play: Play) -> Steps:
    """No Triskel card until the clash ends."""
    return (RaiseSpear(),)


def oenguss_ploy(_state: InisState, play: Play) -> Steps:
    """The next turn is yours."""
    return (TakeNextTurn(play.seat),)


def strengs_resolve(_state: InisState, play: Play) -> Steps:
    """Gain a deed."""
    return (GainDeed(play.seat),)


def _answers(state: InisState) -> str:
    """Return the window that the card played last has answered, which opens again once it is settled."""
    return next(
        step.window
        for step in state.agenda
        if isinstance(step, OpenWindow) and step.window in ("clan_removed", "attack_declared")
    )


EFFECTS: Final[Mapping[str, Effect]] = {
    "battle_frenzy": battle_frenzy,
    "cathbads_word": cathbads_word,
    "the_dagda": the_dagda,
    "dagdas_cauldron": dagdas_cauldron,
    "the_dagdas_club": the_dagdas_club,
    "diarmuid_and_grainne": diarmuid_and_grainne,
    "lug_samildanach": lug_samildanach,
    "lugs_spear": lugs_spear,
    "oenguss_ploy": oenguss_ploy,
    "strengs_resolve": strengs_resolve,
}
