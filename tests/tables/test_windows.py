"""Standing answers and the floor of windows, played at Inis (a part of every table's life)."""

from __future__ import annotations

from msgspec.structs import replace

from events.codec import to_json
from events.inis.commands import PassTurn, Respond
from events.messages import SPECTATOR, TableId
from events.tables.commands import DropStandingAnswer, OpenTable, SetStandingAnswer, StartTable, TakeSeat
from events.tables.events import StandingAnswerDropped, StandingAnswerSet
from events.tables.vocabulary import Player
from projections.tables.chronicle import chapter, told
from projections.tables.projections import document, documents
from projections.tables.view import table_view
from tests.inis.table import dealt, state_with
from tests.tables.life import ANN, BO, SHELF, Life, sitting, started
from workers.tables.state import unopened

WINDOW = "turn_end"


def playing(**options: int) -> Life:
    """Return a table of Inis on Ann's turn; both hold an Epic Tale, so both are asked when it ends."""
    life = Life(unopened(TableId("inis-life"), SHELF))
    life = life.when(OpenTable(game="inis", seats=2, options=dict(options)))
    for seat in (ANN, BO):
        life = life.when(TakeSeat(seat=seat, player=Player(f"p{seat}")))
    life = life.when(StartTable())
    state = dealt(dealt(state_with(seats=2, clans={"cove": (1, 1)}), ANN, "eriu"), BO, "oenguss_ploy")
    return Life(replace(life.state, game_state=state))


def test_without_standing_answers_all_are_asked() -> None:
    """Both are shown as asked until the window closes, although Ann has answered."""
    life = playing().when(PassTurn(seat=ANN), by=sitting(ANN))
    life = life.when(Respond(seat=ANN), by=sitting(ANN))

    assert [ANN, BO] == [each.seat for each in table_view(life.state, SPECTATOR).asked]
    assert () == tuple(table_view(life.state, ANN).legal)


def test_standing_answers_of_all_close_the_window_within_the_command() -> None:
    """Nobody is asked."""
    life = playing()
    for seat in (ANN, BO):
        life = life.when(SetStandingAnswer(seat=seat, window=WINDOW), by=sitting(seat))
        assert [StandingAnswerSet(seat=seat, window=WINDOW)] == list(life.events)
    life = life.when(PassTurn(seat=ANN), by=sitting(ANN))

    assert ["turn_passed", "window_closed"] == life.kinds()
    assert BO in life.state.prompts


def test_a_window_waits_for_those_without() -> None:
    """And closes with the last of their answers."""
    life = playing().when(SetStandingAnswer(seat=BO, window=WINDOW), by=sitting(BO))
    life = life.when(PassTurn(seat=ANN), by=sitting(ANN))
    assert {ANN, BO} == set(life.state.prompts)

    assert ["window_answered", "window_closed"] == life.when(Respond(seat=ANN), by=sitting(ANN)).kinds()


def test_a_standing_answer_is_dropped() -> None:
    """From then on the seat is asked again."""
    life = playing()
    for seat in (ANN, BO):
        life = life.when(SetStandingAnswer(seat=seat, window=WINDOW), by=sitting(seat))
    life = life.when(DropStandingAnswer(seat=BO, window=WINDOW), by=sitting(BO))
    assert [StandingAnswerDropped(seat=BO, window=WINDOW)] == list(life.events)
    life = life.when(PassTurn(seat=ANN), by=sitting(ANN))

    assert {ANN, BO} == set(life.state.prompts)


def test_standing_answers_are_refused_where_they_make_no_sense() -> None:
    """Twice, at no window, by another seat, at a game without windows, or dropped without one."""
    life = playing()
    life.when(SetStandingAnswer(seat=ANN, window="lunch"), by=sitting(ANN)).then_refused("unknown_window")
    life.when(SetStandingAnswer(seat=ANN, window=WINDOW), by=sitting(BO)).then_refused("not_your_seat")
    life.when(DropStandingAnswer(seat=ANN, window=WINDOW), by=sitting(ANN)).then_refused("no_standing_answer")
    life = life.when(SetStandingAnswer(seat=ANN, window=WINDOW), by=sitting(ANN))
    life.when(SetStandingAnswer(seat=ANN, window=WINDOW), by=sitting(ANN)).then_refused("standing_answer_set")
    started().when(SetStandingAnswer(seat=ANN, window=WINDOW), by=sitting(ANN)).then_refused("unknown_window")


def test_what_a_seat_has_set_is_told_to_nobody_else() -> None:
    """Neither view nor chronicle shows it."""
    before = playing()
    life = before.when(SetStandingAnswer(seat=BO, window=WINDOW), by=sitting(BO))
    (event,) = life.events

    assert [None, None] == [told(before.state, event, viewpoint) for viewpoint in (SPECTATOR, ANN)]
    assert event == told(before.state, event, BO)
    assert (WINDOW,) == table_view(life.state, BO).standing
    for viewpoint in (SPECTATOR, ANN):
        seen = replace(table_view(life.state, viewpoint), version=before.state.version)
        assert to_json(table_view(before.state, viewpoint)) == to_json(seen)


def test_the_chronicle_does_not_say_who_answered() -> None:
    """Nor who set a standing answer: a chapter that tells others nothing names no seat."""
    life = playing().when(PassTurn(seat=ANN), by=sitting(ANN))
    answered = life.when(Respond(seat=BO), by=sitting(BO))
    told_of = chapter(life.state, answered.events, at=1_000, seat=BO)

    assert (None, b"[]") == (told_of.seat, told_of.told(ANN))
    assert b"window_answered" in told_of.told(BO)


def test_a_stored_document_says_what_the_view_says() -> None:
    """With a standing answer and without."""
    life = playing().when(SetStandingAnswer(seat=BO, window=WINDOW), by=sitting(BO))
    stored = documents(life.state)

    assert b'"standing":["turn_end"]' in document(stored["spectator"], stored["1"])
    assert b'"standing"' not in document(stored["spectator"], stored["0"])


def test_no_window_is_answered_before_its_floor() -> None:
    """An answer that comes too soon is refused, with how long to wait; then it counts."""
    life = playing(window_floor=500).when(PassTurn(seat=ANN), by=sitting(ANN), at=10_000)
    too_soon = life.when(Respond(seat=ANN), by=sitting(ANN), at=10_400)
    too_soon.then_refused("too_soon")
    assert {"wait_ms": 100} == too_soon.details

    assert ["window_answered"] == life.when(Respond(seat=ANN), by=sitting(ANN), at=10_500).kinds()


def test_the_floor_is_for_windows_alone() -> None:
    """A turn may be taken at once."""
    life = playing(window_floor=500)

    assert life.when(PassTurn(seat=ANN), by=sitting(ANN), at=1).code is None
