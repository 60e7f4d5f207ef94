"""The Epic Tales that are played as a turn (rules, section 5.4), in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import (
    NOTHING,
    Declaration,
    Effect,
    Form,
    Parts,
    amounts_to,
    declared,
    marching,
    one_of,
    territories,
    where_present,
)
from workers.inis.state import MOUNTAINS, InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import (
    BuildSanctuary,
    EnterMountains,
    LoseClan,
    Move,
    PlaceClan,
    PutClan,
    Remove,
    RevealTiles,
    TurnCrows,
)
from workers.inis.steps.clash import Clashes
from workers.inis.steps.hands import CollectTribute, Draw, RevealTales, TakeAside


def declare_balors_eye(state: InisState, _seat: Seat, _parts: Parts) -> Form:
    return one_of(
        Part(territory=land.id, owner=Seat(owner))
        for land in state.lands.values()
        for owner in range(state.seats)
        if land.clans[owner]
    )


def balors_eye(_state: InisState, play: Play) -> Steps:
    """Any clan is removed."""
    return tuple(
        Remove(seat=part.owner, territory=part.territory)
        for part in play.parts
        if part.owner is not None and part.territory
    )


def declare_breas_tyranny(state: InisState, seat: Seat, parts: Parts) -> Form:
    source = parts[0].territory if parts else None
    if source is not None:
        return one_of(Part(to=each) for each in state.ways(source))
    return Form(
        options=[
            Part(territory=each, owner=Seat(owner))
            for each in state.present_in(seat)
            for owner in range(state.seats)
            if owner != seat and state.lands[each].clans[owner]
        ]
    )


def breas_tyranny(_state: InisState, play: Play) -> Steps:
    """An opposing clan moves; its owner pays for the Mountains (rules, section 5.2)."""
    if not play.parts:
        return ()
    clan, target = play.parts[0], play.parts[1].to
    if clan.owner is None or clan.territory is None or target is None:
        return ()
    entered = (EnterMountains(clan.owner),) if target == MOUNTAINS else ()
    return (Move(seat=clan.owner, territory=clan.territory, to=target, amount=1), *entered)


def the_champions_share(_state: InisState, play: Play) -> Steps:
    """The card set aside is yours."""
    return (TakeAside(play.seat),)


def declare_children_of_dana(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(territories(state.lands)) if state.contenders[seat].reserve else NOTHING


def children_of_dana(_state: InisState, play: Play) -> Steps:
    """A clan anywhere."""
    return tuple(PutClan(play.seat, part.territory) for part in play.parts)


def dagdas_harp(state: InisState, play: Play) -> Steps:
    """A clan for each other tale in hand."""
    amount = min(len(state.contenders[play.seat].tales), state.amount("dagdas_harp"))
    return tuple(PlaceClan(seat=play.seat, present=True) for _ in range(amount))


def deirdres_beauty(_state: InisState, play: Play) -> Steps:
    """Take one of the tales opponents show; then a clan of yours is removed (house H23)."""
    return (RevealTales(play.seat), LoseClan(seat=play.seat))


def declare_eriu(state: InisState, seat: Seat, parts: Parts) -> Form:
    most = min(state.amount("eriu"), state.contenders[seat].reserve) - declared(parts)
    each_most = most if state.options.eriu_stack == "on" else min(most, 1)
    named = [part.territory for part in parts]
    options = [
        Part(territory=each, amount=amount)
        for each in state.present_in(seat)
        if state.lands[each].sanctuaries and each not in named
        for amount in range(1, each_most + 1)
    ]
    return Form(options=options, enough=True)


def eriu(_state: InisState, play: Play) -> Steps:
    """A clan in up to three territories with a sanctuary (rules, D5)."""
    return tuple(PutClan(play.seat, part.territory) for part in play.parts for _ in range(part.amount or 0))


def declare_kernunos_sanctuary(state: InisState, seat: Seat, _parts: Parts) -> Form:
    return one_of(territories(each for each in state.present_in(seat) if not state.lands[each].sanctuaries))


def kernunos_sanctuary(_state: InisState, play: Play) -> Steps:
    """A clan, and the first sanctuary of a territory."""
    return tuple(
        step
        for part in play.parts
        if part.territory
        for step in (PutClan(play.seat, part.territory), BuildSanctuary(part.territory))
    )


def maeves_wealth(state: InisState, play: Play) -> Steps:
    """Every opponent gives a card, all at once; then you give each one back."""
    seats = state.order_from(play.seat)[1:]
    givers = tuple(each for each in seats if state.contenders[each].actions)
    return (CollectTribute(seat=play.seat, givers=givers),)


def declare_manannans_horses(state: InisState, seat: Seat, parts: Parts) -> Form:
    source = parts[0].territory if parts else None
    if source is None:
        return Form(options=where_present(state, seat), enough=True)
    most = min(state.amount("manannans_horses"), state.clans(seat, source))
    return one_of(amounts_to((each for each in state.lands if each != source), most))


def manannans_horses(state: InisState, play: Play) -> Steps:
    """Up to three clans go from one territory to any other; clash (rules, D4)."""
    if not play.parts:
        return ()
    source, (to, amount) = play.parts[0].territory, (play.parts[1].to, play.parts[1].amount)
    moves = [Move(seat=play.seat, territory=source, to=to, amount=amount)] if source and to and amount else []
    return marching(state, play.seat, moves, clash=True)


def declare_the_morrigan(state: InisState, _seat: Seat, parts: Parts) -> Form:
    if not parts:
        return Form(options=(Part(option="turn"), Part(option="leave")))
    clashes = [
        Part(territory=land.id, owner=Seat(owner))
        for land in state.lands.values()
        if land.players > 1
        for owner in range(state.seats)
        if land.clans[owner]
    ]
    return one_of((Part(option="no_clash"), *clashes))


def the_morrigan(_state: InisState, play: Play) -> Steps:
    """You may turn the Flock of Crows, and start a clash of others."""
    crows, clash = play.parts
    turned = (TurnCrows(),) if crows.option == "turn" else ()
    if clash.owner is None or clash.territory is None:
        return turned
    return (*turned, Clashes(instigator=clash.owner, territories=(clash.territory,)))


def declare_nuada_silverhand(state: InisState, seat: Seat, parts: Parts) -> Form:
    left = state.contenders[seat].reserve - declared(parts)
    named = [part.territory for part in parts]
    options = [
        Part(territory=land.id, amount=amount)
        for land in state.lands.values()
        if land.chieftain == seat and land.id not in named
        for amount in range(1, min(land.players - 1, left) + 1)
    ]
    return Form(options=options, enough=True)


def nuada_silverhand(_state: InisState, play: Play) -> Steps:
    """Where you are chieftain, up to a clan for each opponent there."""
    return tuple(PutClan(play.seat, part.territory) for part in play.parts for _ in range(part.amount or 0))


def declare_the_other_world(state: InisState, seat: Seat, parts: Parts) -> Form:
    where = parts[0].territory if parts else None
    if where is None:
        return Form(options=where_present(state, seat))
    land, acts = state.lands[where], parts[1:]
    if len(acts) == min(land.sanctuaries, state.amount("the_other_world")):
        return Form(enough=True)
    placed = sum(part.option == "place" for part in acts)
    place = [Part(option="place")] if placed < state.contenders[seat].reserve else []
    rivals = [Seat(each) for each in range(state.seats) if each != seat]
    gone = [sum(part.owner == each for part in acts) for each in range(state.seats)]
    remove = [Part(option="remove", owner=each) for each in rivals if land.clans[each] > gone[each]]
    return Form(options=(*place, *remove), enough=True)


def the_other_world(_state: InisState, play: Play) -> Steps:
    """For each sanctuary of a territory place a clan or remove an opposing one."""
    where = play.parts[0].territory if play.parts else None
    if where is None:
        return ()
    return tuple(
        PutClan(play.seat, where) if part.owner is None else Remove(seat=part.owner, territory=where)
        for part in play.parts[1:]
    )


def the_stone_of_fal(state: InisState, play: Play) -> Steps:
    """Two clans in the capital (rules, D20)."""
    return tuple(PutClan(play.seat, state.capital) for _ in range(state.amount("the_stone_of_fal")))


def tailtus_land(state: InisState, play: Play) -> Steps:
    """One of three tiles comes into play, where you like."""
    return (RevealTiles(play.seat, state.amount("tailtus_land")),)


def tuans_memory(state: InisState, play: Play) -> Steps:
    """Draw three, keep one."""
    return (Draw(seat=play.seat, amount=state.amount("tuans_memory")),)


EFFECTS: Final[Mapping[str, Effect]] = {
    "balors_eye": balors_eye,
    "breas_tyranny": breas_tyranny,
    "the_champions_share": the_champions_share,
    "children_of_dana": children_of_dana,
    "dagdas_harp": dagdas_harp,
    "deirdres_beauty": deirdres_beauty,
    "eriu": eriu,
    "kernunos_sanctuary": kernunos_sanctuary,
    "maeves_wealth": maeves_wealth,
    "manannans_horses": manannans_horses,
    "the_morrigan": the_morrigan,
    "nuada_silverhand": nuada_silverhand,
    "the_other_world": the_other_world,
    "the_stone_of_fal": the_stone_of_fal,
    "tailtus_land": tailtus_land,
    "tuans_memory": tuans_memory,
}
FORMS: Final[Mapping[str, Declaration]] = {
    "balors_eye": declare_balors_eye,
    "breas_tyranny": declare_breas_tyranny,
    "children_of_dana": declare_children_of_dana,
    "eriu": declare_eriu,
    "kernunos_sanctuary": declare_kernunos_sanctuary,
    "manannans_horses": declare_manannans_horses,
    "the_morrigan": declare_the_morrigan,
    "nuada_silverhand": declare_nuada_silverhand,
    "the_other_world": declare_the_other_world,
}
