"""We Want a King!: the victory check with the King tile (expansion, section 6)."""

from __future__ import annotations

from events.inis.events import InisEvent
from events.inis.events.rounds import KingCrowned, PretendersReturned
from events.inis.events.seasons import KingsCrowned, KingTileTurned
from events.messages import Outcome, Seat
from workers.inis.agenda import Lore, done
from workers.inis.phases.assembly import check_victory, skip_victory
from workers.inis.scoring import leaders, scores
from workers.inis.seasons.evolve import with_more
from workers.inis.seasons.steps import CountClaim, ReturnPretenders, TurnKingTile
from workers.inis.state import InisState
from workers.inis.steps.rounds import CheckVictory, TakeAdvantages
from workers.kit.decider import Context


def weigh_claims(state: InisState, step: CheckVictory) -> InisState | None:
    """Turn the tile when several tie without the Brenn; on its other side somebody always wins."""
    tile = state.more.king_tile if state.more is not None else None
    if tile == "need":
        return None
    tied = leaders(state)
    if tile == "want" and len(tied) > 1 and state.brenn not in tied:
        return done(state, ReturnPretenders(), TurnKingTile(tuple(tied)))
    return skip_victory(state, step)


def crown(state: InisState, step: CheckVictory, context: Context) -> InisEvent:
    """Side need: whoever ties shares the victory, and with no claim the Brenn wins."""
    if state.more is None or state.more.king_tile != "need":
        return check_victory(state, step, context)
    tied = leaders(state)
    if len(tied) == 1 or state.brenn in tied:
        return KingCrowned(seat=tied[0] if len(tied) == 1 else state.brenn)
    return KingsCrowned(seats=tuple(tied) or (state.brenn,))


def return_pretenders(_state: InisState, _step: ReturnPretenders, _context: Context) -> InisEvent:
    return PretendersReturned()


def turn_king_tile(_state: InisState, step: TurnKingTile, _context: Context) -> InisEvent:
    return KingTileTurned(seats=step.seats)


def count_claim(state: InisState, step: CountClaim) -> InisState:
    """Only for the check that comes (expansion, section 4.4, Hy Breasil)."""
    return done(state, more=with_more(state, claim=step.seat))


def forget_claim(state: InisState, _step: TakeAdvantages) -> InisState | None:
    """The check is over."""
    if state.more is None or state.more.claim is None:
        return None
    return done(state, TakeAdvantages(), more=with_more(state, claim=None))


def shared_outcome(state: InisState) -> Outcome | None:
    """Return how the last check ended without a single king of the base game; ``None`` when it did not."""
    winners = state.more.winners if state.more is not None else ()
    if not winners:
        return None
    others = tuple(Seat(seat) for seat in range(state.seats) if seat not in winners)
    ranking = (winners, others) if others else (winners,)
    reason = "shared_crown" if len(winners) > 1 else "brenn_without_claims"
    return Outcome(reason=reason, ranking=ranking, scores=scores(state))


LORE = Lore(
    silent={CheckVictory: weigh_claims, CountClaim: count_claim, TakeAdvantages: forget_claim},
    happens={CheckVictory: crown, ReturnPretenders: return_pretenders, TurnKingTile: turn_king_tile},
)
