"""An export is read whole and untouched, or not at all."""

from __future__ import annotations

import os

import msgpack
import pytest
import zstandard

from events.codec import pack
from events.export import MAX_BYTES, UnreadableExportError, read_export, write_export
from tests.events.test_commit import history

ENTRIES = [pack(entry) for entry in history()]
FILE = write_export("nains-abc", "nains", ENTRIES)


def test_an_export_gives_back_the_history() -> None:
    """What was exported is what is read."""
    manifest, entries = read_export(FILE)

    assert ("nains-abc", 5, 6) == (manifest.table, manifest.entries, manifest.version)
    assert history() == entries


def test_every_cut_is_noticed() -> None:
    """A file that ends early is never read in part."""
    for length in range(len(FILE)):
        with pytest.raises(UnreadableExportError):
            read_export(FILE[:length])


def test_nothing_may_follow_the_end() -> None:
    """An export is the whole file."""
    for tail in (b"\x00", FILE, os.urandom(4_000)):
        with pytest.raises(UnreadableExportError, match="follows"):
            read_export(FILE + tail)


def test_every_changed_byte_is_noticed_or_harmless() -> None:
    """A flipped bit is damage, but for the one bit of a Zstandard frame that readers must ignore."""
    harmless = 0
    for place in range(len(FILE)):
        changed = bytearray(FILE)
        changed[place] ^= 0x10
        try:
            assert ENTRIES == [pack(entry) for entry in read_export(bytes(changed))[1]]
            harmless += 1
        except UnreadableExportError:
            continue

    assert 1 == harmless


def test_a_file_of_another_format_says_so() -> None:
    """A newer program's file asks for that program."""
    with pytest.raises(UnreadableExportError, match="newer"):
        read_export(FILE[:8] + b"\x02" + FILE[9:])


def _file(*values: object, raw: bytes = b"") -> bytes:
    return FILE[:9] + zstandard.compress(b"".join(map(msgpack.packb, values)) + raw)


MANIFEST = {"table": "nains-abc", "game": "nains", "entries": 0, "version": 0, "chain": "00" * 32}


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"fidchell",
        _file(),
        _file([1, 2]),
        _file({**MANIFEST, "entries": -1}),
        _file({**MANIFEST, "extra": 1}),
        _file({**MANIFEST, "chain": "zz"}),
        _file({**MANIFEST, "entries": 1}),
        _file(MANIFEST, b"no entry"),
        _file(MANIFEST, "text"),
        _file(MANIFEST, [[[]]]),
        _file(MANIFEST, raw=b"\xdb\xff\xff\xff\xff"),
        _file(MANIFEST, raw=b"\xc1"),
        _file({**MANIFEST, "entries": 4}, *ENTRIES[1:]),
    ],
)
def test_a_damaged_file_is_unreadable(file: bytes) -> None:
    """Whatever is wrong with a file is told as one kind of error."""
    with pytest.raises(UnreadableExportError):
        read_export(file)


def test_a_small_file_cannot_fill_the_memory() -> None:
    """A file that unpacks to more than the bound is given up on the way."""
    bomb = zstandard.ZstdCompressor(level=1).compress(bytes(MAX_BYTES + (1 << 20)))

    with pytest.raises(UnreadableExportError, match="larger"):
        read_export(FILE[:9] + bomb)


def test_a_broken_history_is_not_exported() -> None:
    """Nobody gets an export that would not verify."""
    with pytest.raises(UnreadableExportError, match="chain"):
        write_export("nains-abc", "nains", ENTRIES[1:])
