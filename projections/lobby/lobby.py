"""One row for each table, and for each game and status the tables there are, in the order in which they were opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from events.codec import to_json
from events.games import GAMES
from events.log.rebuilds import FIRST
from events.log.records import HashPut, RankCut, RankDrop, RankPut, ViewWrite
from events.streams import numbered, view_of_all
from projections.kit.projection import Home, Step
from projections.tables.behind import seen_until
from workers.tables.setup import LONGEST_DELAY
from workers.tables.state import TableState

LOBBY: Final = "lobby"
TABLES: Final = "tables"
"""Name of the hash: table to its row in JSON."""
ROWS: Final = view_of_all(numbered(LOBBY, FIRST), TABLES)
"""The rows as they are kept at first; after a rebuild the store says which version is live."""

STATUSES: Final = ("open", "running", "over")
"""What the status of a table in the lobby may be, in the order in which tables go through them."""


LATEST_MS: Final = seen_until(0, delay_ms=LONGEST_DELAY * 1000)
"""No table is seen later than so many milliseconds; nor is anything kept longer for who sees it late."""


class LobbyRow(msgspec.Struct, frozen=True, kw_only=True):
    """
    What the lobby shows of a table.

    Args:
        free: seats that nobody has taken.
        bots: seats that a bot plays, conceded ones among them.
        version: the table's version when the row last changed; the row changes with status, seats and rematch only.
        private: set where the table is for those who know of it; doors list it for its own platform alone.
        spectator_delay: seconds by which spectators are behind; doors show these what they may know of the row.
        parent: the table of which it is the rematch.
        cancelled: the role that ended it without an outcome; ``rematch`` the table at which its seats play on.

    What is not set is not there.
    """

    table: str
    game: str
    platform: str
    status: str
    seats: int
    free: tuple[int, ...]
    bots: tuple[int, ...]
    version: int
    private: bool | UnsetType = UNSET
    spectator_delay: int | UnsetType = UNSET
    parent: str | UnsetType = UNSET
    cancelled: str | UnsetType = UNSET
    rematch: str | UnsetType = UNSET


def listed(game: str, status: str) -> str:
    """Return the name of a sorted set: tables of a game by the milliseconds since 1970 at which they were opened."""
    return f"{status}:{game}"


def own(game: str, status: str) -> str:
    """Return the name of a sorted set: tables of a game as ``own_member`` gives them, in order of these texts."""
    return f"own:{status}:{game}"


def own_member(platform: str, opened_at: int, table: str) -> str:
    """Return what stands for a table among those of its platform; in order of when they were opened."""
    return f"{platform}:{opened_at:016}:{table}"


def left(game: str, status: str) -> str:
    """
    Return the name of a sorted set: tables of a game that are no longer of a status, but may be shown as if they were.

    Its members are as ``member`` gives them, by the milliseconds since 1970 from which on nobody is shown that. They
    go as soon as a table comes for which that is ``LATEST_MS`` later: by then their own time has come.
    """
    return f"left:{status}:{game}"


def member(opened_at: int, table: str) -> str:
    """Return what stands for a table where the score does not say when it was opened."""
    return f"{opened_at}:{table}"


LISTS: Final = (
    *(named(game, status) for named in (listed, own) for game in GAMES for status in STATUSES),
    *(left(game, status) for game in GAMES for status in STATUSES[:-1]),
)
"""The names of all sorted sets; nothing leaves the last status."""


def row(state: TableState) -> LobbyRow:
    """Return the lobby's row of a table."""
    return LobbyRow(
        table=state.table,
        game=state.game,
        platform=state.platform,
        status=state.status,
        seats=len(state.places),
        free=tuple(seat for seat, place in enumerate(state.places) if place.player is None),
        bots=tuple(seat for seat, place in enumerate(state.places) if place.played_by_bot),
        version=state.version,
        private=state.private or UNSET,
        spectator_delay=state.spectator_delay or UNSET,
        parent=state.parent or UNSET,
        cancelled=state.cancelled or UNSET,
        rematch=state.rematch or UNSET,
    )


def _shown(state: TableState) -> tuple[object, ...]:
    """Return what a row tells, but for what never changes."""
    return state.status, state.places, state.rematch


def _moves(home: Home, step: Step) -> Iterator[ViewWrite]:
    """Give what a step changes in the lists."""
    before, after = step.before.status, step.after
    mine = own_member(after.platform, after.opened_at, step.table)
    if before == after.status:
        return
    if before != "unopened":
        yield RankDrop(home.key(listed(after.game, before)), step.table)
        yield RankDrop(home.key(own(after.game, before)), mine)
        if after.moved_at:
            until = seen_until(after.moved_at, delay_ms=after.spectator_delay * 1000)
            key = home.key(left(after.game, before))
            yield RankPut(key, until, member(after.opened_at, step.table))
            yield RankCut(key, LATEST_MS)
    yield RankPut(home.key(listed(after.game, after.status)), after.opened_at, step.table)
    yield RankPut(home.key(own(after.game, after.status)), 0, mine)


class Lobby:
    """Keeps the rows, over all games and partitions."""

    name = LOBBY
    across = True
    pushed = False

    def writes(self, home: Home, steps: Sequence[Step]) -> Sequence[ViewWrite]:
        moves = [write for step in steps for write in _moves(home, step)]
        rows = {step.table: to_json(row(step.after)) for step in steps if _shown(step.before) != _shown(step.after)}
        return [*moves, HashPut(home.key(TABLES), rows)] if rows else moves

    def unreadable(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def broken(self, home: Home, table: str) -> Sequence[ViewWrite]:
        return []

    def kept(self, tables: Sequence[str]) -> Sequence[str]:
        return (TABLES, *LISTS)
