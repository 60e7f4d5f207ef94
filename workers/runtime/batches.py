"""One partition's share of a round: its commands decided in order, up to what fits into one commit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import takewhile
from typing import Final

import msgspec

from events.codec import MalformedError
from events.games import game_of
from events.log.records import Answer, Batch, DeadLetter, Lease
from events.streams import partition_of
from workers.runtime.cache import Cache
from workers.runtime.handle import Handled, Handler, unknown_table, unreadable
from workers.runtime.incoming import Incoming, read_incoming
from workers.runtime.table import Table

MAX_COMMANDS: Final = 500
"""Commands of a partition in one commit."""

MAX_BYTES: Final = 4_000_000
"""Bytes of history in one commit; the server stands still while it is written."""

_NAME: Final = re.compile(r"[a-z]+-[a-zA-Z0-9]{1,40}")


Command = Incoming | tuple[str, bytes, MalformedError]


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a round found in one partition: commands, or the fault of what stands in the place of one.

    Args:
        after: the cursor behind which it stands.
        partitions: how many the game has.
        careful: whether it is one command, that may be the one that ended a worker.
    """

    lease: Lease
    after: str
    partitions: int
    careful: bool
    commands: Sequence[Command]

    def tables(self) -> Sequence[str]:
        """Return the tables the commands are for, each once."""
        wanted = (each.envelope.table for each in self.commands if isinstance(each, Incoming))
        return [name for name in dict.fromkeys(wanted) if self.may_hold(name)]

    def before(self, tables: Collection[str]) -> Share:
        """Return the share up to the first command for one of some tables; what stands behind waits, too."""
        commands = list(
            takewhile(lambda each: not (isinstance(each, Incoming) and each.envelope.table in tables), self.commands)
        )
        return msgspec.structs.replace(self, commands=commands)

    def may_hold(self, name: str) -> bool:
        """Whether a table of that name can be, and in this partition."""
        partition = self.lease.partition
        if not _NAME.fullmatch(name) or game_of(name) != partition.game:
            return False
        return partition_of(name, self.partitions) == partition


def read(entry: str, body: bytes) -> Command:
    """Return a command as far as it can be read."""
    try:
        return read_incoming(entry, body)
    except MalformedError as fault:
        return entry, body, fault


class Decided(msgspec.Struct, frozen=True, kw_only=True):
    """A share after its commands were decided."""

    batch: Batch
    tables: Sequence[Table]
    refused: int


class Decider:
    """Decides the shares of a round over the tables in memory."""

    def __init__(self, handler: Handler, cache: Cache) -> None:
        self._handler = handler
        self._cache = cache

    def decide(self, share: Share, fresh: Mapping[str, Table], beat: Callable[[], None]) -> Decided:
        """
        Return the batch of a share: as many commands as fit.

        Args:
            share: what was read.
            fresh: tables just loaded; those that turn out to be opened are kept in memory.
            beat: called after each command, to show that there is progress.
        """
        touched: dict[str, Table] = {}
        answers: list[Answer] = []
        dead: list[DeadLetter] = []
        size = handled = 0
        position = share.after
        for each in share.commands:
            if size > MAX_BYTES:
                break
            done = self._handle(share, each, fresh, touched)
            position = each.entry if isinstance(each, Incoming) else each[0]
            handled += 1
            size += done.size
            if done.answer is not None:
                answers.append(done.answer)
            if done.dead is not None:
                dead.append(done.dead)
                size += len(done.dead.envelope)
            beat()
        batch = Batch(
            lease=share.lease,
            after=share.after,
            position=position,
            handled=handled,
            tables=[table.write() for table in touched.values() if table.pending],
            answers=answers,
            dead=dead,
        )
        refused = sum(answer.code is not None for answer in answers)
        return Decided(batch=batch, tables=list(touched.values()), refused=refused)

    def _handle(self, share: Share, each: Command, fresh: Mapping[str, Table], touched: dict[str, Table]) -> Handled:
        if not isinstance(each, Incoming):
            return unreadable(*each)
        name = each.envelope.table
        table = touched.get(name)
        if table is None:
            table = (self._cache.get(name) or fresh.get(name)) if share.may_hold(name) else None
            if table is None:
                return unknown_table(each.envelope)
            touched[name] = table
        return self._handler.handle(table, each)
