"""What comes between the last turn and the end of a season: the Banshee, and Bran (expansion, section 3.5)."""

from __future__ import annotations

from collections.abc import Sequence

from events.inis.events import InisEvent
from events.inis.events.cards import ChoiceMade
from events.inis.events.seasons import BansheeReturned, BranReturned
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.phases.season import end_turn
from workers.inis.seasons.evolve import more_of
from workers.inis.seasons.steps import BansheeRemove, BranReturn, ComeBanshees, ReturnBanshee, ReturnBran
from workers.inis.state import InisState
from workers.inis.steps.board import Remove
from workers.inis.steps.rounds import EndSeason, EndTurn
from workers.kit.decider import Context


def end_turn_or_season(state: InisState, step: EndTurn) -> InisState:
    """When the season really ends, E1 and E2 come first; nobody is active then but the Brenn (section 3.1)."""
    after = end_turn(state, step)
    if not isinstance(after.agenda[0], EndSeason):
        return after
    return done(after, ComeBanshees(), ReturnBran(), EndSeason(), turn=state.brenn)


def come_banshees(state: InisState, _step: ComeBanshees) -> InisState:
    holders = [seat for seat in state.order_from(state.brenn) if seat in more_of(state).banshee]
    return done(state, *(step for seat in holders for step in (BansheeRemove(seat=seat), ReturnBanshee(seat))))


def skip_banshee(state: InisState, step: BansheeRemove) -> InisState | None:
    return None if state.present_in(step.seat) else done(state)


def own_clans(state: InisState, _step: BansheeRemove, seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in state.present_in(seat)]


def choose(_state: InisState, _step: BansheeRemove, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def clan_chosen(state: InisState, step: BansheeRemove, part: Part) -> InisState:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return done(state, Remove(seat=step.seat, territory=part.territory))


def skip_return(state: InisState, step: ReturnBanshee) -> InisState | None:
    return None if step.seat in more_of(state).banshee else done(state)


def return_banshee(_state: InisState, step: ReturnBanshee, _context: Context) -> InisEvent:
    return BansheeReturned(seat=step.seat)


def return_bran(state: InisState, _step: ReturnBran) -> InisState:
    bran = more_of(state).bran
    return done(state) if bran is None else done(state, BranReturn(seat=bran.seat))


def anywhere(state: InisState, _step: BranReturn, _seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in state.lands]


def bran_returns(_state: InisState, _step: BranReturn, seat: Seat, part: Part) -> InisEvent:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return BranReturned(seat=seat, territory=part.territory)


LORE = Lore(
    silent={
        EndTurn: end_turn_or_season,
        ComeBanshees: come_banshees,
        BansheeRemove: skip_banshee,
        ReturnBanshee: skip_return,
        ReturnBran: return_bran,
    },
    happens={ReturnBanshee: return_banshee},
    options={BansheeRemove: own_clans, BranReturn: anywhere},
    answers={BansheeRemove: choose, BranReturn: bran_returns},
    choices={BansheeRemove: clan_chosen},
)
