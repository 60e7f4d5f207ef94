"""Pages of the lobby are what a look at every row gives, and cost no more than what is on them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import chain
from typing import Any

import msgspec
import pytest
import redis
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from events.codec import to_json
from events.streams import view_of_all
from projections.kit.projection import Step
from projections.lobby.lobby import LISTS, STATUSES, TABLES, row
from services.api import late, lobby
from services.api.credentials import VISITOR, Caller
from services.api.openings import secret_until
from tests.services.house import Client, House, client_of
from tests.services.lobbies import OPEN, OVER, PATHS, ROWS, RUNNING, VIEWS, Plan, Writer, a_still_house

NOW = 1_790_000_000_000
MINUTE = 60_000
GAMES = ("inori", "nains")
CALLERS = {
    "nobody": VISITOR,
    "key": Caller(role="platform", platform="tests"),
    "other": Caller(role="platform", platform="others"),
    "arbiter": Caller(role="arbiter", platform="tests"),
    "bots": Caller(role="bots", platform="*"),
}
"""Names of a house's keys, and who shows them."""

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Writer]]:
    """Return a house in which nobody works, and what writes its lobby instead."""
    with a_still_house(tmp_path_factory.mktemp("still")) as still:
        yield still


@pytest.fixture
async def client(still: tuple[House, Writer]) -> AsyncIterator[Client]:
    async with client_of(still[0]) as client:
        yield client


@pytest.fixture
def writer(still: tuple[House, Writer]) -> Writer:
    return still[1]


def clean(house: House) -> None:
    """Forget all tables."""
    with redis.Redis.from_url(house.url) as store:
        store.delete(*(view_of_all(ROWS, name) for name in (TABLES, *LISTS)), *store.scan_iter(f"*:v:{VIEWS}:*"))


@st.composite
def plans(draw: st.DrawFn) -> list[Plan]:
    """Draw tables; many were opened at the same time, many are seen late now or were until a moment ago."""
    found = []
    for number in range(draw(st.integers(0, 20))):
        path = draw(st.sampled_from(PATHS))
        pauses = draw(st.lists(st.integers(0, 40), min_size=len(path), max_size=len(path)))
        at = NOW - sum(pauses) * MINUTE
        found.append(
            Plan(
                name=f"{draw(st.sampled_from(GAMES))}-{number}",
                at=[at + sum(pauses[:place]) * MINUTE for place in range(len(path))],
                path=path,
                platform=draw(st.sampled_from(["tests", "others"])),
                private=draw(st.booleans()),
                delay=draw(st.sampled_from([0, 0, 60, 1_200, 3_600])),
                parent=draw(st.booleans()),
            )
        )
    return found


async def pages(client: Client, who: str, query: str, limit: int) -> AsyncIterator[Rows]:
    """Give page after page."""
    cursor: str | None = ""
    while cursor is not None:
        path = f"/v1/tables?limit={limit}{query}{cursor}"
        page = (await client.ask("GET", path, getattr(client.house, who, None))).json()
        yield page["tables"]
        cursor = None if page["next"] is None else f"&cursor={page['next']}"


async def looked_through(client: Client, who: str, histories: Sequence[list[Step]], wanted: dict[str, str]) -> Rows:
    """Return the rows that a look at every table gives, newest first."""
    caller = CALLERS[who]
    known = []
    for steps in sorted(histories, key=lambda each: (each[-1].after.opened_at, each[-1].table), reverse=True):
        state = steps[-1].after
        hidden = state.private or (state.parent and secret_until(state.opened_at, state.spectator_delay) > NOW)
        if caller.may_know(state.platform) or not hidden:
            known.append(row_after(steps))
    shown = map(dict, await late.rows(client.doors, caller, known))
    return [each for each in shown if wanted.items() <= each.items()]


def row_after(steps: Sequence[Step]) -> dict[str, Any]:
    """Return the row of a table, as whoever sees it at once is shown it."""
    return dict(msgspec.json.decode(to_json(row(steps[-1].after))))


wishes = st.fixed_dictionaries({}, optional={"game": st.sampled_from(GAMES), "status": st.sampled_from(STATUSES)})
drawn = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def query_of(wanted: dict[str, str]) -> str:
    return "".join(f"&{name}={value}" for name, value in wanted.items())


class Look(msgspec.Struct, frozen=True):
    """
    How somebody looks through the lobby.

    Args:
        wanted: game and status, either or neither.
        own: whether for tables of their own platform alone.
        limit: rows of a page.
        most: rows looked at together; ``scanned`` rows looked through for one page.
    """

    who: str
    wanted: dict[str, str]
    limit: int
    most: int
    scanned: int
    own: bool = False


sizes = st.integers(1, 4), st.integers(1, 4), st.integers(1, 9)
looks = st.builds(Look, st.sampled_from(list(CALLERS)), wishes, *sizes) | st.builds(
    Look, st.sampled_from(["key", "other", "arbiter"]), wishes, *sizes, own=st.just(value=True)
)


DEEPER = [
    *(Plan(name=f"inori-{age}", at=[NOW - age]) for age in (1, 2, 6, 7)),
    *(Plan(name=f"nains-{age}", at=[NOW - age]) for age in (8, 9)),
]
"""Behind the second, one of two lists is read less deep than the other."""


@drawn
@given(tables=plans(), look=looks)
@example(tables=DEEPER, look=Look("nobody", {}, limit=2, most=4, scanned=9))
async def test_pages_are_what_a_look_at_every_row_gives(
    client: Client, writer: Writer, tables: list[Plan], look: Look
) -> None:
    """For each caller, game and status, however many are looked at together; with the row each caller may see."""
    clean(client.house)
    histories = [plan.steps() for plan in tables]
    writer.write(list(chain(*histories)))
    with pytest.MonkeyPatch.context() as patched:
        for module in (late, lobby):
            patched.setattr(module, "now_ms", lambda: NOW)
        patched.setattr(lobby, "MOST", look.most)
        patched.setattr(lobby, "SCANNED", look.scanned)
        query = query_of(look.wanted) + ("&own=true" if look.own else "")
        found = [each async for page in pages(client, look.who, query, look.limit) for each in page]
        mine = {"platform": CALLERS[look.who].platform} if look.own else {}
        expected = await looked_through(client, look.who, histories, look.wanted | mine)

    assert expected == found


@drawn
@given(tables=plans(), wanted=wishes, limit=st.integers(1, 3), data=st.data())
async def test_tables_that_move_while_pages_are_turned_move_no_other(
    client: Client, writer: Writer, tables: list[Plan], wanted: dict[str, str], limit: int, data: st.DataObject
) -> None:
    """Whoever pages meets no table twice, and each that was as they wish all the time."""
    clean(client.house)
    histories = [plan.steps() for plan in tables]
    writer.write([steps[0] for steps in histories])
    to_come = [step for steps in histories for step in steps[1:]]
    first = {steps[0].table: row_after(steps[:1]) for steps in histories}
    last = {steps[0].table: row_after(steps) for steps in histories}
    found: list[str] = []
    async for page in pages(client, "bots", query_of(wanted), limit):
        found += [each["table"] for each in page]
        count = data.draw(st.integers(0, len(to_come)))
        if count:
            writer.write(to_come[:count])
            del to_come[:count]
    stayed = {table for table in first if all(wanted.items() <= each[table].items() for each in (first, last))}
    opened = {steps[0].table: steps[0].after.opened_at for steps in histories}

    assert sorted(found, key=lambda table: (opened[table], table), reverse=True) == found
    assert len(set(found)) == len(found)
    assert stayed <= set(found)


def told(house: House) -> int:
    """Return how many bytes the store has told anybody."""
    with redis.Redis.from_url(house.url) as store:
        return int(store.info("stats")["total_net_output_bytes"])


async def cost(client: Client, query: str) -> tuple[int, list[str]]:
    """Return how many bytes the store tells the doors for a page, and the tables on it."""
    await client.ask("GET", "/v1/tables")  # whatever is told once was told
    before = told(client.house)
    asking = told(client.house) - before
    before = told(client.house)
    page = (await client.ask("GET", f"/v1/tables?{query}", client.house.key)).json()
    return told(client.house) - before - asking, [each["table"] for each in page["tables"]]


@pytest.mark.parametrize("status", ["", "&status=open", "&status=running"])
async def test_own_tables_cost_what_is_on_their_page_however_many_others_there_are(
    client: Client, writer: Writer, status: str
) -> None:
    """A platform reads its private ones among them, and no row of another."""
    clean(client.house)
    few = [
        Plan(name=f"nains-own{name}", at=range(NOW, NOW + len(path)), path=path, private=name != "b")
        for name, path in (("a", OPEN), ("b", RUNNING), ("c", RUNNING), ("d", OPEN))
    ]
    others = [
        Plan(name=f"nains-{number}", at=range(NOW, NOW + len(path)), path=path, platform=platform)
        for number, (path, platform) in enumerate([(OPEN, "other"), (RUNNING, "testsandmore"), (OVER, "test")] * 400)
    ]
    writer.write([step for plan in few for step in plan.steps()])
    alone, there = await cost(client, f"own=true{status}")
    for start in range(0, len(others), 200):
        writer.write([step for plan in others[start : start + 200] for step in plan.steps()])
    among_many, still_there = await cost(client, f"own=true{status}")

    assert there == still_there
    assert 2 <= len(there)
    assert among_many < alone + 500


@pytest.mark.parametrize(
    "query", ["status=open", "status=running", "game=inori", "game=inori&status=over", "limit=8", "status=over&limit=8"]
)
async def test_a_page_costs_what_is_on_it_however_many_tables_were_finished(
    client: Client, writer: Writer, query: str
) -> None:
    """The store is not asked for rows of others: with thousands of them it tells as much as without."""
    clean(client.house)
    few = [
        Plan(name=f"inori-{name}", at=[NOW + 1 + place for place in range(len(path))], path=path)
        for name, path in (("a", OPEN), ("b", RUNNING), ("c", OVER), ("d", (*OPEN, "cancel")))
    ]
    many = [
        Plan(name=f"nains-{number}", at=[NOW, *range(NOW, NOW + len(path) - 1)], path=path, delay=60)
        for number, path in enumerate([OVER, *[(*OPEN, "cancel")] * 9] * 300)
    ]
    writer.write([step for plan in (*few, *many[:8]) for step in plan.steps()])
    alone, there = await cost(client, query)
    for start in range(8, len(many), 500):
        writer.write([step for plan in many[start : start + 500] for step in plan.steps()])
    among_many, still_there = await cost(client, query)

    assert len(there) == len(still_there)
    assert [each for each in there if "inori" in each] == [each for each in still_there if "inori" in each]
    assert among_many < alone + 2_000
    assert alone < 20_000
