"""Nothing hidden leaves by either door: hidden things are permuted, and others see the same bytes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from events.chance import Chance
from events.codec import to_json
from events.messages import Event, Seat, Viewpoint
from events.nains.commands import RecruitFighter
from events.nains.events import BetsPlaced, CardsLookedAt, CoinUpgraded, EraShuffled
from events.nains.vocabulary import SPOTS, Card, CardId, Coin, CoinId, NainsCatalogue
from projections.doors import told_door
from projections.nains.table import table_view
from tests.nains.table import CATALOGUE, RULES
from tests.nains.worlds import other_world
from tests.spec import context
from workers.nains.follow import follow
from workers.nains.rules import rules
from workers.nains.setup import lay_out
from workers.nains.state import NainsOptions, NainsState

TABLES = 4
told = told_door("nains")


def played(lords: int, seed: int) -> Iterator[tuple[NainsState, Sequence[Event], NainsState]]:
    """Play a random table; yield the state before each command, its events, and the state after."""
    chooser = random.Random(seed)
    state = RULES.initial(NainsOptions(), lords)
    for event in RULES.open_(state, context(seed=chooser.randbytes(32))):
        state = RULES.evolve(state, event)
    while prompts := RULES.prompts(state):
        command = chooser.choice(RULES.legal_commands(state, chooser.choice(list(prompts))))
        events = RULES.decide(state, command, context(seed=chooser.randbytes(32)))
        after = state
        for event in events:
            after = RULES.evolve(after, event)
        yield state, events, after
        state = after


def seen(state: NainsState, viewpoint: Viewpoint) -> bytes:
    """Return all that a viewpoint is shown of a state."""
    return to_json([table_view(state, viewpoint), list(state.prompts.values())])


def viewpoints(state: NainsState) -> list[Viewpoint]:
    return [None, *(Seat(seat) for seat in range(len(state.lords)))]


@pytest.mark.parametrize("lords", [2, 3, 4, 5])
def test_what_is_hidden_does_not_change_what_is_seen(lords: int) -> None:
    """Two worlds that differ in decks, bets, pouches and Svara's cards give the same bytes."""
    chooser = random.Random(lords)
    for seed in range(TABLES):
        for _, _, state in played(lords, seed):
            for viewpoint in viewpoints(state):
                assert seen(state, viewpoint) == seen(other_world(state, viewpoint, chooser), viewpoint)


@pytest.mark.parametrize("lords", [2, 3, 4, 5])
def test_what_is_hidden_does_not_change_what_is_told(lords: int) -> None:
    """Other bets, cards looked at, places face down and deck orders are told in the same bytes."""
    chooser = random.Random(lords)
    for seed in range(TABLES):
        for before, events, _ in played(lords, seed):
            state = before
            for event in events:
                for viewpoint in viewpoints(state):
                    other = other_event(state, event, viewpoint, chooser)
                    world = other_world(state, viewpoint, chooser)
                    assert to_json(told(state, event, viewpoint)) == to_json(told(world, other, viewpoint))
                state = RULES.evolve(state, event)


def other_event(state: NainsState, event: Event, viewpoint: Viewpoint, chooser: random.Random) -> Event:
    """Return the event as it would be if what the viewpoint may not know were otherwise."""
    match event:
        case BetsPlaced() if viewpoint != event.seat:
            coins = list(state.lords[event.seat].hand)
            return replace(event, coins=tuple(chooser.sample(coins, len(SPOTS))))
        case CardsLookedAt() if viewpoint != event.seat:
            return replace(event, cards=tuple(chooser.sample(state.decks[1], len(event.cards))))
        case EraShuffled():
            return replace(event, deck=tuple(chooser.sample(event.deck, len(event.deck))))
        case CoinUpgraded() if viewpoint != event.seat and event.place not in ("hand", *SPOTS[: state.tavern]):
            return replace(event, place=chooser.choice((*SPOTS[state.tavern :], "pouch")))
        case _:
            return event


# Canaries


CANARY = "canary"


def marked_catalogue() -> NainsCatalogue:
    """Return a catalogue in which every Era 2 Dwarf bears a name that is seen nowhere else."""
    cards: dict[CardId, Card] = {}
    dwarves = []
    for card in CATALOGUE.cards.values():
        name = CardId(CANARY + card.id) if card.era == 2 else card.id
        cards[name] = replace(card, id=name)
        if card.kind == "dwarf":
            dwarves.append(name)
    return replace(CATALOGUE, cards=cards, dwarves=tuple(dwarves))


def test_cards_of_the_era_2_deck_are_never_seen_in_era_1() -> None:
    """Not even when Svara looks at them, but by her owner, and the one she brings."""
    marked = rules(marked_catalogue())
    state: NainsState = marked.initial(NainsOptions(), 3)
    events = list(lay_out(state, Chance(bytes(32), 0)))
    for event in events:
        for viewpoint in viewpoints(state):
            assert CANARY.encode() not in to_json(told(state, event, viewpoint))
        state = marked.evolve(state, event)
    for entered in follow(state, events[-1], Chance(bytes(32), 0))[0][1:]:
        state = marked.evolve(state, entered)
    chooser = random.Random(1)
    looks = 0
    while state.era == 1 and (prompts := marked.prompts(state)):
        looks += bool(state.looked)
        for viewpoint in viewpoints(state):
            known = state.looked if viewpoint in prompts else ()
            shown = seen(state, viewpoint)
            assert not any(f'"{card}"'.encode() in shown for card in state.decks[1] if card not in known)
        offered = marked.legal_commands(state, next(iter(prompts)))
        svara = [each for each in offered if isinstance(each, RecruitFighter) and each.card == "F03"]
        for happened in marked.decide(state, chooser.choice(svara or offered), context()):
            state = marked.evolve(state, happened)

    assert looks == 1


def test_a_coin_face_down_is_never_seen_where_it_lies() -> None:
    """Coins with names of their own appear among a Lord's five coins and nowhere else."""
    canaries = {
        CoinId(f"{CANARY}-{number}"): Coin(
            id=CoinId(f"{CANARY}-{number}"),
            colour="gold",
            value=30 + number,
            exchange=False,
            copies=1,
            thin_copies=1,
            place=99 + number,
        )
        for number in range(5)
    }
    catalogue = replace(CATALOGUE, coins={**CATALOGUE.coins, **canaries})
    state: NainsState = rules(catalogue).initial(NainsOptions(), 2)
    names = tuple(canaries)
    lord = replace(state.lords[0], hand=(), spots=names[:3], pouch=names[3:])
    for tavern in range(4):
        hidden = replace(state, phase="tavern", tavern=tavern, lords=(lord, state.lords[1]))
        for viewpoint in (None, Seat(1)):
            shown = table_view(hidden, viewpoint).lords[0]
            assert canaries.keys() == set(shown.coins)
            places = to_json([shown.spots, shown.pouch])
            assert [name.encode() in places for name in names] == [number < tavern for number in range(5)]
