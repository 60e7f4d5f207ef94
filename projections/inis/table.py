"""What one viewpoint sees of a game of Inis: enough to draw the whole table, and nothing hidden from it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from events.inis.vocabulary import (
    CardId,
    Direction,
    KingSide,
    Location,
    Part,
    SeasonId,
    TerritoryId,
    WindowKind,
)
from events.messages import Seat, Viewpoint
from workers.inis.scoring import CONDITIONS
from workers.inis.seasons.more import Bran, Expansion
from workers.inis.state import InisState, Phase
from workers.inis.state.pieces import Cauldron, Clash, Draft, Land, Play
from workers.inis.steps.board import ChooseTile
from workers.inis.steps.cards import Window
from workers.inis.steps.hands import ClaimTale


class _Seen(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the view; what a viewpoint may not know is absent."""


class LandView(msgspec.Struct, frozen=True, kw_only=True):
    """A territory in play; ``clans`` stand in seat order."""

    territory: TerritoryId
    location: Location
    beside: tuple[TerritoryId, ...]
    clans: tuple[int, ...]
    citadels: int
    sanctuaries: int
    chieftain: Seat | None


class ContenderView(_Seen, frozen=True, kw_only=True):
    """
    What a player has.

    Args:
        action_count, tale_count: cards in hand, by their backs; ``actions`` and ``tales`` for their owner alone.
        conditions: what each condition of victory counts now; ``met`` how many are met, deeds included.
    """

    seat: Seat
    reserve: int
    deeds: int
    pretender: bool
    action_count: int
    tale_count: int
    advantages: tuple[CardId, ...]
    conditions: Mapping[str, int]
    met: int
    actions: tuple[CardId, ...] | None = None
    tales: tuple[CardId, ...] | None = None


class PlayView(_Seen, frozen=True, kw_only=True):
    """A card being played, with what was declared."""

    seat: Seat
    card: CardId
    parts: tuple[Part, ...] = ()
    cancelled: bool = False


class ClashView(_Seen, frozen=True, kw_only=True):
    """
    The clash under way.

    Args:
        protected, exposed: clans in citadels and outside, in seat order.
        acting: who is due to maneuver.
    """

    territory: TerritoryId
    instigator: Seat
    protected: tuple[int, ...]
    exposed: tuple[int, ...]
    spear: bool
    acting: Seat | None = None
    attacked: Seat | None = None


class DraftView(_Seen, frozen=True, kw_only=True):
    """The draft: how many cards are kept in this pass, and for their owner the cards in front and those kept."""

    keep: int
    front: tuple[CardId, ...] | None = None
    kept: tuple[CardId, ...] | None = None


class ExpansionView(_Seen, frozen=True, kw_only=True):
    """
    What Seasons of Inis adds; what belongs to a module that is not in play is absent.

    Args:
        harbors: by territory, the cell of the lattice that its Harbor tile covers (``H`` and the cell), or ``sea``.
        banshee: who holds a Banshee token, in seat order; ``bran``: whose clans are on Bran's Journey, and how many.
        claim: who has played Hy Breasil at this victory check; ``winners``: who won, where several may.
        allies: the two of Coalition in this clash; ``mist``: clans that Féth fíada hides there, in seat order.
        sword: this attack is made with Nuada's Sword.
    """

    season: SeasonId | None = None
    king_tile: KingSide | None = None
    harbors: Mapping[TerritoryId, Location] = {}
    fili: TerritoryId | None = None
    macha: TerritoryId | None = None
    banshee: tuple[Seat, ...] = ()
    bran: Bran | None = None
    claim: Seat | None = None
    winners: tuple[Seat, ...] = ()
    allies: tuple[Seat, ...] = ()
    mist: tuple[int, ...] = ()
    sword: bool = False


class InisView(_Seen, frozen=True, kw_only=True):
    """
    The whole table.

    Args:
        aside: an Action card is set aside; ``aside_card``: which, for who put it there or has looked at it.
        discards: the Epic Tales face up; of piles face down the sizes are seen.
        plays: the cards being played, each answering the one before.
        window: what can be answered now; ``revealed`` and ``tiles``: what lies open for a choice.
        expansion: what Seasons of Inis adds, at a table with one of its modules.
    """

    phase: Phase
    round: int
    brenn: Seat
    direction: Direction
    turn: Seat
    opening: bool
    passed: tuple[Seat, ...]
    capital: TerritoryId | None
    festival: TerritoryId | None
    lands: tuple[LandView, ...]
    citadels: int
    sanctuaries: int
    stack: int
    deck: int
    discards: tuple[CardId, ...]
    pile: int
    aside: bool
    face_up: tuple[CardId, ...]
    face_down: tuple[CardId, ...]
    contenders: tuple[ContenderView, ...]
    plays: tuple[PlayView, ...]
    aside_card: CardId | None = None
    draft: DraftView | None = None
    window: WindowKind | None = None
    clash: ClashView | None = None
    cauldron: Cauldron | None = None
    revealed: tuple[CardId, ...] | None = None
    tiles: tuple[TerritoryId, ...] | None = None
    winner: Seat | None = None
    expansion: ExpansionView | None = None


def table_view(state: InisState, viewpoint: Viewpoint, public: InisView | None = None) -> InisView:
    """
    Return what a seat or the spectator sees of the table now (rules, section 8).

    ``public`` is what the spectator sees of it, where that is drawn already.
    """
    if public is None:
        public = _public_view(state)
    return public if viewpoint is None else _own_view(state, viewpoint, public)


def _public_view(state: InisState) -> InisView:
    """Return what everybody sees."""
    step = state.agenda[0] if state.agenda else None
    return InisView(
        phase=state.phase,
        round=state.round,
        brenn=state.brenn,
        direction=state.direction,
        turn=state.turn,
        opening=state.opening,
        passed=state.passed,
        capital=state.capital,
        festival=state.festival,
        lands=tuple(_land_view(land) for land in state.lands.values()),
        citadels=state.citadels,
        sanctuaries=state.sanctuaries,
        stack=len(state.stack),
        deck=len(state.deck),
        discards=state.discards,
        pile=len(state.pile),
        aside=state.aside is not None,
        face_up=state.face_up,
        face_down=state.face_down,
        contenders=tuple(_contender_view(state, Seat(seat)) for seat in range(state.seats)),
        plays=tuple(_play_view(play) for play in state.plays),
        draft=DraftView(keep=state.draft.turn) if state.draft else None,
        window=step.opened.window if isinstance(step, Window) else None,
        clash=_clash_view(state, state.clash) if state.clash else None,
        cauldron=state.cauldron,
        revealed=tuple(card for _, card in step.tales) if isinstance(step, ClaimTale) else None,
        tiles=step.tiles if isinstance(step, ChooseTile) else None,
        winner=state.winner,
        expansion=_expansion_view(state.more) if state.more is not None else None,
    )


def _own_view(state: InisState, seat: Seat, public: InisView) -> InisView:
    """Return what everybody sees, with the seat's own cards, and those that it has looked at."""
    contender = state.contenders[seat]
    own = replace(public.contenders[seat], actions=contender.actions, tales=contender.tales)
    return replace(
        public,
        contenders=(*public.contenders[:seat], own, *public.contenders[seat + 1 :]),
        aside_card=state.aside if _knows_aside(state, seat) else None,
        draft=_own_draft(state.draft, seat) if state.draft else None,
    )


def _knows_aside(state: InisState, seat: Seat) -> bool:
    """Return whether a seat set the card aside, or has looked at it since (expansion, section 7)."""
    looked = () if state.more is None else state.more.aside_seen
    return seat == state.aside_by or seat in looked


def _expansion_view(more: Expansion) -> ExpansionView:
    return ExpansionView(
        season=more.season,
        king_tile=more.king_tile,
        harbors=more.harbors,
        fili=more.fili_at,
        macha=more.macha_at,
        banshee=tuple(sorted(more.banshee)),
        bran=more.bran,
        claim=more.claim,
        winners=more.winners,
        allies=more.allies,
        mist=more.mist,
        sword=more.sword,
    )


def _land_view(land: Land) -> LandView:
    return LandView(
        territory=land.id,
        location=land.location,
        beside=land.beside,
        clans=land.clans,
        citadels=land.citadels,
        sanctuaries=land.sanctuaries,
        chieftain=land.chieftain,
    )


def _contender_view(state: InisState, seat: Seat) -> ContenderView:
    """Return a player as all others see one."""
    contender = state.contenders[seat]
    return ContenderView(
        seat=seat,
        reserve=contender.reserve,
        deeds=contender.deeds,
        pretender=contender.pretender,
        action_count=len(contender.actions),
        tale_count=len(contender.tales),
        advantages=contender.advantages,
        conditions=dict(zip(CONDITIONS, state.conditions(seat), strict=True)),
        met=state.conditions_met(seat),
    )


def _play_view(play: Play) -> PlayView:
    return PlayView(seat=play.seat, card=play.card, parts=play.parts, cancelled=play.cancelled)


def _own_draft(draft: Draft, seat: Seat) -> DraftView:
    return DraftView(keep=draft.turn, front=draft.fronts[seat], kept=draft.kept[seat] or None)


def _clash_view(state: InisState, clash: Clash) -> ClashView:
    return ClashView(
        territory=clash.territory,
        instigator=clash.instigator,
        protected=clash.protected,
        exposed=tuple(state.exposed(Seat(seat)) for seat in range(state.seats)),
        spear=clash.spear,
        acting=clash.acting,
        attacked=clash.maneuver.target if clash.maneuver else None,
    )
