"""The 16 Advantage cards (rules, section 5.3), in the order of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Steps
from workers.inis.cards.form import NOTHING, Declaration, Effect, Form, Parts, marching, one_of, spread_from
from workers.inis.state import PLAINS, STONE_CIRCLE, InisState
from workers.inis.state.pieces import Play
from workers.inis.steps.board import Move, PickClan, PlaceClan, Remove, SkipToll
from workers.inis.steps.cards import PickOpponent, TakeBackPlay
from workers.inis.steps.clash import IgnoreAttack, NamePlayer, TightenAttack
from workers.inis.steps.hands import DiscardCard, Draw, DrawMore, PutAside, TakeAside


def cove(_state: InisState, play: Play) -> Steps:
    """Take the card set aside, and set one aside (house H30)."""
    return (TakeAside(play.seat), PutAside(seat=play.seat))


def forest(_state: InisState, play: Play) -> Steps:
    """Draw a tale."""
    return (Draw(seat=play.seat, amount=1),)


def gates_of_tir_na_nog(_state: InisState, _play: Play) -> Steps:
    """Draw one more for the Gates, and keep one."""
    return (DrawMore(),)


def highlands(_state: InisState, play: Play) -> Steps:
    """You say who is the instigator."""
    return (NamePlayer(seat=play.seat, purpose="instigator"),)


def hills(_state: InisState, _play: Play) -> Steps:
    """The attack has no effect on you."""
    return (IgnoreAttack(),)


def iron_mine(_state: InisState, _play: Play) -> Steps:
    """The attacked player loses a clan and a card."""
    return (TightenAttack(both=True),)


def lost_vale(_state: InisState, play: Play) -> Steps:
    """Any adjacent clan comes into the Lost Vale."""
    return (PickClan(seat=play.seat),)


def meadows(_state: InisState, _play: Play) -> Steps:
    """Draw one more, and keep one of all."""
    return (DrawMore(),)


def declare_misty_lands(state: InisState, seat: Seat, _parts: Parts) -> Form:
    most = len(state.contenders[seat].actions)
    return one_of(Part(amount=amount) for amount in range(1, most + 1))


def misty_lands(_state: InisState, play: Play) -> Steps:
    """Discard Action cards, draw as many tales, keep one."""
    amount = play.parts[0].amount if play.parts else None
    if not amount:
        return ()
    return (*(DiscardCard(seat=play.seat) for _ in range(amount)), Draw(seat=play.seat, amount=amount))


def moor(_state: InisState, play: Play) -> Steps:
    """See an opponent's tales."""
    return (PickOpponent(seat=play.seat, purpose="moor"),)


def mountains(_state: InisState, _play: Play) -> Steps:
    """The Mountains effect is ignored this time."""
    return (SkipToll(),)


def declare_plains(state: InisState, seat: Seat, parts: Parts) -> Form:
    clans = state.clans(seat, PLAINS)
    return spread_from(state, PLAINS, clans, parts) if clans else NOTHING


def plains(state: InisState, play: Play) -> Steps:
    """Clans go from the Plains to adjacent territories; clash in each (rules, D3)."""
    moves = [
        Move(seat=play.seat, territory=PLAINS, to=part.to, amount=part.amount)
        for part in play.parts
        if part.to and part.amount
    ]
    return marching(state, play.seat, moves, clash=True)


def salt_mine(_state: InisState, play: Play) -> Steps:
    """Swap an Action card with an opponent, taken at random (house H24)."""
    return (PickOpponent(seat=play.seat, purpose="salt_mine"),)


def stone_circle(_state: InisState, play: Play) -> Steps:
    """A clan from the Stone Circle for the tale just played (rules, D10)."""
    return (Remove(seat=play.seat, territory=STONE_CIRCLE), TakeBackPlay(play.seat))


def swamp(_state: InisState, _play: Play) -> Steps:
    """Nothing: a turn that is no pass."""
    return ()


def valley(_state: InisState, play: Play) -> Steps:
    """A clan where you are present."""
    return (PlaceClan(seat=play.seat, present=True),)


EFFECTS: Final[Mapping[str, Effect]] = {
    "cove": cove,
    "forest": forest,
    "gates_of_tir_na_nog": gates_of_tir_na_nog,
    "highlands": highlands,
    "hills": hills,
    "iron_mine": iron_mine,
    "lost_vale": lost_vale,
    "meadows": meadows,
    "misty_lands": misty_lands,
    "moor": moor,
    "mountains": mountains,
    "plains": plains,
    "salt_mine": salt_mine,
    "stone_circle": stone_circle,
    "swamp": swamp,
    "valley": valley,
}
FORMS: Final[Mapping[str, Declaration]] = {"misty_lands": declare_misty_lands, "plains": declare_plains}
