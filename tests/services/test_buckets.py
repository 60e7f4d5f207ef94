"""How often a sender may do something is counted in one way, at requests as at tokens that are tried out."""

from __future__ import annotations

import pytest

from services.api import buckets
from services.api.buckets import Buckets


def test_a_bucket_fills_with_time() -> None:
    """By its rate, and never above its reserve."""
    counted = Buckets(rate=2, burst_s=2)
    taken = [counted.take(b"x", now=0.0) for _ in range(5)]

    assert [0, 0, 0, 0, 0.5] == taken
    assert 0 == counted.take(b"x", now=0.5)
    assert 0.5 == counted.take(b"x", now=0.5)
    assert [0, 0, 0, 0, 0.5] == [counted.take(b"x", now=1_000.0) for _ in range(5)]


def test_the_number_of_buckets_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever was longest silent is forgotten."""
    monkeypatch.setattr(buckets, "BUCKETS", 10)
    counted = Buckets(rate=1, burst_s=1)
    for number in range(100):
        counted.take(str(number).encode(), now=0.0)

    assert 10 == len(counted)
    assert 0 < counted.take(b"99", now=0.0)


def test_whose_bucket_is_full_again_is_forgotten() -> None:
    """And nobody who still owes; whoever comes again has as much as if they had been remembered."""
    counted = Buckets(rate=1, burst_s=4)
    for sender, at in ((b"once", 0.0), (b"owes", 1.0), (b"new", 2.0)):
        counted.pay(sender, now=at, times=4 if sender == b"owes" else 1)
    left = []
    for now in (0.5, 1.0, 2.0, 4.5, 5.0):
        counted.let_go(now=now)
        left.append(len(counted))

    assert [3, 2, 2, 2, 0] == left
    assert [0, 0, 0, 0, 1] == [counted.take(b"owes", now=5.0) for _ in range(5)]


def test_what_was_done_already_is_paid_for() -> None:
    """Many at once are no way round: whoever did more than there was waits for all of it to come back."""
    counted = Buckets(rate=1, burst_s=3)
    before = [counted.wait(b"x", now=0.0) for _ in range(5)]
    for _ in range(5):
        counted.pay(b"x", now=0.0)

    assert [0] * 5 == before
    assert 3 == counted.wait(b"x", now=0.0) == counted.take(b"x", now=0.0)
    assert 0 == counted.wait(b"x", now=3.0)


def test_as_often_as_the_reserve_holds_and_no_more() -> None:
    """Whether it is paid for before or after."""
    before, after = Buckets(rate=0.01, burst_s=400), Buckets(rate=0.01, burst_s=400)
    taken = sum(not before.take(b"x", now=0.0) for _ in range(10))
    paid = 0
    while not after.wait(b"x", now=0.0):
        after.pay(b"x", now=0.0)
        paid += 1

    assert 4 == taken == paid


def test_without_a_rate_nothing_is_counted() -> None:
    """Nobody waits, and nobody is remembered."""
    counted = Buckets(rate=0, burst_s=5)
    counted.pay(b"x", now=0.0)

    assert (0, 0, 0) == (counted.wait(b"x", now=0.0), counted.take(b"x", now=0.0), len(counted))
