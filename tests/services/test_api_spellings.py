"""What was given out is good as it was given out, and in no other spelling."""

from __future__ import annotations

import string

import pytest
from pydantic import ValidationError

from services.api.base64url import bytes_of, text_of
from services.api.settings import ApiSettings
from tests.live.door import a_door
from tests.services.house import Client, House, client_of

ALPHABET = string.ascii_letters + string.digits + "-_"
LAST = {bits: text_of(bytes(range(250, 250 + bits))) for bits in range(1, 5)}


def spellings(token: str) -> list[str]:
    """Return texts that differ from a token in one thing a reader may pass over: an end, padding, case, alphabet."""
    head, dot, tail = token.rpartition(".")
    ends = [token[:-1] + each for each in ALPHABET]
    heads = [head[:-1] + each + dot + tail for each in ALPHABET] if head else []
    padded = [token + "=" * count for count in (1, 2)] + ([head + "=" + dot + tail] if head else [])
    cases = [token.upper(), token.lower(), token[:4] + token[4:].swapcase(), token.replace("_", "/", 1)]
    return [each for each in {*ends, *heads, *padded, *cases} if each != token]


async def test_each_token_has_one_spelling(house: House) -> None:
    """Of a seat, a spectator, an invitation, a guest, and each kind of key."""
    async with client_of(house, guests="tests") as client:
        table = await client.open(start=False)
        path = f"/v1/tables/{table.name}"
        made = [
            (await client.ask("POST", f"{path}/{kind}", house.key)).json()["token"]
            for kind in ("spectators", "invitations")
        ]
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        for token in (table.tokens[0], *made, guest, house.key, house.arbiter):
            others = spellings(token)
            codes = {(await client.ask("GET", f"{path}/view", other)).json().get("code") for other in others}

            assert 200 == (await client.ask("GET", f"{path}/view", token)).status_code
            assert {"wrong_token"} == codes
            assert len(others) > 60


async def test_white_space_that_is_none_of_a_header_is_part_of_a_token(house: House) -> None:
    """Only spaces and tabs are around it; with any other its sender would count as somebody else."""
    async with client_of(house) as client:
        token = (await client.open()).tokens[0]

        async def code(shown: bytes) -> str | None:
            headers = {b"Authorization": b"Bearer " + shown}
            found = (await client.http.get("/v1/tables?limit=1", headers=headers)).json().get("code")
            return None if found is None else str(found)

        around = [b" %b\t" % each for each in (token.encode(), house.key.encode())]
        others = [token.encode() + each for each in (b"\xa0", b"\x85", b" \xa0", b"\x1f", b"\x0c")]

        assert [None] * len(around) == [await code(each) for each in around]
        assert ["wrong_token"] * len(others) == [await code(each) for each in others]


async def test_each_token_has_one_spelling_on_a_socket(house: House) -> None:
    """The four that readers of base64 take for the same are not, nor is one with white space around it."""
    async with a_door(house) as door:
        table = await door.client.open()
        token = table.tokens[0]
        same = [token[:-1] + each for each in ALPHABET if ALPHABET.index(each) >> 2 == ALPHABET.index(token[-1]) >> 2]
        around = [" " + token, token + " ", token + "\n", "\u2003" + token, house.key + "\t"]
        for other in same + around:
            if other != token:
                async with door.socket() as line:
                    assert "wrong_token" == (await line.ask(token=other))["code"]


@pytest.mark.parametrize("count", LAST)
def test_bytes_have_one_text(count: int) -> None:
    """Every other last character is refused, whether its bits stand for something or not."""
    text = LAST[count]
    good = []
    for each in ALPHABET:
        try:
            found = bytes_of(text[:-1] + each)
        except ValueError:
            continue
        good.append((text_of(found), text[:-1] + each))

    assert (text, text) in good
    assert all(given == read for read, given in good)
    for other in (text + "=", text + "\n", " " + text, text + "*"):
        with pytest.raises(ValueError, match=r".*"):
            bytes_of(other)


@pytest.mark.parametrize("salt", ["AB" * 32, "ab" * 31, "ab" * 32 + "\n", "zz" * 32, " " + "ab" * 31 + "a"])
async def test_a_salt_is_written_in_one_way(client: Client, salt: str) -> None:
    """In 64 small hexadecimal digits: what was sealed can be compared as text."""
    table = (await client.settled("/v1/tables", {"game": "nains", "seats": 2}))["table"]
    answer = await client.ask(
        "POST", f"/v1/tables/{table}/seats/0", client.house.key, body={"player": "ann", "salt": salt}
    )

    assert (422, "$.salt") == (answer.status_code, answer.json()["path"])


@pytest.mark.parametrize("key", ["zz" * 32, " " * 64, "ab" * 31 + " a", "ab" * 32 + "\n"])
def test_what_signs_tokens_is_64_hexadecimal_digits(key: str) -> None:
    """Whoever sets less is told when the process starts, and what was set is not."""
    with pytest.raises(ValidationError) as told:
        ApiSettings.model_validate({"signing_key": key})

    assert key.strip() not in str(told.value) or not key.strip()
    assert ApiSettings.model_validate({"signing_key": "ab" * 32}).signing_key
