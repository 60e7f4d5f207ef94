"""Reads a traceback that was kept, without what its exceptions say: a message may tell what a seat must not know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

LEFT_OUT: Final = "(what it says is left out)"

_HEAD: Final = "Traceback (most recent call last):"
_FRAME: Final = re.compile(r'  File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>[\w.<>]+)')
_CODE: Final = re.compile(r"    .*|  \[Previous line repeated \d+ more times?\]")
"""What follows a frame: lines of the program, marks under them, or how often the frame came again."""
_KIND: Final = re.compile(r"([A-Za-z_][\w.]*)(:?)")
_SHOWN: Final = 3
"""Parts of a file's path that tell enough."""


class Trace(msgspec.Struct):
    """
    What is kept of one exception of a traceback.

    Args:
        lines: where it came through, with the program's own lines.
        kind: the exception's name.
        place: where it was raised.
    """

    lines: list[str]
    kind: str = "an exception"
    place: str = ""

    def told(self) -> list[str]:
        """Return the lines in which it may be shown."""
        return [_HEAD, *self.lines, f"{self.kind} {LEFT_OUT}"]


def traces(text: str) -> Sequence[Trace]:
    """
    Return the exceptions of a traceback, causes first; none when it is no traceback.

    A message goes on up to the next traceback, so that no line of it is taken for anything else.
    """
    found: list[Trace] = []
    inside = False
    for line in text.splitlines():
        if line == _HEAD:
            found.append(Trace([]))
            inside = True
        elif inside and (frame := _FRAME.fullmatch(line)):
            file = "/".join(frame["file"].split("/")[-_SHOWN:])
            found[-1].place = f"{file}, line {frame['line']}, in {frame['name']}"
            found[-1].lines.append(f'  File "{file}", line {frame["line"]}, in {frame["name"]}')
        elif inside and found[-1].lines and _CODE.fullmatch(line):
            found[-1].lines.append(line)
        elif inside:
            inside = False
            kind = _KIND.match(line)
            if kind is not None and (kind[2] or kind.end() == len(line)):
                found[-1].kind = kind[1]
    return found
