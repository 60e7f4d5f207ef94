"""What the game becomes by a card that arrives, or is won."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.messages import Seat
from events.nains.events import (
    AwardLost,
    AwardWon,
    CardsLookedAt,
    DwarfChosen,
    DwarfTaken,
    FighterRecruited,
    MarkersReturned,
    PariahMarked,
    RecruitLost,
)
from events.nains.vocabulary import COLUMN, Card, CardId, Order
from workers.nains.evolve.shared import Agenda, done, left_in_tavern, with_lord
from workers.nains.state import (
    RECRUIT,
    CoinUp,
    LookAtDeck,
    Mark,
    NainsState,
    PouchUp,
    ShuffleDeck,
    Step,
    Svara,
    TakeTrade,
    Unmark,
    UpgradeSpot,
)

SVARA, UPGRADE_SPOT, SHUFFLE, TRADE = Svara(), UpgradeSpot(), ShuffleDeck(), TakeTrade()


def dwarf_taken(state: NainsState, event: DwarfTaken) -> NainsState:
    taverns = left_in_tavern(state, event.card)
    card = state.card(event.card)
    return _arrived(state, event.seat, card, card.order, steps=(), taverns=taverns)


def pariah_marked(state: NainsState, event: PariahMarked) -> NainsState:
    lord = state.lords[event.seat]
    return done(state, event.seat, replace(lord, marked=(*lord.marked, event.card)))


def fighter_recruited(state: NainsState, event: FighterRecruited) -> NainsState:
    card = state.card(event.card)
    lord = state.lords[event.seat]
    rewarded = with_lord(state, event.seat, replace(lord, rewarded=lord.rewarded + 1))
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
    return done(state, event.seat, replace(lord, rewarded=lord.rewarded + 1), RECRUIT)


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
    return done(state, event.seat, replace(lord, marked=marked))


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
    return replace(with_lord(state, event.seat, won), awards=state.awards[1:], agenda=agenda)


def award_lost(state: NainsState, event: AwardLost) -> NainsState:
    return replace(state, awards=state.awards[1:], unawarded=(*state.unawarded, event.card))


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
        return done(state, seat, arrived, *steps, **changes)
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
    return done(state, seat, arrived, *steps, **changes)


def _is_pariah(state: NainsState, card: Card, column: Sequence[CardId]) -> bool:
    """Return whether a newcomer among the Wanderers gets a marker (rules, section 3.5, Wanderers effect)."""
    if not card.points or card.rank_colour == "black":
        return False
    cards = state.catalogue.cards
    return any(cards[each].points == card.points for each in column)
