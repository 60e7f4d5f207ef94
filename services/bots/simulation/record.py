"""Writes a simulated table down as the store would have: entries with their chain."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from events.codec import pack, raw
from events.commit import NONCE_BYTES, START_OF_CHAIN, Commit, Received, chained, stored
from events.messages import Event
from workers.tables.state import TableState
from workers.tables.wish import Wish


class Recorder:
    """Keeps the packed entries of one table; give its ``watch`` to ``play``."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.chain = START_OF_CHAIN

    def watch(self, before: TableState, wish: Wish, events: Sequence[Event], after: TableState) -> None:
        """Append the commit of one accepted command; ids and nonces follow from the table, not from chance."""
        mark = hashlib.blake2b(wish.secret + before.version.to_bytes(8, "big"), digest_size=32).digest()
        commit = chained(
            Commit(
                first=before.version + 1,
                last=after.version,
                command=Received(f"{wish.at}-0", mark[NONCE_BYTES:], wish.actor, raw(wish.command)),
                events=stored(events),
                rules=after.played_by.version,
                nonce=mark[:NONCE_BYTES],
            ),
            self.chain,
        )
        self.chain = commit.chain
        self.entries.append(pack(commit))
