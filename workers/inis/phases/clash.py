"""The clash machine (rules, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.board import CauldronEmptied, CitadelsEmptied, ClashEnded, ClashStarted
from events.inis.events.cards import CardDiscarded, ChoiceMade
from events.inis.vocabulary import CardId, Part
from events.messages import Seat
from workers.inis.agenda import Lore, Steps, changed, done
from workers.inis.cards.tales_of_clash import may_maneuver
from workers.inis.state import InisState
from workers.inis.state.pieces import Clash
from workers.inis.steps.board import EmptyCauldron, Remove
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.clash import (
    AfterManeuver,
    Citadels,
    Clashes,
    ClubChoice,
    Defence,
    Defend,
    EmptyCitadels,
    EndClash,
    FirstManeuver,
    IgnoreAttack,
    MakePeace,
    NamePlayer,
    Peace,
    PickClash,
    RaidHand,
    RaiseSpear,
    StartClash,
    StopClash,
    TakeShelter,
    TightenAttack,
)
from workers.inis.steps.hands import DiscardCard, Steal
from workers.kit.decider import Context, Prompt

LOSE_CLAN = Part(option="clan")
LOSE_CARD = Part(option="card")
AFTER_MANEUVER: Steps = (OpenWindow(window="maneuver_done"), AfterManeuver())
COURSE: Steps = (
    OpenWindow(window="clash_start"),
    Citadels(after=Seat(0)),
    OpenWindow(window="citadels_end"),
    OpenWindow(window="resolution_start"),
    FirstManeuver(),
    EndClash(),
)
"""What comes of a clash after the festival (rules, section 4.2); the citadels step begins after the instigator."""


def running(state: InisState) -> Clash:
    if state.clash is None:
        raise AssertionError("a clash is under way")
    return state.clash


# How it starts


def due_clashes(state: InisState, step: Clashes) -> InisState | None:
    """The instigator picks when several are possible (rules, section 4.1)."""
    possible = tuple(each for each in step.territories if _may_start(state, each, step.instigator))
    if len(possible) > 1:
        return done(state, PickClash(seat=step.instigator, territories=possible))
    return done(state, *(StartClash(each, step.instigator) for each in possible))


def _may_start(state: InisState, territory: str, instigator: Seat) -> bool:
    """Two players must be there, the instigator among them (house H12)."""
    land = next(each for each in state.lands.values() if each.id == territory)
    return land.clans[instigator] > 0 and land.players > 1


def pending(_state: InisState, step: PickClash, _seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in step.territories]


def choose(_state: InisState, _step: PickClash | NamePlayer, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def clash_picked(state: InisState, step: PickClash, part: Part) -> InisState:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    rest = tuple(each for each in step.territories if each != part.territory)
    return done(state, StartClash(part.territory, step.seat), Clashes(instigator=step.seat, territories=rest))


def skip_clash(state: InisState, step: StartClash) -> InisState | None:
    return None if _may_start(state, step.territory, step.instigator) else done(state)


def start_clash(_state: InisState, step: StartClash, _context: Context) -> InisEvent:
    return ClashStarted(territory=step.territory, instigator=step.instigator)


# C2 citadels


def next_to_shelter(state: InisState, step: Citadels) -> Seat | None:
    """Return who is asked next; the instigator never is (rules, section 4.2, C2)."""
    clash = running(state)
    if state.lands[clash.territory].citadels <= sum(clash.protected):
        return None
    order = state.order_from(step.after)
    for seat in (*order[1:], order[0]):
        if seat != clash.instigator and seat not in step.declined and state.exposed(seat):
            return seat
    return None


def skip_citadels(state: InisState, step: Citadels) -> InisState | None:
    return done(state) if next_to_shelter(state, step) is None else None


def ask_shelter(state: InisState, step: Citadels) -> Mapping[Seat, Prompt]:
    seat = next_to_shelter(state, step)
    return {} if seat is None else {seat: SHELTER}


def empty_citadels(_state: InisState, _step: EmptyCitadels, _context: Context) -> InisEvent:
    return CitadelsEmptied()


def raise_spear(state: InisState, _step: RaiseSpear) -> InisState:
    return done(state, clash=replace(running(state), spear=True))


# C5 peace check


def first_maneuver(state: InisState, _step: FirstManeuver) -> InisState:
    """The instigator, or the next who has an exposed clan (rules, section 4.2, C4)."""
    return _next_peace(state, state.order_from(running(state).instigator))


def _next_peace(state: InisState, order: Sequence[Seat]) -> InisState:
    clash = replace(running(state), named=None)
    due = next((seat for seat in order if state.exposed(seat)), None)
    if due is None:
        return done(state, clash=replace(clash, acting=None, maneuver=None))
    return done(state, Peace(due=due), clash=replace(clash, acting=due, maneuver=None))


def next_to_vote(state: InisState, step: Peace) -> Seat | None:
    """Return who is asked next, from who is due to maneuver on (house H15)."""
    return next((seat for seat in state.order_from(step.due) if state.exposed(seat) and seat not in step.votes), None)


def agree(state: InisState, step: Peace) -> InisState | None:
    return done(state) if next_to_vote(state, step) is None else None


def ask_peace(state: InisState, step: Peace) -> Mapping[Seat, Prompt]:
    seat = next_to_vote(state, step)
    return {} if seat is None else {seat: PEACE}


def may_fight(state: InisState, seat: Seat) -> bool:
    """A lone player fights on only with a maneuver to make (rules, section 4.2, C5)."""
    return len(state.exposed_seats) > 1 or may_withdraw(state, seat) or bool(epic_maneuvers(state, seat))


# C6 maneuver


def targets(state: InisState, seat: Seat) -> Sequence[Seat]:
    spared = () if state.more is None else state.more.spared_by(seat)
    return [each for each in state.exposed_seats if each != seat and each not in spared]


def may_withdraw(state: InisState, seat: Seat) -> bool:
    return bool(state.led_beside(seat, running(state).territory))


def epic_maneuvers(state: InisState, seat: Seat) -> Sequence[CardId]:
    return [card for card in state.contenders[seat].tales if may_maneuver(state, seat, card)]


def tighten_attack(state: InisState, step: TightenAttack) -> InisState:
    change = {"both": True} if step.both else {"attacker_says": True}
    return replace(state, agenda=changed(state, Defence, **change)[1:])


def ignore_attack(state: InisState, _step: IgnoreAttack) -> InisState:
    return replace(state, agenda=changed(state, Defence, ignored=True)[1:])


def defence(state: InisState, step: Defence) -> InisState | None:
    """What is lost without a choice (rules, section 4.2, C6, and house H26)."""
    has_card = bool(state.contenders[step.target].actions)
    loss = Remove(seat=step.target, territory=running(state).territory, exposed=True, maneuver=True)
    if step.ignored:
        return done(state)
    if step.both:
        return done(state, loss, DiscardCard(seat=step.target))
    return None if has_card else done(state, loss)


def ask_defence(_state: InisState, step: Defence) -> Mapping[Seat, Prompt]:
    return {step.attacker: CLUB} if step.attacker_says else {step.target: DEFEND}


def losses(state: InisState, step: Defence, seat: Seat) -> Sequence[Part]:
    clan = [LOSE_CLAN] if state.exposed(step.target) else []
    if step.attacker_says:
        return [*clan, LOSE_CARD]
    return [*clan, *(Part(card=card) for card in state.contenders[seat].actions)]


def lose(_state: InisState, _step: Defence, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part) if part.card is None else CardDiscarded(seat=seat, card=part.card)


def loss_chosen(state: InisState, step: Defence, part: Part) -> InisState:
    if part == LOSE_CARD:
        return done(state, DiscardCard(seat=step.target))
    return done(state, Remove(seat=step.target, territory=running(state).territory, exposed=True, maneuver=True))


# C7 after a maneuver


def raid_hand(state: InisState, step: RaidHand) -> InisState:
    """Clans removed by Raid are not removed by the maneuver (house H18)."""
    clash = running(state)
    target = clash.maneuver.target if clash.maneuver else None
    if target is None:
        return done(state)
    if state.contenders[target].actions:
        return done(state, Steal(step.seat, target))
    return done(state, Remove(seat=target, territory=clash.territory, exposed=True))


def exposed_players(state: InisState, _step: NamePlayer, _seat: Seat) -> Sequence[Part]:
    return [Part(owner=each) for each in state.exposed_seats]


def skip_naming(state: InisState, _step: NamePlayer) -> InisState | None:
    return None if state.exposed_seats else done(state)


def player_named(state: InisState, step: NamePlayer, part: Part) -> InisState:
    clash = running(state)
    if step.purpose == "instigator":
        return done(state, clash=replace(clash, instigator=Seat(part.owner or 0)))
    return done(state, clash=replace(clash, named=part.owner))


def stop_clash(state: InisState, _step: StopClash) -> InisState:
    return done(state, clash=replace(running(state), over=True))


def after_maneuver(state: InisState, _step: AfterManeuver) -> InisState:
    """Who was named, or the next in turn order (rules, section 4.2, C7)."""
    clash = running(state)
    if clash.over or clash.maneuver is None:
        return done(state)
    if clash.named is not None:
        return _next_peace(state, state.order_from(clash.named))
    order = state.order_from(clash.maneuver.seat)
    return _next_peace(state, (*order[1:], order[0]))


# C8 end


def end_clash(_state: InisState, _step: EndClash, _context: Context) -> InisEvent:
    return ClashEnded()


def returning(state: InisState, _step: EmptyCauldron, _seat: Seat) -> Sequence[Part]:
    clans = state.cauldron.clans if state.cauldron else 0
    return [Part(amount=amount) for amount in range(min(clans, state.amount("dagdas_cauldron")) + 1)]


def empty_cauldron(_state: InisState, _step: EmptyCauldron, seat: Seat, part: Part) -> InisEvent:
    return CauldronEmptied(seat=seat, amount=part.amount or 0)


SHELTER, PEACE, CLUB, DEFEND = TakeShelter(), MakePeace(), ClubChoice(), Defend()

LORE = Lore(
    silent={
        Clashes: due_clashes,
        StartClash: skip_clash,
        Citadels: skip_citadels,
        RaiseSpear: raise_spear,
        FirstManeuver: first_maneuver,
        Peace: agree,
        TightenAttack: tighten_attack,
        IgnoreAttack: ignore_attack,
        Defence: defence,
        RaidHand: raid_hand,
        NamePlayer: skip_naming,
        StopClash: stop_clash,
        AfterManeuver: after_maneuver,
    },
    happens={StartClash: start_clash, EmptyCitadels: empty_citadels, EndClash: end_clash},
    options={
        PickClash: pending,
        Defence: losses,
        NamePlayer: exposed_players,
        EmptyCauldron: returning,
    },
    answers={PickClash: choose, Defence: lose, NamePlayer: choose, EmptyCauldron: empty_cauldron},
    choices={PickClash: clash_picked, Defence: loss_chosen, NamePlayer: player_named},
    asks={Citadels: ask_shelter, Peace: ask_peace, Defence: ask_defence},
)
