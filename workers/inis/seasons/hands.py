"""Steps of cards of the expansion that happen to clans, hands and piles (expansion, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from events.inis.events import InisEvent
from events.inis.events.board import ClanPlaced
from events.inis.events.cards import ChoiceMade
from events.inis.events.seasons import (
    AsideSeen,
    BansheesTaken,
    BranDeparted,
    CapitalMoved,
    CardForetold,
    ClansSwapped,
    TaleRecovered,
    TalesKept,
)
from events.inis.vocabulary import Part
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.phases.hands import shown_by
from workers.inis.seasons.evolve import more_of
from workers.inis.seasons.steps import (
    DropDrawn,
    Foretell,
    KeepSeveral,
    MayPlaceClan,
    MoveCapital,
    RecoverTale,
    SeeAside,
    SendBran,
    SwapClans,
    TakeBanshees,
)
from workers.inis.seasons.voyages import closed_now
from workers.inis.state import InisState
from workers.inis.steps.hands import Draw, KeepTale, RevealTales
from workers.kit.decider import Context

DECLINE: Final = Part(option="decline")

# A clan that may be placed in one territory


def skip_placing(state: InisState, step: MayPlaceClan) -> InisState | None:
    possible = state.contenders[step.seat].reserve and not closed_now(state, step.territory)
    return None if possible else done(state)


def place_or_not(_state: InisState, step: MayPlaceClan, _seat: Seat) -> Sequence[Part]:
    return (DECLINE, Part(territory=step.territory))


def place(_state: InisState, _step: MayPlaceClan, seat: Seat, part: Part) -> InisEvent:
    return (
        ChoiceMade(seat=seat, part=part) if part.territory is None else ClanPlaced(seat=seat, territory=part.territory)
    )


def declined(state: InisState, _step: MayPlaceClan, _part: Part) -> InisState:
    return done(state)


# Clans


def skip_swap(state: InisState, step: SwapClans) -> InisState | None:
    there = state.clans(step.seat, step.territory) and state.clans(step.owner, step.to)
    return None if there else done(state)


def swap_clans(_state: InisState, step: SwapClans, _context: Context) -> InisEvent:
    return ClansSwapped(seat=step.seat, territory=step.territory, owner=step.owner, to=step.to)


def skip_bran(state: InisState, step: SendBran) -> InisState | None:
    """One Bran at a time, and no more clans than there are."""
    possible = more_of(state).bran is None and state.clans(step.seat, step.territory) >= step.amount
    return None if possible else done(state)


def send_bran(_state: InisState, step: SendBran, _context: Context) -> InisEvent:
    return BranDeparted(seat=step.seat, territory=step.territory, amount=step.amount)


def take_banshees(state: InisState, _step: TakeBanshees, _context: Context) -> InisEvent:
    """At most one each; who holds one already takes none."""
    held = more_of(state).banshee
    takers = (seat for seat in state.order_from(state.brenn) if seat not in held and state.present_in(seat))
    return BansheesTaken(seats=tuple(takers))


def move_capital(_state: InisState, step: MoveCapital, _context: Context) -> InisEvent:
    return CapitalMoved(territory=step.territory)


# Cards


def holder(state: InisState, step: Foretell) -> Seat | None:
    """Return the opponent who holds the card that was named."""
    seats = map(Seat, range(state.seats))
    return next((each for each in seats if each != step.seat and step.card in state.contenders[each].actions), None)


def not_foretold(state: InisState, step: Foretell) -> InisState | None:
    return done(state, Draw(seat=step.seat, amount=1)) if holder(state, step) is None else None


def foretell(state: InisState, step: Foretell, _context: Context) -> InisEvent:
    seat = holder(state, step)
    if seat is None:
        raise AssertionError("the step is skipped when nobody holds the card")
    return CardForetold(seat=seat, card=step.card)


def skip_recovery(state: InisState, step: RecoverTale) -> InisState | None:
    return None if step.card in state.discards else done(state)


def recover_tale(_state: InisState, step: RecoverTale, _context: Context) -> InisEvent:
    return TaleRecovered(seat=step.seat, card=step.card)


def reveal_tales(state: InisState, step: RevealTales, context: Context) -> InisEvent:
    """What concerns several begins at the Brenn (section 3.1)."""
    return shown_by([each for each in state.order_from(state.brenn) if each != step.seat], state, context)


def skip_aside(state: InisState, _step: SeeAside) -> InisState | None:
    return done(state) if state.aside is None else None


def see_aside(state: InisState, step: SeeAside, _context: Context) -> InisEvent:
    if state.aside is None:
        raise AssertionError("the step is skipped without a card")
    return AsideSeen(seat=step.seat, card=state.aside)


# Two tales out of one draw


def keep_several(state: InisState, step: KeepTale) -> InisState | None:
    """Keep all, or ask which is one too many (section 4.4, Inis Mona)."""
    return None if _kept_of(state) is None else done(state, DropDrawn(seat=step.seat, drawn=step.drawn))


def _kept_of(state: InisState) -> int | None:
    """Return how many tales of the draw are kept, if they are several."""
    following = state.agenda[1] if len(state.agenda) > 1 else None
    return following.amount if isinstance(following, KeepSeveral) else None


def keep_all(state: InisState, step: DropDrawn, _context: Context) -> InisEvent | None:
    """Where none is too many nobody is asked."""
    few = len(step.drawn) <= (_kept_of(state) or 0)
    return TalesKept(seat=step.seat, cards=step.drawn) if few else None


def end_draw(state: InisState, _step: KeepSeveral) -> InisState:
    return done(state)


def too_many(_state: InisState, step: DropDrawn, _seat: Seat) -> Sequence[Part]:
    return [Part(card=each) for each in step.drawn]


def drop_drawn(_state: InisState, step: DropDrawn, seat: Seat, part: Part) -> InisEvent:
    return TalesKept(seat=seat, cards=tuple(each for each in step.drawn if each != part.card))


LORE = Lore(
    silent={
        MayPlaceClan: skip_placing,
        SwapClans: skip_swap,
        SendBran: skip_bran,
        Foretell: not_foretold,
        RecoverTale: skip_recovery,
        SeeAside: skip_aside,
        KeepTale: keep_several,
        KeepSeveral: end_draw,
    },
    happens={
        SwapClans: swap_clans,
        SendBran: send_bran,
        TakeBanshees: take_banshees,
        MoveCapital: move_capital,
        Foretell: foretell,
        RecoverTale: recover_tale,
        SeeAside: see_aside,
        DropDrawn: keep_all,
        RevealTales: reveal_tales,
    },
    options={MayPlaceClan: place_or_not, DropDrawn: too_many},
    answers={MayPlaceClan: place, DropDrawn: drop_drawn},
    choices={MayPlaceClan: declined},
)
