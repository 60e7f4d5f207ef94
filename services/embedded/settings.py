"""What the embedded server is told: keep everything, forget nothing, speak to nobody but this machine."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from pathlib import Path
from typing import Final, Literal

import msgspec

from services.embedded.folder import DataFolder

Durability = Literal["always", "fast"]

SOCKET_PATH_LIMIT: Final = 100
"""The system takes 108 bytes for the path of a socket; some of them stay free."""

FSYNC: Final[dict[Durability, str]] = {"always": "always", "fast": "everysec"}


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where the server listens, the URL clients use, and a folder of its own to remove at the end."""

    settings: str
    url: str
    socket: Path | None = None


def address(folder: DataFolder) -> Address:
    """Return a socket in the data folder; in a short-named folder if that is too long; else a port with a password."""
    if _fits(folder.socket):
        return _at_socket(folder.socket, told=folder.socket.name)
    short = Path(tempfile.gettempdir()) / f"fidchell-{secrets.token_hex(6)}"
    if _fits(short / "s"):
        short.mkdir(mode=0o700)
        return _at_socket(short / "s", told=f'"{short / "s"}"')
    return at_port()


def at_port() -> Address:
    """Return a free port on loopback, behind a password."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    password = secrets.token_urlsafe(32)
    return Address(
        settings=f"port {port}\nbind 127.0.0.1\nrequirepass {password}\n",
        url=f"redis://:{password}@127.0.0.1:{port}/0",
    )


def write(folder: DataFolder, where: Address, durability: Durability) -> None:
    """Write the server's settings, readable by nobody else."""
    text = f"""\
# Written at every start; changes made here are lost.
{where.settings}protected-mode yes
daemonize no
dir .
appendonly yes
appendfsync {FSYNC[durability]}
aof-load-truncated no
save ""
maxmemory 0
maxmemory-policy noeviction
"""
    file = os.open(folder.settings, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "w", encoding="utf-8") as settings:
        settings.write(text)


def _at_socket(path: Path, *, told: str) -> Address:
    return Address(settings=f"port 0\nunixsocket {told}\nunixsocketperm 700\n", url=f"unix://{path}", socket=path)


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= SOCKET_PATH_LIMIT
