"""A command with all that its decision depends on, and what must be true of it before anything else is asked."""

from __future__ import annotations

from typing import Final

import msgspec

from events.chance import Chance, seed_of
from events.messages import Command, Seat
from events.tables.vocabulary import Actor
from workers.kit.decider import Context, Refused, WindowPrompt
from workers.tables.state import TableState

HOSTS: Final = ("platform", "guest")
"""Roles that may open tables and start them."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """
    A command with all that comes from outside into its decision.

    Args:
        at: milliseconds since 1970 at which the store took it in.
        secret: the table's 32 secret bytes, behind all its chance.
        expected_version: the version its sender had seen, if it said so.
    """

    command: Command
    actor: Actor
    at: int
    secret: bytes
    expected_version: int | None = None


def context_of(state: TableState, wish: Wish) -> Context:
    """Return what the game's rules are told beside the command."""
    chance = Chance(lambda: seed_of(wish.secret, state.salts), state.version)
    return Context(actor=wish.actor, at=wish.at, chance=chance, standing=state.standing)


def require_its_own(state: TableState, actor: Actor) -> None:
    """Another platform's table is as unknown as one that was never opened."""
    if state.status == "unopened" or actor.platform != state.platform:
        raise Refused("unknown_table")


def require_known(state: TableState, actor: Actor) -> None:
    """As ``require_its_own``; and nothing happens any more at a table that is over."""
    require_its_own(state, actor)
    if state.status == "over":
        raise Refused("table_over")


def require_role(actor: Actor, *roles: str) -> None:
    if actor.role not in roles:
        raise Refused("not_allowed", role=roles[0])


def require_open(state: TableState) -> None:
    if state.status != "open":
        raise Refused("table_started")


def require_running(state: TableState) -> None:
    if state.status != "running":
        raise Refused("table_not_started")


def require_seat(state: TableState, seat: Seat) -> None:
    if not 0 <= seat < len(state.places):
        raise Refused("unknown_seat", seats=len(state.places))


def require_own_seat(state: TableState, seat: Seat, actor: Actor) -> None:
    require_seat(state, seat)
    place = state.places[seat]
    plays = (actor.role == "seat" and not place.conceded) or (actor.role == "bots" and place.played_by_bot)
    if actor.seat != seat or not plays:
        raise Refused("not_your_seat")


def require_fresh(state: TableState, seat: Seat, expected: int | None) -> None:
    """A click is stale when the question it answers was put after what its sender had seen."""
    if expected is None:
        return
    oldest = state.asked.get(seat, state.version)
    if not oldest <= expected <= state.version:
        raise Refused("stale_version", version=state.version)


def require_window_ripe(state: TableState, seat: Seat, at: int) -> None:
    """No window closes before the table's floor, since none is answered before."""
    wait = state.asked_at + state.window_floor - at
    if state.window_floor and wait > 0 and isinstance(state.prompts.get(seat), WindowPrompt):
        raise Refused("too_soon", wait_ms=wait)
