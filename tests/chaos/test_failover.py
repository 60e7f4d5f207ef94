"""A replica that had not heard of everything takes its master's place: what it knows stands, and happens once."""

from __future__ import annotations

import os
import signal
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import redis

from events import games
from events.commit import Commit, Entry, broken_link, read_entry
from events.log.errors import StoreAwayError
from events.log.records import Answer
from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import partition_of
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Player
from tests.clusters import MASTERS, Cluster, running_cluster
from tests.runtime.desk import PLATFORM, envelope, seat_actor
from tests.runtime.echo import learn
from tests.runtime.echo.commands import Echo
from tests.runtime.processes import workers
from tests.until import PATIENCE_S, until

ANN = Seat(0)
TABLES = [f"echo-t{number}" for number in range(24)]
Sent = dict[bytes, tuple[str, bytes]]
"""Commands by id: table and packed envelope."""


@pytest.fixture(autouse=True)
def _echo_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", games.GAMES)
    learn()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Return a cluster of this test's own, with a replica of each master."""
    with running_cluster(tmp_path, replicas=MASTERS) as formed:
        yield formed


def openings(table: str) -> Iterator[bytes]:
    """Give what makes a table run."""
    sitting = [TakeSeat(seat=Seat(seat), player=Player(f"p{seat}")) for seat in range(2)]
    for command in (OpenTable(game="echo", seats=2), *sitting, StartTable()):
        yield envelope(table, command, PLATFORM)


def said(text: str) -> Sent:
    """Return an echo for each table."""
    made: Sent = {}
    for table in TABLES:
        name = uuid.uuid4().bytes
        made[name] = table, envelope(table, Echo(seat=ANN, text=text), seat_actor(ANN), command_id=name)
    return made


def submit(log: RedisLog, table: str, body: bytes) -> bool:
    """Send a command; false while the store is away."""
    try:
        return bool(log.submit(partition_of(table, 4), body))
    except StoreAwayError:
        return False


def answer(log: RedisLog, table: str, name: bytes) -> Answer | None:
    """Return the stored answer, if there is one and the store can be asked."""
    try:
        return log.answer(partition_of(table, 4), table, name)
    except StoreAwayError:
        return None


def acknowledged(log: RedisLog, sent: Sent) -> dict[bytes, Answer]:
    """Send commands as clients do that hear nothing: until each is answered."""
    for table, body in sent.values():
        until(lambda table=table, body=body: submit(log, table, body), what="it is sent")  # type: ignore[misc]  # no names
    return {
        name: until(lambda table=table, name=name: answer(log, table, name), what="it is answered")  # type: ignore[misc]  # no names
        for name, (table, _) in sent.items()
    }


def histories(log: RedisLog) -> Mapping[str, Sequence[Entry]]:
    """Return all entries of all tables, of which each must hang together."""
    found = {table: [read_entry(body) for body in log.history(partition_of(table, 4), table)] for table in TABLES}
    assert [None] * len(found) == [broken_link(entries) for entries in found.values()]
    return found


def test_a_promoted_replica_goes_on_from_what_it_has(cluster: Cluster, tmp_path: Path) -> None:
    """
    Commands that were acknowledged may be lost by a failover, as is said of this level of durability.

    What survived is answered as before; whatever is sent again under its id happens exactly once.
    """
    log = RedisLog(cluster.urls, games=["echo"])
    epoch = log.epoch
    node = cluster.holder(partition_of(TABLES[0], 4).cursor)
    master, replica = cluster.client(node), cluster.client(node + MASTERS)
    with workers(cluster.urls, tmp_path) as group:
        group.start()
        group.start()
        for table in TABLES:
            for body in openings(table):
                log.submit(partition_of(table, 4), body)
        early = said("early")
        answers = acknowledged(log, early)
        assert master.wait(1, round(PATIENCE_S * 1000)) == 1, "the replica has everything so far"

        # The replica hears of nothing more; then the master dies.
        process = cluster.nodes[node + MASTERS].process
        os.kill(process.pid, signal.SIGSTOP)
        master.execute_command("CLIENT", "KILL", "TYPE", "replica")
        late = said("late")
        acknowledged(log, late)
        cluster.nodes[node].kill()
        os.kill(process.pid, signal.SIGCONT)
        until(lambda: promoted(replica), what="the replica takes over")
        until(lambda: submit(log, TABLES[0], next(openings(TABLES[0]))), what="the store is there again")
        survived = {entry.command.command_id for entries in histories(log).values() for entry in entries}
        again = acknowledged(log, early | late)
        first_after = histories(log)
        fresh = said("fresh")
        acknowledged(log, fresh)
    lost = set(late) - survived
    there = Counter(entry.command.command_id for entries in histories(log).values() for entry in entries)

    assert set(early) <= survived
    assert lost, "otherwise this shows nothing"
    assert {1} == set(there.values())
    assert {*early, *late, *fresh} <= set(there)
    assert answers == {name: again[name] for name in early}
    assert all(each.code is None for each in again.values())
    for table, entries in histories(log).items():
        commits = [entry for entry in entries if isinstance(entry, Commit)]
        assert [1, *(each.last + 1 for each in commits[:-1])] == [each.first for each in commits], table
        assert first_after[table] == entries[: len(first_after[table])], "nothing goes back again"
    other = RedisLog(cluster.urls, games=["echo"])
    assert epoch == other.epoch
    other.close()
    log.close()


def promoted(replica: Any) -> bool:  # noqa: ANN401  the client's types say less than they know
    """Have a replica take its master's place, whatever the others think."""
    with suppress(redis.RedisError):
        if replica.info("replication")["role"] == "master":
            return True
        replica.execute_command("CLUSTER", "FAILOVER", "TAKEOVER")
    return False
