"""What must hold in every state of the game, whoever made it (rules, section 4.5)."""

from __future__ import annotations

from collections import Counter

from events.messages import Seat
from events.nains.vocabulary import COLUMN, CardId
from workers.nains.legal import legal_commands
from workers.nains.state import LAST_ERA, Lord, NainsState

COINS = 5


def check(state: NainsState) -> None:
    """Raise ``AssertionError`` with what does not hold."""
    for seat, lord in enumerate(state.lords):
        _check_coins(state, lord, seat)
        _check_army(state, lord, seat)
    _check_treasury(state)
    if state.phase not in ("setup", "entering"):
        _check_cards(state)
        _require(
            sorted(lord.gem for lord in state.lords) == sorted(state.setup.gems), "each gem lies with one Lord", state
        )
    _check_questions(state)


def _require(holds: object, what: str, where: object) -> None:
    if not holds:
        raise AssertionError(f"{what}: {where!r}")


def _check_coins(state: NainsState, lord: Lord, seat: int) -> None:
    coins = [state.coin(coin) for coin in lord.coins]
    _require(len(coins) == COINS, "a Lord owns five coins", (seat, lord))
    _require(sum(coin.exchange for coin in coins) == 1, "one of them is an exchange coin", (seat, lord))
    bronze = [coin.id for coin in coins if coin.colour == "bronze"]
    _require(len(set(bronze)) == len(bronze), "Bronze coins never increase", (seat, lord))
    for held in (lord.hand, lord.pouch, lord.shown):
        places = [state.coin(coin).place for coin in held]
        _require(places == sorted(places), "coins that lie together stand in order", (seat, lord))
    _require(not Counter(lord.shown) - Counter(lord.pouch), "what is shown of the pouch lies there", (seat, lord))


def _check_treasury(state: NainsState) -> None:
    thin = state.options.thin_treasury and state.setup.thins_treasury
    owned = Counter(coin for lord in state.lords for coin in lord.coins)
    for gold, copies in zip(state.catalogue.gold, state.treasury, strict=True):
        coin = state.coin(gold)
        _require(copies >= 0, "the Treasury lends nothing", gold)
        full = coin.thin_copies if thin else coin.copies
        _require(copies + owned[gold] == full, "Gold coins lie in the Treasury or with a Lord", gold)
    _require(owned[state.catalogue.trade] <= 1, "there is one Trade coin", owned)


def _check_army(state: NainsState, lord: Lord, seat: int) -> None:
    ranks = tuple(sum(state.card(card).ranks for card in column) for column in lord.columns)
    _require(ranks == lord.ranks, "ranks are those of the cards", (seat, lord))
    wanderers = lord.columns[COLUMN["WAN"]]
    _require(all(card in wanderers for card in lord.marked), "only Wanderers are Pariahs", (seat, lord))
    _require(len(set(lord.marked)) == len(lord.marked), "a card bears one marker", (seat, lord))


def _check_cards(state: NainsState) -> None:
    catalogue, lords = state.catalogue, len(state.lords)
    everywhere: list[CardId] = [
        *sum(state.decks, ()),
        *sum(state.taverns, ()),
        *state.discard,
        *state.supply,
        *state.awards,
        *state.unawarded,
        *(card for lord in state.lords for card in lord.cards),
    ]
    used = [*catalogue.supply, *catalogue.elites, catalogue.certification]
    for era in range(1, LAST_ERA + 1):
        used += catalogue.deck(era, lords)
    _require(Counter(everywhere) == Counter(used), "each card is in one place", Counter(everywhere) - Counter(used))
    _require(Counter(state.looked) <= Counter(state.decks[-1]), "cards looked at are still in the deck", state.looked)


def _check_questions(state: NainsState) -> None:
    prompts = state.prompts
    if state.phase in ("setup", "entering"):
        return
    _require(bool(prompts) == (state.phase != "over"), "somebody is asked until the game is over", state.phase)
    for seat in range(len(state.lords)):
        offered = legal_commands(state, Seat(seat))
        _require(bool(offered) == (seat in prompts), "who is asked has an answer, nobody else", seat)
