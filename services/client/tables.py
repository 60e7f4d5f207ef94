"""What can be asked of the service, each as an operation without input and output."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from events.messages import Command
from services.client.asking import Asking, Request, ask, insist, look_up, read, read_by, settle
from services.client.given import json_body, mapping_of, named, path_of_command, path_of_seat, path_of_table
from services.client.patience import Patience
from services.client.problems import UNREADABLE, ProblemError
from services.client.results import (
    Accepted,
    Bearer,
    Game,
    Games,
    Guest,
    Invitation,
    Key,
    Keys,
    Readiness,
    Rematch,
    SeatGiven,
    SeatToken,
    SpectatorToken,
    TablesPage,
)
from services.client.views import HistoryPage, Legal, TableView, Wish, view_of

PAGE: Final = 200
"""Rows of the lobby asked for at once: the most there are on a page."""


def open_table(  # noqa: PLR0913  each by its name
    patience: Patience,
    *,
    game: str,
    seats: int,
    options: Mapping[str, bool | int | str],
    bots: Mapping[int, str],
    private: bool,
    ready: bool,
    spectator_delay: int,
    command_id: uuid.UUID,
) -> Asking[Accepted]:
    """Open a table; the same id opens it once."""
    body = {
        "game": game,
        "seats": seats,
        "options": dict(mapping_of(options, called="options")),
        "bots": [{"seat": seat, "bot": bot} for seat, bot in mapping_of(bots, called="bots").items()],
        "private": private,
        "ready": ready,
        "spectator_delay": spectator_delay,
    }
    return read((yield from settle(_post("/v1/tables", body, command_id), patience)), Accepted)


def take_seat(
    patience: Patience,
    *,
    table: str,
    seat: int,
    player: str | None,
    salt: bytes,
    command_id: uuid.UUID,
) -> Asking[SeatGiven]:
    """
    Sit a player down and return the seat's token.

    An answer that was looked up holds none. A platform makes another; all others send the command again.
    """
    if not isinstance(salt, bytes):
        raise TypeError(f"a salt is bytes, not {type(salt).__name__}")
    body = named(player=player, salt=salt.hex())
    request = _post(path_of_seat(table, seat), body, command_id)
    reply = yield from settle(request, patience)
    accepted = read(reply, Accepted)
    given: Bearer
    if read(reply, _MaybeToken).token is not None:
        given = read(reply, Bearer)
    elif player is None:
        given = read((yield from insist(request, patience)), Bearer)
    else:
        given = yield from renew_token(patience, table=table, seat=seat)
    return SeatGiven(
        table=table,
        seat=seat,
        token=given.token,
        until=given.until,
        command_id=accepted.command_id,
        first=accepted.first,
        last=accepted.last,
    )


def seat_bot(patience: Patience, *, table: str, seat: int, bot: str, command_id: uuid.UUID) -> Asking[Accepted]:
    """Sit a bot down."""
    request = _post(path_of_seat(table, seat), {"bot": bot}, command_id)
    return read((yield from settle(request, patience)), Accepted)


def come_in(patience: Patience) -> Asking[Guest]:
    """Return a guest's name and token."""
    return read((yield from ask(_post("/v1/guests", None, uuid.uuid4()), patience)), Guest)


def invite(
    patience: Patience, *, table: str, seat: int | None, player: str | None, valid_s: int | None
) -> Asking[Invitation]:
    """Return a token to sit down with."""
    request = _with(f"{path_of_table(table)}/invitations", seat=seat, player=player, valid_s=valid_s)
    return read((yield from ask(request, patience)), Invitation)


def spectator_token(patience: Patience, *, table: str, valid_s: int | None) -> Asking[SpectatorToken]:
    """Return a token to watch with."""
    return read(
        (yield from ask(_with(f"{path_of_table(table)}/spectators", valid_s=valid_s), patience)), SpectatorToken
    )


def renew_token(
    patience: Patience, *, table: str, seat: int, scope: str = "play", valid_s: int | None = None
) -> Asking[SeatToken]:
    """Return a new token of who sits there."""
    request = _with(f"{path_of_seat(table, seat)}/token", scope=scope, valid_s=valid_s)
    return read((yield from ask(request, patience)), SeatToken)


def revoke(patience: Patience, *, table: str, seat: int) -> Asking[None]:
    """End the tokens of a seat; ended twice is ended."""
    yield from ask(Request(method="DELETE", path=f"{path_of_seat(table, seat)}/token"), patience)


def revoke_all(patience: Patience, *, table: str, what: str, player: str | None = None) -> Asking[None]:
    """End the tokens of a table of one kind, all or those of one player; ended twice is ended."""
    request = Request(method="DELETE", path=f"{path_of_table(table)}/{what}", params=named(player=player))
    yield from ask(request, patience)


def keys(patience: Patience) -> Asking[tuple[Key, ...]]:
    """Return the platform's keys."""
    return read((yield from ask(_get("/v1/keys"), patience)), Keys).keys


def games(patience: Patience) -> Asking[tuple[Game, ...]]:
    """Return all games."""
    return read((yield from ask(_get("/v1/games"), patience)), Games).games


def ready(patience: Patience) -> Asking[Readiness]:
    """Return how the service is, once it is open."""
    return read((yield from ask(_get("/readyz"), patience)), Readiness)


def server_time(patience: Patience) -> Asking[int]:
    """Return the service's clock."""
    reply = yield from ask(_get("/healthz"), patience)
    text = reply.server_time or ""
    if not text.isascii() or not text.isdigit():
        raise ProblemError(UNREADABLE, status=reply.status)
    return int(text)


def leave_seat(patience: Patience, *, table: str, seat: int, command_id: uuid.UUID) -> Asking[Accepted]:
    """Free a seat."""
    request = Request(method="DELETE", path=path_of_seat(table, seat), command_id=command_id)
    return read((yield from settle(request, patience)), Accepted)


def start(patience: Patience, *, table: str, command_id: uuid.UUID) -> Asking[Accepted]:
    """Begin play."""
    return read((yield from settle(_post(f"{path_of_table(table)}/start", None, command_id), patience)), Accepted)


def cancel(patience: Patience, *, table: str, command_id: uuid.UUID) -> Asking[Accepted]:
    """End a table without an outcome."""
    return read((yield from settle(_post(f"{path_of_table(table)}/cancel", None, command_id), patience)), Accepted)


def rematch(patience: Patience, *, table: str) -> Asking[Rematch]:
    """Open the same table again; there is one rematch, however often it is asked for."""
    request = _post(f"{path_of_table(table)}/rematch", None, uuid.uuid4())
    return read((yield from insist(request, patience)), Rematch)


def send(
    patience: Patience,
    *,
    table: str,
    command: Command | Wish,
    version: int | None,
    command_id: uuid.UUID,
) -> Asking[Accepted]:
    """Send a seat's command and return what became of it, once the views show it."""
    path = f"{path_of_table(table)}/commands"
    request = Request(method="POST", path=path, body=json_body(command), command_id=command_id, version=version)
    return read((yield from settle(request, patience)), Accepted)


def answer(patience: Patience, *, table: str, command_id: uuid.UUID | str) -> Asking[Accepted]:
    """Return what became of a command sent before."""
    return read((yield from look_up(path_of_command(table, command_id), patience)), Accepted)


def view(patience: Patience, *, table: str, seat: int | None, at_least: int) -> Asking[TableView]:
    """Return a table as the caller sees it, once it is of a version."""
    request = _get(f"{path_of_table(table)}/view", seat=seat, at_least=at_least)
    return read_by(view_of, (yield from ask(request, patience)))


def legal(patience: Patience, *, table: str, seat: int | None, at_least: int) -> Asking[Legal]:
    """Return what the caller's seat may send."""
    request = _get(f"{path_of_table(table)}/legal", seat=seat, at_least=at_least)
    return read((yield from ask(request, patience)), Legal)


def history(patience: Patience, *, table: str, seat: int | None, after: int) -> Asking[HistoryPage]:
    """Return the chapters behind a version."""
    request = _get(f"{path_of_table(table)}/history", **{"seat": seat, "from": after})
    return read((yield from ask(request, patience)), HistoryPage)


def tables(
    patience: Patience, *, game: str | None, status: str | None, own: bool, cursor: str | None
) -> Asking[TablesPage]:
    """Return a page of the lobby."""
    wanted = "true" if own else None
    request = _get("/v1/tables", game=game, status=status, own=wanted, cursor=cursor, limit=PAGE)
    return read((yield from ask(request, patience)), TablesPage)


class _MaybeToken(msgspec.Struct):
    """What was looked up has no token."""

    token: str | None = None


def _get(path: str, **params: Any) -> Request:  # noqa: ANN401  any value with a text
    return Request(method="GET", path=path, params=named(**params))


def _post(path: str, body: object, command_id: uuid.UUID) -> Request:
    return Request(method="POST", path=path, body=None if body is None else json_body(body), command_id=command_id)


def _with(path: str, **fields: object) -> Request:
    """Ask for a token; asked again it is for the same one."""
    given = {name: value for name, value in fields.items() if value is not None}
    return _post(path, given, uuid.uuid4())
