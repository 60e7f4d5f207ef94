"""What the rules say no to, whatever card it is about, and by which code."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import (
    Attack,
    Choose,
    Confirm,
    KeepCards,
    PassTurn,
    PlayCard,
    Respond,
    Shelter,
    TakeBack,
    VotePeace,
    Withdraw,
)
from events.messages import Seat
from events.tables.commands import StartTable
from tests.inis.table import ANN, BO, CY, RULES, Game, assembly, card, clash, fight, part, state_with, turn
from tests.spec import context
from workers.kit.decider import Refused

STRANGERS = (
    KeepCards(seat=ANN, cards=()),
    Choose(seat=ANN, part=part(territory="cove")),
    Confirm(seat=ANN),
    TakeBack(seat=ANN),
    Respond(seat=ANN),
    Shelter(seat=ANN, accept=True),
    VotePeace(seat=ANN, end=True),
    Attack(seat=ANN, target=BO),
    Withdraw(seat=ANN),
)


def drafting() -> Game:
    game = assembly(state_with(clans={"forest": (1, 1)}))
    while not game.state.draft:
        game.answer()
    return game


@pytest.mark.parametrize("command", STRANGERS, ids=lambda each: type(each).__name__)
def test_a_command_answers_the_question_that_was_asked(command: object) -> None:
    """At a turn none of these does."""
    turn(clans={"cove": (1,)}).refuses(command, "wrong_question")  # type: ignore[arg-type]  # a command


@pytest.mark.parametrize("seat", [-1, 3, 99, BO])
def test_nobody_plays_out_of_turn(seat: int) -> None:
    """A seat that is not there never does."""
    turn(clans={"cove": (1,)}, hands={BO: ["bard"]}).refuses(PassTurn(seat=Seat(seat)), "not_your_turn")


def test_a_command_of_table_life_is_none_of_the_game() -> None:
    """It is malformed here."""
    game = turn(clans={"cove": (1,)})
    with pytest.raises(Refused) as refused:
        RULES.decide(game.state, StartTable(), context())
    assert "malformed" == refused.value.code


def test_what_is_kept_in_a_draft() -> None:
    """Cards in front, as many as asked, each once and in their order."""
    game = drafting()
    first, second, *_ = game.state.draft.fronts[ANN] if game.state.draft else ()
    elsewhere = game.state.draft.fronts[BO][0] if game.state.draft else card("bard")
    game.refuses(KeepCards(seat=ANN, cards=(elsewhere,)), "card_not_in_front")
    game.refuses(KeepCards(seat=ANN, cards=()), "wrong_number_of_cards")
    game.refuses(KeepCards(seat=ANN, cards=(first, second)), "wrong_number_of_cards")
    for seat in (ANN, BO, CY):
        game.send(game.legal(seat)[0])
    first, second, *_ = game.state.draft.fronts[ANN] if game.state.draft else ()
    game.refuses(KeepCards(seat=ANN, cards=(second, first)), "cards_not_in_order")
    game.refuses(KeepCards(seat=ANN, cards=(first, first)), "cards_not_in_order")


def test_a_pick_is_final() -> None:
    """Whoever has chosen waits for the others."""
    game = drafting()
    choice = game.legal(ANN)[0]
    game.send(choice).refuses(choice, "not_your_turn")


@pytest.mark.parametrize("name", ["", "bard", "no_such_card"])
def test_a_card_must_be_in_hand(name: str) -> None:
    """As a turn and as an answer."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["sanctuary"], BO: ["druid"]})
    game.refuses(PlayCard(seat=ANN, card=card(name)), "card_not_in_hand")
    game.play(ANN, "sanctuary", part(territory="cove")).calm("action_declared")
    game.refuses(Respond(seat=BO, card=card(name)), "card_not_in_hand")


def test_only_moor_is_played_before_other_answers() -> None:
    """A season card is none for a vote."""
    game = fight(state_with(clans={"forest": (2, 2)}, hands={ANN: ["bard", "eriu"]}))
    game.refuses(PlayCard(seat=ANN, card=card("bard")), "card_not_playable_now")
    game.refuses(PlayCard(seat=ANN, card=card("eriu")), "card_not_playable_now")


def test_who_has_no_exposed_clan_is_not_attacked() -> None:
    """Neither oneself."""
    game = fight(state_with(clans={"forest": (2, 2)})).votes(ANN, end=False)
    game.refuses(Attack(seat=ANN, target=CY), "no_exposed_clan")
    game.refuses(Attack(seat=ANN, target=ANN), "no_exposed_clan")
    game.refuses(Attack(seat=ANN, target=Seat(9)), "no_exposed_clan")


def test_a_withdrawal_needs_a_territory_that_one_leads() -> None:
    """Beside the clash."""
    game = fight(state_with(clans={"forest": (2, 2), "cove": (1, 1)})).votes(ANN, end=False)
    game.refuses(Withdraw(seat=ANN), "no_territory_to_withdraw_to")


def test_a_withdrawal_moves_exposed_clans_to_led_territories() -> None:
    """No more than there are, and nowhere else."""
    game = fight(state_with(clans={"forest": (2, 2), "cove": (1,)})).votes(ANN, end=False).send(Withdraw(seat=ANN))
    game.refuses(Choose(seat=ANN, part=part(to="cove", amount=3)), "choice_not_offered")
    game.refuses(Choose(seat=ANN, part=part(to="moor", amount=1)), "choice_not_offered")
    game.refuses(Confirm(seat=ANN), "declaration_incomplete")
    game.send(TakeBack(seat=ANN))

    assert Withdraw(seat=ANN) in game.legal(ANN)


def test_a_lone_player_without_a_maneuver_ends_the_clash() -> None:
    """There is nothing to fight for."""
    state = state_with(clans={"forest": (1, 1)}, hands={})
    game = fight(state).votes(ANN, end=False).attack(ANN, BO).calm()

    assert [ANN] == game.asked
    game.refuses(VotePeace(seat=ANN, end=False), "no_maneuver_possible")


def test_the_instigator_never_seeks_shelter() -> None:
    """Although a citadel is free."""
    state = state_with(clans={"cove": (1, 1)})
    game = clash(state, "cove").calm()

    assert [BO] == game.asked
    game.refuses(Shelter(seat=ANN, accept=True), "not_your_turn")


def test_nothing_is_accepted_when_the_game_is_over() -> None:
    """Nobody is asked."""
    game = turn(clans={"cove": (1,)})
    state = game.state
    assert state.winner is None
    game.state = replace(state, winner=ANN, phase="over", agenda=())
    game.refuses(PassTurn(seat=ANN), "not_your_turn")
