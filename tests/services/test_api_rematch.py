"""A rematch belongs to its platform and its players: nobody foresees it, and nobody comes in between."""

from __future__ import annotations

import uuid
from typing import Final

from tests.services.house import House, client_of

STEPS: Final = uuid.UUID("6f2f1a52-6f0b-5f0e-8a4f-5d6f3c0f9b11")
"""By this public name the ids of a rematch were once made, which everybody could make as well."""


async def test_nobody_opens_the_rematch_before_it_is_wanted(house: House) -> None:
    """A guest who opens a table with a key made of the old table's name is in nobody's way, and learns nothing."""
    async with client_of(house, guests="tests") as client:
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        table = await client.open()
        key = {"Idempotency-Key": str(uuid.uuid5(STEPS, table.name))}
        opened = await client.ask("POST", "/v1/tables", guest, body={"game": "nains", "seats": 2}, headers=key)
        await client.ask("POST", f"/v1/tables/{table.name}/cancel", client.house.key)
        again = await client.ask("POST", f"/v1/tables/{table.name}/rematch", client.house.key)

    assert (201, 201) == (opened.status_code, again.status_code), again.text
    assert opened.json()["table"] != again.json()["table"]


async def test_nobody_uses_up_the_ids_of_a_rematch(house: House) -> None:
    """What a player was refused under an id made of the table's name does not stand in a rematch's way."""
    async with client_of(house) as client:
        table = await client.open()
        path = f"/v1/tables/{table.name}"
        foreseen = str(uuid.uuid5(STEPS, f"{table.name} link"))
        wish = {"kind": "set_ready", "seat": 1}
        spoilt = await client.play(table, 1, wish, Idempotency_Key=foreseen)
        await client.ask("POST", f"{path}/cancel", client.house.key)
        again = await client.ask("POST", f"{path}/rematch", client.house.key)

    assert (409, 201) == (spoilt.status_code, again.status_code), again.text


async def test_a_rematch_is_the_same_in_every_process(house: House) -> None:
    """One process was too late for its answer, another goes on, and a third with another key for tokens names it."""
    async with client_of(house) as client, client_of(house, answer_s=0.1) as hasty:
        table = await client.open()
        path = f"/v1/tables/{table.name}/rematch"
        await client.ask("POST", f"/v1/tables/{table.name}/cancel", client.house.key)
        with house.rules_at_rest():
            pending = await hasty.ask_once("POST", path, client.house.key)
        done = await client.settled(path, None)
    async with client_of(house, signing_key="ab" * 32) as other:
        named = await other.ask("POST", path, other.house.key)
        seen = await other.ask("GET", f"/v1/tables/{done['table']}/view", named.json()["seats"][0]["token"])

    assert (202, 201) == (pending.status_code, named.status_code), named.text
    assert pending.json()["table"] == done["table"] == named.json()["table"]
    assert (200, 0) == (seen.status_code, seen.json()["viewpoint"])


async def test_no_guest_takes_a_seat_of_a_rematch(house: House) -> None:
    """Neither for themselves nor for a bot, while its players are being seated or after; whoever is invited may."""
    async with client_of(house, guests="tests") as client:
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        table = await client.open()
        await client.ask("POST", f"/v1/tables/{table.name}/cancel", client.house.key)
        new = (await client.ask("POST", f"/v1/tables/{table.name}/rematch", client.house.key)).json()["table"]
        path = f"/v1/tables/{new}"
        await client.ask("DELETE", f"{path}/seats/0", client.house.key)
        refused = [await client.ask("POST", f"{path}/seats/0", guest, body=body) for body in ({}, {"bot": "random"})]
        invited = (await client.ask("POST", f"{path}/invitations", client.house.key)).json()["token"]
        sat = await client.ask("POST", f"{path}/seats/0", invited, body={})

    assert [(409, "not_invited")] * 2 == [(each.status_code, each.json()["code"]) for each in refused]
    assert 200 == sat.status_code
