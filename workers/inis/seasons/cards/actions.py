"""The updated and the new Action cards (expansion, section 4.1), in the order of the document; Druid is as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.inis.vocabulary import Part, TerritoryId
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import (
    NOTHING,
    Declaration,
    Effect,
    Form,
    Parts,
    amounts_to,
    one_of,
    territories,
    where_present,
)
from workers.inis.seasons.harbors import sites
from workers.inis.seasons.steps import CoalitionClash, CoalitionJoin, DropCard, MayPlaceClan, PutToken
from workers.inis.state import InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import LocateTile, Move, PutClan
from workers.inis.steps.cards import GainDeed
from workers.inis.steps.hands import ClaimAdvantage, Draw


def shared(state: InisState) -> list[TerritoryId]:
    """Return the territories where at least two players are present (expansion, section 3.1)."""
    return [land.id for land in state.lands.values() if land.players > 1]


def exploration(state: InisState, play: Play) -> Steps:
    """The Brenn says where, unseen; an island goes to sea instead; your clan goes there."""
    return (LocateTile(seat=state.brenn), PutClan(play.seat, None)) if state.stack and sites(state) else ()


def declare_clans_harmony(state: InisState, seat: Seat, parts: Parts) -> Form:
    reserve = state.contenders[seat].reserve
    if not reserve or not state.present_in(seat):
        return NOTHING
    if not parts:
        return Form(options=(Part(option="each"), Part(option="one")))
    if parts[0].option == "one":
        return one_of(where_present(state, seat))
    named = [part.territory for part in parts[1:]]
    here = [each for each in shared(state) if state.clans(seat, each) and each not in named]
    return Form(options=territories(here) if len(named) < reserve else (), enough=True)


def clans_harmony(_state: InisState, play: Play) -> Steps:
    """A clan in each shared territory, or in any one territory, where you are present."""
    return tuple(PutClan(play.seat, part.territory) for part in play.parts[1:])


def declare_coalition(state: InisState, seat: Seat, parts: Parts) -> Form:
    source = parts[0].territory if parts else None
    if source is not None:
        return one_of(amounts_to(state.ways(source), state.clans(seat, source)))
    return Form(
        options=[
            Part(territory=each, owner=Seat(owner))
            for each in state.present_in(seat)
            for owner in range(state.seats)
            if owner != seat and state.clans(Seat(owner), each)
        ]
    )


def coalition(_state: InisState, play: Play) -> Steps:
    """Your clans go, an opponent's may follow; both clash with whoever else is there, and not with each other."""
    if not play.parts:
        return ()
    (source, partner), (to, amount) = (
        (play.parts[0].territory, play.parts[0].owner),
        (play.parts[1].to, play.parts[1].amount),
    )
    if source is None or partner is None or to is None or amount is None:
        return ()
    return (
        Move(seat=play.seat, territory=source, to=to, amount=amount),
        CoalitionJoin(seat=partner, leader=play.seat, territory=source, to=to),
        CoalitionClash(leader=play.seat, partner=partner, territory=to),
    )


def declare_fili(state: InisState, _seat: Seat, _parts: Parts) -> Form:
    return one_of(territories(shared(state)))


def fili(_state: InisState, play: Play) -> Steps:
    """No clash starts there until the season ends."""
    return tuple(PutToken("fili", part.territory) for part in play.parts if part.territory)


def declare_the_king_and_the_land(state: InisState, seat: Seat, _parts: Parts) -> Form:
    held = state.contenders[seat].advantages
    given = [
        Part(option="give", card=card, owner=Seat(owner))
        for card in held
        for owner in range(state.seats)
        if owner != seat and state.clans(Seat(owner), TerritoryId(card))
    ]
    return one_of((*(Part(option="discard", card=card) for card in held), *given))


def the_king_and_the_land(state: InisState, play: Play) -> Steps:
    """An Advantage card for a tale; or to who is present there, for a deed, and that player may place a clan."""
    if not play.parts:
        return ()
    part = play.parts[0]
    if part.card is None or part.card not in state.contenders[play.seat].advantages:
        return ()
    if part.owner is None:
        return (DropCard(play.seat, part.card), Draw(seat=play.seat, amount=1))
    return (
        ClaimAdvantage(part.owner, part.card),
        GainDeed(play.seat),
        MayPlaceClan(seat=part.owner, territory=TerritoryId(part.card)),
    )


EFFECTS: Final[Mapping[str, Effect]] = {
    "exploration": exploration,
    "clans_harmony": clans_harmony,
    "coalition": coalition,
    "fili": fili,
    "the_king_and_the_land": the_king_and_the_land,
}
FORMS: Final[Mapping[str, Declaration]] = {
    "clans_harmony": declare_clans_harmony,
    "coalition": declare_coalition,
    "fili": declare_fili,
    "the_king_and_the_land": declare_the_king_and_the_land,
}
