"""Reads lists of entity tags (RFC 9110, 8.8.3), as conditions of requests name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Final

from fastapi import Depends, Header, Request

ANY: Final = "*"
"""Stands for whatever there is."""

TAG: Final = r'(?:W/)?("[\x21\x23-\x7e\x80-\xff]*")'
LIST: Final = re.compile(rf"[ \t]*(?:,[ \t]*)*{TAG}[ \t]*(?:,[ \t]*(?:{TAG}[ \t]*)?)*")


def tags_of(*lines: str) -> Sequence[str]:
    """
    Return the tags that a header lists in all of its lines, in their quotes; ``ANY`` alone for that.

    A tag that is weak is as good as a strong one: here both stand for the same view. What is no list of tags says
    nothing and lists none.
    """
    text = ",".join(lines)
    if text.strip() == ANY:
        return [ANY]
    return re.findall(TAG, text) if LIST.fullmatch(text) else []


class Tags:
    """The tags of what a request's sender holds already (``If-None-Match``)."""

    def __init__(self, tags: Sequence[str]) -> None:
        self._tags = tags

    def __contains__(self, etag: str) -> bool:
        return etag in self._tags or ANY in self._tags


async def _known(request: Request, if_none_match: Annotated[str | None, Header()] = None) -> Tags:
    return Tags(tags_of(*request.headers.getlist("if-none-match")))


Known = Annotated[Tags, Depends(_known)]
