"""How a table is run: private, by readiness, by invitation, cancelled, played again."""

from __future__ import annotations

from typing import Any

import pytest

from events.messages import Command, Seat
from events.tables.commands import (
    CancelTable,
    Concede,
    DropReady,
    LeaveSeat,
    LinkRematch,
    OpenTable,
    SetReady,
    StartTable,
    TakeSeat,
)
from events.tables.events import (
    RematchLinked,
    SeatNotReady,
    SeatReady,
    SeatTaken,
    SeedRevealed,
    TableArranged,
    TableCancelled,
)
from events.tables.vocabulary import Actor, Player
from projections.tables.view import table_view
from tests.tables.life import ANN, BO, CY, PLATFORM, SECRET, STRANGER, Life, bot, opened, sitting, started

INVITED = Actor("invited", "tables-r-us")
GUEST = Actor("guest", "tables-r-us")
ARBITER = Actor("arbiter", "tables-r-us")


def arranged(**terms: Any) -> Life:  # noqa: ANN401  any terms
    """Return a table of two seats, just opened under terms."""
    return Life().when(OpenTable(game="nains", seats=2, **terms))


def take(seat: Seat, player: str) -> TakeSeat:
    return TakeSeat(seat=seat, player=Player(player))


def by_ready() -> Life:
    """Return a table of two people that begins when both are ready."""
    return arranged(ready=True).when(take(ANN, "ann")).when(take(BO, "bo"))


def test_terms_are_an_event_where_they_are_not_as_usual() -> None:
    """A table that is run as usual says nothing of it."""
    life = arranged(private=True, spectator_delay=60, ready=True, parent="nains-before")

    assert TableArranged(private=True, spectator_delay=60, ready=True, parent="nains-before") == life.events[1]
    assert ["table_opened"] == arranged(private=False, spectator_delay=0, ready=False, parent="").kinds()


@pytest.mark.parametrize(
    ("terms", "path"),
    [
        ({"spectator_delay": -1}, "$.spectator_delay"),
        ({"spectator_delay": 3_601}, "$.spectator_delay"),
        ({"parent": "inis-other"}, "$.parent"),
        ({"parent": "nowhere"}, "$.parent"),
    ],
)
def test_terms_that_cannot_be_are_refused(terms: dict[str, object], path: str) -> None:
    """The sender is told which of them it is."""
    life = arranged(**terms).then_refused("malformed")

    assert path == life.details["path"]


def test_play_begins_when_the_last_player_is_ready() -> None:
    """Nobody has to press a start button."""
    life = by_ready().when(SetReady(seat=BO), by=sitting(BO)).then(SeatReady(seat=BO))
    assert ["seat_ready", "table_started"] == life.when(SetReady(seat=ANN), by=sitting(ANN)).kinds()[:2]


def test_who_is_ready_can_ask_to_wait() -> None:
    """Then the others being ready begins nothing."""
    life = by_ready().when(SetReady(seat=BO), by=sitting(BO)).when(DropReady(seat=BO), by=sitting(BO))
    life.then(SeatNotReady(seat=BO)).when(DropReady(seat=BO), by=sitting(BO)).then_refused("not_ready")
    life.when(SetReady(seat=ANN), by=sitting(ANN)).then(SeatReady(seat=ANN))


def test_who_sits_down_later_is_asked_again() -> None:
    """Readiness goes with the player who leaves."""
    life = by_ready().when(SetReady(seat=BO), by=sitting(BO)).when(LeaveSeat(seat=BO), by=sitting(BO))
    life = life.when(take(BO, "cy")).when(SetReady(seat=ANN), by=sitting(ANN)).then(SeatReady(seat=ANN))

    assert "open" == life.state.status


def test_a_bot_is_always_ready() -> None:
    """One that takes the last seat begins play if all people are ready."""
    life = arranged(ready=True).when(take(ANN, "ann")).when(SetReady(seat=ANN), by=sitting(ANN))
    life = life.when(take(BO, "bot:random"))

    assert ["seat_taken", "table_started"] == life.kinds()[:2]


def test_bots_alone_begin_nothing() -> None:
    """A table without people waits for its platform."""
    life = arranged(ready=True).when(take(ANN, "bot:random")).when(take(BO, "bot:random"))

    assert "open" == life.state.status
    assert "table_started" == life.when(StartTable()).kinds()[0]


@pytest.mark.parametrize(
    ("command", "by", "code"),
    [
        (SetReady(seat=ANN), sitting(BO), "not_your_seat"),
        (SetReady(seat=ANN), PLATFORM, "not_your_seat"),
        (SetReady(seat=Seat(7)), sitting(Seat(7)), "unknown_seat"),
        (DropReady(seat=ANN), sitting(ANN), "not_ready"),
    ],
)
def test_readiness_is_the_players_own(command: Command, by: Actor, code: str) -> None:
    """Nobody is ready for anybody else."""
    by_ready().when(command, by=by).then_refused(code)


def test_readiness_is_said_once_and_where_it_is_asked_for() -> None:
    """A table that the platform starts asks nobody; one that began asks no more."""
    ready = by_ready().when(SetReady(seat=ANN), by=sitting(ANN))
    ready.when(SetReady(seat=ANN), by=sitting(ANN)).then_refused("already_ready")
    opened().when(take(ANN, "ann")).when(SetReady(seat=ANN), by=sitting(ANN)).then_refused("ready_not_asked")
    started().when(SetReady(seat=ANN), by=sitting(ANN)).then_refused("table_started")
    opened().when(SetReady(seat=ANN), by=sitting(ANN)).then_refused("not_your_seat")


def test_the_view_offers_what_the_seat_may_say() -> None:
    """Each seat sees who is ready, and its own next word."""
    life = by_ready().when(SetReady(seat=BO), by=sitting(BO))

    assert ("leave_seat", "set_ready") == table_view(life.state, ANN).offers
    assert ("leave_seat", "drop_ready") == table_view(life.state, BO).offers
    assert [False, True] == [each.ready for each in table_view(life.state, None).seats]


@pytest.mark.parametrize("by", [INVITED, GUEST])
def test_whoever_joins_on_their_own_sits_once(by: Actor) -> None:
    """A platform may seat one player twice; a player who comes alone may not hold two hands."""
    life = opened().when(take(ANN, "ann"), by=by).then(SeatTaken(seat=ANN, player=Player("ann")))
    life.when(take(BO, "ann"), by=by).then_refused("already_seated")
    life.when(take(BO, "ann")).then(SeatTaken(seat=BO, player=Player("ann")))


def test_a_private_table_is_joined_by_invitation() -> None:
    """Guests have to be asked in."""
    life = arranged(private=True)
    life.when(take(ANN, "ann"), by=GUEST).then_refused("not_invited")
    life.when(take(ANN, "ann"), by=INVITED).then(SeatTaken(seat=ANN, player=Player("ann")))


def test_a_guest_fills_seats_with_bots_and_an_invited_player_does_not() -> None:
    """An invitation is for one person."""
    life = opened().when(take(ANN, "bot:random"), by=GUEST).when(take(BO, "bot:random"), by=GUEST)
    life.then(SeatTaken(seat=BO, player=Player("bot:random")))
    life.when(take(CY, "bot:random"), by=INVITED).then_refused("not_allowed")


@pytest.mark.parametrize("by", [ARBITER, INVITED, bot(ANN)])
def test_opening_and_starting_are_for_hosts(by: Actor) -> None:
    """An arbiter, a bot and an invited player open nothing and start nothing."""
    Life().when(OpenTable(game="nains", seats=2), by=by).then_refused("not_allowed")
    opened().when(StartTable(), by=by).then_refused("not_allowed")


@pytest.mark.parametrize(
    ("life", "by"), [(opened(), PLATFORM), (opened(), GUEST), (started(), PLATFORM), (started(), ARBITER)]
)
def test_a_table_is_cancelled_without_an_outcome(life: Life, by: Actor) -> None:
    """Its secret is shown, and nothing happens there any more."""
    over = life.when(CancelTable(), by=by).then(TableCancelled(by=by.role), SeedRevealed(secret=SECRET))
    over.when(CancelTable()).then_refused("table_over")
    over.when(Concede(seat=ANN), by=sitting(ANN)).then_refused("table_over")

    assert ("over", by.role, None) == (over.state.status, over.state.cancelled, over.state.outcome)
    assert by.role == table_view(over.state, ANN).cancelled


@pytest.mark.parametrize(
    ("by", "code"), [(sitting(ANN), "not_allowed"), (STRANGER, "unknown_table"), (GUEST, "table_started")]
)
def test_only_platform_and_arbiter_cancel(by: Actor, code: str) -> None:
    """A seat concedes instead; and a guest, once play has begun."""
    started().when(CancelTable(), by=by).then_refused(code)


def test_a_rematch_is_noted_once_at_a_table_that_is_over() -> None:
    """Whoever looks at the old table finds the new one."""
    started().when(LinkRematch(table="nains-again")).then_refused("table_not_over")
    over = started().when(CancelTable())
    linked = over.when(LinkRematch(table="nains-again")).then(RematchLinked(table="nains-again"))
    linked.when(LinkRematch(table="nains-other")).then_refused("rematch_linked")
    over.when(LinkRematch(table="nains-again"), by=STRANGER).then_refused("unknown_table")
    over.when(LinkRematch(table="nains-again"), by=ARBITER).then_refused("not_allowed")
    for wrong in ("nains-life", "inis-again", "nowhere"):
        over.when(LinkRematch(table=wrong)).then_refused("malformed")

    assert "nains-again" == table_view(linked.state, None).rematch
