"""
Golden samples: one stored body for each kind and schema version, kept for ever.

``python -m tests.golden.samples`` adds samples of kinds that have none yet, taken from ``RARE`` messages, then
from simulated tables; it changes none that is there. Review what it adds before you commit it.

When the schema of an event rises, its old sample keeps its bytes; write by hand what they read as now into ``reads``,
before you write the upcaster.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path

import msgspec

from events.codec import command_unpacker, event_codec, pack, raw
from events.commit import Commit, Envelope, Received, Refusal, StoredEvent, chained, read_entry
from events.games import GAMES, commands_module, events_module
from events.log.records import Answer, Moved
from events.messages import Command, Event, Outcome, Score, Seat, members
from events.tables import commands as table_commands
from events.tables import events as table_events
from events.tables.commands import (
    CancelTable,
    Concede,
    DropReady,
    DropStandingAnswer,
    LeaveSeat,
    LinkRematch,
    OpenTable,
    SetReady,
    SetStandingAnswer,
    StartTable,
    TakeSeat,
)
from events.tables.events import (
    RematchLinked,
    SeatConceded,
    SeatLeft,
    SeatNotReady,
    SeatReady,
    SeatTaken,
    SeedRevealed,
    StandingAnswerDropped,
    StandingAnswerSet,
    TableArranged,
    TableCancelled,
    TableEnded,
    TableOpened,
    TableStarted,
)
from events.tables.vocabulary import Actor, Player
from projections.tables.chronicle import Chapter
from services.bots.simulation.play import Setting, play
from services.bots.simulation.players import random_player
from services.bots.simulation.record import Recorder
from workers.games import GamesShelf

FOLDER = Path(__file__).parent
TABLES_SEARCHED = 60


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """
    One stored body: its room, kind and schema version, and its bytes in hexadecimal.

    ``reads`` is what it reads as today in JSON, lifted when its schema is an older one.
    """

    room: str
    kind: str
    schema: int
    body: str
    reads: object


def load(game: str) -> list[Sample]:
    """Return the samples of a game, or of ``tables`` or ``store``."""
    file = FOLDER / f"{game}.json"
    return msgspec.json.decode(file.read_bytes(), type=list[Sample]) if file.exists() else []


def sample(message: Command | Event) -> Sample:
    """Return the golden form of a message."""
    body = pack(message)
    is_event = isinstance(message, Event)
    return Sample(
        room="events" if is_event else "commands",
        kind=str(message.__struct_config__.tag),
        schema=message.schema if isinstance(message, Event) else 1,
        body=body.hex(),
        reads=json.loads(msgspec.json.encode(message)),
    )


def kinds(game: str) -> set[tuple[str, str, int]]:
    """Return every kind of today's messages of a game, or of table life, with its schema version."""
    commands = table_commands if game == "tables" else commands_module(game)
    events = table_events if game == "tables" else events_module(game)
    return {("commands", str(each.__struct_config__.tag), 1) for each in members(commands.COMMANDS)} | {
        ("events", str(each.__struct_config__.tag), each.schema) for each in members(events.EVENTS)
    }


def table_messages() -> list[Command | Event]:
    """Return one message of every kind of table life."""
    ann, bo, salt = Seat(0), Seat(1), bytes(range(32))
    outcome = Outcome(
        reason="final_scoring",
        ranking=((bo,), (ann,)),
        scores=(Score(seat=ann, total=3, parts={"coins": 3}), Score(seat=bo, total=4, parts={"coins": 4})),
    )
    return [
        OpenTable(game="nains", seats=2, options={"thin_treasury": True}, bots=((bo, "greedy"),)),
        TakeSeat(seat=ann, player=Player("p-17"), salt=salt),
        LeaveSeat(seat=ann),
        SetReady(seat=ann),
        DropReady(seat=ann),
        StartTable(),
        CancelTable(),
        LinkRematch(table="nains-again"),
        Concede(seat=bo),
        SetStandingAnswer(seat=bo, window="turn_end"),
        DropStandingAnswer(seat=bo, window="turn_end"),
        TableOpened(
            game="nains",
            seats=2,
            options={"thin_treasury": True, "tie_break": "shared"},
            rules=1,
            catalogue=1,
            digest=salt,
            platform="local",
            commitment=salt,
        ),
        SeatTaken(seat=ann, player=Player("p-17"), salt=salt),
        TableArranged(private=True, spectator_delay=60, ready=True, parent="nains-before"),
        SeatLeft(seat=ann),
        SeatReady(seat=ann),
        SeatNotReady(seat=ann),
        TableStarted(),
        SeatConceded(seat=bo),
        StandingAnswerSet(seat=bo, window="turn_end"),
        StandingAnswerDropped(seat=bo, window="turn_end"),
        TableEnded(outcome=outcome),
        TableCancelled(by="platform"),
        SeedRevealed(secret=salt),
        RematchLinked(table="nains-again"),
    ]


def rare_messages(game: str) -> Sequence[Command | Event]:
    """
    Return messages that random tables hardly ever bring about: ``RARE`` of ``tests/<game>/rare.py``.

    They come before what random tables bring, since that may be of the same kind and say less.
    """
    found = (FOLDER.parent / game / "rare.py").exists()
    rare: Sequence[Command | Event] = import_module(f"tests.{game}.rare").RARE if found else ()
    return rare


def stored_shapes() -> dict[str, object]:
    """Return one value of every shape the store holds around messages."""
    actor = Actor("seat", "local", Seat(1))
    body = raw(Concede(seat=Seat(1)))
    received = Received("1700000000000-3", bytes(range(16)), actor, body, 7)
    event = StoredEvent(1, raw(SeatConceded(seat=Seat(1))))
    return {
        "envelope": Envelope(bytes(range(16)), "nains-abc", actor, body, 7),
        "commit": chained(Commit(8, 8, received, (event,), 1, bytes(16)), bytes(32)),
        "refusal": chained(Refusal(8, 1, received, "stale_version", {"version": 8}, 1, bytes(16)), bytes(32)),
        "answer": Answer(bytes(range(16)), "nains-abc", 8, 8, fingerprint=bytes(16)),
        "answer_refused": Answer(bytes(range(16)), "nains-abc", 8, 0, "stale_version", {"version": 8}, bytes(16)),
        "moved": Moved(projection="table@1", position=4, tables={"nains-abc": 8}),
        "chapter": Chapter(8, 8, 1700000000000, 1, b"[]", {"1": b'[{"kind":"x"}]'}),
    }


def _messages_of(game: str) -> Iterator[Command | Event]:
    shelf = GamesShelf()
    edition = shelf.current(game)
    assert edition is not None
    for number in range(TABLES_SEARCHED):
        for seats in edition.rules.seats:
            recorder = Recorder()
            setting = Setting(game=game, seats=seats, seed=5, number=number)
            play(shelf, setting, [random_player] * seats, watch=recorder.watch)
            for entry in map(read_entry, recorder.entries):
                yield command_unpacker(game)(entry.command.body)
                if isinstance(entry, Commit):
                    yield from (event_codec(game).read(each.schema, each.body) for each in entry.events)


def _write(game: str, samples: list[Sample]) -> None:
    ordered = sorted(samples, key=lambda each: (each.room, each.kind, each.schema))
    text = json.dumps(msgspec.to_builtins(ordered), indent=1, ensure_ascii=False)
    (FOLDER / f"{game}.json").write_text(text + "\n")


def add_missing(game: str) -> None:
    """Add a sample of every kind that has none."""
    samples = load(game)
    known = len(samples)
    wanted = kinds(game) - {(each.room, each.kind, each.schema) for each in samples}
    for message in table_messages() if game == "tables" else chain(rare_messages(game), _messages_of(game)):
        found = sample(message)
        if (key := (found.room, found.kind, found.schema)) in wanted:
            wanted.remove(key)
            samples.append(found)
        if not wanted:
            break
    _write(game, samples)
    if added := len(samples) - known:
        print(f"{game}: {added} samples are added.")
    if wanted:
        print(f"{game}: nothing brought about {sorted(wanted)}; name one of each in tests/{game}/rare.py.")


if __name__ == "__main__":
    for name in ("tables", *GAMES):
        add_missing(name)
    shapes = load("store")
    known = {each.kind for each in shapes}
    shapes += [
        Sample(room="store", kind=kind, schema=1, body=pack(value).hex(), reads=repr(type(value).__name__))
        for kind, value in stored_shapes().items()
        if kind not in known
    ]
    _write("store", shapes)
