"""When the client asks again for what it follows: on the same socket, on the next one, or no more."""

from __future__ import annotations

import pytest

from services.client import Follow, ProblemError, Unfollowed
from tests.services.test_client_line import following, hear, line, said


class Hour:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("code", ["store_away", "busy", "store_lost"])
def test_what_passes_is_asked_for_again_where_it_was_asked(code: str) -> None:
    """Later each time up to a bound, on the same socket, while nothing else is said; once it holds it begins anew."""
    hour = Hour()
    one = line(Follow(table="nains-a"), Follow(table="nains-b"), clock=hour)
    one.greet()
    following(one, "nains-b", 3)
    waits, number = [], 2
    for number in (2, *range(4, 11)):
        assert [] == hear(one, kind="failed", re=number, code=code, details={})
        assert [] == one.replies()
        waits.append(one.wait_s or 0.0)
        hour.now += waits[-1] + 0.001
        assert [{"follow": "nains-a"}] == said(one.replies())
        assert one.wait_s is None
    following(one, "nains-a", 11, after=3)
    hear(one, kind="unfollowed", table="nains-a", seat=None, code=code, details={})

    assert 0.25 <= waits[0] <= 0.5 < waits[2] <= waits[-1] <= 5.0
    assert 0.25 <= (one.wait_s or 0.0) <= 0.5


def test_a_limit_says_how_long_to_wait() -> None:
    """Whoever came sooner would be refused again."""
    one = line(Follow(table="nains-a"))
    one.greet()
    hear(one, kind="failed", re=2, code="rate_limited", details={"wait_ms": 20_000})

    assert 20.0 == one.wait_s


def test_what_waits_is_asked_for_at_once_on_another_socket() -> None:
    """Whatever it waited for may have gone with the old one."""
    one = line(Follow(table="nains-a"))
    one.greet()
    hear(one, kind="failed", re=2, code="store_away", details={})
    one.lost(1012, "restart")

    assert [{"follow": "nains-a"}] == said(one.greet())[1:]
    assert one.wait_s is None


def test_who_gives_up_a_table_says_what_the_service_said() -> None:
    """Each follow has its own patience, which ends it and no other."""
    hour = Hour()
    one = line(Follow(table="nains-a"), Follow(table="nains-b"), limit_s=30.0, clock=hour)
    one.greet()
    hear(one, kind="failed", re=2, code="store_away", details={})
    hour.now += 20
    one.replies()
    hear(one, kind="failed", re=3, code="busy", details={})
    hour.now += 10
    one.replies()

    assert [Unfollowed(table="nains-a", seat=None, code="store_away", details={})] == hear(
        one, kind="failed", re=4, code="store_away", details={}
    )
    hour.now += 20
    assert [Unfollowed(table="nains-b", seat=None, code="busy", details={})] == hear(
        one, kind="failed", re=5, code="busy", details={}
    )
    assert one.done


@pytest.mark.parametrize("code", [4000, 4001])
def test_a_socket_that_is_not_welcome_is_not_opened_again(code: int) -> None:
    """What the service said before it closed is the reason."""
    one = line(Follow(table="nains-a"))
    one.greet()
    hear(one, kind="failed", re=1, code="token_expired", details={})
    with pytest.raises(ProblemError, match="token_expired"):
        one.lost(code, "bad_token")


def test_wrong_tokens_of_single_follows_end_those_alone() -> None:
    """The service closes a socket on which there were too many of them; the others go on on the next."""
    one = line(Follow(table="nains-a", token="fst_y"), Follow(table="nains-b"))  # noqa: S106  of a test
    one.greet()
    hear(one, kind="welcome", re=1)
    following(one, "nains-b", 3)

    assert ["wrong_token"] == [each.code for each in hear(one, kind="failed", re=2, code="wrong_token", details={})]
    assert one.lost(4001, "bad_token") > 0
    assert ["nains-b"] == [each["follow"] for each in said(one.greet())[1:]]


def test_a_socket_closed_for_good_says_why() -> None:
    """By the service's own word, not by that of a follow that failed before."""
    one = line(Follow(table="nains-a"), Follow(table="nains-b"))
    one.greet()
    hear(one, kind="welcome", re=1)
    hear(one, kind="failed", re=2, code="unknown_table", details={})
    with pytest.raises(ProblemError, match="closed_1009"):
        one.lost(1009, "")


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


@pytest.mark.parametrize("limit_s", [0.4, 30.0, 60.0, 600.0])
def test_a_service_that_is_away_is_asked_once_more_when_patience_ends(limit_s: float) -> None:
    """Neither sooner, as the next pause would be too long, nor later; whoever wakes early asks no third time."""
    hour = Hour()
    one = line(Follow(table="nains-a"), limit_s=limit_s, clock=hour)
    pauses: list[float] = []

    def until_it_gives_up() -> None:
        for _ in range(1_000):
            pauses.append(one.lost(None, "OSError"))
            hour.now = min(hour.now + pauses[-1], limit_s - 1e-6)

    with pytest.raises(ProblemError, match="unreachable"):
        until_it_gives_up()

    assert limit_s == pytest.approx(sum(pauses))
