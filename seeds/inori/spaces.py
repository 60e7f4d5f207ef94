"""Reads what stands on a space: ``[1 MAJ] gain 2 YEL + 1 RED``, or ``ward 2, gain 1 ALTAR`` on the Great Tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, cast, get_args

from events.inori.vocabulary import (
    COLOURS,
    CardEffect,
    Colour,
    Cost,
    DrawRunes,
    Gain,
    GainAltar,
    GainAny,
    GainLeast,
    PlaceNeutrals,
    ScoreMajority,
    ScorePer,
    ScorePerAltar,
    ScorePoints,
    ScoreUnique,
    Space,
    TakeRoot,
    TreeEffect,
)

ANY_COLOUR: Final = "|".join(COLOURS)
SPACE: Final = re.compile(r"\[(?P<cost>[^]]*)\] (?P<effect>.+)")
COST: Final = re.compile(rf"([1-9]) (MAJ|{ANY_COLOUR})")
TOKENS: Final = re.compile(rf"([1-9]) ({ANY_COLOUR})")

Effects = Mapping[str, Callable[[re.Match[str]], CardEffect | TreeEffect]]

BOTH: Final[Effects] = {r"draw ([1-9]) RUNE": lambda found: DrawRunes(int(found[1]))}
ON_CARDS: Final[Effects] = {
    **BOTH,
    r"gain ([1-9]) LEAST": lambda found: GainLeast(int(found[1])),
    r"score UNIQUE": lambda _found: ScoreUnique(),
    rf"score PER ({ANY_COLOUR})": lambda found: ScorePer(_colour(found[1])),
    r"score MAJ": lambda _found: ScoreMajority(),
}
ON_THE_TREE: Final[Effects] = {
    **BOTH,
    r"gift ([1-9])": lambda found: GainAny(int(found[1])),
    r"score ([1-9])": lambda found: ScorePoints(int(found[1])),
    r"gain ([1-9]) ALTAR": lambda found: GainAltar(int(found[1])),
    r"score PER ALTAR": lambda _found: ScorePerAltar(),
    r"ward ([1-9])": lambda found: PlaceNeutrals(int(found[1])),
    r"take ROOT": lambda _found: TakeRoot(),
}


def space_of(text: str) -> Space:
    """Return a space of a card; ``ValueError`` with what cannot be read."""
    found = SPACE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no cost in brackets and an effect")
    cost = None if found["cost"] == "free" else _cost(found["cost"])
    return Space(cost, _card_effect(found["effect"]))


def tree_effects(text: str) -> tuple[TreeEffect, ...]:
    """Return the parts of what a space of the Great Tree does; ``ValueError`` with what cannot be read."""
    return tuple(cast("TreeEffect", _effect(part, ON_THE_TREE)) for part in text.split(", "))


def _cost(text: str) -> Cost:
    found = COST.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no cost")
    return Cost(int(found[1]), None if found[2] == "MAJ" else _colour(found[2]))


def _card_effect(text: str) -> CardEffect:
    if text.startswith("gain ") and not text.endswith(" LEAST"):
        return Gain(_tokens(text.removeprefix("gain ")))
    return cast("CardEffect", _effect(text, ON_CARDS))


def _tokens(text: str) -> tuple[Colour, ...]:
    """Return the tokens of ``2 YEL + 1 RED``, one by one."""
    tokens: list[Colour] = []
    for part in text.split(" + "):
        found = TOKENS.fullmatch(part)
        if found is None:
            raise ValueError(f"{part!r} names no tokens")
        tokens += [_colour(found[2])] * int(found[1])
    return tuple(tokens)


def _effect(text: str, known: Effects) -> CardEffect | TreeEffect:
    for pattern, make in known.items():
        if found := re.fullmatch(pattern, text):
            return make(found)
    raise ValueError(f"{text!r} is no effect here")


def _colour(text: str) -> Colour:
    return next(colour for colour in get_args(Colour) if colour == text)
