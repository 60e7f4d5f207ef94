"""The Epic Tales that are a maneuver of a clash (rules, section 5.4), and how a maneuver's moves are declared."""

from __future__ import annotations

from collections.abc import Mapping
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
    declared,
    from_around,
    marching,
    one_of,
)
from workers.inis.state import InisState
from workers.inis.state.pieces import Clash, Play
from workers.inis.steps.board import Move, PutClan, Remove
from workers.inis.steps.clash import StopClash


def _clash(state: InisState) -> Clash:
    if state.clash is None:
        raise AssertionError("a maneuver is made in a clash")
    return state.clash


def declare_withdrawal(state: InisState, seat: Seat, parts: Parts) -> Form:
    """Exposed clans go to adjacent territories of which you are chieftain (rules, section 4.2, C6)."""
    named = [part.to for part in parts]
    targets = [each for each in state.led_beside(seat, _clash(state).territory) if each not in named]
    return Form(options=amounts_to(targets, state.exposed(seat) - declared(parts)), enough=bool(parts))


def withdrawal(state: InisState, seat: Seat, parts: Parts) -> Steps:
    """No clash, but the Mountains count."""
    return marching(state, seat, _moves(_clash(state).territory, seat, parts), clash=False)


def declare_the_battle_of_moytura(state: InisState, seat: Seat, parts: Parts) -> Form:
    options = from_around(state, seat, _clash(state).territory, parts)
    return Form(options=options, enough=bool(parts) or not options)


def the_battle_of_moytura(state: InisState, play: Play) -> Steps:
    """Clans from around join the clash, and one from the reserve."""
    here = _clash(state).territory
    moves = [
        Move(seat=play.seat, territory=part.territory, to=here, amount=part.amount)
        for part in play.parts
        if part.territory and part.amount
    ]
    return (*marching(state, play.seat, moves, clash=False), PutClan(play.seat, here))


def declare_the_fianna(state: InisState, seat: Seat, parts: Parts) -> Form:
    clash = _clash(state)
    if not parts:
        return Form(options=[Part(to=each) for each in state.ways(clash.territory)])
    exposed = state.exposed(seat)
    sheltered = state.clans(seat, clash.territory) - exposed
    return one_of(
        Part(amount=amount, sheltered=inside)
        for amount in range(exposed + 1)
        for inside in range(sheltered + 1)
        if amount or inside
    )


def the_fianna(state: InisState, play: Play) -> Steps:
    """Clans, exposed or not, go to one adjacent territory; no clash."""
    if not play.parts:
        return ()
    to, clans = play.parts[0].to, play.parts[1]
    if to is None:
        return ()
    sheltered = clans.sheltered or 0
    move = Move(
        seat=play.seat,
        territory=_clash(state).territory,
        to=to,
        amount=(clans.amount or 0) + sheltered,
        sheltered=sheltered,
    )
    return marching(state, play.seat, [move], clash=False)


def ogmas_eloquence(_state: InisState, _play: Play) -> Steps:
    """The clash ends at once."""
    return (StopClash(),)


def declare_tale_of_cuchulain(state: InisState, _seat: Seat, parts: Parts) -> Form:
    if len(parts) == state.amount("tale_of_cuchulain"):
        return Form(enough=True)
    named = [sum(part.owner == each for part in parts) for each in range(state.seats)]
    options = [Part(owner=each) for each in state.exposed_seats if state.exposed(each) > named[each]]
    return Form(options=options, enough=True)


def tale_of_cuchulain(state: InisState, play: Play) -> Steps:
    """Up to two exposed clans are removed (rules, D6)."""
    here = _clash(state).territory
    return tuple(
        Remove(seat=part.owner, territory=here, exposed=True, maneuver=True)
        for part in play.parts
        if part.owner is not None
    )


def may_maneuver(state: InisState, seat: Seat, card: CardId) -> bool:
    """Return whether a card may be played as the maneuver of a player (rules, section 4.2, C6)."""
    if "maneuver" not in state.card(card).answers or _clash(state).spear:
        return False
    return card != "tale_of_cuchulain" or state.exposed(seat) == 1


def _moves(here: TerritoryId, seat: Seat, parts: Parts) -> list[Move]:
    return [
        Move(seat=seat, territory=here, to=part.to, amount=part.amount) for part in parts if part.to and part.amount
    ]


EFFECTS: Final[Mapping[str, Effect]] = {
    "the_battle_of_moytura": the_battle_of_moytura,
    "the_fianna": the_fianna,
    "ogmas_eloquence": ogmas_eloquence,
    "tale_of_cuchulain": tale_of_cuchulain,
}
FORMS: Final[Mapping[str, Declaration]] = {
    "the_battle_of_moytura": declare_the_battle_of_moytura,
    "the_fianna": declare_the_fianna,
    "tale_of_cuchulain": declare_tale_of_cuchulain,
}
