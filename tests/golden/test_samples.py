"""What was ever stored can be read for ever, and is packed today as it was then."""

from __future__ import annotations

import json

import msgspec
import pytest

from events.codec import command_unpacker, event_codec, pack
from events.games import GAMES
from tests.golden.samples import Sample, kinds, load, stored_shapes

ROOMS = ("tables", *GAMES)
ALL = [(game, each) for game in ROOMS for each in load(game)]


@pytest.mark.parametrize("game", ROOMS)
def test_every_kind_has_a_sample(game: str) -> None:
    """A new kind, or a new schema version, comes with a stored sample."""
    assert kinds(game) <= {(each.room, each.kind, each.schema) for each in load(game)}


@pytest.mark.parametrize(("game", "stored"), ALL, ids=lambda each: each.kind if isinstance(each, Sample) else each)
def test_an_old_sample_still_reads(game: str, stored: Sample) -> None:
    """Samples of today's schema read as they did and pack to the same bytes; older ones are lifted."""
    body = bytes.fromhex(stored.body)
    reader = "nains" if game == "tables" else game
    message = (
        command_unpacker(reader)(body) if stored.room == "commands" else event_codec(reader).read(stored.schema, body)
    )

    if (stored.room, stored.kind, stored.schema) in kinds(game):
        assert body == pack(message)
        assert stored.reads == json.loads(msgspec.json.encode(message))


@pytest.mark.parametrize("stored", load("store"), ids=lambda each: each.kind)
def test_the_shapes_around_messages_stay(stored: Sample) -> None:
    """Entries, envelopes and answers are packed as they always were, and read back."""
    value = stored_shapes()[stored.kind]

    assert stored.body == pack(value).hex()
    assert value == msgspec.msgpack.decode(bytes.fromhex(stored.body), type=type(value))


def test_every_shape_has_a_sample() -> None:
    """A new shape comes with a stored sample."""
    assert set(stored_shapes()) == {each.kind for each in load("store")}
