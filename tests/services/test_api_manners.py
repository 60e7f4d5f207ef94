"""What every answer carries, which pages may read it, and how much one sender may ask."""

from __future__ import annotations

import math
import time
from contextlib import closing
from types import SimpleNamespace

import httpx
import pytest
import uvicorn
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from events.codec import pack
from events.log.redis_cluster import open_store
from events.streams import PLATFORMS
from services.api.credentials import BELIEVED_S
from services.api.platforms import PlatformRecord, origin_of
from services.api.words import trusted
from tests.services.house import Client, House, client_of
from tests.until import PATIENCE_S

PAGE = "https://play.example.org"
OTHER_PAGE = "https://other.example.org"


@pytest.fixture(autouse=True, scope="module")
def pages(house: House) -> None:
    """Let two platforms have listed a page each."""
    with closing(open_store(house.url)) as store:
        for platform, origin in (("tests", PAGE), ("others", OTHER_PAGE)):
            store.command("HSET", PLATFORMS, platform, pack(PlatformRecord((origin,))))


async def test_every_answer_tells_the_servers_time(client: Client) -> None:
    """Also a no, in milliseconds."""
    answers = [await client.ask("GET", path) for path in ("/v1/tables", "/healthz", "/nowhere", "/v1/keys")]

    assert all(abs(int(each.headers["fidchell-time"]) / 1000 - time.time()) < PATIENCE_S for each in answers)


@pytest.mark.parametrize(("origin", "may"), [(PAGE, True), (OTHER_PAGE, True), ("https://evil.example.org", False)])
async def test_a_browser_may_ask_from_pages_that_were_listed(client: Client, origin: str, *, may: bool) -> None:
    """The question before a request is answered without a token, by origin."""
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,idempotency-key",
    }
    answer = await client.ask("OPTIONS", "/v1/tables/nains-x/commands", headers=headers)
    allowed = answer.headers.get("access-control-allow-headers", "").lower()

    assert 204 == answer.status_code
    assert (origin if may else None) == answer.headers.get("access-control-allow-origin")
    assert may is ("authorization" in allowed and "idempotency-key" in allowed)
    assert "Origin" in answer.headers["vary"]


@pytest.mark.parametrize("origin", [PAGE, OTHER_PAGE, "https://evil.example.org", None])
async def test_what_a_platforms_token_is_answered_is_for_its_own_pages(client: Client, origin: str | None) -> None:
    """A page of another platform cannot read it; what is public is for every page that is listed."""
    table = await client.open()
    headers = {"Origin": origin} if origin else None
    own = await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0], headers=headers)
    refused = await client.ask("GET", f"/v1/tables/{table.name}/view?seat=1", table.tokens[0], headers=headers)
    public = await client.ask("GET", "/v1/tables", headers=headers)
    told = [each.headers.get("access-control-allow-origin") for each in (own, refused, public)]
    listed = origin if origin in (PAGE, OTHER_PAGE) else None

    assert [origin if origin == PAGE else None] * 2 + [listed] == told
    assert (origin is not None) is ("Origin" in own.headers.get("vary", ""))
    if origin == PAGE:
        assert {"ETag", "Retry-After", "Fidchell-Time"} <= set(own.headers["access-control-expose-headers"].split(", "))


async def test_a_page_that_may_ask_can_read_a_fault_of_the_service(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it can read any other no."""

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(client.doors.store, "listed", broken)
    answer = await client.ask("GET", "/v1/tables", headers={"Origin": PAGE})

    assert (500, PAGE) == (answer.status_code, answer.headers.get("access-control-allow-origin"))


async def test_a_change_of_origins_acts_within_five_seconds(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """So long a process goes by what it read; then the new page may ask, and the old one no more."""
    now = 1_000.0
    monkeypatch.setattr("services.api.cors.time", SimpleNamespace(monotonic=lambda: now))

    async def may(client: Client, *origins: str) -> list[bool]:
        answers = [await client.ask("GET", "/v1/tables", headers={"Origin": origin}) for origin in origins]
        return ["access-control-allow-origin" in each.headers for each in answers]

    async with client_of(house) as client:
        pages = ("https://old.example.org", "https://new.example.org")
        with closing(open_store(house.url)) as store:
            store.command("HSET", PLATFORMS, "moving", pack(PlatformRecord((pages[0],))))
            before = await may(client, *pages)
            store.command("HSET", PLATFORMS, "moving", pack(PlatformRecord((pages[1],))))
            now += BELIEVED_S - 0.1
            still = await may(client, *pages)
            now += 0.1
            after = await may(client, *pages)
            store.command("HDEL", PLATFORMS, "moving")

    assert [[True, False], [True, False], [False, True]] == [before, still, after]
    assert 5 >= BELIEVED_S


@pytest.mark.parametrize(
    "text",
    [
        "https://play.example.org",
        "http://localhost:5173",
        "http://[::1]:5173",
        "http://127.0.0.1:8080",
        "https://a.example:80",
        "http://a.example:443",
        "http://my_host",
    ],
)
def test_an_origin_is_written_as_browsers_send_it(text: str) -> None:
    """That is the one spelling that can match."""
    assert text == origin_of(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("https://play.example.org/", "https://play.example.org"),
        ("https://play.example.org/page?x=1#y", "https://play.example.org"),
        ("https://play.example.org:443", "https://play.example.org"),
        ("http://play.example.org:80", "http://play.example.org"),
        ("http://play.example.org:08080", "http://play.example.org:8080"),
        ("https://play.example.org:", "https://play.example.org"),
        ("https://PLAY.example.org", "https://play.example.org"),
        ("HTTPS://play.example.org", "https://play.example.org"),
        ("https://ann:word@play.example.org", "https://play.example.org"),
        ("http://[0:0:0:0:0:0:0:1]", "http://[::1]"),
        ("https://a.example:70000", None),
        ("http://127.1", None),
        ("http://0x7f000001", None),
        ("http://1.2.3.4.5", None),
        ("http://[::1", None),
        ("https://", None),
        ("https://a b.example", None),
        ("play.example.org", None),
        ("ftp://play.example.org", None),
        ("*", None),
        ("null", None),
    ],
)
def test_what_no_browser_sends_is_told_from_what_it_is_meant_for(text: str, meant: str | None) -> None:
    """Written so it would never match; most of it stands for an origin all the same."""
    assert text != meant
    assert meant == origin_of(text)


async def test_who_asks_too_much_is_told_when_to_come_back(house: House) -> None:
    """One token's haste is not another's."""
    async with client_of(house, rate_token=0.01, rate_burst_s=200) as client:
        table = await client.open()
        path = f"/v1/tables/{table.name}/view"
        answers = [await client.ask("GET", path, table.tokens[0]) for _ in range(5)]
        other = await client.ask("GET", path, table.tokens[1])
    last = answers[-1]

    assert [200, 200, 200, 429, 429] == [each.status_code for each in answers]
    assert "rate_limited" == last.json()["code"]
    assert 0 < (wait_ms := last.json()["details"]["wait_ms"]) <= 100_000
    assert str(math.ceil(wait_ms / 1000)) == last.headers["retry-after"]
    assert "fidchell-time" in last.headers
    assert 200 == other.status_code


async def test_whoever_tries_tokens_out_pays_by_address(house: House) -> None:
    """Each wrong one counts, and so does asking without any; a good one goes on; health is always told."""
    async with client_of(house, rate_address=0.01, rate_burst_s=300) as client:
        good = await client.ask("GET", "/v1/keys", client.house.key)
        tries = [await client.ask("GET", "/v1/keys", f"fck_{number}_x") for number in range(4)]
        without = await client.ask("GET", "/v1/tables")
        still = await client.ask("GET", "/v1/keys", client.house.key)
        health = await client.ask("GET", "/healthz")

    assert [401, 401, 429, 429] == [each.status_code for each in tries]
    assert [200, 429, 200, 200] == [each.status_code for each in (good, without, still, health)]


async def test_what_a_browser_asks_before_a_request_counts_for_its_address(house: House) -> None:
    """As any request without a token, and with those; pages that are listed can read that it was too much."""
    asking = {"Origin": PAGE, "Access-Control-Request-Method": "GET"}
    async with client_of(house, rate_address=0.01, rate_burst_s=300) as client:
        asked = [await client.ask("OPTIONS", "/v1/tables", headers=asking) for _ in range(4)]
        without = await client.ask("GET", "/v1/tables", headers={"Origin": PAGE})
        elsewhere = await client.ask("GET", "/v1/tables", headers={"Origin": "https://evil.example.org"})
        health = await client.ask("OPTIONS", "/healthz", headers=asking)
    page, refused = asked[0].headers["access-control-allow-origin"], (asked[3], without)

    assert [204, 204, 204, 429] == [each.status_code for each in asked]
    assert [429, 429, 204] == [each.status_code for each in (without, elsewhere, health)]
    assert [page] * 2 == [each.headers["access-control-allow-origin"] for each in refused]
    assert all("Retry-After" in each.headers["access-control-expose-headers"].split(", ") for each in refused)
    assert all("Origin" in each.headers["vary"] for each in (*refused, elsewhere))
    assert "access-control-allow-origin" not in elsewhere.headers


async def test_the_services_own_bots_are_not_counted(house: House) -> None:
    """They play at as many tables as there are."""
    async with client_of(house, rate_key=0.01, rate_burst_s=200) as client:
        by_bots = [await client.ask("GET", "/v1/tables", client.house.bots) for _ in range(6)]
        by_platform = [await client.ask("GET", "/v1/tables", client.house.key) for _ in range(6)]

    assert {200} == {each.status_code for each in by_bots}
    assert {200, 429} == {each.status_code for each in by_platform}


async def test_guests_of_one_address_share_its_bucket(house: House) -> None:
    """Another token, or the token of a seat that was taken, buys no more."""
    async with (
        client_of(house, guests="tests") as free,
        client_of(house, guests="tests", rate_address=0.01, rate_burst_s=300) as client,
    ):
        tokens = [(await free.ask("POST", "/v1/guests")).json()["token"] for _ in range(2)]
        table = (await free.ask("POST", "/v1/tables", tokens[0], body={"game": "nains", "seats": 2})).json()["table"]
        seat = (await free.ask("POST", f"/v1/tables/{table}/seats/0", tokens[0], body={})).json()["token"]
        asked = (tokens[0], tokens[1], seat, tokens[0], tokens[1], seat)
        answers = [await client.ask("GET", f"/v1/tables/{table}/view", token) for token in asked]
        by_platform = await client.ask("GET", "/v1/tables", tokens[0])

    assert [200, 200, 200, 429, 429, 429] == [each.status_code for each in answers]
    assert 429 == by_platform.status_code


@pytest.mark.parametrize(("proxies", "seen"), [("", "127.0.0.1"), ("127.0.0.1, 10.0.0.0/8", "203.0.113.9")])
async def test_a_header_on_who_sends_is_believed_of_named_proxies_alone(
    house: House, monkeypatch: pytest.MonkeyPatch, proxies: str, seen: str
) -> None:
    """By default nobody's, not even of this machine: whoever may choose their address has no limit."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    clients: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        clients.append(scope["client"][0])
        await Response()(scope, receive, send)

    config = uvicorn.Config(app, log_config=None, **trusted(house.settings(forwarded_allow_ips=proxies)))
    config.load()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(config.loaded_app), base_url="http://doors") as http:
        await http.get("/", headers={"X-Forwarded-For": "203.0.113.9"})

    assert [seen] == clients
