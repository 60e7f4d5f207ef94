"""Tables of Nains in the situation a test needs, made by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from events.chance import Chance
from events.messages import Command, Seat
from events.nains.commands import PlaceBets, RecruitFighter, TakeDwarf
from events.nains.events import DwarvesEntered, ElitesLinedUp, EraShuffled, GemsDealt, TurnEnded
from events.nains.vocabulary import COLUMN, ORDERS, CardId, CoinId, NainsCatalogue, Order
from seeds.catalogues import CATALOGUES
from tests.spec import SEED, Happened, Scenario
from workers.kit.decider import Prompt
from workers.nains.follow import next_event
from workers.nains.rules import rules
from workers.nains.scoring import score_parts
from workers.nains.state import Lord, NainsOptions, NainsState

ANN, BO, CY, DI, EV = map(Seat, range(5))
CATALOGUE: Final[NainsCatalogue] = CATALOGUES("nains").newest.components
RULES: Final = rules(CATALOGUE)
BRONZE: Final = ("B0", "B2", "B3", "B4", "B5")
SEEDS: Final = tuple(bytes((number,)) * 32 for number in range(1, 6))
"""Seeds of several tables, to tell chance from a fixed order."""
Change = Callable[[NainsState], NainsState]


def unopened(lords: int, options: NainsOptions | None = None) -> Scenario:
    """Return a table before set-up."""
    return Scenario(RULES, RULES.initial(options or NainsOptions(), lords))


def opened(lords: int = 3, *tavern: str, gems: Sequence[int] = (), options: NainsOptions | None = None) -> Scenario:
    """Return a table whose first turn began, these cards in the first tavern, and Shield and Forge in the others."""
    table = unopened(lords, options)
    setup = CATALOGUE.lords[lords]
    each = setup.cards_per_tavern
    wanted = [CardId(card) for card in tavern]
    deck = [card for card in CATALOGUE.deck(1, lords) if card not in wanted]
    fill = [card for order in ("SHI", "FOR") for card in deck if CATALOGUE.cards[card].order == order][: 3 * each]
    first = each - len(wanted)
    deck = [*fill[:first], *wanted, *fill[first:], *(card for card in deck if card not in fill)]
    taverns = tuple(tuple(deck[number * each : (number + 1) * each]) for number in range(3))
    return table.given(
        GemsDealt(gems=tuple(gems) or tuple(reversed(setup.gems))),
        ElitesLinedUp(cards=CATALOGUE.elites),
        EraShuffled(era=1, deck=tuple(deck)),
        EraShuffled(era=2, deck=CATALOGUE.deck(2, lords)),
        DwarvesEntered(era=1, turn=1, taverns=taverns),
    )


def made(table: Scenario, *changes: Change) -> Scenario:
    """Return a table with several things changed by hand."""
    for change in changes:
        table = table.given_state(change)
    return table


def lord_of(seat: Seat, **fields: Any) -> Change:  # noqa: ANN401  fields of the state
    """Change a Lord's fields."""

    def change(state: NainsState) -> NainsState:
        lords = list(state.lords)
        lords[seat] = replace(lords[seat], **fields)
        return replace(state, lords=tuple(lords))

    return change


def army(
    seat: Seat,
    *,
    rewarded: int | None = None,
    marked: Sequence[str] = (),
    command: Sequence[str] = (),
    **columns: Sequence[str],
) -> Change:
    """Give a Lord these cards, by Order, out of wherever they are; rows count as rewarded unless said otherwise."""
    return holding(seat, lord(command=command, marked=marked, **columns), rewarded=rewarded)


def holding(seat: Seat, made_up: Lord, *, rewarded: int | None = None) -> Change:
    """Give a Lord the cards of one made by hand."""

    def change(state: NainsState) -> NainsState:
        state = _without(state, set(made_up.cards))
        return lord_of(
            seat,
            columns=made_up.columns,
            ranks=made_up.ranks,
            marked=made_up.marked,
            command_area=made_up.command_area,
            rewarded=min(made_up.ranks) if rewarded is None else rewarded,
        )(state)

    return change


def ranks(seat: Seat, *counts: int, rewarded: int | None = None) -> Change:
    """Give a Lord so many Dwarfs of each Order, from the ends of the decks; those of Wanderers all differ."""

    def change(state: NainsState) -> NainsState:
        columns: dict[str, tuple[CardId, ...]] = {}
        for order, count in zip(ORDERS, counts, strict=True):
            fitting: dict[CardId, None] = {}
            points: set[int] = set()
            for card in reversed(sum(state.decks, ())):
                value = state.card(card).points
                if state.card(card).order == order and not (order == "WAN" and value in points):
                    fitting[card] = None
                    points.add(value)
            columns[order] = tuple(fitting)[:count]
        return army(seat, rewarded=rewarded, **columns)(state)

    return change


def coins(seat: Seat, *five: str) -> Change:
    """Give a Lord these coins, Gold ones out of the Treasury, while all coins are in hand."""

    def change(state: NainsState) -> NainsState:
        treasury = list(state.treasury)
        for number, gold in enumerate(CATALOGUE.gold):
            treasury[number] += state.lords[seat].hand.count(gold) - five.count(gold)
        hand = sorted((CoinId(coin) for coin in five), key=lambda coin: CATALOGUE.coins[coin].place)
        return replace(lord_of(seat, hand=tuple(hand))(state), treasury=tuple(treasury))

    return change


def treasury(*, without: Sequence[str] = (), only: Sequence[str] | None = None) -> Change:
    """Empty the Treasury of all coins of some kinds, or of all but some."""

    def change(state: NainsState) -> NainsState:
        gone = set(without) if only is None else set(CATALOGUE.gold) - set(only)
        left = (0 if gold in gone else copies for gold, copies in zip(CATALOGUE.gold, state.treasury, strict=True))
        return replace(state, treasury=tuple(left))

    return change


def supply(*cards: str) -> Change:
    """Leave only these cards to recruit."""

    def change(state: NainsState) -> NainsState:
        left = tuple(card for card in state.supply if card in cards)
        gone = tuple(card for card in state.supply if card not in cards)
        return replace(state, supply=left, discard=(*state.discard, *gone))

    return change


def fields(**values: Any) -> Change:  # noqa: ANN401  fields of the state
    """Change fields of the state."""
    return lambda state: replace(state, **values)


def _without(state: NainsState, cards: set[CardId]) -> NainsState:
    assert cards.isdisjoint(sum(state.taverns, ())), "the cards of a tavern are not free"
    decks = tuple(tuple(card for card in deck if card not in cards) for deck in state.decks)
    left = tuple(card for card in state.supply if card not in cards)
    awards = tuple(card for card in state.awards if card not in cards)
    return replace(state, decks=decks, supply=left, awards=awards)


def bets(*triples: Sequence[str]) -> list[PlaceBets]:
    """Return the bets of all Lords in seat order."""
    return [PlaceBets(seat=Seat(seat), coins=tuple(map(CoinId, triple))) for seat, triple in enumerate(triples)]


def take(seat: Seat, card: str) -> TakeDwarf:
    return TakeDwarf(seat=seat, card=CardId(card))


def recruit(seat: Seat, card: str, column: Order | None = None) -> RecruitFighter:
    return RecruitFighter(seat=seat, card=CardId(card), column=column)


def first_choices(table: Scenario, until: Callable[[NainsState], bool]) -> Scenario:
    """Let everybody answer with the first command offered until something holds, or the game is over."""
    while not until(table.state) and (asked := RULES.prompts(table.state)):
        table = table.when(next_choice(table.state, asked)).after
    return table


def next_choice(state: NainsState, asked: Mapping[Seat, Prompt]) -> Command:
    return RULES.legal_commands(state, next(iter(asked)))[0]


def ann_facing(
    card: str, bet: Sequence[str] = ("B5", "B4", "B3"), *changes: Change, pouch: Sequence[str] = ()
) -> Scenario:
    """
    Return a table of two where Ann is asked to take from the first tavern, which holds the card.

    Her coins are those bet and those of the pouch; with no pouch given she has the Bronze ones.
    """
    table = made(opened(2, card), *changes)
    if pouch:
        table = made(table, coins(ANN, *bet, *pouch))
    other = next(coin for coin in ("B2", "B3") if coin != bet[0])
    rest = [coin for coin in BRONZE if coin not in ("B0", other)]
    placed = table.when(*bets(bet, (other, *rest[:2])))
    assert placed.code is None, placed.code
    return first_choices(placed.after, lambda state: ANN in state.prompts)


def ann_takes(
    card: str, bet: Sequence[str] = ("B5", "B4", "B3"), *changes: Change, pouch: Sequence[str] = ()
) -> Happened:
    """Let Ann take the card from the first tavern of a table of two."""
    return ann_facing(card, bet, *changes, pouch=pouch).when(take(ANN, card))


def ann_recruiting(*changes: Change, bet: Sequence[str] = ("B5", "B4", "B3"), pouch: Sequence[str] = ()) -> Scenario:
    """Return a table of two where a Forge Dwarf just completed Ann's first row and she is asked to recruit."""
    return ann_takes("D1-FOR-7", bet, ranks(ANN, 1, 1, 1, 1, 0), *changes, pouch=pouch).after


def lord(
    *, command: Sequence[str] = (), marked: Sequence[str] = (), held: Sequence[str] = (), **columns: Sequence[str]
) -> Lord:
    """Return a Lord with these cards, by Order, and these coins held."""
    army = tuple(tuple(map(CardId, columns.get(order, ()))) for order in ORDERS)
    return Lord(
        columns=army,
        ranks=tuple(sum(CATALOGUE.cards[card].ranks for card in column) for column in army),
        command_area=tuple(map(CardId, command)),
        marked=tuple(map(CardId, marked)),
        hand=tuple(map(CoinId, held)),
    )


def score(lord: Lord) -> dict[str, int]:
    """Return the parts of a Lord's Bravery Value."""
    return score_parts(CATALOGUE, lord)


def card_in(tavern: int, card: str) -> Change:
    """Let a card of the Era 1 deck and the last one of a tavern change places."""

    def change(state: NainsState) -> NainsState:
        cards = state.taverns[tavern - 1]
        deck = tuple(cards[-1] if each == card else each for each in state.decks[0])
        taverns = list(state.taverns)
        taverns[tavern - 1] = (*cards[:-1], CardId(card))
        return replace(state, decks=(deck, state.decks[1]), taverns=tuple(taverns))

    return change


def era_2(*top: str, only: bool = False) -> Change:
    """Put these cards on top of the Era 2 deck, or let it hold nothing else."""

    def change(state: NainsState) -> NainsState:
        rest = () if only else tuple(card for card in state.decks[1] if card not in top)
        return replace(state, decks=(state.decks[0], (*map(CardId, top), *rest)))

    return change


def copies(gold: str, number: int) -> Change:
    """Leave so many coins of a kind in the Treasury."""

    def change(state: NainsState) -> NainsState:
        at = CATALOGUE.gold.index(CoinId(gold))
        return replace(state, treasury=(*state.treasury[:at], number, *state.treasury[at + 1 :]))

    return change


def evaluation(*changes: Change, lords: int = 3) -> Happened:
    """Let Era 1 end, and return what the Order Evaluation brings until somebody is asked."""
    table = made(opened(lords), fields(turn=CATALOGUE.lords[lords].turns_per_era), *changes).given(TurnEnded())
    events = []
    while (event := next_event(table.state, Chance(SEED, 0))) is not None:
        events.append(event)
        table = table.given(event)
    return Happened(table, tuple(events))


def ranks_of(state: NainsState, seat: Seat, order: Order) -> int:
    rank: int = state.lords[seat].ranks[COLUMN[order]]
    return rank
