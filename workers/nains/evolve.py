"""What the game becomes by what happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.messages import Seat
from events.nains.events import (
    AwardLost,
    AwardWon,
    BetsPlaced,
    CardsLookedAt,
    CoinsExchanged,
    CoinUpgraded,
    DwarfChosen,
    DwarfDiscarded,
    DwarfTaken,
    DwarvesEntered,
    ElitesLinedUp,
    EraShuffled,
    FighterRecruited,
    GemsDealt,
    GemsExchanged,
    LeftoverDiscarded,
    MarkersReturned,
    NainsEvent,
    PariahMarked,
    PouchCoinUpgraded,
    RecruitLost,
    TavernRevealed,
    TradeCoinTaken,
    TurnEnded,
)
from events.nains.vocabulary import COLUMN, SPOTS, Card, CardId, CoinId, NainsCatalogue, Order
from workers.kit.evolver import evolver
from workers.nains.state import (
    LAST_ERA,
    RECRUIT,
    CoinUp,
    Discard,
    ExchangeCoins,
    LookAtDeck,
    Lord,
    Mark,
    NainsState,
    PouchUp,
    Recruit,
    ShuffleDeck,
    Step,
    Svara,
    Take,
    TakeTrade,
    Unmark,
    UpgradeSpot,
)

Agenda = tuple[tuple[Seat, Step], ...]

TAKE, DISCARD, SVARA = Take(), Discard(), Svara()
UPGRADE_SPOT, SHUFFLE, EXCHANGE, TRADE = UpgradeSpot(), ShuffleDeck(), ExchangeCoins(), TakeTrade()


# Set-up


def gems_dealt(state: NainsState, event: GemsDealt) -> NainsState:
    lords = (replace(lord, gem=gem) for lord, gem in zip(state.lords, event.gems, strict=True))
    return replace(state, lords=tuple(lords))


def elites_lined_up(state: NainsState, event: ElitesLinedUp) -> NainsState:
    return replace(state, awards=(*event.cards, state.catalogue.certification))


def era_shuffled(state: NainsState, event: EraShuffled) -> NainsState:
    decks = (event.deck, state.decks[1]) if event.era == 1 else (state.decks[0], event.deck)
    if not state.turn:
        return replace(state, decks=decks, phase="entering" if event.era == LAST_ERA else "setup")
    return replace(state, decks=decks, looked=(), agenda=_next(state.agenda[1:], state.lords))


# Bets and taverns


def dwarves_entered(state: NainsState, event: DwarvesEntered) -> NainsState:
    drawn = sum(map(len, event.taverns))
    first, second = state.decks
    decks = (first[drawn:], second) if event.era == 1 else (first, second[drawn:])
    return replace(state, phase="bets", era=event.era, turn=event.turn, decks=decks, taverns=event.taverns)


def bets_placed(state: NainsState, event: BetsPlaced) -> NainsState:
    lord = state.lords[event.seat]
    pouch = list(lord.hand)
    for coin in event.coins:
        pouch.remove(coin)
    return _with_lord(state, event.seat, replace(lord, hand=(), spots=event.coins, pouch=tuple(pouch)))


def tavern_revealed(state: NainsState, event: TavernRevealed) -> NainsState:
    """Order and ties are fixed now, whatever becomes of the coins (rules, section 3.4)."""
    coins = state.catalogue.coins
    bets = [coins[coin].value for coin in event.coins]
    by_bet: dict[int, list[Seat]] = {}
    order = sorted(range(len(bets)), key=lambda seat: (bets[seat], state.lords[seat].gem), reverse=True)
    for seat in order:
        by_bet.setdefault(bets[seat], []).append(Seat(seat))
    first_discards = event.tavern in state.setup.first_discards_in
    agenda: list[tuple[Seat, Step]] = []
    for place, seat in enumerate(map(Seat, order)):
        agenda.append((seat, TAKE))
        if first_discards and place == 0:
            agenda.append((seat, DISCARD))
        agenda.append((seat, RECRUIT))
        if coins[event.coins[seat]].exchange:
            agenda.append((seat, EXCHANGE))
    return replace(
        state,
        phase="tavern",
        tavern=event.tavern,
        order=tuple(map(Seat, order)),
        tied=tuple(tuple(group) for group in by_bet.values() if len(group) > 1),
        agenda=tuple(agenda),
    )


def dwarf_taken(state: NainsState, event: DwarfTaken) -> NainsState:
    taverns = _left(state, event.card)
    card = state.card(event.card)
    return _arrived(state, event.seat, card, card.order, steps=(), taverns=taverns)


def dwarf_discarded(state: NainsState, event: DwarfDiscarded) -> NainsState:
    agenda = _next(state.agenda[1:], state.lords)
    return replace(state, taverns=_left(state, event.card), discard=(*state.discard, event.card), agenda=agenda)


def leftover_discarded(state: NainsState, event: LeftoverDiscarded) -> NainsState:
    return replace(state, taverns=_left(state, event.card), discard=(*state.discard, event.card))


def gems_exchanged(state: NainsState, event: GemsExchanged) -> NainsState:
    lords = list(state.lords)
    for seat, other in zip(event.seats, reversed(event.seats), strict=True):
        lords[seat] = replace(lords[seat], gem=state.lords[other].gem)
    return replace(state, lords=tuple(lords), tied=tuple(group for group in state.tied if group != event.seats))


def turn_ended(state: NainsState, _event: TurnEnded) -> NainsState:
    catalogue = state.catalogue
    lords = tuple(
        replace(lord, hand=_in_order(catalogue, lord.coins), spots=(), pouch=(), shown=()) for lord in state.lords
    )
    state = replace(state, lords=lords, tavern=0, order=(), tied=())
    if state.turn < state.setup.turns_per_era:
        return replace(state, phase="entering")
    return replace(state, phase="evaluation" if state.era < LAST_ERA else "over")


# Cards that arrive


def pariah_marked(state: NainsState, event: PariahMarked) -> NainsState:
    lord = state.lords[event.seat]
    return _done(state, event.seat, replace(lord, marked=(*lord.marked, event.card)))


def fighter_recruited(state: NainsState, event: FighterRecruited) -> NainsState:
    card = state.card(event.card)
    lord = state.lords[event.seat]
    rewarded = _with_lord(state, event.seat, replace(lord, rewarded=lord.rewarded + 1))
    supply = tuple(each for each in state.supply if each != event.card)
    steps: tuple[Step, ...] = ()
    match card.effect:
        case "coin_up":
            steps = (CoinUp(by=card.amount),)
        case "unmark":
            steps = (Unmark(most=card.amount),)
        case "svara" if state.decks[-1]:
            steps = (LookAtDeck(card.amount),)
    return _arrived(rewarded, event.seat, card, event.column, steps=(*steps, RECRUIT), supply=supply)


def recruit_lost(state: NainsState, event: RecruitLost) -> NainsState:
    lord = state.lords[event.seat]
    return _done(state, event.seat, replace(lord, rewarded=lord.rewarded + 1), RECRUIT)


def cards_looked_at(state: NainsState, event: CardsLookedAt) -> NainsState:
    return replace(state, looked=event.cards, agenda=((event.seat, SVARA), *state.agenda[1:]))


def dwarf_chosen(state: NainsState, event: DwarfChosen) -> NainsState:
    card = state.card(event.card)
    deck = tuple(each for each in state.decks[-1] if each != event.card)
    looked = tuple(each for each in state.looked if each != event.card)
    return _arrived(
        state,
        event.seat,
        card,
        card.order,
        steps=(SHUFFLE,) if looked else (),
        decks=(*state.decks[:-1], deck),
        looked=looked,
    )


def markers_returned(state: NainsState, event: MarkersReturned) -> NainsState:
    lord = state.lords[event.seat]
    marked = tuple(card for card in lord.marked if card not in event.cards)
    return _done(state, event.seat, replace(lord, marked=marked))


# Coins


def coin_upgraded(state: NainsState, event: CoinUpgraded) -> NainsState:
    lord = state.lords[event.seat]
    if event.place in SPOTS:
        spot = SPOTS.index(event.place)
        changed = replace(lord, spots=(*lord.spots[:spot], event.new, *lord.spots[spot + 1 :]))
    elif event.place == "pouch":
        changed = replace(lord, pouch=_swapped(state, lord.pouch, event.old, event.new))
    else:
        changed = replace(lord, hand=_swapped(state, lord.hand, event.old, event.new))
    if event.old in lord.shown and state.face_down(event.place):
        changed = replace(changed, shown=_still_shown(state, lord, event))
    treasury = _traded(state, event.old, event.new)
    return _done(state, event.seat, changed, treasury=treasury)


def pouch_coin_upgraded(state: NainsState, event: PouchCoinUpgraded) -> NainsState:
    lord = state.lords[event.seat]
    pouch = _swapped(state, lord.pouch, event.old, event.new)
    shown = [*lord.shown, event.new]
    if event.old in lord.shown:
        shown.remove(event.old)
    changed = replace(lord, pouch=pouch, shown=_in_order(state.catalogue, shown))
    return _done(state, event.seat, changed, treasury=_traded(state, event.old, event.new))


def coins_exchanged(state: NainsState, event: CoinsExchanged) -> NainsState:
    pouch = _in_order(state.catalogue, (event.kept, event.new))
    changed = replace(state.lords[event.seat], pouch=pouch, shown=pouch)
    return _done(state, event.seat, changed, treasury=_traded(state, event.given, event.new))


# Order Evaluation


def award_won(state: NainsState, event: AwardWon) -> NainsState:
    card = state.card(event.card)
    lord = state.lords[event.seat]
    won = replace(lord, command_area=(*lord.command_area, event.card))
    agenda: Agenda = ()
    match card.effect:
        case "coin_up":
            agenda = ((event.seat, CoinUp(by=card.amount)),)
        case "unmark":
            agenda = ((event.seat, Unmark(most=card.amount)),)
        case "trade":
            agenda = ((event.seat, TRADE),)
    return replace(_with_lord(state, event.seat, won), awards=state.awards[1:], agenda=agenda)


def award_lost(state: NainsState, event: AwardLost) -> NainsState:
    return replace(state, awards=state.awards[1:], unawarded=(*state.unawarded, event.card))


def trade_coin_taken(state: NainsState, event: TradeCoinTaken) -> NainsState:
    catalogue = state.catalogue
    lord = state.lords[event.seat]
    kept = [coin for coin in lord.hand if not catalogue.coins[coin].exchange]
    return _done(state, event.seat, replace(lord, hand=_in_order(catalogue, (*kept, catalogue.trade))))


# What several of them need


def _with_lord(state: NainsState, seat: Seat, lord: Lord) -> NainsState:
    return replace(state, lords=(*state.lords[:seat], lord, *state.lords[seat + 1 :]))


def _next(agenda: Agenda, lords: tuple[Lord, ...]) -> Agenda:
    """Return the agenda from the first step there is a reason for; a recruit needs a row not yet rewarded."""
    while agenda and isinstance(agenda[0][1], Recruit) and lords[agenda[0][0]].owed <= 0:
        agenda = agenda[1:]
    return agenda


def _done(state: NainsState, seat: Seat, lord: Lord, *steps: Step, **changes: Any) -> NainsState:  # noqa: ANN401  fields of the state
    """Return the state with the first step of the agenda done by this Lord, and others in its place."""
    lords = (*state.lords[:seat], lord, *state.lords[seat + 1 :])
    agenda = (*((seat, step) for step in steps), *state.agenda[1:])
    return replace(state, lords=lords, agenda=_next(agenda, lords), **changes)


def _arrived(
    state: NainsState,
    seat: Seat,
    card: Card,
    order: Order | None,
    *,
    steps: tuple[Step, ...],
    **changes: Any,  # noqa: ANN401  fields of the state
) -> NainsState:
    """Return the state with a card in its column or, with none, in the command area; then come its effects."""
    lord = state.lords[seat]
    if order is None:
        arrived = replace(lord, command_area=(*lord.command_area, card.id))
        return _done(state, seat, arrived, *steps, **changes)
    at = COLUMN[order]
    columns, ranks = lord.columns, lord.ranks
    arrived = replace(
        lord,
        columns=(*columns[:at], (*columns[at], card.id), *columns[at + 1 :]),
        ranks=(*ranks[:at], ranks[at] + card.ranks, *ranks[at + 1 :]),
    )
    if order == "WAN" and _is_pariah(state, card, columns[at]):
        steps = (Mark(card.id), *steps)
    elif order == "RET" and card.kind == "dwarf":
        by = state.catalogue.retaliation_upgrade
        steps = (PouchUp(by=by) if state.bet_of(seat).exchange else UPGRADE_SPOT, *steps)
    return _done(state, seat, arrived, *steps, **changes)


def _is_pariah(state: NainsState, card: Card, column: Sequence[CardId]) -> bool:
    """Return whether a newcomer among the Wanderers gets a marker (rules, section 3.5, Wanderers effect)."""
    if not card.points or card.rank_colour == "black":
        return False
    cards = state.catalogue.cards
    return any(cards[each].points == card.points for each in column)


def _left(state: NainsState, card: CardId) -> tuple[tuple[CardId, ...], ...]:
    """Return the taverns without a card of the one being resolved."""
    at = state.tavern - 1
    taverns = state.taverns
    return (*taverns[:at], tuple(each for each in taverns[at] if each != card), *taverns[at + 1 :])


def _in_order(catalogue: NainsCatalogue, coins: Sequence[CoinId]) -> tuple[CoinId, ...]:
    """Return coins in the one order that tells nothing of where they lay."""
    return tuple(sorted(coins, key=lambda coin: catalogue.coins[coin].place))


def _swapped(state: NainsState, coins: Sequence[CoinId], old: CoinId, new: CoinId) -> tuple[CoinId, ...]:
    rest = list(coins)
    rest.remove(old)
    return _in_order(state.catalogue, (*rest, new))


def _traded(state: NainsState, old: CoinId, new: CoinId) -> tuple[int, ...]:
    """Return the Treasury after a coin went back, if it is Gold, and another came out (rules, section 4.1)."""
    if old == new:
        return state.treasury
    treasury = list(state.treasury)
    gold = state.catalogue.gold
    if old in gold:
        treasury[gold.index(old)] += 1
    treasury[gold.index(new)] -= 1
    return tuple(treasury)


def _still_shown(state: NainsState, lord: Lord, event: CoinUpgraded) -> tuple[CoinId, ...]:
    """
    Return what all still know of the pouch after a coin face down changed, nobody else saw where.

    When only a coin known to lie in the pouch can be meant, it is known what it became.
    """
    shown = list(lord.shown)
    shown.remove(event.old)
    hidden = (*lord.spots[state.tavern :], *lord.pouch)
    if hidden.count(event.old) == lord.shown.count(event.old):
        shown.append(event.new)
    return _in_order(state.catalogue, shown)


evolve = evolver(
    NainsEvent,
    gems_dealt,
    elites_lined_up,
    era_shuffled,
    dwarves_entered,
    bets_placed,
    tavern_revealed,
    dwarf_taken,
    pariah_marked,
    coin_upgraded,
    pouch_coin_upgraded,
    dwarf_discarded,
    leftover_discarded,
    fighter_recruited,
    recruit_lost,
    cards_looked_at,
    dwarf_chosen,
    markers_returned,
    coins_exchanged,
    gems_exchanged,
    turn_ended,
    award_won,
    award_lost,
    trade_coin_taken,
)
