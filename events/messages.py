"""The bases of every command and event, and the few types all games share."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, NewType, get_args

import msgspec

Seat = NewType("Seat", int)
"""A place at a table, counted from 0; the only subject the rules know."""

TableId = NewType("TableId", str)
"""A table's name: the game, a dash, and letters or digits: ``nains-7f3k9q``."""

Viewpoint = Seat | None
"""Who looks at a table: a seat, or the spectator (``None``)."""

SPECTATOR: Final[Viewpoint] = None


def kind_of(name: str) -> str:
    """Return the stored kind of a message class: its name in snake_case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag=kind_of,
    gc=False,
):
    """A wish, named in the imperative; tagged by its ``kind`` in every encoding."""


class SeatCommand(Command, frozen=True, kw_only=True):
    """A wish of one seat; every command of a game is one."""

    seat: Seat


class Event(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag=kind_of,
    gc=False,
):
    """
    A fact, named in the past; tagged by its ``kind`` in every encoding.

    ``schema`` is the version of the stored body and rises with every change of a field.
    ``reveals`` is true when the event shows hidden information or the result of chance, so that what came before
    may no longer be taken back.
    """

    schema: ClassVar[int] = 1
    reveals: ClassVar[bool] = False


def members(union: Any) -> tuple[Any, ...]:  # noqa: ANN401  a union of types has no narrower type
    """Return the message classes of a union; a single class is a union of one."""
    return get_args(union) or (union,)


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat reached, in the parts the rules count it in; ``total`` is in the game's own points."""

    seat: Seat
    total: int
    parts: dict[str, int]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """
    How a table ended.

    Args:
        reason: a stable code of the game or of table life, such as ``conceded``.
        ranking: groups of seats that share a place, best first; every seat stands in exactly one group.
        scores: one score for each seat in seat order, empty where the game keeps none.
    """

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[Score, ...] = ()
