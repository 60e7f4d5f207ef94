"""Changes of the state that several events make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.inis.vocabulary import CardId, TerritoryId
from events.messages import Seat
from workers.inis.state import InisState
from workers.inis.state.pieces import Contender, Play


def with_contender(state: InisState, seat: Seat, **fields: Any) -> tuple[Contender, ...]:  # noqa: ANN401  fields
    """Return all contenders, one of them changed."""
    contenders = state.contenders
    return (*contenders[:seat], replace(contenders[seat], **fields), *contenders[seat + 1 :])


def with_land(state: InisState, territory: TerritoryId, **fields: Any) -> dict[TerritoryId, Any]:  # noqa: ANN401  fields
    """Return all territories, one of them changed."""
    return {**state.lands, territory: replace(state.lands[territory], **fields)}


def added(numbers: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    """Return numbers by seat, one of them changed by so much."""
    return (*numbers[:seat], numbers[seat] + by, *numbers[seat + 1 :])


def clans_changed(state: InisState, seat: Seat, territory: TerritoryId, by: int) -> dict[TerritoryId, Any]:
    return with_land(state, territory, clans=added(state.lands[territory].clans, seat, by))


def in_order(state: InisState, cards: Sequence[CardId]) -> tuple[CardId, ...]:
    """Return cards in the one order that tells nothing of how they came."""
    names = state.catalogue.cards
    return tuple(sorted(cards, key=lambda card: names[card].place))


def without(cards: Sequence[CardId], *gone: CardId) -> tuple[CardId, ...]:
    return tuple([card for card in cards if card not in gone])


FIELD = {"action": "actions", "advantage": "advantages", "tale": "tales"}
"""Where a player holds the cards of a kind."""


def to_hand(state: InisState, seat: Seat, *cards: CardId) -> InisState:
    """Return the state with cards of one kind more in a hand."""
    if not cards:
        return state
    hand = in_order(state, (*state.hand(seat, cards[0]), *cards))
    field = FIELD[state.card(cards[0]).kind]
    return replace(state, contenders=with_contender(state, seat, **{field: hand}))


def from_hand(state: InisState, seat: Seat, *cards: CardId) -> InisState:
    """Return the state with cards of one kind less in a hand."""
    if not cards:
        return state
    hand = without(state.hand(seat, cards[0]), *cards)
    field = FIELD[state.card(cards[0]).kind]
    return replace(state, contenders=with_contender(state, seat, **{field: hand}))


def discarded(state: InisState, card: CardId) -> InisState:
    """Return the state with a card on the pile of its kind (rules, section 3.3, step 6)."""
    match state.card(card).kind:
        case "action":
            return replace(state, pile=in_order(state, (*state.pile, card)))
        case "advantage":
            return replace(state, face_down=(*state.face_down, card))
        case "tale":
            return replace(state, discards=(*state.discards, card))


def with_answered(state: InisState, **fields: Any) -> tuple[Play, ...]:  # noqa: ANN401  fields of a play
    """Return the cards being played, the one that is being answered changed."""
    return (*state.plays[:-2], replace(state.plays[-2], **fields), state.plays[-1])
