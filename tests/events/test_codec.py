"""What is packed comes back the same; what is not a message says where it is wrong."""

from __future__ import annotations

import msgspec
import pytest

from events.codec import EventCodec, MalformedError, command_from_json, command_unpacker, pack
from events.messages import Event, Seat
from events.tables.commands import OpenTable
from events.upcasting import Body, UnknownKindError


class StoneMoved(Event, frozen=True, kw_only=True):
    """An event that has been changed twice: ``steps`` was ``distance``, and ``seat`` came later."""

    schema = 3

    seat: Seat
    steps: int


def _distance_is_steps(body: Body) -> Body:
    return {"kind": body["kind"], "steps": body["distance"]}


def _seat_zero_moved(body: Body) -> Body:
    return {**body, "seat": 0}


UPCASTERS = {("stone_moved", 1): _distance_is_steps, ("stone_moved", 2): _seat_zero_moved}


def test_an_old_body_is_lifted_step_by_step() -> None:
    """What was stored under the first schema version reads as today's event."""
    codec = EventCodec((StoneMoved,), UPCASTERS)
    stored = pack({"kind": "stone_moved", "distance": 4})

    assert StoneMoved(seat=Seat(0), steps=4) == codec.read(1, stored)


@pytest.mark.parametrize(("kind", "schema"), [("stone_moved", 4), ("stone_sung", 1), ("stone_moved", 0)])
def test_what_a_newer_program_wrote_is_never_guessed(kind: str, schema: int) -> None:
    """An unknown kind or schema version stops the reader."""
    codec = EventCodec((StoneMoved,), UPCASTERS)

    with pytest.raises(UnknownKindError, match=kind):
        codec.read(schema, pack({"kind": kind, "seat": 0, "steps": 1}))


def test_packing_has_one_form() -> None:
    """Maps are packed in one order, whatever order they were made in."""
    assert pack({"a": 1, "b": 2}) == pack({"b": 2, "a": 1})


OPENING = OpenTable(game="nains", seats=2)


@pytest.mark.parametrize(
    ("body", "path", "reason"),
    [
        ("", "$", "not_json"),
        ("{", "$", "not_json"),
        ("null", "$", "wrong_type"),
        ("[]", "$", "wrong_type"),
        ("[" * 10_000, "$", "wrong_type"),
        ('{"kind": "no_such"}', "$.kind", "unknown_kind"),
        ('{"kind": "open_table"}', "$", "missing_field"),
        ('{"kind": "open_table", "game": "nains", "seats": 2, "colour": 1}', "$", "unknown_field"),
        ('{"kind": "open_table", "game": "nains", "seats": "2"}', "$.seats", "wrong_type"),
        ('{"kind": "open_table", "game": "nains", "seats": 2.5}', "$.seats", "wrong_type"),
        ('{"kind": "open_table", "game": "nains", "seats": NaN}', "$", "not_json"),
        ('{"kind": "open_table", "game": "nains", "seats": 99999999999999999999}', "$.seats", "beyond_64_bits"),
        ('{"kind": "open_table", "game": "nains", "seats": 1e999}', "$.seats", "out_of_range"),
        ('{"kind": "upgrade_coin", "seat": 0, "coin": "B2", "place": "sky"}', "$.place", "invalid_value"),
        ('{"kind": "open_table", "game": "nains", "seats": 2, "options": {"x": [1]}}', "$.options[...]", "wrong_type"),
        ('{"kind": "open_table", "game": "\\ud800", "seats": 2}', "$", "not_json"),
    ],
)
def test_a_malformed_command_names_the_path(body: str, path: str, reason: str) -> None:
    """Bad JSON is refused with the place and the reason of the fault, never with another error."""
    with pytest.raises(MalformedError) as fault:
        command_from_json("nains", body.encode())

    assert (path, reason) == (fault.value.path, fault.value.reason)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not_msgpack"),
        (b"\xc1", "not_msgpack"),
        (b"\x81", "not_msgpack"),
        (b"\x91" * 10_000, "wrong_type"),
        (pack(OPENING)[:-1], "not_msgpack"),
        (pack(OPENING) + b"\x00", "not_msgpack"),
        (pack([1]), "wrong_type"),
        (b"\x81\xa4kind\xa1", "not_msgpack"),
    ],
)
def test_malformed_messagepack_is_refused(body: bytes, reason: str) -> None:
    """Bad MessagePack is refused, whatever is wrong with it, and with the reason."""
    with pytest.raises(MalformedError) as fault:
        command_unpacker("nains")(body)

    assert reason == fault.value.reason


def test_a_complaint_does_not_repeat_what_was_sent() -> None:
    """A refused value may be secret and is not told again."""
    for body in (
        b'{"kind": "take_seat", "seat": 0, "player": 4711}',
        b'{"kind": "upgrade_coin", "seat": 0, "coin": "B2", "place": "4711"}',
        b'{"kind": "concede", "seat": 0, "4711": 1}',
        b'{"kind": "4711"}',
    ):
        with pytest.raises(MalformedError) as fault:
            command_from_json("nains", body)

        assert "4711" not in str(fault.value)


def test_a_command_survives_both_encodings() -> None:
    """JSON at the door and MessagePack in the store carry the same command."""
    assert OPENING == command_from_json("nains", msgspec.json.encode(OPENING))
    assert OPENING == command_unpacker("nains")(pack(OPENING))
