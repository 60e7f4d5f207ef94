"""The first seven new Epic Tales (expansion, section 4.5), and their rulings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Attack, Choose, PlayCard, Respond
from events.inis.events.board import ClanRemoved, ClashStarted
from events.inis.events.seasons import (
    CapitalMoved,
    CardForetold,
    ClansSwapped,
)
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, DI, Game, built, card, clash, fight, here, part
from tests.seasons.table import more, quietly, season_state, season_turn, stacked
from workers.inis.state import InisState
from workers.inis.steps.board import Move


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


def both_hidden(state: InisState) -> Game:
    """Return a game in which Bo hides in the forest, gives the tale to Cy with Master Craftsman, and Cy hides too."""
    game = clash(state).calm("citadels_end").answer(bo="feth_fiada")
    game.calm("epic_played").answer(bo="master_craftsman").calm().choose(BO, owner=CY)
    return game.calm("citadels_end").answer(cy="feth_fiada").calm()


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


def test_two_may_hide_in_one_clash() -> None:
    """One after the other, as the tale changes hands; who does not hide can be attacked alone."""
    clans = {"forest": (2, 3, 2, 1)}
    game = both_hidden(season_state(seats=4, clans=clans, hands={BO: ["feth_fiada", "master_craftsman"]}))

    assert ((ANN, DI), (0, 3, 2, 0)) == (game.state.exposed_seats, more(game.state).mist)
    game.votes(ANN, end=False)
    assert [Attack(seat=ANN, target=DI)] == [each for each in game.legal(ANN) if isinstance(each, Attack)]
    game.attack(ANN, DI).calm().votes(ANN, end=True).calm()
    assert ((2, 3, 2, 0), ()) == (game.clans("forest"), more(game.state).mist)


def test_two_hidden_leave_the_instigator_alone() -> None:
    """With nobody else exposed Ann alone decides, as when one hides; what was hidden is there afterwards."""
    clans = {"forest": (2, 3, 2)}
    game = both_hidden(season_state(seats=4, clans=clans, hands={BO: ["feth_fiada", "master_craftsman"]}))

    assert ([ANN], (0, 3, 2, 0)) == (game.asked, more(game.state).mist)
    game.votes(ANN, end=True).calm()
    assert ((2, 3, 2, 0), ()) == (game.clans("forest"), more(game.state).mist)


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
