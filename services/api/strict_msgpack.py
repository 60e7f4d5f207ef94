"""Looks through MessagePack from outside for what is broken, and what its reader lets pass: keys twice, NaN."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Final

from services.api.problems import malformed

BROKEN: Final = 400
DEPTH: Final = 64

FIXED: Final = {
    0xC0: 0, 0xC2: 0, 0xC3: 0,
    0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8,
}  # fmt: skip
"""Bytes behind the first byte of a value of fixed size."""
FLOATS: Final = {0xCA: ">f", 0xCB: ">d"}
BYTES: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4}
TEXTS: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
LISTS: Final = {0xDC: 2, 0xDD: 4}
MAPS: Final = {0xDE: 2, 0xDF: 4}


def require_strict(body: bytes) -> None:
    """Raise a problem for bad UTF-8, a key that stands twice, NaN, infinity, deep nests, what is no single value."""
    end = _Scan(body).value(0, "$", 0)
    if end != len(body):
        raise malformed("$", "something follows the value", "not_msgpack", status=BROKEN)


class _Scan:
    def __init__(self, body: bytes) -> None:
        self._body = body

    def value(self, at: int, path: str, depth: int) -> int:
        """Return the offset behind the value that starts here."""
        if depth > DEPTH:
            raise malformed("$", "nested too deeply", "nested_too_deeply", status=BROKEN)
        first = self._take(at, 1)[0]
        at += 1
        if first <= 0x7F or first >= 0xE0:  # noqa: PLR2004  small numbers
            return at
        if first <= 0x8F:  # noqa: PLR2004  small maps
            return self._map(at, first & 0x0F, path, depth)
        if first <= 0x9F:  # noqa: PLR2004  small lists
            return self._list(at, first & 0x0F, path, depth)
        if first <= 0xBF:  # noqa: PLR2004  short texts
            return self._said(at, first & 0x1F, path)
        return self._long(first, at, path, depth)

    def _long(self, first: int, at: int, path: str, depth: int) -> int:
        if first in FIXED:
            return self._skip(at, FIXED[first])
        if first in FLOATS:
            size = struct.calcsize(FLOATS[first])
            if not math.isfinite(struct.unpack(FLOATS[first], self._take(at, size))[0]):
                raise malformed(path, "not a number", "not_a_number", status=BROKEN)
            return at + size
        sized: tuple[tuple[dict[int, int], Callable[[int, int], int]], ...] = (
            (BYTES, self._skip),
            (TEXTS, lambda behind, count: self._said(behind, count, path)),
            (LISTS, lambda behind, count: self._list(behind, count, path, depth)),
            (MAPS, lambda behind, count: self._map(behind, count, path, depth)),
        )
        for sizes, read in sized:
            if first in sizes:
                size = sizes[first]
                return read(at + size, int.from_bytes(self._take(at, size), "big"))
        raise malformed(path, "an extension type", "wrong_type", status=BROKEN)

    def _list(self, at: int, count: int, path: str, depth: int) -> int:
        for place in range(count):
            at = self.value(at, f"{path}[{place}]", depth + 1)
        return at

    def _map(self, at: int, count: int, path: str, depth: int) -> int:
        seen: set[bytes] = set()
        for _ in range(count):
            behind = self.value(at, f"{path}[...]", depth + 1)
            key = self._text(at, behind)
            if key in seen:
                raise malformed(path, "the same key twice", "duplicate_key", status=BROKEN)
            seen.add(key)
            at = self.value(behind, f"{path}[...]", depth + 1)
        return at

    def _text(self, at: int, behind: int) -> bytes:
        """Return what a key says, in whichever of its forms it was written."""
        header = {0xD9: 2, 0xDA: 3, 0xDB: 5}.get(self._body[at], 1)
        return self._body[at + header : behind] or self._body[at:behind]

    def _said(self, at: int, count: int, path: str) -> int:
        try:
            self._take(at, count).decode()
        except UnicodeDecodeError:
            raise malformed(path, "not UTF-8", "not_utf8", status=BROKEN) from None
        return at + count

    def _skip(self, at: int, count: int) -> int:
        self._take(at, count)
        return at + count

    def _take(self, at: int, count: int) -> bytes:
        if at + count > len(self._body):
            raise malformed("$", "it ends too early", "not_msgpack", status=BROKEN)
        return self._body[at : at + count]
