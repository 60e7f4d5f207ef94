"""What a learning agent sees of Inis: its seat's view (``projections.inis.table.InisView``), part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from events.inis.vocabulary import Direction, InisCatalogue, KingSide, SeasonId, WindowKind
from services.bots.gym.shapes import (
    BySeat,
    Keyed,
    Number,
    Pattern,
    Record,
    SeatOf,
    SeatsInOrder,
    Several,
    Shape,
    Word,
    Words,
)
from workers.inis.scoring import CONDITIONS
from workers.inis.state import Phase

PLAYS = 4
"""Cards played in answer to each other that are seen; more are as good as never."""
PARTS = 8
"""Parts of a card being played that are seen, as many."""
FAR = 12
"""How far from the middle of the lattice a tile may lie, and be told from others."""
OPTIONS = (
    *("stay", "clan", "card", "turn", "leave", "no_clash", "place", "remove", "replace"),
    *("decline", "discard", "each", "give", "no_harbor", "one", "stop"),
)


def words(catalogue: InisCatalogue) -> Sequence[str]:
    """Return every word that a command may hold."""
    axis = range(-FAR, FAR + 1)
    locations = (f"{way}{first},{second}" for way in "UDH" for first in axis for second in axis)
    return (*dict.fromkeys((*catalogue.cards, *catalogue.tiles)), *OPTIONS, "sea", *locations)


def observed(catalogue: InisCatalogue, seats: int) -> Shape:
    """Return the shape of the view."""
    cards, lands = tuple(catalogue.cards), tuple(catalogue.tiles)
    location = Pattern(r"(U|D|sea)(-?\d*),?(-?\d*)", {"U": 1, "D": 2, "sea": 3, "": 0})
    land = Record(
        location=location,
        beside=Words(lands),
        clans=BySeat(seats, Number()),
        citadels=Number(),
        sanctuaries=Number(),
        chieftain=SeatOf(seats),
    )
    contender = Record(
        reserve=Number(),
        deeds=Number(),
        pretender=Number(),
        action_count=Number(),
        tale_count=Number(),
        advantages=Words(cards),
        conditions=Words(CONDITIONS),
        met=Number(),
        actions=Words(cards),
        tales=Words(cards),
    )
    part = Record(
        territory=Word(lands),
        to=Word(lands),
        owner=SeatOf(seats),
        amount=Number(),
        sheltered=Number(),
        option=Word(OPTIONS),
        card=Word(cards),
        location=location,
    )
    play = Record(seat=SeatOf(seats), card=Word(cards), parts=Several(PARTS, part), cancelled=Number())
    clash = Record(
        territory=Word(lands),
        instigator=SeatOf(seats),
        protected=BySeat(seats, Number()),
        exposed=BySeat(seats, Number()),
        spear=Number(),
        acting=SeatOf(seats),
        attacked=SeatOf(seats),
    )
    expansion = Record(
        season=Word(get_args(SeasonId)),
        king_tile=Word(get_args(KingSide)),
        harbors=Keyed(lands, Pattern(r"(H|sea)(-?\d*),?(-?\d*)", {"H": 1, "sea": 2, "": 0})),
        fili=Word(lands),
        macha=Word(lands),
        banshee=SeatsInOrder(seats),
        bran=Record(seat=SeatOf(seats), clans=Number()),
        claim=SeatOf(seats),
        winners=SeatsInOrder(seats),
        allies=SeatsInOrder(seats),
        mist=BySeat(seats, Number()),
        sword=Number(),
    )
    return Record(
        phase=Word(get_args(Phase)),
        round=Number(),
        brenn=SeatOf(seats),
        direction=Word(get_args(Direction)),
        turn=SeatOf(seats),
        opening=Number(),
        passed=SeatsInOrder(seats),
        capital=Word(lands),
        festival=Word(lands),
        lands=Keyed(lands, land, by="territory"),
        citadels=Number(),
        sanctuaries=Number(),
        stack=Number(),
        deck=Number(),
        discards=Words(cards),
        pile=Number(),
        aside=Number(),
        face_up=Words(cards),
        face_down=Words(cards),
        contenders=BySeat(seats, contender),
        plays=Several(PLAYS, play),
        aside_card=Word(cards),
        draft=Record(keep=Number(), front=Words(cards), kept=Words(cards)),
        window=Word(get_args(WindowKind)),
        clash=clash,
        cauldron=Record(seat=SeatOf(seats), territory=Word(lands), clans=Number()),
        revealed=Words(cards),
        tiles=Words(lands),
        winner=SeatOf(seats),
        expansion=expansion,
    )
