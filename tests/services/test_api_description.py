"""The doors describe themselves, whole and without help from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator

from events.games import GAMES, commands_module
from services.api.app import create_app
from services.api.settings import ApiSettings
from services.api.shapes import commands_of, option_schema
from services.documented import documented
from services.reference import pages
from tests.services.described import DESCRIPTION
from tests.services.house import Client

CODES = (Path(__file__).parents[2] / "docs" / "reference" / "codes.md").read_text(encoding="utf-8")
PAGES = pages()
OPERATIONS = {
    "cancel_table",
    "come_in",
    "healthz",
    "history",
    "invite",
    "leave_seat",
    "legal",
    "list_games",
    "list_keys",
    "list_tables",
    "look_up_command",
    "make_seat_token",
    "make_spectator_token",
    "open_rematch",
    "open_table",
    "readyz",
    "revoke_invitations",
    "revoke_seat_tokens",
    "revoke_spectator_tokens",
    "send_command",
    "start_table",
    "take_seat",
    "view",
}


def references(part: object) -> set[str]:
    """Return the names of the shapes that a part of the description refers to."""
    return set(re.findall(r"'#/components/schemas/([^']+)'", str(part)))


def led_to(page: str) -> set[str]:
    """Return what a page leads to outside of itself; what it leads to in itself is there."""
    links = set(re.findall(r"(?:src|href)=\"([^\"]*)\"", page))
    inside = {each for each in links if each.startswith("#")}

    assert inside
    assert {each.removeprefix("#") for each in inside} <= set(re.findall(r"id=\"([^\"]*)\"", page))
    return links - inside


def test_every_command_of_every_game_is_described() -> None:
    """No reference leads nowhere, and each kind of command has its schema."""
    described = create_app(ApiSettings()).openapi()
    schemas = described["components"]["schemas"]

    assert set() == references(described) - schemas.keys()
    for game in GAMES:
        kinds = {each.__name__ for each in get_args(commands_module(game).COMMANDS)}
        assert {f"{game}.{each}" for each in kinds} <= schemas.keys()


def test_no_shape_is_idle_and_each_is_one() -> None:
    """All are JSON schemas that a path leads to; what a member tells apart is told apart by every reference."""
    schemas = DESCRIPTION["components"]["schemas"]
    reached, todo = set[str](), references(DESCRIPTION["paths"])
    while todo:
        reached |= todo
        todo = set().union(*(references(schemas[name]) for name in todo)) - reached
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
        if "discriminator" in schema:
            told = [{"$ref": each} for each in schema["discriminator"]["mapping"].values()]
            assert told == (schema.get("oneOf") or schema["anyOf"])

    assert schemas.keys() == reached


def test_answers_about_a_table_are_of_its_game() -> None:
    """Views, histories and legal commands have the exact shapes of each game, so that programs can be made of them."""
    schemas = DESCRIPTION["components"]["schemas"]
    for path, name in (("view", "TableView"), ("history", "History"), ("legal", "Legal")):
        answer = DESCRIPTION["paths"][f"/v1/tables/{{table}}/{path}"]["get"]["responses"]["200"]
        of_games = [{"$ref": f"#/components/schemas/{game}.{name}"} for game in GAMES]

        assert {"$ref": f"#/components/schemas/{name}"} == answer["content"]["application/json"]["schema"]
        assert of_games == schemas[name]["oneOf"]
    for game in GAMES:
        assert "#/components/schemas/" in str(schemas[f"{game}.TableView"]["properties"]["prompt"])


async def test_games_tell_seats_options_and_commands(client: Client) -> None:
    """A client can build its forms from this alone, and a legal command fits its schema."""
    games = {each["game"]: each for each in (await client.ask("GET", "/v1/games")).json()["games"]}
    nains = games["nains"]
    table = await client.open()
    command = (await client.legal(table, 0))[0]
    name = nains["commands"][command["kind"]].rpartition("/")[2]
    schema = {**nains["schemas"][name], "components": {"schemas": nains["schemas"]}}
    Draft202012Validator(schema).validate(command)

    assert list(GAMES) == list(games)
    assert {"least": 2, "most": 5} == nains["seats"]


async def test_every_option_is_explained(client: Client) -> None:
    """By words for people who set up a table, and with what it is when nobody names it."""
    for game in (await client.ask("GET", "/v1/games")).json()["games"]:
        schema = game["options"]
        Draft202012Validator.check_schema(schema)

        assert schema["properties"]
        for name, option in schema["properties"].items():
            assert option["description"], (game["game"], name)
            Draft202012Validator(option).validate(option["default"])

    assert "five seats need it" in option_schema("inis")["properties"]["fifth_player"]["description"]


@pytest.mark.parametrize("address", ["/openapi.json", "/asyncapi.json", "/v1/games", *PAGES])
async def test_no_mark_of_a_docstring_shows(client: Client, address: str) -> None:
    """Descriptions and pages are for readers who never see the program, nor the documents that its rules cite."""
    text = PAGES.get(address) or (await client.ask("GET", address)).text

    assert text
    assert [] == re.findall(r"Args:|``|\bsections? \d|\b(?:rules|expansion), \d|\?\.", text)


def test_a_citation_is_left_out_wherever_it_stands() -> None:
    """Of the whole and of its members, over the end of a line, and with the full stop that follows a question."""
    text, told = documented(
        """
        Which card goes? (rules, section 3.5, step a).
        It is put aside (rules, 3.1, A5), or kept (expansion,
        section 2).

        Args:
            card: named as (or after) others (rules, sections
                1 and 2); in hand (section 6).
        """
    )

    assert "Which card goes?\nIt is put aside, or kept." == text
    assert {"card": "named as (or after) others; in hand."} == told


async def test_the_page_needs_nothing_from_elsewhere(client: Client) -> None:
    """It is drawn without scripts or foreign assets, and names every path."""
    page = await client.ask("GET", "/docs")
    description = (await client.ask("GET", "/openapi.json")).json()

    assert 200 == page.status_code
    assert {"/openapi.json", "/docs/live"} == led_to(page.text)
    assert "<script" not in page.text
    assert all(path in page.text for path in description["paths"])
    assert "default-src 'none'" in page.headers["content-security-policy"]


async def test_the_bare_address_leads_to_the_page(client: Client) -> None:
    """Whoever opens what `serve` prints first comes to the page, on whatever host it was opened."""
    told = [
        await client.ask(method, "/", headers={"Host": "elsewhere", "Origin": "https://ex.org"})
        for method in ("GET", "HEAD", "POST")
    ]
    description = (await client.ask("GET", "/openapi.json")).json()

    assert [307, 307, 405] == [each.status_code for each in told]
    assert ["/docs", "/docs"] == [each.headers["location"] for each in told[:2]]
    assert {"GET", "HEAD"} == set(told[2].headers["allow"].split(", "))
    assert all("access-control-allow-origin" not in each.headers for each in told)
    assert "/" not in description["paths"]


async def test_the_page_tells_what_is_described(client: Client) -> None:
    """Of each path who may ask, what is read and how it must look, and every answer with its headers and codes."""
    page = (await client.ask("GET", "/docs")).text
    told = {name: page.partition(f'id="{name}"')[2].partition("</details>")[0] for name in OPERATIONS}
    for path, methods in DESCRIPTION["paths"].items():
        for operation in methods.values():
            about = told[operation["operationId"]]
            rows = [re.sub(r"<[^>]*>", " ", row).split() for row in about.split("<tr>")]

            assert f"<code>{path}</code>" in about
            for each in operation.get("parameters", ()):
                (row,) = (row for row in rows if row[:2] == [each["name"], each["in"]])

                assert ("must" in row) is each["required"]
                assert {"string", "integer", "boolean"} & {word.rstrip(",") for word in row}
            for status, answer in operation["responses"].items():
                (row,) = (row for row in rows if row[:1] == [status])

                assert set(answer["headers"]) <= {each.rstrip(",?") for each in row}, (path, row)
            for body in operation.get("requestBody", {"content": {}})["content"].values():
                assert f'href="{body["schema"]["$ref"].replace("#/components/schemas/", "#")}"' in about

    assert "without a token" in told["list_games"]
    assert "with or without a token" in told["view"]
    assert "with a token of: seat, bots" in told["send_command"]
    assert "<code>unknown_game</code>" in told["list_tables"]
    assert "those of tables and games" in told["start_table"]
    assert "those of tables and games" not in told["view"]
    assert 'href="#TableView"' in told["view"]
    assert "0 to 63" in told["take_seat"]


async def test_the_page_of_the_socket_needs_nothing_from_elsewhere(client: Client) -> None:
    """It is drawn as the other is, and names every message, every shape and every code that a socket is closed with."""
    page = await client.ask("GET", "/docs/live")
    description = (await client.ask("GET", "/asyncapi.json")).json()
    components = description["components"]

    assert 200 == page.status_code
    assert {"/asyncapi.json", "/docs"} == led_to(page.text)
    assert "<script" not in page.text
    assert "3.0.0" == description["asyncapi"]
    assert all(f'id="message.{name}"><summary><code>{name}</code>' in page.text for name in components["messages"])
    assert all(f'id="{name}"' in page.text for name in components["schemas"])
    assert "<td>4001<td>bad_token<td>The token is none of" in page.text
    assert "<td>1009<td><td>" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


async def test_health_is_told(client: Client) -> None:
    """Alive, and ready while the store can be used."""
    assert "alive" == (await client.ask("GET", "/healthz")).json()["status"]
    ready = {
        "status": "ready",
        "listening": True,
        "set_aside": 0,
        "takes_commands": True,
        "damaged": [],
        "away": [],
    }
    assert ready == (await client.ask("GET", "/readyz")).json()


def test_every_good_answer_is_described() -> None:
    """In its shape, rows of the lobby among them; what watches over the doors is told when they say no."""
    found = {
        (path, method, status): answer["content"]["application/json"]["schema"]
        for path, methods in DESCRIPTION["paths"].items()
        for method, operation in methods.items()
        for status, answer in operation["responses"].items()
        if "application/json" in answer.get("content", {})
    }
    row = DESCRIPTION["components"]["schemas"]["TablesPage"]["properties"]["tables"]["items"]

    assert all(found.values()), [place for place, schema in found.items() if not schema]
    assert {"table", "status", "free"} <= set(row["required"])
    assert "503" in DESCRIPTION["paths"]["/readyz"]["get"]["responses"]


def test_every_no_is_described_by_its_status() -> None:
    """Under each status stand the codes that are told with it, as the page of codes has it; a fault of ours is none."""
    pages: dict[str, set[str]] = {}
    for code, statuses in re.findall(r"^\| `([a-z_]+)` \| ([0-9, ]+) \|", CODES, re.MULTILINE):
        for status in statuses.split(", "):
            pages.setdefault(status, set()).add(code)
    for path, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            noes = {status: each for status, each in operation["responses"].items() if int(status) >= 400}

            assert {"500", "default"}.isdisjoint(operation["responses"])
            assert {"400", "408", "431", "503"} <= noes.keys()
            for status, answer in noes.items():
                schema = answer["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"]
                codes = set(schema["code"].get("enum", ()))

                assert {"const": int(status)} == schema["status"]
                assert codes <= pages.get(status, set()) | ({"seat_free"} if status == "409" else set()), (method, path)
                assert codes or status == "409"


def test_no_status_is_described_that_nobody_hears() -> None:
    """Whoever may only ask with what is good at many tables is in nobody's seat, and waits for no view of it."""
    noes = {
        operation["operationId"]: {
            status: set(
                answer["content"]["application/problem+json"]["schema"]["allOf"][1]["properties"]["code"]["enum"]
            )
            for status, answer in operation["responses"].items()
            if int(status) >= 400 and status != "409"
        }
        for methods in DESCRIPTION["paths"].values()
        for operation in methods.values()
    }
    conflicts = {
        operation["operationId"]
        for methods in DESCRIPTION["paths"].values()
        for operation in methods.values()
        if "409" in operation["responses"]
    }
    of_platforms = {
        "make_spectator_token",
        "revoke_spectator_tokens",
        "revoke_invitations",
        "make_seat_token",
        "invite",
    }

    assert {"make_seat_token", "invite"} == conflicts & of_platforms
    assert {"make_seat_token", "invite", "view", "legal", "history", "look_up_command"} <= conflicts
    assert all({"not_allowed"} == noes[name]["403"] for name in of_platforms | {"open_rematch", "start_table"})
    assert {"not_your_seat"} == noes["view"]["403"] == noes["legal"]["403"]
    assert all({"not_allowed", "not_your_seat"} == noes[name]["403"] for name in ("take_seat", "send_command"))
    assert {"400", "408", "431", "503"} == noes["healthz"].keys() == noes["readyz"].keys()
    assert {"malformed"} == noes["healthz"]["400"]
    assert {"too_many_connections"} == noes["healthz"]["503"]


def test_headers_are_described_where_they_are_sent() -> None:
    """Each answer tells the time; who has to wait is told how long, who made something where it is."""
    described = {
        (status, name)
        for methods in DESCRIPTION["paths"].values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        for name, each in answer["headers"].items()
        if each["required"]
    }
    every = [
        answer
        for methods in DESCRIPTION["paths"].values()
        for each in methods.values()
        for answer in each["responses"].values()
    ]

    assert all("Fidchell-Time" in answer["headers"] and "Vary" in answer["headers"] for answer in every)
    assert {
        ("200", "ETag"),
        ("304", "ETag"),
        ("201", "Location"),
        ("202", "Location"),
        ("202", "Retry-After"),
        ("401", "WWW-Authenticate"),
        ("429", "Retry-After"),
    } <= described


def test_names_of_operations_stay() -> None:
    """Programs are made of them."""
    names = [operation["operationId"] for methods in DESCRIPTION["paths"].values() for operation in methods.values()]

    assert OPERATIONS == set(names)
    assert len(names) == len(set(names))


def test_it_is_told_who_may_ask() -> None:
    """Whoever is at the door, whoever has a token, or a role alone."""
    who = {
        operation["operationId"]: operation.get("security")
        for methods in DESCRIPTION["paths"].values()
        for operation in methods.values()
    }

    assert [] == who["list_games"] == who["come_in"]
    assert [{}, {"token": []}] == who["view"] == who["history"] == who["list_tables"]
    assert [{"token": []}] == who["legal"]
    assert [{"token": ["seat"]}, {"token": ["bots"]}] == who["send_command"]
    assert [{"token": ["platform"]}, {"token": ["guest"]}] == who["open_table"]


def test_every_command_that_a_seat_may_send_is_described() -> None:
    """Also those of table life, such as standing answers; only a platform sits players down."""
    kinds = set(commands_of("inis"))

    assert {"play_card", "concede", "leave_seat", "set_standing_answer", "drop_standing_answer"} <= kinds
    assert not {"take_seat", "open_table", "start_table"} & kinds
