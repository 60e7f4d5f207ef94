"""Recorded games replay to the byte, verify, and show what they showed when they were recorded."""

from __future__ import annotations

import io
from pathlib import Path

import msgpack
import pytest
import zstandard

from events.codec import command_unpacker, event_codec, pack
from events.commit import Commit, broken_link
from events.export import read_export, write_export
from projections.disputes.verify import verify
from tests.golden.recorded import SHELF, digests, files, shown

FILES = files()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_verifies(file: Path) -> None:
    """Today's program gives every event of the record again."""
    manifest, entries = read_export(file.read_bytes())

    assert broken_link(entries) is None
    assert "verified" == verify(manifest.table, entries, SHELF).result


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_shows_what_it_showed(file: Path) -> None:
    """Every view and every telling of every version, for every viewpoint, is the same to the byte."""
    assert digests()[file.name] == shown(*read_export(file.read_bytes()))


def body_of(file: bytes) -> bytes:
    """Return what an export file holds, unpressed by hand."""
    assert b"fidchell\x01" == file[:9]
    return zstandard.ZstdDecompressor().decompress(file[9:])


def values_in(body: bytes) -> tuple[dict[str, object], list[bytes]]:
    """Return the manifest and the entries as the bytes that are in the file."""
    manifest, *entries = msgpack.Unpacker(io.BytesIO(body))
    return manifest, entries


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_is_packed_as_it_was(file: Path) -> None:
    """Reading and writing the record gives every byte it holds, that of each entry first."""
    body = body_of(file.read_bytes())
    manifest, stored = values_in(body)
    packed = [pack(entry) for entry in read_export(file.read_bytes())[1]]

    assert stored == packed
    assert body == body_of(write_export(str(manifest["table"]), str(manifest["game"]), packed))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_message_of_a_recorded_game_is_packed_as_it_was(file: Path) -> None:
    """Commands, and events of today's schema, have one encoding: the one in the record."""
    manifest, entries = read_export(file.read_bytes())
    read_command, codec = command_unpacker(manifest.game), event_codec(manifest.game)

    for entry in entries:
        assert bytes(entry.command.body) == pack(read_command(entry.command.body))
        for stored in entry.events if isinstance(entry, Commit) else ():
            event = codec.read(stored.schema, stored.body)
            assert event.schema > stored.schema or bytes(stored.body) == pack(event)
