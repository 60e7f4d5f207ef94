"""Brings a projection up to date from the tables' own histories, when the feed no longer reaches back to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from events.commit import Commit, read_entry
from events.log.store import Feed
from events.messages import TableId
from events.streams import Partition
from events.upcasting import UnknownKindError
from projections.kit.projection import Projection, Step
from projections.runtime.folds import events_of, game_played_at
from workers.tables.evolve import apply
from workers.tables.state import RulesShelf, RulesUnavailableError, unopened

TABLES: Final = 100
"""Tables whose views are written in one call."""


def catch_up(feed: Feed, shelf: RulesShelf, projection: Projection, partition: Partition) -> int:
    """
    Write the projection's views of every table of the partition, and return the feed number they are of at least.

    Commits that come in meanwhile are written twice, here and from the feed; the views come out the same.
    """
    end = feed.feed_end(partition)
    read = feed.position_of_all if projection.across else feed.position
    save = feed.save_of_all if projection.across else feed.save
    writes = [
        write
        for table in _tables(feed, partition)
        for write in projection.writes(partition, list(history_steps(feed, shelf, partition, table)))
    ]
    save(partition, projection.name, after=0, position=end, writes=writes)
    return read(partition, projection.name)


def history_steps(feed: Feed, shelf: RulesShelf, partition: Partition, table: str) -> Iterator[Step]:
    """Return every commit of a table, folded, as far as this program can read it."""
    game = game_played_at(table)
    state = unopened(TableId(table), shelf)
    for packed in feed.history(partition, table):
        entry = read_entry(packed)
        if not isinstance(entry, Commit):
            continue
        try:
            events = events_of(entry, game)
            after = apply(state, events, entry.command.actor.seat, entry.command.at)
        except (UnknownKindError, RulesUnavailableError):
            return
        yield Step(number=0, table=table, commit=entry, events=events, before=state, after=after)
        state = after


def _tables(feed: Feed, partition: Partition) -> Iterator[str]:
    start = 0
    while tables := feed.tables(partition, start=start, count=TABLES):
        yield from tables
        start += len(tables)
