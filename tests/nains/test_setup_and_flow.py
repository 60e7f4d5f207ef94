"""Set-up, and the course of Eras and turns (rules, sections 2, 3 and 8.1)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import pytest

from events.chance import Chance
from events.messages import Event, Seat
from events.nains.commands import ChooseDwarf, PlaceBets
from events.nains.events import DwarvesEntered, ElitesLinedUp, EraShuffled, GemsDealt
from events.nains.vocabulary import CardId
from tests.nains.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    RULES,
    SEEDS,
    army,
    bets,
    coins,
    first_choices,
    made,
    opened,
    recruit,
    supply,
    take,
    unopened,
)
from tests.spec import SEED, Scenario, context
from workers.nains.state import NainsOptions, NainsState


def by_chance(lords: int) -> Scenario:
    """Return a table set up by chance."""
    table = unopened(lords)
    return table.given(*RULES.open_(table.state, context()))


def turn_begins(era: int, turn: int) -> Callable[[NainsState], bool]:
    return lambda state: (state.phase, state.era, state.turn) == ("bets", era, turn)


def laid_out(lords: int, seed: bytes = SEED) -> list[Event]:
    """Return the events of set-up with this seed."""
    return list(RULES.open_(unopened(lords).state, context(seed=seed)))


def decks_laid_out(lords: int) -> list[list[CardId]]:
    """Return the cards of both Eras' decks, sorted, as they lay before the first card was drawn."""
    return [sorted(deck) for deck in unopened(lords).given(*laid_out(lords)[:-1]).state.decks]


def printed(era: int, least_lords: int) -> list[CardId]:
    """Return all Dwarfs of an Era that are for so many Lords or fewer, sorted."""
    cards = ((card, CATALOGUE.cards[card]) for card in CATALOGUE.dwarves)
    return sorted(name for name, card in cards if card.era == era and card.least_lords <= least_lords)


def next_turn(table: Scenario) -> Scenario:
    """Return the table as the turn after this one begins, or over."""
    now = table.state.era, table.state.turn
    return first_choices(table, lambda state: state.phase == "bets" and (state.era, state.turn) != now)


def era_1(lords: int) -> list[NainsState]:
    """Return the state as each turn of Era 1 begins."""
    table, states = by_chance(lords), []
    while table.state.era == 1:
        states.append(table.state)
        table = next_turn(table)
    return states


def deck_sizes(lords: int) -> list[int]:
    """Return how many cards the Era 1 deck has as it is laid out, and once the cards of each turn were drawn."""
    return [len(decks_laid_out(lords)[0]), *(len(state.decks[0]) for state in era_1(lords))]


def tavern_sizes(lords: int) -> set[int]:
    """Return how many cards lie in any tavern as a turn of Era 1 begins."""
    return {len(tavern) for state in era_1(lords) for tavern in state.taverns}


def test_ruling_1_two_lords_use_36_cards_in_four_turns() -> None:
    """Three cards enter each tavern, nine a turn, until none is left."""
    assert [36, 27, 18, 9, 0] == deck_sizes(2)
    assert {3} == tavern_sizes(2)


def test_ruling_3_four_lords_use_36_cards_in_three_turns() -> None:
    """Four cards enter each tavern, twelve a turn, until none is left."""
    assert [36, 24, 12, 0] == deck_sizes(4)
    assert {4} == tavern_sizes(4)


def test_ruling_4_five_lords_use_45_cards_in_three_turns() -> None:
    """Five cards enter each tavern, and all corner-symbol cards are in."""
    assert [45, 30, 15, 0] == deck_sizes(5)
    assert {5} == tavern_sizes(5)
    assert [printed(1, 5), printed(2, 5)] == decks_laid_out(5)
    assert [45, 46] == [len(printed(era, 5)) for era in (1, 2)]


@pytest.mark.parametrize("lords", [2, 3, 4])
def test_ruling_5_corner_symbol_cards_are_out_with_fewer_than_five_lords(lords: int) -> None:
    """None of the 18 cards lies in a deck, and all others do."""
    corner = {card for card in CATALOGUE.dwarves if CATALOGUE.cards[card].least_lords == 5}
    decks = decks_laid_out(lords)

    assert 18 == len(corner)
    assert corner.isdisjoint(chain(*decks))
    assert [printed(1, 4), printed(2, 4)] == decks


def test_ruling_7_svara_in_era_1_uses_the_spare_card() -> None:
    """Era 2 starts with 36 cards instead of 37, and ends with none."""
    fighters = army(ANN, RET=["F07"], WAN=["F10"], TEM=["F02"], SHI=["F04"])
    table = made(opened(3, "D1-FOR-7"), fighters)
    table = table.when(*bets(("B5", "B4", "B3"), ("B4", "B3", "B2"), ("B3", "B2", "B4"))).after
    table = table.when(take(ANN, "D1-FOR-7"), recruit(ANN, "F03", "SHI")).after
    table = table.when(ChooseDwarf(seat=ANN, card=table.state.looked[0])).after
    era_2 = first_choices(table, turn_begins(2, 1))

    assert 36 == len(era_2.state.decks[1]) + sum(map(len, era_2.state.taverns))
    assert 0 == len(first_choices(era_2, lambda _: False).state.decks[1])


@pytest.mark.parametrize(("lords", "gems"), [(2, [4, 5]), (3, [3, 4, 5]), (4, [2, 3, 4, 5]), (5, [1, 2, 3, 4, 5])])
def test_ruling_8_gems_by_number_of_lords(lords: int, gems: list[int]) -> None:
    """One gem per Lord, the highest ones."""
    assert gems == sorted(lord.gem for lord in by_chance(lords).state.lords)


def test_ruling_9_sixty_bets_fewer_when_coins_look_alike_by_colour_too() -> None:
    """Five different coins give 60 ordered triples; a Bronze and a Gold 5 are two coins."""
    two_fives = made(opened(2), coins(ANN, "B0", "B2", "B4", "B5", "G5"))
    offered = RULES.legal_commands(two_fives.state, ANN)
    by_value = {
        tuple(CATALOGUE.coins[coin].value for coin in command.coins)
        for command in offered
        if isinstance(command, PlaceBets)
    }

    assert 60 == len(RULES.legal_commands(opened(2).state, ANN))
    assert 60 == len(offered)
    assert 33 == len(by_value)


def test_coins_of_one_value_and_colour_are_offered_once() -> None:
    """Two Gold 5 are interchangeable."""
    table = made(opened(2), coins(ANN, "B0", "B2", "B4", "G5", "G5"))

    assert 33 == len(RULES.legal_commands(table.state, ANN))


def test_ruling_11_the_next_turn_begins_with_five_coins_in_hand() -> None:
    """All taverns are resolved and every Lord bets again."""
    table = first_choices(opened(3), turn_begins(1, 2))

    assert [5, 5, 5] == [len(lord.hand) for lord in table.state.lords]
    assert [0, 1, 2] == list(RULES.prompts(table.state))


@pytest.mark.parametrize("lords", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", SEEDS, ids=bytes.hex)
def test_set_up_draws_gems_elites_and_both_eras_in_this_order(lords: int, seed: bytes) -> None:
    """A stored state of chance reproduces a game."""
    chance = Chance(seed, 1)
    gems = GemsDealt(gems=chance.shuffle(CATALOGUE.lords[lords].gems))
    elites = ElitesLinedUp(cards=chance.shuffle(CATALOGUE.elites))
    first = EraShuffled(era=1, deck=chance.shuffle(CATALOGUE.deck(1, lords)))
    second = EraShuffled(era=2, deck=chance.shuffle(CATALOGUE.deck(2, lords)))
    *events, entered = laid_out(lords, seed)

    assert [gems, elites, first, second] == events
    assert isinstance(entered, DwarvesEntered)
    assert first.deck[: sum(map(len, entered.taverns))] == sum(entered.taverns, ())


@pytest.mark.parametrize("draw", range(4), ids=["gems", "elites", "era_1", "era_2"])
def test_set_up_differs_from_seed_to_seed(draw: int) -> None:
    """Gems, elites and both Eras are drawn by chance: several seeds give several orders of the same things."""
    events = [laid_out(5, seed)[draw] for seed in SEEDS]
    orders = [getattr(event, event.__struct_fields__[-1]) for event in events]

    assert len(SEEDS) == len(set(orders))
    assert 1 == len({frozenset(order) for order in orders})


def test_set_up_lies_as_the_rules_say() -> None:
    """The Certification ends the line; Fighters and Mercenaries are all there, and the Treasury is full."""
    state: NainsState = by_chance(3).state

    assert "CERT" == state.awards[-1]
    assert 26 == len(state.supply)
    assert 34 == sum(state.treasury)
    assert ("B0", "B2", "B3", "B4", "B5") == state.lords[CY].hand


@pytest.mark.parametrize(("lords", "coins_left"), [(2, 28), (3, 28), (4, 34), (5, 34)])
def test_a_thin_treasury_has_28_coins_with_two_or_three_lords(lords: int, coins_left: int) -> None:
    """The option keeps one copy each of 7, 9 and 11, and does nothing for more Lords."""
    state = unopened(lords, NainsOptions(thin_treasury=True)).state

    assert coins_left == sum(state.treasury)


def test_the_last_bet_reveals_the_first_tavern() -> None:
    """All bet at once; nobody waits for an order."""
    table = opened(2).when(*reversed(bets(("B5", "B4", "B3"), ("B4", "B3", "B2")))).after

    assert 1 == table.state.tavern
    assert (ANN, BO) == table.state.order


def test_a_table_without_recruits_ends_after_era_2() -> None:
    """The game lasts two Eras and says who won."""
    table = first_choices(made(opened(2), supply()), lambda _: False)
    outcome = RULES.outcome(table.state)

    assert outcome is not None
    assert {Seat(0), Seat(1)} == {seat for group in outcome.ranking for seat in group}
    assert 1 == len(table.state.decks[1]), "the spare card stays unseen"
