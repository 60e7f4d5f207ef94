"""Why a socket is closed; each reason has a code of its own that stays."""

from __future__ import annotations

from enum import IntEnum


class Closing(IntEnum):
    """Codes of the close frame; the frame's reason is the name in small letters."""

    NORMAL = 1000
    UNSUPPORTED = 1003
    """A message was binary."""
    INTERNAL_ERROR = 1011
    """A fault of the service; also said by the server when nobody answers its ping."""
    BAD_FIRST_MESSAGE = 4000
    """The first message could not be read, or was no token."""
    BAD_TOKEN = 4001
    """The token is none of this service's, or no longer holds."""
    NO_FIRST_MESSAGE = 4002
    """No token came in time."""
    TOO_SLOW = 4003
    """The client does not read."""
    TOO_MANY_SOCKETS = 4004
    """The process, the address or the token has as many sockets as it may: come back later."""
    STORE_AWAY = 4005
    """Who speaks could not be found out, since the store cannot be reached: come back later."""
    RATE_LIMITED = 4006
    """Too many wrong tokens came from the client's address, or too many frames over the socket: come back later."""

    @property
    def reason(self) -> str:
        """Return what stands in the frame."""
        return self.name.lower()


class Closed(Exception):
    """The socket has to be closed, for this reason."""

    def __init__(self, why: Closing) -> None:
        super().__init__(why.reason)
        self.why = why
