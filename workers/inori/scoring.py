"""What cards and Altars are worth to each chief, and how the game ends (rules, section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from events.inori.vocabulary import COLOURS, Card, Colour, ScoreMajority, ScorePer, ScorePoints, ScoreUnique, TreeSpace
from events.messages import Outcome, Score, Seat
from workers.inori.state import Chief, InoriState, Slot

PARTS: Final = ("offerings", "cards", "altars")
"""Where points come from, as they are named in a score."""


def points_of(effect: ScorePoints | ScoreUnique | ScorePer | ScoreMajority, chief: Chief) -> int:
    """Return what a scoring effect gives at once (rules, sections 3.4 and 7.2)."""
    match effect:
        case ScorePoints(points=points):
            return points
        case ScoreUnique():
            return len(COLOURS) - chief.tokens.count(0)
        case ScorePer(colour=colour):
            return chief.count(colour)
        case ScoreMajority():
            return max(chief.tokens)


def card_points(state: InoriState, slot: Slot) -> tuple[int, ...]:
    """Return what each chief present scores for a card at the end of a season, in seat order (rules, section 7.1)."""
    colour = _scoring_colour(state.card(slot.card), complete=slot.is_complete)
    return tuple(
        chief.count(colour) if colour is not None and slot.has_piece_of(Seat(seat)) else 0
        for seat, chief in enumerate(state.chiefs)
    )


def _scoring_colour(card: Card, *, complete: bool) -> Colour | None:
    """An incomplete New Start card still scores, by its lower-right colour (rules, section 7.1)."""
    if complete:
        return card.colour
    return card.lower if card.kind == "new_start" else None


def altar_points(space: TreeSpace, counts: Sequence[int]) -> tuple[int, ...]:
    """
    Return what an Altar gives for so many tokens of its colour each, in the same order (rules, section 7.3).

    All who tie for most score as first, and then there is no second; all who tie behind one first score as second.
    """
    most = max(counts)
    if not most:
        return (0,) * len(counts)
    second = max((count for count in counts if count < most), default=0) if counts.count(most) == 1 else 0
    return tuple(space.first if count == most else space.second if 0 < count == second else 0 for count in counts)


def outcome(state: InoriState) -> Outcome | None:
    """Return the ranking once season 4 and the Altars are scored; ties as in section 3.8 of the rules."""
    if state.phase != "over":
        return None
    groups: dict[tuple[int, int, int], list[Seat]] = {}
    for seat, chief in enumerate(state.chiefs):
        colours = len(COLOURS) - chief.tokens.count(0)
        groups.setdefault((chief.score, sum(chief.tokens), colours), []).append(Seat(seat))
    scores = tuple(
        Score(
            seat=Seat(seat),
            total=chief.score,
            parts=dict(zip(PARTS, (chief.offerings, chief.cards, chief.altars), strict=True)),
        )
        for seat, chief in enumerate(state.chiefs)
    )
    ranking = tuple(tuple(groups[key]) for key in sorted(groups, reverse=True))
    return Outcome(reason="final_scoring", ranking=ranking, scores=scores)
