"""The stored answer to a command: the entry of its table's stream that bears its id."""

from __future__ import annotations

from collections.abc import Iterable

from events.commit import Commit, Entry, read_entry
from events.log.records import Answer


def answer_of(table: str, entry: Entry) -> Answer:
    """Return what the sender of the entry's command was told."""
    command = entry.command
    if isinstance(entry, Commit):
        return Answer(command.command_id, table, entry.last, entry.first, fingerprint=command.fingerprint)
    return Answer(command.command_id, table, entry.version, 0, entry.code, entry.details, command.fingerprint)


def find_answer(table: str, entries: Iterable[bytes], command_id: bytes) -> Answer | None:
    """Return the answer to a command among packed entries, or ``None`` when none of them bears its id."""
    for body in entries:
        if command_id in body:
            entry = read_entry(body)
            if entry.command.command_id == command_id:
                return answer_of(table, entry)
    return None
