"""What a seat may wish for now; ``decide`` accepts this and nothing else (rules, section 3.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Final

from events.inori.commands import (
    ChooseAltar,
    ChooseLeast,
    ChooseNewStart,
    ChoosePiece,
    EndTurn,
    InoriCommand,
    LayPieceAside,
    MovePiece,
    OfferToCard,
    OfferToTree,
    PayMajority,
    PlaceNeutral,
    PlayRune,
    ReleasePiece,
    TakeGift,
)
from events.inori.vocabulary import COLOURS, PLACE, CardId, Colour, Cost, InoriCatalogue, Rune, RuneId, TreeSpace
from events.messages import Seat
from workers.inori.moves import can_move, goals, movable
from workers.inori.state import (
    Altar,
    Chief,
    Gift,
    InoriState,
    LateRune,
    Least,
    Move,
    MoveTo,
    NewStart,
    Offer,
    PayMaj,
    Spot,
    Ward,
)
from workers.kit.decider import Prompt

Offering = OfferToCard | OfferToTree


def legal_commands(state: InoriState, seat: Seat) -> Sequence[InoriCommand]:
    """Return all that the seat may wish for; nothing when nothing is asked of it."""
    prompt = state.prompts.get(seat)
    return () if prompt is None else _OFFERS[type(prompt)](state, seat, prompt)


# Offerings (rules, sections 3.3 to 3.5)


def can_pay(chief: Chief, cost: Cost | None) -> bool:
    """Return whether a cost can be paid in full (rules, section 3.4)."""
    if cost is None:
        return True
    return (max(chief.tokens) if cost.colour is None else chief.tokens[PLACE[cost.colour]]) >= cost.amount


def cost_of(state: InoriState, spot: Spot) -> Cost | None:
    """Return what a space of the Great Tree costs: a token of its Altar's colour, once there is one (rules, 3.5)."""
    return None if spot.altar is None else _altar_cost(state.catalogue.altar_cost, spot.altar)


def is_closed(state: InoriState, space: TreeSpace, spot: Spot) -> bool:
    """Return whether a root may not be chosen any more, by the option (rules, section 3.10)."""
    return state.options.roots_close and not space.takes_altar and not spot.tokens


def offerings(state: InoriState, seat: Seat) -> Iterator[Offering]:
    """Return every offering that needs no Share rune."""
    chief, catalogue = state.chiefs[seat], state.catalogue
    for slot in state.slots:
        for (to_card, cost), pieces in zip(_to_card(catalogue, seat, slot.card), slot.pieces, strict=True):
            if not pieces and (cost is None or can_pay(chief, cost)):
                yield to_card
    for (to_tree, space), spot in zip(_to_tree(catalogue, seat), state.tree, strict=True):
        if spot.pieces or not (spot.altar is None or can_pay(chief, cost_of(state, spot))):
            continue
        if space.takes_altar or not is_closed(state, space, spot):
            yield to_tree


def shared_offerings(state: InoriState, seat: Seat) -> Iterator[Offering]:
    """Return every offering that a Share rune allows: where others stand, and no piece of one's own (rules, 3.6)."""
    chief, catalogue = state.chiefs[seat], state.catalogue
    for slot in state.slots:
        spaces = catalogue.cards[slot.card].spaces
        for number, (space, pieces) in enumerate(zip(spaces, slot.pieces, strict=True), start=1):
            if pieces and seat not in pieces and can_pay(chief, space.cost):
                yield OfferToCard(seat=seat, card=slot.card, space=number, share=True)
    for on_tree, spot in zip(catalogue.tree, state.tree, strict=True):
        if spot.pieces and seat not in spot.pieces and can_pay(chief, cost_of(state, spot)):
            if is_closed(state, on_tree, spot):
                continue
            yield OfferToTree(seat=seat, space=on_tree.id, share=True)


def can_offer(state: InoriState, seat: Seat) -> bool:
    """Return whether any offering can be made without a rune; if not, the chief may pass (rules, section 3.3)."""
    return next(offerings(state, seat), None) is not None


def share_rune(state: InoriState, seat: Seat) -> RuneId | None:
    """Return the first Share rune of a hand; they are all alike."""
    return next((rune for rune in state.chiefs[seat].runes if state.rune(rune).kind == "share"), None)


@lru_cache(maxsize=1024)
def _to_card(catalogue: InoriCatalogue, seat: Seat, card: CardId) -> Sequence[tuple[OfferToCard, Cost | None]]:
    """Return the offerings to each space of a card, with what they cost."""
    spaces = catalogue.cards[card].spaces
    return tuple((OfferToCard(seat=seat, card=card, space=at), space.cost) for at, space in enumerate(spaces, start=1))


@lru_cache(maxsize=64)
def _to_tree(catalogue: InoriCatalogue, seat: Seat) -> Sequence[tuple[OfferToTree, TreeSpace]]:
    """Return the offerings to each space of the Great Tree."""
    return tuple((OfferToTree(seat=seat, space=space.id), space) for space in catalogue.tree)


@lru_cache(maxsize=64)
def _altar_cost(amount: int, colour: Colour) -> Cost:
    return Cost(amount, colour)


# Runes (rules, section 3.6)


def is_playable(state: InoriState, rune: Rune) -> bool:
    """Return whether a rune does something of its own before the offering; a Share rune needs an offering."""
    match rune.kind:
        case "favour":
            return True
        case "move_in" | "move_out":
            return can_move(state, rune)
        case "share":
            return False


def _playable(state: InoriState, seat: Seat) -> Sequence[InoriCommand]:
    if not state.may_play_runes:
        return ()
    return [PlayRune(seat=seat, rune=rune) for rune in state.chiefs[seat].runes if is_playable(state, state.rune(rune))]


# Tokens of any colour (rules, section 5, T1)


def gift_size(state: InoriState, amount: int) -> int:
    """Return how many tokens can be taken: fewer where the whole supply has fewer (rules, section 3.9, GIFT)."""
    return min(amount, sum(state.supply))


def gifts(state: InoriState, amount: int) -> Iterator[tuple[Colour, ...]]:
    """Return every choice of tokens that the supply can give, each in the usual order of colours."""
    supply = state.supply
    for chosen in _choices(gift_size(state, amount)):
        if all(supply[PLACE[colour]] >= chosen.count(colour) for colour in chosen):
            yield chosen


@lru_cache(maxsize=8)
def _choices(amount: int) -> Sequence[tuple[Colour, ...]]:
    return tuple(combinations_with_replacement(COLOURS, amount))


# What each question offers


def _offer_offerings(state: InoriState, seat: Seat, _prompt: Offer) -> Sequence[InoriCommand]:
    offers: list[InoriCommand] = list(offerings(state, seat)) or [LayPieceAside(seat=seat)]
    if state.chiefs[seat].runes and state.may_play_runes:
        offers += _playable(state, seat)
        if share_rune(state, seat) is not None:
            offers += shared_offerings(state, seat)
    return offers


def _offer_pieces(state: InoriState, seat: Seat, prompt: Move) -> Sequence[InoriCommand]:
    pieces = movable(state, state.rune(prompt.rune))
    return [ChoosePiece(seat=seat, owner=owner, card=card, space=space) for owner, card, space in pieces]


def _offer_goals(state: InoriState, seat: Seat, prompt: MoveTo) -> Sequence[InoriCommand]:
    rune = state.rune(prompt.rune)
    offers: list[InoriCommand] = [
        MovePiece(seat=seat, card=card, space=space) for card, space in goals(state, rune, prompt.card)
    ]
    if not state.released and len(movable(state, rune)) > 1:
        offers.append(ReleasePiece(seat=seat))
    return offers


def _offer_majority(state: InoriState, seat: Seat, _prompt: PayMaj) -> Sequence[InoriCommand]:
    return [PayMajority(seat=seat, colour=colour) for colour in state.chiefs[seat].most]


def _offer_altars(state: InoriState, seat: Seat, _prompt: Altar) -> Sequence[InoriCommand]:
    return [ChooseAltar(seat=seat, colour=colour) for colour in state.altars_left]


def _offer_least(state: InoriState, seat: Seat, _prompt: Least) -> Sequence[InoriCommand]:
    return [ChooseLeast(seat=seat, colour=colour) for colour in state.chiefs[seat].fewest]


def _offer_gifts(state: InoriState, seat: Seat, prompt: Gift) -> Sequence[InoriCommand]:
    return [TakeGift(seat=seat, tokens=tokens) for tokens in gifts(state, prompt.amount)]


def _offer_wards(state: InoriState, seat: Seat, _prompt: Ward) -> Sequence[InoriCommand]:
    return [PlaceNeutral(seat=seat, card=card, space=space) for card, space in state.empty_spaces]


def _offer_late_runes(state: InoriState, seat: Seat, _prompt: LateRune) -> Sequence[InoriCommand]:
    runes = (state.rune(rune) for rune in state.chiefs[seat].runes)
    return [
        *(PlayRune(seat=seat, rune=rune.id) for rune in runes if rune.kind == "favour"),
        EndTurn(seat=seat),
    ]


def _offer_new_starts(state: InoriState, seat: Seat, _prompt: NewStart) -> Sequence[InoriCommand]:
    return [ChooseNewStart(seat=seat, card=card) for card in state.drawn]


_OFFERS: Final[Mapping[type[Prompt], Callable[[InoriState, Seat, Any], Sequence[InoriCommand]]]] = {
    Offer: _offer_offerings,
    Move: _offer_pieces,
    MoveTo: _offer_goals,
    PayMaj: _offer_majority,
    Altar: _offer_altars,
    Least: _offer_least,
    Gift: _offer_gifts,
    Ward: _offer_wards,
    LateRune: _offer_late_runes,
    NewStart: _offer_new_starts,
}
