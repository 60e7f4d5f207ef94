"""Recorded games replay to the byte, verify, and show what they showed when they were recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.codec import pack
from events.commit import broken_link
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


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_is_packed_as_it_was(file: Path) -> None:
    """Reading and writing the record gives the same contents."""
    manifest, entries = read_export(file.read_bytes())
    again = write_export(manifest.table, manifest.game, [pack(entry) for entry in entries])

    assert (manifest, [pack(entry) for entry in entries]) == (
        read_export(again)[0],
        [pack(entry) for entry in read_export(again)[1]],
    )
