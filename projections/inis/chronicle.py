"""What one viewpoint is told of each step of a game of Inis (rules, section 8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from events.inis.events import InisEvent
from events.inis.events.board import TilesPutUnder
from events.inis.events.cards import (
    CardDiscarded,
    CardGiven,
    CardSetAside,
    CardStolen,
    CardTaken,
    ChoiceMade,
    DeclarationBegun,
    HandSeen,
    PartDeclared,
    PartTakenBack,
    TaleKept,
    TalesDrawn,
    TributeChosen,
    TributePaid,
    WindowAnswered,
)
from events.inis.events.rounds import ActionsDealt, AsideChosen, CardsKept, TalesShuffled, TilesShuffled
from events.inis.events.seasons import AsideSeen, BeltaineMoved, TalesKept
from events.inis.vocabulary import CardId, CardKind, Part
from events.messages import Event, Seat, Viewpoint
from projections.kit.telling import Telling, Tellings, is_told_whole
from workers.inis.state import InisState
from workers.inis.steps.board import OrderTiles


class _Told(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", omit_defaults=True
):
    """An event without what the viewpoint may not know; it bears the event's kind."""


class TalesShuffledFaceDown(_Told, frozen=True, kw_only=True, tag="tales_shuffled"):
    """A pile of so many cards was shuffled; its order nobody knows."""

    amount: int


class TilesShuffledFaceDown(_Told, frozen=True, kw_only=True, tag="tiles_shuffled"):
    """A stack of so many tiles was shuffled; its order nobody knows."""

    amount: int


class TilesPutUnderFaceDown(_Told, frozen=True, kw_only=True, tag="tiles_put_under"):
    """So many tiles went under the stack; in which order, only who put them there knows."""

    seat: Seat
    amount: int


class ActionsDealtFaceDown(_Told, frozen=True, kw_only=True, tag="actions_dealt"):
    """One card was set aside and the others dealt; everybody sees what came to the own seat."""

    amount: int


class SeatDid(_Told, frozen=True, kw_only=True, tag="aside_chosen"):
    """A player chose the card set aside."""

    seat: Seat


class CardsKeptFaceDown(_Told, frozen=True, kw_only=True, tag="cards_kept"):
    """A player chose what to keep."""

    seat: Seat


class TalesDrawnFaceDown(_Told, frozen=True, kw_only=True, tag="tales_drawn"):
    """A player drew so many Epic Tales."""

    seat: Seat
    amount: int


class TaleKeptFaceDown(_Told, frozen=True, kw_only=True, tag="tale_kept"):
    """A player kept an Epic Tale; the others drawn lie on the discard pile."""

    seat: Seat
    discarded: tuple[CardId, ...]


class CardDiscardedFaceDown(_Told, frozen=True, kw_only=True, tag="card_discarded"):
    """A player discarded an Action card."""

    seat: Seat


class CardTakenFaceDown(_Told, frozen=True, kw_only=True, tag="card_taken"):
    """A player took an Action card out of the pile, or the one set aside."""

    seat: Seat
    aside: bool


class CardSetAsideFaceDown(_Told, frozen=True, kw_only=True, tag="card_set_aside"):
    """A player set an Action card aside."""

    seat: Seat


class CardStolenFaceDown(_Told, frozen=True, kw_only=True, tag="card_stolen"):
    """A player got a random Action card of another."""

    seat: Seat
    owner: Seat


class CardGivenFaceDown(_Told, frozen=True, kw_only=True, tag="card_given"):
    """A player gave another an Action card."""

    seat: Seat
    to: Seat


class TributeChosenFaceDown(_Told, frozen=True, kw_only=True, tag="tribute_chosen"):
    """A player chose the card to give."""

    seat: Seat


class TributePaidFaceDown(_Told, frozen=True, kw_only=True, tag="tribute_paid"):
    """These players gave a card; ``own`` is the viewpoint's."""

    seat: Seat
    givers: tuple[Seat, ...]
    own: CardId | None = None


class HandSeenAside(_Told, frozen=True, kw_only=True, tag="hand_seen"):
    """A player looked at another's cards of one kind."""

    seat: Seat
    owner: Seat
    cards_of: CardKind


class BeltaineMovedFaceDown(_Told, frozen=True, kw_only=True, tag="beltaine_moved"):
    """A player gave an Action card for this move."""

    seat: Seat
    parts: tuple[Part, ...]


class AsideSeenByOther(_Told, frozen=True, kw_only=True, tag="aside_seen"):
    """A player looked at the Action card set aside."""

    seat: Seat


class TalesKeptFaceDown(_Told, frozen=True, kw_only=True, tag="tales_kept"):
    """A player kept so many Epic Tales; the others drawn lie on the discard pile."""

    seat: Seat
    amount: int
    discarded: tuple[CardId, ...]


Hidden = (
    TalesShuffledFaceDown
    | TilesShuffledFaceDown
    | TilesPutUnderFaceDown
    | ActionsDealtFaceDown
    | SeatDid
    | CardsKeptFaceDown
    | TalesDrawnFaceDown
    | TaleKeptFaceDown
    | CardDiscardedFaceDown
    | CardTakenFaceDown
    | CardSetAsideFaceDown
    | CardStolenFaceDown
    | CardGivenFaceDown
    | TributeChosenFaceDown
    | TributePaidFaceDown
    | HandSeenAside
    | BeltaineMovedFaceDown
    | AsideSeenByOther
    | TalesKeptFaceDown
)
InisTold = InisEvent | Hidden
"""A step as it is told: the event itself, or one of the same kind without what the viewpoint may not know."""

_OWN: Final = ("seat",)

TELLINGS: Final[Tellings] = {
    TalesShuffled: Telling(others=(TalesShuffledFaceDown,)),
    TilesShuffled: Telling(others=(TilesShuffledFaceDown,)),
    TilesPutUnder: Telling(whole_to=_OWN, others=(TilesPutUnderFaceDown,)),
    ChoiceMade: Telling(whole_to=_OWN, others=(ChoiceMade, None)),
    ActionsDealt: Telling(others=(ActionsDealtFaceDown,)),
    AsideChosen: Telling(whole_to=_OWN, others=(SeatDid,)),
    CardsKept: Telling(whole_to=_OWN, others=(CardsKeptFaceDown,)),
    DeclarationBegun: Telling(whole_to=_OWN, others=(None,)),
    PartDeclared: Telling(whole_to=_OWN, others=(None,)),
    PartTakenBack: Telling(whole_to=_OWN, others=(None,)),
    WindowAnswered: Telling(whole_to=_OWN, others=(None,)),
    TalesDrawn: Telling(whole_to=_OWN, others=(TalesDrawnFaceDown,)),
    TaleKept: Telling(whole_to=_OWN, others=(TaleKeptFaceDown,)),
    CardDiscarded: Telling(whole_to=_OWN, others=(CardDiscarded, CardDiscardedFaceDown)),
    CardTaken: Telling(whole_to=_OWN, others=(CardTakenFaceDown,)),
    CardSetAside: Telling(whole_to=_OWN, others=(CardSetAsideFaceDown,)),
    CardStolen: Telling(whole_to=("seat", "owner"), others=(CardStolenFaceDown,)),
    CardGiven: Telling(whole_to=("seat", "to"), others=(CardGivenFaceDown,)),
    TributeChosen: Telling(whole_to=_OWN, others=(TributeChosenFaceDown,)),
    TributePaid: Telling(whole_to=_OWN, others=(TributePaidFaceDown,)),
    BeltaineMoved: Telling(whole_to=_OWN, others=(BeltaineMovedFaceDown,)),
    AsideSeen: Telling(whole_to=_OWN, others=(AsideSeenByOther,)),
    TalesKept: Telling(whole_to=_OWN, others=(TalesKeptFaceDown,)),
    HandSeen: Telling(whole_to=_OWN, others=(HandSeenAside,)),
}
"""Events that are not told everybody as they stand."""


def told(state: InisState, event: Event, viewpoint: Viewpoint) -> InisTold | None:
    """Return what a viewpoint is told of an event that happens in this state; ``None`` for nothing at all."""
    if is_told_whole(TELLINGS, event, viewpoint):
        return event  # type: ignore[return-value]  # an event of this game
    hidden: Hidden | None = _HIDE[type(event)](state, event, viewpoint)
    return hidden


def _nothing(_state: InisState, _event: Any, _viewpoint: Viewpoint) -> None:  # noqa: ANN401  any event
    return None


def _choice_made(state: InisState, event: ChoiceMade, _viewpoint: Viewpoint) -> ChoiceMade | None:
    """The order in which tiles go under the stack is nobody else's (rules, section 8)."""
    return None if isinstance(state.agenda[0], OrderTiles) else event


def _card_discarded(
    state: InisState, event: CardDiscarded, _viewpoint: Viewpoint
) -> CardDiscarded | CardDiscardedFaceDown:
    """Only an Action card has a face to hide."""
    return CardDiscardedFaceDown(seat=event.seat) if state.card(event.card).kind == "action" else event


def _tale_kept(state: InisState, event: TaleKept, _viewpoint: Viewpoint) -> Hidden:
    rest = tuple(card for card in state.agenda[0].drawn if card != event.card)
    return TaleKeptFaceDown(seat=event.seat, discarded=rest)


def _tales_kept(state: InisState, event: TalesKept, _viewpoint: Viewpoint) -> Hidden:
    rest = tuple(card for card in state.agenda[0].drawn if card not in event.cards)
    return TalesKeptFaceDown(seat=event.seat, amount=len(event.cards), discarded=rest)


def _tribute_paid(_state: InisState, event: TributePaid, viewpoint: Viewpoint) -> Hidden:
    own = next((card for giver, card in event.gifts if giver == viewpoint), None)
    return TributePaidFaceDown(seat=event.seat, givers=tuple(sorted(giver for giver, _ in event.gifts)), own=own)


_HIDE: Final[Mapping[type[Event], Callable[[InisState, Any, Viewpoint], Any]]] = {
    TalesShuffled: lambda _state, event, _viewpoint: TalesShuffledFaceDown(amount=len(event.deck)),
    TilesShuffled: lambda _state, event, _viewpoint: TilesShuffledFaceDown(amount=len(event.stack)),
    TilesPutUnder: lambda _state, event, _viewpoint: TilesPutUnderFaceDown(seat=event.seat, amount=len(event.tiles)),
    ChoiceMade: _choice_made,
    ActionsDealt: lambda _state, event, _viewpoint: ActionsDealtFaceDown(amount=len(event.deck)),
    AsideChosen: lambda _state, event, _viewpoint: SeatDid(seat=event.seat),
    CardsKept: lambda _state, event, _viewpoint: CardsKeptFaceDown(seat=event.seat),
    DeclarationBegun: _nothing,
    PartDeclared: _nothing,
    PartTakenBack: _nothing,
    WindowAnswered: _nothing,
    TalesDrawn: lambda _state, event, _viewpoint: TalesDrawnFaceDown(seat=event.seat, amount=len(event.cards)),
    TaleKept: _tale_kept,
    CardDiscarded: _card_discarded,
    CardTaken: lambda _state, event, _viewpoint: CardTakenFaceDown(seat=event.seat, aside=event.aside),
    CardSetAside: lambda _state, event, _viewpoint: CardSetAsideFaceDown(seat=event.seat),
    CardStolen: lambda _state, event, _viewpoint: CardStolenFaceDown(seat=event.seat, owner=event.owner),
    CardGiven: lambda _state, event, _viewpoint: CardGivenFaceDown(seat=event.seat, to=event.to),
    TributeChosen: lambda _state, event, _viewpoint: TributeChosenFaceDown(seat=event.seat),
    TributePaid: _tribute_paid,
    BeltaineMoved: lambda _state, event, _viewpoint: BeltaineMovedFaceDown(seat=event.seat, parts=event.parts[1:]),
    AsideSeen: lambda _state, event, _viewpoint: AsideSeenByOther(seat=event.seat),
    TalesKept: _tales_kept,
    HandSeen: lambda _state, event, _viewpoint: HandSeenAside(
        seat=event.seat, owner=event.owner, cards_of=event.cards_of
    ),
}
