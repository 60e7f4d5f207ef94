"""What is set for a platform beside its keys."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from events.codec import Unpacker

ORIGIN: Final = re.compile(r"https?://[a-z0-9.-]{1,253}(:[0-9]{1,5})?|https?://\[[0-9a-f:.]{2,45}\](:[0-9]{1,5})?")
"""An origin as browsers send it: scheme, host in lower case, port where it is not the usual one."""

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
