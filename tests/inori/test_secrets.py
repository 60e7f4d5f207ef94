"""Nothing hidden leaves by either door: hidden things are permuted, and others see the same bytes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from events.codec import to_json
from events.inori.commands import PlayRune
from events.inori.events import (
    JourneyPileShuffled,
    NewStartCardsDrawn,
    NewStartDeckShuffled,
    RuneDrawn,
    RunePlayed,
    RunesShuffled,
)
from events.inori.vocabulary import CardId, InoriCatalogue, RuneId
from events.messages import Event, Seat, Viewpoint
from projections.doors import told_door
from projections.inori.table import table_view
from tests.inori.play import moments
from tests.inori.table import CATALOGUE, RULES
from tests.inori.worlds import other_hands, other_world
from tests.spec import context
from workers.inori.rules import rules
from workers.inori.state import InoriOptions, InoriState

TABLES = 4
OPTIONS = (InoriOptions(), InoriOptions(one_rune_per_turn=True, roots_close=True))
told = told_door("inori")


def viewpoints(state: InoriState) -> list[Viewpoint]:
    return [None, *(Seat(seat) for seat in range(len(state.chiefs)))]


def seen(state: InoriState, viewpoint: Viewpoint) -> bytes:
    """Return all that a viewpoint is shown of a state."""
    return to_json([table_view(state, viewpoint), [[seat, prompt] for seat, prompt in state.prompts.items()]])


def other_event(state: InoriState, event: Event, viewpoint: Viewpoint, chooser: random.Random) -> Event:
    """Return the event as it would be if what the viewpoint may not know were otherwise."""
    match event:
        case RunesShuffled():
            return replace(event, pile=tuple(chooser.sample(event.pile, len(event.pile))))
        case JourneyPileShuffled():
            return replace(event, pile=tuple(chooser.sample(event.pile, len(event.pile))))
        case NewStartDeckShuffled():
            return replace(event, deck=tuple(chooser.sample(event.deck, len(event.deck))))
        case RuneDrawn() if viewpoint != event.seat:
            return replace(event, rune=chooser.choice(state.rune_pile))
        case NewStartCardsDrawn() if viewpoint != event.seat:
            return replace(event, cards=tuple(chooser.sample(state.new_start, len(event.cards))))
        case _:
            return event


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_hidden_does_not_change_what_is_seen(seats: int, options: InoriOptions) -> None:
    """Two worlds that differ in hands, piles and cards looked at give the same bytes, prompts included."""
    chooser = random.Random(seats)
    for seed in range(TABLES):
        for _, _, state in moments(seats, seed, options):
            for viewpoint in viewpoints(state):
                assert seen(state, viewpoint) == seen(other_world(state, viewpoint, chooser), viewpoint)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_hidden_does_not_change_what_is_told(seats: int) -> None:
    """Other runes drawn, cards looked at and orders of piles are told in the same bytes."""
    chooser = random.Random(seats)
    for seed in range(TABLES):
        for before, events, _ in moments(seats, seed):
            state = before
            for event in events:
                for viewpoint in viewpoints(state):
                    other = other_event(state, event, viewpoint, chooser)
                    world = other_world(state, viewpoint, chooser)
                    assert to_json(told(state, event, viewpoint)) == to_json(told(world, other, viewpoint))
                state = RULES.evolve(state, event)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_follows_a_command_does_not_tell_which_runes_are_held(seats: int, options: InoriOptions) -> None:
    """A command that plays no rune brings others the same steps, views and questions whatever hands there are."""
    chooser = random.Random(seats)
    state: InoriState = RULES.initial(options, seats)
    events: Sequence[Event] = RULES.open_(state, context(seed=chooser.randbytes(32)))
    while True:
        for event in events:
            state = RULES.evolve(state, event)
        if not state.prompts:
            return
        command, seed = chooser.choice(RULES.legal_commands(state, state.turn)), chooser.randbytes(32)
        events = RULES.decide(state, command, context(seed=seed))
        if isinstance(command, PlayRune) or any(isinstance(event, RunePlayed) for event in events):
            continue
        for viewpoint in viewpoints(state):
            if viewpoint != state.turn:
                world = other_hands(state, viewpoint, chooser)
                there = RULES.decide(world, command, context(seed=seed))
                assert story(state, events, viewpoint) == story(world, there, viewpoint)


def story(state: InoriState, events: Sequence[Event], viewpoint: Viewpoint) -> list[bytes]:
    """Return what a viewpoint is told and shown of a commit."""
    steps = []
    for event in events:
        steps.append(to_json(told(state, event, viewpoint)))
        state = RULES.evolve(state, event)
    return [*steps, seen(state, viewpoint)]


# Canaries


def marked_catalogue() -> InoriCatalogue:
    """Return a catalogue in which every rune and New Start card bears a name that is seen nowhere else."""
    marked = {card: CardId(f"canary-{card}") if "NS" in card else card for card in CATALOGUE.cards}
    cards = {marked[name]: replace(card, id=marked[name]) for name, card in CATALOGUE.cards.items()}
    runes = [replace(rune, id=RuneId(f"canary-{rune.id}")) for rune in CATALOGUE.runes.values()]
    return replace(CATALOGUE, cards=cards, runes={rune.id: rune for rune in runes})


def known(state: InoriState, viewpoint: Viewpoint) -> set[str]:
    """Return the names of runes and New Start cards that a viewpoint may know."""
    names: set[str] = {*state.rune_discard, *(slot.card for slot in state.slots)}
    if viewpoint is not None:
        names |= set(state.chiefs[viewpoint].runes)
        names |= set(state.drawn) if state.turn == viewpoint else set()
    return names


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_hidden_name_is_ever_seen_or_told(seats: int) -> None:
    """Runes in hands and piles, and New Start cards in the deck, appear before their owner alone."""
    marked = marked_catalogue()
    game = rules(marked)
    names = [*marked.runes, *(card for card in marked.cards if "canary" in card)]
    chooser = random.Random(seats)
    state: InoriState = game.initial(InoriOptions(), seats)
    events: Sequence[Event] = game.open_(state, context())
    while True:
        for event in events:
            before, state = state, game.evolve(state, event)
            for viewpoint in viewpoints(state):
                may_know = known(before, viewpoint) | known(state, viewpoint)
                shown = to_json(told(before, event, viewpoint)) + seen(state, viewpoint)
                assert not [name for name in names if f'"{name}"'.encode() in shown and name not in may_know]
        if not state.prompts:
            return
        command = chooser.choice(game.legal_commands(state, state.turn))
        events = game.decide(state, command, context(seed=chooser.randbytes(32)))
