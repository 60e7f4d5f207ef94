"""Random tables of every game hold everything that must always be true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, cast

import pytest

from events.codec import EventCodec, command_from_json, command_unpacker, event_codec, pack, to_json
from events.commit import Commit, read_entry
from events.games import GAMES, commands_module, events_module
from events.messages import Command, Event, members
from events.tables import commands as table_commands
from events.tables import events as table_events
from projections.disputes.verify import verify
from services.bots.simulation.play import play
from services.bots.simulation.players import random_player
from services.bots.simulation.record import Recorder
from services.bots.simulation.run import simulate
from tests.every_game.kinds import EVERY_KIND, PLAIN, SHELF, TableKind


def history(kind: TableKind, number: int = 0) -> list[bytes]:
    """Return the packed history of a random table."""
    recorder = Recorder()
    play(SHELF, kind.setting(seed=7, number=number), [random_player] * kind.seats, watch=recorder.watch)
    return recorder.entries


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_random_tables_end_and_break_nothing(kind: TableKind) -> None:
    """Offered is accepted and nothing else is, invariants hold, somebody can always move, and histories fold back."""
    report = simulate(kind.order(tables=kind.checked, seed=1, check=True))

    assert (0, 0) == (report.stuck, report.unfinished)


@pytest.mark.soak
@pytest.mark.parametrize("kind", PLAIN, ids=str)
def test_two_thousand_random_tables_end_and_break_nothing(kind: TableKind) -> None:
    """The same for 2,000 tables, whose histories have the same bytes in another process."""
    report = _report(kind, tables=2_000, hash_seed=1, check=True)
    print(f"\n{kind}: {report}")

    assert (0, 0) == (report["stuck"], report["unfinished"])
    assert report["digest"] == _report(kind, tables=2_000, hash_seed=2)["digest"]


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_the_same_bytes_in_another_process(kind: TableKind) -> None:
    """Neither the hash seed nor anything else outside the commands changes a byte."""
    one, other = (_report(kind, tables=6, hash_seed=seed)["digest"] for seed in (1, 2))

    assert one == other
    assert one is not None


def _report(kind: TableKind, *, tables: int, hash_seed: int, check: bool = False) -> dict[str, Any]:
    order = to_json(kind.order(tables=tables, seed=3, check=check, digest=True)).decode()
    script = (
        "import msgspec; from services.bots.simulation.run import Order, simulate; from events.codec import to_json;"
        f"print(to_json(simulate(msgspec.json.decode({order!r}, type=Order))).decode())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(  # noqa: S603  this program itself
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return cast("dict[str, Any]", json.loads(done.stdout))


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_a_random_table_verifies(kind: TableKind) -> None:
    """The rules, given the revealed secret, decide every command again as they did."""
    entries = [read_entry(each) for each in history(kind)]

    assert "verified" == verify(kind.setting(seed=7).table, entries, SHELF).result


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_is_named_once(game: str) -> None:
    """Commands and events of a game and of table life share no kind."""
    for own, life in (
        (commands_module(game).COMMANDS, table_commands.COMMANDS),
        (events_module(game).EVENTS, table_events.EVENTS),
    ):
        kinds = [str(each.__struct_config__.tag) for each in members(own) + members(life)]

        assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize("kind", EVERY_KIND, ids=str)
def test_every_message_survives_the_codec(kind: TableKind) -> None:
    """What is packed or written as JSON reads as the same message, and packs to the same bytes."""
    codec: EventCodec = event_codec(kind.game)
    for entry in map(read_entry, history(kind)):
        assert isinstance(entry, Commit)
        command = command_unpacker(kind.game)(entry.command.body)

        assert command == command_from_json(kind.game, to_json(command))
        assert bytes(entry.command.body) == pack(command)
        for each in entry.events:
            assert bytes(each.body) == pack(codec.read(each.schema, each.body))


@pytest.mark.parametrize("game", GAMES)
def test_every_message_is_frozen_and_strict(game: str) -> None:
    """No message is changed in place, and none is read with a field it does not know."""
    messages: tuple[type[Command | Event], ...] = members(commands_module(game).COMMANDS) + members(
        events_module(game).EVENTS
    )
    for each in messages:
        assert each.__struct_config__.frozen
        assert each.__struct_config__.forbid_unknown_fields
