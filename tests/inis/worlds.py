"""States of Inis that differ in nothing but what a viewpoint may not know."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from events.inis.vocabulary import CardId
from events.messages import Seat, Viewpoint
from workers.inis.phases.playing import undeclared
from workers.inis.state import InisState
from workers.inis.state.pieces import Contender, Draft
from workers.inis.steps.cards import Declare, Window
from workers.inis.steps.hands import ClaimTale, DrawTales, KeepTale


def other_world(state: InisState, viewpoint: Viewpoint, chooser: Random) -> InisState:
    """Return a state that differs in nothing but what the viewpoint may not know."""
    stack = list(state.stack)
    chooser.shuffle(stack)
    world = replace(state, stack=tuple(stack) if not _tiles_lie_open(state) else state.stack)
    world = _other_answers(world, viewpoint)
    world = _other_actions(world, viewpoint, chooser)
    return world if _tales_lie_open(state) else _other_tales(world, viewpoint, chooser)


def _tiles_lie_open(state: InisState) -> bool:
    return any(hasattr(step, "tiles") or getattr(step, "tile", None) for step in state.agenda)


def _tales_lie_open(state: InisState) -> bool:
    return any(isinstance(step, ClaimTale) for step in state.agenda)


def _other_answers(state: InisState, viewpoint: Viewpoint) -> InisState:
    """Let others have answered an open window with no card, and be declaring nothing."""
    agenda = list(state.agenda)
    for place, step in enumerate(agenda):
        if isinstance(step, Window):
            answers = tuple((seat, card if seat == viewpoint else None) for seat, card in step.answers)
            agenda[place] = replace(step, answers=answers)
        elif isinstance(step, Declare) and step.seat != viewpoint:
            agenda[place] = undeclared(step)
    return replace(state, agenda=tuple(agenda))


def _in_order(state: InisState, cards: Sequence[CardId]) -> tuple[CardId, ...]:
    return tuple(sorted(cards, key=lambda card: state.catalogue.cards[card].place))


def _other_actions(state: InisState, viewpoint: Viewpoint, chooser: Random) -> InisState:
    """Let Action cards the viewpoint does not know change places: hands, fronts, pile, what is set aside."""
    knows_pile = viewpoint is not None and any(
        type(step).__name__ == "SearchPile" and step.seat == viewpoint for step in state.agenda
    )
    seen = state.more.aside_seen if state.more is not None else ()
    knows_aside = state.aside_by == viewpoint or viewpoint in seen
    draft = state.draft
    hidden: list[CardId] = [*state.undealt]
    if not knows_pile:
        hidden += state.pile
    if state.aside is not None and not knows_aside:
        hidden.append(state.aside)
    for seat, contender in enumerate(state.contenders):
        if seat != viewpoint:
            hidden += contender.actions
            hidden += draft.fronts[seat] if draft else ()
    chooser.shuffle(hidden)
    undealt = tuple(hidden.pop() for _ in state.undealt)
    pile = state.pile if knows_pile else _in_order(state, [hidden.pop() for _ in state.pile])
    aside = hidden.pop() if state.aside is not None and not knows_aside else state.aside
    contenders: list[Contender] = []
    fronts, kept = [], []
    for seat, contender in enumerate(state.contenders):
        own = seat == viewpoint
        actions = contender.actions if own else _in_order(state, [hidden.pop() for _ in contender.actions])
        contenders.append(replace(contender, actions=actions))
        if draft:
            front = draft.fronts[seat] if own else _in_order(state, [hidden.pop() for _ in draft.fronts[seat]])
            fronts.append(front)
            kept.append(draft.kept[seat] if own else front[: len(draft.kept[seat])])
    other_draft = Draft(turn=draft.turn, fronts=tuple(fronts), kept=tuple(kept)) if draft else None
    return replace(state, undealt=undealt, pile=pile, aside=aside, contenders=tuple(contenders), draft=other_draft)


def _other_tales(state: InisState, viewpoint: Viewpoint, chooser: Random) -> InisState:
    """Let Epic Tales the viewpoint does not know change places: hands, draw pile, what is being drawn."""
    hidden: list[CardId] = [*state.deck]
    drawing = [step for step in state.agenda if isinstance(step, DrawTales | KeepTale)]
    for step in drawing:
        hidden += step.drawn if step.seat != viewpoint else ()
    for seat, contender in enumerate(state.contenders):
        hidden += contender.tales if seat != viewpoint else ()
    chooser.shuffle(hidden)
    deck = tuple(hidden.pop() for _ in state.deck)
    agenda = tuple(
        replace(step, drawn=tuple(hidden.pop() for _ in step.drawn))
        if isinstance(step, DrawTales | KeepTale) and step.seat != viewpoint
        else step
        for step in state.agenda
    )
    contenders = tuple(
        contender
        if Seat(seat) == viewpoint
        else replace(contender, tales=_in_order(state, [hidden.pop() for _ in contender.tales]))
        for seat, contender in enumerate(state.contenders)
    )
    return replace(state, deck=deck, agenda=agenda, contenders=contenders)
