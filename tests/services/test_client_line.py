"""How the client follows tables, from one socket to the next: without a service."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from services.client import AsyncClient, Client, Follow, ProblemError, Rewound, Told, Unfollowed
from services.client.line import ASKED_AT_ONCE, Line
from services.client.news import wishes
from services.client.patience import Patience


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


def test_a_wish_that_is_said_twice_is_one() -> None:
    """Whoever says the same hears all there is."""
    assert [Follow(table="nains-a"), Follow(table="nains-b")] == wishes(
        ["nains-a", "nains-b", Follow(table="nains-a")],
        token="fst_x",  # noqa: S106  of a test
    )


@pytest.mark.parametrize(
    "other",
    [
        Follow(table="nains-a", after=0),
        Follow(table="nains-a", views=False),
        Follow(table="nains-a", after=0, token="fst_x"),  # noqa: S106  of a test
    ],
)
def test_two_wishes_for_one_viewpoint_are_refused(other: Follow) -> None:
    """The service has one follow of it: one of both would hear nothing, and without a word."""
    for client in (Client("http://127.0.0.1:1", "fst_x"), AsyncClient("http://127.0.0.1:1", "fst_x")):
        with pytest.raises(ProblemError, match="followed_twice") as told:
            client.follow("nains-b", "nains-a", other)
        with pytest.raises(ProblemError, match="followed_twice"):
            client.follow(Follow(table="nains-a", seat=1), Follow(table="nains-a", seat=1, token="fst_y"))  # noqa: S106

        assert {"table": "nains-a", "seat": None} == told.value.details


def test_wishes_that_turn_out_to_be_for_one_viewpoint_are_refused() -> None:
    """Whose seat a token is for is known once the service said so."""
    one = line(Follow(table="nains-a", seat=1, after=0), Follow(table="nains-a", token="fst_y"))  # noqa: S106
    one.greet()
    following(one, "nains-a", 2, seat=1)
    with pytest.raises(ProblemError, match="followed_twice") as told:
        following(one, "nains-a", 3, seat=1)

    assert {"table": "nains-a", "seat": 1} == told.value.details


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
    """Whichever ends first, and when the last one does all is done; a follow that is alone raises what it ended for."""
    one, alone = line(Follow(table="nains-a"), Follow(table="nains-b")), line(Follow(table="nains-b"))
    for number, each in ((3, one), (2, alone)):
        each.greet()
        following(each, "nains-b", number)
    news = hear(one, kind="failed", re=2, code="unknown_table", details={})
    last = hear(one, kind="unfollowed", table="nains-b", seat=None, code="not_your_seat", details={})

    assert [Unfollowed(table="nains-a", seat=None, code="unknown_table", details={})] == news
    assert [Unfollowed(table="nains-b", seat=None, code="not_your_seat", details={})] == last
    assert one.done
    with pytest.raises(ProblemError, match="not_your_seat") as told:
        hear(alone, kind="unfollowed", table="nains-b", seat=None, code="not_your_seat", details={})
    assert {"table": "nains-b"} == told.value.details


def test_a_table_that_ended_while_it_was_asked_for_again_is_let_go() -> None:
    """Its last step may come while a follow without views is on its way a second time, and come again behind it."""
    one = line(Follow(table="nains-a", after=3, views=False), Follow(table="nains-b"))
    one.greet()
    following(one, "nains-a", 2, after=3)
    hear(one, kind="view", table="nains-a", seat=None, version=3, view=view("running"))
    one.replies()
    for _ in range(2):
        steps = [chapter(4, 4, "table_ended")]
        hear(one, kind="steps", table="nains-a", seat=None, last=4, chapters=steps)
        following(one, "nains-a", 4, after=3)

    assert [{"unfollow": "nains-a"}] == said(one.replies())
    assert [{"follow": "nains-b"}] == said(one.greet())[1:]


def test_messages_of_a_newer_service_are_passed_over() -> None:
    """Kinds and fields that are not known say nothing; what is no message at all is a fault."""
    one = line(Follow(table="nains-a"))

    assert [] == hear(one, kind="weather", re=2, sun=True)
    with pytest.raises(ProblemError, match="unreadable"):
        one.hear("<html>")
