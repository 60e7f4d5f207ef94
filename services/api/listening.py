"""Takes the port of the doors, at every address that a host's name stands for, before anything else is done."""

from __future__ import annotations

import socket
from typing import Final

BACKLOG: Final = 2_048
"""Connections that may wait to be taken."""


def listening(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen; ``OSError`` where one of them cannot, and then none does."""
    found: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            each = socket.socket(family, kind, protocol)
            found.append(each)
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            each.bind(address)
            each.listen(BACKLOG)
    except OSError:
        release(found)
        raise
    return found


def release(sockets: list[socket.socket]) -> None:
    """Give the port back."""
    for each in sockets:
        each.close()
