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
from services.bots.simulation.play import Setting, play
from services.bots.simulation.players import random_player
from services.bots.simulation.record import Recorder
from services.bots.simulation.run import Order, simulate
from workers.games import GamesShelf

SHELF = GamesShelf()


def seats_of(game: str) -> range:
    """Return the numbers of seats a game allows."""
    edition = SHELF.current(game)
    assert edition is not None
    return edition.rules.seats


EVERY_COUNT = [(game, seats) for game in GAMES for seats in seats_of(game)]


def history(game: str, seats: int, number: int = 0) -> list[bytes]:
    """Return the packed history of a random table."""
    recorder = Recorder()
    setting = Setting(game=game, seats=seats, seed=7, number=number)
    play(SHELF, setting, [random_player] * seats, watch=recorder.watch)
    return recorder.entries


@pytest.mark.parametrize(("game", "seats"), EVERY_COUNT)
def test_random_tables_end_and_break_nothing(game: str, seats: int) -> None:
    """Offered is accepted and nothing else is, invariants hold, somebody can always move, and histories fold back."""
    report = simulate(Order(game=game, seats=seats, tables=12, seed=1, check=True))

    assert (0, 0) == (report.stuck, report.unfinished)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats"), EVERY_COUNT)
def test_two_thousand_random_tables_end_and_break_nothing(game: str, seats: int) -> None:
    """The same for 2,000 tables, whose histories have the same bytes in another process."""
    report = _report(game, seats, tables=2_000, hash_seed=1, check=True)
    print(f"\n{game}, {seats} seats: {report}")

    assert (0, 0) == (report["stuck"], report["unfinished"])
    assert report["digest"] == _report(game, seats, tables=2_000, hash_seed=2)["digest"]


@pytest.mark.parametrize(("game", "seats"), EVERY_COUNT)
def test_the_same_bytes_in_another_process(game: str, seats: int) -> None:
    """Neither the hash seed nor anything else outside the commands changes a byte."""
    one, other = (_report(game, seats, tables=6, hash_seed=seed)["digest"] for seed in (1, 2))

    assert one == other
    assert one is not None


def _report(game: str, seats: int, *, tables: int, hash_seed: int, check: bool = False) -> dict[str, Any]:
    order = f"game={game!r}, seats={seats}, tables={tables}, seed=3, check={check}, digest=True"
    script = (
        "from services.bots.simulation.run import Order, simulate; from events.codec import to_json;"
        f"print(to_json(simulate(Order({order}))).decode())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(  # noqa: S603  this program itself
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    return cast("dict[str, Any]", json.loads(done.stdout))


@pytest.mark.parametrize(("game", "seats"), EVERY_COUNT)
def test_a_random_table_verifies(game: str, seats: int) -> None:
    """The rules, given the revealed secret, decide every command again as they did."""
    entries = [read_entry(each) for each in history(game, seats)]
    table = Setting(game=game, seats=seats, seed=7).table

    assert "verified" == verify(table, entries, SHELF).result


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_is_named_once(game: str) -> None:
    """Commands and events of a game and of table life share no kind."""
    for own, life in (
        (commands_module(game).COMMANDS, table_commands.COMMANDS),
        (events_module(game).EVENTS, table_events.EVENTS),
    ):
        kinds = [str(each.__struct_config__.tag) for each in members(own) + members(life)]

        assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize(("game", "seats"), EVERY_COUNT)
def test_every_message_survives_the_codec(game: str, seats: int) -> None:
    """What is packed or written as JSON reads as the same message, and packs to the same bytes."""
    codec: EventCodec = event_codec(game)
    for entry in map(read_entry, history(game, seats)):
        assert isinstance(entry, Commit)
        command = command_unpacker(game)(entry.command.body)

        assert command == command_from_json(game, to_json(command))
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
