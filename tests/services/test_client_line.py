"""How the client follows tables, from one socket to the next: without a service."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from services.client import Follow, ProblemError, Rewound, Told, Unfollowed
from services.client.line import ASKED_AT_ONCE, Line
from services.client.patience import Patience


class Hour:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def line(*follows: Follow, limit_s: float = 60.0, clock: Callable[[], float] = lambda: 0.0) -> Line:
    return Line(follows, token="fst_x", patience=Patience(limit_s=limit_s, clock=clock))  # noqa: S106  of a test


def said(texts: list[str]) -> list[dict[str, Any]]:
    return [json.loads(text) for text in texts]


def hear(line: Line, **message: object) -> list[Any]:
    return list(line.hear(json.dumps(message)))


def following(line: Line, table: str, number: int, *, seat: int | None = None, after: int = 0) -> None:
    hear(line, kind="following", re=number, table=table, seat=seat, after=after, version=after)


def view(status: str) -> dict[str, Any]:
    return {
        "table": "nains-a",
        "game": "nains",
        "version": 6,
        "status": status,
        "viewpoint": None,
        "options": {},
        "seats": [],
        "commitment": "",
        "secret": None,
        "asked": [],
        "prompt": None,
        "legal": [],
        "offers": [],
        "outcome": None,
        "board": None,
    }


def chapter(first: int, last: int, *kinds: str) -> dict[str, Any]:
    return {"first": first, "last": last, "at": 0, "seat": None, "steps": [{"kind": kind} for kind in kinds]}


def test_the_token_comes_first_and_stands_in_no_address() -> None:
    """Then each follow asks for what it has not seen."""
    greeting = said(
        line(Follow(table="nains-a", after=3, seat=1), Follow(table="nains-b", after=0, views=False)).greet()
    )

    assert {"token": "fst_x"} == greeting[0]
    assert [{"follow": "nains-a", "seat": 1, "from": 3}, {"follow": "nains-b", "from": 0, "views": False}] == greeting[
        1:
    ]


def test_the_next_socket_goes_on_behind_what_came() -> None:
    """Steps by their last version, views by the newest; without a wish, behind where the service began."""
    one = line(Follow(table="nains-a"))
    one.greet()
    following(one, "nains-a", 2, seat=0, after=6)
    hear(one, kind="steps", table="nains-a", seat=0, last=8, chapters=[chapter(7, 8, "bet_placed")])

    assert one.lost(1011, "internal_error") > 0
    assert {"follow": "nains-a", "from": 8} == said(one.greet())[1]


def test_who_follows_many_tables_listens_in_between() -> None:
    """A client that asked for all at once, while the service answers the first, would wait for it as it for them."""
    tables = [f"nains-{number}" for number in range(100)]
    many = line(*(Follow(table=each, after=0) for each in tables))
    token, *asked = said(many.greet())
    number = 1
    for table in tables:
        assert 0 < len(asked) <= ASKED_AT_ONCE
        assert table == asked.pop(0)["follow"]
        number += 1
        following(many, table, number)
        asked += said(many.replies())

    assert {"token": "fst_x"} == token
    assert [] == asked


def test_a_viewpoint_that_is_followed_twice_is_followed_once() -> None:
    """The service has one follow of it, the newest; the other would never end."""
    one = line(Follow(table="nains-a", after=0), Follow(table="nains-a", after=0))
    one.greet()
    following(one, "nains-a", 2)
    following(one, "nains-a", 3)
    hear(one, kind="view", table="nains-a", seat=None, version=6, view=view("over"))

    assert one.done


def test_the_end_of_a_seat_s_follow_leaves_the_spectator_s() -> None:
    """Who looks late is told of the end later; without a seat, all follows of the table would end."""
    both = line(Follow(table="nains-a", after=0), Follow(table="nains-a", after=0, token="fst_y"))  # noqa: S106
    both.greet()
    following(both, "nains-a", 2)
    following(both, "nains-a", 3, seat=1)
    hear(both, kind="view", table="nains-a", seat=1, version=6, view=view("over"))

    assert [{"unfollow": "nains-a", "seat": 1}] == said(both.replies())
    assert not both.done
    hear(both, kind="view", table="nains-a", seat=None, version=6, view=view("over"))
    assert [{"unfollow": "nains-a"}] == said(both.replies())
    assert both.done


def test_what_comes_twice_is_told_once() -> None:
    """Should a step be repeated all the same, it is passed over."""
    one = line(Follow(table="nains-a", after=0))
    one.greet()
    following(one, "nains-a", 2)
    first = hear(one, kind="steps", table="nains-a", seat=None, last=2, chapters=[chapter(1, 2, "a")])
    both = [chapter(1, 2, "a"), chapter(3, 3, "b")]
    again = hear(one, kind="steps", table="nains-a", seat=None, last=3, chapters=both)

    assert [2, 3] == [each.chapter.last for each in (*first, *again) if isinstance(each, Told)]


@pytest.mark.parametrize("end", ["table_ended", "table_cancelled"])
def test_the_last_step_ends_a_follow_without_views(end: str) -> None:
    """When all tables are over there is nothing left to follow, whichever way they ended."""
    one = line(Follow(table="nains-a", after=0, views=False))
    one.greet()
    following(one, "nains-a", 2)
    hear(one, kind="steps", table="nains-a", seat=None, last=2, chapters=[chapter(1, 2, end)])

    assert one.done
    assert [{"unfollow": "nains-a"}] == said(one.replies())


@pytest.mark.parametrize("after", [None, 6])
def test_a_table_that_was_over_before_ends_a_follow_without_views(after: int | None) -> None:
    """Its last step may not come any more, so it is looked at once; the view itself is not told."""
    one = line(Follow(table="nains-a", after=after, views=False))

    assert "views" not in said(one.greet())[1]
    following(one, "nains-a", 2, after=6)
    assert [] == hear(one, kind="view", table="nains-a", seat=None, version=6, view=view("over"))
    assert one.done


def test_a_table_that_goes_on_is_looked_at_once() -> None:
    """Who wants no views is sent one and no more, on this socket and on the next."""
    one = line(Follow(table="nains-a", views=False))
    one.greet()
    following(one, "nains-a", 2, after=6)

    assert [] == hear(one, kind="view", table="nains-a", seat=None, version=6, view=view("running"))
    assert [{"follow": "nains-a", "from": 6, "seen": 6, "views": False}] == said(one.replies())
    assert not one.done
    one.lost(None, "broken")
    assert {"follow": "nains-a", "from": 6, "seen": 6, "views": False} == said(one.greet())[1]


def test_a_store_that_lost_its_last_moments_is_followed_from_there() -> None:
    """Who follows is told what to forget."""
    one = line(Follow(table="nains-a", after=9))
    one.greet()
    following(one, "nains-a", 2, after=9)
    details = {"version": 7}
    news = hear(one, kind="unfollowed", re=None, table="nains-a", seat=None, code="version_ahead", details=details)

    assert [Rewound(table="nains-a", seat=None, version=7)] == news
    assert [{"follow": "nains-a", "from": 7}] == said(one.replies())


def test_one_follow_that_ends_leaves_the_others() -> None:
    """Only the last one ends everything."""
    one = line(Follow(table="nains-a"), Follow(table="nains-b"))
    one.greet()
    following(one, "nains-b", 3)
    news = hear(one, kind="failed", re=2, code="unknown_table", details={})

    assert [Unfollowed(table="nains-a", seat=None, code="unknown_table", details={})] == news
    with pytest.raises(ProblemError, match="not_your_seat") as told:
        hear(one, kind="unfollowed", table="nains-b", seat=None, code="not_your_seat", details={})
    assert {"table": "nains-b"} == told.value.details


def test_what_passes_is_tried_on_another_socket() -> None:
    """A busy service does not end a follow."""
    one = line(Follow(table="nains-a"))
    one.greet()

    assert [] == hear(one, kind="failed", re=2, code="store_away", details={})
    assert one.hung_up
    assert not one.done
    one.greet()
    assert not one.hung_up


def test_who_gives_up_says_what_the_service_said() -> None:
    """A follow that would hold later and never did is why nobody could be reached."""
    one = line(Follow(table="nains-a"), limit_s=0)
    one.greet()
    hear(one, kind="failed", re=2, code="store_away", details={})
    with pytest.raises(ProblemError) as told:
        one.lost(None, "")

    assert ("unreachable", {"reason": "store_away"}) == (told.value.code, told.value.details)


@pytest.mark.parametrize("code", [4000, 4001, 1009])
def test_a_socket_closed_for_good_is_not_opened_again(code: int) -> None:
    """What the service said before it closed is the reason."""
    one = line(Follow(table="nains-a"))
    one.greet()
    hear(one, kind="failed", re=1, code="token_expired", details={})
    with pytest.raises(ProblemError, match="token_expired"):
        one.lost(code, "bad_token")


@pytest.mark.parametrize("code", [None, 1006, 1011, 1012, 4002, 4003, 4004, 4005])
def test_any_other_end_is_not_the_last(code: int | None) -> None:
    """The pause grows up to half a minute, until patience is at an end."""
    one = line(Follow(table="nains-a"))
    pauses = [one.lost(code, "gone") for _ in range(9)]

    assert 0.25 <= pauses[0] <= 0.5
    assert 15 <= pauses[-1] <= 30
    with pytest.raises(ProblemError, match="unreachable"):
        line(Follow(table="nains-a"), limit_s=0).lost(code, "gone")


def test_patience_begins_when_the_line_breaks() -> None:
    """However long a socket was good and quiet: what counts is how long there has been none."""
    hour = Hour()
    one = line(Follow(table="nains-a"), limit_s=30.0, clock=hour)
    for number in range(3):
        one.greet()
        following(one, "nains-a", 2, after=number)
        hour.now += 3_600

        assert 0.25 <= one.lost(None, "broken") <= 0.5
    hour.now += 29

    assert 0 < one.lost(None, "OSError") <= 1.0
    hour.now += 2
    with pytest.raises(ProblemError, match="unreachable"):
        one.lost(None, "OSError")


def test_a_socket_on_which_nothing_held_does_not_lengthen_patience() -> None:
    """A service that opens sockets and never answers is given up in time."""
    hour = Hour()
    one = line(Follow(table="nains-a"), limit_s=30.0, clock=hour)
    one.greet()
    hear(one, kind="welcome", re=1)
    hour.now += 31
    with pytest.raises(ProblemError, match="unreachable"):
        one.lost(1011, "internal_error")


def test_messages_of_a_newer_service_are_passed_over() -> None:
    """Kinds and fields that are not known say nothing; what is no message at all is a fault."""
    one = line(Follow(table="nains-a"))

    assert [] == hear(one, kind="weather", re=2, sun=True)
    with pytest.raises(ProblemError, match="unreadable"):
        one.hear("<html>")
