"""The new Epic Tales (expansion, section 4.5), in the order of the document, and one whose order is clarified."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from events.inis.vocabulary import CardId, Part, TerritoryId
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import (
    Declaration,
    Effect,
    Form,
    Parts,
    amounts_to,
    marching,
    one_of,
    territories,
    where_present,
)
from workers.inis.seasons.cards.actions import shared
from workers.inis.seasons.harbors import spots
from workers.inis.seasons.steps import (
    BuildHarborAt,
    Foretell,
    MayPlaceClan,
    MoveCapital,
    PutToken,
    RaiseMist,
    RaiseSword,
    SeeAside,
    SendBran,
    SwapClans,
    TakeBanshees,
)
from workers.inis.state import MOUNTAINS, InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import EnterMountains, Move, PutClan, RevealTiles
from workers.inis.steps.cards import GainDeed
from workers.inis.steps.hands import ClaimAdvantage, CollectTribute, Draw, SeeHand

HARBOR: Final = "harbor"
NO_HARBOR: Final = Part(option="no_harbor")


def declare_pwylls_exchange(state: InisState, seat: Seat, parts: Parts) -> Form:
    source = parts[0].territory if parts else None
    if source is not None:
        return one_of(_rival_clans(state, seat, (each for each in state.lands if each != source)))
    return Form(options=[each for each in where_present(state, seat) if _has_rival_elsewhere(state, seat, each)])


def _rival_clans(state: InisState, seat: Seat, where: Iterable[TerritoryId]) -> list[Part]:
    return [
        Part(to=each, owner=Seat(owner))
        for each in where
        for owner in range(state.seats)
        if owner != seat and state.clans(Seat(owner), each)
    ]


def _has_rival_elsewhere(state: InisState, seat: Seat, part: Part) -> bool:
    return bool(_rival_clans(state, seat, (each for each in state.lands if each != part.territory)))


def pwylls_exchange(state: InisState, play: Play) -> Steps:
    """A clan of yours and one of an opponent change places; no clash."""
    if not play.parts:
        return ()
    own, other = play.parts
    if own.territory is None or other.to is None or other.owner is None:
        return ()
    entering = {play.seat: other.to, other.owner: own.territory}
    tolls = [seat for seat in state.order_from(state.brenn) if entering.get(seat) == MOUNTAINS]
    swap = SwapClans(seat=play.seat, territory=own.territory, owner=other.owner, to=other.to)
    return (swap, *(EnterMountains(seat) for seat in tolls))


def declare_cathleanns_prophecy(state: InisState, seat: Seat, _parts: Parts) -> Form:
    own = state.contenders[seat].actions
    return one_of(Part(card=card) for card in state.catalogue.action_deck(state.seats) if card not in own)


def cathleanns_prophecy(_state: InisState, play: Play) -> Steps:
    """Who holds the Action card that you name discards it; if nobody does, draw a tale."""
    return tuple(Foretell(play.seat, part.card) for part in play.parts if part.card)


def maelduins_expedition(state: InisState, play: Play) -> Steps:
    """One of two tiles comes into play where you like, with a clan of yours."""
    return (RevealTiles(play.seat, state.amount("maelduins_expedition")),)


def declare_sacred_hill_of_tara(state: InisState, _seat: Seat, _parts: Parts) -> Form:
    return one_of(
        Part(territory=land.id)
        for land in state.lands.values()
        if land.id != state.capital and land.citadels and land.sanctuaries
    )


def sacred_hill_of_tara(_state: InisState, play: Play) -> Steps:
    """The Capital and a citadel change places."""
    return tuple(MoveCapital(part.territory) for part in play.parts if part.territory)


def declare_machas_curse(state: InisState, _seat: Seat, _parts: Parts) -> Form:
    return one_of(territories(state.lands))


def machas_curse(_state: InisState, play: Play) -> Steps:
    """Nobody shelters there, and many clans answer with a clan."""
    return tuple(PutToken("macha", part.territory) for part in play.parts if part.territory)


def nuadas_sword(_state: InisState, _play: Play) -> Steps:
    """The attacked player loses a clan, and has no answer."""
    return (RaiseSword(),)


def feth_fiada(_state: InisState, play: Play) -> Steps:
    """All your clans here are hidden until the clash ends."""
    return (RaiseMist(play.seat),)


def cormac_mac_airt(state: InisState, play: Play) -> Steps:
    """Opponents in the capital that you lead may place a clan there; you gain a deed."""
    capital = state.lands[state.capital] if state.capital else None
    if capital is None or capital.chieftain != play.seat or capital.players == 1:
        return ()
    guests = [seat for seat in state.order_from(state.brenn) if seat != play.seat and capital.clans[seat]]
    return (*(MayPlaceClan(seat=seat, territory=capital.id) for seat in guests), GainDeed(play.seat))


def declare_brans_journey(state: InisState, seat: Seat, _parts: Parts) -> Form:
    waiting = state.more is not None and state.more.bran is not None
    most = state.amount("brans_journey")
    return one_of(
        Part(territory=each, amount=amount)
        for each in (() if waiting else state.present_in(seat))
        for amount in range(1, min(most, state.clans(seat, each)) + 1)
    )


def brans_journey(_state: InisState, play: Play) -> Steps:
    """Some clans are out of time until the season ends."""
    return tuple(
        SendBran(play.seat, each.territory, each.amount) for each in play.parts if each.territory and each.amount
    )


def declare_sons_of_mile(state: InisState, seat: Seat, parts: Parts) -> Form:
    if not parts:
        return Form(options=(NO_HARBOR, *_new_harbors(state, seat)))
    harbors = dict.fromkeys(state.more.harbors if state.more is not None else ())
    if parts[0].territory:
        harbors[parts[0].territory] = None
    source = parts[1].territory if len(parts) > 1 else None
    if source is None:
        own = [each for each in harbors if state.clans(seat, each)]
        return Form(options=territories(own) if len(harbors) > 1 else (), enough=True)
    return one_of(amounts_to((each for each in harbors if each != source), state.clans(seat, source)))


def _new_harbors(state: InisState, seat: Seat) -> list[Part]:
    return [
        Part(option=HARBOR, territory=each, location=spot)
        for each in state.present_in(seat)
        for spot in spots(state, each)
    ]


def sons_of_mile(state: InisState, play: Play) -> Steps:
    """A harbor, then clans from one harbor to another; clash."""
    if not play.parts:
        return ()
    harbor, *voyage = play.parts
    built = (BuildHarborAt(harbor.territory, harbor.location),) if harbor.territory and harbor.location else ()
    source = voyage[0].territory if voyage else None
    moves = [
        Move(seat=play.seat, territory=source, to=part.to, amount=part.amount)
        for part in voyage[1:]
        if source and part.to and part.amount
    ]
    return (*built, *marching(state, play.seat, moves, clash=True))


def declare_the_banshee(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(where_present(state, seat))


def the_banshee(_state: InisState, play: Play) -> Steps:
    """A clan; then everybody is told of a death to come."""
    return (*(PutClan(play.seat, part.territory) for part in play.parts), TakeBanshees())


def declare_branwens_marriage(state: InisState, seat: Seat, _parts: Parts) -> Form:
    most = min(state.amount("branwens_marriage"), state.contenders[seat].reserve)
    return one_of(
        Part(territory=each, owner=Seat(owner), amount=amount)
        for each in shared(state)
        if state.clans(seat, each)
        for owner in range(state.seats)
        if owner != seat and state.clans(Seat(owner), each)
        for amount in range(most + 1)
    )


def branwens_marriage(_state: InisState, play: Play) -> Steps:
    """Up to two clans of yours, and one of the opponent, where both of you are."""
    if not play.parts:
        return ()
    part = play.parts[0]
    if part.territory is None or part.owner is None:
        return ()
    own = (PutClan(play.seat, part.territory),) * (part.amount or 0)
    return (*own, MayPlaceClan(seat=part.owner, territory=part.territory))


def declare_children_of_lir(state: InisState, seat: Seat, parts: Parts) -> Form:
    source = parts[0].territory if parts else None
    if source is not None:
        return one_of(Part(to=each) for each in state.lands if each != source)
    return Form(
        options=[
            Part(territory=each, owner=Seat(owner))
            for each in state.present_in(seat)
            for owner in range(state.seats)
            if owner != seat and state.clans(Seat(owner), each)
        ]
    )


def children_of_lir(_state: InisState, play: Play) -> Steps:
    """An opposing clan from where you are goes anywhere; no clash."""
    if not play.parts:
        return ()
    clan, target = play.parts[0], play.parts[1].to
    if clan.territory is None or clan.owner is None or target is None:
        return ()
    entered = (EnterMountains(clan.owner),) if target == MOUNTAINS else ()
    return (Move(seat=clan.owner, territory=clan.territory, to=target, amount=1), *entered)


def declare_finns_wisdom(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(Part(owner=Seat(each)) for each in range(state.seats) if each != seat)


def finns_wisdom(_state: InisState, play: Play) -> Steps:
    """See an opponent's hand and the card set aside; then draw a tale."""
    owner = play.parts[0].owner if play.parts else None
    if owner is None:
        return ()
    seen = (SeeHand(play.seat, owner), SeeHand(play.seat, owner, tales=True), SeeAside(play.seat))
    return (*seen, Draw(seat=play.seat, amount=1))


def declare_brown_bull_of_cooley(state: InisState, seat: Seat, _parts: Parts) -> Form:
    others = [each for owner, each in enumerate(state.contenders) if owner != seat]
    held = [card for each in others for card in each.advantages]
    return one_of(territories(each for each in state.present_in(seat) if CardId(each) in held))


def brown_bull_of_cooley(_state: InisState, play: Play) -> Steps:
    """An opponent's Advantage card of where you are is yours."""
    return tuple(ClaimAdvantage(play.seat, CardId(part.territory)) for part in play.parts if part.territory)


def maeves_wealth(state: InisState, play: Play) -> Steps:
    """As in the base game, but what concerns several begins at the Brenn (expansion, section 3.1)."""
    order = state.order_from(state.brenn)
    givers = tuple(each for each in order if each != play.seat and state.contenders[each].actions)
    return (CollectTribute(seat=play.seat, givers=givers),)


EFFECTS: Final[Mapping[str, Effect]] = {
    "pwylls_exchange": pwylls_exchange,
    "cathleanns_prophecy": cathleanns_prophecy,
    "maelduins_expedition": maelduins_expedition,
    "sacred_hill_of_tara": sacred_hill_of_tara,
    "machas_curse": machas_curse,
    "nuadas_sword": nuadas_sword,
    "feth_fiada": feth_fiada,
    "cormac_mac_airt": cormac_mac_airt,
    "brans_journey": brans_journey,
    "sons_of_mile": sons_of_mile,
    "the_banshee": the_banshee,
    "branwens_marriage": branwens_marriage,
    "children_of_lir": children_of_lir,
    "finns_wisdom": finns_wisdom,
    "brown_bull_of_cooley": brown_bull_of_cooley,
    "maeves_wealth": maeves_wealth,
}
FORMS: Final[Mapping[str, Declaration]] = {
    "pwylls_exchange": declare_pwylls_exchange,
    "cathleanns_prophecy": declare_cathleanns_prophecy,
    "sacred_hill_of_tara": declare_sacred_hill_of_tara,
    "machas_curse": declare_machas_curse,
    "brans_journey": declare_brans_journey,
    "sons_of_mile": declare_sons_of_mile,
    "the_banshee": declare_the_banshee,
    "branwens_marriage": declare_branwens_marriage,
    "children_of_lir": declare_children_of_lir,
    "finns_wisdom": declare_finns_wisdom,
    "brown_bull_of_cooley": declare_brown_bull_of_cooley,
}
