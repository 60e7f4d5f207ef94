"""What one viewpoint sees of a game of Nains: enough to draw the whole table, and nothing hidden from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import msgspec

from events.messages import Seat, Viewpoint
from events.nains.vocabulary import ORDERS, CardId, CoinId, NainsCatalogue, Order
from workers.nains.scoring import score_parts
from workers.nains.state import Lord, NainsState, Phase

Face = Literal["up", "down"]


class _Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the view; what a viewpoint may not know is absent."""


class CoinView(_Seen, frozen=True, kw_only=True):
    """A coin on the board; ``coin`` is absent when the viewpoint does not know which one lies there."""

    face: Face
    coin: CoinId | None = None


class CardView(_Seen, frozen=True, kw_only=True):
    """A card of a column, and whether it bears a Pariah marker."""

    card: CardId
    pariah: bool = False


class ScoreView(msgspec.Struct, frozen=True, kw_only=True):
    """The Bravery Value as it stands, in its eight parts (rules, section 6)."""

    total: int
    parts: Mapping[str, int]


class LordView(msgspec.Struct, frozen=True, kw_only=True):
    """
    One Lord's city-state-fortress and coins.

    Args:
        columns: the Army by Order; ``ranks`` has as many.
        rows_rewarded: rows that gave a recruit already.
        coins: the five coins, in an order that tells nothing of where they lie.
        in_hand: they are in hand; else three lie on ``spots`` and two in the ``pouch``.
    """

    seat: Seat
    columns: Mapping[Order, tuple[CardView, ...]]
    ranks: Mapping[Order, int]
    command_area: tuple[CardId, ...]
    gem: int
    rows_rewarded: int
    coins: tuple[CoinId, ...]
    in_hand: bool
    spots: tuple[CoinView, ...]
    pouch: tuple[CoinView, ...]
    score: ScoreView


class NainsView(_Seen, frozen=True, kw_only=True):
    """
    The whole table.

    Args:
        tavern: the last tavern revealed in this turn, 0 when none is.
        decks: how many cards each Era's deck still has.
        supply: Fighters and Mercenaries to recruit; ``awards``: the award line; ``unawarded``: what nobody won.
        treasury: how many Gold coins there are of each kind.
        order: in which order the Lords take from this tavern; ``tied``: who will exchange gems after it.
        acting: the Lord whose turn at the tavern it is.
        looked: the cards Svara's owner looks at, for that Lord alone.
    """

    phase: Phase
    era: int
    turn: int
    turns: int
    tavern: int
    taverns: tuple[tuple[CardId, ...], ...]
    decks: tuple[int, ...]
    discard: tuple[CardId, ...]
    supply: tuple[CardId, ...]
    awards: tuple[CardId, ...]
    unawarded: tuple[CardId, ...]
    treasury: Mapping[CoinId, int]
    order: tuple[Seat, ...]
    tied: tuple[tuple[Seat, ...], ...]
    lords: tuple[LordView, ...]
    acting: Seat | None = None
    looked: tuple[CardId, ...] | None = None


def table_view(state: NainsState, viewpoint: Viewpoint) -> NainsView:
    """Return what a seat or the spectator sees of the table now (rules, section 7)."""
    acting = state.agenda[0][0] if state.agenda else None
    return NainsView(
        phase=state.phase,
        era=state.era,
        turn=state.turn,
        turns=state.setup.turns_per_era,
        tavern=state.tavern,
        taverns=state.taverns,
        decks=tuple(map(len, state.decks)),
        discard=state.discard,
        supply=state.supply,
        awards=state.awards,
        unawarded=state.unawarded,
        treasury=dict(zip(state.catalogue.gold, state.treasury, strict=True)),
        order=state.order,
        tied=state.tied,
        lords=tuple(_lord_view(state, Seat(seat), viewpoint) for seat in range(len(state.lords))),
        acting=acting,
        looked=state.looked if state.looked and viewpoint is not None and viewpoint == acting else None,
    )


class _Public(msgspec.Struct, frozen=True):
    """What a Lord's view shows to everybody alike."""

    columns: Mapping[Order, tuple[CardView, ...]]
    ranks: Mapping[Order, int]
    coins: tuple[CoinId, ...]
    score: ScoreView


@lru_cache(maxsize=1024)
def _public(catalogue: NainsCatalogue, lord: Lord) -> _Public:
    """Return what is the same for all viewpoints, and from step to step for most Lords."""
    parts = score_parts(catalogue, lord)
    columns = {
        order: tuple(CardView(card=card, pariah=card in lord.marked) for card in column)
        for order, column in zip(ORDERS, lord.columns, strict=True)
    }
    coins = tuple(sorted(lord.coins, key=lambda coin: catalogue.coins[coin].place))
    ranks = dict(zip(ORDERS, lord.ranks, strict=True))
    return _Public(columns, ranks, coins, ScoreView(total=sum(parts.values()), parts=parts))


def _lord_view(state: NainsState, seat: Seat, viewpoint: Viewpoint) -> LordView:
    lord = state.lords[seat]
    own = viewpoint is not None and viewpoint == seat
    public = _public(state.catalogue, lord)
    known = lord.pouch if own else lord.shown
    unknown = len(lord.pouch) - len(known)
    return LordView(
        seat=seat,
        columns=public.columns,
        ranks=public.ranks,
        command_area=lord.command_area,
        gem=lord.gem,
        rows_rewarded=lord.rewarded,
        coins=public.coins,
        in_hand=not lord.spots,
        spots=tuple(_spot_view(state, lord, spot, own) for spot in range(len(lord.spots))),
        pouch=(*(CoinView(face="down", coin=coin) for coin in known), *(FACE_DOWN,) * unknown),
        score=public.score,
    )


def _spot_view(state: NainsState, lord: Lord, spot: int, own: bool) -> CoinView:
    if spot < state.tavern:
        return CoinView(face="up", coin=lord.spots[spot])
    return CoinView(face="down", coin=lord.spots[spot]) if own else FACE_DOWN


FACE_DOWN = CoinView(face="down")
