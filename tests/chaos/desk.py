"""Sends echoes to rule workers in processes of their own."""

from __future__ import annotations

import uuid

from events.log.redis_log import RedisLog
from events.messages import Seat
from events.streams import Partition, partition_of
from events.tables.commands import OpenTable, StartTable, TakeSeat
from events.tables.vocabulary import Player
from tests.runtime.desk import PLATFORM, envelope, seat_actor
from tests.runtime.echo.commands import Echo

ANN = Seat(0)


def place(log: RedisLog, table: str) -> Partition:
    """Return where a table lies."""
    return partition_of(table, len(log.partitions("echo")))


def open_table(log: RedisLog, table: str) -> None:
    """Send what makes a table run: four commands."""
    sitting = [TakeSeat(seat=Seat(seat), player=Player(f"p{seat}")) for seat in range(2)]
    for command in (OpenTable(game="echo", seats=2), *sitting, StartTable()):
        log.submit(place(log, table), envelope(table, command, PLATFORM))


def say(log: RedisLog, table: str, text: str) -> bytes:
    """Send an echo; return its command id."""
    name = uuid.uuid4().bytes
    body = envelope(table, Echo(seat=ANN, text=text), seat_actor(ANN), command_id=name)
    log.submit(place(log, table), body)
    return name
