"""Who becomes king, and how the others stand (rules, section 7)."""

from __future__ import annotations

from events.messages import Outcome, Score, Seat
from workers.inis.state import InisState

CONDITIONS = ("leadership", "land", "religion")


def candidates(state: InisState) -> dict[Seat, int]:
    """Return the pretenders who meet a condition, with how many."""
    met = {Seat(seat): state.conditions_met(Seat(seat)) for seat, each in enumerate(state.contenders) if each.pretender}
    return {seat: number for seat, number in met.items() if number}


def leaders(state: InisState) -> list[Seat]:
    """Return the candidates with most conditions met."""
    met = candidates(state)
    return [seat for seat, number in met.items() if number == max(met.values())]


def king(state: InisState) -> Seat | None:
    """Return who wins now; of those who tie it can only be the Brenn."""
    tied = leaders(state)
    if len(tied) == 1:
        return tied[0]
    return state.brenn if state.brenn in tied else None


def outcome(state: InisState) -> Outcome | None:
    """Return who is king; nobody else has a place of their own."""
    winner = state.winner
    if winner is None:
        return None
    others = tuple(Seat(seat) for seat in range(state.seats) if seat != winner)
    reason = "brenn_of_the_tied" if len(leaders(state)) > 1 else "most_conditions"
    return Outcome(
        reason=reason,
        ranking=((winner,), others),
        scores=scores(state),
    )


def scores(state: InisState) -> tuple[Score, ...]:
    """Return what each seat reached."""
    return tuple(_score(state, Seat(seat)) for seat in range(state.seats))


def _score(state: InisState, seat: Seat) -> Score:
    """Return the conditions met, and what each condition counts."""
    parts = dict(zip(CONDITIONS, state.conditions(seat), strict=True))
    return Score(seat=seat, total=state.conditions_met(seat), parts={**parts, "deeds": state.contenders[seat].deeds})
