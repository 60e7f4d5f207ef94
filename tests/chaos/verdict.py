"""What must hold of a store when everything has come to rest, whatever was done to the processes before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from events.codec import event_codec, pack, to_json
from events.commit import Commit, Entry, Refusal, broken_link, entry_id, read_entry
from events.games import GAMES
from events.log.rebuilds import FIRST
from events.messages import TableId
from events.streams import Partition, claim_of, numbered, partition_of, view_of_all
from projections.disputes.verify import verify
from projections.lobby.lobby import LISTS, ROWS, STATUSES, listed, row
from projections.lobby.lobby import LOBBY as LOBBY_NAME
from projections.tables.chronicle import chapter
from projections.tables.projections import CHRONICLE, VIEWS, documents
from tests.chaos.load import REUSED, Told
from tests.chaos.service import WITNESS, Service
from tests.until import until
from workers.games import GamesShelf
from workers.tables.evolve import apply
from workers.tables.state import unopened

SHELF = GamesShelf()
LOBBY = numbered(LOBBY_NAME, FIRST)
NEVER_STORED = frozenset(("unknown_table", "rate_limited", "needs_newer_program", REUSED))
PER_PARTITION = frozenset(("cmd", "cur", "feed", "pos", "tables", "dead", "live"))
PER_TABLE = re.compile(r"(t|h|v:table@1|v:chronicle@1):(nains-[a-z0-9]+)")
CURSOR = frozenset(("owner", "until", "fence", "pos", "n", "epoch", "kept", "since", "marks"))
"""Fields of a cursor at rest: without ``try`` and ``dead``."""

OF_ALL = frozenset(
    (
        *(f"{kind}:{game}" for kind in ("workers", "projections") for game in GAMES),
        *("keys", "signing", "live"),
        *(f"v:{LOBBY}:{name}" for name in ("tables", "position", *LISTS)),
    )
)


class Histories:
    """All entries of all tables, as the server has them."""

    def __init__(self, service: Service) -> None:
        self.client = service.client
        self.places = service.partitions
        self.of: dict[str, Sequence[Entry]] = {}
        for place in service.partitions:
            for name in self.client.zrange(place.tables, 0, -1):
                table = name.decode()
                self.of[table] = [read_entry(fields[b"body"]) for _, fields in self.client.xrange(place.truth(table))]

    def place(self, table: str) -> Partition:
        """Return where a table lies."""
        return partition_of(table, len(self.places))


def settle(service: Service) -> None:
    """Wait until nothing waits: no command, and no commit that some projection has not taken in."""
    client = service.client

    def settled() -> bool:
        for place in service.partitions:
            position, end = client.hmget(place.cursor, "pos", "n")
            newest = client.xrevrange(place.commands, count=1)
            if newest and newest[0][0] != position:
                return False
            positions = client.hgetall(place.positions)
            if any(positions.get(name.encode()) != (end or b"0") for name in (VIEWS, CHRONICLE, LOBBY)):
                return False
        return True

    until(settled, what="every command and every commit is handled")


def examine(service: Service, told: Sequence[Told], opened: Sequence[str]) -> dict[str, int]:
    """Raise ``AssertionError`` for whatever does not hold; return what was counted."""
    settle(service)
    histories = Histories(service)

    assert set(opened) == set(histories.of), "every table is there, and no other"
    for table, entries in histories.of.items():
        assert broken_link(entries) is None, table
        assert verify(table, entries, SHELF).result == "verified", (table, verify(table, entries, SHELF))
    answers_are_true(histories, told)
    views_are_folds(histories)
    feed_is_dense(histories)
    nothing_is_forgotten(histories)
    nothing_was_set_aside(histories)
    entries = [entry for each in histories.of.values() for entry in each]
    return {
        "tables": len(histories.of),
        "commits": sum(isinstance(entry, Commit) for entry in entries),
        "answers": len(told),
    }


def answers_are_true(histories: Histories, told: Sequence[Told]) -> None:
    """Whatever was answered stands in the histories once, as it was answered."""
    there: dict[bytes, tuple[str, Entry]] = {}
    counted: Counter[bytes] = Counter()
    for table, entries in histories.of.items():
        for entry in entries:
            there[entry.command.command_id] = table, entry
            counted[entry.command.command_id] += 1
    assert {1} == set(counted.values()), "a command stands in the histories twice"
    for each in told:
        if each.code == "unknown_table":
            assert each.table not in histories.of, each
        if each.code in NEVER_STORED - {REUSED}:
            continue
        table, entry = there[each.command_id]
        assert each.table == table
        body = bytes(entry.command.body)
        if each.code == REUSED:
            assert each.command != body
            continue
        assert each.command in {b"", body}
        if isinstance(entry, Commit):
            assert (None, each.versions) == (each.code, (entry.first, entry.last)), (each, entry)
        else:
            assert entry.code == each.code, (each, entry)


def nothing_was_set_aside(histories: Histories) -> None:
    """No rule is poisonous, so whoever was in hand when something was killed is not to blame."""
    for place in histories.places:
        assert not histories.client.xlen(place.dead), place.dead
    for table, entries in histories.of.items():
        assert not [each for each in entries if isinstance(each, Refusal) and each.code == "internal_error"], table


def views_are_folds(histories: Histories) -> None:
    """Views, chronicle and lobby are, byte for byte, what a plain fold of the histories gives."""
    client = histories.client
    rows: dict[bytes, bytes] = {}
    order: dict[bytes, float] = {}
    for table, entries in histories.of.items():
        place = histories.place(table)
        state, story, seen = unopened(TableId(table), SHELF), [], None
        for entry in entries:
            if isinstance(entry, Commit):
                events = [event_codec("nains").read(each.schema, each.body) for each in entry.events]
                told = chapter(state, events, at=entry.command.at, seat=entry.command.actor.seat)
                story.append((entry_id(entry).encode(), {b"body": pack(told)}))
                state = apply(state, events, entry.command.actor.seat, entry.command.at)
                if seen != (state.status, state.places):
                    seen = state.status, state.places
                    rows[table.encode()] = to_json(row(state))
        assert state.status == "over", table
        order[table.encode()] = float(entries[0].command.at)
        views = {name.encode(): value for name, value in documents(state).items()}
        assert views == client.hgetall(place.view(VIEWS, table)), table
        assert story == client.xrange(place.view(CHRONICLE, table)), table
        _head_is_last(client.hgetall(place.head(table)), entries, state.version)
    assert rows == client.hgetall(ROWS)
    for status in STATUSES:
        key = view_of_all(LOBBY, listed("nains", status))
        assert (order if status == "over" else {}) == dict(client.zrange(key, 0, -1, withscores=True)), key


def _head_is_last(head: Mapping[bytes, bytes], entries: Sequence[Entry], version: int) -> None:
    expected = {b"version": str(version).encode(), b"status": b"over", b"chain": entries[-1].chain}
    assert expected == head


def feed_is_dense(histories: Histories) -> None:
    """The feed holds every commit once, numbered without a gap, those of a table in order."""
    for place in histories.places:
        feed = histories.client.xrange(place.feed)
        assert [f"{number}-0".encode() for number in range(1, len(feed) + 1)] == [entry for entry, _ in feed]
        stories: dict[str, list[Entry]] = {}
        for _, fields in feed:
            stories.setdefault(fields[b"table"].decode(), []).append(read_entry(fields[b"body"]))
        for table, commits in stories.items():
            assert [each for each in histories.of[table] if isinstance(each, Commit)] == commits, table
        assert {table for table in histories.of if histories.place(table) == place} == set(stories)


def nothing_is_forgotten(histories: Histories) -> None:
    """Only what is meant to stay has stayed: four keys for a table, those of a partition, and what is everybody's."""
    for key in map(bytes.decode, histories.client.scan_iter(count=1000)):
        if key == "fid:meta":
            continue
        found = re.fullmatch(r"fid:\{([^}]+)\}:(.+)", key)
        assert found is not None, key
        tag, name = found.groups()
        if tag == "all" and name.startswith(claim_of("").rpartition("}:")[2]):
            assert histories.client.ttl(key) != -1, "it is forgotten by itself, maybe by now"
        elif tag == "all":
            assert name in OF_ALL, key
        elif name not in PER_PARTITION:
            named = PER_TABLE.fullmatch(name)
            assert named is not None, key
            assert named[2] in histories.of, key
    for place in histories.places:
        fields = set(map(bytes.decode, histories.client.hkeys(place.cursor)))
        assert fields <= CURSOR, "nobody is held for the one that ended its worker"
        known = {VIEWS, CHRONICLE, LOBBY, WITNESS, ":trimmed"}
        assert set(map(bytes.decode, histories.client.hkeys(place.positions))) <= known
