"""A data folder: what lies where, and who holds it."""

from __future__ import annotations

import fcntl
import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

PATIENCE_S: Final = 5.0
"""How long a server of a launcher that was killed may take to end."""


class EmbeddedError(Exception):
    """The embedded server cannot be used as things are; the message says why and what to do."""


class DataFolder:
    """
    Everything the embedded server leaves on disk.

    ``lock`` is the file descriptor of the lock while it is held.
    It is handed on to the server, so it is held as long as either of them lives.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.lock: int | None = None

    @property
    def lock_file(self) -> Path:
        return self.path / "lock"

    @property
    def settings(self) -> Path:
        return self.path / "valkey.conf"

    @property
    def log(self) -> Path:
        return self.path / "valkey.log"

    @property
    def socket(self) -> Path:
        return self.path / "valkey.sock"

    @property
    def history(self) -> Path:
        """Where the server keeps its append-only files."""
        return self.path / "appendonlydir"

    @property
    def founded(self) -> Path:
        """Stands here once a server has kept something: from then on an empty start is a loss."""
        return self.path / "founded"

    @property
    def epoch(self) -> Path:
        """Names the epoch of the store that was founded here: no other one is taken for it."""
        return self.path / "epoch"

    @property
    def epoch_elsewhere(self) -> Path:
        """The same of a store elsewhere that the service was started with from here."""
        return self.path / "epoch.elsewhere"

    @property
    def damaged(self) -> Path:
        """Copies of what had to be cut."""
        return self.path / "damaged"

    @property
    def platform_key(self) -> Path:
        """The platform key for use on this machine."""
        return self.path / "platform.key"

    @property
    def bots_key(self) -> Path:
        """The key of the service's own bots."""
        return self.path / "bots.key"

    @property
    def store_url(self) -> Path:
        """Says where the running store is, to other programs of the same owner."""
        return self.path / "store.url"

    @property
    def service_url(self) -> Path:
        """Says where the running service is, to the words that ask it."""
        return self.path / "service.url"

    def make(self) -> None:
        """Make the folder if need be; ``EmbeddedError`` if it cannot be one."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as fault:
            raise self.unusable(fault) from None

    def unusable(self, fault: OSError) -> EmbeddedError:
        """Return what is told when the system lets nobody use the folder, or something in it."""
        where = "" if fault.filename in (None, str(self.path)) else f" ({fault.filename})"
        return EmbeddedError(
            f"The data folder {self.path} cannot be used: {fault.strerror}{where}. Choose another one with --data."
        )

    def hold(self, patience_s: float = PATIENCE_S) -> None:
        """Make the folder if need be and lock it; ``EmbeddedError`` if it is held."""
        self.make()
        try:
            lock = os.open(self.lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise self.unusable(fault) from None
        if not _locked(lock, patience_s):
            holder = _holder(lock)
            os.close(lock)
            raise EmbeddedError(
                f"The data folder {self.path} is in use by {holder}. "
                "Stop that one, or choose another folder with --data."
            )
        os.ftruncate(lock, 0)
        name = {"pid": os.getpid(), "since": datetime.now(UTC).isoformat("T", "seconds")}
        os.pwrite(lock, json.dumps(name).encode(), 0)
        self.lock = lock

    def let_go(self) -> None:
        """Give the lock back."""
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None


def _locked(lock: int, patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline or _alive(lock):
                return False
            time.sleep(0.05)
        else:
            return True


def _read(lock: int) -> tuple[int, str] | None:
    try:
        found = json.loads(os.pread(lock, 4096, 0))
        return int(found["pid"]), str(found["since"])
    except (ValueError, KeyError, TypeError):
        return None


def _alive(lock: int) -> bool:
    """Tell whether the launcher that wrote its name into the lock still runs; its server may be ending without it."""
    found = _read(lock)
    if found is None:
        return False
    try:
        os.kill(found[0], 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _holder(lock: int) -> str:
    found = _read(lock)
    return f"process {found[0]} since {found[1]}" if found else "another process"
