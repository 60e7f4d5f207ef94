"""The lists of the lobby are what the tables are, in whatever order partitions and batches come."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from events.log.memory import MemoryLog
from events.streams import Partition
from projections.kit.projection import Home, Step
from projections.lobby.lobby import LATEST_MS, LISTS, Lobby, left, listed, member, own, own_member
from projections.tables.behind import seen_until
from tests.services.lobbies import OPEN, OVER, PATHS, RUNNING, Plan

HOME = Home(partition=Partition("nains", 0), version="lobby@1", across=True)
START = 1_790_000_000_000


def kept(batches: Sequence[Sequence[Step]]) -> dict[str, dict[str, int]]:
    """Return what the lists hold after these batches, those that hold nothing left out."""
    log = MemoryLog(games=["nains"])
    for batch in batches:
        log.write_all(Lobby().writes(HOME, batch))
    found = {name: dict(log.view_ranks(HOME.key(name), start=0, stop=-1)) for name in LISTS}
    return {name: ranks for name, ranks in found.items() if ranks}


@given(
    paths=st.lists(st.sampled_from(PATHS), max_size=6),
    delays=st.lists(st.sampled_from([0, 60, 3_600]), min_size=6, max_size=6),
    pauses=st.lists(st.sampled_from([1, LATEST_MS // 3, LATEST_MS]), min_size=6, max_size=6),
    data=st.data(),
)
def test_each_table_is_in_the_list_of_its_status_alone(
    paths: list[Sequence[str]], delays: list[int], pauses: list[int], data: st.DataObject
) -> None:
    """Histories are folded table by table, or as they came, in pieces of any size: the lists are the same."""
    plans = [
        Plan(
            name=f"nains-{number}",
            at=[START + number + place * pause for place in range(len(path))],
            path=path,
            delay=delay,
        )
        for number, (path, delay, pause) in enumerate(zip(paths, delays, pauses, strict=False))
    ]
    histories = [plan.steps() for plan in plans]
    states = [steps[-1].after for steps in histories]
    places = data.draw(st.permutations([number for number, steps in enumerate(histories) for _ in steps]))
    rest = [list(steps) for steps in histories]
    mixed = [rest[number].pop(0) for number in places]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(mixed)), max_size=4)))
    batches = [mixed[start:end] for start, end in zip([0, *cuts], [*cuts, len(mixed)], strict=True)]
    found = kept(batches)
    in_lists: dict[str, dict[str, int]] = {}
    for state in states:
        in_lists.setdefault(listed("nains", state.status), {})[state.table] = state.opened_at
        mine = own_member(state.platform, state.opened_at, state.table)
        in_lists.setdefault(own("nains", state.status), {})[mine] = 0

    assert kept(histories) == found
    assert in_lists == {name: ranks for name, ranks in found.items() if not name.startswith("left")}


def test_a_table_that_is_seen_late_is_kept_where_it_may_still_be_seen() -> None:
    """With when it was opened, until the delay and a quarter have gone by since play moved it on."""
    plans = [
        Plan(name="nains-late", at=[START, START + 5, START + 9], path=OVER, delay=60),
        Plan(name="nains-begun", at=[START + 1, START + 6], path=RUNNING, delay=60),
        Plan(name="nains-new", at=[START + 2], path=OPEN, delay=60),
        Plan(name="nains-dropped", at=[START + 3, START + 7], path=("open", "cancel"), delay=60),
        Plan(name="nains-seen", at=[START, START + 5, START + 9], path=OVER),
    ]
    found = kept([plan.steps() for plan in plans])

    assert {
        left("nains", "open"): {
            member(START, "nains-late"): START + 5 + 75_000,
            member(START + 1, "nains-begun"): START + 6 + 75_000,
        },
        left("nains", "running"): {member(START, "nains-late"): START + 9 + 75_000},
    } == {name: ranks for name, ranks in found.items() if name.startswith("left")}


def test_what_nobody_is_shown_any_more_is_kept_no_longer() -> None:
    """Of all tables that were ever seen late, those are kept at most that anybody might see so when the last came."""
    plans = [
        Plan(name=f"nains-{number}", at=[at := START + number * LATEST_MS // 4, at, at], path=OVER, delay=delay)
        for number, delay in enumerate([60, 3_600] * 50)
    ]
    steps = [step for plan in plans for step in plan.steps()]
    found = kept([steps])
    whole = kept([[step] for step in reversed(steps)])
    last = plans[-1].at[-1]
    shown = {
        member(plan.at[0], plan.name): until
        for plan in plans
        if (until := seen_until(plan.at[-1], delay_ms=plan.delay * 1000)) > last
    }

    for name in (left("nains", "open"), left("nains", "running")):
        assert found[name] == whole[name]
        assert shown.items() <= found[name].items()
        assert len(found[name]) < 10
