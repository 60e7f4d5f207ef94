"""Commands that were set aside are shown without secrets, sent once more, or dropped."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID, uuid4

import msgspec
import pytest
import redis
from typer.testing import CliRunner

from events import games
from events.codec import pack
from events.commit import Commit, Envelope, Refusal, read_entry
from events.log.dead import retry_id, trace, why
from events.log.errors import StoreAwayError
from events.log.records import DeadLetter
from events.log.redis_log import RedisLog
from events.log.redis_store import RedisStore
from events.messages import Seat
from events.streams import Partition
from services.cli import dead
from services.cli.__main__ import program
from tests.runtime.conftest import emptied
from tests.runtime.desk import Desk, seat_actor
from tests.runtime.echo import learn
from tests.runtime.echo.commands import Crash
from tests.runtime.echo.events import Echoed
from tests.runtime.echo.rules import EchoRules
from tests.servers import Server

TRACEBACK = 'Traceback (most recent call last):\n  File "/srv/x/workers/nains/decide.py", line 7, in bet\n    boom\n'
HIDDEN = "the hand holds 5 gems"
FAR = "9000000000000000-0"
TABLE, KIND = "[/red]\x1b[2J:smile:", "\u202emove"


@pytest.fixture
def desk(valkey: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """Return a door and a worker of the game of echoes, to whose store the command line leads."""
    monkeypatch.setattr(games, "GAMES", games.GAMES)
    learn()
    monkeypatch.setattr("services.cli.dead.GAMES", ("echo",))
    monkeypatch.setenv("REDIS_URL", emptied(valkey))
    monkeypatch.setattr(dead.console, "width", 250)
    log = RedisLog(valkey.url, games=["echo"])
    made = Desk(log)
    yield made
    made.close()
    log.close()


def said(*words: str, code: int = 0) -> str:
    """Return what the program prints."""
    result = CliRunner().invoke(program(), ["doctor", *words])
    assert code == result.exit_code, result.output
    return result.output


def crashed(desk: Desk, monkeypatch: pytest.MonkeyPatch, command_id: bytes) -> tuple[str, str]:
    """Return a table, and the name of a command of it that the rules could not survive."""

    def crash(_rules: EchoRules, command: object) -> None:
        raise RuntimeError(HIDDEN)

    table = desk.running_table()
    with monkeypatch.context() as patch:
        patch.setattr(EchoRules, "_strange", crash)
        answer = desk.send(table, Crash(seat=Seat(0)), seat_actor(0), command_id=command_id)
    assert answer.code == "internal_error"
    (letter,) = desk.log.dead(desk.place(table))
    return table, f"{desk.place(table).tag}/{letter.entry}"


@pytest.fixture
def junk(desk: Desk, valkey: Server) -> Partition:
    """Return a partition where somebody wrote what no door would have: names, kinds and times of their own."""
    place = desk.log.partitions("echo")[0]
    body = pack({"kind": KIND, "seat": 0})
    sent = pack(Envelope(b"abc", TABLE, seat_actor(0), msgspec.Raw(body)))
    with redis.Redis.from_url(valkey.url) as client:
        client.xadd(place.commands, {"body": sent}, id=FAR)
        client.xadd(place.dead, {"scribble": b"\xff"})
    desk.worker.drain()
    return place


def test_what_others_wrote_is_shown_as_text(junk: Partition) -> None:
    """Neither markup, nor an escape that controls the terminal, nor a time beyond the calendar disturbs the list."""
    listed = said("dead")

    assert "\x1b" not in listed
    assert "\u202e" not in listed
    for part in (
        f"{junk.tag}/{FAR}",
        "9000000000000000 ",
        "[/red]\\u001b[2J:smile:",
        "\\u202emove",
        "no reason was given",
    ):
        assert part in listed


def test_what_others_wrote_can_be_dropped(junk: Partition, desk: Desk) -> None:
    """Whatever it is."""
    for letter in desk.log.dead(junk):
        assert "is dropped" in said("drop", letter.entry)
    assert "No command is set aside." in said("dead")


def test_nothing_set_aside_is_said(desk: Desk) -> None:
    """An empty list is no mystery."""
    assert "No command is set aside." in said("dead")


def test_the_list_says_what_and_why_and_no_secret(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry, table, kind, and where the rules failed; the message of the exception may hold a hand."""
    table, name = crashed(desk, monkeypatch, uuid4().bytes)

    listed = said("dead")

    for part in (name, table, "crash", "RuntimeError in tests/services/test_dead.py", "in crash"):
        assert part in listed
    assert HIDDEN not in listed


def test_a_second_try_is_a_command_of_its_own(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer stands; the history holds the second try under an id made of the first."""
    first = uuid4().bytes
    table, name = crashed(desk, monkeypatch, first)
    monkeypatch.setattr(EchoRules, "_strange", lambda _rules, command: [Echoed(seat=command.seat, text="mended")])

    told = said("retry", name)
    (answer,) = desk.answers()

    assert f"{UUID(bytes=retry_id(first))}, the second try of {UUID(bytes=first)}" in told
    assert (answer.command_id, answer.code) == (retry_id(first), None)
    refusal, commit = (read_entry(body) for body in desk.log.history(desk.place(table), table)[-2:])
    assert isinstance(refusal, Refusal)
    assert isinstance(commit, Commit)
    assert (first, "internal_error") == (refusal.command.command_id, refusal.code)
    assert retry_id(first) == commit.command.command_id
    assert refusal.command.actor == commit.command.actor
    assert "No command is set aside." in said("dead")


def test_a_second_try_that_fails_is_set_aside_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be tried a third time; sending one try twice does it once."""
    first = uuid4().bytes
    table, name = crashed(desk, monkeypatch, first)
    body = desk.log.dead(desk.place(table))[0].envelope
    said("retry", name)
    desk.answers()
    (letter,) = desk.log.dead(desk.place(table))
    assert letter.envelope != body
    assert retry_id(first) in letter.envelope

    desk.log.submit(desk.place(table), letter.envelope)
    (again,) = desk.answers()

    assert (retry_id(first), "internal_error") == (again.command_id, again.code)
    assert len(desk.refusals(table)) == 2
    assert "third" not in said("retry", f"{desk.place(table).tag}/{letter.entry}")


def test_a_command_can_be_dropped(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is gone, and dropping it again says so."""
    _, name = crashed(desk, monkeypatch, uuid4().bytes)

    assert "is dropped" in said("drop", name)
    assert "No command is set aside under" in said("drop", name, code=1)
    assert "No command is set aside under" in said("retry", name, code=1)


def test_what_is_no_command_cannot_be_sent(desk: Desk) -> None:
    """It can be looked at and dropped."""
    place = desk.log.partitions("echo")[0]
    desk.log.submit(place, b"noise")
    desk.worker.drain()
    (letter,) = desk.log.dead(place)

    assert letter.entry in said("dead")
    assert "It is no command" in said("retry", letter.entry, code=1)
    assert "is dropped" in said("drop", letter.entry)


def test_a_letter_whose_id_is_none_stays(junk: Partition, desk: Desk) -> None:
    """Nothing is sent, and it is said why."""
    before = list(desk.log.dead(junk))

    told = said("retry", f"{junk.tag}/{FAR}", code=1)

    assert "Its id has 3 bytes where a command's has 16" in told
    assert before == list(desk.log.dead(junk))
    assert desk.worker.drain() == 0


def test_a_full_server_sends_nothing_and_drops_what_it_is_told(
    desk: Desk, valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be sent stays; what is dropped makes room."""
    _, name = crashed(desk, monkeypatch, uuid4().bytes)
    assert name in said("dead")  # and the store has a place for every game
    with redis.Redis.from_url(valkey.url) as client:
        client.config_set("maxmemory", 1)
        try:
            told = said("retry", name, code=1)
            listed = said("dead")
            dropped = said("drop", name)
        finally:
            client.config_set("maxmemory", 0)

    assert "the server is full" in told
    assert name in listed
    assert "is dropped" in dropped
    assert "No command is set aside." in said("dead")


def test_a_lost_partition_takes_nothing_and_stays_lost(
    desk: Desk, valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cursor is not made anew by dropping a command, which would look as if nothing had happened."""
    table, name = crashed(desk, monkeypatch, uuid4().bytes)
    monkeypatch.setattr(RedisStore, "prepare", lambda self, *_: {"echo": desk.log.partitions("echo")})
    with redis.Redis.from_url(valkey.url) as client:
        client.delete(desk.place(table).cursor)
        told = said("retry", name, code=1)
        assert name in said("dead")
        assert "is dropped" in said("drop", name)

        assert "the store was lost or emptied" in told
        assert client.exists(desk.place(table).cursor) == 0


def test_a_letter_that_was_sent_but_stays_can_be_tried_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its second try has one id, however often it is sent."""
    _, name = crashed(desk, monkeypatch, uuid4().bytes)

    def away(*_: object) -> int:
        raise StoreAwayError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(RedisLog, "drop_dead", away)
        told = said("retry", name, code=1)
        assert "gone" in said("drop", name, code=1)

    assert "Sent to" in told
    assert "can be tried again" in told
    assert name in said("dead")


def test_the_traceback_of_one_is_shown_without_a_value(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What, for whom, and where in the program; neither what the command wished nor what the exception says."""
    table, name = crashed(desk, monkeypatch, uuid4().bytes)

    told = said("dead", name)

    for part in (name, table, "crash", "seat of tests, seat 0", "tests/services/test_dead.py", "in crash"):
        assert part in told
    assert "    raise RuntimeError(HIDDEN)" in told
    assert "RuntimeError (what it says is left out)" in told
    assert HIDDEN not in told
    assert "No command is set aside under" in said("dead", "1-0", code=1)


def test_a_traceback_is_shown_as_text(junk: Partition) -> None:
    """Where somebody wrote one of his own, too."""
    told = said("dead", f"{junk.tag}/{FAR}")

    assert "[/red]\\u001b[2J:smile:" in told
    assert "\x1b" not in told


MESSAGE = """KeyError: 'the hand of seat 1
  File "/srv/x/hand.py", line 7, in gems
    5 gems
ValueError: 5 gems

"""


def test_no_line_of_a_message_is_taken_for_a_part_of_the_traceback() -> None:
    """A message may have lines, and look like one."""
    cause = f"{TRACEBACK}{MESSAGE}During handling of the above exception, another exception occurred:\n\n"
    letter = DeadLetter(entry="1-0", envelope=b"", reason=f"{cause}{TRACEBACK}nains.Odd: gems\nhand")

    head = ["Traceback (most recent call last):", '  File "workers/nains/decide.py", line 7, in bet', "    boom"]
    left_out = "(what it says is left out)"
    assert [*head, f"KeyError {left_out}", *head, f"nains.Odd {left_out}"] == list(trace(letter))
    assert "nains.Odd in workers/nains/decide.py, line 7, in bet" == why(letter)
    assert ["it hung"] == list(trace(DeadLetter(entry="1-0", envelope=b"", reason="it hung")))


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("it ended its worker 3 times", "it ended its worker 3 times"),
        ("", "no reason was given"),
        (f"{TRACEBACK}KeyError: 7", "KeyError in workers/nains/decide.py, line 7, in bet"),
        (f"{TRACEBACK}KeyError: the hand:\ngems", "KeyError in workers/nains/decide.py, line 7, in bet"),
        (f"{TRACEBACK}AssertionError", "AssertionError in workers/nains/decide.py, line 7, in bet"),
        (f"{TRACEBACK}5 gems are no kind", "an exception in workers/nains/decide.py, line 7, in bet"),
    ],
)
def test_reasons_are_told_in_a_line(reason: str, shown: str) -> None:
    """Of a traceback, kind and place."""
    assert shown == why(DeadLetter(entry="1-0", envelope=b"", reason=reason))
