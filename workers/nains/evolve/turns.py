"""What the game becomes by set-up, and by the course of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from events.messages import Seat
from events.nains.events import (
    BetsPlaced,
    DwarfDiscarded,
    DwarvesEntered,
    ElitesLinedUp,
    EraShuffled,
    GemsDealt,
    GemsExchanged,
    LeftoverDiscarded,
    TavernRevealed,
    TurnEnded,
)
from workers.nains.evolve.shared import due, in_order, left_in_tavern, with_lord
from workers.nains.state import LAST_ERA, RECRUIT, Discard, ExchangeCoins, NainsState, Step, Take

TAKE, DISCARD, EXCHANGE = Take(), Discard(), ExchangeCoins()


def gems_dealt(state: NainsState, event: GemsDealt) -> NainsState:
    lords = (replace(lord, gem=gem) for lord, gem in zip(state.lords, event.gems, strict=True))
    return replace(state, lords=tuple(lords))


def elites_lined_up(state: NainsState, event: ElitesLinedUp) -> NainsState:
    return replace(state, awards=(*event.cards, state.catalogue.certification))


def era_shuffled(state: NainsState, event: EraShuffled) -> NainsState:
    decks = (event.deck, state.decks[1]) if event.era == 1 else (state.decks[0], event.deck)
    if not state.turn:
        return replace(state, decks=decks, phase="entering" if event.era == LAST_ERA else "setup")
    return replace(state, decks=decks, looked=(), agenda=due(state.agenda[1:], state.lords))


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
    return with_lord(state, event.seat, replace(lord, hand=(), spots=event.coins, pouch=tuple(pouch)))


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


def dwarf_discarded(state: NainsState, event: DwarfDiscarded) -> NainsState:
    agenda = due(state.agenda[1:], state.lords)
    return replace(
        state, taverns=left_in_tavern(state, event.card), discard=(*state.discard, event.card), agenda=agenda
    )


def leftover_discarded(state: NainsState, event: LeftoverDiscarded) -> NainsState:
    return replace(state, taverns=left_in_tavern(state, event.card), discard=(*state.discard, event.card))


def gems_exchanged(state: NainsState, event: GemsExchanged) -> NainsState:
    lords = list(state.lords)
    for seat, other in zip(event.seats, reversed(event.seats), strict=True):
        lords[seat] = replace(lords[seat], gem=state.lords[other].gem)
    return replace(state, lords=tuple(lords), tied=tuple(group for group in state.tied if group != event.seats))


def turn_ended(state: NainsState, _event: TurnEnded) -> NainsState:
    catalogue = state.catalogue
    lords = tuple(
        replace(lord, hand=in_order(catalogue, lord.coins), spots=(), pouch=(), shown=()) for lord in state.lords
    )
    state = replace(state, lords=lords, tavern=0, order=(), tied=())
    if state.turn < state.setup.turns_per_era:
        return replace(state, phase="entering")
    return replace(state, phase="evaluation" if state.era < LAST_ERA else "over")
