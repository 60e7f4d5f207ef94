"""A line that stays open: what it follows changes, and commands are sent over it, from one socket to the next."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.client import Accepted, Follow, ProblemError, Rewound, Unfollowed
from services.client.line import ASKED_AT_ONCE
from services.client.patience import Patience
from services.client.talk import Talk
from tests.services.test_client_line import chapter, following, hear, said, view

COMMAND = {"send": {"kind": "concede", "seat": 1}, "table": "nains-a", "id": "c1"}


@pytest.fixture
def talk() -> Talk:
    """Return a talk whose socket was made welcome."""
    talk = Talk(token="fck_x", patience=Patience(clock=lambda: 0.0))  # noqa: S106  of a test
    talk.greet()
    welcome(talk)
    return talk


def asked(talk: Talk, *follows: Follow) -> None:
    """Follow, and say so: the first is message 2."""
    for each in follows:
        talk.follow(each)
    talk.replies()


def welcome(talk: Talk) -> list[dict[str, Any]]:
    """Return what is said once a new socket is made welcome."""
    hear(talk, kind="welcome", re=1, limits={"follows": 3, "message_bytes": 200})
    return said(talk.replies())


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
    asked(talk, Follow(table="nains-a"))
    talk.unfollow("nains-a")
    following(talk, "nains-a", 2, after=6)

    assert [] == hear(talk, kind="view", table="nains-a", seat=None, version=6, view=view("running"))
    assert [] == hear(talk, kind="unfollowed", re=3, table="nains-a", seat=None, code=None)


def test_the_last_table_does_not_end_it(talk: Talk) -> None:
    """There may be others yet."""
    asked(talk, Follow(table="nains-a"))
    following(talk, "nains-a", 2, after=6)
    hear(talk, kind="view", table="nains-a", seat=None, version=6, view=view("over"))

    assert not talk.done
    assert 3 == talk.room


@pytest.mark.parametrize("code", ["not_your_seat", "too_many_follows"])
def test_a_follow_that_fails_leaves_the_others_alone(talk: Talk, code: str) -> None:
    """Also when it is the only one."""
    asked(talk, Follow(table="nains-a", seat=1))
    news = hear(talk, kind="failed", re=2, code=code, details={})

    assert [Unfollowed(table="nains-a", seat=1, code=code, details={})] == news
    assert [{"token": "fck_x"}] == said(talk.greet())


def test_what_passes_is_asked_for_again(talk: Talk) -> None:
    """As of any line, until it is no longer wanted."""
    asked(talk, Follow(table="nains-a", seat=1))

    assert [] == hear(talk, kind="failed", re=2, code="store_away", details={})
    assert 0 < (talk.wait_s or 0) <= 0.5
    talk.unfollow("nains-a")
    assert talk.wait_s is None


def test_the_newer_follow_of_a_viewpoint_takes_the_place_of_the_older(talk: Talk) -> None:
    """As at the service, so that whoever wants the story again gets it."""
    asked(talk, Follow(table="nains-a", seat=1))
    following(talk, "nains-a", 2, seat=1, after=6)
    asked(talk, Follow(table="nains-a", seat=1, after=0))
    following(talk, "nains-a", 3, seat=1)
    told = hear(talk, kind="steps", table="nains-a", seat=1, last=2, chapters=[chapter(1, 2, "table_opened")])

    assert [2] == [each.chapter.last for each in told]
    assert [{"follow": "nains-a", "seat": 1, "from": 2}] == said(talk.greet())[1:]


def test_a_store_that_lost_its_last_moments_is_followed_from_there(talk: Talk) -> None:
    """The news names the seat, although the service's no to a new follow does not."""
    asked(talk, Follow(table="nains-a", seat=1, after=9))
    news = hear(talk, kind="failed", re=2, code="version_ahead", details={"version": 7})

    assert [Rewound(table="nains-a", seat=1, version=7)] == news


def test_a_command_is_sent_again_until_it_is_answered(talk: Talk) -> None:
    """With the same id, behind what is followed."""
    talk.follow(Follow(table="nains-a", seat=1))
    talk.send("c1", COMMAND)
    first = said(talk.replies())
    greeting = said(talk.greet())
    again = welcome(talk)
    hear(talk, kind="accepted", re=3, id="c1", table="nains-a", first=7, last=8)

    assert COMMAND == first[-1]
    assert [COMMAND] == again
    assert COMMAND not in greeting
    assert Accepted(command_id="c1", table="nains-a", first=7, last=8) == result(talk)
    talk.greet()
    assert [] == welcome(talk)


def test_a_command_that_nobody_waits_for_is_dropped(talk: Talk) -> None:
    """It is not said again, and its answer is passed over."""
    talk.send("c1", COMMAND)
    talk.replies()
    talk.drop("c1")
    hear(talk, kind="accepted", re=2, id="c1", table="nains-a", first=7, last=8)
    talk.greet()

    assert [] == talk.answers
    assert [] == welcome(talk)


def test_what_is_dropped_before_it_was_said_is_forgotten(talk: Talk) -> None:
    """Whatever is asked for while nobody hears costs no memory once nobody wants it any more."""
    for number in range(100):
        talk.send(f"c{number}", COMMAND)
        talk.drop(f"c{number}")
        talk.follow(Follow(table="nains-a"))
        talk.unfollow("nains-a")

    assert [{"unfollow": "nains-a"}] == said(talk.replies())


def test_a_command_is_said_behind_the_follow_whose_token_it_needs(talk: Talk) -> None:
    """However many follows are asked for before, or when that one has to wait; without it it is said all the same."""
    others = [Follow(table=f"nains-{number}") for number in range(ASKED_AT_ONCE)]
    asked(talk, *others, Follow(table="nains-a", token="fst_y"))  # noqa: S106  of a test
    talk.send("c1", COMMAND)
    before = said(talk.replies())
    following(talk, "nains-0", 2)
    behind = said(talk.replies())
    hear(talk, kind="failed", re=18, code="store_away", details={})
    talk.greet()
    talk.unfollow("nains-a")

    assert [] == before
    assert [{"follow": "nains-a", "token": "fst_y"}, COMMAND] == behind
    assert COMMAND == welcome(talk)[-1]


def test_a_command_that_is_too_large_is_not_said(talk: Talk) -> None:
    """Not even on the first socket, whose limits are not known yet: it would end it for all."""
    fresh = Talk(token="fck_x", patience=Patience(clock=lambda: 0.0))  # noqa: S106  of a test
    for each in (talk, fresh):
        each.send("c1", {**COMMAND, "send": {"kind": "x" * 200}})
        each.greet()

        assert [] == welcome(each)
        problem = result(each)
        assert isinstance(problem, ProblemError)
        assert ("too_large", {"limit": 200}) == (problem.code, problem.details)


def test_another_command_with_the_same_id_is_refused(talk: Talk) -> None:
    """Nobody is told what became of something else; the same one is said once."""
    talk.send("c1", COMMAND)
    talk.send("c1", dict(COMMAND))
    with pytest.raises(ProblemError, match="command_id_reused"):
        talk.send("c1", {**COMMAND, "expected_version": 7})

    assert [COMMAND] == said(talk.replies())


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
    talk.replies()
    talk.hear(json.dumps({"re": 2, **heard}))
    problem = result(talk)

    assert isinstance(problem, ProblemError)
    assert (code, heard.get("path")) == (problem.code, problem.path)
    assert code != "pending" or problem.details == {"table": "nains-a", "command_id": "c1"}


def test_a_socket_without_tables_was_good_once_it_was_welcome(talk: Talk) -> None:
    """Pauses do not grow from one quiet day to the next."""
    for _ in range(9):
        assert 0.25 <= talk.lost(1012, "restart") <= 0.5
        talk.greet()
        welcome(talk)
