"""What the game becomes by clans, buildings and clashes."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.inis.events.board import (
    AttackDeclared,
    CauldronEmptied,
    CauldronSet,
    CitadelBuilt,
    CitadelsEmptied,
    ClanExchanged,
    ClanPlaced,
    ClanReappeared,
    ClanRemoved,
    ClanSaved,
    ClanSheltered,
    ClansMoved,
    ClashEnded,
    ClashStarted,
    FestivalHeld,
    PeaceVoted,
    SanctuaryBuilt,
    ShelterDeclined,
    WithdrawalDeclared,
)
from events.inis.vocabulary import CardId, TerritoryId
from events.messages import Seat
from workers.inis.agenda import changed, done
from workers.inis.cards.tales_of_clash import withdrawal
from workers.inis.changes import added, clans_changed, discarded, with_contender, with_land
from workers.inis.phases.clash import AFTER_MANEUVER, COURSE, running
from workers.inis.state import InisState
from workers.inis.state.pieces import Cauldron, Clash, Fight
from workers.inis.steps.board import EmptyCauldron, Remove, TakeOff
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.clash import Citadels, Defence, Maneuver, Peace

# Clans


def clan_placed(state: InisState, event: ClanPlaced) -> InisState:
    return done(
        state,
        lands=clans_changed(state, event.seat, event.territory, 1),
        contenders=_reserve(state, event.seat, -1),
    )


def clans_moved(state: InisState, event: ClansMoved) -> InisState:
    source, target = state.lands[event.territory], state.lands[event.to]
    lands = {
        **state.lands,
        source.id: replace(source, clans=added(source.clans, event.seat, -event.amount)),
        target.id: replace(target, clans=added(target.clans, event.seat, event.amount)),
    }
    state = done(state, lands=lands)
    return _left_clash(state, event.seat, event.territory, sheltered=event.sheltered)


def clan_removed(state: InisState, event: ClanRemoved) -> InisState:
    """The clan goes to the reserve or, once it lies open, on the Cauldron (house H34)."""
    took = state.agenda[0].maneuver
    clash, cauldron = state.clash, state.cauldron
    here = clash is not None and clash.territory == event.territory
    state = done(state, lands=clans_changed(state, event.seat, event.territory, -1))
    if cauldron is not None and cauldron.seat == event.seat and here:
        state = replace(state, cauldron=replace(cauldron, clans=cauldron.clans + 1))
    else:
        state = replace(state, contenders=_reserve(state, event.seat, 1))
        if clash is not None and here:
            state = replace(state, clash=replace(clash, lost=added(clash.lost, event.seat, 1)))
    return _taken(_left_clash(state, event.seat, event.territory), event.seat, by_maneuver=took)


def clan_exchanged(state: InisState, event: ClanExchanged) -> InisState:
    clans = added(added(state.lands[event.territory].clans, event.owner, -1), event.seat, 1)
    state = replace(state, contenders=_reserve(state, event.owner, 1))
    return done(
        state,
        lands=with_land(state, event.territory, clans=clans),
        contenders=_reserve(state, event.seat, -1),
    )


def clan_saved(state: InisState, _event: ClanSaved) -> InisState:
    return replace(state, agenda=changed(state, TakeOff, settled=True)[1:])


def clan_reappeared(state: InisState, event: ClanReappeared) -> InisState:
    """It was removed all the same (house H18)."""
    off = next(step for step in state.agenda if isinstance(step, TakeOff))
    lands = clans_changed(state, event.seat, off.territory, -1)
    state = replace(state, lands=lands, agenda=changed(state, TakeOff, settled=True)[1:])
    state = replace(state, lands=clans_changed(state, event.seat, event.territory, 1))
    return _taken(_left_clash(state, event.seat, off.territory), event.seat, by_maneuver=off.maneuver)


def cauldron_set(state: InisState, event: CauldronSet) -> InisState:
    """Clans lost before lie on it too, as far as the reserve still has them (house H34)."""
    clash = running(state)
    off = next(step for step in state.agenda if isinstance(step, TakeOff))
    back = min(clash.lost[event.seat], state.contenders[event.seat].reserve)
    *others, play = state.plays
    state = replace(
        state,
        lands=clans_changed(state, event.seat, off.territory, -1),
        contenders=_reserve(state, event.seat, -back),
        cauldron=Cauldron(seat=event.seat, territory=clash.territory, clans=back + 1),
        plays=(*others, replace(play, gone=True)),
        agenda=changed(state, TakeOff, settled=True)[1:],
    )
    return _taken(_left_clash(state, event.seat, off.territory), event.seat, by_maneuver=off.maneuver)


def cauldron_emptied(state: InisState, event: CauldronEmptied) -> InisState:
    cauldron = state.cauldron
    if cauldron is None:
        raise AssertionError("there is a Cauldron to empty")
    return done(
        discarded(state, CardId("dagdas_cauldron")),
        cauldron=None,
        lands=clans_changed(state, event.seat, cauldron.territory, event.amount),
        contenders=_reserve(state, event.seat, cauldron.clans - event.amount),
    )


def _reserve(state: InisState, seat: Seat, by: int) -> tuple[Any, ...]:
    return with_contender(state, seat, reserve=state.contenders[seat].reserve + by)


def _left_clash(state: InisState, seat: Seat, territory: TerritoryId, *, sheltered: int = 0) -> InisState:
    """Return the state with no more clans in citadels than there are; exposed ones leave first unless told."""
    clash = state.clash
    if clash is None or clash.territory != territory or not clash.protected[seat]:
        return state
    inside = min(clash.protected[seat] - sheltered, state.lands[territory].clans[seat])
    protected = added(clash.protected, seat, inside - clash.protected[seat])
    return replace(state, clash=replace(clash, protected=protected))


def _taken(state: InisState, owner: Seat, *, by_maneuver: bool) -> InisState:
    """Return the state in which a maneuver removed an opposing clan, if it did (house H18)."""
    clash = state.clash
    if not by_maneuver or clash is None or clash.maneuver is None or clash.maneuver.seat == owner:
        return state
    return replace(state, clash=replace(clash, maneuver=replace(clash.maneuver, took=True)))


# Buildings


def citadel_built(state: InisState, event: CitadelBuilt) -> InisState:
    citadels = state.lands[event.territory].citadels
    return done(
        state,
        lands=with_land(state, event.territory, citadels=citadels + 1),
        citadels=state.citadels - 1,
    )


def sanctuary_built(state: InisState, event: SanctuaryBuilt) -> InisState:
    sanctuaries = state.lands[event.territory].sanctuaries
    return done(
        state,
        lands=with_land(state, event.territory, sanctuaries=sanctuaries + 1),
        sanctuaries=state.sanctuaries - 1,
    )


def festival_held(state: InisState, event: FestivalHeld) -> InisState:
    return done(state, festival=event.territory)


ATTACK_WINDOW = OpenWindow(window="attack_declared")

# Clash


def clash_started(state: InisState, event: ClashStarted) -> InisState:
    """The instigator pays for a festival (rules, section 4.2, C0)."""
    none = (0,) * state.seats
    clash = Clash(territory=event.territory, instigator=event.instigator, protected=none, lost=none)
    fine = Remove(seat=event.instigator, territory=event.territory)
    course = [replace(step, after=event.instigator) if isinstance(step, Citadels) else step for step in COURSE]
    return done(state, *((fine,) if state.festival == event.territory else ()), *course, clash=clash)


def clan_sheltered(state: InisState, event: ClanSheltered) -> InisState:
    clash = running(state)
    return done(
        state,
        Citadels(after=event.seat),
        clash=replace(clash, protected=added(clash.protected, event.seat, 1)),
    )


def shelter_declined(state: InisState, event: ShelterDeclined) -> InisState:
    step = state.agenda[0]
    return done(state, Citadels(after=event.seat, declined=(*step.declined, event.seat)))


def citadels_emptied(state: InisState, _event: CitadelsEmptied) -> InisState:
    return done(state, clash=replace(running(state), protected=(0,) * state.seats))


def peace_voted(state: InisState, event: PeaceVoted) -> InisState:
    step = state.agenda[0]
    if event.end:
        return done(state, Peace(due=step.due, votes=(*step.votes, event.seat)))
    return done(state, Maneuver(seat=step.due))


def attack_declared(state: InisState, event: AttackDeclared) -> InisState:
    fight = Fight(seat=event.seat, target=event.target, involved=state.exposed_seats)
    return done(
        state,
        ATTACK_WINDOW,
        Defence(attacker=event.seat, target=event.target),
        *AFTER_MANEUVER,
        clash=replace(running(state), maneuver=fight),
    )


def withdrawal_declared(state: InisState, event: WithdrawalDeclared) -> InisState:
    fight = Fight(seat=event.seat, involved=state.exposed_seats)
    moves = withdrawal(state, event.seat, event.parts)
    return done(state, *moves, *AFTER_MANEUVER, clash=replace(running(state), maneuver=fight))


def clash_ended(state: InisState, _event: ClashEnded) -> InisState:
    """Clans step out of the citadels; then the Cauldron gives clans back (rules, section 4.2, C8)."""
    steps = (EmptyCauldron(seat=state.cauldron.seat),) if state.cauldron else ()
    return done(state, *steps, clash=None)
