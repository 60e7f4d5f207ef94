"""The live door describes itself whole, and its page says what the program says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator

from events.messages import kind_of
from services.api.problems import STATUS
from services.api.shapes import VIEW
from services.live.asyncapi import CLOSINGS, describe
from services.live.closing import Closing
from services.live.news import ALL, ANSWERS, News
from services.live.wishes import WISHES, read_wish

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "live.md").read_text(encoding="utf-8")
SAID = re.findall(r"```json client\n(.*?)```", PAGE, re.DOTALL)
HEARD = re.findall(r"```json server\n(.*?)```", PAGE, re.DOTALL)


def fits(value: object, name: str) -> bool:
    """Whether a value is what a schema of the description says; the page shows of a view a part alone."""
    schemas: dict[str, Any] = describe()["components"]["schemas"]
    schemas = {**schemas, VIEW: {**schemas[f"nains.{VIEW}"], "required": [], "additionalProperties": False}}
    return bool(Draft7Validator({**schemas[name], "components": {"schemas": schemas}}).is_valid(value))


def references(value: Any) -> set[str]:  # noqa: ANN401  a JSON value
    """Return every reference in a part of the description."""
    if isinstance(value, list):
        return set().union(*map(references, value))
    if not isinstance(value, dict):
        return set()
    return set().union(*map(references, value.values()), {value["$ref"]} if "$ref" in value else set())


def found(path: str) -> Any:  # noqa: ANN401  a JSON value
    """Return what a reference leads to in the description."""
    value: Any = describe()
    start, *parts = path.split("/")
    assert "#" == start, path
    for part in parts:
        value = value[part]
    return value


def test_no_reference_leads_nowhere() -> None:
    """Every reference is to something that the description holds, under a name that AsyncAPI allows."""
    described = describe()

    assert all(found(path) for path in references(described))
    assert all(re.fullmatch(r"[\w.-]+", name) for part in described["components"].values() for name in part)


def test_the_document_hangs_together() -> None:
    """Operations are of a channel and name its messages; those have a schema that is one, and no schema is idle."""
    described = describe()
    for operation in described["operations"].values():
        channel = operation["channel"]["$ref"]

        assert operation["action"] in {"send", "receive"}
        assert found(channel) in described["channels"].values()
        assert operation["messages"]
        named = [*operation["messages"], *operation.get("reply", {}).get("messages", ())]
        assert all(each["$ref"].startswith(f"{channel}/messages/") for each in named)
        assert operation.get("reply", {"channel": operation["channel"]})["channel"] == operation["channel"]
    for channel in described["channels"].values():
        for message in channel["messages"].values():
            assert found(found(message["$ref"])["payload"]["$ref"])["type"] == "object"
    for name, schema in described["components"]["schemas"].items():
        Draft7Validator.check_schema(schema)
        assert "prefixItems" not in str(schema), name
    reached, todo = set[str](), references(described["components"]["messages"])
    while todo:
        reached |= todo
        todo = set().union(*(references(found(path)) for path in todo)) - reached

    assert {f"#/components/schemas/{name}" for name in described["components"]["schemas"]} == reached


def test_descriptions_are_for_readers() -> None:
    """No mark of a docstring shows; what it says of a member stands with the member."""
    schemas = describe()["components"]["schemas"]

    assert "Args:" not in str(schemas)
    assert "``" not in str(schemas)
    following = schemas["Following"]

    assert "Answers a follow; what follows is behind `after`." == following["description"]
    assert "version behind which steps are sent." == following["properties"]["after"]["description"]


def named(messages: list[dict[str, str]]) -> list[str]:
    """Return the names of messages that are referred to."""
    return [each["$ref"].rpartition("/")[2] for each in messages]


def test_every_message_is_described() -> None:
    """All verbs and all kinds are messages of the channel; each verb has an operation with all that answers it."""
    described = describe()
    operations = dict(described["operations"])
    unasked = operations.pop("hear")
    replies = {name: named(each["reply"]["messages"]) for name, each in operations.items()}
    heard = {*named(unasked["messages"]), *(each for reply in replies.values() for each in reply)}

    assert {f"say_{verb}" for verb in WISHES} == operations.keys()
    assert all([name] == named(each["messages"]) for name, each in operations.items())
    assert {kind_of(each.__name__) for each in ALL} == heard
    assert {*operations, *heard} == set(described["channels"]["live"]["messages"])
    assert set(described["components"]["messages"]) == set(described["channels"]["live"]["messages"])


def test_the_page_and_the_description_tell_the_same_answers() -> None:
    """What answers each message, but for `failed`, which may answer any."""
    rows = dict(re.findall(r'^\| `\{"(\w+)": .*\|(.*)\|$', PAGE, re.MULTILINE))
    kinds = {kind_of(each.__name__) for each in ALL}
    told = {verb: {each for each in re.findall(r"`(\w+)`", row) if each in kinds} for verb, row in rows.items()}

    assert told == {verb: {kind_of(each.__name__) for each in news} - {"failed"} for verb, news in ANSWERS.items()}


def test_it_is_told_where_the_door_stands() -> None:
    """With TLS and without; the host is for the reader to fill in."""
    servers = describe()["servers"].values()

    assert ["ws", "wss"] == [each["protocol"] for each in servers]
    for each in servers:
        names = re.findall(r"\{(\w+)\}", each["host"])

        assert names == [*each["variables"]]


@pytest.mark.parametrize("text", SAID)
def test_what_the_page_lets_a_client_say_is_understood(text: str) -> None:
    """Examples of the page are read by the program and fit its description."""
    value = json.loads(text)
    verb = next(iter(value))

    assert isinstance(read_wish(text), WISHES[verb])
    assert fits(value, f"say_{verb}")


@pytest.mark.parametrize("text", HEARD)
def test_what_the_page_lets_the_service_say_is_what_it_says(text: str) -> None:
    """Examples of the page are messages of the program and fit its description."""
    value = json.loads(text)
    news: News = msgspec.json.decode(text, type=_union())

    assert value == json.loads(msgspec.json.encode(news))
    assert fits(value, type(news).__name__)


def _union() -> Any:  # noqa: ANN401  a union of structs has no narrower type
    union: Any = ALL[0]
    for each in ALL[1:]:
        union |= each
    return union


def test_the_page_has_every_code() -> None:
    """Every close code and every kind has its line."""
    assert len(SAID) >= 3
    assert len(HEARD) >= 5
    told = describe()["channels"]["live"][CLOSINGS]
    codes = {int(code) for row in re.findall(r"^\| ([0-9, ]+) \|", PAGE, re.MULTILINE) for code in row.split(",")}

    assert codes == {each["code"] for each in told}
    assert all(each["meaning"].endswith(".") for each in told)
    assert not [each for each in Closing if f"| {each.value} | `{each.reason}` |" not in PAGE]
    assert not [name for name in describe()["components"]["messages"] if f"`{name}`" not in PAGE and "say_" not in name]
    assert {"token_expired", "not_your_seat", "view_broken"} <= STATUS.keys()
