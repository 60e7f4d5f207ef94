"""How a table is run, as the doors see it: private, by readiness, by invitation, watched late, cancelled, again."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import httpx
import pytest

from services.api import doorkeeper, late, lobby, sending, views
from services.api.caching import version_in
from tests.services.house import Client, House, Table, client_of


def told(answer: httpx.Response) -> tuple[int, str]:
    """Return status and code of a no."""
    return answer.status_code, answer.json()["code"]


async def free(client: Client, **terms: object) -> str:
    """Return a table at which nobody sits yet."""
    return str((await client.settled("/v1/tables", {"game": "nains", "seats": 2, **terms}))["table"])


async def listed(client: Client, token: str | None, *, at_least: str) -> list[str]:
    """Return the tables in the lobby, once a table is there."""
    while True:
        found = await client.ask("GET", "/v1/tables?limit=200", token)
        names = [row["table"] for row in found.json()["tables"]]
        if at_least in names:
            return names
        await asyncio.sleep(0.01)


async def test_a_private_table_is_listed_to_its_own_alone(client: Client) -> None:
    """Its platform and the service's bots find it; the public, other platforms and seats do not."""
    hidden = await client.open(private=True)
    public = await client.open()

    for token, sees in (
        (client.house.key, True),
        (client.house.arbiter, True),
        (client.house.bots, True),
        (client.house.other, False),
        (hidden.tokens[0], False),
        (None, False),
    ):
        assert sees is (hidden.name in await listed(client, token, at_least=public.name))


async def test_an_invitation_seats_whom_it_names_once(client: Client) -> None:
    """At a private table, too; its holder then has a seat's token."""
    table = await free(client, private=True)
    path = f"/v1/tables/{table}"
    made = (await client.ask("POST", f"{path}/invitations", client.house.key, body={"seat": 1, "player": "eve"})).json()
    seen = await client.ask("GET", f"{path}/view", made["token"])
    wrong = await client.ask("POST", f"{path}/seats/0", made["token"], body={})
    other_name = await client.ask("POST", f"{path}/seats/1", made["token"], body={"player": "mallory"})
    bot = await client.ask("POST", f"{path}/seats/1", made["token"], body={"bot": "random"})
    taken = await client.ask("POST", f"{path}/seats/1", made["token"], body={"salt": "ab" * 32})
    started = await client.ask("POST", f"{path}/start", made["token"])
    again = await client.ask("POST", f"{path}/seats/1", made["token"], body={})
    own = await client.ask("GET", f"{path}/view", taken.json()["token"])

    assert (200, None) == (seen.status_code, seen.json()["viewpoint"])
    assert [(403, "not_your_seat"), (403, "not_allowed"), (403, "not_allowed")] == [
        told(wrong),
        told(other_name),
        told(bot),
    ]
    assert (200, "eve") == (taken.status_code, taken.json()["player"])
    assert (403, "not_allowed") == told(started)
    assert (409, "seat_taken") == told(again)
    assert 1 == own.json()["viewpoint"]


async def test_an_invitation_may_leave_seat_and_name_open(client: Client) -> None:
    """Whoever comes gets a name that no platform knows, and sits once."""
    table = await free(client)
    path = f"/v1/tables/{table}"
    made = (await client.ask("POST", f"{path}/invitations", client.house.key)).json()
    taken = await client.ask("POST", f"{path}/seats/0", made["token"], body={})
    twice = await client.ask("POST", f"{path}/seats/1", made["token"], body={})

    assert made["player"].startswith("guest:")
    assert made["player"] == taken.json()["player"]
    assert (409, "already_seated") == told(twice)


async def test_invitations_are_revoked_and_who_sits_stays(client: Client) -> None:
    """Those that went out end; a later one is good."""
    table = await free(client)
    path = f"/v1/tables/{table}"
    first, second = [(await client.ask("POST", f"{path}/invitations", client.house.key)).json() for _ in range(2)]
    seated = await client.ask("POST", f"{path}/seats/0", first["token"], body={})
    await client.ask("DELETE", f"{path}/invitations", client.house.key)
    late = await client.ask("POST", f"{path}/seats/1", second["token"], body={})
    fresh = (await client.ask("POST", f"{path}/invitations", client.house.key)).json()
    by_fresh = await client.ask("POST", f"{path}/seats/1", fresh["token"], body={})
    stays = await client.ask("GET", f"{path}/view", seated.json()["token"])

    assert (401, "token_revoked") == told(late)
    assert [200, 200] == [by_fresh.status_code, stays.status_code]


@pytest.mark.parametrize(
    ("body", "code"),
    [({"seat": 9}, "unknown_seat"), ({"seat": 64}, "malformed"), ({"player": "bot:random"}, "malformed")],
)
async def test_an_invitation_that_cannot_be_is_not_made(client: Client, body: dict[str, object], code: str) -> None:
    """The fault is named before anybody is invited in vain."""
    table = await free(client)
    made = await client.ask("POST", f"/v1/tables/{table}/invitations", client.house.key, body=body)

    assert code == made.json()["code"]


async def test_a_bot_takes_a_seat_later_and_leaves_it(client: Client) -> None:
    """The platform fills up as it likes; a bot has no token."""
    table = await free(client)
    path = f"/v1/tables/{table}/seats"
    taken = await client.ask("POST", f"{path}/1", client.house.key, body={"bot": "random"})
    seen = (await client.ask("GET", f"/v1/tables/{table}/view", client.house.key)).json()
    left = await client.ask("DELETE", f"{path}/1", client.house.key)
    both = await client.ask("POST", f"{path}/1", client.house.key, body={"bot": "random", "player": "x"})
    none = await client.ask("POST", f"{path}/1", client.house.key, body={})

    assert (200, None, "bot:random") == (taken.status_code, taken.json()["token"], taken.json()["player"])
    assert seen["seats"][1]["bot"]
    assert 200 == left.status_code
    assert ["$.bot", "$.player"] == [each.json()["path"] for each in (both, none)]


async def test_play_begins_when_all_are_ready(client: Client) -> None:
    """Nobody has to start it."""
    table = await client.open(start=False, ready=True)
    view = (await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])).json()
    for seat in range(2):
        said = await client.play(table, seat, {"kind": "set_ready", "seat": seat})
        assert 200 == said.status_code, said.text
    running = (await client.ask("GET", f"/v1/tables/{table.name}/view", table.tokens[0])).json()

    assert "set_ready" in view["offers"]
    assert ["open", "running"] == [view["status"], running["status"]]


async def test_a_table_is_cancelled_by_its_platform_or_an_arbiter(client: Client) -> None:
    """It is over without an outcome; players may not do it."""
    for key in (client.house.key, client.house.arbiter):
        table = await client.open()
        path = f"/v1/tables/{table.name}"
        by_seat = await client.ask("POST", f"{path}/cancel", table.tokens[0])
        by_other = await client.ask("POST", f"{path}/cancel", client.house.other)
        done = await client.ask("POST", f"{path}/cancel", key)
        again = await client.ask("POST", f"{path}/cancel", key)
        view = (await client.ask("GET", f"{path}/view", table.tokens[0])).json()

        assert [(403, "not_allowed"), (404, "unknown_table")] == [told(by_seat), told(by_other)]
        assert 200 == done.status_code, done.text
        assert (409, "table_over") == told(again)
        assert ("over", None) == (view["status"], view["outcome"])
        assert view["cancelled"] in ("platform", "arbiter")


async def test_a_rematch_is_the_same_table_again(client: Client) -> None:
    """Game, options, terms, players and bots; asked for twice it is one, and the old table names it."""
    table = await client.open(seats=3, bots=1, options={"thin_treasury": True}, private=True)
    path = f"/v1/tables/{table.name}"
    early = await client.ask("POST", f"{path}/rematch", client.house.key)
    await client.ask("POST", f"{path}/cancel", client.house.key)
    both = [await client.ask("POST", f"{path}/rematch", client.house.key) for _ in range(2)]
    new = both[0].json()["table"]
    old_view = (await client.ask("GET", f"{path}/view", table.tokens[0])).json()
    seats = both[0].json()["seats"]
    new_view = (await client.ask("GET", f"/v1/tables/{new}/view", seats[1]["token"])).json()

    assert (409, "table_not_over") == told(early)
    assert [201, 201] == [each.status_code for each in both], both[0].text
    assert new == both[1].json()["table"] == old_view["rematch"] != table.name
    assert [(0, "p0"), (1, "p1")] == [(each["seat"], each["player"]) for each in seats]
    assert (table.name, True, "open", 1) == (
        new_view["parent"],
        new_view["private"],
        new_view["status"],
        new_view["viewpoint"],
    )
    assert old_view["options"] == new_view["options"]
    assert ["p0", "p1", "bot:random"] == [each["player"] for each in new_view["seats"]]


async def test_a_rematch_of_which_an_answer_is_late_is_sent_again(client: Client, house: House) -> None:
    """Whatever was done of it is not done twice."""
    table = await client.open()
    path = f"/v1/tables/{table.name}"
    await client.ask("POST", f"{path}/cancel", client.house.key)
    async with client_of(house, answer_s=0.1) as hasty:
        with house.rules_at_rest():
            pending = await hasty.ask_once("POST", f"{path}/rematch", hasty.house.key)
    done = await client.settled(f"{path}/rematch", None)

    assert 202 == pending.status_code
    assert pending.json()["table"] == done["table"]


class Late:
    """A table whose spectators are behind, and a clock of the doors that can be set forward."""

    def __init__(self, client: Client, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.client = client
        self.table = table
        self._ahead = 0
        clock = sending.now_ms
        for module in (sending, views, late, lobby, doorkeeper):
            monkeypatch.setattr(module, "now_ms", lambda: clock() + self._ahead)

    def later(self, seconds: int) -> None:
        self._ahead += seconds * 1000

    async def seen(self, token: str | None) -> tuple[int, int]:
        """Return the version that is seen, and the last one that was told."""
        path = f"/v1/tables/{self.table.name}"
        view = await self.client.ask("GET", f"{path}/view", token)
        history = await self.client.ask("GET", f"{path}/history?limit=500", token)
        assert view.json()["version"] == version_in(view.headers["etag"])
        return view.json()["version"], max((each["last"] for each in history.json()["chapters"]), default=0)

    async def row(self, token: str | None, name: str | None = None) -> dict[str, Any] | None:
        """Return what the lobby lists of a table."""
        found = (await self.client.ask("GET", "/v1/tables?limit=200", token)).json()["tables"]
        return next((row for row in found if row["table"] == (name or self.table.name)), None)


async def test_spectators_are_behind_where_the_table_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever could tell a player what they see sees it late: view and history alike; players and arbiters at once."""
    late = Late(client, await client.open(spectator_delay=60), monkeypatch)
    path = f"/v1/tables/{late.table.name}"
    watcher = (await client.ask("POST", f"{path}/spectators", client.house.key)).json()["token"]
    await client.play(late.table, 0, (await client.legal(late.table, 0))[0])
    now = (await client.ask("GET", f"{path}/view", late.table.tokens[0])).json()["version"]
    behind = [await late.seen(token) for token in (None, client.house.key, watcher)]
    at_once = [await late.seen(token) for token in (*late.table.tokens, client.house.arbiter)]
    late.later(61)
    told_by_now = (await late.seen(None))[1]
    late.later(60)
    in_the_end = await late.seen(None)

    assert [(4, 4)] * 3 == behind
    assert [(now, now)] * 3 == at_once
    assert now == told_by_now
    assert (now, now) == in_the_end


async def test_the_lobby_tells_no_more_than_spectators_see(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who conceded, that it is over, and the rematch are listed when the view shows them; to bots at once."""
    async with client_of(house, guests="tests") as client:
        late = Late(client, await client.open(spectator_delay=600), monkeypatch)
        path = f"/v1/tables/{late.table.name}"
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        strangers = (None, guest, client.house.key, client.house.other, late.table.tokens[0])
        await client.play(late.table, 0, {"kind": "concede", "seat": 0})
        rematch = (await client.ask("POST", f"{path}/rematch", client.house.key)).json()["table"]
        await listed(client, client.house.key, at_least=rematch)
        early = [await late.row(token) for token in strangers]
        by_status = (await client.ask("GET", "/v1/tables?status=over&limit=200")).json()["tables"]
        at_once = [await late.row(token) for token in (client.house.arbiter, client.house.bots)]
        rematch_early = [await late.row(token, rematch) for token in (None, guest, client.house.other)]
        views_early = [await client.ask("GET", f"/v1/tables/{rematch}/view", token) for token in (None, guest)]
        own = await late.row(client.house.key, rematch)
        late.later(760)
        after = [await late.row(token) for token in strangers]
        rematch_after = [await late.row(token, rematch) for token in (None, guest, client.house.other)]
        view_after = await client.ask("GET", f"/v1/tables/{rematch}/view")

    assert [("open", [], 600)] * 5 == [(row["status"], row["bots"], row["spectator_delay"]) for row in early if row]
    assert not any("rematch" in row for row in early if row)
    assert late.table.name not in [row["table"] for row in by_status]
    assert [("over", rematch)] * 7 == [(row["status"], row["rematch"]) for row in (*at_once, *after) if row]
    assert [None] * 3 == rematch_early
    assert [(401, "no_token"), (404, "unknown_table")] == [told(each) for each in views_early]
    assert own
    assert all(rematch_after)
    assert 200 == view_after.status_code


async def test_a_no_tells_strangers_nothing_of_how_a_late_table_is(house: House) -> None:
    """Whether it goes on or has ended: to a guest and an invited player play has begun; no version is told."""
    async with client_of(house, guests="tests") as client:
        guest = (await client.ask("POST", "/v1/guests")).json()["token"]
        answers = []
        for over in (False, True):
            name = await free(client, spectator_delay=600, bots=[{"seat": 1, "bot": "random"}])
            path = f"/v1/tables/{name}"
            invited = (await client.ask("POST", f"{path}/invitations", client.house.key)).json()["token"]
            await client.ask("POST", f"{path}/seats/0", guest, body={})
            await client.ask("POST", f"{path}/start", guest)
            if over:
                await client.ask("POST", f"{path}/cancel", client.house.key)
            key = str(uuid.uuid4())
            refusals = [
                await client.ask("POST", f"{path}/start", guest, headers={"Idempotency-Key": key}),
                await client.ask("POST", f"{path}/seats/0", guest, body={}),
                await client.ask("POST", f"{path}/seats/0", invited, body={}),
                await client.ask("DELETE", f"{path}/seats/0", guest),
                await client.ask("GET", f"{path}/commands/{key}", guest),
            ]
            answers.append([each.text.replace(name, "...").replace(key, "...") for each in refusals])

    assert answers[0] == answers[1]
    assert not any("version" in each for each in answers[0])
    assert all("table_started" in each for each in (*answers[0][:3], answers[0][4]))


async def test_a_no_tells_a_platform_nothing_of_how_a_late_table_is(client: Client) -> None:
    """It sees as late as any spectator; to cancel a table that has ended is refused as all else is."""
    answers = []
    for over in (False, True):
        table = await client.open(spectator_delay=600)
        path = f"/v1/tables/{table.name}"
        if over:
            await client.play(table, 0, {"kind": "concede", "seat": 0})
        wishes = [
            ("POST", "start", None),
            ("POST", "seats/0", {"player": "zed"}),
            ("POST", "seats/0", {"bot": "random"}),
            ("POST", "seats/9", {"player": "zed"}),
            ("DELETE", "seats/0", None),
            ("DELETE", "seats/9", None),
        ]
        told_of = []
        for method, door, body in wishes:
            key = str(uuid.uuid4())
            headers = {"Idempotency-Key": key}
            answer = await client.ask(method, f"{path}/{door}", client.house.key, body=body, headers=headers)
            looked_up = await client.ask("GET", f"{path}/commands/{key}", client.house.key)
            told_of += [told(answer), (looked_up.status_code, looked_up.json()["code"])]
        answers.append(told_of)
        cancelled = await client.ask("POST", f"{path}/cancel", client.house.key)

    assert answers[0] == answers[1]
    assert {"table_started", "unknown_command"} >= {code for _, code in answers[0]}
    assert (409, "table_started") == told(cancelled)


@pytest.mark.parametrize(
    ("terms", "path"),
    [({"private": 1}, "$.private"), ({"spectator_delay": 3601}, "$.spectator_delay"), ({"ready": "x"}, "$.ready")],
)
async def test_terms_that_cannot_be_are_told(client: Client, terms: dict[str, Any], path: str) -> None:
    """With the path to the fault."""
    answer = await client.ask("POST", "/v1/tables", client.house.key, body={"game": "nains", "seats": 2, **terms})

    assert (422, path) == (answer.status_code, answer.json()["path"])
