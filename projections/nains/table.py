"""What one viewpoint sees of a game of Nains: enough to draw the whole table, and nothing hidden from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

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


def table_view(state: NainsState, viewpoint: Viewpoint, public: NainsView | None = None) -> NainsView:
    """
    Return what a seat or the spectator sees of the table now (rules, section 7).

    ``public`` is what the spectator sees of it, where that is drawn already.
    """
    if public is None:
        public = _public_view(state)
    return public if viewpoint is None else _own_view(state, viewpoint, public)


def _public_view(state: NainsState) -> NainsView:
    """Return what everybody sees."""
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
        lords=tuple(_lord_view(state, Seat(seat)) for seat in range(len(state.lords))),
        acting=state.agenda[0][0] if state.agenda else None,
    )


def _own_view(state: NainsState, seat: Seat, public: NainsView) -> NainsView:
    """Return what everybody sees, with the seat's own coins face up, and the cards it looks at."""
    lord, seen = state.lords[seat], public.lords[seat]
    own = replace(
        seen,
        spots=(*seen.spots[: state.tavern], *(_face_down(coin) for coin in lord.spots[state.tavern :])),
        pouch=tuple(_face_down(coin) for coin in lord.pouch),
    )
    return replace(
        public,
        lords=(*public.lords[:seat], own, *public.lords[seat + 1 :]),
        looked=state.looked or None if seat == public.acting else None,
    )


class _Fortress(msgspec.Struct, frozen=True):
    """What has to be counted out for a Lord's view."""

    columns: Mapping[Order, tuple[CardView, ...]]
    ranks: Mapping[Order, int]
    coins: tuple[CoinId, ...]
    score: ScoreView


@lru_cache(maxsize=1024)
def _fortress(catalogue: NainsCatalogue, lord: Lord) -> _Fortress:
    """Return what is the same from step to step for most Lords."""
    parts = score_parts(catalogue, lord)
    columns = {
        order: tuple(CardView(card=card, pariah=card in lord.marked) for card in column)
        for order, column in zip(ORDERS, lord.columns, strict=True)
    }
    coins = tuple(sorted(lord.coins, key=lambda coin: catalogue.coins[coin].place))
    ranks = dict(zip(ORDERS, lord.ranks, strict=True))
    return _Fortress(columns, ranks, coins, ScoreView(total=sum(parts.values()), parts=parts))


def _lord_view(state: NainsState, seat: Seat) -> LordView:
    """Return a Lord as all others see one."""
    lord = state.lords[seat]
    fortress = _fortress(state.catalogue, lord)
    revealed, face_down = lord.spots[: state.tavern], len(lord.spots[state.tavern :])
    return LordView(
        seat=seat,
        columns=fortress.columns,
        ranks=fortress.ranks,
        command_area=lord.command_area,
        gem=lord.gem,
        rows_rewarded=lord.rewarded,
        coins=fortress.coins,
        in_hand=not lord.spots,
        spots=(*(CoinView(face="up", coin=coin) for coin in revealed), *(FACE_DOWN,) * face_down),
        pouch=(*(_face_down(coin) for coin in lord.shown), *(FACE_DOWN,) * (len(lord.pouch) - len(lord.shown))),
        score=fortress.score,
    )


def _face_down(coin: CoinId) -> CoinView:
    """Return a coin face down that is known all the same."""
    return CoinView(face="down", coin=coin)


FACE_DOWN = CoinView(face="down")
