"""Whatever the doors can do can be asked for with the clients, and is by a call of its own."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
import pytest

from services.client import AsyncClient, ProblemError, TableRow
from services.client import Client as Plain
from tests.services.described import OPERATIONS
from tests.services.house import Client, Table

TABLE: Final = "nains-a1"
ID: Final = uuid.UUID("6f1c2d0e-4b0f-4a57-9d5f-1d6a2f0b7c11")

CALLS: Final[dict[tuple[str, str], tuple[str, tuple[Any, ...], dict[str, Any]]]] = {
    ("POST", "/v1/tables"): ("open_table", ("nains",), {"seats": 2}),
    ("GET", "/v1/tables"): ("tables", (), {"game": "nains", "status": "open"}),
    ("POST", "/v1/tables/{table}/start"): ("start", (TABLE,), {}),
    ("POST", "/v1/tables/{table}/cancel"): ("cancel", (TABLE,), {}),
    ("POST", "/v1/tables/{table}/rematch"): ("rematch", (TABLE,), {}),
    ("POST", "/v1/tables/{table}/seats/{seat}"): ("take_seat", (TABLE, 0, "ann"), {}),
    ("DELETE", "/v1/tables/{table}/seats/{seat}"): ("leave_seat", (TABLE, 0), {}),
    ("POST", "/v1/tables/{table}/seats/{seat}/token"): ("renew_token", (TABLE, 0), {"scope": "watch", "valid_s": 9}),
    ("DELETE", "/v1/tables/{table}/seats/{seat}/token"): ("revoke_seat_tokens", (TABLE, 0), {}),
    ("POST", "/v1/tables/{table}/spectators"): ("spectator_token", (TABLE,), {}),
    ("DELETE", "/v1/tables/{table}/spectators"): ("revoke_spectator_tokens", (TABLE,), {}),
    ("POST", "/v1/tables/{table}/invitations"): ("invite", (TABLE,), {}),
    ("DELETE", "/v1/tables/{table}/invitations"): ("revoke_invitations", (TABLE,), {}),
    ("POST", "/v1/tables/{table}/commands"): ("send", (TABLE, {"kind": "concede", "seat": 0}), {}),
    ("GET", "/v1/tables/{table}/commands/{command_id}"): ("answer", (TABLE, ID), {}),
    ("GET", "/v1/tables/{table}/view"): ("view", (TABLE,), {}),
    ("GET", "/v1/tables/{table}/legal"): ("legal", (TABLE,), {}),
    ("GET", "/v1/tables/{table}/history"): ("history", (TABLE,), {}),
    ("GET", "/v1/games"): ("games", (), {}),
    ("POST", "/v1/guests"): ("come_in", (), {}),
    ("GET", "/v1/keys"): ("keys", (), {}),
    ("GET", "/healthz"): ("server_time", (), {}),
    ("GET", "/readyz"): ("ready", (), {}),
}
"""Each operation of the description, and the call that asks for it."""


class Asked:
    """Notes what is asked for, each POST with a key of its own, and says no."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert request.method != "POST" or uuid.UUID(request.headers["Idempotency-Key"])
        self.requests.append((request.method, request.url.path))
        return httpx.Response(404, json={"code": "not_found", "details": {}})


def addresses(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{\w+\}", "[^/]+", path))


def test_every_operation_has_a_call() -> None:
    """A new one fails here until the clients can ask for it."""
    assert set(OPERATIONS) == set(CALLS)


@pytest.mark.parametrize("operation", CALLS)
def test_the_plain_client_asks_for_it(operation: tuple[str, str]) -> None:
    """And for nothing else."""
    name, arguments, named = CALLS[operation]
    asked = Asked()
    with (
        Plain("http://doors", "fck_a_b", transport=httpx.MockTransport(asked)) as client,
        pytest.raises(ProblemError, match="not_found"),
    ):
        next(getattr(client, name)(*arguments, **named))
    (found,) = asked.requests

    assert operation[0] == found[0]
    assert addresses(operation[1]).fullmatch(found[1])


@pytest.mark.parametrize("operation", CALLS)
async def test_the_asynchronous_client_asks_for_it(operation: tuple[str, str]) -> None:
    """By the same call."""
    name, arguments, named = CALLS[operation]
    asked = Asked()
    async with AsyncClient("http://doors", "fck_a_b", transport=httpx.MockTransport(asked)) as client:
        made = getattr(client, name)(*arguments, **named)
        with pytest.raises(ProblemError, match="not_found"):
            await (anext(made) if isinstance(made, AsyncIterator) else made)
    (found,) = asked.requests

    assert operation[0] == found[0]
    assert addresses(operation[1]).fullmatch(found[1])


@pytest.fixture
async def platform(client: Client) -> AsyncIterator[AsyncClient]:
    transport = client.http._transport  # noqa: SLF001  the connection to the application under test
    async with AsyncClient("http://doors", client.house.key, transport=transport) as platform:
        yield platform


async def test_a_platform_lists_its_own_tables(client: Client, platform: AsyncClient) -> None:
    """Those of others are left out, and a private one is there as soon as the lobby has it."""
    transport = client.http._transport  # noqa: SLF001  the connection to the application under test
    async with AsyncClient("http://doors", client.house.other, transport=transport) as other:
        theirs = (await other.open_table("nains", seats=2)).table
    table = (await platform.open_table("nains", seats=2, private=True)).table
    own: set[str] = set()
    while table not in own:
        own = {each.table async for each in platform.tables(own=True)}
    everything = {each.table async for each in platform.tables()}

    assert {table, theirs} <= everything
    assert theirs not in own


async def test_tokens_are_made_to_watch_and_ended(client: Client, platform: AsyncClient) -> None:
    """Each kind by its own call."""
    table: Table = await client.open(start=False, private=True)
    seat = platform.using(table.tokens[0])
    looking = platform.using((await platform.renew_token(table.name, 0, scope="watch", valid_s=60)).token)
    watching = platform.using((await platform.spectator_token(table.name)).token)
    invited = platform.using((await platform.invite(table.name)).token)
    seen = [(await each.view(table.name)).viewpoint for each in (seat, looking, watching)]
    with pytest.raises(ProblemError, match="not_allowed"):
        await looking.set_ready(table.name, 0)
    await seat.revoke_seat_tokens(table.name, 0)
    await platform.revoke_spectator_tokens(table.name)
    eve = platform.using((await platform.invite(table.name, player="eve")).token)
    await platform.revoke_invitations(table.name, player="eve")
    with pytest.raises(ProblemError, match="token_revoked"):
        await eve.take_seat(table.name, 0)
    with pytest.raises(ProblemError, match="seat_taken"):
        await invited.take_seat(table.name, 0)
    await platform.revoke_invitations(table.name)

    assert [0, 0, None] == seen
    for each in (seat, looking, watching):
        with pytest.raises(ProblemError, match="token_revoked"):
            await each.view(table.name)
    with pytest.raises(ProblemError, match="token_revoked"):
        await invited.take_seat(table.name, 0)


async def test_the_service_is_asked_about_itself(client: Client, platform: AsyncClient) -> None:
    """Its keys, its games, how it is and how late it is there."""
    nobody = platform.using(None)
    keys = await platform.keys()
    games = {each.game: each for each in await nobody.games()}
    ready = await nobody.ready()

    assert client.house.key.split("_")[1] in {each.name for each in keys}
    assert (2, 5) == (games["nains"].seats.least, games["nains"].seats.most)
    assert games["nains"].commands["concede"].rpartition("/")[2] in games["nains"].schemas
    assert ("ready", True) == (ready.status, ready.listening)
    assert 1_700_000_000_000 < await nobody.server_time() < 2**53


async def test_the_lobby_tells_the_terms_of_tables(client: Client, platform: AsyncClient) -> None:
    """A platform sees its private tables, and each row says what it is."""
    table = await client.open(start=False, private=True, spectator_delay=60)
    await platform.cancel(table.name)
    again = (await platform.rematch(table.name)).table
    rows: dict[str, TableRow] = {}
    while rows.get(table.name) is None or rows[table.name].rematch is None or again not in rows:
        rows = {each.table: each async for each in platform.tables(game="nains")}
    row = rows[table.name]

    assert (True, 60, "platform", again) == (row.private, row.spectator_delay, row.cancelled, row.rematch)
    assert table.name == rows[again].parent
