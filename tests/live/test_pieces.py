"""Steps that are told in one message."""

from __future__ import annotations

import json

from events.messages import Seat
from projections.tables.chronicle import Chapter
from services.live.feed import KEPT_CHAPTERS, MESSAGE_BYTES, Feed, piece
from services.live.reading import Sight


def chapter(version: int, *, size: int = 10) -> Chapter:
    """Return a chapter of one version, which tells one seat more than the others."""
    private = json.dumps(["x" * (size - 4)]).encode()
    return Chapter(version, version, 0, None, b"[]", {"0": private})


def lasts(text: str) -> list[int]:
    """Return the versions of the chapters in a message."""
    return [each["last"] for each in json.loads(text)["chapters"]]


def test_a_message_takes_as_many_chapters_as_fit_and_at_least_one() -> None:
    """Counted is what the viewpoint is told, which is less for those who see less."""
    large, half = chapter(1, size=MESSAGE_BYTES + 1), chapter(2, size=MESSAGE_BYTES // 2)
    others = [half, chapter(3, size=MESSAGE_BYTES // 2), chapter(4)]

    assert [1] == lasts(piece("t", Seat(0), [large, *others]).text)
    assert [2, 3] == lasts(piece("t", Seat(0), others).text)
    assert [1, 2, 3, 4] == lasts(piece("t", Seat(1), [large, *others]).text)


def test_steps_are_those_behind_a_version_in_their_order() -> None:
    """Whoever is further back than what is kept has to read it."""
    feed = Feed("t")
    newest = KEPT_CHAPTERS + 8
    feed.take(Sight(version=newest, chapters=[chapter(each) for each in range(1, newest + 1)]), at=0)

    for after in (newest - 1, newest - 3, 8):
        steps = feed.steps(None, after)

        assert steps is not None
        assert (newest, list(range(after + 1, newest + 1))) == (steps.last, lasts(steps.text))
    assert None is feed.steps(None, 7)
