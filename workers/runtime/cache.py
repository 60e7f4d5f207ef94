"""The tables a worker has in memory: as many as fit, the longest untouched ones go first."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from events.streams import Partition
from workers.runtime.table import Table

MAX_WEIGHT: Final = 200_000
"""Commands that all tables in memory may have together."""


class Cache:
    """Tables by name; what was decided and not committed is never dropped for room."""

    def __init__(self, max_weight: int = MAX_WEIGHT) -> None:
        self._max_weight = max_weight
        self._weight = 0
        self._tables: OrderedDict[str, tuple[Partition, Table, int]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, name: str) -> Table | None:
        """Return the table if it is in memory."""
        found = self._tables.get(name)
        if found is None:
            return None
        self._tables.move_to_end(name)
        return found[1]

    def put(self, partition: Partition, table: Table) -> None:
        """Keep a table, or take note of what it weighs by now."""
        self.drop(table.name)
        self._tables[table.name] = (partition, table, table.weight)
        self._weight += table.weight
        while self._weight > self._max_weight and len(self._tables) > 1:
            oldest = next((name for name, (_, each, _) in self._tables.items() if not each.pending), None)
            if oldest in (None, table.name):
                break
            self.drop(str(oldest))

    def drop(self, name: str) -> None:
        """Forget a table."""
        found = self._tables.pop(name, None)
        if found is not None:
            self._weight -= found[2]

    def drop_partition(self, partition: Partition) -> None:
        """Forget all tables of a partition."""
        for name in [name for name, (place, _, _) in self._tables.items() if place == partition]:
            self.drop(name)
