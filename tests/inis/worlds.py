"""States of Inis that differ in nothing but what a viewpoint may not know."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from events.inis.vocabulary import CardId
from events.messages import Seat, Viewpoint
from workers.inis.state import Contender, Draft, InisState
from workers.inis.steps.cards import Window
from workers.inis.steps.hands import CollectTribute, DrawTales, KeepTale


def other_world(state: InisState, viewpoint: Viewpoint, chooser: Random) -> InisState:
    """Return a state that differs in nothing but what the viewpoint may not know."""
    stack = list(state.stack)
    chooser.shuffle(stack)
    world = replace(state, stack=tuple(stack) if not _tiles_lie_open(state) else state.stack)
    if not _deciding_by_card(state):
        world = _other_actions(world, viewpoint, chooser)
        world = _other_tales(world, viewpoint, chooser)
    return world


def _tiles_lie_open(state: InisState) -> bool:
    return any(hasattr(step, "tiles") or getattr(step, "tile", None) for step in state.agenda)


def _deciding_by_card(state: InisState) -> bool:
    """Where somebody's choice so far names a hidden card, only that choice would have to change with it."""
    return any(
        (isinstance(step, Window | CollectTribute) and (getattr(step, "answers", ()) or getattr(step, "gifts", ())))
        or type(step).__name__ in ("Declare", "ClaimTale")
        for step in state.agenda
    )


def _in_order(state: InisState, cards: Sequence[CardId]) -> tuple[CardId, ...]:
    return tuple(sorted(cards, key=lambda card: state.catalogue.cards[card].place))


def _other_actions(state: InisState, viewpoint: Viewpoint, chooser: Random) -> InisState:
    """Let Action cards the viewpoint does not know change places: hands, fronts, pile, what is set aside."""
    knows_pile = viewpoint is not None and any(
        type(step).__name__ == "SearchPile" and step.seat == viewpoint for step in state.agenda
    )
    draft = state.draft
    hidden: list[CardId] = [*state.undealt]
    if not knows_pile:
        hidden += state.pile
    if state.aside is not None and state.aside_by != viewpoint:
        hidden.append(state.aside)
    for seat, contender in enumerate(state.contenders):
        if seat != viewpoint:
            hidden += contender.actions
            hidden += draft.fronts[seat] if draft else ()
    chooser.shuffle(hidden)
    undealt = tuple(hidden.pop() for _ in state.undealt)
    pile = state.pile if knows_pile else _in_order(state, [hidden.pop() for _ in state.pile])
    aside = hidden.pop() if state.aside is not None and state.aside_by != viewpoint else state.aside
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
    return replace(
        state, undealt=undealt, pile=pile, aside=aside, contenders=tuple(contenders), draft=other_draft
    )


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
