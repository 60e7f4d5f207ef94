"""What a table shows and tells, as values; fields that a newer service adds are passed over."""

from __future__ import annotations

from typing import Any

import msgspec

from events.messages import Outcome

Wish = dict[str, Any]
"""A command as ``legal`` lists it; it can be sent as it is."""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits at a seat, if anybody, and whether a bot plays there."""

    seat: int
    player: str | None
    bot: bool
    conceded: bool


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A seat with an open question, and the question's kind."""

    seat: int
    kind: str


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table as one viewpoint sees it.

    Args:
        status: ``open``, ``running`` or ``over``.
        viewpoint: the seat that looks, or ``None`` for a spectator.
        commitment: SHA-256 of the secret behind all chance, in hexadecimal; ``secret`` once it is revealed.
        asked: every open question; ``prompt``: the viewpoint's own, in full.
        legal: exactly the game's commands that the viewpoint's seat may send now.
        offers: kinds of the table's own commands that the seat may send now.
        outcome: the ranking once the table is over.
        board: the game's own view once play began.
        standing: windows at which the seat always passes.
        cancelled: the role that ended the table without an outcome, if one did.
        private, ready, spectator_delay: the terms under which it was opened.
        rematch: the table at which the same seats play on; ``parent``: the one they come from.
        document: the whole view as it came, with what a newer service adds.
    """

    table: str
    game: str
    version: int
    status: str
    viewpoint: int | None
    options: dict[str, bool | int | str]
    seats: tuple[SeatView, ...]
    commitment: str
    secret: str | None
    asked: tuple[Asked, ...]
    prompt: dict[str, Any] | None
    legal: list[Wish]
    offers: tuple[str, ...]
    outcome: Outcome | None
    board: dict[str, Any] | None
    standing: tuple[str, ...] = ()
    cancelled: str | None = None
    private: bool = False
    ready: bool = False
    spectator_delay: int = 0
    rematch: str | None = None
    parent: str | None = None
    document: dict[str, Any] = {}


def view_of(body: bytes | msgspec.Raw) -> TableView:
    """Return a view from its JSON; ``msgspec.DecodeError`` when it is none."""
    document = msgspec.json.decode(body)
    return msgspec.structs.replace(msgspec.convert(document, TableView), document=document)


class Legal(msgspec.Struct, frozen=True, kw_only=True):
    """The commands that a seat may send at a version."""

    table: str
    version: int
    legal: list[Wish]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """
    What one command caused, as the viewpoint was told it.

    Args:
        first: version after its first event; ``last`` after its last.
        at: milliseconds since 1970.
        seat: whose command it was, if it was a seat's.
        steps: each with its ``kind``.
    """

    first: int
    last: int
    at: int
    seat: int | None
    steps: list[dict[str, Any]]


class HistoryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some chapters, oldest first; ``next`` is the version behind which the next page begins, if there is one."""

    table: str
    chapters: list[Chapter]
    next: int | None
