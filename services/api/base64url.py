"""Bytes as text in tokens and cursors: base64 for addresses, without padding, and one spelling of each."""

from __future__ import annotations

import base64
import hmac


def text_of(value: bytes) -> str:
    """Return the one text of some bytes."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    """
    Return the bytes of a text that ``text_of`` may have given; ``ValueError`` for any other.

    The last character has bits that stand for nothing, and readers pass over them: what was given out once would be
    good in up to 16 spellings.
    """
    found = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if not hmac.compare_digest(text_of(found), text):
        raise ValueError("another spelling of the same bytes")
    return found
