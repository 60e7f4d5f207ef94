"""A table opens, fills, starts, and ends; only those who may can make it do so."""

from __future__ import annotations

import pytest

from events.chance import commitment
from events.messages import Command, Outcome, Seat
from events.tables.commands import Concede, LeaveSeat, OpenTable, StartTable, TakeSeat
from events.tables.events import SeatConceded, SeatLeft, SeatTaken, SeedRevealed, TableEnded, TableOpened
from events.tables.vocabulary import Actor, OptionValue, Player
from tests.tables.life import ANN, BO, CY, DI, PLATFORM, SECRET, STRANGER, Life, bot, opened, sitting, started


def test_opening_pins_all_that_the_rules_depend_on() -> None:
    """A table's first event names rules, catalogue and options, and promises its secret."""
    (event,) = Life().when(OpenTable(game="nains", seats=2, options={"thin_treasury": True})).events

    assert isinstance(event, TableOpened)
    assert ("nains", 2, 1, 1, "tables-r-us") == (event.game, event.seats, event.rules, event.catalogue, event.platform)
    assert {"thin_treasury": True, "tie_break": "shared"} == event.options
    assert 32 == len(event.digest)
    assert commitment(SECRET) == event.commitment


def test_bots_sit_down_as_the_table_opens() -> None:
    """Whoever opens a table may fill seats with bots at once."""
    life = Life().when(OpenTable(game="nains", seats=2, bots=((BO, "greedy"),)))

    assert SeatTaken(seat=BO, player=Player("bot:greedy")) == life.events[1]


@pytest.mark.parametrize(
    ("options", "seats", "bots", "code"),
    [
        ({}, 1, (), "seats_out_of_range"),
        ({}, 6, (), "seats_out_of_range"),
        ({}, -1, (), "seats_out_of_range"),
        ({"no_such": True}, 2, (), "malformed"),
        ({"thin_treasury": 1}, 2, (), "malformed"),
        ({"tie_break": "coin"}, 2, (), "malformed"),
        ({}, 2, ((Seat(2), "random"),), "malformed"),
        ({}, 2, ((ANN, "random"), (ANN, "random")), "malformed"),
        ({}, 2, ((Seat(-1), "random"),), "malformed"),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(
    options: dict[str, OptionValue], seats: int, bots: tuple[tuple[Seat, str], ...], code: str
) -> None:
    """Seats, options and bots must be such as the game has."""
    Life().when(OpenTable(game="nains", seats=seats, options=options, bots=bots)).then_refused(code)


def test_a_game_must_be_the_one_the_table_is_named_after() -> None:
    """A table of one game never plays another."""
    Life().when(OpenTable(game="no-such-game", seats=2)).then_refused("unknown_game")


def test_only_a_platform_opens() -> None:
    """A seat's token opens nothing."""
    Life().when(OpenTable(game="nains", seats=2), by=sitting(ANN)).then_refused("not_allowed")


def test_a_table_opens_once() -> None:
    """A second opening is refused."""
    opened().when(OpenTable(game="nains", seats=3)).then_refused("table_exists")


def test_a_seat_is_taken_and_left() -> None:
    """Before the start a seat may be given up again."""
    salt = bytes(32)
    taken = opened().when(TakeSeat(seat=ANN, player=Player("ann"), salt=salt))
    taken.then(SeatTaken(seat=ANN, player=Player("ann"), salt=salt))
    taken.when(TakeSeat(seat=ANN, player=Player("bo"))).then_refused("seat_taken")
    left = taken.when(LeaveSeat(seat=ANN), by=sitting(ANN)).then(SeatLeft(seat=ANN))
    left.when(LeaveSeat(seat=ANN)).then_refused("seat_free")
    left.when(TakeSeat(seat=ANN, player=Player("bo"))).then(SeatTaken(seat=ANN, player=Player("bo")))


@pytest.mark.parametrize(
    ("command", "by", "code"),
    [
        (TakeSeat(seat=Seat(3), player=Player("x")), PLATFORM, "unknown_seat"),
        (TakeSeat(seat=Seat(-1), player=Player("x")), PLATFORM, "unknown_seat"),
        (TakeSeat(seat=ANN, player=Player("")), PLATFORM, "malformed"),
        (TakeSeat(seat=ANN, player=Player("x" * 65)), PLATFORM, "malformed"),
        (TakeSeat(seat=ANN, player=Player("x"), salt=b"short"), PLATFORM, "malformed"),
        (TakeSeat(seat=ANN, player=Player("x")), STRANGER, "unknown_table"),
        (TakeSeat(seat=ANN, player=Player("x")), sitting(ANN), "not_allowed"),
        (LeaveSeat(seat=ANN), sitting(BO), "not_your_seat"),
        (LeaveSeat(seat=Seat(9)), PLATFORM, "unknown_seat"),
        (StartTable(), PLATFORM, "seats_free"),
        (StartTable(), sitting(ANN), "not_allowed"),
        (Concede(seat=ANN), sitting(ANN), "table_not_started"),
    ],
)
def test_an_open_table_says_no(command: Command, by: Actor, code: str) -> None:
    """Each wrong wish has its own code."""
    opened().when(command, by=by).then_refused(code)


def test_an_unopened_table_is_unknown() -> None:
    """Nothing but opening can happen to a table that is not there."""
    Life().when(StartTable()).then_refused("unknown_table")


def test_play_begins_when_all_sit() -> None:
    """The start sets the game up; nobody joins or leaves from then on."""
    life = started()

    assert "table_started" == life.kinds()[0]
    assert {ANN, BO, CY} == set(life.state.prompts)
    life.when(StartTable()).then_refused("table_started")
    life.when(LeaveSeat(seat=ANN)).then_refused("table_started")
    life.when(TakeSeat(seat=ANN, player=Player("x"))).then_refused("table_started")


def test_a_salt_changes_the_deal() -> None:
    """Whoever sits down has a hand in all chance."""
    deals = []
    for salt in (b"", bytes(32), b"\x01" * 32):
        life = opened(2).when(TakeSeat(seat=ANN, player=Player("ann"), salt=salt))
        life = life.when(TakeSeat(seat=BO, player=Player("bo"))).when(StartTable())
        deals.append(str(life.events))

    assert 3 == len(set(deals))


def test_nobody_plays_for_another_seat() -> None:
    """A seat's token, a platform's key and the bots' token each do what they are for."""
    life = started()
    wish = life.legal(ANN)[0]
    for by in (sitting(BO), PLATFORM, bot(ANN), Actor("seat", "tables-r-us"), Actor("arbiter", "tables-r-us", ANN)):
        life.when(wish, by=by).then_refused("not_your_seat")
    life.when(wish, by=Actor("seat", "somebody-else", ANN)).then_refused("unknown_table")

    assert life.when(wish, by=sitting(ANN)).code is None


def test_bots_play_for_their_own_seats_only() -> None:
    """The bots' token moves seats that bots hold, each under its own number."""
    life = Life().when(OpenTable(game="nains", seats=2, bots=((BO, "random"),)))
    life = life.when(TakeSeat(seat=ANN, player=Player("ann"))).when(StartTable())
    life.plays(ANN, by=bot(ANN)).then_refused("not_your_seat")
    life.plays(BO, by=bot(ANN)).then_refused("not_your_seat")

    assert life.plays(BO, by=bot(BO)).code is None


def test_conceding_with_two_seats_ends_the_table() -> None:
    """The other seat wins, and the secret is revealed."""
    outcome = Outcome(reason="conceded", ranking=((BO,), (ANN,)))
    started(2).when(Concede(seat=ANN), by=sitting(ANN)).then(
        SeatConceded(seat=ANN), TableEnded(outcome=outcome), SeedRevealed(secret=SECRET)
    ).when(Concede(seat=BO), by=sitting(BO)).then_refused("table_over")


def test_conceding_with_more_seats_lets_a_bot_play_on() -> None:
    """Play goes on; the seat is the bots' from then on."""
    life = started(4).when(Concede(seat=ANN), by=sitting(ANN)).then(SeatConceded(seat=ANN))
    life.when(Concede(seat=ANN), by=sitting(ANN)).then_refused("not_your_seat")
    life.plays(ANN).then_refused("not_your_seat")

    assert life.plays(ANN, by=bot(ANN)).code is None


def test_the_last_seat_that_has_not_conceded_wins() -> None:
    """Who gives up first stands last."""
    life = started(4)
    for seat in (CY, ANN, DI):
        life = life.when(Concede(seat=seat), by=sitting(seat))

    assert Outcome(reason="conceded", ranking=((BO,), (DI,), (ANN,), (CY,))) == life.state.outcome


def test_a_seat_that_conceded_is_ranked_last_however_the_game_ends() -> None:
    """The game's own ranking holds among those who played on."""
    life = started(3).when(Concede(seat=BO), by=sitting(BO))
    while life.state.status == "running":
        seat = min(life.state.prompts)
        life = life.plays(seat, by=bot(seat) if seat == BO else sitting(seat))
    outcome = life.state.outcome

    assert outcome is not None
    assert (BO,) == outcome.ranking[-1]
    assert {ANN, CY} == {seat for group in outcome.ranking[:-1] for seat in group}


def test_simultaneous_answers_are_never_stale() -> None:
    """All seats bet with the version at which the question was put; each bet is good."""
    life = started()
    version = life.state.version
    for seat in (CY, ANN, BO):
        life = life.when(life.legal(seat)[-1], by=sitting(seat), expected=version)
        assert life.code is None


@pytest.mark.parametrize("expected", [-1, 0, 3])
def test_a_click_on_an_old_board_is_stale(expected: int) -> None:
    """What was seen before the question was put does not answer it."""
    life = started()
    life.when(life.legal(ANN)[0], by=sitting(ANN), expected=expected).then_refused("stale_version")


def test_a_click_from_the_future_is_stale() -> None:
    """A version the table has not reached was never seen here."""
    life = started()
    life.when(life.legal(ANN)[0], by=sitting(ANN), expected=life.state.version + 1).then_refused("stale_version")


def test_a_second_click_on_the_same_question_is_stale() -> None:
    """Once a seat has answered, its next question is a new one."""
    life = started().plays(ANN).plays(BO).plays(CY)
    asked = min(life.state.prompts)
    before = life.state.version
    life = life.when(life.legal(asked)[0], by=sitting(asked), expected=before)
    assert life.code is None
    following = min(life.state.prompts)

    life.when(life.legal(following)[0], by=sitting(following), expected=before).then_refused("stale_version")
