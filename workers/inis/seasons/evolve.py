"""What the game becomes by the events of the expansion, and what it adds to those of the base game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from events.inis.events.board import CauldronSet, ClanReappeared, ClanRemoved, ClansMoved
from events.inis.events.cards import CardTaken
from events.inis.events.rounds import ActionsDealt, AsideChosen
from events.inis.events.seasons import (
    AsideSeen,
    BansheeReturned,
    BansheesTaken,
    BeltaineMoved,
    BranDeparted,
    BranReturned,
    CapitalMoved,
    CardForetold,
    ClansSwapped,
    HarborBuilt,
    KingsCrowned,
    KingTileTurned,
    SeasonDrawn,
    TaleRecovered,
    TalesKept,
    TokenPut,
    TokensCleared,
    WheelTurned,
)
from events.inis.vocabulary import CardId, Location, TerritoryId
from events.messages import Event, Seat
from workers.inis.agenda import done
from workers.inis.changes import added, discarded, from_hand, to_hand, without
from workers.inis.seasons.beltaine import march
from workers.inis.seasons.more import Bran, Expansion
from workers.inis.state import InisState


def more_of(state: InisState) -> Expansion:
    """Return the state of the expansion at a table that has it."""
    if state.more is None:
        raise AssertionError("this is a table of the expansion")
    return state.more


def with_more(state: InisState, **fields: Any) -> Expansion:  # noqa: ANN401  fields of the expansion
    """Return the state of the expansion, changed."""
    return replace(more_of(state), **fields)


# Seasons and the King tile


def season_drawn(state: InisState, event: SeasonDrawn) -> InisState:
    return done(state, more=with_more(state, season=event.season))


def wheel_turned(state: InisState, event: WheelTurned) -> InisState:
    return done(state, more=with_more(state, season=event.season))


def token_put(state: InisState, event: TokenPut) -> InisState:
    where = {"fili": "fili_at", "macha": "macha_at"}[event.token]
    return done(state, more=with_more(state, **{where: event.territory}))


def tokens_cleared(state: InisState, _event: TokensCleared) -> InisState:
    return done(state, more=with_more(state, fili_at=None, macha_at=None))


def king_tile_turned(state: InisState, event: KingTileTurned) -> InisState:
    contenders = tuple(
        replace(each, deeds=each.deeds + 1) if Seat(seat) in event.seats else each
        for seat, each in enumerate(state.contenders)
    )
    return done(state, contenders=contenders, more=with_more(state, king_tile="need"))


def kings_crowned(state: InisState, event: KingsCrowned) -> InisState:
    return replace(state, phase="over", agenda=(), more=with_more(state, winners=event.seats))


def beltaine_moved(state: InisState, event: BeltaineMoved) -> InisState:
    """A turn that is no pass (expansion, section 3.4)."""
    return done(state, *march(state, event.seat, event.parts), passed=())


# The sea


def harbor_built(state: InisState, event: HarborBuilt) -> InisState:
    harbors: dict[TerritoryId, Location] = {**more_of(state).harbors, event.territory: event.spot}
    return done(state, more=with_more(state, harbors=harbors))


# Cards


def clans_swapped(state: InisState, event: ClansSwapped) -> InisState:
    lands = dict(state.lands)
    for seat, source, target in ((event.seat, event.territory, event.to), (event.owner, event.to, event.territory)):
        lands[source] = replace(lands[source], clans=added(lands[source].clans, seat, -1))
        lands[target] = replace(lands[target], clans=added(lands[target].clans, seat, 1))
    return done(state, lands=lands)


def card_foretold(state: InisState, event: CardForetold) -> InisState:
    return done(discarded(from_hand(state, event.seat, event.card), event.card))


def capital_moved(state: InisState, event: CapitalMoved) -> InisState:
    """The numbers of citadels stay, since the Capital counts as one."""
    return done(state, capital=event.territory)


def aside_seen(state: InisState, event: AsideSeen) -> InisState:
    """Who has looked goes on knowing the card."""
    known = more_of(state).aside_seen
    return done(state, more=with_more(state, aside_seen=known if event.seat in known else (*known, event.seat)))


def tale_recovered(state: InisState, event: TaleRecovered) -> InisState:
    state = replace(state, discards=without(state.discards, event.card))
    return done(to_hand(state, event.seat, event.card))


def tales_kept(state: InisState, event: TalesKept) -> InisState:
    rest = without(state.agenda[0].drawn, *event.cards)
    return done(to_hand(state, event.seat, *event.cards), discards=(*state.discards, *rest))


def banshees_taken(state: InisState, event: BansheesTaken) -> InisState:
    return done(state, more=with_more(state, banshee=(*more_of(state).banshee, *event.seats)))


def banshee_returned(state: InisState, event: BansheeReturned) -> InisState:
    return done(state, more=_without_banshee(state, event.seat))


def _without_banshee(state: InisState, seat: Seat) -> Expansion:
    return with_more(state, banshee=tuple(each for each in more_of(state).banshee if each != seat))


def bran_departed(state: InisState, event: BranDeparted) -> InisState:
    """The card stays on the table (expansion, section 4.5, Bran's Journey)."""
    land = state.lands[event.territory]
    *others, play = state.plays
    return done(
        state,
        lands={**state.lands, land.id: replace(land, clans=added(land.clans, event.seat, -event.amount))},
        more=with_more(state, bran=Bran(seat=event.seat, clans=event.amount)),
        plays=(*others, replace(play, gone=True)),
    )


def bran_returned(state: InisState, event: BranReturned) -> InisState:
    land, clans = state.lands[event.territory], more_of(state).stored(event.seat)
    return done(
        discarded(state, CardId("brans_journey")),
        lands={**state.lands, land.id: replace(land, clans=added(land.clans, event.seat, clans))},
        more=with_more(state, bran=None),
    )


FUNCTIONS: Final = (
    season_drawn,
    wheel_turned,
    token_put,
    tokens_cleared,
    king_tile_turned,
    kings_crowned,
    beltaine_moved,
    harbor_built,
    clans_swapped,
    card_foretold,
    capital_moved,
    aside_seen,
    tale_recovered,
    tales_kept,
    banshees_taken,
    banshee_returned,
    bran_departed,
    bran_returned,
)


# What events of the base game bring about beside


def clan_gone(state: InisState, event: ClanRemoved | ClanReappeared | CauldronSet) -> InisState:
    """The Banshee has its clan; no more clans are hidden than there are (expansion, section 4.5)."""
    if event.seat in more_of(state).banshee:
        state = replace(state, more=_without_banshee(state, event.seat))
    return _fewer_hidden(state, event.seat)


def clans_left(state: InisState, event: ClansMoved) -> InisState:
    clash = state.clash
    if clash is None or clash.territory != event.territory:
        return state
    return _fewer_hidden(state, event.seat, sheltered=event.sheltered)


def _fewer_hidden(state: InisState, seat: Seat, *, sheltered: int = 0) -> InisState:
    """Exposed clans leave first, unless told (expansion, section 4.5, Féth fíada)."""
    clash, mist = state.clash, more_of(state).mist
    if clash is None or not mist or not mist[seat]:
        return state
    left = min(mist[seat] - sheltered, state.lands[clash.territory].clans[seat])
    return replace(state, more=with_more(state, mist=added(mist, seat, left - mist[seat])))


def another_aside(state: InisState, _event: AsideChosen | ActionsDealt) -> InisState:
    """Nobody has looked at the card that is set aside now."""
    return replace(state, more=with_more(state, aside_seen=()))


def aside_taken(state: InisState, event: CardTaken) -> InisState:
    return replace(state, more=with_more(state, aside_seen=())) if event.aside else state


_AFTER: Final[Mapping[type[Event], Callable[[InisState, Any], InisState]]] = {
    ClanRemoved: clan_gone,
    ClanReappeared: clan_gone,
    CauldronSet: clan_gone,
    ClansMoved: clans_left,
    AsideChosen: another_aside,
    ActionsDealt: another_aside,
    CardTaken: aside_taken,
}


def afterwards(state: InisState, event: Event) -> InisState:
    """Return the state after an event that is applied, with what it means to the expansion."""
    after = _AFTER.get(type(event))
    return after(state, event) if after else state
