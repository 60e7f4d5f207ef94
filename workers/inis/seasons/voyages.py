"""
Which moves an effect may make: at most one by sea, few in winter, none off the Isle of Joy by an Action card.

``permitted`` is the procedure ``validate`` of the document (expansion, section 5.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from events.inis.vocabulary import CardKind, Part, TerritoryId
from events.messages import Seat
from workers.inis.cards.form import Form, Parts
from workers.inis.seasons.almanac import SHORT_MARCHES, effect
from workers.inis.seasons.more import HY_BREASIL, ISLE_OF_JOY
from workers.inis.state import PLAINS, InisState
from workers.inis.steps.cards import Declare


class March(msgspec.Struct, frozen=True):
    """Clans of one owner that go from one territory to another."""

    owner: Seat
    source: TerritoryId
    to: TerritoryId
    clans: int


Marches = Sequence[March]


def permitted(state: InisState, kind: CardKind | None, marches: Marches, *, adjacent: bool = True) -> bool:
    """
    Return whether an effect may make all these moves.

    Args:
        state: before any of them.
        marches: one for each owner, source and target.
        kind: what kind of card has the effect; none for a withdrawal.
        adjacent: the effect moves clans to adjacent territories, not anywhere.
    """
    lands = state.lands
    by_sea = {(each.source, each.to) for each in marches if each.to not in lands[each.source].beside}
    if adjacent and (len(by_sea) > 1 or any(to not in state.ways(source) for source, to in by_sea)):
        return False
    if kind is not None and effect(state) == SHORT_MARCHES:
        most = state.amount("samhain")
        if any(sum(each.clans for each in marches if each.owner == owner) > most for owner in range(state.seats)):
            return False
    if kind == "action" and any(each.source == ISLE_OF_JOY for each in marches):
        return False
    return kind == "tale" or not any(closed(state, each.to) for each in marches)


def closed(state: InisState, territory: TerritoryId) -> bool:
    """Return whether only an Epic Tale may bring a clan there (expansion, section 4.3, L2)."""
    return territory == HY_BREASIL and not state.lands[territory].players


def closed_now(state: InisState, territory: TerritoryId) -> bool:
    """Return whether what is under way may bring no clan there."""
    told = bool(state.plays) and state.card(state.plays[-1].card).kind == "tale"
    return not told and closed(state, territory)


# What the parts of a declaration move


def _into(state: InisState, seat: Seat, target: TerritoryId | None, parts: Parts) -> Marches:
    return [
        March(seat, each.territory, target, each.amount) for each in parts if each.territory and target and each.amount
    ]


def _out_of(seat: Seat, source: TerritoryId | None, parts: Parts) -> Marches:
    return [March(seat, source, each.to, each.amount) for each in parts if source and each.to and each.amount]


def _here(state: InisState) -> TerritoryId | None:
    return state.clash.territory if state.clash is not None else None


def conquest(state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _into(state, seat, parts[0].territory, parts[1:])


def migration(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _out_of(seat, parts[0].territory, parts[1:])


def emissaries(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    return [March(seat, each.territory, each.to, 1) for each in parts if each.territory and each.to]


def coalition(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _out_of(seat, parts[0].territory, parts[1:])


def plains(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _out_of(seat, PLAINS, parts)


def breas_tyranny(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    clan, *targets = parts
    owner = seat if clan.owner is None else clan.owner
    return [March(owner, clan.territory, each.to, 1) for each in targets if clan.territory and each.to]


def manannans_horses(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _out_of(seat, parts[0].territory, parts[1:])


def the_battle_of_moytura(state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _into(state, seat, _here(state), parts)


def the_fianna(state: InisState, seat: Seat, parts: Parts) -> Marches:
    here, to = _here(state), parts[0].to
    clans = sum((each.amount or 0) + (each.sheltered or 0) for each in parts[1:])
    return [March(seat, here, to, clans)] if here and to else []


def sons_of_mile(_state: InisState, seat: Seat, parts: Parts) -> Marches:
    source = next((each.territory for each in parts[1:] if each.territory), None)
    return _out_of(seat, source, parts[1:])


def withdrawal(state: InisState, seat: Seat, parts: Parts) -> Marches:
    return _out_of(seat, _here(state), parts)


MARCHES: Final[Mapping[str | None, Callable[[InisState, Seat, Parts], Marches]]] = {
    None: withdrawal,
    "conquest": conquest,
    "migration": migration,
    "emissaries": emissaries,
    "coalition": coalition,
    "plains": plains,
    "breas_tyranny": breas_tyranny,
    "manannans_horses": manannans_horses,
    "the_battle_of_moytura": the_battle_of_moytura,
    "the_fianna": the_fianna,
    "sons_of_mile": sons_of_mile,
}
"""From a card whose moves are declared, or none for a withdrawal, to the moves of its parts."""
ANYWHERE: Final = ("manannans_horses", "sons_of_mile")
"""Cards whose moves need not go to adjacent territories."""


def narrowed(state: InisState, step: Declare, offered: Form, again: Callable[[Declare], Form]) -> Form:
    """Return a form without the parts that no permitted move begins with; ``again`` gives the form after a part."""
    card = step.card
    if card not in MARCHES or not offered.options:
        return offered
    kind = None if card is None else state.card(card).kind

    def fits(parts: Parts) -> bool:
        return permitted(state, kind, MARCHES[card](state, step.seat, parts), adjacent=card not in ANYWHERE)

    def leads_on(part: Part) -> bool:
        if offered.last or part.amount is not None:
            return True
        following = again(replace(step, parts=(*step.parts, part)))
        return following.enough or any(fits((*step.parts, part, each)) for each in following.options)

    kept = [each for each in offered.options if fits((*step.parts, each)) and leads_on(each)]
    return replace(offered, options=kept)
