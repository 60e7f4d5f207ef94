"""What a Move rune may take, and where it may go (rules, section 3.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from events.inori.vocabulary import CardId, Owner, Rune
from workers.inori.state import InoriState, Slot

PieceOnCard = tuple[Owner, CardId, int]
"""Whose piece it is, and the card and space it stands on."""


def can_move(state: InoriState, rune: Rune) -> bool:
    """Return whether a rune can move anything at all."""
    return next(_ways(state, rune), None) is not None


def movable(state: InoriState, rune: Rune) -> Sequence[PieceOnCard]:
    """Return every piece that a rune can move somewhere, each named once."""
    sources = {source.card: source for source, _ in _ways(state, rune)}
    return [
        (owner, source.card, space)
        for source in sources.values()
        for space, pieces in enumerate(source.pieces, start=1)
        for owner in pieces
    ]


def goals(state: InoriState, rune: Rune, card: CardId) -> Sequence[tuple[CardId, int]]:
    """Return every empty space that a rune can move a piece of a card to."""
    return [
        (target.card, space)
        for source, target in _ways(state, rune)
        if source.card == card
        for space, pieces in enumerate(target.pieces, start=1)
        if not pieces
    ]


def is_named(state: InoriState, rune: Rune, *, source: CardId, target: CardId) -> bool:
    """Return whether the card that the rune is about shows its colour: the target moving in, the source moving out."""
    named = target if rune.kind == "move_in" else source
    return state.card(named).colour in rune.colours


def _ways(state: InoriState, rune: Rune) -> Iterator[tuple[Slot, Slot]]:
    """Return the cards that a rune may join: one with a piece, and another with an empty space."""
    full = [slot for slot in state.slots if any(slot.pieces)]
    open_ = [slot for slot in state.slots if not all(slot.pieces)]
    for source in full:
        for target in open_:
            if source is not target and is_named(state, rune, source=source.card, target=target.card):
                yield source, target
