"""
What an offering asks and does, in the order in which it happens: cost, Altar tile, effect.

Each kind of cost and of effect has a line here that names the step, or the question, it becomes.
What a step does stands in ``follow/offerings.py``, what a question accepts in ``legal.py`` and ``decide``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from events.inori.vocabulary import (
    Colour,
    Cost,
    DrawRunes,
    Gain,
    GainAltar,
    GainAny,
    GainLeast,
    PlaceNeutrals,
    Rune,
    ScoreMajority,
    ScorePer,
    ScorePerAltar,
    ScorePoints,
    ScoreUnique,
    Space,
    TreeSpace,
)
from workers.inori.state import Agenda, Altar, EmptyRoot, Gift, InoriState, Least, Move, PayMaj, Spot, Step, Ward


@lru_cache(maxsize=1024)
def steps_of_card_space(space: Space) -> Agenda:
    """Return what an offering to a card brings: first the cost (rules, section 3.4)."""
    effect = _CARD_EFFECTS[type(space.effect)](space.effect)
    return effect if space.cost is None else (_paying(space.cost), *effect)


def steps_of_tree_space(state: InoriState, space: TreeSpace, spot: Spot) -> Agenda:
    """Return what an offering to the Great Tree brings: a cost where an Altar lies, else a tile (rules, 3.5)."""
    if not space.takes_altar:
        return (EmptyRoot(space.id, spot.tokens),) if spot.tokens else ()
    if spot.altar is None:
        return (Altar(space=space.id),)
    return (Cost(state.catalogue.altar_cost, spot.altar), *tree_effects(state, space, spot.altar))


def tree_effects(state: InoriState, space: TreeSpace, altar: Colour) -> Agenda:
    """Return what a space of the Great Tree does once its Altar's colour is known (rules, section 5)."""
    steps: Agenda = ()
    for effect in space.effects:
        steps += _TREE_EFFECTS[type(effect)](state, effect, altar)
    return steps


@lru_cache(maxsize=64)
def steps_of_rune(rune: Rune) -> Agenda:
    """Return what a rune does when it is played; a Share rune nothing of its own (rules, section 3.6)."""
    match rune.kind:
        case "favour":
            return (Gain(tuple(colour for colour in rune.colours for _ in range(rune.amount))),)
        case "move_in" | "move_out":
            return (Move(rune=rune.id),)
        case "share":
            return ()


def _paying(cost: Cost) -> Step:
    return PayMaj(amount=cost.amount) if cost.colour is None else cost


# Effects of card spaces (rules, section 3.4)


def gain(effect: Gain) -> Agenda:
    return (effect,)


def gain_least(effect: GainLeast) -> Agenda:
    return (Least(amount=effect.amount),)


def draw_runes(effect: DrawRunes) -> Agenda:
    return (DrawRunes(1),) * effect.amount


def score(effect: ScoreUnique | ScorePer | ScoreMajority) -> Agenda:
    return (effect,)


# Effects of the Great Tree (rules, section 5)


def gift(_state: InoriState, effect: GainAny, _altar: Colour) -> Agenda:
    return (Gift(amount=effect.amount),)


def praise(_state: InoriState, effect: ScorePoints, _altar: Colour) -> Agenda:
    return (effect,)


def omen(_state: InoriState, effect: DrawRunes, _altar: Colour) -> Agenda:
    return draw_runes(effect)


def devotion(_state: InoriState, _effect: ScorePerAltar, altar: Colour) -> Agenda:
    return (ScorePer(altar),)


def ward(state: InoriState, effect: PlaceNeutrals, _altar: Colour) -> Agenda:
    """Place as many as possible, perhaps none (rules, section 5)."""
    left = min(effect.amount, state.neutrals, len(state.empty_spaces))
    return (Ward(left=left),) if left else ()


def abundance(_state: InoriState, effect: GainAltar, altar: Colour) -> Agenda:
    return (Gain((altar,) * effect.amount),)


_CARD_EFFECTS: Final[Mapping[type, Callable[[Any], Agenda]]] = {
    Gain: gain,
    GainLeast: gain_least,
    DrawRunes: draw_runes,
    ScoreUnique: score,
    ScorePer: score,
    ScoreMajority: score,
}
_TREE_EFFECTS: Final[Mapping[type, Callable[[InoriState, Any, Colour], Agenda]]] = {
    GainAny: gift,
    ScorePoints: praise,
    DrawRunes: omen,
    ScorePerAltar: devotion,
    PlaceNeutrals: ward,
    GainAltar: abundance,
}
