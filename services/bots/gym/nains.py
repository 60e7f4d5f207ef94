"""What a learning agent sees of Nains: its seat's view (``projections.nains.table.NainsView``), part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from events.nains.vocabulary import ORDERS, SPOTS, NainsCatalogue
from services.bots.gym.shapes import (
    BySeat,
    Keyed,
    Number,
    Record,
    SeatOf,
    SeatsInOrder,
    Several,
    Shape,
    There,
    Word,
    Words,
)
from workers.nains.state import Phase

ERAS = 2
POUCH = 2
PARTS = ("retaliation", "wanderers", "temple", "shield", "forge", "command_area", "certification", "coins")


def words(catalogue: NainsCatalogue) -> Sequence[str]:
    """Return every word that a command may hold."""
    return (*catalogue.cards, *catalogue.coins, *ORDERS, "hand", *SPOTS, "pouch")


def observed(catalogue: NainsCatalogue, seats: int) -> Shape:
    """Return the shape of the view."""
    cards, coins = tuple(catalogue.cards), tuple(catalogue.coins)
    coin = Record(face=Word(("up", "down")), coin=Word(coins))
    column = Keyed(cards, Record(card=There(), pariah=Number()), by="card")
    lord = Record(
        columns=Keyed(ORDERS, column),
        ranks=Words(ORDERS),
        command_area=Words(cards),
        gem=Number(),
        rows_rewarded=Number(),
        coins=Words(coins),
        in_hand=Number(),
        spots=Several(len(SPOTS), coin),
        pouch=Several(POUCH, coin),
        score=Record(total=Number(), parts=Words(PARTS)),
    )
    return Record(
        phase=Word(get_args(Phase)),
        era=Number(),
        turn=Number(),
        turns=Number(),
        tavern=Number(),
        taverns=Several(len(catalogue.taverns), Words(cards)),
        decks=Several(ERAS, Number()),
        discard=Words(cards),
        supply=Words(cards),
        awards=Words(cards),
        unawarded=Words(cards),
        treasury=Words(coins),
        order=SeatsInOrder(seats),
        tied=Several(seats // 2, SeatsInOrder(seats)),
        lords=BySeat(seats, lord),
        acting=SeatOf(seats),
        looked=Words(cards),
    )
