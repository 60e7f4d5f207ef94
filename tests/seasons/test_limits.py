"""What the sea, winter, Fili and the new cards do not allow, each beside something that they do (expansion)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, MoveForBeltaine, PlayCard, Respond
from events.inis.events.board import ClanRemoved, ClashStarted
from events.inis.vocabulary import Part
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, Game, built, card, clash, fight, here, part
from tests.seasons.table import expanded, season_state, season_turn
from workers.inis.steps.clash import Maneuver, Peace

SEA = ("cove", "plains", "valley", "moor", "inis_mona", "isle_of_joy")


def choices(game: Game, seat: Seat = ANN) -> list[Part]:
    """Return what a seat may choose now."""
    return [each.part for each in game.legal(seat) if isinstance(each, Choose)]


# The sea and the Isle of Joy


def test_the_plains_send_one_group_by_sea_and_few_in_winter() -> None:
    """An Advantage card is held to both (expansion, sections 4.6 and 5.5)."""
    state = season_state(SEA, season="samhain", clans={"plains": (5,)}, hands={ANN: ["plains"]}, harbors=("plains",))
    game = Game(state).send(PlayCard(seat=ANN, card=card("plains")))
    assert {1, 2, 3} == {each.amount for each in choices(game)}
    game.choose(ANN, to="inis_mona", amount=1)

    assert {here("cove"), here("valley"), here("moor")} == {each.to for each in choices(game)}
    assert {1, 2} == {each.amount for each in choices(game)}


def test_haven_leads_off_the_isle_of_joy() -> None:
    """It is no Action card (expansion, section 4.3, L1)."""
    tiles = ("cove", "forest", "valley", "haven", "isle_of_joy")
    game = season_turn(tiles, clans={"isle_of_joy": (2,)}, hands={ANN: ["bard", "haven"]})
    game.play(ANN, "bard").calm("season_played").answer(ann="haven")
    game.choose(ANN, territory="isle_of_joy", to="cove").calm()

    assert (1, 1) == (game.clans("cove")[ANN], game.clans("isle_of_joy")[ANN])


def test_haven_costs_in_the_mountains() -> None:
    """Arrival by sea is an arrival (expansion, section 4.4)."""
    tiles = ("cove", "forest", "valley", "haven", "mountains")
    hands = {ANN: ["bard", "haven"]}
    state = season_state(tiles, clans={"cove": (2,)}, hands=hands, harbors=("mountains",))
    game = Game(state).play(ANN, "bard").calm("season_played").answer(ann="haven")
    game.choose(ANN, territory="cove", to="mountains").calm()

    assert [ClanRemoved(seat=ANN, territory=here("mountains"))] == game.happened(ClanRemoved)


def test_haven_is_for_who_played_the_season_card() -> None:
    """Nobody else is asked (expansion, section 4.4)."""
    tiles = ("cove", "forest", "valley", "haven", "isle_of_joy")
    game = season_turn(tiles, clans={"cove": (1, 1)}, hands={ANN: ["bard", "valley"], BO: ["haven"]})
    game.play(ANN, "bard").calm("season_played")

    assert [ANN] == game.asked


def test_the_fianna_lead_few_in_winter_sheltered_ones_too() -> None:
    """Clans out of citadels count among the three (expansion, section 4.6, M4)."""
    clans, hands = {"forest": (5, 1)}, {ANN: ["the_fianna"]}
    game = fight(built(season_state(season="samhain", clans=clans, hands=hands), "forest", citadels=3))
    assert game.state.clash is not None
    game.state = replace(game.state, clash=replace(game.state.clash, protected=(3, 0, 0)))
    game.votes(ANN, end=False).send(PlayCard(seat=ANN, card=card("the_fianna"))).choose(ANN, to="valley")
    led = {(each.amount or 0) + (each.sheltered or 0) for each in choices(game)}

    assert {1, 2, 3} == led
    assert 3 in {each.sheltered for each in choices(game)}


def test_the_beltaine_move_costs_in_the_mountains() -> None:
    """The card that was given for the move is gone already (expansion, section 4.6, M2)."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = season_turn(tiles, season="beltaine", clans={"cove": (3,)}, hands={ANN: ["bard", "citadel"]})
    game.send(MoveForBeltaine(seat=ANN)).choose(ANN, card="bard")
    game.choose(ANN, territory="cove", to="mountains", amount=2).calm()
    assert [part(option="clan"), part(card="citadel")] == choices(game)
    game.choose(ANN, option="clan").calm()

    assert 1 == game.clans("mountains")[ANN]


# Fili and the allies


def test_who_is_not_there_may_send_the_fili() -> None:
    """Presence is not needed, but two players there are (expansion, section 4.1)."""
    clans = {"cove": (2,), "forest": (0, 1, 1), "valley": (0, 1)}
    game = season_turn(seats=5, clans=clans, hands={ANN: ["fili"]}).send(PlayCard(seat=ANN, card=card("fili")))

    assert [part(territory="forest")] == choices(game)


def test_the_land_of_the_fili_is_not_among_the_clashes_to_come() -> None:
    """One clash is left, and nobody has to say which comes first (expansion, section 3.4)."""
    clans = {"cove": (3,), "forest": (0, 1), "valley": (0, 1)}
    game = season_turn(seats=5, clans=clans, hands={ANN: ["migration"]}, changes={"fili_at": here("forest")})
    moves = (part(to="forest", amount=1), part(to="valley", amount=1))
    game.play(ANN, "migration", part(territory="cove"), *moves, confirm=True).calm()

    assert [ClashStarted(territory=here("valley"), instigator=ANN)] == game.happened(ClashStarted)


def test_allies_are_none_where_the_mountains_end_the_march() -> None:
    """The leader's clan is lost on the way: there is no clash, and no ally is spared in the next one."""
    tiles = ("cove", "mountains", "valley", "moor")
    clans = {"cove": (3, 2), "mountains": (0, 0, 2), "moor": (1, 1)}
    game = season_turn(tiles, seats=5, clans=clans, hands={ANN: ["coalition"]})
    game.play(ANN, "coalition", part(territory="cove", owner=BO), part(to="mountains", amount=1)).calm()
    game.choose(BO, amount=0).calm()
    assert [] == game.happened(ClashStarted)
    game = fight(game.state, "moor").votes(ANN, end=False).attack(ANN, BO).calm()

    assert (1, 0) == game.clans("moor")[:2]


@pytest.mark.parametrize(("seat", "targets"), [(ANN, {CY}), (BO, {CY}), (CY, {ANN, BO})])
def test_neither_ally_attacks_the_other_and_the_third_may_attack_both(seat: Seat, targets: set[Seat]) -> None:
    """Whoever of them maneuvers (expansion, section 4.1, Coalition)."""
    clans = {"cove": (3, 2), "forest": (0, 0, 3)}
    game = season_turn(seats=5, clans=clans, hands={ANN: ["coalition"]})
    game.play(ANN, "coalition", part(territory="cove", owner=BO), part(to="forest", amount=2)).calm()
    game.choose(BO, amount=1).calm()
    while game.asked != [seat] or not game.state.clash or game.state.clash.acting != seat:
        game.votes(game.asked[0], end=False).attack(game.asked[0], ANN if game.asked == [CY] else CY).calm()
    game.votes(seat, end=False)

    assert targets == {each.target for each in game.legal(seat) if hasattr(each, "target")}


@pytest.mark.parametrize("end", [True, False])
def test_a_lone_ally_is_asked_for_peace(*, end: bool) -> None:
    """The partner stayed away and the third sheltered: Ann decides, and may withdraw (base game, C5)."""
    clans = {"cove": (3, 1), "valley": (1,), "forest": (0, 0, 1)}
    state = built(season_state(seats=5, clans=clans, hands={ANN: ["coalition"]}), "forest", citadels=1)
    game = Game(state).play(ANN, "coalition", part(territory="cove", owner=BO), part(to="forest", amount=2)).calm()
    game.choose(BO, amount=0).calm().shelter(CY).calm()
    assert [ANN] == game.asked
    game.votes(ANN, end=end)
    if not end:
        game.withdraw(ANN, part(to="valley", amount=1)).calm().votes(ANN, end=True)

    assert (2 if end else 1) == game.clans("forest")[ANN]
    assert game.calm().state.clash is None


# The other new cards


def test_the_king_gives_land_only_to_who_is_there() -> None:
    """Others are not offered (expansion, section 4.1)."""
    tiles = ("cove", "plains", "valley", "moor")
    hands = {ANN: ["the_king_and_the_land", "plains", "moor"]}
    game = season_turn(tiles, seats=5, clans={"plains": (1, 1), "moor": (1, 0, 1)}, hands=hands)
    game.send(PlayCard(seat=ANN, card=card("the_king_and_the_land")))

    assert {("plains", BO), ("moor", CY)} == {(each.card, each.owner) for each in choices(game) if each.owner}


def test_the_prophecy_names_no_card_that_is_not_in_the_game() -> None:
    """With three players those of four are out, and those of five (expansion, section 4.5)."""
    hands = {ANN: ["cathleanns_prophecy", "bard"]}
    game = season_turn(clans={"cove": (1, 1)}, hands=hands).send(PlayCard(seat=ANN, card=card("cathleanns_prophecy")))
    named = {each.card for each in choices(game)}

    assert 12 == len(named)
    assert not {"bard", "raid", "emissaries", "fili", "coalition"} & named


@pytest.mark.parametrize(("citadels", "sanctuaries"), [(1, 0), (0, 1)])
def test_tara_needs_a_citadel_and_a_sanctuary(citadels: int, sanctuaries: int) -> None:
    """One of both is not enough: the card is played without effect (expansion, section 4.5)."""
    state = season_state(clans={"cove": (1, 1)}, hands={ANN: ["sacred_hill_of_tara"]})
    game = Game(built(state, "forest", citadels=citadels, sanctuaries=sanctuaries)).play(ANN, "sacred_hill_of_tara")

    assert here("cove") == game.calm().state.capital
    assert BO == game.state.turn


def test_the_children_of_lir_leave_where_one_is() -> None:
    """Nobody is driven from elsewhere, and nobody stays (expansion, section 4.5)."""
    clans = {"cove": (1, 2), "moor": (0, 0, 1), "forest": (1,)}
    game = season_turn(clans=clans, hands={ANN: ["children_of_lir"]})
    game.send(PlayCard(seat=ANN, card=card("children_of_lir")))
    assert [part(territory="cove", owner=BO)] == choices(game)
    game.choose(ANN, territory="cove", owner=BO)

    assert {here("forest"), here("valley"), here("moor")} == {each.to for each in choices(game)}


def test_a_guest_without_a_reserve_is_not_asked() -> None:
    """Ann has been generous all the same (expansion, section 4.5, Cormac Mac Airt)."""
    clans = {"cove": (3, 1, 1), "moor": (0, 11)}
    game = season_turn(clans=clans, hands={ANN: ["cormac_mac_airt"]}).play(ANN, "cormac_mac_airt").calm()
    assert [CY] == game.asked
    game.choose(CY, option="decline").calm()

    assert (1, BO) == (game.state.contenders[ANN].deeds, game.state.turn)


def test_who_is_not_in_the_clash_does_not_hide() -> None:
    """Cy has no clan there (expansion, section 4.5, Féth fíada)."""
    clans = {"forest": (2, 2), "moor": (0, 0, 1)}
    game = clash(season_state(clans=clans, hands={CY: ["feth_fiada"]})).calm("citadels_end")

    assert Respond(seat=CY, card=card("feth_fiada")) not in game.legal(CY)


def test_hidden_clans_count_under_machas_curse() -> None:
    """One clan is exposed and two are hidden: three are there, so the clan goes (expansion, section 4.5)."""
    hands = {BO: ["bard"]}
    state = season_state(clans={"forest": (2, 3)}, hands=hands, changes={"macha_at": here("forest")})
    game = fight(state)
    game.state = expanded(game.state, mist=(0, 2, 0))
    game.votes(ANN, end=False).attack(ANN, BO).calm()

    assert [ClanRemoved(seat=BO, territory=here("forest"))] == game.happened(ClanRemoved)
    assert (card("bard"),) == game.state.contenders[BO].actions


def test_whoever_enters_the_mountains_pays_for_pwylls_exchange() -> None:
    """Bo's clan comes there, and Bo says what it costs (expansion, section 4.5)."""
    tiles = ("cove", "mountains", "valley", "moor")
    hands = {ANN: ["pwylls_exchange", "citadel"], BO: ["bard"]}
    game = season_turn(tiles, clans={"cove": (0, 2), "mountains": (2,)}, hands=hands)
    game.play(ANN, "pwylls_exchange", part(territory="mountains"), part(to="cove", owner=BO)).calm()
    assert [BO] == game.asked
    game.choose(BO, card="bard").calm()

    assert ((1, 1), (1, 1)) == (game.clans("mountains")[:2], game.clans("cove")[:2])
    assert BO == game.state.turn


@pytest.mark.parametrize("window", ["citadels_end", "attack_declared"])
def test_nobody_is_asked_for_a_tale_that_is_not_in_the_game(window: str) -> None:
    """Without the new tales those of the base game alone answer, and these lie open (base game, section 6)."""
    modules, gone = ("want_king",), (card("battle_frenzy"), card("the_dagdas_club"))
    hands = {ANN: ["eriu"], BO: ["balors_eye"]}
    state = season_state(modules=modules, clans={"forest": (2, 2)}, hands=hands)
    state = replace(state, discards=gone, deck=tuple(each for each in state.deck if each not in gone))
    game = clash(state)
    opened = []
    while game.window or game.asked == [ANN]:
        opened.append(game.window)
        if game.window:
            game.answer()
        elif isinstance(game.state.agenda[0], Peace):
            game.votes(ANN, end=False)
        elif isinstance(game.state.agenda[0], Maneuver):
            game.attack(ANN, BO)

    assert {"clash_start", "clan_removed"} <= set(opened)
    assert window not in opened
