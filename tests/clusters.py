"""Forms real clusters for tests: masters on loopback, each with a third of the slots, and replicas."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import redis
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from tests.ports import free_port
from tests.servers import Server, running_server, valkey_binary
from tests.until import until

MASTERS = 3
APART = ("--cluster-require-full-coverage", "no")
"""Has nodes serve their slots whatever becomes of others."""
FAILING_OVER = ("--cluster-node-timeout", "2000")
"""Has replicas take the place of silent nodes soon; else a node that stands still for a while is not given up."""


class Cluster(msgspec.Struct, frozen=True):
    """A running cluster; any of its nodes leads to all. The masters come first, then a replica of each, if any."""

    nodes: Sequence[Server]
    ports: Sequence[int]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.ports[0]}"

    @property
    def urls(self) -> str:
        """All nodes, as a setting names them."""
        return ",".join(f"redis://127.0.0.1:{port}" for port in self.ports)

    def client(self, node: int) -> Any:  # noqa: ANN401  the client's types say less than they know
        """Return a client of one node."""
        return redis.Redis(host="127.0.0.1", port=self.ports[node])

    def flush(self) -> None:
        """Remove everything."""
        for node in range(MASTERS):
            with self.client(node) as client:
                client.flushall()

    def holder(self, key: str) -> int:
        """Return the node that holds a key's slot."""
        ranges = self.ask(0, "CLUSTER", "SLOTS")
        slot = key_slot(key.encode())
        for part in ranges:
            first, last, master = part[0], part[1], part[2]
            if first <= slot <= last:
                return list(self.ports).index(master[1])
        raise LookupError(key)

    def names(self) -> list[str]:
        """Return the nodes' own names, in order."""
        return [self.ask(node, "CLUSTER", "MYID").decode() for node in range(len(self.ports))]

    def ask(self, node: int, *command: str | int) -> Any:  # noqa: ANN401  as in ``client``
        """Return one node's answer to a command."""
        with self.client(node) as client:
            return client.execute_command(*command)

    @contextmanager
    def silent(self, node: int) -> Iterator[None]:
        """Have a node answer nothing within the block; afterwards wait until all is well."""
        os.kill(self.nodes[node].process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.nodes[node].process.pid, signal.SIGCONT)
            until(lambda: all(map(self.is_well, range(len(self.ports)))), what="all nodes are there again")

    def is_well(self, node: int) -> bool:
        """Whether a node holds no other for failed, and is linked to all: what it pushes is heard everywhere."""
        with self.client(node) as client:
            others = client.cluster("nodes").values()
        return len(others) == len(self.ports) and all(
            each["connected"] and "fail" not in str(each["flags"]) for each in others
        )


@contextmanager
def running_cluster(folder: Path, *, replicas: int = 0, settings: Sequence[str] = ()) -> Iterator[Cluster]:
    """Run a cluster of three masters in a folder, and replicas of the first ones; loopback only."""
    ports = [free_port() for _ in range(MASTERS + replicas)]
    with ExitStack() as stack:
        nodes = []
        for port in ports:
            home = folder / str(port)
            home.mkdir()
            clustered = (
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                "60000",
                "--cluster-announce-ip",
                "127.0.0.1",
                *settings,
            )
            nodes.append(stack.enter_context(running_server(valkey_binary(), home, port=port, settings=clustered)))
            stack.callback(shutil.rmtree, home, ignore_errors=True)
        cluster = Cluster(nodes, ports)
        _form(cluster)
        _replicate(cluster)
        until(lambda: all(map(cluster.is_well, range(len(ports)))), what="all nodes know each other")
        yield cluster


def _form(cluster: Cluster) -> None:
    share = REDIS_CLUSTER_HASH_SLOTS // MASTERS
    for node in range(MASTERS):
        last = REDIS_CLUSTER_HASH_SLOTS - 1 if node == MASTERS - 1 else (node + 1) * share - 1
        with cluster.client(node) as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", node * share, last)
            for port in cluster.ports:
                client.execute_command("CLUSTER", "MEET", "127.0.0.1", port)
    until(lambda: all(_whole(cluster, node) for node in range(MASTERS)), what="the cluster is formed")


def _replicate(cluster: Cluster) -> None:
    names = cluster.names()
    for node in range(MASTERS, len(cluster.ports)):
        with cluster.client(node) as client:
            until(lambda client=client, node=node: _knows(client, names[node - MASTERS]), what="it knows its master")  # type: ignore[misc]  # no name
            client.execute_command("CLUSTER", "REPLICATE", names[node - MASTERS])
            until(
                lambda client=client: client.info("replication")["master_link_status"] == "up",  # type: ignore[misc]  # no name
                what="it has copied its master",
            )


def _knows(client: Any, name: str) -> bool:  # noqa: ANN401  as in ``Cluster.client``
    return name in str(client.execute_command("CLUSTER", "NODES"))


def _whole(cluster: Cluster, node: int) -> bool:
    with cluster.client(node) as client:
        state = client.execute_command("CLUSTER", "INFO")
        known = client.execute_command("CLUSTER", "SLOTS")
    return b"cluster_state:ok" in (state if isinstance(state, bytes) else str(state).encode()) and len(known) == MASTERS
