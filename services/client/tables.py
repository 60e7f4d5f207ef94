"""What can be asked of the service, each as an operation without input and output."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Final

import msgspec

from events.messages import Command
from services.client.asking import Asking, Request, ask, insist, look_up, read, read_by, settle
from services.client.given import (
    bots_of,
    command_of,
    id_or_new,
    json_body,
    named,
    options_of,
    path_of_command,
    path_of_seat,
    path_of_table,
    perhaps,
    salt_of,
    seat_of,
    text_of,
    truth_of,
    whole_of,
)
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
    options: Mapping[str, bool | int | str] | None,
    bots: Mapping[int, str] | None,
    private: bool,
    ready: bool,
    spectator_delay: int,
    command_id: uuid.UUID | str | None,
) -> Asking[Accepted]:
    """Open a table; the same id opens it once."""
    body = {
        "game": text_of(game, called="game"),
        "seats": whole_of(seats, called="seats"),
        "options": options_of({} if options is None else options),
        "bots": bots_of({} if bots is None else bots),
        "private": truth_of(private, called="private"),
        "ready": truth_of(ready, called="ready"),
        "spectator_delay": whole_of(spectator_delay, called="spectator_delay"),
    }
    return read((yield from settle(_post("/v1/tables", body, command_id), patience)), Accepted)


def take_seat(
    patience: Patience,
    *,
    table: str,
    seat: int,
    player: str | None,
    salt: bytes,
    command_id: uuid.UUID | str | None,
) -> Asking[SeatGiven]:
    """
    Sit a player down and return the seat's token.

    An answer that was looked up holds none. A platform makes another; all others send the command again.
    """
    seat = seat_of(seat)
    body = named(player=perhaps(text_of, player, called="player"), salt=salt_of(salt))
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


def seat_bot(
    patience: Patience, *, table: str, seat: int, bot: str, command_id: uuid.UUID | str | None
) -> Asking[Accepted]:
    """Sit a bot down."""
    request = _post(path_of_seat(table, seat), {"bot": text_of(bot, called="bot")}, command_id)
    return read((yield from settle(request, patience)), Accepted)


def come_in(patience: Patience) -> Asking[Guest]:
    """Return a guest's name and token."""
    return read((yield from ask(_post("/v1/guests", None, None), patience)), Guest)


def invite(
    patience: Patience, *, table: str, seat: int | None, player: str | None, valid_s: int | None
) -> Asking[Invitation]:
    """Return a token to sit down with."""
    request = _with(
        f"{path_of_table(table)}/invitations",
        seat=perhaps(whole_of, seat, called="seat"),
        player=perhaps(text_of, player, called="player"),
        valid_s=perhaps(whole_of, valid_s, called="valid_s"),
    )
    return read((yield from ask(request, patience)), Invitation)


def spectator_token(patience: Patience, *, table: str, valid_s: int | None) -> Asking[SpectatorToken]:
    """Return a token to watch with."""
    request = _with(f"{path_of_table(table)}/spectators", valid_s=perhaps(whole_of, valid_s, called="valid_s"))
    return read((yield from ask(request, patience)), SpectatorToken)


def renew_token(
    patience: Patience, *, table: str, seat: int, scope: str = "play", valid_s: int | None = None
) -> Asking[SeatToken]:
    """Return a new token of who sits there."""
    request = _with(
        f"{path_of_seat(table, seat)}/token",
        scope=text_of(scope, called="scope"),
        valid_s=perhaps(whole_of, valid_s, called="valid_s"),
    )
    return read((yield from ask(request, patience)), SeatToken)


def revoke(patience: Patience, *, table: str, seat: int) -> Asking[None]:
    """End the tokens of a seat; ended twice is ended."""
    yield from ask(Request(method="DELETE", path=f"{path_of_seat(table, seat)}/token"), patience)


def revoke_all(patience: Patience, *, table: str, what: str, player: str | None = None) -> Asking[None]:
    """End the tokens of a table of one kind, all or those of one player; ended twice is ended."""
    params = named(player=perhaps(text_of, player, called="player"))
    request = Request(method="DELETE", path=f"{path_of_table(table)}/{what}", params=params)
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


def leave_seat(patience: Patience, *, table: str, seat: int, command_id: uuid.UUID | str | None) -> Asking[Accepted]:
    """Free a seat."""
    request = Request(method="DELETE", path=path_of_seat(table, seat), command_id=id_or_new(command_id))
    return read((yield from settle(request, patience)), Accepted)


def start(patience: Patience, *, table: str, command_id: uuid.UUID | str | None) -> Asking[Accepted]:
    """Begin play."""
    return read((yield from settle(_post(f"{path_of_table(table)}/start", None, command_id), patience)), Accepted)


def cancel(patience: Patience, *, table: str, command_id: uuid.UUID | str | None) -> Asking[Accepted]:
    """End a table without an outcome."""
    return read((yield from settle(_post(f"{path_of_table(table)}/cancel", None, command_id), patience)), Accepted)


def rematch(patience: Patience, *, table: str) -> Asking[Rematch]:
    """Open the same table again; there is one rematch, however often it is asked for."""
    request = _post(f"{path_of_table(table)}/rematch", None, None)
    return read((yield from insist(request, patience)), Rematch)


def send(
    patience: Patience,
    *,
    table: str,
    command: Command | Wish,
    version: int | None,
    command_id: uuid.UUID | str | None,
) -> Asking[Accepted]:
    """Send a seat's command and return what became of it, once the views show it."""
    path = f"{path_of_table(table)}/commands"
    request = Request(
        method="POST",
        path=path,
        body=json_body(command_of(command)),
        command_id=id_or_new(command_id),
        version=perhaps(whole_of, version, called="version"),
    )
    return read((yield from settle(request, patience)), Accepted)


def answer(patience: Patience, *, table: str, command_id: uuid.UUID | str) -> Asking[Accepted]:
    """Return what became of a command sent before."""
    return read((yield from look_up(path_of_command(table, command_id), patience)), Accepted)


def view(patience: Patience, *, table: str, seat: int | None, at_least: int) -> Asking[TableView]:
    """Return a table as the caller sees it, once it is of a version."""
    request = _get(
        f"{path_of_table(table)}/view",
        seat=perhaps(whole_of, seat, called="seat"),
        at_least=whole_of(at_least, called="at_least"),
    )
    return read_by(view_of, (yield from ask(request, patience)))


def legal(patience: Patience, *, table: str, seat: int | None, at_least: int) -> Asking[Legal]:
    """Return what the caller's seat may send."""
    request = _get(
        f"{path_of_table(table)}/legal",
        seat=perhaps(whole_of, seat, called="seat"),
        at_least=whole_of(at_least, called="at_least"),
    )
    return read((yield from ask(request, patience)), Legal)


def history(patience: Patience, *, table: str, seat: int | None, after: int) -> Asking[HistoryPage]:
    """Return the chapters behind a version."""
    behind = {"seat": perhaps(whole_of, seat, called="seat"), "from": whole_of(after, called="after")}
    request = _get(f"{path_of_table(table)}/history", **behind)
    return read((yield from ask(request, patience)), HistoryPage)


def tables(
    patience: Patience, *, game: str | None, status: str | None, own: bool, cursor: str | None
) -> Asking[TablesPage]:
    """Return a page of the lobby."""
    request = _get(
        "/v1/tables",
        game=perhaps(text_of, game, called="game"),
        status=perhaps(text_of, status, called="status"),
        own="true" if truth_of(own, called="own") else None,
        cursor=cursor,
        limit=PAGE,
    )
    return read((yield from ask(request, patience)), TablesPage)


class _MaybeToken(msgspec.Struct):
    """What was looked up has no token."""

    token: str | None = None


def _get(path: str, **params: str | int | None) -> Request:
    return Request(method="GET", path=path, params=named(**params))


def _post(path: str, body: object, command_id: uuid.UUID | str | None) -> Request:
    sent = None if body is None else json_body(body)
    return Request(method="POST", path=path, body=sent, command_id=id_or_new(command_id))


def _with(path: str, **fields: object) -> Request:
    """Ask for a token; asked again it is for the same one."""
    given = {name: value for name, value in fields.items() if value is not None}
    return _post(path, given, None)
