"""How far each projection is in each partition, remembered between rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.log.store import Feed, ViewWrite
from events.streams import Partition
from projections.kit.projection import Projection


class Places:
    """The positions of projections; the store has the last word."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._known: dict[tuple[str, Partition], int] = {}

    def position(self, projection: Projection, partition: Partition) -> int:
        """Return the last feed number saved; ``StaleError`` when the feed went on without the projection."""
        key = (projection.name, partition)
        if key not in self._known:
            read = self._feed.position_of_all if projection.across else self._feed.position
            self._known[key] = read(partition, projection.name)
        return self._known[key]

    def save(
        self,
        projection: Projection,
        partition: Partition,
        *,
        after: int,
        position: int,
        writes: Sequence[ViewWrite],
        moved: Mapping[str, int],
    ) -> None:
        """Save views and position; ``GapError`` when the stored position is not ``after``."""
        save = self._feed.save_of_all if projection.across else self._feed.save
        save(partition, projection.name, after=after, position=position, writes=writes, moved=moved)
        self.saved(projection, partition, position)

    def saved(self, projection: Projection, partition: Partition, position: int) -> None:
        """Note a position that has been saved."""
        self._known[projection.name, partition] = position

    def forget(self, projection: Projection, partition: Partition) -> None:
        """Ask the store again the next time."""
        self._known.pop((projection.name, partition), None)
