"""The command line: everything with one word, told in plain lines, and mended when something dies."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from events.games import GAMES
from events.log.redis_log import RedisLog
from events.streams import partition_of
from services.cli.__main__ import program
from services.cli.reader import told
from services.cli.samples import samples
from services.cli.sentences import ranking, sentence
from services.cli.typed import program_as_typed
from services.client import ProblemError
from tests.ports import free_port
from tests.services.served import Served, serve
from tests.until import PATIENCE_S, until

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("served"), free_port()) as served:
        yield served


def test_bots_play_a_table_that_is_told_to_its_end(served: Served) -> None:
    """``follow`` ends with the table and says who won."""
    bots, _ = served.tables()
    told = served.word("follow", bots)

    assert "Table opened" in told
    assert re.search(r"1\. seat \d, \d+ points", told)
    assert "Seed revealed" in told


def test_what_is_told_to_be_typed_can_be(served: Served) -> None:
    """The words that follow a sample table, as they stand there, in the folder where the service was started."""
    hint = re.search(r"^ +(\S.* follow nains-\S+.*)$", served.said.read_text(), re.MULTILINE)
    assert hint is not None
    done = subprocess.run(  # noqa: S603  our own program
        shlex.split(hint[1]),
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
    )

    assert 0 == done.returncode, done.stderr
    assert "Table opened" in done.stdout


def test_the_program_is_named_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name where that finds it, by its path elsewhere, or as a module of an interpreter."""
    script = tmp_path / "bin" / "fid chell"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o700)
    monkeypatch.chdir(tmp_path)
    python = ["python3", "-X", "dev", "-m", "services.cli"]
    module = program_as_typed([*python, "serve", "-m"], ["/x/services/cli/__main__.py", "serve", "-m"])
    by_path = program_as_typed(["/x/python", str(script), "serve"], [str(script), "serve"])
    monkeypatch.chdir(script.parent)
    here = program_as_typed(["/x/python", str(script), "serve"], [str(script), "serve"])
    monkeypatch.setenv("PATH", str(script.parent))
    by_name = program_as_typed(["/x/python", str(script), "serve"], [str(script), "serve"])

    assert "python3 -X dev -m services.cli" == module
    assert ["'bin/fid chell'", "'./fid chell'", "'fid chell'"] == [by_path, here, by_name]


def test_a_seat_is_followed_and_shown_as_it_sees_the_table(served: Served) -> None:
    """A bot's seat knows its own bets; the spectator is not told."""
    bots, _ = served.tables()
    own, public = served.word("follow", bots, "--seat", "1"), served.word("follow", bots)
    shown = json.loads(served.word("show", bots, "--seat", "1"))
    before = json.loads(served.word("show", bots, "--seat", "1", "--version", "12"))

    assert "Seat 1: bets placed (coins" in own
    assert "Seat 1: bets placed (coins" not in public
    assert (1, "over") == (shown["viewpoint"], shown["status"])
    assert (12, "running") == (before["version"], before["status"])


def test_a_version_that_a_table_has_not_reached_is_refused(served: Served, tmp_path: Path) -> None:
    """The last one is not shown for it; it is said which there are."""
    bots, _ = served.tables()
    served.word("follow", bots)
    last = json.loads(served.word("show", bots))["version"]
    drawing = tmp_path / "island.svg"
    told = [
        served.word("show", bots, "--version", str(last + 1), code=1),
        served.word("show", bots, "--version", str(2**60), "--svg", str(drawing), code=1),
    ]

    assert served.word("show", bots) == served.word("show", bots, "--version", str(last)), "to the very order of names"
    assert all(f"{bots} has versions 1 to {last}." in each for each in told), told
    assert not drawing.exists()


@pytest.mark.parametrize(
    "words",
    [("show",), ("follow",), ("show", "--seat", "0"), ("show", "--version", "1"), ("show", "--svg", "x.svg")],
    ids=" ".join,
)
@pytest.mark.parametrize("name", ["nains-aaaaaaaaaa", "nope"])
def test_a_table_that_there_is_not_is_told(served: Served, words: tuple[str, ...], name: str) -> None:
    """In the same words, whatever is to be shown of it."""
    assert f"There is no table {name}; `fidchell tables` lists them.\n" == served.word(*words, name, code=1)


def test_what_the_service_refuses_is_told_with_place_and_reason() -> None:
    """Where it says them."""
    details = {"problem": "no such", "reason": "invalid_value"}
    malformed = ProblemError("malformed", status=422, path="query.status", details=details)

    assert "The service says no: malformed at query.status, invalid_value (status 422)." == str(told(malformed, "", ""))
    assert "The service says no: not_allowed." == str(told(ProblemError("not_allowed"), "", ""))


def test_a_status_that_there_is_not_is_refused_before_the_service_is_asked() -> None:
    """With those there are."""
    result = CliRunner().invoke(program(), ["tables", "--status", "opne"], env={"COLUMNS": "200"})

    assert 2 == result.exit_code
    assert "Invalid value for '--status': open, running or over " in result.output


@pytest.mark.parametrize("word", ["show", "follow"])
def test_a_table_that_was_not_named_is_told(word: str) -> None:
    """As from a variable that holds nothing; and where to find one."""
    result = CliRunner().invoke(program(), [word, ""], env={"COLUMNS": "200"})

    assert 2 == result.exit_code
    assert "no table was named; `fidchell tables` lists them" in result.output


def test_a_history_that_was_written_over_is_told(served: Served) -> None:
    """Of another type, or not such as the service writes it: with its name, and what to do."""
    game = "nains"
    with closing(RedisLog((served.data / "store.url").read_text().strip())) as log:
        place = partition_of("nains-bbbbbbbbbb", len(log.partitions(game)))
        key = place.truth("nains-bbbbbbbbbb")
        told = []
        for command in (("SET", key, "x"), ("XADD", key, "1-0", "body", b"\xc1")):
            log._store.command(*command)  # noqa: SLF001  what nobody else can write
            told.append(served.word("show", "nains-bbbbbbbbbb", "--version", "1", code=1))
            log._store.command("DEL", key)  # noqa: SLF001  as above

    assert all("The store cannot be used: " in each and "restore it" in each for each in told), told


def test_a_board_is_drawn_where_its_game_can_be(served: Served, tmp_path: Path) -> None:
    """The island of Inis goes into a file; a game that nobody has drawn says so."""
    bots, _ = served.tables()
    island = next(table for table in re.findall(r"inis-[a-z2-7]+", served.word("tables")))
    drawing = tmp_path / "island.svg"
    served.word("show", island, "--svg", str(drawing))

    assert drawing.read_text(encoding="utf-8").startswith("<svg ")
    assert "--svg" in served.word("show", bots, "--svg", str(drawing), code=1)


@pytest.mark.parametrize("place", ["nowhere/a.svg", "said/a.svg"])
def test_a_board_that_cannot_be_written_is_told(served: Served, tmp_path: Path, place: str) -> None:
    """Where there is no such folder, or it is none."""
    (tmp_path / "said").touch()
    island = next(table for table in re.findall(r"inis-[a-z2-7]+", served.word("tables")))
    told = served.word("show", island, "--svg", str(tmp_path / place), code=1)

    assert f"Nothing can be drawn into {tmp_path / place}: " in told
    assert "Name another file with --svg." in told


def test_the_lobby_is_listed(served: Served) -> None:
    """Every sample table is there."""
    assert all(each in served.word("tables") for each in served.tables())


def test_the_service_of_the_folder_is_found_unless_another_is_named(served: Served) -> None:
    """At whatever port it listens; what is named on the command line comes first."""
    assert served.url == (served.data / "service.url").read_text().strip()
    assert served.tables()[0] in served.word("tables")
    nobody = f"http://127.0.0.1:{free_port()}"
    assert f"{nobody} " in served.word("tables", "--url", nobody, code=1)


def test_doctor_finds_nothing(served: Served) -> None:
    """All is well, sentence by sentence."""
    found = served.word("doctor")

    assert "append-only file is written" in found
    assert "fault" not in found


def test_keys_are_their_owners_alone(served: Served) -> None:
    """Nobody else on the machine can read them, and no log repeats them."""
    keys = [served.data / "platform.key", served.data / "bots.key"]
    logs = [each.read_text() for each in (served.data / "logs").iterdir()]

    assert [0o600, 0o600] == [stat.S_IMODE(each.stat().st_mode) for each in keys]
    assert not any(each.read_text().strip() in log for each in keys for log in logs)


def test_a_new_platform_gets_a_key_of_its_own(served: Served) -> None:
    """The key opens tables at once, and another platform's key does not open them."""
    key = served.word("new-key", "tables_r_us").strip()
    with httpx.Client(base_url=served.url, timeout=PATIENCE_S) as http:
        opened = http.post("/v1/tables", headers={"Authorization": f"Bearer {key}"}, json={"game": "nains", "seats": 2})
        assert opened.status_code in (201, 202), opened.text

        def is_listed() -> bool:
            return "tables_r_us" in {row["platform"] for row in http.get("/v1/tables").json()["tables"]}

        until(is_listed, what="its table is listed")


def test_whoever_sits_at_this_machine_plays_without_a_key(served: Served) -> None:
    """The doors listen here alone, so guests may come in."""
    with httpx.Client(base_url=served.url, timeout=PATIENCE_S) as http:
        guest = http.post("/v1/guests")
        headers = {"Authorization": f"Bearer {guest.json()['token']}"}
        opened = http.post("/v1/tables", headers=headers, json={"game": "nains", "seats": 2})

    assert 201 == guest.status_code
    assert opened.status_code in (201, 202), opened.text


def test_2_mb_are_refused_over_a_real_connection(served: Served) -> None:
    """The sender hears why, and the connection goes on."""
    key = (served.data / "platform.key").read_text().strip()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with httpx.Client(base_url=served.url, headers=headers, timeout=PATIENCE_S) as http:
        answers = [http.post("/v1/tables", content=b" " * 2_000_000), http.get("/healthz")]

    assert [413, 200] == [each.status_code for each in answers]
    assert "too_large" == answers[0].json()["code"]


def test_words_say_what_to_do_when_nothing_is_there(tmp_path: Path) -> None:
    """No traceback, and a hint."""
    nowhere = Served(tmp_path, f"http://127.0.0.1:{free_port()}", tmp_path)
    (tmp_path / "service.url").write_text(nowhere.url)

    assert "fidchell serve" in nowhere.word("tables", code=1)
    assert "fidchell serve" in nowhere.word("follow", "nains-aaaaaaaaaa", code=1)
    assert "fidchell serve" in nowhere.word("doctor", code=1)


@pytest.mark.parametrize("word", ["show", "follow"])
@pytest.mark.parametrize("name", ["..", "nains-a/seats/0"])
def test_a_name_that_leads_elsewhere_is_told(word: str, name: str) -> None:
    """It is none of a table; nothing is asked, and nothing falls over."""
    told = CliRunner().invoke(program(), [word, name], env={"COLUMNS": "200"})

    assert 2 == told.exit_code, told.output
    assert "one part of an address" in told.output


@pytest.mark.parametrize("typed", [["tables"], ["show", "nains-aaaaaaaaaa"], ["bots"]])
def test_what_is_no_address_is_told_at_once(typed: list[str], tmp_path: Path) -> None:
    """Whether it was typed or stands in the environment; nothing is tried, and nothing falls over."""
    key = tmp_path / "bots.key"
    key.write_text("fck_a.b")
    environment = {"FIDCHELL_URL": "localhost:8000", "FIDCHELL_BOTS_KEY_FILE": str(key)}
    in_environment = CliRunner().invoke(program(), typed, env=environment)
    on_the_line = CliRunner().invoke(
        program(), [*typed, "--url", "localhost:8000"], env={**environment, "FIDCHELL_URL": None}
    )
    for each in (in_environment, on_the_line):
        assert (1, True) == (each.exit_code, "give http://host:port" in " ".join(each.output.split()))


@pytest.mark.timeout(300)
def test_what_dies_is_started_again_and_all_is_still_there(tmp_path: Path) -> None:
    """
    Every process is killed at once; the service mends itself, and a later start goes on with the same tables.

    In the place of a sample table that is over a new one is opened.
    """
    port = free_port()
    with serve(tmp_path, port) as served:
        first = served.children()
        for pid in first.values():
            os.kill(pid, signal.SIGKILL)
        bots, seats = served.tables()
        until(lambda: runs_anew(served, first), what="everything runs again")
        told = served.word("follow", bots)
    with serve(tmp_path, port) as served:
        new_bots, same_seats = served.tables()
        still = served.word("follow", bots)

    assert {"valkey-server", "worker", "project", "api", "bots"} == first.keys()
    assert "1. seat" in told
    assert told == still
    assert bots != new_bots
    assert seats == same_seats


def runs_anew(served: Served, first: dict[str, int]) -> bool:
    now = served.children()
    return now.keys() == first.keys() and not set(first.values()) & set(now.values())


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    """Before anything is started."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(program(), ["serve", "--data", str(tmp_path), "--port", port])

    assert 1 == result.exit_code
    assert "--port, or FIDCHELL_PORT with make play" in " ".join(result.output.split())
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("elsewhere", [None, "redis://127.0.0.1:1"])
@pytest.mark.parametrize("name", ["file", "file/below", "with/logs"])
def test_a_folder_that_is_none_is_told(tmp_path: Path, name: str, elsewhere: str | None) -> None:
    """A file in its place or in that of what belongs in it, whether the store is in it or elsewhere."""
    (tmp_path / "file").touch()
    (tmp_path / "with" / "logs" / "lock").mkdir(parents=True)
    (tmp_path / "with" / "logs" / "epoch.elsewhere").mkdir(parents=True)
    result = CliRunner().invoke(
        program(),
        ["serve", "--data", str(tmp_path / name), "--port", str(free_port())],
        env={"REDIS_URL": elsewhere, "COLUMNS": "500"},
    )

    assert 1 == result.exit_code, result.output
    assert f"The data folder {tmp_path / name} cannot be used: " in result.output
    assert "Choose another one with --data." in result.output


def test_samples_are_of_games_that_are_here() -> None:
    """Each file of ``seeds/samples`` is read, and every name stands once."""
    found = samples()

    assert found
    assert {each.game for each in found} <= set(GAMES)
    assert len(found) == len({each.name for each in found})


def test_steps_are_told_in_plain_lines() -> None:
    """Any game's step becomes a line: who, what, with what."""
    step = {"kind": "coin_upgraded", "seat": 2, "old": "B3", "new": "G5", "places": [["a", "b"], []], "none": None}
    revealed = {"kind": "coins_revealed", "seat": None, "spots": [{"seat": 0, "coin": "B3"}, {"seat": 1, "coin": "B5"}]}
    outcome = {
        "reason": "final_scoring",
        "ranking": [[1], [0, 2]],
        "scores": [{"seat": 1, "total": 9}, {"seat": 0, "total": 4}, {"seat": 2, "total": 4}],
    }

    assert "Seat 2: coin upgraded (old B3; new G5; places [a, b], [])" == sentence(step)
    assert "Coins revealed (spots (seat 0, coin B3), (seat 1, coin B5))" == sentence(revealed)
    assert "Seed revealed (secret aaaaaaaaaaaa...)" == sentence({"kind": "seed_revealed", "secret": "a" * 44})
    assert [
        "Over: final scoring.",
        "1. seat 1, 9 points",
        "2. seat 0, 4 points",
        "2. seat 2, 4 points",
    ] == ranking(outcome)
