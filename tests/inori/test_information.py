"""Who is shown and told what (rules, section 8)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events.codec import to_json
from events.inori.events import NewStartCardsDrawn, RuneDrawn, RunePlayed, RunesShuffled
from events.inori.vocabulary import CardId, RuneId
from events.messages import Event, Seat, Viewpoint
from projections.doors import told_door
from projections.inori.table import table_view
from tests.inori.play import moments
from tests.inori.table import (
    ANN,
    BO,
    NEUTRAL,
    choose,
    move,
    offer,
    on_card,
    on_tree,
    opened,
    play,
    runes,
    season_end,
    table_with,
    tokens,
)
from tests.spec import Scenario
from workers.inori.state import InoriState

SPECTATOR: Viewpoint = None
told = told_door("inori")


def view(table: Scenario, viewpoint: Viewpoint) -> Any:  # noqa: ANN401  JSON
    return msgspec.json.decode(to_json(table_view(table.state, viewpoint)))


def told_of(state: InoriState, event: Event, viewpoint: Viewpoint) -> Any:  # noqa: ANN401  JSON
    return msgspec.json.decode(to_json(told(state, event, viewpoint)))


def test_only_their_owner_sees_which_runes_are_held() -> None:
    """Others see how many."""
    table = table_with(runes(ANN, "F-YEL", "S1"))

    assert ["F-YEL", "S1"] == view(table, ANN)["chiefs"][ANN]["runes"]
    for viewpoint in (BO, SPECTATOR):
        chief = view(table, viewpoint)["chiefs"][ANN]
        assert (2, False) == (chief["rune_count"], "runes" in chief)


def test_a_rune_drawn_is_told_without_its_kind() -> None:
    """A rune played is told in full."""
    state = opened().state
    drawn, played = RuneDrawn(seat=ANN, rune=RuneId("S1")), RunePlayed(seat=ANN, rune=RuneId("S1"))

    assert {"kind": "rune_drawn", "seat": ANN, "rune": "S1"} == told_of(state, drawn, ANN)
    for viewpoint in (BO, SPECTATOR):
        assert {"kind": "rune_drawn", "seat": ANN} == told_of(state, drawn, viewpoint)
        assert told_of(state, played, ANN) == told_of(state, played, viewpoint)


def test_only_who_chooses_sees_the_new_start_cards_drawn() -> None:
    """The other one stays hidden for good."""
    happened = season_end()
    (drawn,) = [event for event in happened.events if isinstance(event, NewStartCardsDrawn)]
    chooser = drawn.seat
    others = [each for each in (ANN, BO, SPECTATOR) if each != chooser]

    assert list(drawn.cards) == view(happened.after, chooser)["drawn"]
    assert list(drawn.cards) == told_of(happened.state(), drawn, chooser)["cards"]
    for viewpoint in others:
        assert "drawn" not in view(happened.after, viewpoint)
        expected = {"kind": "new_start_cards_drawn", "seat": chooser, "amount": 2}
        assert expected == told_of(happened.state(), drawn, viewpoint)


def test_what_remains_in_a_journey_pile_is_public_and_its_order_is_not() -> None:
    """The cards stand in the order of the catalogue."""
    table = opened().given_state(
        lambda state: msgspec.structs.replace(state, journey=tuple(pile[::-1] for pile in state.journey))
    )

    assert [f"J{number}-YEL" for number in range(1, 7)] == view(table, SPECTATOR)["journey"]["YEL"]


def test_shuffles_are_told_by_size() -> None:
    """To everybody."""
    event = RunesShuffled(pile=(RuneId("S1"), RuneId("S2")))

    assert {"kind": "runes_shuffled", "amount": 2} == told_of(opened().state, event, ANN)


def test_the_whole_table_is_seen() -> None:
    """Enough to draw it."""
    table = table_with(on_card("S3-YEL", [ANN, BO], [NEUTRAL]), on_tree("T4", BO, altar="RED"), tokens(ANN, YEL=2))
    seen = view(table, SPECTATOR)

    slot = {"card": "S3-YEL", "colour": "YEL", "pieces": [[ANN, BO], [None], []], "complete": False}
    assert slot == seen["slots"][0]
    assert {"space": "T4", "pieces": [BO], "altar": "RED", "tokens": []} == seen["tree"][3]
    assert {"space": "T7", "pieces": [], "altar": None, "tokens": ["PUR", "PUR"]} == seen["tree"][6]
    assert {"YEL": 2, "BLU": 0, "GRY": 0, "PUR": 0, "RED": 0, "GRN": 0} == seen["chiefs"][ANN]["tokens"]
    assert 13 == seen["supply"]["YEL"]
    assert ["YEL", "BLU", "GRY", "PUR", "GRN"] == seen["altars_left"]
    assert (1, 15, 6, ANN, 1, 4) == tuple(
        seen[name] for name in ("neutrals", "rune_pile", "new_start", "acting", "season", "seasons")
    )
    assert [3, 2, [2, 3, 4]] == [seen["chiefs"][ANN][name] for name in ("pieces", "left", "waiting")]


@pytest.mark.parametrize(
    ("seats", "waiting"),
    [
        (2, {1: [2, 3, 4], 2: [3, 4], 3: [4], 4: []}),
        (3, {1: [2, 3, 4], 2: [3, 4], 3: [4], 4: []}),
        (4, {1: [3, 4], 2: [3, 4], 3: [4], 4: []}),
    ],
)
def test_the_season_spaces_with_waiting_pieces_are_seen(seats: int, waiting: dict[int, list[int]]) -> None:
    """One after another is emptied as the seasons come."""
    seen = {
        after.season: [list(chief.waiting) for chief in table_view(after, SPECTATOR).chiefs]
        for _, _, after in moments(seats, 3)
        if after.phase == "turns"
    }

    assert {season: [each] * seats for season, each in waiting.items()} == seen


def test_the_question_is_the_same_whatever_runes_are_held() -> None:
    """Also in the late window, and when only one offering is possible."""
    one = table_with(runes(ANN, "F-YEL"))
    other = table_with(runes(ANN, "S1"))

    assert one.state.prompts == other.state.prompts
    late = [table.when(offer("S3-YEL", 1)).state() for table in (one, other)]
    assert late[0].prompts == late[1].prompts
    assert table_view(late[0], BO) == table_view(late[1], BO)


def test_a_played_rune_is_seen_in_the_discard() -> None:
    """By all."""
    table = table_with(runes(ANN, "F-YEL")).when(play("F-YEL")).after

    assert ["F-YEL"] == view(table, SPECTATOR)["rune_discard"]


def test_the_piece_chosen_for_a_move_is_seen_by_all() -> None:
    """While it is asked where it goes."""
    table = table_with(on_card("S3-BLU", [BO, ANN]), runes(ANN, "I-YEL")).when(play("I-YEL")).after
    chosen = table.when(choose(BO, "S3-BLU", 1)).after

    assert "chosen" not in view(table, SPECTATOR)
    assert {"owner": BO, "card": "S3-BLU", "space": 1} == view(chosen, SPECTATOR)["chosen"]
    assert "chosen" not in view(chosen.when(move("S3-YEL", 1)).after, SPECTATOR)


@pytest.mark.parametrize("seed", range(11, 16))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_scores_never_fall(seats: int, seed: int) -> None:
    """Nothing costs points."""
    for before, _, after in moments(seats, seed):
        assert all(old.score <= new.score for old, new in zip(before.chiefs, after.chiefs, strict=True))


def test_seats_are_numbers_in_views() -> None:
    """So that a client finds the chief of a piece."""
    assert [0, 1, 2] == [chief["seat"] for chief in view(opened(), Seat(0))["chiefs"]]
    assert CardId("S3-YEL") == view(opened(), Seat(0))["slots"][0]["card"]
