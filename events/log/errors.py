"""What can go wrong with a store."""

from __future__ import annotations

from events.streams import Partition


class FencedError(Exception):
    """Somebody else holds the lease by now: drop what is cached and take part in the next acquisition."""


class GapError(Exception):
    """The batch does not begin at the stored cursor: drop what is cached and read the cursor again."""


class ConflictError(Exception):
    """A table has moved on since it was loaded: drop it and load it again."""


class BusyError(Exception):
    """Too many commands wait already: tell the sender to come back later."""


class TooLargeError(Exception):
    """A command is larger than ``MAX_ENVELOPE``: refuse it at the door."""


class StaleError(Exception):
    """A projection fell so far behind that the feed went on without it: rebuild it from the histories."""


class OrderError(Exception):
    """An entry would stand before one that is already there; nothing was written: its maker is at fault."""


class DamagedError(Exception):
    """
    Keys are not as the service writes them: what they are for stands still until they are restored, others go on.

    Args:
        table: the one table they are for; empty when they are for a whole partition, or more.
        partitions: those whose commands cannot be read.
    """

    def __init__(self, detail: str, *, table: str = "", partitions: frozenset[Partition] = frozenset()) -> None:
        super().__init__(detail)
        self.table = table
        self.partitions = partitions


class StoreAwayError(Exception):
    """The store cannot be reached now: what was sent may or may not have happened; ask again."""


class NodeAwayError(StoreAwayError):
    """A node of a cluster does not answer: what lies there waits, and all else goes on."""


class StoreUnusableError(Exception):
    """The store must not be used as it is; the message says why and what to do."""


class StoreLostError(StoreUnusableError):
    """
    What was in the store is gone: refuse to go on until it is restored; then go on without a restart.

    Args:
        detail: how that shows.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail
