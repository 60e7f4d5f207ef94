"""A cluster's slots move while tables play, and nobody notices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Thread

import pytest
from redis.crc import key_slot

from events.log.redis_log import RedisLog
from events.messages import Seat
from tests.clusters import MASTERS, Cluster
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, seat_actor
from tests.runtime.echo.commands import Echo

ANN = Seat(0)


@pytest.fixture
def on_cluster(cluster: Cluster, patient: None) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes on a cluster."""
    log = RedisLog(emptied(cluster), games=["echo"])
    desk = Desk(log)
    yield desk
    desk.close()
    log.close()


def move_slot(cluster: Cluster, key: str, *, pause_s: float = 0.0) -> None:
    """Move a key's slot to the next node, key by key, as an operator would."""
    slot, source = key_slot(key.encode()), cluster.holder(key)
    target = (source + 1) % MASTERS
    names = cluster.names()
    cluster.ask(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", names[source])
    cluster.ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", names[target])
    while keys := cluster.ask(source, "CLUSTER", "GETKEYSINSLOT", slot, 3):
        cluster.ask(source, "MIGRATE", "127.0.0.1", cluster.ports[target], "", 0, 5_000, "KEYS", *keys)
        time.sleep(pause_s)
    for node in (target, source, *range(MASTERS)):
        cluster.ask(node, "CLUSTER", "SETSLOT", slot, "NODE", names[target])


@pytest.mark.parametrize("pause_s", [0.0, 0.05])
def test_a_slot_moves_while_tables_play(cluster: Cluster, on_cluster: Desk, pause_s: float) -> None:
    """Every command is answered once and stands once in its history, before, during and after the move."""
    tables = [on_cluster.running_table() for _ in range(6)]
    place = on_cluster.place(tables[0])
    before = cluster.holder(place.commands)
    mover = Thread(target=move_slot, args=(cluster, place.commands), kwargs={"pause_s": pause_s})
    mover.start()
    sent = 0
    while mover.is_alive() or sent < 60:
        table = tables[sent % len(tables)]
        assert on_cluster.send(table, Echo(seat=ANN, text=str(sent)), seat_actor(ANN)).code is None
        sent += 1
    mover.join()

    assert before != cluster.holder(place.commands)
    assert sent + 4 * len(tables) == sum(len(on_cluster.commits(table)) for table in tables)


def test_a_slot_that_moved_before_is_found(cluster: Cluster, on_cluster: Desk) -> None:
    """Whoever knew the old place of a slot is told the new one, and goes there."""
    table = on_cluster.running_table()
    move_slot(cluster, on_cluster.place(table).commands)

    assert on_cluster.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None


def test_a_slot_moves_to_a_node_without_the_functions(cluster: Cluster, on_cluster: Desk) -> None:
    """A node that is given its first slot gets the function library on the way."""
    table = on_cluster.running_table()
    key = on_cluster.place(table).commands
    with cluster.client((cluster.holder(key) + 1) % MASTERS) as client:
        client.execute_command("FUNCTION", "FLUSH")
    move_slot(cluster, key)

    assert on_cluster.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None


def test_functions_lost_on_one_node_come_back(cluster: Cluster, on_cluster: Desk) -> None:
    """The function library is put back where it is missing, under way."""
    table = on_cluster.running_table()
    with cluster.client(cluster.holder(on_cluster.place(table).commands)) as client:
        client.execute_command("FUNCTION", "FLUSH")

    assert on_cluster.send(table, Echo(seat=ANN), seat_actor(ANN)).code is None
