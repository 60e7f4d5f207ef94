"""The client for asyncio: the same calls as the plain one has, to be awaited."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from functools import partial

from websockets.asyncio.client import ClientConnection

from events.messages import Command
from services.client import tables
from services.client.conversation import Conversation, one_after_another
from services.client.given import seat_of
from services.client.line import Line
from services.client.news import Follow, News, wishes
from services.client.results import (
    Accepted,
    Game,
    Guest,
    Invitation,
    Key,
    Readiness,
    Rematch,
    SeatGiven,
    SeatToken,
    SpectatorToken,
    TableRow,
)
from services.client.sending import AsyncSending
from services.client.views import Chapter, Legal, TableView, Wish


class AsyncClient(AsyncSending):
    """
    Asks the service; tasks may share one.

    Every call tries again by itself while that may help, always with the same command id, and raises ``ProblemError``
    when the answer is no or the client's patience is at an end.

    Args:
        url: of the service, such as ``http://127.0.0.1:8000``.
        token: a platform's key or a seat's token.
        patience_s: seconds after which a call gives up; ``math.inf`` to try for ever.
        timeout_s: seconds after which one unanswered request counts as lost.
        transport: another way to the service than a connection, as httpx takes it.
    """

    async def open_table(  # noqa: PLR0913  each by its name
        self,
        game: str,
        *,
        seats: int,
        options: Mapping[str, bool | int | str] | None = None,
        bots: Mapping[int, str] | None = None,
        private: bool = False,
        ready: bool = False,
        spectator_delay: int = 0,
        command_id: uuid.UUID | str | None = None,
    ) -> Accepted:
        """
        Open a table; the same ``command_id`` opens it once.

        Args:
            game: its word, such as ``nains``.
            seats: how many.
            options: the game's own; what is not named keeps its default.
            bots: which seats bots take, and which bots.
            private: whether the lobby leaves it out, and spectators need a token.
            ready: whether play begins by itself, as soon as all sit and every player is ready.
            spectator_delay: seconds by which spectators are behind.
            command_id: by which the same wish is known when it is sent again.
        """
        return await self._run(
            tables.open_table(
                self._patience,
                game=game,
                seats=seats,
                options=options,
                bots=bots,
                private=private,
                ready=ready,
                spectator_delay=spectator_delay,
                command_id=command_id,
            )
        )

    async def take_seat(
        self,
        table: str,
        seat: int,
        player: str | None = None,
        *,
        salt: bytes = b"",
        command_id: uuid.UUID | str | None = None,
    ) -> SeatGiven:
        """
        Sit a player down; the token in the result is for that player.

        An invitation or a guest names the player themselves. ``salt``: none, or 32 random bytes.
        """
        return await self._run(
            tables.take_seat(self._patience, table=table, seat=seat, player=player, salt=salt, command_id=command_id)
        )

    async def seat_bot(self, table: str, seat: int, bot: str, *, command_id: uuid.UUID | str | None = None) -> Accepted:
        """Let a bot of the service take a seat."""
        return await self._run(tables.seat_bot(self._patience, table=table, seat=seat, bot=bot, command_id=command_id))

    async def come_in(self) -> Guest:
        """Return a guest's token, for which no key is needed; ``no_guests`` where the operator lets none in."""
        return await self._run(tables.come_in(self._patience))

    async def invite(
        self, table: str, *, seat: int | None = None, player: str | None = None, valid_s: int | None = None
    ) -> Invitation:
        """Return a token with which somebody sits down, at any seat and under a new name unless they are given."""
        return await self._run(tables.invite(self._patience, table=table, seat=seat, player=player, valid_s=valid_s))

    async def spectator_token(self, table: str, *, valid_s: int | None = None) -> SpectatorToken:
        """Return a token that lets its holder watch, also a private table."""
        return await self._run(tables.spectator_token(self._patience, table=table, valid_s=valid_s))

    async def renew_token(self, table: str, seat: int, *, scope: str = "play", valid_s: int | None = None) -> SeatToken:
        """Return a new token for the player who sits there; with the scope ``watch`` one that is for looking alone."""
        return await self._run(tables.renew_token(self._patience, table=table, seat=seat, scope=scope, valid_s=valid_s))

    async def revoke_seat_tokens(self, table: str, seat: int) -> None:
        """End all tokens of a seat within seconds; a platform may, and the seat's player."""
        await self._run(tables.revoke(self._patience, table=table, seat=seat))

    async def revoke_spectator_tokens(self, table: str) -> None:
        """End all tokens for watching a table within seconds."""
        await self._run(tables.revoke_all(self._patience, table=table, what="spectators"))

    async def revoke_invitations(self, table: str, *, player: str | None = None) -> None:
        """End all invitations to a table, or those of one player, within seconds; who sits already stays."""
        await self._run(tables.revoke_all(self._patience, table=table, what="invitations", player=player))

    async def keys(self) -> tuple[Key, ...]:
        """Return what is known of the platform's own keys, never their secret parts."""
        return await self._run(tables.keys(self._patience))

    async def games(self) -> tuple[Game, ...]:
        """Return every game that tables can be opened of; no token is needed."""
        return await self._run(tables.games(self._patience))

    async def ready(self) -> Readiness:
        """Return how the service is, once its store can be used; no token is needed."""
        return await self._run(tables.ready(self._patience))

    async def server_time(self) -> int:
        """Return the service's clock, in milliseconds since 1970; no token is needed."""
        return await self._run(tables.server_time(self._patience))

    async def leave_seat(self, table: str, seat: int, *, command_id: uuid.UUID | str | None = None) -> Accepted:
        """Free a seat, while play has not begun."""
        return await self._run(tables.leave_seat(self._patience, table=table, seat=seat, command_id=command_id))

    async def start(self, table: str, *, command_id: uuid.UUID | str | None = None) -> Accepted:
        """Begin play; all seats must be taken."""
        return await self._run(tables.start(self._patience, table=table, command_id=command_id))

    async def set_ready(self, table: str, seat: int, *, command_id: uuid.UUID | str | None = None) -> Accepted:
        """Say with a seat's token that play may begin; it does once every player said so."""
        return await self.send(table, {"kind": "set_ready", "seat": seat_of(seat)}, command_id=command_id)

    async def drop_ready(self, table: str, seat: int, *, command_id: uuid.UUID | str | None = None) -> Accepted:
        """Ask the others to wait after all."""
        return await self.send(table, {"kind": "drop_ready", "seat": seat_of(seat)}, command_id=command_id)

    async def cancel(self, table: str, *, command_id: uuid.UUID | str | None = None) -> Accepted:
        """End a table without an outcome, whether play has begun or not."""
        return await self._run(tables.cancel(self._patience, table=table, command_id=command_id))

    async def rematch(self, table: str) -> Rematch:
        """Open the same table again for the same seats, once it is over; asked again it is the same one."""
        return await self._run(tables.rematch(self._patience, table=table))

    async def send(
        self,
        table: str,
        command: Command | Wish,
        *,
        version: int | None = None,
        command_id: uuid.UUID | str | None = None,
    ) -> Accepted:
        """
        Send a seat's command, and return once it happened and the seat's view shows it.

        With the version of the view it answers, a command that comes too late is refused as ``stale_version``.
        """
        return await self._run(
            tables.send(self._patience, table=table, command=command, version=version, command_id=command_id)
        )

    async def answer(self, table: str, command_id: uuid.UUID | str) -> Accepted:
        """Return what became of a command sent before; ``unknown_command`` while there is no answer."""
        return await self._run(tables.answer(self._patience, table=table, command_id=command_id))

    async def view(self, table: str, *, seat: int | None = None, at_least: int = 0) -> TableView:
        """Return the table as the token's seat sees it, or a spectator; waits for the version ``at_least``."""
        return await self._run(tables.view(self._patience, table=table, seat=seat, at_least=at_least))

    async def legal(self, table: str, *, seat: int | None = None, at_least: int = 0) -> Legal:
        """Return the commands that the token's seat may send now."""
        return await self._run(tables.legal(self._patience, table=table, seat=seat, at_least=at_least))

    async def history(self, table: str, *, seat: int | None = None, after: int = 0) -> AsyncIterator[Chapter]:
        """Give what the token's seat was told behind a version, oldest first, up to now."""
        behind: int | None = after
        while behind is not None:
            page = await self._run(tables.history(self._patience, table=table, seat=seat, after=behind))
            for chapter in page.chapters:
                yield chapter
            behind = page.next

    async def tables(
        self, *, game: str | None = None, status: str | None = None, own: bool = False
    ) -> AsyncIterator[TableRow]:
        """Give the lobby's rows, newest first; of a platform's ``own`` tables alone."""
        cursor: str | None = ""
        while cursor is not None:
            page = await self._run(
                tables.tables(self._patience, game=game, status=status, own=own, cursor=cursor or None)
            )
            for row in page.tables:
                yield row
            cursor = page.next

    def follow(self, *follows: str | Follow) -> AsyncGenerator[News, None]:
        """
        Give what happens at tables, as it happens, until all of them are over.

        A line that breaks is taken up again behind the last version that came. A table's name alone asks for what is
        to come, beginning with the view of now.
        """
        self._life.require()
        wanted = wishes(follows, token=self._token)
        line = Line(wanted, token=self._first_token(wanted), patience=self._patience)
        return one_after_another(self._live_url, line, partial(_conversation, line), self._life)

    def converse(self) -> Conversation:
        """Return a conversation over one socket: what it follows may change, and commands are sent over it."""
        self._life.require()
        return Conversation(self._live_url, token=self._first_token(), patience=self._patience, life=self._life)


async def _conversation(line: Line, socket: ClientConnection) -> AsyncGenerator[News, None]:
    texts = line.greet()
    while True:
        for text in texts:
            await socket.send(text)
        if line.done:
            return
        try:
            async with asyncio.timeout(line.wait_s):
                heard = await socket.recv()
        except TimeoutError:
            told = []
        else:
            told = line.hear(heard)
        for news in told:
            yield news
        texts = line.replies()
