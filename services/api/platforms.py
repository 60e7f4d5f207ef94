"""What is set for a platform beside its keys."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import msgspec

from events.codec import Unpacker

USUAL_PORTS: Final = {"http": 80, "https": 443}
"""Ports that browsers leave out of an origin, by its scheme."""

_HOST: Final = re.compile(r"[a-z0-9._-]{1,253}")
_NUMBERED: Final = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)\.?")
"""Hosts that browsers read as an address of version 4, and send as its four numbers."""

MOST_ORIGINS: Final = 50


class PlatformRecord(msgspec.Struct, frozen=True, array_like=True):
    """
    What is kept of a platform.

    Args:
        origins: those whose pages may use its tokens.
        guests: the generation before which tokens of its guests have ended.
    """

    origins: tuple[str, ...] = ()
    guests: int = 0


read_platform: Final = Unpacker[PlatformRecord](PlatformRecord)


def origin_of(address: str) -> str | None:
    """Return the origin of a page's address as browsers send it; ``None`` where that is no page's."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    named = _host_as_sent(host)
    if parts.scheme not in USUAL_PORTS or named is None:
        return None
    return f"{parts.scheme}://{named}" + ("" if port in (None, USUAL_PORTS[parts.scheme]) else f":{port}")


def _host_as_sent(host: str) -> str | None:
    if ":" in host or _NUMBERED.fullmatch(host):
        with suppress(ValueError):
            found = ipaddress.ip_address(host)
            return f"[{found.compressed}]" if found.version == 6 else str(found)  # noqa: PLR2004
        return None
    return host if _HOST.fullmatch(host) else None
