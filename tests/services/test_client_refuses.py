"""What the client refuses by itself, before anything is asked, and what it never shows."""

from __future__ import annotations

import math
from collections.abc import Callable

import httpx
import pytest

from services.client import AsyncClient, Client, Guest, Invitation, ProblemError, SeatGiven, SpectatorToken
from services.client.news import Follow
from tests.services.test_client_asking import ID, SECRET


def test_tokens_are_never_printed() -> None:
    """Whatever lands in a log or a traceback names no secret."""
    printed = [
        repr(Client("http://127.0.0.1:1", SECRET)),
        repr(Follow(table="nains-a", token=SECRET)),
        repr(SeatGiven(table="nains-a", seat=0, token=SECRET, until=1, command_id=str(ID), first=1, last=1)),
        repr(Invitation(table="nains-a", seat=None, player="ann", token=SECRET, until=1)),
        repr(SpectatorToken(table="nains-a", token=SECRET, until=1)),
        repr(Guest(player="guest:x", platform="tests", token=SECRET, until=1)),
        str(ProblemError("wrong_token", path="$.x", details={"a": 1})),
    ]

    assert SECRET not in " ".join(printed)


@pytest.mark.parametrize("token", [f"{SECRET}\n", f"{SECRET}\r\nX: y", f" {SECRET}", f"{SECRET}\u00e9", "\ud800x", ""])
@pytest.mark.parametrize(
    "give",
    [
        lambda token: Client("http://127.0.0.1:1", token),
        lambda token: AsyncClient("http://127.0.0.1:1", token),
        lambda token: Client("http://127.0.0.1:1").using(token),
        lambda token: Follow(table="nains-a", token=token),
    ],
)
def test_what_is_no_token_is_told_before_it_is_sent(give: Callable[[str], object], token: str) -> None:
    """The exception, and whatever led to it, does not hold it."""
    with pytest.raises(ProblemError) as told:
        give(token)
    fault = told.value

    assert "wrong_token" == fault.code
    assert (None, None) == (fault.__cause__, fault.__context__)
    assert not token or token not in repr((str(fault), fault.args, fault.details))


async def test_who_waits_while_the_client_is_closed_is_told() -> None:
    """Whatever the library calls it; before anything is asked as well."""

    def closing(_request: httpx.Request) -> httpx.Response:
        plain.close()
        return httpx.Response(503, json={"code": "busy", "details": {}})

    async def closing_soon(_request: httpx.Request) -> httpx.Response:
        await other.aclose()
        return httpx.Response(503, json={"code": "busy", "details": {}})

    plain = Client("http://doors", transport=httpx.MockTransport(closing))
    other = AsyncClient("http://doors", transport=httpx.MockTransport(closing_soon))
    for _ in range(2):
        with pytest.raises(ProblemError, match="closed"):
            plain.games()
        with pytest.raises(ProblemError, match="closed"):
            await other.games()


def test_nobody_follows_without_a_token() -> None:
    """Nobody speaks on a socket without one: it is told before there is one, in the words of the service."""
    for client in (Client("http://127.0.0.1:1"), AsyncClient("http://127.0.0.1:1")):
        with pytest.raises(ProblemError, match="no_token"):
            client.follow("nains-a")
    with pytest.raises(ProblemError, match="no_token"):
        AsyncClient("http://127.0.0.1:1").converse()


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "127.0.0.1:8000",
        "//doors",
        "",
        "ftp://doors",
        "ws://doors",
        "http://",
        "http:///v1",
        "http://doors:x",
        "http://doors:0",
        "http://doors:99999",
        "http://doors..eu",
        " http://doors",
        "http://doors\n",
        "http://the doors",
        "http://ann:secret@doors",
        "http://doors?key=1",
        "http://doors#top",
        SECRET,
    ],
)
def test_what_is_no_address_is_told_before_anything_is_asked(kind: type[Client | AsyncClient], url: str) -> None:
    """Nobody tries in vain; what was given, which may be a token in the wrong place, is not repeated."""
    with pytest.raises(ProblemError, match="wrong_url") as told:
        kind(url, patience_s=math.inf)
    fault = told.value

    assert "http://host:port" in fault.details["expected"]
    assert not any(secret in repr((str(fault), fault.args, fault.details)) for secret in (SECRET, "ann:secret"))


@pytest.mark.parametrize(
    ("url", "used"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("HTTPS://Doors.EU/", "https://doors.eu"),
        ("http://[::1]:8000/fidchell/", "http://[::1]:8000/fidchell"),
    ],
)
def test_an_address_is_used_in_one_spelling(url: str, used: str) -> None:
    """Whichever way it was written; the socket is at the same place."""
    client = Client(url)

    assert used == client.url
    assert f"ws{used.removeprefix('http')}/v1/live" == client._live_url  # noqa: SLF001  where it follows
