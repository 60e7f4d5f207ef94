"""The wheel, its Sacred Festivals, and how a season gives way to the next (expansion, sections 3.3, 3.5 and 4.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.board import ClanPlaced
from events.inis.events.cards import CardDiscarded, ChoiceMade
from events.inis.events.seasons import SeasonDrawn, TokensCleared, WheelTurned
from events.inis.vocabulary import CardId, Part
from events.messages import Seat
from workers.inis.agenda import Lore, Steps, done
from workers.inis.phases.assembly import begin_round
from workers.inis.seasons.almanac import modules_of, next_season, slot
from workers.inis.seasons.evolve import more_of
from workers.inis.seasons.steps import (
    CloseSeason,
    DiscardTale,
    DrawSeason,
    DropCard,
    FestivalDiscardTales,
    FestivalLimit,
    FestivalPlace,
    FestivalTrade,
    HoldSacredFestival,
)
from workers.inis.state import InisState
from workers.inis.state.pieces import Contender
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.hands import Draw
from workers.inis.steps.rounds import BeginRound, CheckVictory, EndAssembly
from workers.kit.decider import Context

DECLINE: Final = Part(option="decline")
STOP: Final = Part(option="stop")


def draw_season(state: InisState, _step: DrawSeason, context: Context) -> InisEvent:
    return SeasonDrawn(season=context.chance.choose([each.id for each in modules_of(state).wheel]))


# Between two seasons


def begin_assembly(state: InisState, step: BeginRound) -> InisState:
    """The season that was is closed first; then an Assembly with a window before A2, and AF before A7."""
    state = begin_round(state, step)
    at_sea, wheel = "sea_travels" in state.options.modules, more_of(state).season is not None
    agenda: list[object] = [CloseSeason()] if state.round > 1 else []
    for each in state.agenda:
        if isinstance(each, CheckVictory) and at_sea:
            agenda.append(OpenWindow(window="victory_check"))
        if isinstance(each, EndAssembly) and wheel:
            agenda.append(HoldSacredFestival())
        agenda.append(each)
    return replace(state, agenda=tuple(agenda))


def skip_closing(state: InisState, step: CloseSeason) -> InisState | None:
    """First the tokens, if any lies there; then the wheel, if there is one."""
    more = more_of(state)
    if not step.cleared:
        return None if more.fili_at or more.macha_at else done(state, CloseSeason(cleared=True))
    return None if more.season is not None else done(state)


def close_season(state: InisState, step: CloseSeason, _context: Context) -> InisEvent:
    season = next_season(state)
    return TokensCleared() if not step.cleared or season is None else WheelTurned(season=season)


# The festivals, by the names the catalogue has for them


def fewest_cards(state: InisState) -> Steps:
    """F1: who holds fewest cards of all kinds together, counted now, may place a clan."""
    counts = [_cards(each) for each in state.contenders]
    return tuple(FestivalPlace(seat=seat) for seat in effect_order(state) if counts[seat] == min(counts))


def tales_for_clans(state: InisState) -> Steps:
    """F3: discard Epic Tales for clans; then no more than a few tales are kept."""
    return tuple(
        step for seat in effect_order(state) for step in (FestivalDiscardTales(seat=seat), FestivalLimit(seat))
    )


def action_for_tale(state: InisState) -> Steps:
    """F4: an Action card for an Epic Tale, once."""
    return tuple(step for seat in effect_order(state) for step in (FestivalTrade(seat=seat), Draw(seat=seat, amount=1)))


FESTIVALS: Final[Mapping[str, Callable[[InisState], Steps]]] = {
    "fewest_cards": fewest_cards,
    "tales_for_clans": tales_for_clans,
    "action_for_tale": action_for_tale,
}


def effect_order(state: InisState) -> tuple[Seat, ...]:
    """Return who comes when one effect concerns several: the Brenn first, then as the crows fly (section 3.1)."""
    return state.order_from(state.brenn)


def hold_sacred_festival(state: InisState, _step: HoldSacredFestival) -> InisState:
    now = slot(state)
    return done(state, *(FESTIVALS[now.festival](state) if now is not None and now.festival else ()))


def _cards(contender: Contender) -> int:
    return len(contender.actions) + len(contender.advantages) + len(contender.tales)


# F1, and the clans of F3


def skip_placing(state: InisState, step: FestivalPlace) -> InisState | None:
    possible = state.contenders[step.seat].reserve and state.present_in(step.seat)
    return None if possible else done(state)


def places(state: InisState, _step: FestivalPlace, seat: Seat) -> Sequence[Part]:
    return [DECLINE, *(Part(territory=each) for each in state.present_in(seat))]


def place(_state: InisState, _step: FestivalPlace, seat: Seat, part: Part) -> InisEvent:
    return (
        ChoiceMade(seat=seat, part=part) if part.territory is None else ClanPlaced(seat=seat, territory=part.territory)
    )


def declined(state: InisState, _step: FestivalPlace, _part: Part) -> InisState:
    return done(state)


# F3


def skip_tales(state: InisState, step: FestivalDiscardTales) -> InisState | None:
    """Without another tale the clans come at once."""
    return None if state.contenders[step.seat].tales else _clans_come(state, step)


def tales(state: InisState, _step: FestivalDiscardTales, seat: Seat) -> Sequence[Part]:
    return [STOP, *(Part(card=each) for each in state.contenders[seat].tales)]


def give_tale(_state: InisState, _step: FestivalDiscardTales, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def tale_given(state: InisState, step: FestivalDiscardTales, part: Part) -> InisState:
    if part.card is None:
        return _clans_come(state, step)
    return done(state, DropCard(step.seat, part.card), replace(step, discarded=step.discarded + 1))


def _clans_come(state: InisState, step: FestivalDiscardTales) -> InisState:
    return done(state, *(FestivalPlace(seat=step.seat) for _ in range(step.discarded)))


def keep_the_limit(state: InisState, step: FestivalLimit) -> InisState:
    over = len(state.contenders[step.seat].tales) - state.amount("lugnasad")
    return done(state, *(DiscardTale(seat=step.seat) for _ in range(over)))


# F4


def skip_trade(state: InisState, step: FestivalTrade) -> InisState | None:
    return None if state.contenders[step.seat].actions else _no_draw(state)


def trades(state: InisState, _step: FestivalTrade, seat: Seat) -> Sequence[Part]:
    return [DECLINE, *(Part(card=each) for each in state.contenders[seat].actions)]


def trade(_state: InisState, _step: FestivalTrade, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part) if part.card is None else CardDiscarded(seat=seat, card=part.card)


def no_trade(state: InisState, _step: FestivalTrade, _part: Part) -> InisState:
    return _no_draw(state)


def _no_draw(state: InisState) -> InisState:
    """Take the question off with the draw behind it."""
    return replace(state, agenda=state.agenda[2:])


# A card that a step before has named, and a tale of one's own choice


def drop_card(_state: InisState, step: DropCard, _context: Context) -> InisEvent:
    return CardDiscarded(seat=step.seat, card=step.card)


def skip_discard(state: InisState, step: DiscardTale) -> InisState | None:
    return None if _discardable(state, step) else done(state)


def _discardable(state: InisState, step: DiscardTale) -> list[CardId]:
    return [each for each in state.contenders[step.seat].tales if each != step.but]


def discardable(state: InisState, step: DiscardTale, _seat: Seat) -> Sequence[Part]:
    return [Part(card=each) for each in _discardable(state, step)]


def discard_tale(_state: InisState, _step: DiscardTale, seat: Seat, part: Part) -> InisEvent:
    if part.card is None:
        raise AssertionError("only cards are offered")
    return CardDiscarded(seat=seat, card=part.card)


LORE = Lore(
    silent={
        BeginRound: begin_assembly,
        CloseSeason: skip_closing,
        HoldSacredFestival: hold_sacred_festival,
        FestivalPlace: skip_placing,
        FestivalDiscardTales: skip_tales,
        FestivalLimit: keep_the_limit,
        FestivalTrade: skip_trade,
        DiscardTale: skip_discard,
    },
    happens={DrawSeason: draw_season, CloseSeason: close_season, DropCard: drop_card},
    options={FestivalPlace: places, FestivalDiscardTales: tales, FestivalTrade: trades, DiscardTale: discardable},
    answers={FestivalPlace: place, FestivalDiscardTales: give_tale, FestivalTrade: trade, DiscardTale: discard_tale},
    choices={FestivalPlace: declined, FestivalDiscardTales: tale_given, FestivalTrade: no_trade},
)
