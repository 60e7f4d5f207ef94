"""The chain of a table's stream breaks wherever anything in it is changed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from events.codec import pack, raw
from events.commit import (
    START_OF_CHAIN,
    Commit,
    Entry,
    Received,
    Refusal,
    broken_link,
    chained,
    entry_id,
    read_entry,
    stored,
)
from events.messages import Seat
from events.tables.commands import LeaveSeat
from events.tables.events import SeatLeft, TableStarted
from events.tables.vocabulary import Actor


def _received(number: int) -> Received:
    return Received(
        f"17000000000{number:02}-0",
        bytes([number]) * 16,
        Actor("seat", "p", Seat(0)),
        raw(LeaveSeat(seat=Seat(0))),
        None,
    )


def history() -> list[Entry]:
    """Return three commits with two refusals between them."""
    commit = Commit(0, 0, _received(0), stored([SeatLeft(seat=Seat(0)), TableStarted()]), 1, bytes(16))
    refusal = Refusal(0, 0, _received(0), "table_started", {"least": 2}, 1, bytes(16))
    bare: list[Entry] = [
        replace(commit, first=1, last=2),
        replace(refusal, version=2, number=1, command=_received(1)),
        replace(refusal, version=2, number=2, command=_received(2)),
        replace(commit, first=3, last=4, command=_received(3)),
        replace(commit, first=5, last=6, command=_received(4)),
    ]
    return _chain(bare)


def _chain(entries: Sequence[Entry]) -> list[Entry]:
    previous, linked = START_OF_CHAIN, []
    for entry in entries:
        linked.append(chained(entry, previous))
        previous = linked[-1].chain
    return linked


def test_a_whole_history_has_no_broken_link() -> None:
    """Commits and refusals in order form one chain."""
    assert broken_link(history()) is None


def test_entries_come_back_from_their_bytes() -> None:
    """What is stored reads as what was stored."""
    assert history() == [read_entry(pack(entry)) for entry in history()]


def test_ids_sort_as_the_history_went() -> None:
    """Refusals stand between the version they were made at and the next."""
    assert ["2-0", "2-1", "2-2", "4-0", "6-0"] == [entry_id(entry) for entry in history()]


@pytest.mark.parametrize("place", range(5))
def test_a_changed_byte_breaks_the_chain(place: int) -> None:
    """Nobody changes, forges or re-times an entry unseen."""
    entries = history()
    entries[place] = replace(entries[place], command=replace(entries[place].command, entry="1699999999999-0"))
    fault = broken_link(entries)

    assert fault == f"entry {entry_id(entries[place])} does not continue the chain"


@pytest.mark.parametrize("place", range(4))
def test_a_missing_entry_breaks_the_chain(place: int) -> None:
    """Nobody leaves an entry out unseen."""
    entries = history()
    del entries[place]

    assert broken_link(entries) is not None


@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_history_chained_anew_must_still_count_right(place: int) -> None:
    """A chain computed over an incomplete history is whole in itself, but versions and refusals do not count up."""
    entries = history()
    del entries[place]

    assert broken_link(_chain(entries)) is not None


def test_a_nonce_hides_what_could_be_guessed() -> None:
    """Two entries alike but for the nonce share no digest."""
    first = history()[0]
    other = chained(replace(first, nonce=b"\x01" * 16), START_OF_CHAIN)

    assert first.chain != other.chain
