"""A line that stays open: what it follows changes, and commands are sent over it, from one socket to the next."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.client import Accepted, Follow, ProblemError, Rewound, Unfollowed
from services.client.patience import Patience
from services.client.talk import Talk
from tests.services.test_client_line import following, hear, said, view

COMMAND = {"send": {"kind": "concede", "seat": 1}, "table": "nains-a", "id": "c1"}


@pytest.fixture
def talk() -> Talk:
    """Return a talk whose socket was made welcome."""
    talk = Talk(token="fck_x", patience=Patience(clock=lambda: 0.0))  # noqa: S106  of a test
    talk.greet()
    hear(talk, kind="welcome", re=1, limits={"follows": 3})
    return talk


def result(talk: Talk) -> Accepted | ProblemError:
    """Return what became of the only command."""
    (answered,), talk.answers = talk.answers, []
    assert "c1" == answered.id
    return answered.result


def test_what_is_followed_later_is_followed_on_the_next_socket(talk: Talk) -> None:
    """And what is no longer followed is not."""
    talk.follow(Follow(table="nains-a", seat=1))
    talk.follow(Follow(table="nains-b"))
    first = said(talk.replies())
    following(talk, "nains-a", 2, seat=1, after=4)
    following(talk, "nains-b", 3, after=6)
    talk.unfollow("nains-b")
    ended = said(talk.replies())

    assert [{"follow": "nains-a", "seat": 1}, {"follow": "nains-b"}] == first
    assert [{"unfollow": "nains-b"}] == ended
    assert [{"token": "fck_x"}, {"follow": "nains-a", "seat": 1, "from": 4}] == said(talk.greet())


def test_what_was_ended_before_it_held_tells_nothing(talk: Talk) -> None:
    """The answer to a follow may come when nobody wants it any more."""
    talk.follow(Follow(table="nains-a"))
    talk.unfollow("nains-a")
    following(talk, "nains-a", 2, after=6)

    assert [] == hear(talk, kind="view", table="nains-a", seat=None, version=6, view=view("running"))
    assert [] == hear(talk, kind="unfollowed", re=3, table="nains-a", seat=None, code=None)


def test_the_last_table_does_not_end_it(talk: Talk) -> None:
    """There may be others yet."""
    talk.follow(Follow(table="nains-a"))
    following(talk, "nains-a", 2, after=6)
    hear(talk, kind="view", table="nains-a", seat=None, version=6, view=view("over"))

    assert not talk.done
    assert 3 == talk.room


@pytest.mark.parametrize("code", ["not_your_seat", "store_away", "too_many_follows"])
def test_a_follow_that_fails_leaves_the_others_alone(talk: Talk, code: str) -> None:
    """Whether it would hold later or never; the socket stays."""
    talk.follow(Follow(table="nains-a", seat=1))
    talk.follow(Follow(table="nains-b"))
    news = hear(talk, kind="failed", re=2, code=code, details={})

    assert [Unfollowed(table="nains-a", seat=1, code=code, details={})] == news
    assert not talk.hung_up
    assert {"follow": "nains-b"} == said(talk.greet())[-1]


def test_a_store_that_lost_its_last_moments_is_followed_from_there(talk: Talk) -> None:
    """The news names the seat, although the service's no to a new follow does not."""
    talk.follow(Follow(table="nains-a", seat=1, after=9))
    news = hear(talk, kind="failed", re=2, code="version_ahead", details={"version": 7})

    assert [Rewound(table="nains-a", seat=1, version=7)] == news


def test_a_command_is_sent_again_until_it_is_answered(talk: Talk) -> None:
    """With the same id, behind what is followed."""
    talk.follow(Follow(table="nains-a", seat=1))
    talk.send("c1", COMMAND)
    first = said(talk.replies())
    again = said(talk.greet())
    hear(talk, kind="accepted", re=3, id="c1", table="nains-a", first=7, last=8)

    assert COMMAND == first[-1] == again[-1]
    assert Accepted(command_id="c1", table="nains-a", first=7, last=8) == result(talk)
    assert COMMAND not in said(talk.greet())


def test_a_command_that_nobody_waits_for_is_dropped(talk: Talk) -> None:
    """It is not said again, and its answer is passed over."""
    talk.send("c1", COMMAND)
    talk.drop("c1")
    hear(talk, kind="accepted", re=2, id="c1", table="nains-a", first=7, last=8)

    assert [] == talk.answers
    assert COMMAND not in said(talk.greet())


@pytest.mark.parametrize(
    ("heard", "code"),
    [
        ({"kind": "refused", "id": "c1", "table": "nains-a", "code": "not_your_turn"}, "not_your_turn"),
        ({"kind": "pending", "id": "c1", "table": "nains-a"}, "pending"),
        ({"kind": "failed", "code": "malformed", "path": "$.send"}, "malformed"),
    ],
)
def test_a_no_to_a_command_is_told(talk: Talk, heard: dict[str, Any], code: str) -> None:
    """Also when the service could not read it."""
    talk.send("c1", COMMAND)
    talk.hear(json.dumps({"re": 2, **heard}))
    problem = result(talk)

    assert isinstance(problem, ProblemError)
    assert (code, heard.get("path")) == (problem.code, problem.path)


def test_a_socket_without_tables_was_good_once_it_was_welcome(talk: Talk) -> None:
    """Pauses do not grow from one quiet day to the next."""
    for _ in range(9):
        assert 0.25 <= talk.lost(1012, "restart") <= 0.5
        talk.greet()
        hear(talk, kind="welcome", re=1, limits={"follows": 3})
