"""What was ever stored can be read for ever, and is packed today as it was then."""

from __future__ import annotations

import json

import msgspec
import pytest

from events.codec import EventCodec, command_unpacker, event_codec, pack
from events.games import GAMES
from events.messages import Command, Event, Seat
from events.upcasting import Body
from tests.golden.samples import Sample, kinds, load, rare_messages, sample, stored_shapes

ROOMS = ("tables", *GAMES)
ALL = [(game, each) for game in ROOMS for each in load(game)]


@pytest.mark.parametrize("game", ROOMS)
def test_every_kind_has_a_sample(game: str) -> None:
    """A new kind, or a new schema version, comes with a stored sample."""
    assert kinds(game) <= {(each.room, each.kind, each.schema) for each in load(game)}


@pytest.mark.parametrize("game", GAMES)
def test_rare_messages_are_the_samples_of_their_kinds(game: str) -> None:
    """What random tables bring of such a kind, such as a list without anything in it, says less."""
    stored = load(game)

    for message in rare_messages(game):
        assert sample(message) in stored


def read(game: str, stored: Sample) -> Command | Event:
    """Return the message that a sample holds, as today's program reads it."""
    reader, body = "nains" if game == "tables" else game, bytes.fromhex(stored.body)
    return (
        command_unpacker(reader)(body) if stored.room == "commands" else event_codec(reader).read(stored.schema, body)
    )


def check(stored: Sample, message: Command | Event) -> None:
    """Check that a sample reads as it says, and packs to the same bytes unless it is of an older schema."""
    assert stored.reads == json.loads(msgspec.json.encode(message))
    if not isinstance(message, Event) or stored.schema == message.schema:
        assert stored.body == pack(message).hex()


@pytest.mark.parametrize(("game", "stored"), ALL, ids=lambda each: each.kind if isinstance(each, Sample) else each)
def test_an_old_sample_still_reads(game: str, stored: Sample) -> None:
    """Samples of today's schema read as they did and pack to the same bytes; older ones are lifted to what they say."""
    check(stored, read(game, stored))


class SongSung(Event, frozen=True, kw_only=True):
    """A made-up event whose second schema counts verses where the first said whether the song was long."""

    schema = 2

    seat: Seat
    verses: int


OLD_SONG = Sample(
    room="events",
    kind="song_sung",
    schema=1,
    body=pack({"kind": "song_sung", "seat": 1, "long": True}).hex(),
    reads={"kind": "song_sung", "seat": 1, "verses": 9},
)


def lifted_song(*, long: int, short: int) -> Event:
    """Return the old song, lifted by an upcaster that takes songs to have so many verses."""

    def lift(body: Body) -> Body:
        return {"kind": body["kind"], "seat": body["seat"], "verses": long if body["long"] else short}

    return EventCodec((SongSung,), {("song_sung", 1): lift}).read(1, bytes.fromhex(OLD_SONG.body))


def test_a_sample_of_an_older_schema_reads_as_it_says() -> None:
    """Its bytes are not today's, but what they are lifted to is."""
    check(OLD_SONG, lifted_song(long=9, short=2))


def test_a_wrong_upcaster_is_noticed() -> None:
    """An upcaster that lifts to a fitting but wrong value fails the check of samples."""
    with pytest.raises(AssertionError):
        check(OLD_SONG, lifted_song(long=2, short=9))


@pytest.mark.parametrize("stored", load("store"), ids=lambda each: each.kind)
def test_the_shapes_around_messages_stay(stored: Sample) -> None:
    """Entries, envelopes and answers are packed as they always were, and read back."""
    value = stored_shapes()[stored.kind]

    assert stored.body == pack(value).hex()
    assert value == msgspec.msgpack.decode(bytes.fromhex(stored.body), type=type(value))


def test_every_shape_has_a_sample() -> None:
    """A new shape comes with a stored sample."""
    assert set(stored_shapes()) == {each.kind for each in load("store")}
