"""Why a socket is closed; each reason has a code of its own that stays."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Self


class Closing(IntEnum):
    """Codes of the close frame, each with its meaning; the frame's reason is the name in small letters."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Self:
        """Return the code, which knows what it means."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    UNSUPPORTED = 1003, "A message was binary."
    INTERNAL_ERROR = 1011, "A fault of the service; also when a ping was not answered."
    BAD_FIRST_MESSAGE = 4000, "The first message could not be read, or was no token."
    BAD_TOKEN = 4001, "The token is none of this service's, or no longer holds."
    NO_FIRST_MESSAGE = 4002, "No token came in time."
    TOO_SLOW = 4003, "The client does not read."
    TOO_MANY_SOCKETS = 4004, "The process, the address or the token has as many sockets as it may: come back later."
    STORE_AWAY = 4005, "Who speaks could not be found out, since the store cannot be reached: come back later."
    RATE_LIMITED = (
        4006,
        "Too many wrong tokens came from the client's address, or too many frames over the socket: come back later.",
    )

    @property
    def reason(self) -> str:
        """Return what stands in the frame."""
        return self.name.lower()


UNDER_US: Final[Mapping[int, str]] = {
    1002: "The client broke the WebSocket protocol.",
    1007: "A text is no UTF-8.",
    1009: "A message is larger than the service takes.",
    1012: "The process ends, for a restart or an upgrade: come back at once.",
}
"""Codes that the protocol under the live door closes with, and their meanings; its reasons are words for people."""


class Closed(Exception):
    """The socket has to be closed, for this reason."""

    def __init__(self, why: Closing) -> None:
        super().__init__(why.reason)
        self.why = why
