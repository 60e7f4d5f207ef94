"""What others see of a sender's texts is all that they hold: nothing hidden in them turns a name into another."""

from __future__ import annotations

import sys
import unicodedata
import uuid
from functools import partial
from typing import Any

import pytest
from typer.testing import CliRunner

from events.messages import Seat
from events.tables.commands import TakeSeat
from events.tables.vocabulary import Player
from services.api.texts import BLANK, HINT, UNSEEN, is_plain
from services.cli.__main__ import program
from tests.services.house import Client, House, Table, grown

HIDDEN = {
    "nul": "a\0b",
    "escape": "a\x1b[31mb",
    "delete": "a\x7f",
    "next line": "a\x85b",
    "right to left": "ann\u202enna",
    "isolate": "\u2066ann\u2069",
    "zero width space": "an\u200bn",
    "zero width joiner": "an\u200dn",
    "byte order mark": "\ufeffann",
    "soft hyphen": "a\u00adnn",
    "a tag": "ann\U000e0041",
    "private use": "ann\ue000",
    "unassigned": "ann\u0378",
    "no character": "ann\uffff",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "space before": " ann",
    "space behind": "ann ",
    "wide space behind": "ann\u3000",
    "no-break space before": "\u00a0ann",
    "a tab": "a\tb",
    "a line": "a\nb",
    "a filler": "an\u3164n",
    "nothing but a filler": "\u3164",
    "empty braille": "\u2800",
    "two code points for one letter": "e\u0301va",
    "korean in parts": "\u1112\u1161\u11ab",
}
SHOWN = ["ann", "Ann Bo", "42", "\u00e9va", "\ud55c\uad6d", "\u0639\u0644\u064a", "\U0001f600", "a-b_c@d.e", "x" * 64]


@pytest.mark.parametrize("name", HIDDEN)
async def test_a_player_shows_all_that_their_id_holds(client: Client, name: str) -> None:
    """Wherever an id can be given: with a seat, and with an invitation; and no stream grows."""
    table = await client.settled("/v1/tables", {"game": "nains", "seats": 2})
    path = f"/v1/tables/{table['table']}"
    before = client.house.streams()
    for place in ("seats/0", "invitations"):
        answer = await client.ask("POST", f"{path}/{place}", client.house.key, body={"player": HIDDEN[name]})
        told = answer.json()

        assert (422, "malformed", "$.player") == (answer.status_code, told["code"], told["path"])
        assert "not_plain_text" == told["details"]["reason"]
        assert HIDDEN[name] not in answer.text
    assert set() == grown(before, client.house.streams())


async def test_names_of_every_script_are_taken(client: Client) -> None:
    """As they were sent, to the last byte."""
    for name in SHOWN:
        table = (await client.settled("/v1/tables", {"game": "nains", "seats": 2}))["table"]
        given = await client.settled(f"/v1/tables/{table}/seats/0", {"player": name})
        invited = await client.settled(f"/v1/tables/{table}/invitations", {"player": name})

        assert name == given["player"] == invited["player"]


async def test_what_was_let_in_before_is_still_shown(client: Client) -> None:
    """The doors look at what comes in; rules and views take what the history holds."""
    table = Table((await client.settled("/v1/tables", {"game": "nains", "seats": 2}))["table"], [])
    actor = await client.doors.keeper.actor(await client.doors.keeper.caller(f"Bearer {client.house.key}"), table.name)
    for seat, player in enumerate(("old\u202e", "bo ")):
        send = partial(
            client.doors.sender.send,
            TakeSeat(seat=Seat(seat), player=Player(player)),
            table=table.name,
            actor=actor,
            command_id=uuid.uuid4(),
        )
        while (await send()).answer is None:  # it was late
            pass
    view: dict[str, Any] = (await client.ask("GET", f"/v1/tables/{table.name}/view", client.house.key)).json()
    made = await client.ask("POST", f"/v1/tables/{table.name}/seats/0/token", client.house.key)

    assert ["old\u202e", "bo "] == [each["player"] for each in view["seats"]]
    assert 0 == (await client.ask("GET", f"/v1/tables/{table.name}/view", made.json()["token"])).json()["viewpoint"]


def test_no_character_that_is_taken_is_unseen() -> None:
    """Of all there are: whatever may stand in the midst of a text is of a category that shows something."""
    taken = [each for each in map(chr, range(sys.maxunicode + 1)) if is_plain(f"a{each}b")]

    assert 100_000 < len(taken)
    assert not UNSEEN & {unicodedata.category(each) for each in taken}
    assert not BLANK & set(taken)


def test_the_words_about_keys_take_plain_names_alone(house: House) -> None:
    """Names of platforms and labels of keys are listed for others."""

    def typed(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(program(), list(words), env={"REDIS_URL": house.url, "COLUMNS": "200"})
        return result.exit_code, result.output

    refused = [
        typed("new-key", "plat\u202eform"),
        typed("new-key", "p", "--label", "builds\u200b"),
        typed("new-key", "p", "--label", " builds"),
        typed("origins", "plat\x07form", "https://play.example.org"),
        typed("revoke-guests", "plat form"),
    ]

    assert [2] * 5 == [code for code, _ in refused]
    assert HINT.split(",")[0] in " ".join(refused[1][1].split()).replace("\u2502 ", "")
    assert 0 == typed("new-key", "p", "--label", "Bau \u00e9")[0]
