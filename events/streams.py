"""The names of everything in the store: the one place where Redis keys are spelled."""

from __future__ import annotations

import binascii
from typing import Final

import msgspec

from events.games import game_of

DEAD: Final = "dead"
"""Field of a cursor: how many commands are set aside, for those who may not read them."""

META: Final = "fid:meta"
"""Hash: layout version, number of partitions of each game, epoch."""

PLATFORM_KEYS: Final = "fid:{all}:keys"
"""Hash: name of each platform key to its role, platform, digest and times; never the key."""

PLATFORMS: Final = "fid:{all}:platforms"
"""Hash: platform to what is set for it, such as the origins of its pages."""

SIGNING: Final = "fid:{all}:signing"
"""The first key that signs tokens, when the operator gives none; doors only."""

SIGNING_KEYS: Final = "fid:{all}:signing-keys"
"""Hash: name of each key that signs tokens to what is kept of it, once one took the place of the first; doors only."""


class Partition(msgspec.Struct, frozen=True, order=True):
    """A share of one game's tables; all its keys lie in one slot of a cluster."""

    game: str
    number: int

    @property
    def tag(self) -> str:
        """Return the name that keeps its keys together: ``nains.03``."""
        return f"{self.game}.{self.number:02}"

    def _key(self, name: str) -> str:
        return f"fid:{{{self.tag}}}:{name}"

    @property
    def commands(self) -> str:
        """Stream of envelopes as the doors took them in."""
        return self._key("cmd")

    @property
    def cursor(self) -> str:
        """
        Hash: where work on the partition stands.

        The lease (``owner``, ``until``, ``fence``), ``pos`` (last handled command), ``n`` (last feed number), ``dead``.
        """
        return self._key("cur")

    @property
    def feed(self) -> str:
        """Stream: a copy of every commit, ids ``n-0`` without gaps."""
        return self._key("feed")

    @property
    def positions(self) -> str:
        """Hash: each registered projection and the last feed number it has saved."""
        return self._key("pos")

    @property
    def live(self) -> str:
        """Hash: which version of each projection is read, which is being made, which is being removed."""
        return self._key("live")

    @property
    def secrets(self) -> str:
        """Hash: secret of each table until it is revealed; rule workers only."""
        return self._key("secret")

    @property
    def tables(self) -> str:
        """Sorted set: every table of the partition by the time it was opened."""
        return self._key("tables")

    @property
    def dead(self) -> str:
        """Stream: commands that the rules could not survive."""
        return self._key("dead")

    @property
    def push(self) -> str:
        """Channel: answers, and which tables moved; losing a message costs a read, never data."""
        return self._key("push")

    def truth(self, table: str) -> str:
        """Stream of a table's entries: the truth."""
        return self._key(f"t:{table}")

    def head(self, table: str) -> str:
        """Hash: ``version``, ``status`` and ``chain`` of a table."""
        return self._key(f"h:{table}")

    def revoked(self, table: str) -> str:
        """Hash: seat, ``spectators`` or ``invitations`` of a table to the generation before which tokens ended."""
        return self._key(f"revoked:{table}")

    def view(self, projection: str, name: str) -> str:
        """Key of something a projection keeps; ``projection`` bears its version: ``table@1``."""
        return self._key(f"v:{projection}:{name}")


def workers_of(game: str) -> str:
    """Key of the sorted set of a game's live rule workers by the millisecond until which each is taken for live."""
    return f"fid:{{all}}:workers:{game}"


def projections_of(game: str) -> str:
    """Key of the same of projection workers."""
    return f"fid:{{all}}:projections:{game}"


def claim_of(key: str) -> str:
    """Key of a string: the table that a request's key opens, from before that is sent until the tables tell it."""
    return f"fid:{{all}}:claim:{key}"


def any_view(projection: str) -> str:
    """Return what matches all keys of a version of a projection, and no other's."""
    return f"fid:{{*}}:v:{projection}:*"


def view_of_all(projection: str, name: str) -> str:
    """Key of something a projection keeps across partitions."""
    return f"fid:{{all}}:v:{projection}:{name}"


LIVE_OF_ALL: Final = "fid:{all}:live"
"""Hash: as ``Partition.live``, of projections across partitions."""


def numbered(projection: str, number: int) -> str:
    """Return the name of a version of a projection: ``table@1``."""
    return f"{projection}@{number}"


def partition_of(table: str, partitions: int) -> Partition:
    """Return the partition of a table of a known game, where the game has so many partitions."""
    game = game_of(table)
    if game is None:
        raise ValueError(f"no game of this program is named by table {table!r}")
    return Partition(game, binascii.crc_hqx(table.encode(), 0) % partitions)
