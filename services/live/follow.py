"""What a socket follows: a table, from where it is seen, and up to where it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.messages import Viewpoint
from services.live.feed import Feed

if TYPE_CHECKING:
    from services.live.socket import Socket


class Follow:
    """
    A table followed from one viewpoint; of what is still to be sent it keeps nothing but ``last``, the version sent.

    Args:
        asked: the seat that was asked for, if any.
        token: the follow's own, ``None`` for the socket's.
        seen: version of the newest view that was sent.
        views: whether views are wanted.
        at: when its token was looked at.
        senders: whose it is, for whom it counts.
    """

    def __init__(  # noqa: PLR0913  each by its name
        self,
        *,
        socket: Socket,
        feed: Feed,
        viewpoint: Viewpoint,
        asked: int | None,
        token: str | None,
        seen: int,
        views: bool,
        at: float,
        senders: tuple[str, ...],
    ) -> None:
        self.socket = socket
        self.feed = feed
        self.viewpoint = viewpoint
        self.asked = asked
        self._token = token
        self.last = 0
        self.seen = seen
        self.views = views
        self.players = feed.players
        self.checked = at
        self.senders = senders
        self.alive = False

    def begin(self, after: int) -> None:
        """Be sent what is behind a version from now on."""
        self.last = after
        self.alive = True

    @property
    def table(self) -> str:
        """Return the table's name."""
        return self.feed.table

    @property
    def token(self) -> str:
        """Return the token in whose name it is."""
        return self._token or self.socket.token

    @property
    def behind(self) -> bool:
        """Whether there are steps that were not sent yet."""
        return self.last < self.feed.version

    @property
    def view_due(self) -> bool:
        """Whether there is a newer view than the one sent last, and all its steps were sent."""
        return self.views and self.seen < self.feed.shown and self.feed.shows_after(self.last)
