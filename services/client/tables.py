"""What can be asked of the service, each as an operation without input and output."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import msgspec

from events.messages import Command
from services.client.asking import Asking, Request, ask, json_body, look_up, named, read, read_by, settle
from services.client.patience import Patience
from services.client.results import (
    Accepted,
    HistoryPage,
    Legal,
    SeatGiven,
    SeatToken,
    TablesPage,
    TableView,
    Wish,
    view_of,
)

PAGE: Final = 200
"""Rows of the lobby asked for at once: the most there are on a page."""


def open_table(
    patience: Patience,
    *,
    game: str,
    seats: int,
    options: Mapping[str, bool | int | str],
    bots: Mapping[int, str],
    command_id: uuid.UUID,
) -> Asking[Accepted]:
    """Open a table; the same id opens it once."""
    body = {
        "game": game,
        "seats": seats,
        "options": dict(options),
        "bots": [{"seat": seat, "bot": bot} for seat, bot in bots.items()],
    }
    return read((yield from settle(_post("/v1/tables", body, command_id), patience)), Accepted)


def take_seat(
    patience: Patience,
    *,
    table: str,
    seat: int,
    player: str,
    salt: bytes,
    command_id: uuid.UUID,
) -> Asking[SeatGiven]:
    """Sit a player down and return the seat's token."""
    path = f"{_path(table)}/seats/{seat}"
    reply = yield from settle(_post(path, {"player": player, "salt": salt.hex()}, command_id), patience)
    accepted = read(reply, Accepted)
    given = read(reply, _MaybeToken)
    token = given.token or (yield from renew_token(patience, table=table, seat=seat)).token
    return SeatGiven(
        table=table,
        seat=seat,
        token=token,
        command_id=accepted.command_id,
        first=accepted.first,
        last=accepted.last,
    )


def renew_token(patience: Patience, *, table: str, seat: int) -> Asking[SeatToken]:
    """Return a new token of who sits there."""
    request = Request(method="POST", path=f"{_path(table)}/seats/{seat}/token")
    return read((yield from ask(request, patience)), SeatToken)


def leave_seat(patience: Patience, *, table: str, seat: int, command_id: uuid.UUID) -> Asking[Accepted]:
    """Free a seat."""
    request = Request(method="DELETE", path=f"{_path(table)}/seats/{seat}", command_id=command_id)
    return read((yield from settle(request, patience)), Accepted)


def start(patience: Patience, *, table: str, command_id: uuid.UUID) -> Asking[Accepted]:
    """Begin play."""
    return read((yield from settle(_post(f"{_path(table)}/start", None, command_id), patience)), Accepted)


def send(
    patience: Patience,
    *,
    table: str,
    command: Command | Wish,
    version: int | None,
    command_id: uuid.UUID,
) -> Asking[Accepted]:
    """Send a seat's command and return what became of it, once the views show it."""
    path = f"{_path(table)}/commands"
    request = Request(method="POST", path=path, body=json_body(command), command_id=command_id, version=version)
    return read((yield from settle(request, patience)), Accepted)


def answer(patience: Patience, *, table: str, command_id: uuid.UUID) -> Asking[Accepted]:
    """Return what became of a command sent before."""
    return read((yield from look_up(f"{_path(table)}/commands/{command_id}", patience)), Accepted)


def view(patience: Patience, *, table: str, seat: int | None, at_least: int) -> Asking[TableView]:
    """Return a table as the caller sees it, once it is of a version."""
    request = _get(f"{_path(table)}/view", seat=seat, at_least=at_least)
    return read_by(view_of, (yield from ask(request, patience)))


def legal(patience: Patience, *, table: str, seat: int | None, at_least: int) -> Asking[Legal]:
    """Return what the caller's seat may send."""
    request = _get(f"{_path(table)}/legal", seat=seat, at_least=at_least)
    return read((yield from ask(request, patience)), Legal)


def history(patience: Patience, *, table: str, seat: int | None, after: int) -> Asking[HistoryPage]:
    """Return the chapters behind a version."""
    request = _get(f"{_path(table)}/history", **{"seat": seat, "from": after})
    return read((yield from ask(request, patience)), HistoryPage)


def tables(patience: Patience, *, game: str | None, status: str | None, cursor: str | None) -> Asking[TablesPage]:
    """Return a page of the lobby."""
    request = _get("/v1/tables", game=game, status=status, cursor=cursor, limit=PAGE)
    return read((yield from ask(request, patience)), TablesPage)


class _MaybeToken(msgspec.Struct):
    """What was looked up has no token."""

    token: str | None = None


def _get(path: str, **params: Any) -> Request:  # noqa: ANN401  any value with a text
    return Request(method="GET", path=path, params=named(**params))


def _post(path: str, body: object, command_id: uuid.UUID) -> Request:
    return Request(method="POST", path=path, body=None if body is None else json_body(body), command_id=command_id)


def _path(table: str) -> str:
    return f"/v1/tables/{quote(table, safe='')}"
