"""Set-up, turns and seasons (rules, sections 1.3, 2, 3 and 9)."""

from __future__ import annotations

from collections import Counter

import pytest

from events.inori.commands import ChooseNewStart, LayPieceAside
from events.inori.events import (
    CardReplaced,
    NewStartCardsDrawn,
    NewStartPlaced,
    OfferedToTree,
    PieceLaidAside,
    RunePlayed,
    TokensGained,
    WaitingPiecesTaken,
)
from events.inori.vocabulary import CardId, Colour, RuneId, TreeSpaceId
from events.messages import Seat
from tests.inori.play import moments
from tests.inori.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    RULES,
    Change,
    asked,
    chief_of,
    emptied,
    fields,
    in_play,
    lay_aside,
    legal,
    offer,
    on_card,
    on_tree,
    opened,
    play,
    runes,
    season,
    season_end,
    table_with,
    tokens,
    tree,
)
from tests.spec import context
from workers.inori.state import InoriOptions, InoriState


def test_ruling_55_roots_hold_the_colours_no_start_card_has() -> None:
    """Yellow, red and grey cards leave purple, blue and green."""
    table = opened(cards=["S3-YEL", "S3-RED", "S3-GRY"])
    roots = [spot.tokens for spot in table.state.tree[6:]]

    assert [("PUR", "PUR"), ("BLU", "BLU"), ("GRN", "GRN")] == roots
    assert (15, 13, 15, 13, 15, 13) == table.state.supply


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_set_up_draws_one_start_card_of_each_pair(seats: int) -> None:
    """From the set for so many seats; the piles hold all others."""
    firsts, starts, piles = Counter[int](), set[str](), [set[tuple[str, ...]]() for _ in range(8)]
    for number in range(40):
        state: InoriState = RULES.initial(InoriOptions(), seats)
        for event in RULES.open_(state, context(version=number)):
            state = RULES.evolve(state, event)
        cards = [state.card(slot.card) for slot in state.slots]
        assert all(card.colour in pair for card, pair in zip(cards, CATALOGUE.pairs, strict=True))
        assert {f"S{4 if seats == 4 else 3}"} == {card.id[:2] for card in cards}
        assert [6] * 6 == [len(pile) for pile in state.journey]
        assert (15, 6, 2) == (len(state.rune_pile), len(state.new_start), state.neutrals)
        assert [(0, (), 0)] * seats == [(chief.score, chief.runes, sum(chief.tokens)) for chief in state.chiefs]
        firsts[state.turn] += 1
        starts.update(card.id for card in cards)
        for orders, pile in zip(piles, (state.rune_pile, state.new_start, *state.journey), strict=True):
            orders.add(pile)

    assert all(len(orders) > 20 for orders in piles)
    assert set(range(seats)) == set(firsts)
    assert 6 == len(starts)


@pytest.mark.parametrize(("seats", "by_season"), [(2, [4, 5, 6, 7]), (3, [3, 4, 5, 6]), (4, [3, 3, 4, 5])])
def test_ruling_51_pieces_by_season(seats: int, by_season: list[int]) -> None:
    """They rise as the seasons bring them."""
    seen = {after.season: after.chiefs[0].pieces for _, _, after in moments(seats, 1) if after.phase == "turns"}

    assert by_season == list(seen.values())


@pytest.mark.parametrize("seed", range(2, 7))
@pytest.mark.parametrize(("seats", "total"), [(2, 44), (3, 54), (4, 60)])
def test_a_game_takes_so_many_offerings(seats: int, total: int, seed: int) -> None:
    """Passes included."""
    kinds = Counter[str]()
    for _, events, _ in moments(seats, seed):
        kinds.update(str(event.__struct_config__.tag) for event in events)

    assert total == kinds["offered_to_card"] + kinds["offered_to_tree"] + kinds["piece_laid_aside"]
    assert 3 == kinds["new_start_cards_drawn"] == kinds["new_start_placed"] == kinds["pieces_taken_back"]
    assert (2 if seats == 4 else 3) == kinds["waiting_pieces_taken"]


def scores(*points: int) -> Change:
    def change(state: InoriState) -> InoriState:
        for seat, each in enumerate(points):
            state = chief_of(Seat(seat), offerings=each)(state)
        return state

    return change


def test_ruling_52_of_those_with_fewest_points_the_last_in_order_begins() -> None:
    """The order was Bo, Cy, Ann; Bo and Cy tie."""
    happened = season_end(scores(10, 7, 7), fields(order=(BO, CY, ANN)))

    happened.then_includes(NewStartCardsDrawn(seat=CY, cards=(CardId("NS-YEL"), CardId("NS-BLU"))))
    assert {CY: "new_start"} == asked(happened)
    chosen = happened.after.when(ChooseNewStart(seat=CY, card=CardId("NS-BLU")))
    chosen.then(NewStartPlaced(seat=CY, card=CardId("NS-BLU")))
    assert {CY: "offer"} == asked(chosen)
    assert ((CY, ANN, BO), 2) == (chosen.state().order, chosen.state().season)
    assert CardId("NS-BLU") == chosen.state().slots[3].card


def test_ruling_52_the_last_in_order_need_not_sit_last() -> None:
    """The order was Bo, Cy, Ann; Ann and Bo tie."""
    happened = season_end(scores(7, 7, 10), fields(order=(BO, CY, ANN)))

    happened.then_includes(NewStartCardsDrawn(seat=ANN, cards=(CardId("NS-YEL"), CardId("NS-BLU"))))
    assert {ANN: "new_start"} == asked(happened)


def test_ruling_53_three_seasons_use_up_the_new_start_deck() -> None:
    """Six drawn, three played, three gone."""
    drawn: list[str] = []
    last: InoriState | None = None
    for _, events, after in moments(3, 4):
        drawn += [card for event in events if isinstance(event, NewStartCardsDrawn) for card in event.cards]
        last = after

    assert last is not None
    assert set(CATALOGUE.of_kind("new_start")) == set(drawn)
    assert ((), 6) == (last.new_start, len(last.slots))
    assert 6 == len(drawn)


@pytest.mark.parametrize(("seats", "gained"), [(2, True), (3, True), (4, False)])
def test_no_piece_waits_for_season_2_of_four_seats(seats: int, *, gained: bool) -> None:
    """The exception of the season track."""
    happened = season_end(seats=seats)

    assert gained == any(isinstance(event, WaitingPiecesTaken) for event in happened.events)


def blocked(*changes: Change) -> list[Change]:
    """Every card and Altar space is occupied or not payable for Ann, T7 and T9 occupied, T8 emptied and free."""
    altars: tuple[Colour, ...] = ("YEL", "BLU", "GRY", "PUR", "RED", "GRN")
    return [
        in_play("J5-YEL", "J5-BLU", "J5-GRY"),
        *(chief_of(seat, pieces=3, left=3) for seat in (BO, CY)),
        *(on_card(card, [owner]) for card, owner in (("J5-YEL", BO), ("J5-BLU", CY), ("J5-GRY", BO))),
        *(on_tree(f"T{number}", altar=colour) for number, colour in enumerate(altars, start=1)),
        emptied("T7", "T8", "T9"),
        on_tree("T7", CY),
        on_tree("T9", ANN),
        *changes,
    ]


def test_ruling_102_an_emptied_root_is_an_offering() -> None:
    """It is made at once where nothing else can be and no rune is held; passing is not allowed."""
    table = table_with(*blocked(runes(ANN, "O-RED")))

    assert [tree("T8")] == list(legal(table))
    table.when(lay_aside()).then_refused("offering_possible")


def test_ruling_102_with_roots_closed_passing_is_the_only_option() -> None:
    """Without a rune that could help."""
    table = table_with(*blocked(runes(ANN, "O-RED")), options=InoriOptions(roots_close=True))

    assert [LayPieceAside(seat=ANN)] == list(legal(table))
    happened = table.when(lay_aside())
    happened.then_includes(PieceLaidAside(seat=ANN))
    assert (1, 1) == (happened.state().chiefs[ANN].left, happened.state().chiefs[ANN].aside)


def test_the_only_offering_is_made_without_asking_who_holds_no_rune() -> None:
    """What Ann must do is known to all: her last place is the emptied root."""
    table = table_with(*blocked(tokens(CY, BLU=1)), fields(turn=CY))

    table.when(tree("T2", CY)).then_includes(OfferedToTree(seat=ANN, space=TreeSpaceId("T8")))


@pytest.mark.parametrize("rune", ["F-YEL", "I-YEL", "S1"])
def test_the_only_offering_is_asked_for_of_who_holds_a_rune(rune: str) -> None:
    """Whichever it is: whether it could be played is a secret."""
    table = table_with(*blocked(tokens(CY, BLU=1), runes(ANN, rune)), fields(turn=CY))

    assert {ANN: "offer"} == asked(table.when(tree("T2", CY)))


def test_by_the_option_the_only_offering_is_still_asked_of_who_holds_a_rune() -> None:
    """Although none can be played any more: as without the option, a hand tells nothing."""
    one_rune = InoriOptions(one_rune_per_turn=True)
    changes = blocked(on_tree("T5", CY, altar="RED"))
    table = table_with(*changes, runes(ANN, "F-RED", "S1"), options=one_rune).when(play("F-RED"))
    last = table_with(*changes, runes(ANN, "F-RED"), options=one_rune).when(play("F-RED"))

    table.then(RunePlayed(seat=ANN, rune=RuneId("F-RED")), TokensGained(seat=ANN, tokens=("RED", "RED")))
    assert {ANN: "offer"} == asked(table)
    assert [tree("T8")] == list(legal(table.after))
    last.then_includes(OfferedToTree(seat=ANN, space=TreeSpaceId("T8")))


def test_a_pass_without_a_rune_is_not_asked_either() -> None:
    """Nothing else is left to her."""
    closed = InoriOptions(roots_close=True)
    table = table_with(*blocked(tokens(CY, BLU=1)), fields(turn=CY), options=closed)

    table.when(tree("T2", CY)).then_includes(PieceLaidAside(seat=ANN))


def test_a_chief_without_pieces_left_gets_no_turn() -> None:
    """Play passes over to the next who has one."""
    table = table_with(chief_of(BO, left=0, aside=3))

    assert {CY: "offer"} == asked(table.when(offer("S3-YEL", 1)))


def test_cards_of_a_season_are_replaced_in_their_slots() -> None:
    """In order, each by one card."""
    happened = season_end(season(2), on_card("S3-YEL", [BO], [CY], [BO]))
    replaced = [(event.old, event.new) for event in happened.events if isinstance(event, CardReplaced)]

    assert [("S3-YEL", "J1-YEL"), ("S3-BLU", "J1-RED"), ("S3-GRY", "J1-GRN"), ("NS-YEL", "J1-PUR")] == replaced
