"""What comes in wrong is told apart, stored nowhere, and repeated nowhere."""

from __future__ import annotations

import json
import struct
import time
import uuid
from typing import Any

import httpx
import msgspec
import pytest
from pydantic import SecretStr
from structlog.testing import capture_logs

from services.api.app import create_app
from services.api.sending import now_ms
from services.api.settings import ApiSettings
from services.api.tokens import SeatClaim, token_of
from tests.services.described import DESCRIPTION, OPERATIONS
from tests.services.house import Client, Table, grown

JSON = "application/json"
MSGPACK = "application/msgpack"
CANARY = "canary-1f6b"
COMMAND = "6f2f1a52-6f0b-5f0e-8a4f-5d6f3c0f9b22"


def bets(**more: object) -> dict[str, Any]:
    return {"kind": "place_bets", "seat": 0, "coins": ["B0", "B2", "B3"], **more}


def packed(command: object) -> bytes:
    return msgspec.msgpack.encode(command)


TWICE = b"\x82" + packed("kind") + packed("concede") + packed("kind") + packed("concede")
TWICE_IN_TWO_FORMS = b"\x82" + packed("kind") + packed("concede") + b"\xd9\x04kind" + packed("concede")

BAD = {
    "no json": (JSON, b'{"kind": ', 400, "malformed", "$", "not_json"),
    "empty": (JSON, b"", 400, "malformed", "$", "not_json"),
    "not utf-8": (JSON, b'{"kind": "\xff"}', 400, "malformed", "$", "not_utf8"),
    "half a character": (JSON, b'{"kind": "concede", "seat": "\\ud800"}', 400, "malformed", "$.seat", "not_utf8"),
    "a key twice": (JSON, b'{"kind": "concede", "seat": 0, "seat": 1}', 400, "malformed", "$.seat", "duplicate_key"),
    "a key twice, deep": (
        JSON,
        b'{"kind": "x", "a": [{"b": 1, "b": 2}]}',
        400,
        "malformed",
        "$[...][0][...]",
        "duplicate_key",
    ),
    "nan": (JSON, b'{"kind": "concede", "seat": NaN}', 400, "malformed", "$.seat", "not_a_number"),
    "infinity": (JSON, b'{"kind": "concede", "seat": -Infinity}', 400, "malformed", "$.seat", "not_a_number"),
    "a float too large": (JSON, b'{"kind": "concede", "seat": 1e999}', 400, "malformed", "$.seat", "out_of_range"),
    "beyond 64 bits": (
        JSON,
        b'{"kind": "concede", "seat": 9223372036854775808}',
        400,
        "malformed",
        "$.seat",
        "beyond_64_bits",
    ),
    "5000 digits": (
        JSON,
        b'{"kind": "concede", "seat": ' + b"9" * 5000 + b"}",
        400,
        "malformed",
        "$.seat",
        "beyond_64_bits",
    ),
    "10,000 nested lists": (JSON, b"[" * 10_000 + b"]" * 10_000, 400, "malformed", "$", "nested_too_deeply"),
    "10,000 nested in a field": (
        JSON,
        b'{"kind": "concede", "seat": ' + b"[" * 10_000 + b"]" * 10_000 + b"}",
        400,
        "malformed",
        "$",
        "nested_too_deeply",
    ),
    "a list": (JSON, b"[]", 422, "malformed", "$", "wrong_type"),
    "unknown kind": (
        JSON,
        b'{"kind": "' + CANARY.encode() + b'", "seat": 0}',
        422,
        "malformed",
        "$.kind",
        "unknown_kind",
    ),
    "no kind": (JSON, b'{"seat": 0}', 422, "malformed", "$", "missing_field"),
    "extra field": (JSON, json.dumps(bets(x=CANARY)).encode(), 422, "malformed", "$", "unknown_field"),
    "wrong type": (JSON, json.dumps(bets(coins=["B0", 2])).encode(), 422, "malformed", "$.coins[1]", "wrong_type"),
    "something behind": (JSON, b'{"kind": "concede", "seat": 0} {}', 400, "malformed", "$", "not_json"),
    "wrong content type": ("text/plain", b'{"kind": "concede", "seat": 0}', 415, "unsupported_media_type", None, None),
    "too large": (JSON, b" " * 65_537, 413, "too_large", None, None),
    "2 MB": (JSON, b" " * 2_000_000, 413, "too_large", None, None),
    "foreign seat": (JSON, json.dumps(bets(seat=1)).encode(), 403, "not_your_seat", "$.seat", None),
    "negative seat": (JSON, json.dumps(bets(seat=-1)).encode(), 403, "not_your_seat", "$.seat", None),
    "the platform's": (JSON, b'{"kind": "start_table"}', 403, "not_allowed", "$.kind", None),
    "msgpack, cut": (MSGPACK, packed(bets())[:-1], 400, "malformed", "$", "not_msgpack"),
    "msgpack, empty": (MSGPACK, b"", 400, "malformed", "$", "not_msgpack"),
    "msgpack, more behind": (MSGPACK, packed(bets()) + b"\x00", 400, "malformed", "$", "not_msgpack"),
    "msgpack, a key that is no text": (MSGPACK, packed({1: 2}), 422, "malformed", "$", "wrong_type"),
    "msgpack, a key twice": (MSGPACK, TWICE, 400, "malformed", "$", "duplicate_key"),
    "msgpack, a key twice in two forms": (MSGPACK, TWICE_IN_TWO_FORMS, 400, "malformed", "$", "duplicate_key"),
    "msgpack, nan": (MSGPACK, b"\x91\xcb" + struct.pack(">d", float("nan")), 400, "malformed", "$[0]", "not_a_number"),
    "msgpack, nested": (MSGPACK, b"\x91" * 10_000 + b"\x00", 400, "malformed", "$", "nested_too_deeply"),
    "msgpack, a huge list": (MSGPACK, b"\xdd\xff\xff\xff\xff", 400, "malformed", "$", "not_msgpack"),
    "msgpack, unknown type": (MSGPACK, b"\xc7\x01\x05\x00", 400, "malformed", "$", "wrong_type"),
    "msgpack, unknown kind": (MSGPACK, packed({"kind": CANARY, "seat": 0}), 422, "malformed", "$.kind", "unknown_kind"),
    "msgpack, not utf-8": (MSGPACK, b"\x82\xa4kind\xa2\xff\xfe\xa4seat\x00", 400, "malformed", "$[...]", "not_utf8"),
    "msgpack, not utf-8 in a long text": (MSGPACK, b"\x91\xd9\x03\xed\xa0\x80", 400, "malformed", "$[0]", "not_utf8"),
    "msgpack, beyond 64 bits": (
        MSGPACK,
        b"\x82\xa4kind\xa7concede\xa4seat\xcf" + b"\xff" * 8,
        403,
        "not_your_seat",
        "$.seat",
        None,
    ),
}


NUMBERS = [
    (method, path, parameter)
    for method, path in OPERATIONS
    for parameter in DESCRIPTION["paths"][path][method.lower()].get("parameters", ())
    if "integer" in str(parameter["schema"])
]
BAD_OPTION = BAD_BOTS = "malformed: invalid_value"
NO_OPTION = [None, 1.5, [1], {"x": 1}]
TYPE = "malformed: wrong_type"


def of_nains(**options: object) -> dict[str, Any]:
    return {"game": "nains", "seats": 2, "options": options}


def full_code(answer: httpx.Response) -> str:
    """Return the code, with the reason where there is one."""
    told = answer.json()
    return ": ".join(filter(None, (str(told["code"]), told["details"].get("reason"))))


@pytest.fixture
async def table(client: Client) -> Table:
    return await client.open()


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_command_is_told_and_not_stored(
    client: Client, table: Table, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Each has its code, its reason and the path to the fault; no stream grows; what was sent is not repeated."""
    kind, body, status, code, path, reason = BAD[name]
    before = client.house.streams()
    capsys.readouterr()
    answer = await client.ask(
        "POST",
        f"/v1/tables/{table.name}/commands",
        table.tokens[0],
        content=body,
        headers={"Content-Type": kind},
    )
    logged = "".join(capsys.readouterr())
    told = answer.json()

    assert (status, code) == (answer.status_code, told["code"]), answer.text
    assert path is None or path == told["path"]
    assert reason == told["details"].get("reason")
    assert "application/problem+json" == answer.headers["content-type"]
    assert set() == grown(before, client.house.streams())
    assert CANARY not in answer.text + logged
    assert table.tokens[0] not in answer.text + logged


@pytest.mark.parametrize(
    ("body", "status", "code", "path"),
    [
        ({"game": "nains"}, 422, "malformed: missing_field", "$.seats"),
        ({"game": "nains", "seats": "2"}, 422, "malformed: wrong_type", "$.seats"),
        ({"game": "nains", "seats": 2, CANARY: 1}, 422, "malformed: unknown_field", "$"),
        ({"game": CANARY, "seats": 2}, 404, "unknown_game", "$.game"),
        ({"game": "nains", "seats": 9}, 422, "seats_out_of_range", None),
        ({"game": "nains", "seats": 2, "options": {"x": 1}}, 422, "malformed: unknown_field", "$.options"),
        ({"game": "nains", "seats": 2, "options": {"tie_break": CANARY}}, 422, BAD_OPTION, "$.options.tie_break"),
        *((of_nains(thin_treasury=each), 422, TYPE, "$.options.thin_treasury") for each in (*NO_OPTION, 1, "x")),
        *((of_nains(tie_break=each), 422, TYPE, "$.options.tie_break") for each in (*NO_OPTION, 1, True)),
        *((of_nains(**{CANARY: each}), 422, TYPE, "$.options") for each in NO_OPTION),
        ({"game": "nains", "seats": 2, "bots": [{"seat": 7, "bot": "random"}]}, 422, BAD_BOTS, "$.bots"),
        ({"game": "nains", "seats": 2, "bots": [{"seat": 0, "bot": "\n"}]}, 422, BAD_BOTS, "$.bots[0].bot"),
        (
            {"game": "nains", "seats": 2, "bots": [{"seat": 0, "bot": "grandmaster"}]},
            422,
            "unknown_bot",
            "$.bots[0].bot",
        ),
    ],
)
async def test_a_bad_opening_is_told(
    client: Client, body: dict[str, Any], status: int, code: str, path: str | None
) -> None:
    """No table comes of it."""
    answer = await client.ask("POST", "/v1/tables", client.house.key, body=body)

    assert (status, code) == (answer.status_code, full_code(answer)), answer.text
    assert path == answer.json().get("path")
    assert CANARY not in answer.text
    assert "valid boolean" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "code", "fault"),
    [
        ("GET", "/v1/tables/{t}/view?at_least=x", "malformed: wrong_type", "query.at_least"),
        ("GET", "/v1/tables/{t}/history?limit=0", "malformed: out_of_range", "query.limit"),
        ("GET", "/v1/tables?cursor=%21", "malformed: invalid_value", "query.cursor"),
        ("GET", "/v1/tables?limit=100000", "malformed: out_of_range", "query.limit"),
        ("GET", "/v1/tables?game=chess", "unknown_game", "query.game"),
        ("GET", "/v1/tables?game=", "unknown_game", "query.game"),
        ("GET", "/v1/tables?private=1", "malformed: unknown_field", "query"),
        ("GET", "/v1/tables/{t}/view?atleast=5", "malformed: unknown_field", "query"),
        ("GET", "/v1/tables/{t}/view?at_least=5&at_least=6", "malformed: duplicate_key", "query.at_least"),
        ("GET", "/v1/tables/{t}/commands/nope", "malformed: invalid_value", "path.command_id"),
        ("DELETE", "/v1/tables/{t}/seats/x", "malformed: wrong_type", "path.seat"),
        ("GET", "/v1/tables/nains-zzzzzzzzzz/view", "not_your_seat", None),
        ("GET", "/v1/tables/chess-zzzzzzzzzz/view", "unknown_table", None),
        ("GET", "/v1/tables/NAINS%00/view", "unknown_table", None),
        ("GET", "/v1/nothing", "not_found", None),
        ("PUT", "/v1/tables", "method_not_allowed", None),
    ],
)
async def test_a_bad_question_is_told(
    client: Client, table: Table, method: str, path: str, code: str, fault: str | None
) -> None:
    """A clear no with the part of the question that was wrong."""
    answer = await client.ask(method, path.replace("{t}", table.name), table.tokens[0])

    assert code == full_code(answer), answer.text
    assert fault == answer.json().get("path")
    assert 400 <= answer.status_code < 500


@pytest.mark.parametrize("number", ["00", "01", "+0", "%200", "0%20", "1_0", "1.0", "1e0", "0x1", "%D9%A1"])
async def test_a_number_in_an_address_has_one_spelling(client: Client, table: Table, number: str) -> None:
    """In every path and query it is written as in JSON; anything else is told with its place."""
    for method, path, parameter in NUMBERS:
        in_path = parameter["in"] == "path"
        address = path.format(table=table.name, seat=number if in_path else 0)
        query = "" if in_path else f"?{parameter['name']}={number}"
        token = table.tokens[0] if path.endswith("/commands") else client.house.key
        body = {"player": "ann"} if (method, path) == ("POST", "/v1/tables/{table}/seats/{seat}") else None
        answer = await client.ask(method, address + query, token, body=body)

        assert (422, "malformed: wrong_type") == (answer.status_code, full_code(answer)), (method, path, answer.text)
        assert f"{parameter['in']}.{parameter['name']}" == answer.json()["path"]


def test_every_number_in_an_address_is_tried() -> None:
    """Those of seats, versions and pages."""
    assert {"seat", "at_least", "from", "limit", "expected_version"} == {each["name"] for _, _, each in NUMBERS}


@pytest.mark.parametrize(
    "name", ["nains", "x" * 65, "nains-" + "a" * 41, "nains-" + "a" * 10_000, "NAINS-a", "nains-%FF"]
)
async def test_a_name_that_no_table_can_have_is_unknown_to_everybody(client: Client, table: Table, name: str) -> None:
    """However long it is, and whoever asks."""
    tokens = (None, "x", table.tokens[0], client.house.key, client.house.arbiter, client.house.bots)
    answers = [await client.ask("GET", f"/v1/tables/{name}/view", token) for token in tokens]
    sent = await client.ask("POST", f"/v1/tables/{name}/commands", table.tokens[0], body=bets())

    assert [(404, "unknown_table")] * 7 == [(each.status_code, full_code(each)) for each in (*answers, sent)]


@pytest.mark.parametrize("header", ["Authorization", "Idempotency-Key"])
async def test_what_is_meant_once_is_sent_once(client: Client, table: Table, header: str) -> None:
    """Of two of them nobody knows which one counts: a proxy may have looked at the other."""
    before = client.house.streams()
    values = {
        "Authorization": f"Bearer {table.tokens[0]}",
        "Idempotency-Key": str(uuid.uuid4()),
        "Content-Type": JSON,
    }
    lines = [*values.items(), (header, values[header])]
    path = f"/v1/tables/{table.name}/commands"
    answer = await client.http.post(path, headers=lines, content=json.dumps(bets()))

    assert (400, "malformed: duplicate_key") == (answer.status_code, full_code(answer)), answer.text
    assert f"header.{header}" == answer.json()["path"]
    assert set() == grown(before, client.house.streams())


ASKED = [(method, path) for path, methods in DESCRIPTION["paths"].items() for method in methods if "/v1" in path]


@pytest.mark.parametrize(("method", "path"), ASKED)
async def test_no_address_takes_a_parameter_that_it_does_not_have(
    client: Client, table: Table, method: str, path: str
) -> None:
    """As in bodies; every one that it does have it takes once. What was sent is not repeated."""
    place = path.format(table=table.name, seat=0, command_id=COMMAND)
    own = [each["name"] for each in DESCRIPTION["paths"][path][method].get("parameters", ()) if each["in"] == "query"]
    before = client.house.streams()
    unknown = await client.ask(method.upper(), f"{place}?{CANARY}=1", table.tokens[0])
    twice = [await client.ask(method.upper(), f"{place}?{name}=1&{name}=1", table.tokens[0]) for name in own]

    assert (422, "malformed: unknown_field", "query") == (
        unknown.status_code,
        full_code(unknown),
        unknown.json()["path"],
    )
    assert [(400, "malformed: duplicate_key", f"query.{name}") for name in own] == [
        (each.status_code, full_code(each), each.json()["path"]) for each in twice
    ]
    assert CANARY not in unknown.text
    assert set() == grown(before, client.house.streams())


async def test_headers_are_read_strictly(client: Client, table: Table) -> None:
    """A key that is no UUID and a version that is none are told before anything is sent on."""
    before = client.house.streams()
    key = await client.play(table, 0, bets(), Idempotency_Key="again")
    versions = [await client.play(table, 0, bets(), If_Match=each) for each in ('"old"', '"010"', '"3", "4"')]

    assert [(400, "header.Idempotency-Key"), *[(400, "header.If-Match")] * 3] == [
        (each.status_code, each.json()["path"]) for each in (key, *versions)
    ]
    assert set() == grown(before, client.house.streams())


async def test_a_version_is_expected_once(client: Client, table: Table) -> None:
    """Two that contradict each other are refused, as is a header that stands there twice; the same one may be twice."""
    path, token = f"/v1/tables/{table.name}", table.tokens[0]
    version = (await client.ask("GET", f"{path}/view", token)).json()["version"]
    before = client.house.streams()
    for expected, matched in ((version, version + 1), (version + 1, version), (0, version)):
        refused = await client.ask(
            "POST",
            f"{path}/commands?expected_version={expected}",
            token,
            body=bets(),
            headers={"If-Match": f'"{matched}"'},
        )
        assert (400, "malformed: invalid_value", "header.If-Match") == (
            refused.status_code,
            full_code(refused),
            refused.json()["path"],
        )
    twice = httpx.Headers([("If-Match", f'"{each}"') for each in (version, version + 1)])
    unclear = await client.ask_once("POST", f"{path}/commands", token, body=bets(), headers=twice)

    assert (400, "malformed: duplicate_key") == (unclear.status_code, full_code(unclear))
    assert set() == grown(before, client.house.streams())
    same = f"{path}/commands?expected_version={version}"
    taken = await client.ask("POST", same, token, body=bets(), headers={"If-Match": f'"{version}"'})

    assert 200 == taken.status_code, taken.text


async def test_a_token_that_proves_nothing_opens_nothing(client: Client) -> None:
    """Missing, invented, changed, expired, of another kind, of another table, of another platform."""
    table, other = await client.open(private=True), await client.open()
    real = table.tokens[0]
    claim = SeatClaim(table.name, 0, "tests", "p0", int(time.time()) - 1)
    expired = token_of(claim, (await client.doors.credentials.signing()).newest)
    forged = token_of(msgspec.structs.replace(claim, until=2**40), bytes(32))
    path = f"/v1/tables/{table.name}/view"
    codes = {
        token: (await client.ask("GET", path, token)).json()["code"]
        for token in (
            "x",
            "fst_",
            "fst_a.b",
            "fst_\N{LATIN SMALL LETTER E WITH ACUTE}",
            real[:-2] + ("A" if real[-2] != "A" else "B") + real[-1],
            forged,
            expired,
            client.house.key[:-1],
            "fck_zz_zz",
            other.tokens[0],
            client.house.other,
        )
    }
    basic = await client.ask("GET", path, headers={"Authorization": f"Basic {real}"})

    assert [
        "wrong_token",
        "wrong_token",
        "wrong_token",
        "wrong_token",
        "wrong_token",
        "wrong_token",
        "token_expired",
        "wrong_token",
        "wrong_token",
        "not_your_seat",
        "unknown_table",
    ] == list(codes.values())
    assert "wrong_token" == basic.json()["code"]


async def test_each_may_do_what_is_theirs_alone(client: Client, table: Table) -> None:
    """Seats do not open tables, platforms do not play, others' platforms see nothing."""
    view = f"/v1/tables/{table.name}/view"
    codes = [
        (await client.ask("POST", "/v1/tables", table.tokens[0], body={"game": "nains", "seats": 2})).json()["code"],
        (await client.ask("POST", f"/v1/tables/{table.name}/start", table.tokens[0])).json()["code"],
        (await client.ask("POST", f"/v1/tables/{table.name}/commands", client.house.key, body=bets())).json()["code"],
        (await client.ask("GET", f"{view}?seat=1", table.tokens[0])).json()["code"],
        (await client.ask("GET", f"{view}?seat=1", client.house.key)).json()["code"],
        (await client.ask("POST", f"/v1/tables/{table.name}/start", client.house.other)).json()["code"],
        (await client.ask("GET", f"{view}?seat=9", client.house.bots)).json()["code"],
    ]

    assert [
        "not_allowed",
        "not_allowed",
        "not_allowed",
        "not_your_seat",
        "not_your_seat",
        "unknown_table",
        "unknown_seat",
    ] == codes


async def test_rules_say_no_with_their_own_codes(client: Client, table: Table) -> None:
    """A refused command is a conflict with how things stand; a finished table says so."""
    taken = await client.ask("POST", f"/v1/tables/{table.name}/seats/0", client.house.key, body={"player": "late"})
    wrong = await client.play(table, 0, bets(coins=["B0", "B0", "B2"]))
    await client.play(table, 0, {"kind": "concede", "seat": 0})
    over = await client.play(table, 1, bets(seat=1))

    assert (409, "table_started") == (taken.status_code, taken.json()["code"])
    assert 409 == wrong.status_code
    assert wrong.json()["code"] not in ("malformed", "internal_error")
    assert (409, "table_over") == (over.status_code, over.json()["code"])


async def test_a_fault_of_our_own_tells_nothing(client: Client, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever breaks inside, the sender gets a code and no inner word; and the time, as with every answer."""

    async def broken(*_: object) -> None:
        raise ZeroDivisionError(CANARY)

    monkeypatch.setattr(client.doors.store, "view", broken)
    with capture_logs() as logged:
        answer = await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])
    noted = [(each["status"], each["code"]) for each in logged if each["event"] == "request_answered"]

    assert [(500, "internal_error")] == noted
    assert (500, "internal_error", {}) == (answer.status_code, answer.json()["code"], answer.json()["details"])
    assert CANARY not in answer.text
    assert abs(int(answer.headers["fidchell-time"]) - now_ms()) < 60_000


async def test_a_store_that_is_away_is_told() -> None:
    """No door hangs or breaks: it says that the store is away, and when to ask again."""
    app = create_app(ApiSettings(redis_url=SecretStr("unix:///nowhere/at-all")))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://doors") as http,
    ):
        away = await http.get("/v1/tables")
        by_key = await http.post("/v1/tables", headers={"Authorization": "Bearer fck_a_b"})
        alive, ready = await http.get("/healthz"), await http.get("/readyz")

    assert [(503, "store_away", "1")] * 3 == [
        (each.status_code, each.json()["code"], each.headers["retry-after"]) for each in (away, by_key, ready)
    ]
    assert 200 == alive.status_code
