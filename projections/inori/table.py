"""What one viewpoint sees of a game of Inori: enough to draw the whole table, and nothing hidden from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from events.inori.vocabulary import (
    COLOURS,
    CardId,
    Colour,
    InoriCatalogue,
    Owner,
    RuneId,
    TreeSpaceId,
)
from events.messages import Seat, Viewpoint
from workers.inori.scoring import PARTS
from workers.inori.state import Chief, InoriState, MoveTo, Phase, Slot


class _Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the view; what a viewpoint may not know is absent."""


class SlotView(msgspec.Struct, frozen=True, kw_only=True):
    """A card in play, the pieces on each of its spaces (none for a neutral one), and whether it is complete now."""

    card: CardId
    colour: Colour
    pieces: tuple[tuple[Owner, ...], ...]
    complete: bool


class TreeSpaceView(msgspec.Struct, frozen=True, kw_only=True):
    """A space of the Great Tree: its Altar tile if it has one, and the tokens that lie on a root."""

    space: TreeSpaceId
    pieces: tuple[Owner, ...]
    altar: Colour | None
    tokens: tuple[Colour, ...]


class ScoreView(msgspec.Struct, frozen=True, kw_only=True):
    """The points so far, by where they came from."""

    total: int
    parts: Mapping[str, int]


class ChiefView(_Seen, frozen=True, kw_only=True):
    """
    What one chief has.

    Args:
        pieces: of this season; ``left`` to place, ``aside`` laid aside.
        waiting: the seasons for which one more piece each lies on the season spaces.
        rune_count: runes held, as all may know; ``runes``: which, for their owner alone.
    """

    seat: Seat
    score: ScoreView
    tokens: Mapping[Colour, int]
    pieces: int
    left: int
    aside: int
    waiting: tuple[int, ...]
    rune_count: int
    runes: tuple[RuneId, ...] | None = None


class ChosenView(msgspec.Struct, frozen=True, kw_only=True):
    """The piece chosen for a Move rune, while it is asked where it goes."""

    owner: Owner
    card: CardId
    space: int


class InoriView(_Seen, frozen=True, kw_only=True):
    """
    The whole table.

    Args:
        order: the seats in the order of this season.
        acting: who is asked.
        altars_left: the Altar tiles beside the board.
        neutrals: neutral pieces in storage.
        rune_pile, new_start: how many are there.
        journey: what each Journey pile still holds, in the order of the catalogue.
        chosen: the piece that a Move rune is about to take.
        drawn: the New Start cards that a chief looks at, for that chief alone.
    """

    phase: Phase
    season: int
    seasons: int
    order: tuple[Seat, ...]
    slots: tuple[SlotView, ...]
    tree: tuple[TreeSpaceView, ...]
    chiefs: tuple[ChiefView, ...]
    supply: Mapping[Colour, int]
    altars_left: tuple[Colour, ...]
    neutrals: int
    rune_pile: int
    rune_discard: tuple[RuneId, ...]
    journey: Mapping[Colour, tuple[CardId, ...]]
    new_start: int
    acting: Seat | None = None
    chosen: ChosenView | None = None
    drawn: tuple[CardId, ...] | None = None


def table_view(state: InoriState, viewpoint: Viewpoint, public: InoriView | None = None) -> InoriView:
    """
    Return what a seat or the spectator sees of the table now (rules, section 8).

    ``public`` is what the spectator sees of it, where that is drawn already.
    """
    if public is None:
        public = _public_view(state)
    return public if viewpoint is None else _own_view(state, viewpoint, public)


def _public_view(state: InoriState) -> InoriView:
    """Return what everybody sees."""
    return InoriView(
        phase=state.phase,
        season=state.season,
        seasons=state.catalogue.seasons,
        order=state.order,
        slots=tuple(_slot_view(state.catalogue, slot) for slot in state.slots),
        tree=tuple(
            TreeSpaceView(space=space.id, pieces=spot.pieces, altar=spot.altar, tokens=spot.tokens)
            for space, spot in zip(state.catalogue.tree, state.tree, strict=True)
        ),
        chiefs=tuple(_chief_view(state, Seat(seat)) for seat in range(len(state.chiefs))),
        supply=_by_colour(state.supply),
        altars_left=state.altars_left,
        neutrals=state.neutrals,
        rune_pile=len(state.rune_pile),
        rune_discard=state.rune_discard,
        journey={
            colour: _unordered(state.catalogue, pile) for colour, pile in zip(COLOURS, state.journey, strict=True)
        },
        new_start=len(state.new_start),
        acting=state.turn if state.agenda else None,
        chosen=_chosen(state),
    )


def _own_view(state: InoriState, seat: Seat, public: InoriView) -> InoriView:
    """Return what everybody sees, with the seat's own runes, and the cards it looks at."""
    own = replace(public.chiefs[seat], runes=state.chiefs[seat].runes)
    return replace(
        public,
        chiefs=(*public.chiefs[:seat], own, *public.chiefs[seat + 1 :]),
        drawn=state.drawn or None if seat == public.acting else None,
    )


@lru_cache(maxsize=1024)
def _slot_view(catalogue: InoriCatalogue, slot: Slot) -> SlotView:
    return SlotView(
        card=slot.card, colour=catalogue.cards[slot.card].colour, pieces=slot.pieces, complete=slot.is_complete
    )


@lru_cache(maxsize=1024)
def _unordered(catalogue: InoriCatalogue, pile: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Return the cards of a pile in an order that tells nothing of how they lie: all may know which are left."""
    return tuple(card for card in catalogue.cards if card in pile)


def _chosen(state: InoriState) -> ChosenView | None:
    match state.agenda[:1]:
        case (MoveTo(owner=owner, card=card, space=space),):
            return ChosenView(owner=owner, card=card, space=space)
        case _:
            return None


def _chief_view(state: InoriState, seat: Seat) -> ChiefView:
    """Return a chief as all others see one."""
    chief = state.chiefs[seat]
    arrived = chief.pieces - state.setup.pieces
    return ChiefView(
        seat=seat,
        score=_score_view(chief),
        tokens=_by_colour(chief.tokens),
        pieces=chief.pieces,
        left=chief.left,
        aside=chief.aside,
        waiting=state.setup.waiting[arrived:],
        rune_count=len(chief.runes),
    )


def _score_view(chief: Chief) -> ScoreView:
    parts = dict(zip(PARTS, (chief.offerings, chief.cards, chief.altars), strict=True))
    return ScoreView(total=chief.score, parts=parts)


@lru_cache(maxsize=1024)
def _by_colour(counts: tuple[int, ...]) -> Mapping[Colour, int]:
    return dict(zip(COLOURS, counts, strict=True))
