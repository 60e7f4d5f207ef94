"""Who may answer what with a card of the expansion (expansion, sections 4.4 and 4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from events.inis.vocabulary import CardId, WindowKind
from events.messages import Seat
from workers.inis.state import InisState
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.clash import Defence

Cards = Sequence[CardId]
WINDOWS: Final[tuple[WindowKind, ...]] = ("victory_check",)
"""Windows that the base game does not know."""

HY_BREASIL, HAVEN, SWORD, MIST = map(CardId, ("hy_breasil", "haven", "nuadas_sword", "feth_fiada"))


def victory_check(_state: InisState, _opened: OpenWindow, _seat: Seat, found: Cards) -> Cards:
    return (*found, HY_BREASIL)


def season_played(_state: InisState, opened: OpenWindow, seat: Seat, found: Cards) -> Cards:
    return (*found, HAVEN) if seat == opened.seat else found


def attack_declared(state: InisState, _opened: OpenWindow, seat: Seat, found: Cards) -> Cards:
    """Against the Sword the attacked player has no answer; once the attack is ignored there is no Sword."""
    attack = next(step for step in state.agenda if isinstance(step, Defence))
    if seat == attack.target and state.more is not None and state.more.sword:
        return ()
    return (*found, SWORD) if seat == attack.attacker and not attack.ignored else found


def citadels_end(state: InisState, _opened: OpenWindow, seat: Seat, found: Cards) -> Cards:
    clash = state.clash
    there = clash is not None and seat != clash.instigator and state.clans(seat, clash.territory)
    return (*found, MIST) if there else found


_MORE: Final[Mapping[WindowKind, Callable[[InisState, OpenWindow, Seat, Cards], Cards]]] = {
    "victory_check": victory_check,
    "season_played": season_played,
    "attack_declared": attack_declared,
    "citadels_end": citadels_end,
}


def widened(state: InisState, opened: OpenWindow, seat: Seat, found: Cards) -> Cards:
    """Return the cards with which a player could answer, those of the expansion that are in play among them."""
    more = _MORE.get(opened.window)
    if more is None:
        return found
    catalogue = state.catalogue
    return tuple(
        each
        for each in more(state, opened, seat, found)
        if catalogue.cards[each].kind != "tale" or each in catalogue.tales
    )
