"""What a learning agent sees of Inori: its seat's view (``projections.inori.table.InoriView``), part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from events.inori.vocabulary import COLOURS, InoriCatalogue
from services.bots.gym.shapes import (
    BySeat,
    Keyed,
    Number,
    Owners,
    Record,
    SeatOf,
    SeatsInOrder,
    Several,
    Shape,
    Word,
    Words,
)
from workers.inori.scoring import PARTS
from workers.inori.state import Phase


def words(catalogue: InoriCatalogue) -> Sequence[str]:
    """Return every word that a command may hold."""
    return (*catalogue.cards, *catalogue.runes, *(space.id for space in catalogue.tree), *COLOURS)


def observed(catalogue: InoriCatalogue, seats: int) -> Shape:
    """Return the shape of the view."""
    cards, runes = tuple(catalogue.cards), tuple(catalogue.runes)
    spaces = max(len(card.spaces) for card in catalogue.cards.values())
    slot = Record(colour=Word(COLOURS), pieces=Several(spaces, Owners(seats)), complete=Number())
    space = Record(pieces=Owners(seats), altar=Word(COLOURS), tokens=Words(COLOURS))
    chief = Record(
        score=Record(total=Number(), parts=Words(PARTS)),
        tokens=Words(COLOURS),
        pieces=Number(),
        left=Number(),
        aside=Number(),
        waiting=Several(catalogue.seasons, Number()),
        rune_count=Number(),
        runes=Words(runes),
    )
    return Record(
        phase=Word(get_args(Phase)),
        season=Number(),
        seasons=Number(),
        order=SeatsInOrder(seats),
        slots=Keyed(cards, slot, by="card"),
        tree=Keyed(tuple(each.id for each in catalogue.tree), space, by="space"),
        chiefs=BySeat(seats, chief),
        supply=Words(COLOURS),
        altars_left=Words(COLOURS),
        neutrals=Number(),
        rune_pile=Number(),
        rune_discard=Words(runes),
        journey=Keyed(COLOURS, Words(cards)),
        new_start=Number(),
        acting=SeatOf(seats),
        chosen=Record(owner=SeatOf(seats), card=Word(cards), space=Number()),
        drawn=Words(cards),
    )
