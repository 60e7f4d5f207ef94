"""What the expansion changes in a clash: Fili, Macha's Curse, Coalition, Nuada's Sword and Féth fíada (section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.cards import ChoiceMade
from events.inis.events.seasons import TokenPut
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Lore, Steps, done
from workers.inis.phases.clash import (
    after_maneuver,
    defence,
    due_clashes,
    first_maneuver,
    running,
    skip_citadels,
    skip_clash,
)
from workers.inis.seasons.almanac import SHORT_MARCHES, effect
from workers.inis.seasons.evolve import more_of, with_more
from workers.inis.seasons.steps import CoalitionClash, CoalitionJoin, PutToken, RaiseMist, RaiseSword
from workers.inis.state import MOUNTAINS, InisState
from workers.inis.steps.board import EnterMountains, Move, Remove, TakeOff
from workers.inis.steps.clash import (
    AfterManeuver,
    Citadels,
    Clashes,
    Defence,
    EndClash,
    FirstManeuver,
    StartClash,
)
from workers.inis.steps.hands import DiscardCard
from workers.kit.decider import Context


def put_token(_state: InisState, step: PutToken, _context: Context) -> InisEvent:
    return TokenPut(token=step.token, territory=step.territory)


# Fili


def peaceful_clashes(state: InisState, step: Clashes) -> InisState | None:
    """No clash can be started where the Fili is (section 3.4)."""
    possible = tuple(each for each in step.territories if each != more_of(state).fili_at)
    return due_clashes(state, replace(step, territories=possible))


def skip_peaceful_clash(state: InisState, step: StartClash) -> InisState | None:
    return done(state) if step.territory == more_of(state).fili_at else skip_clash(state, step)


# Coalition


def skip_joining(state: InisState, step: CoalitionJoin) -> InisState | None:
    return None if state.clans(step.seat, step.territory) else done(state, *_landings(state, step, joined=False))


def followers(state: InisState, step: CoalitionJoin, seat: Seat) -> Sequence[Part]:
    """In winter the partner, too, moves few clans."""
    clans = state.clans(seat, step.territory)
    most = min(clans, state.amount("samhain")) if effect(state) == SHORT_MARCHES else clans
    return [Part(amount=amount) for amount in range(most + 1)]


def join(_state: InisState, _step: CoalitionJoin, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def joined(state: InisState, step: CoalitionJoin, part: Part) -> InisState:
    amount = part.amount or 0
    moves = (Move(seat=step.seat, territory=step.territory, to=step.to, amount=amount),) if amount else ()
    return done(state, *moves, *_landings(state, step, joined=amount > 0))


def _landings(state: InisState, step: CoalitionJoin, *, joined: bool) -> Steps:
    """Return the Mountains for each owner who moved in (section 4.1, Coalition)."""
    owners = (step.leader, step.seat) if joined else (step.leader,)
    order = state.order_from(state.brenn)
    return tuple(EnterMountains(seat) for seat in order if seat in owners and step.to == MOUNTAINS)


def coalition_clash(state: InisState, step: CoalitionClash) -> InisState:
    """Only with a third party, and the leader still there (house)."""
    allies = (step.leader, step.partner)
    clans = state.lands[step.territory].clans
    third = any(clans[seat] for seat in range(state.seats) if seat not in allies)
    if not third or not clans[step.leader] or step.territory == more_of(state).fili_at:
        return done(state)
    return done(state, StartClash(step.territory, step.leader), more=with_more(state, allies=allies))


def shelter_of_few(state: InisState, step: Citadels) -> InisState | None:
    """Nobody shelters under Macha's Curse; allies never do."""
    more = more_of(state)
    if running(state).territory == more.macha_at:
        return done(state)
    refused = tuple(each for each in more.allies if each not in step.declined)
    if refused:
        return done(state, replace(step, declined=(*step.declined, *refused)))
    return skip_citadels(state, step)


def begin_unless_allied(state: InisState, step: FirstManeuver) -> InisState:
    return done(state) if _allies_alone(state) else first_maneuver(state, step)


def go_on_unless_allied(state: InisState, step: AfterManeuver) -> InisState:
    return done(state) if _allies_alone(state) else after_maneuver(state, step)


def _allies_alone(state: InisState) -> bool:
    """Return whether only the two allies have exposed clans left; a lone player decides as ever."""
    allies = more_of(state).allies
    return bool(allies) and set(state.exposed_seats) == set(allies)


# Attacks


def sworn_defence(state: InisState, step: Defence) -> InisState | None:
    """A clan is lost without a choice by the Sword, or with two clans under the Curse (section 4.5)."""
    more, here = more_of(state), running(state).territory
    if step.ignored:
        return defence(state, step)
    if more.sword:
        loss = TakeOff(seat=step.target, territory=here, exposed=True, maneuver=True)
        card = (DiscardCard(seat=step.target),) if step.both else ()
        return done(state, loss, *card, more=with_more(state, sword=False))
    if here == more.macha_at and not step.both and state.clans(step.target, here) > 1:
        return done(state, Remove(seat=step.target, territory=here, exposed=True, maneuver=True))
    return defence(state, step)


def raise_sword(state: InisState, _step: RaiseSword) -> InisState:
    return done(state, more=with_more(state, sword=True))


def raise_mist(state: InisState, step: RaiseMist) -> InisState:
    """Hidden clans occupy no citadel."""
    clash = running(state)
    mist = list(more_of(state).mist or (0,) * state.seats)
    mist[step.seat] = state.clans(step.seat, clash.territory)
    protected = tuple(0 if seat == step.seat else each for seat, each in enumerate(clash.protected))
    return done(state, clash=replace(clash, protected=protected), more=with_more(state, mist=tuple(mist)))


def forget_clash(state: InisState, _step: EndClash) -> InisState | None:
    """What holds until the end of a clash is over."""
    more = more_of(state)
    if not (more.allies or more.mist or more.sword):
        return None
    return done(state, EndClash(), more=replace(more, allies=(), mist=(), sword=False))


LORE = Lore(
    silent={
        Clashes: peaceful_clashes,
        StartClash: skip_peaceful_clash,
        CoalitionJoin: skip_joining,
        CoalitionClash: coalition_clash,
        Citadels: shelter_of_few,
        FirstManeuver: begin_unless_allied,
        AfterManeuver: go_on_unless_allied,
        Defence: sworn_defence,
        RaiseSword: raise_sword,
        RaiseMist: raise_mist,
        EndClash: forget_clash,
    },
    happens={PutToken: put_token},
    options={CoalitionJoin: followers},
    answers={CoalitionJoin: join},
    choices={CoalitionJoin: joined},
)
