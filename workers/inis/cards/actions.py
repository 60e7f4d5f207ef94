"""The 17 Action cards (rules, section 5.1), in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.inis.vocabulary import CardId, Part
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import (
    NOTHING,
    Declaration,
    Effect,
    Form,
    Parts,
    declared,
    from_around,
    marching,
    one_of,
    spread_from,
    territories,
    where_present,
)
from workers.inis.state import InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import (
    BuildCitadel,
    BuildSanctuary,
    ExchangeClan,
    HoldFestival,
    LocateTile,
    Move,
    PutClan,
    SpyMove,
)
from workers.inis.steps.cards import CancelPlay, GainDeed, GivePlay
from workers.inis.steps.clash import Clashes, NamePlayer, RaidHand
from workers.inis.steps.hands import ClaimAdvantage, DiscardCard, Draw, SearchPile, SeeHand


def bard(_state: InisState, play: Play) -> Steps:
    """Season: draw a tale. Triskel: gain a deed."""
    return (Draw(seat=play.seat, amount=1),) if play.season else (GainDeed(play.seat),)


def declare_citadel(state: InisState, seat: Seat, _parts: Parts) -> Form:
    tiles = state.catalogue.tiles
    return one_of(territories(each for each in state.present_in(seat) if tiles[each].citadels))


def citadel(_state: InisState, play: Play) -> Steps:
    """A citadel, and the territory's Advantage card (house H19)."""
    return tuple(
        step
        for part in play.parts
        if part.territory
        for step in (BuildCitadel(part.territory), ClaimAdvantage(play.seat, CardId(part.territory)))
    )


def declare_conquest(state: InisState, seat: Seat, parts: Parts) -> Form:
    if not parts:
        return Form(options=territories(state.lands))
    target = parts[0].territory
    return Form(options=from_around(state, seat, target, parts[1:]) if target else (), enough=True)


def conquest(state: InisState, play: Play) -> Steps:
    """Clans from around go to one territory; clash."""
    target = play.parts[0].territory if play.parts else None
    moves = [
        Move(seat=play.seat, territory=part.territory, to=target, amount=part.amount)
        for part in play.parts[1:]
        if target and part.territory and part.amount
    ]
    return marching(state, play.seat, moves, clash=True)


def declare_craftsmen_peasants(state: InisState, seat: Seat, parts: Parts) -> Form:
    left = state.contenders[seat].reserve - declared(parts)
    named = [part.territory for part in parts]
    options = [
        Part(territory=each, amount=amount)
        for each in state.present_in(seat)
        if each not in named
        for amount in range(1, min(state.lands[each].citadels, left) + 1)
    ]
    return Form(options=options, enough=True)


def craftsmen_peasants(_state: InisState, play: Play) -> Steps:
    """Up to a clan for each citadel, where you are present."""
    return tuple(PutClan(play.seat, part.territory) for part in play.parts for _ in range(part.amount or 0))


def druid(_state: InisState, play: Play) -> Steps:
    """A card out of the Action discard pile."""
    return (SearchPile(seat=play.seat),)


def exploration(state: InisState, play: Play) -> Steps:
    """The Brenn says where, unseen; your clan goes there."""
    return (LocateTile(seat=state.brenn), PutClan(play.seat, None)) if state.stack else ()


def declare_festival(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(territories(each for each in state.present_in(seat) if state.lands[each].sanctuaries))


def festival(_state: InisState, play: Play) -> Steps:
    """A clan, and the festival marker, which moves if it lies elsewhere (house H20)."""
    return tuple(
        step
        for part in play.parts
        if part.territory
        for step in (PutClan(play.seat, part.territory), HoldFestival(part.territory))
    )


def geis(_state: InisState, _play: Play) -> Steps:
    """The Action card that is being answered is ignored."""
    return (CancelPlay(),)


def declare_migration(state: InisState, seat: Seat, parts: Parts) -> Form:
    source = parts[0].territory if parts else None
    if source is None:
        return Form(options=where_present(state, seat))
    return spread_from(state, source, state.clans(seat, source), parts[1:])


def migration(state: InisState, play: Play) -> Steps:
    """Clans of one territory go to any adjacent ones; clash in each."""
    source = play.parts[0].territory if play.parts else None
    moves = [
        Move(seat=play.seat, territory=source, to=part.to, amount=part.amount)
        for part in play.parts[1:]
        if source and part.to and part.amount
    ]
    return marching(state, play.seat, moves, clash=True)


def declare_new_alliance(state: InisState, seat: Seat, parts: Parts) -> Form:
    if not state.contenders[seat].reserve:
        return NOTHING
    where = parts[0].territory if parts else None
    if where is None:
        return Form(options=where_present(state, seat))
    clans = state.lands[where].clans
    rivals = [Seat(each) for each in range(state.seats) if each != seat and clans[each] > 1]
    return one_of((Part(option="place"), *(Part(option="replace", owner=each) for each in rivals)))


def new_alliance(_state: InisState, play: Play) -> Steps:
    """A clan beside the others, or in place of one of an opponent who has two (house H21)."""
    if not play.parts:
        return ()
    where, how = play.parts[0].territory, play.parts[1]
    if where and how.owner is not None:
        return (ExchangeClan(play.seat, where, how.owner),)
    return (PutClan(play.seat, where),)


def declare_new_clans(state: InisState, seat: Seat, parts: Parts) -> Form:
    most = min(state.amount("new_clans"), state.contenders[seat].reserve)
    if not most:
        return NOTHING
    return Form(options=where_present(state, seat), last=len(parts) == most - 1)


def new_clans(_state: InisState, play: Play) -> Steps:
    """Two clans where you are present."""
    return tuple(PutClan(play.seat, part.territory) for part in play.parts)


def declare_sanctuary(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(where_present(state, seat))


def sanctuary(_state: InisState, play: Play) -> Steps:
    """A sanctuary, and always a tale."""
    built = tuple(BuildSanctuary(part.territory) for part in play.parts if part.territory)
    return (*built, Draw(seat=play.seat, amount=1))


def declare_warlord(state: InisState, seat: Seat, _parts: Parts) -> Form:
    lands = state.lands
    return one_of(territories(each for each in state.present_in(seat) if lands[each].players > 1))


def warlord(state: InisState, play: Play) -> Steps:
    """Season: a clash where you and an opponent are. Triskel: a clan, and you name who is next (house H16)."""
    if play.season:
        where = tuple(part.territory for part in play.parts if part.territory)
        return (Clashes(instigator=play.seat, territories=where),)
    territory = state.clash.territory if state.clash else None
    return (PutClan(play.seat, territory), NamePlayer(seat=play.seat, purpose="next"))


def declare_emissaries(state: InisState, seat: Seat, _parts: Parts) -> Form:
    present = state.present_in(seat)
    return one_of(Part(territory=each, to=target) for each in present for target in state.ways(each))


def emissaries(state: InisState, play: Play) -> Steps:
    """A clan moves, and there is no clash."""
    moves = [
        Move(seat=play.seat, territory=part.territory, to=part.to, amount=1)
        for part in play.parts
        if part.territory and part.to
    ]
    return marching(state, play.seat, moves, clash=False)


def master_craftsman(_state: InisState, play: Play) -> Steps:
    """Season: a card for a tale. Triskel: the tale just played goes to an opponent, and you gain a deed."""
    if play.season:
        return (DiscardCard(seat=play.seat, any_kind=True), Draw(seat=play.seat, amount=1))
    return (GivePlay(seat=play.seat), GainDeed(play.seat))


def raid(_state: InisState, play: Play) -> Steps:
    """A random Action card of the player you attacked, or else an exposed clan."""
    return (RaidHand(play.seat),)


def declare_scouts_spies(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(Part(owner=Seat(each)) for each in range(state.seats) if each != seat)


def scouts_spies(_state: InisState, play: Play) -> Steps:
    """See an opponent's Action cards; then you may move (house H9)."""
    seen = tuple(SeeHand(play.seat, part.owner) for part in play.parts if part.owner is not None)
    return (*seen, SpyMove(seat=play.seat))


EFFECTS: Final[Mapping[str, Effect]] = {
    "bard": bard,
    "citadel": citadel,
    "conquest": conquest,
    "craftsmen_peasants": craftsmen_peasants,
    "druid": druid,
    "exploration": exploration,
    "festival": festival,
    "geis": geis,
    "migration": migration,
    "new_alliance": new_alliance,
    "new_clans": new_clans,
    "sanctuary": sanctuary,
    "warlord": warlord,
    "emissaries": emissaries,
    "master_craftsman": master_craftsman,
    "raid": raid,
    "scouts_spies": scouts_spies,
}
FORMS: Final[Mapping[str, Declaration]] = {
    "citadel": declare_citadel,
    "conquest": declare_conquest,
    "craftsmen_peasants": declare_craftsmen_peasants,
    "festival": declare_festival,
    "migration": declare_migration,
    "new_alliance": declare_new_alliance,
    "new_clans": declare_new_clans,
    "sanctuary": declare_sanctuary,
    "warlord": declare_warlord,
    "emissaries": declare_emissaries,
    "scouts_spies": declare_scouts_spies,
}
