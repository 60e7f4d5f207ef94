"""What each Action card does, in the order of the document (rules, section 5.1)."""

from __future__ import annotations

import pytest

from events.inis.commands import Choose, Confirm, PlayCard, TakeBack
from events.inis.events.board import CitadelBuilt, ClanPlaced, ClanRemoved, ClashStarted, FestivalHeld
from events.inis.events.cards import (
    CardDiscarded,
    CardStolen,
    CardTaken,
    DeedGained,
    HandSeen,
    PlayCancelled,
    PlayGiven,
    TalesDrawn,
)
from events.inis.events.rounds import TileLaid
from tests.inis.table import ANN, BO, CATALOGUE, CY, Game, built, card, fight, here, part, state_with, turn, with_clans
from workers.inis.state import InisState


def maneuvering(state: InisState, territory: str = "forest") -> Game:
    return fight(state, territory).votes(ANN, end=False)


def test_bard_draws_a_tale() -> None:
    """As a turn."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["bard"]}).play(ANN, "bard").calm()

    assert 1 == len(game.state.contenders[ANN].tales)
    assert card("bard") in game.state.pile


def test_bard_gains_a_deed_for_a_removed_clan() -> None:
    """As the answer to one's own maneuver."""
    game = maneuvering(state_with(clans={"forest": (2, 2)}, hands={ANN: ["bard"]})).attack(ANN, BO)
    game.calm("maneuver_done").answer(ann="bard").calm()

    assert [DeedGained(seat=ANN)] == game.happened(DeedGained)


def test_citadel_builds() -> None:
    """And takes the card from beside the board."""
    game = turn(clans={"forest": (1, 2)}, hands={ANN: ["citadel"]})
    game.play(ANN, "citadel", part(territory="forest")).calm()

    assert (1, 7) == (game.state.lands[here("forest")].citadels, game.state.citadels)
    assert card("forest") in game.state.contenders[ANN].advantages


def test_citadel_without_a_citadel_takes_the_card() -> None:
    """House H19."""
    state = state_with(clans={"forest": (1,)}, hands={ANN: ["citadel"]})
    game = Game(built(state, "moor", citadels=state.citadels)).play(ANN, "citadel", part(territory="forest")).calm()

    assert [] == game.happened(CitadelBuilt)
    assert card("forest") in game.state.contenders[ANN].advantages


def test_conquest_gathers_clans() -> None:
    """From several sides, where one need not be present."""
    game = turn(clans={"cove": (2,), "valley": (1,), "forest": (0, 1)}, hands={ANN: ["conquest"]})
    sources = (part(territory="cove", amount=2), part(territory="valley", amount=1))
    game.play(ANN, "conquest", part(territory="forest"), *sources, confirm=True).calm()

    assert (3, 1, 0) == game.clans("forest")
    assert [ClashStarted(territory=here("forest"), instigator=ANN)] == game.happened(ClashStarted)


def test_conquest_of_nobody_moves_nothing() -> None:
    """No clan at all is allowed."""
    game = turn(clans={"cove": (2,)}, hands={ANN: ["conquest"]})
    game.play(ANN, "conquest", part(territory="forest"), confirm=True).calm()

    assert 2 == game.clans("cove")[ANN]


def test_craftsmen_come_to_citadels() -> None:
    """As many as there are, the Capital among them."""
    state = built(
        state_with(clans={"cove": (1,), "forest": (1,)}, hands={ANN: ["craftsmen_peasants"]}), "forest", citadels=2
    )
    parts = (part(territory="forest", amount=2), part(territory="cove", amount=1))
    game = Game(state).play(ANN, "craftsmen_peasants", *parts, confirm=True).calm()

    assert (2, 3) == (game.clans("cove")[ANN], game.clans("forest")[ANN])


def test_druid_takes_a_card_of_the_pile() -> None:
    """Any."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["druid", "geis"]}).play(ANN, "druid").calm()
    game.choose(ANN, card="conquest")

    assert [CardTaken(seat=ANN, card=card("conquest"), aside=False)] == game.happened(CardTaken)
    assert card("conquest") in game.state.contenders[ANN].actions


def test_exploration_without_tiles_has_no_effect() -> None:
    """It is played all the same."""
    tiles = tuple(CATALOGUE.tiles)
    game = turn(tiles, capital=tiles[0], clans={tiles[0]: (1,)}, hands={ANN: ["exploration"]})
    game.play(ANN, "exploration").calm()

    assert [] == game.happened(TileLaid)
    assert card("exploration") in game.state.pile


def test_festival_places_a_clan_and_moves_the_marker() -> None:
    """It may lie elsewhere (house H20)."""
    state = state_with(clans={"cove": (1,)}, hands={ANN: ["festival"]}, festival=here("forest"))
    game = Game(state).play(ANN, "festival", part(territory="cove")).calm()

    assert [FestivalHeld(territory=here("cove"))] == game.happened(FestivalHeld)
    assert (2, here("cove")) == (game.clans("cove")[ANN], game.state.festival)


def test_geis_cancels_an_opponents_action_card() -> None:
    """It is discarded with it."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["bard"], BO: ["geis"]})
    game.play(ANN, "bard").answer(bo="geis").calm()

    assert [PlayCancelled()] == game.happened(PlayCancelled)
    assert [] == game.happened(TalesDrawn)


def test_migration_goes_several_ways() -> None:
    """With a clash in each; the instigator says which comes first."""
    clans = {"forest": (4,), "cove": (0, 1), "moor": (0, 0, 1), "valley": (0, 1)}
    game = turn(clans=clans, hands={ANN: ["migration"]})
    moves = (part(to="cove", amount=1), part(to="moor", amount=2))
    game.play(ANN, "migration", part(territory="forest"), *moves, confirm=True).calm()
    game.choose(ANN, territory="moor").calm()

    assert [ClashStarted(territory=here("moor"), instigator=ANN)] == game.happened(ClashStarted)
    game.votes(ANN, end=True).votes(CY, end=True).calm()
    assert [ClashStarted(territory=here("cove"), instigator=ANN)] == game.happened(ClashStarted)


def test_new_alliance_places_a_clan() -> None:
    """Option (a)."""
    game = turn(clans={"forest": (1, 2)}, hands={ANN: ["new_alliance"]})
    game.play(ANN, "new_alliance", part(territory="forest"), part(option="place")).calm()

    assert (2, 2, 0) == game.clans("forest")


def test_new_alliance_replaces_a_clan_without_removing_it() -> None:
    """Option (b); nobody may answer (house H21)."""
    game = turn(clans={"forest": (1, 2), "moor": (0, 1)}, hands={ANN: ["new_alliance"], BO: ["the_dagdas_club"]})
    game.play(ANN, "new_alliance", part(territory="forest"), part(option="replace", owner=BO))
    kinds = []
    while game.window:
        kinds.append(game.window)
        game.answer()

    assert "clan_removed" not in kinds
    assert (2, 1, 0) == game.clans("forest")


def test_new_clans_come_to_two_territories() -> None:
    """Or to one; with one in reserve only one comes."""
    game = turn(clans={"forest": (1,), "cove": (1,)}, hands={ANN: ["new_clans"]})
    game.play(ANN, "new_clans", part(territory="forest"), part(territory="cove")).calm()
    assert (2, 2) == (game.clans("forest")[ANN], game.clans("cove")[ANN])

    state = with_clans(state_with(hands={ANN: ["new_clans"]}), "moor", (11,))
    game = Game(state).play(ANN, "new_clans", part(territory="moor")).calm()
    assert 1 == len(game.happened(ClanPlaced))


def test_sanctuary_builds_and_draws() -> None:
    """One of each."""
    game = turn(clans={"forest": (1,)}, hands={ANN: ["sanctuary"]})
    game.play(ANN, "sanctuary", part(territory="forest")).calm()

    assert (1, 1) == (game.state.lands[here("forest")].sanctuaries, len(game.state.contenders[ANN].tales))


def test_warlord_starts_a_clash() -> None:
    """As a turn."""
    game = turn(clans={"forest": (1, 2)}, hands={ANN: ["warlord"]})
    game.play(ANN, "warlord", part(territory="forest")).calm()

    assert [ClashStarted(territory=here("forest"), instigator=ANN)] == game.happened(ClashStarted)


def test_warlord_brings_a_clan_and_names_who_is_next() -> None:
    """After anybody's maneuver, by anybody involved; the order goes on from there (house H16)."""
    game = maneuvering(state_with(clans={"forest": (2, 2, 2)}, hands={CY: ["warlord"]})).attack(ANN, BO)
    game.calm("maneuver_done").answer(cy="warlord").calm().choose(CY, owner=ANN).calm()

    assert (2, 1, 3) == game.clans("forest")
    assert [ANN] == game.asked


def test_emissaries_move_a_clan() -> None:
    """Without a clash."""
    game = turn(seats=4, clans={"cove": (2,), "forest": (0, 1)}, hands={ANN: ["emissaries"]})
    game.play(ANN, "emissaries", part(territory="cove", to="forest")).calm()

    assert (1, 1) == (game.clans("cove")[ANN], game.clans("forest")[ANN])


def test_master_craftsman_exchanges_a_card_for_a_tale() -> None:
    """Of any kind; an Advantage card counts as played."""
    game = turn(seats=4, clans={"cove": (2,)}, hands={ANN: ["master_craftsman", "forest", "bard"]})
    game.play(ANN, "master_craftsman").calm().choose(ANN, card="forest")
    assert [CardDiscarded(seat=ANN, card=card("forest"))] == game.happened(CardDiscarded)
    game.calm()

    assert card("forest") in game.state.face_down
    assert 1 == len(game.state.contenders[ANN].tales)


def test_master_craftsman_gives_a_tale_away() -> None:
    """And gains a deed."""
    game = turn(seats=4, clans={"cove": (2,)}, hands={ANN: ["master_craftsman", "the_stone_of_fal"]})
    game.play(ANN, "the_stone_of_fal").calm("epic_played").answer(ann="master_craftsman").calm()
    game.choose(ANN, owner=CY).calm()

    assert [PlayGiven(seat=ANN, to=CY)] == game.happened(PlayGiven)
    assert card("the_stone_of_fal") in game.state.contenders[CY].tales
    assert 1 == game.state.contenders[ANN].deeds


def test_raid_takes_a_card() -> None:
    """At random, of the attacked player."""
    hands = {ANN: ["raid"], BO: ["bard", "druid"]}
    game = maneuvering(state_with(seats=4, clans={"forest": (1, 2)}, hands=hands)).attack(ANN, BO).calm()
    game.choose(BO, card="bard").calm("maneuver_done").answer(ann="raid").calm()

    assert [CardStolen(seat=ANN, owner=BO, card=card("druid"))] == game.happened(CardStolen)


def test_raid_takes_a_clan_from_who_has_no_card() -> None:
    """Which the maneuver did not remove (house H18)."""
    game = maneuvering(state_with(seats=4, clans={"forest": (1, 3)}, hands={ANN: ["raid"]})).attack(ANN, BO)
    game.calm("maneuver_done").answer(ann="raid").calm()

    assert [ClanRemoved(seat=BO, territory=here("forest"))] == game.happened(ClanRemoved)
    assert (1, 1) == game.clans("forest")[:2]


def test_scouts_and_spies_look_and_move() -> None:
    """The move is chosen after the look, and may start a clash (house H9)."""
    game = turn(seats=4, clans={"cove": (2,), "forest": (0, 1)}, hands={ANN: ["scouts_spies"], BO: ["bard", "geis"]})
    game.play(ANN, "scouts_spies", part(owner=BO)).calm()
    seen = game.happened(HandSeen)
    assert [("action", (card("bard"), card("geis")))] == [(each.cards_of, each.cards) for each in seen]
    game.choose(ANN, territory="cove", to="forest", amount=2).calm()

    assert [ClashStarted(territory=here("forest"), instigator=ANN)] == game.happened(ClashStarted)


def test_scouts_and_spies_may_stay() -> None:
    """The move is optional."""
    game = turn(seats=4, clans={"cove": (2,), "forest": (0, 1)}, hands={ANN: ["scouts_spies"]})
    game.play(ANN, "scouts_spies", part(owner=BO)).calm().choose(ANN, option="stay").calm()

    assert 2 == game.clans("cove")[ANN]


@pytest.mark.parametrize(
    ("name", "parts", "wrong"),
    [
        ("citadel", (), part(territory="cove")),
        ("citadel", (), part(territory="swamp")),
        ("conquest", (part(territory="cove"),), part(territory="moor", amount=1)),
        ("craftsmen_peasants", (), part(territory="forest", amount=2)),
        ("festival", (), part(territory="swamp")),
        ("migration", (part(territory="forest"),), part(to="moor", amount=1)),
        ("new_alliance", (part(territory="forest"),), part(option="replace", owner=ANN)),
        ("new_clans", (), part(territory="cove")),
        ("sanctuary", (), part(territory="cove")),
        ("warlord", (), part(territory="swamp")),
        ("emissaries", (), part(territory="forest", to="moor")),
        ("scouts_spies", (), part(owner=ANN)),
    ],
)
def test_what_cannot_be_declared(name: str, parts: tuple[object, ...], wrong: object) -> None:
    """Ann is in the forest with Bo and in the swamp alone; the moor is not beside the forest."""
    tiles = ("forest", "swamp", "cove", "moor")
    clans = {"forest": (2, 1), "swamp": (1,)}
    state = built(state_with(tiles, seats=4, clans=clans, hands={ANN: [name]}, capital="cove"), "forest", citadels=1)
    game = Game(built(state, "forest", sanctuaries=1)).send(PlayCard(seat=ANN, card=card(name)))
    for each in parts:
        game.send(Choose(seat=ANN, part=each))  # type: ignore[arg-type]  # a part
    game.refuses(Choose(seat=ANN, part=wrong), "choice_not_offered")  # type: ignore[arg-type]  # a part


@pytest.mark.parametrize("name", ["bard", "geis", "raid", "warlord", "master_craftsman", "exploration", "druid"])
def test_a_card_is_played_from_hand(name: str) -> None:
    """Nobody plays what lies in the pile."""
    turn(seats=4, clans={"cove": (1,)}).refuses(PlayCard(seat=ANN, card=card(name)), "card_not_in_hand")


@pytest.mark.parametrize("name", ["geis", "raid"])
def test_triskel_cards_are_no_turn(name: str) -> None:
    """They only answer."""
    game = turn(seats=4, clans={"cove": (1,)}, hands={ANN: [name]})
    game.refuses(PlayCard(seat=ANN, card=card(name)), "card_not_playable_now")


def test_druid_alone_cannot_be_played() -> None:
    """Tales do not help."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["druid", "eriu"]})
    game.refuses(PlayCard(seat=ANN, card=card("druid")), "card_not_playable_now")


def test_a_declaration_is_taken_back_step_by_step() -> None:
    """The last part first, and then the card; nobody else was told."""
    game = turn(clans={"cove": (2,)}, hands={ANN: ["migration"]})
    game.send(PlayCard(seat=ANN, card=card("migration")), Choose(seat=ANN, part=part(territory="cove")))
    game.refuses(Confirm(seat=ANN), "declaration_incomplete")
    game.send(TakeBack(seat=ANN), TakeBack(seat=ANN))

    assert PlayCard(seat=ANN, card=card("migration")) in game.legal(ANN)
    assert () == game.state.plays
