"""What somebody who follows tables is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from services.client.given import perhaps, text_of, truth_of, whole_of
from services.client.problems import FOLLOWED_TWICE, ProblemError, require_sendable
from services.client.views import Chapter, TableView


class Follow(msgspec.Struct, frozen=True, kw_only=True):
    """
    A wish to follow a table.

    Args:
        seat: from where to look; by default a seat's token looks from its seat, any other as a spectator.
        after: the version behind which steps are wanted, 0 for the whole story; by default only those to come.
        views: whether views are wanted, too.
        token: in whose name, when it is another than the client's.
    """

    table: str
    seat: int | None = None
    after: int | None = None
    views: bool = True
    token: str | None = None

    def __post_init__(self) -> None:
        """Raise ``wrong_token`` for what is none, and refuse what could never be meant."""
        text_of(self.table, called="a table's name")
        for name in ("seat", "after"):
            msgspec.structs.force_setattr(self, name, perhaps(whole_of, getattr(self, name), called=name))
        truth_of(self.views, called="views")
        require_sendable(self.token)

    def __repr__(self) -> str:
        return f"Follow(table={self.table!r}, seat={self.seat!r}, after={self.after!r}, views={self.views!r})"


def wishes(follows: Iterable[str | Follow], *, token: str | None) -> list[Follow]:
    """
    Return wishes to follow, each once; a table's name asks for what is to come.

    ``followed_twice`` when two that differ are for one viewpoint, as far as they tell: the service has one follow of
    each, so one of them would hear nothing.

    Args:
        follows: what was asked for.
        token: in whose name those are that have none of their own.
    """
    wanted = dict.fromkeys(each if isinstance(each, Follow) else Follow(table=each) for each in follows)
    viewpoints: set[tuple[str, int | None, str | None]] = set()
    for each in wanted:
        viewpoint = each.table, each.seat, None if each.seat is not None else each.token or token
        if viewpoint in viewpoints:
            raise ProblemError(FOLLOWED_TWICE, details={"table": each.table, "seat": each.seat})
        viewpoints.add(viewpoint)
    return list(wanted)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What one command caused, as the seat (``None``: a spectator) was told it; each exactly once and in order."""

    table: str
    seat: int | None
    chapter: Chapter


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """The table as the seat sees it; only the newest view comes, behind the steps that led to it."""

    table: str
    seat: int | None
    view: TableView


class Rewound(msgspec.Struct, frozen=True, kw_only=True):
    """The store lost its last moments: forget what came behind ``version``; the follow goes on from there."""

    table: str
    seat: int | None
    version: int


class Unfollowed(msgspec.Struct, frozen=True, kw_only=True):
    """The follow ended while others go on; ``code`` and ``details`` say why."""

    table: str
    seat: int | None
    code: str
    details: dict[str, Any]


News = Told | Seen | Rewound | Unfollowed
