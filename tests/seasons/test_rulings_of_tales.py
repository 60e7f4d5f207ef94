"""The numbered rulings on the new Epic Tales, and what each of them does (expansion, sections 4.5 and 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, PlayCard, Respond
from events.inis.events.board import ClanReappeared, ClanRemoved, ClashStarted
from events.inis.events.cards import DeedGained, HandSeen, PlayCancelled, TalesDrawn
from events.inis.events.rounds import SeasonEnded
from events.inis.events.seasons import (
    AsideSeen,
    BansheeReturned,
    BansheesTaken,
    BranReturned,
    CapitalMoved,
    CardForetold,
    ClansSwapped,
    HarborBuilt,
)
from events.inis.vocabulary import Location
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, DI, Game, aside, built, card, clash, fight, here, part, with_clans
from tests.seasons.table import at_dusk, expanded, more, quietly, season_state, season_turn, stacked
from workers.inis.seasons.cards.tales import declare_brans_journey
from workers.inis.seasons.more import Bran
from workers.inis.seasons.steps import BansheeRemove, BranReturn
from workers.inis.state import InisState
from workers.inis.steps.board import Move
from workers.inis.steps.rounds import Turn


def choices(game: Game, seat: Seat = ANN) -> list[dict[str, object]]:
    """Return what a seat may choose now."""
    chosen = [each.part for each in game.legal(seat) if isinstance(each, Choose)]
    return [
        {name: getattr(each, name) for name in each.__struct_fields__ if getattr(each, name) is not None}
        for each in chosen
    ]


# 1 Pwyll's Exchange


def test_pwylls_exchange_swaps_two_clans() -> None:
    """Anywhere, with no clash, and to Hy Breasil though it is emptied."""
    tiles = ("cove", "forest", "valley", "moor", "hy_breasil")
    game = season_turn(tiles, clans={"cove": (2, 1), "hy_breasil": (0, 1)}, hands={ANN: ["pwylls_exchange"]})
    game.play(ANN, "pwylls_exchange", part(territory="cove"), part(to="hy_breasil", owner=BO)).calm()

    assert (1, 2) == game.clans("cove")[:2]
    assert (1, 0) == game.clans("hy_breasil")[:2]
    assert game.state.clash is None
    assert [] == game.happened(ClashStarted)
    assert game.happened(ClansSwapped)


def test_pwylls_exchange_costs_in_the_mountains() -> None:
    """Whoever enters pays."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = season_turn(tiles, clans={"cove": (1,), "mountains": (0, 2)}, hands={ANN: ["pwylls_exchange"]})
    game.play(ANN, "pwylls_exchange", part(territory="cove"), part(to="mountains", owner=BO)).calm()

    assert [ClanRemoved(seat=ANN, territory=here("mountains"))] == game.happened(ClanRemoved)


# 2 Cathleann's Prophecy


def test_cathleanns_prophecy_finds_a_card() -> None:
    """Its holder shows it and discards it; nothing is drawn."""
    hands = {ANN: ["cathleanns_prophecy", "bard"], BO: ["conquest"]}
    game = season_turn(clans={"cove": (1, 1)}, hands=hands)
    game.send(PlayCard(seat=ANN, card=card("cathleanns_prophecy")))
    assert {"card": "bard"} not in choices(game)
    game.choose(ANN, card="conquest").calm()

    assert [CardForetold(seat=BO, card=card("conquest"))] == game.happened(CardForetold)
    assert card("conquest") in game.state.pile
    assert () == game.state.contenders[ANN].tales


def test_cathleanns_prophecy_in_vain_draws_a_tale() -> None:
    """The card lies in the pile."""
    game = season_turn(clans={"cove": (1, 1)}, hands={ANN: ["cathleanns_prophecy"]})
    game.play(ANN, "cathleanns_prophecy", part(card="conquest")).calm()

    assert 1 == len(game.state.contenders[ANN].tales)


# 3 Maelduin's Expedition


def test_maelduins_expedition_takes_one_of_two_tiles() -> None:
    """Where the player likes, with a clan; the other goes under the stack."""
    state = season_state(clans={"cove": (1, 1)}, hands={ANN: ["maelduins_expedition"]}, brenn=BO)
    game = Game(stacked(state, "swamp", "hills")).play(ANN, "maelduins_expedition").calm()
    assert [{"territory": "swamp"}, {"territory": "hills"}] == choices(game)
    game.choose(ANN, territory="hills")
    assert [ANN] == game.asked
    game.send(game.legal(ANN)[0]).calm()

    assert 1 == game.clans("hills")[ANN]
    assert here("swamp") == game.state.stack[-1]


# 4 Sacred Hill of Tara


def test_ruling_49_the_capital_moves() -> None:
    """A plain citadel comes to its place, and the Brenn stays."""
    state = season_state(
        ("moor", "hills", "valley", "cove"), capital="moor", brenn=CY, clans={"hills": (2,), "moor": (0, 1)}
    )
    state = built(state, "hills", citadels=1, sanctuaries=1)
    state = replace(
        state, contenders=(replace(state.contenders[ANN], tales=(card("sacred_hill_of_tara"),)), *state.contenders[1:])
    )
    state = replace(state, deck=tuple(each for each in state.deck if each != "sacred_hill_of_tara"))
    game = Game(state).send(PlayCard(seat=ANN, card=card("sacred_hill_of_tara")))
    assert [{"territory": "hills"}] == choices(game)
    game.choose(ANN, territory="hills").calm()

    assert [CapitalMoved(territory=here("hills"))] == game.happened(CapitalMoved)
    assert (here("hills"), CY) == (game.state.capital, game.state.brenn)
    assert (1, 1) == (game.state.lands[here("hills")].citadels, game.state.lands[here("moor")].citadels)


# 5 Macha's Curse


def cursed(**fields: object) -> Game:
    """Return a game of the first maneuver in the forest, on which Macha's Curse lies."""
    state = season_state(changes={"macha_at": here("forest")}, **fields)  # type: ignore[arg-type]
    return fight(state).votes(ANN, end=False)


def test_ruling_51_many_clans_answer_with_a_clan() -> None:
    """Two clans there and three Action cards."""
    game = cursed(clans={"forest": (2, 2)}, hands={BO: ["bard", "citadel", "conquest"]}).attack(ANN, BO).calm()

    assert [ClanRemoved(seat=BO, territory=here("forest"))] == game.happened(ClanRemoved)


def test_ruling_51_a_lone_clan_may_answer_with_a_card() -> None:
    """As usual."""
    game = cursed(clans={"forest": (2, 1)}, hands={BO: ["bard"]}).attack(ANN, BO).calm()

    assert [BO] == game.asked
    assert {"card": "bard"} in choices(game, BO)


@pytest.mark.parametrize(("clans", "cards"), [(2, ("bard",)), (1, ())])
def test_the_dagdas_club_names_a_clan_under_the_curse(clans: int, cards: tuple[str, ...]) -> None:
    """Of two clans one goes, whoever says; with one alone Ann may have the card (expansion, section 4.5)."""
    game = cursed(clans={"forest": (2, clans)}, hands={ANN: ["the_dagdas_club"], BO: ["bard"]}).attack(ANN, BO)
    game.calm("attack_declared").answer(ann="the_dagdas_club").calm()
    if clans == 1:
        assert [{"option": "clan"}, {"option": "card"}] == choices(game)
        game.choose(ANN, option="card")
        game.send(game.legal(BO)[0])

    assert (2, 1, 0) == game.clans("forest")
    assert cards == game.state.contenders[BO].actions


def test_nobody_shelters_under_machas_curse() -> None:
    """The windows around it open."""
    state = built(season_state(clans={"forest": (2, 2)}, changes={"macha_at": here("forest")}), "forest", citadels=2)
    game = clash(state).calm()

    assert game.state.clash is not None
    assert (0, 0, 0) == game.state.clash.protected
    assert ANN == game.state.clash.acting


def test_machas_curse_lies_anywhere_and_moves() -> None:
    """Until the season ends."""
    game = season_turn(clans={"cove": (1, 1, 1)}, hands={ANN: ["machas_curse"]}, changes={"macha_at": here("cove")})
    game.play(ANN, "machas_curse", part(territory="moor")).calm()
    assert here("moor") == more(game.state).macha_at
    quietly(game, lambda now: now.state.phase == "assembly")

    assert None is more(game.state).macha_at


def test_the_iron_mine_is_not_changed_by_the_curse() -> None:
    """Both losses stand."""
    tiles = ("cove", "forest", "valley", "iron_mine")
    hands = {ANN: ["iron_mine"], BO: ["bard"]}
    game = cursed(tiles=tiles, clans={"forest": (2, 2)}, hands=hands).attack(ANN, BO)
    game.calm("attack_declared").answer(ann="iron_mine").calm()
    game.send(game.legal(BO)[0]) if game.asked == [BO] else None

    assert (2, 1, 0) == game.clans("forest")
    assert card("bard") in game.state.pile


# 6 Nuada's Sword

HILLS = ("cove", "hills", "valley", "iron_mine")


def sworn(hands: dict[Seat, list[str]]) -> Game:
    """Return a game in which Ann has attacked Bo in the Hills."""
    state = season_state(HILLS, clans={"hills": (2, 2), "cove": (0, 1)}, hands=hands)
    return fight(state, "hills").votes(ANN, end=False).attack(ANN, BO).calm("attack_declared")


def test_ruling_109_nobody_escapes_the_sword() -> None:
    """Bo may not answer with Hills, nor at the removal, nor with a card."""
    game = sworn({ANN: ["nuadas_sword"], BO: ["hills", "bard", "the_dagdas_club"]}).answer(ann="nuadas_sword")
    while game.window == "epic_or_advantage_declared":
        game.answer()
    happened = list(game.events)
    while game.window and game.window != "maneuver_done":
        assert game.window != "clan_removed"
        assert BO not in game.asked or game.window != "attack_declared"
        game.answer()
        happened += game.events

    assert ClanRemoved(seat=BO, territory=here("hills")) in happened
    assert (2, 1, 0) == game.clans("hills")
    assert not more(game.state).sword


def test_ruling_109_an_ignored_attack_has_no_sword() -> None:
    """Hills was played first."""
    game = sworn({ANN: ["nuadas_sword"], BO: ["hills"]}).answer(bo="hills")
    while game.window == "epic_or_advantage_declared":
        game.answer()

    offered = [each for each in game.legal(ANN) if isinstance(each, Respond) and each.card == "nuadas_sword"]
    assert [] == offered
    assert (2, 2, 0) == game.calm().clans("hills")


def test_sword_and_iron_mine_take_both() -> None:
    """A clan and a card."""
    game = sworn({ANN: ["nuadas_sword", "iron_mine"], BO: ["bard"]}).answer(ann="nuadas_sword")
    game.calm("attack_declared").answer(ann="iron_mine").calm()
    game.choose(BO, card="bard").calm()

    assert (2, 1, 0) == game.clans("hills")
    assert card("bard") in game.state.pile


@pytest.mark.parametrize("order", [("nuadas_sword", "the_dagdas_club"), ("the_dagdas_club", "nuadas_sword")])
def test_the_sword_decides_beside_the_dagdas_club(order: tuple[str, str]) -> None:
    """Ann, who could say what Bo loses, is not asked (expansion, section 4.5)."""
    game = sworn({ANN: ["nuadas_sword", "the_dagdas_club"], BO: ["bard"]})
    game.answer(ann=order[0]).calm("attack_declared").answer(ann=order[1]).calm()

    assert [ClanRemoved(seat=BO, territory=here("hills"))] == game.happened(ClanRemoved)
    assert (2, 1, 0) == game.clans("hills")
    assert (card("bard"),) == game.state.contenders[BO].actions


def test_the_dagda_cancels_the_sword() -> None:
    """Then the attack is as any other."""
    game = sworn({ANN: ["nuadas_sword"], BO: ["the_dagda", "bard"]}).answer(ann="nuadas_sword")
    game.answer(bo="the_dagda").calm()

    assert [BO] == game.asked
    assert {"card": "bard"} in choices(game, BO)


# 7 Féth fíada


def misty(state: InisState) -> Game:
    """Return a game in which Bo hides in the forest, and everybody else takes no shelter."""
    game = clash(state)
    while game.window != "citadels_end":
        if game.window:
            game.answer()
        else:
            game.shelter(game.asked[0], accept=game.asked[0] == BO)
    return game.answer(bo="feth_fiada").calm()


def test_feth_fiada_hides_all_clans() -> None:
    """Ann alone is exposed and decides alone; no citadel is occupied."""
    state = season_state(clans={"forest": (2, 3)}, hands={BO: ["feth_fiada"]})
    game = misty(built(state, "forest", citadels=1))

    assert game.state.clash is not None
    assert ((ANN,), (0, 3, 0)) == (game.state.exposed_seats, more(game.state).mist)
    assert (0, 0, 0) == game.state.clash.protected
    assert [ANN] == game.asked
    game.votes(ANN, end=True).calm()
    assert () == more(game.state).mist


def test_clans_that_come_later_are_exposed() -> None:
    """Those who were there stay hidden (expansion, section 4.5, Féth fíada)."""
    state = season_state(clans={"forest": (2, 3), "moor": (0, 2)}, hands={BO: ["feth_fiada"]})
    game = misty(state)
    arrival = Move(seat=BO, territory=here("moor"), to=here("forest"), amount=2)
    game = Game(replace(game.state, agenda=(arrival, *game.state.agenda)))

    assert (2, 5, 0) == game.clans("forest")
    assert (0, 3, 0) == more(game.state).mist
    assert 2 == game.state.exposed(BO)
    assert (ANN, BO) == game.state.exposed_seats


def test_machas_curse_does_not_stop_the_mist() -> None:
    """Nobody shelters, but all of Bo's clans are hidden."""
    state = season_state(clans={"forest": (2, 3)}, hands={BO: ["feth_fiada"]}, changes={"macha_at": here("forest")})
    game = clash(built(state, "forest", citadels=1)).calm("citadels_end").answer(bo="feth_fiada").calm()

    assert ((ANN,), (0, 3, 0)) == (game.state.exposed_seats, more(game.state).mist)


def test_battle_frenzy_does_not_find_the_hidden() -> None:
    """It only empties citadels."""
    hands = {BO: ["feth_fiada"], ANN: ["battle_frenzy"]}
    game = clash(season_state(clans={"forest": (2, 3)}, hands=hands)).calm("citadels_end")
    game.answer(bo="feth_fiada").calm("citadels_end").answer(ann="battle_frenzy").calm()

    assert (ANN,) == game.state.exposed_seats


def test_the_instigator_does_not_hide() -> None:
    """The card is for others."""
    game = clash(season_state(clans={"forest": (2, 3)}, hands={ANN: ["feth_fiada"]})).calm("citadels_end")

    assert Respond(seat=ANN, card=card("feth_fiada")) not in game.legal(ANN)


# 8 Cormac Mac Airt


def test_ruling_56_cormac_is_generous() -> None:
    """Both guests place a clan, and Ann gains a deed."""
    game = season_turn(clans={"cove": (3, 1, 1)}, hands={ANN: ["cormac_mac_airt"]}, brenn=CY)
    game.play(ANN, "cormac_mac_airt").calm()
    assert [CY] == game.asked
    game.choose(CY, territory="cove").choose(BO, territory="cove").calm()

    assert (3, 2, 2) == game.clans("cove")
    assert 1 == game.state.contenders[ANN].deeds


def test_cormac_needs_the_lead_and_a_guest() -> None:
    """Otherwise the card has no effect."""
    for clans in ((1, 1), (2, 0)):
        game = season_turn(clans={"cove": clans, "moor": (0, 1)}, hands={ANN: ["cormac_mac_airt"]})
        game.play(ANN, "cormac_mac_airt").calm()
        assert 0 == game.state.contenders[ANN].deeds
        assert not game.happened(DeedGained)


# 9 Bran's Journey


def test_ruling_53_bran_keeps_clans_out_of_time() -> None:
    """They are neither on the board nor in reserve, and come back together without a clash."""
    state = season_state(clans={"cove": (5, 0, 1), "forest": (2, 1)}, hands={ANN: ["brans_journey"]})
    game = Game(state).play(ANN, "brans_journey", part(territory="cove", amount=3)).calm()
    on_board = sum(land.clans[ANN] for land in game.state.lands.values())
    assert (4, 5, 3) == (on_board, game.state.contenders[ANN].reserve, more(game.state).stored(ANN))
    assert card("brans_journey") not in game.state.discards
    at_dusk(game)
    assert [ANN] == game.asked
    game.choose(ANN, territory="forest")

    assert [BranReturned(seat=ANN, territory=here("forest"))] == game.happened(BranReturned)
    assert (5, 1, 0) == game.clans("forest")
    assert not game.happened(ClashStarted)
    assert game.happened(SeasonEnded)
    assert card("brans_journey") in game.state.discards


def test_bran_comes_to_empty_hy_breasil() -> None:
    """It is the effect of an Epic Tale."""
    tiles = ("cove", "forest", "valley", "moor", "hy_breasil")
    game = season_turn(tiles, clans={"cove": (3, 1, 1)}, hands={ANN: ["brans_journey"]})
    at_dusk(game.play(ANN, "brans_journey", part(territory="cove", amount=2)).calm())

    assert {"territory": "hy_breasil"} in choices(game)


def test_there_is_one_bran_at_a_time() -> None:
    """While somebody's journey lasts there is nothing to declare (expansion, section 4.5)."""
    clans = {"cove": (5, 2)}

    assert declare_brans_journey(season_state(clans=clans), ANN, ()).options
    assert not declare_brans_journey(
        season_state(clans=clans, changes={"bran": Bran(seat=BO, clans=1)}), ANN, ()
    ).options


# 10 Sons of Milé


def test_sons_of_mile_build_a_harbor_and_land() -> None:
    """Any number, with a clash."""
    tiles = ("cove", "forest", "valley", "moor", "inis_mona")
    state = season_state(tiles, clans={"moor": (4,), "inis_mona": (0, 1)}, hands={ANN: ["sons_of_mile"]})
    game = Game(state).send(PlayCard(seat=ANN, card=card("sons_of_mile")))
    harbor = next(each for each in choices(game) if each.get("territory") == "moor")
    game.choose(ANN, **harbor).choose(ANN, territory="moor").choose(ANN, to="inis_mona", amount=4)
    while not game.happened(HarborBuilt):
        game.answer()
    assert [HarborBuilt(territory=here("moor"), spot=Location(str(harbor["location"])))] == game.happened(HarborBuilt)
    assert harbor["location"] == more(game.state).harbors[here("moor")]
    assert (4, 1) == game.clans("inis_mona")[:2]
    assert game.state.clash is not None


def test_sons_of_mile_may_do_neither() -> None:
    """Both parts may be left out."""
    game = season_turn(clans={"moor": (4,)}, hands={ANN: ["sons_of_mile"]})
    game.play(ANN, "sons_of_mile", part(option="no_harbor"), confirm=True).calm()

    assert BO == game.state.turn


# 11 The Banshee


def doomed() -> Game:
    """Return a game in which four players hold a Banshee."""
    state = season_state(seats=4, clans={"cove": (2, 2, 2, 2)}, hands={ANN: ["the_banshee"]})
    return Game(state).play(ANN, "the_banshee", part(territory="cove")).calm()


def test_ruling_52_the_banshee_takes_a_clan_of_each() -> None:
    """Of Di none, who lost one before."""
    game = doomed()
    assert [BansheesTaken(seats=(ANN, BO, CY, DI))] == game.happened(BansheesTaken)
    game = fight(with_clans(game.state, "moor", (0, 0, 2, 1)), "moor", instigator=CY)
    game.votes(CY, end=False).attack(CY, DI).calm()
    assert (ANN, BO, CY) == more(game.state).banshee
    at_dusk(game)
    for seat in (ANN, BO, CY):
        assert [seat] == game.asked
        game.choose(seat, territory="cove").calm()

    assert () == more(game.state).banshee
    assert (2, 1, 1, 2) == game.clans("cove")
    assert "assembly" == game.state.phase


@pytest.mark.parametrize(("answer", "keeps"), [("diarmuid_and_grainne", False), ("the_dagdas_club", True)])
def test_ruling_104_a_clan_that_is_saved_was_not_taken(answer: str, *, keeps: bool) -> None:
    """Re-placed it was removed; kept it was not."""
    state = season_state(clans={"forest": (2, 2), "moor": (0, 1)}, hands={BO: [answer]}, changes={"banshee": (BO,)})
    game = fight(state).votes(ANN, end=False).attack(ANN, BO).calm("clan_removed").answer(bo=answer).calm()
    if not keeps:
        game.choose(BO, territory="moor")
        assert game.happened(ClanReappeared)

    assert keeps == (BO in more(game.state).banshee)


def test_a_banshee_without_a_clan_to_take_goes_home() -> None:
    """Nothing is removed, and nothing is asked."""
    game = season_turn(clans={"cove": (1, 0, 1)}, changes={"banshee": (BO,)}, turn=CY, passed=(ANN, BO))
    game.state = replace(game.state, agenda=(Turn(seat=CY),))
    game.passes(CY).calm()

    assert [BansheeReturned(seat=BO)] == game.happened(BansheeReturned)
    assert [] == game.happened(ClanRemoved)
    assert () == more(game.state).banshee
    assert game.happened(SeasonEnded)


def test_the_dagdas_club_saves_a_clan_from_the_banshee() -> None:
    """The window of removal opens as usual, and the token goes back (expansion, section 4.5)."""
    hands = {BO: ["the_dagdas_club"]}
    game = at_dusk(season_turn(clans={"cove": (1, 2, 1)}, hands=hands, changes={"banshee": (BO,)}))
    assert [BO] == game.asked
    game.choose(BO, territory="cove").calm("clan_removed").answer(bo="the_dagdas_club").calm()

    assert (1, 2, 1) == game.clans("cove")
    assert [BansheeReturned(seat=BO)] == game.happened(BansheeReturned)
    assert () == more(game.state).banshee
    assert "assembly" == game.state.phase


def test_the_banshee_comes_before_bran_does() -> None:
    """E1, then E2: also for who has both (expansion, section 3.5)."""
    state = season_state(clans={"cove": (5, 1, 1)}, hands={ANN: ["brans_journey"]})
    game = Game(state).play(ANN, "brans_journey", part(territory="cove", amount=3)).calm()
    game.state = expanded(game.state, banshee=(ANN, BO))
    questions = []
    at_dusk(game)
    while game.state.phase == "season":
        questions.append((type(game.state.agenda[0]), game.asked))
        game.send(game.legal(game.asked[0])[0]).calm()

    assert [(BansheeRemove, [ANN]), (BansheeRemove, [BO]), (BranReturn, [ANN])] == questions


def test_nobody_holds_two_banshees() -> None:
    """Who holds one from before keeps it, the others take theirs."""
    state = season_state(clans={"cove": (2, 2)}, hands={ANN: ["the_banshee"]}, changes={"banshee": (BO,)})
    game = Game(state).play(ANN, "the_banshee", part(territory="cove")).calm()

    assert [BansheesTaken(seats=(ANN,))] == game.happened(BansheesTaken)
    assert {ANN, BO} == set(more(game.state).banshee)


# 12 Branwen's Marriage


def test_branwens_marriage_is_for_both() -> None:
    """Up to two clans, and one of the other."""
    game = season_turn(clans={"cove": (1, 1)}, hands={ANN: ["branwens_marriage"]})
    game.play(ANN, "branwens_marriage", part(territory="cove", owner=BO, amount=2)).calm()
    assert [BO] == game.asked
    game.choose(BO, territory="cove").calm()

    assert (3, 2) == game.clans("cove")[:2]


# 13 The Children of Lir


def test_the_children_of_lir_go_into_exile() -> None:
    """An opposing clan, anywhere, without a clash."""
    game = season_turn(clans={"cove": (1, 2), "moor": (0, 0, 1)}, hands={ANN: ["children_of_lir"]})
    game.play(ANN, "children_of_lir", part(territory="cove", owner=BO), part(to="moor")).calm()

    assert (0, 1, 1) == game.clans("moor")
    assert game.state.clash is None


def test_an_exile_pays_in_the_mountains() -> None:
    """Its owner does, who chooses how (expansion, section 4.5)."""
    tiles = ("cove", "mountains", "valley", "moor")
    hands = {ANN: ["children_of_lir", "citadel"], BO: ["bard"]}
    game = season_turn(tiles, clans={"cove": (1, 2), "mountains": (1,)}, hands=hands)
    game.play(ANN, "children_of_lir", part(territory="cove", owner=BO), part(to="mountains")).calm()
    assert [BO] == game.asked
    game.choose(BO, card="bard").calm()

    assert (1, 1, 0) == game.clans("mountains")
    assert () == game.state.contenders[BO].actions
    assert BO == game.state.turn


# 14 Finn's Wisdom


def test_finns_wisdom_sees_a_hand_and_the_card_set_aside() -> None:
    """In secret; then a tale is drawn."""
    hands = {ANN: ["finns_wisdom"], BO: ["bard", "eriu"]}
    state = aside(season_state(clans={"cove": (1, 1)}, hands=hands), "geis")
    game = Game(state).play(ANN, "finns_wisdom", part(owner=BO)).calm()

    assert ["action", "tale"] == [each.cards_of for each in game.happened(HandSeen)]
    assert [AsideSeen(seat=ANN, card=card("geis"))] == game.happened(AsideSeen)
    assert 1 == len(game.happened(TalesDrawn))


# 15 The Brown Bull of Cooley


def test_the_brown_bull_is_taken_from_a_hand() -> None:
    """Of a territory where one is present."""
    hands = {ANN: ["brown_bull_of_cooley"], BO: ["forest", "moor"]}
    game = season_turn(clans={"cove": (0, 1), "forest": (1, 1)}, hands=hands)
    game.send(PlayCard(seat=ANN, card=card("brown_bull_of_cooley")))
    assert [{"territory": "forest"}] == choices(game)
    game.choose(ANN, territory="forest").calm()

    assert card("forest") in game.state.contenders[ANN].advantages
    assert (card("moor"),) == game.state.contenders[BO].advantages


def test_the_dagda_cancels_a_new_tale() -> None:
    """After the declaration."""
    hands = {ANN: ["branwens_marriage"], BO: ["the_dagda"]}
    game = season_turn(clans={"cove": (1, 1)}, hands=hands)
    game.play(ANN, "branwens_marriage", part(territory="cove", owner=BO, amount=2)).answer(bo="the_dagda").calm()

    assert [PlayCancelled()] == game.happened(PlayCancelled)
    assert (1, 1) == game.clans("cove")[:2]
    assert BO == game.state.turn
