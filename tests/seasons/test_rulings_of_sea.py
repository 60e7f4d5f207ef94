"""The numbered rulings on territories and the sea, and what the sea allows besides (sections 4.3, 5 and 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, PlayCard, TakePretender
from events.inis.events.board import ClansMoved, ClashStarted, TilesPutUnder
from events.inis.events.rounds import KingCrowned, PretendersReturned
from events.messages import Seat
from tests.inis.table import ANN, BO, Game, assembly, card, deeds, fight, here, part, with_clans
from tests.seasons.table import more, options, season_state, season_turn, stacked
from workers.inis.state import InisState
from workers.inis.steps.board import PlaceClan

Hands = dict[Seat, list[str]]

SEA = ("cove", "forest", "valley", "moor", "inis_mona", "isle_of_joy")
"""Cove has a harbor, as the islands have."""
FAR = ("cove", "forest", "valley", "moor", "hy_breasil", "isle_of_joy")


def parts_of(game: Game, seat: Seat = ANN) -> list[dict[str, object]]:
    """Return what a seat may choose now."""
    chosen = [each.part for each in game.legal(seat) if isinstance(each, Choose)]
    return [
        {name: getattr(each, name) for name in each.__struct_fields__ if getattr(each, name) is not None}
        for each in chosen
    ]


def targets(game: Game, seat: Seat = ANN) -> set[object]:
    return {each.get("to") for each in parts_of(game, seat)}


def migrating(tiles: tuple[str, ...] = SEA, **fields: object) -> Game:
    """Return a game in which Ann declares Migration out of the cove."""
    clans = {"cove": (3,), "inis_mona": (0, 1)} | dict(fields.pop("clans", {}))  # type: ignore[call-overload]
    game = season_turn(tiles, clans=clans, hands={ANN: ["migration"]}, **fields)
    return game.send(PlayCard(seat=ANN, card=card("migration"))).choose(ANN, territory="cove")


def test_ruling_42_one_group_of_a_migration_goes_by_sea() -> None:
    """Another goes by land; the clash at sea has Ann as instigator."""
    game = migrating().choose(ANN, to="inis_mona", amount=2).choose(ANN, to="forest", amount=1)
    game.send(game.legal(ANN)[0]).calm()

    assert (2, 1) == game.clans("inis_mona")[:2]
    assert 1 == game.clans("forest")[ANN]
    assert [ClashStarted(territory=here("inis_mona"), instigator=ANN)] == game.happened(ClashStarted)


def test_ruling_43_no_two_groups_go_by_sea() -> None:
    """The second harbor is not offered any more."""
    game = migrating()
    assert {"inis_mona", "isle_of_joy"} <= targets(game)
    game.choose(ANN, to="inis_mona", amount=1)

    assert "isle_of_joy" not in targets(game)
    game.refuses(Choose(seat=ANN, part=part(to="isle_of_joy", amount=1)), "choice_not_offered")


def test_ruling_44_a_neighbour_with_a_harbor_is_reached_by_land() -> None:
    """So one more goes by sea."""
    game = migrating(harbors=("forest",)).choose(ANN, to="forest", amount=1).choose(ANN, to="inis_mona", amount=1)

    assert {"valley"} == targets(game)


def test_ruling_45_one_withdrawal_goes_by_sea() -> None:
    """To a harbor whose chieftain one is, without a clash with others there; not to two."""
    clans = {"cove": (3, 1), "inis_mona": (2, 1), "isle_of_joy": (2,)}
    game = fight(season_state(SEA, clans=clans), "cove").votes(ANN, end=False)
    withdraw = next(each for each in game.legal(ANN) if type(each).__name__ == "Withdraw")
    game.send(withdraw)
    assert {"inis_mona", "isle_of_joy"} == targets(game)
    game.choose(ANN, to="inis_mona", amount=1)
    assert set() == targets(game)
    game.send(game.legal(ANN)[0]).calm()

    gone = [(each.territory, each.to, each.amount) for each in game.happened(ClansMoved)]

    assert [(here("cove"), here("inis_mona"), 1)] == gone
    assert (3, 1) == game.clans("inis_mona")[:2]
    assert [] == game.happened(ClashStarted)
    assert game.state.clash is not None
    assert here("cove") == game.state.clash.territory


def conquering(clans: dict[str, tuple[int, ...]]) -> Game:
    """Return a game in which Ann declares Conquest of Hy Breasil."""
    game = season_turn(FAR, clans=clans, hands={ANN: ["conquest"]})
    return game.send(PlayCard(seat=ANN, card=card("conquest"))).choose(ANN, territory="hy_breasil")


def test_ruling_47_hy_breasil_is_open_while_somebody_is_there() -> None:
    """Then a clan may come by sea, and clashes."""
    game = conquering({"cove": (2,), "hy_breasil": (0, 1)}).choose(ANN, territory="cove", amount=1)
    game.send(game.legal(ANN)[0]).calm()

    assert [ClashStarted(territory=here("hy_breasil"), instigator=ANN)] == game.happened(ClashStarted)


def test_ruling_47_hy_breasil_is_closed_while_nobody_is_there() -> None:
    """No clan can be sent by an Action card."""
    assert [] == parts_of(conquering({"cove": (2,)}))


def explored(hand: str, *, tales: bool = False) -> Game:
    state = season_state(clans={"cove": (1, 1)}, hands={ANN: [hand]})
    game = Game(stacked(state, "hy_breasil", "swamp")).play(ANN, hand).calm()
    return game.choose(ANN, territory="hy_breasil").calm() if tales else game.send(game.legal(ANN)[0]).calm()


def test_ruling_41_exploration_brings_no_clan_to_hy_breasil() -> None:
    """The tile is there, empty; Maelduin's Expedition brings one."""
    assert 0 == explored("exploration").clans("hy_breasil")[ANN]
    assert 1 == explored("maelduins_expedition", tales=True).clans("hy_breasil")[ANN]


def test_who_comes_back_does_not_come_to_empty_hy_breasil() -> None:
    """The two clans of a player without any are not an Epic Tale's (expansion, section 4.3, L2)."""
    game = season_turn(FAR, clans={"cove": (0, 1)})
    game.state = replace(game.state, agenda=(PlaceClan(seat=ANN), *game.state.agenda))

    assert "hy_breasil" not in {each["territory"] for each in parts_of(game)}
    assert "isle_of_joy" in {each["territory"] for each in parts_of(game)}


def claiming(*, token: bool, owned: int = 1, land: int = 4, check: bool = True, hands: Hands | None = None) -> Game:
    """Return a game in which Ann, in so many territories, holds the card of Hy Breasil at the victory check."""
    tiles = ("cove", "forest", "valley", "moor", "hills", "hy_breasil")
    state = season_state(
        tiles, capital=None, options=options("sea_travels"), modules=("sea_travels",), brenn=BO, hands=hands
    )
    for each in tiles[:land]:
        state = with_clans(state, each, (1,))
    held = replace(state.contenders[ANN], advantages=(card("hy_breasil"),), deeds=owned, pretender=token)
    face_up = tuple(each for each in state.face_up if each != "hy_breasil")
    state = replace(state, contenders=(held, *state.contenders[1:]), face_up=face_up)
    return assembly(state).calm("victory_check") if check else Game(state)


def test_ruling_48_hy_breasil_stands_in_for_a_deed() -> None:
    """With five territories and its card the sixth is not needed."""
    game = claiming(token=True, owned=0, land=5).answer(ann="hy_breasil").calm()

    assert [KingCrowned(seat=ANN)] == game.happened(KingCrowned)


def test_ruling_48_hy_breasil_does_not_help_to_claim() -> None:
    """A Pretender token needs the real thing."""
    game = claiming(token=False, owned=0, land=5, check=False)

    game.refuses(TakePretender(seat=ANN), "no_condition_met")


def test_ruling_48_without_the_card_there_is_no_crown() -> None:
    """It may be kept."""
    game = claiming(token=True, owned=0, land=5).answer().calm()

    assert [PretendersReturned()] == game.happened(PretendersReturned)


def test_the_dagda_cancels_hy_breasil() -> None:
    """The check goes on without it, and the card is gone."""
    game = claiming(token=True, owned=0, land=5, hands={BO: ["the_dagda"]}).answer(ann="hy_breasil")
    game.answer(bo="the_dagda").calm()

    assert [PretendersReturned()] == game.happened(PretendersReturned)
    assert [] == game.happened(KingCrowned)
    assert card("hy_breasil") not in game.hand(ANN)


def test_ruling_106_hy_breasil_goes_before_deeds() -> None:
    """In a check without a winner: Bo ties, Cy is Brenn."""
    tiles = ("cove", "forest", "valley", "moor", "hills", "hy_breasil")
    state = season_state(tiles, capital=None, options=options("sea_travels"), modules=("sea_travels",), brenn=Seat(2))
    for each in tiles[:5]:
        state = with_clans(state, each, (1, 1))
    state = deeds(deeds(state, ANN, 1, pretender=True), BO, 1, pretender=True)
    held = replace(state.contenders[ANN], advantages=(card("hy_breasil"),))
    face_up = tuple(each for each in state.face_up if each != "hy_breasil")
    state = replace(state, contenders=(held, *state.contenders[1:]), face_up=face_up)
    game = assembly(state).calm("victory_check").answer(ann="hy_breasil").calm()

    assert [1, 0, 0] == [each.deeds for each in game.state.contenders]
    assert None is more(game.state).claim


# The Isle of Joy


@pytest.mark.parametrize("name", ["migration", "emissaries", "coalition"])
def test_no_action_card_leads_off_the_isle_of_joy(name: str) -> None:
    """It is not offered (expansion, section 4.3, L1)."""
    game = season_turn(SEA, seats=5, clans={"isle_of_joy": (3, 1), "cove": (1,)}, hands={ANN: [name]})
    game.send(PlayCard(seat=ANN, card=card(name)))

    assert "isle_of_joy" not in {each.get("territory") for each in parts_of(game)}


def test_conquest_draws_nobody_off_the_isle_of_joy() -> None:
    """Others may come."""
    game = season_turn(SEA, clans={"isle_of_joy": (3,), "inis_mona": (1,), "forest": (1,)}, hands={ANN: ["conquest"]})
    game.send(PlayCard(seat=ANN, card=card("conquest"))).choose(ANN, territory="cove")

    assert {"inis_mona", "forest"} == {each["territory"] for each in parts_of(game)}


def test_spies_stay_on_the_isle_of_joy() -> None:
    """Their move is an Action card's."""
    hands = {ANN: ["scouts_spies"]}
    game = season_turn(SEA, seats=4, clans={"isle_of_joy": (3,), "inis_mona": (1,)}, hands=hands)
    game.play(ANN, "scouts_spies", part(owner=BO)).calm()

    assert {"inis_mona", None} == {each.get("territory") for each in parts_of(game)}
    assert {"isle_of_joy", "cove", None} == targets(game)


def test_a_tale_leads_off_the_isle_of_joy() -> None:
    """So does a withdrawal."""
    game = season_turn(SEA, clans={"isle_of_joy": (3,), "cove": (2,)}, hands={ANN: ["manannans_horses"]})
    game.play(ANN, "manannans_horses", part(territory="isle_of_joy"), part(to="moor", amount=2)).calm()
    assert 2 == game.clans("moor")[ANN]

    game = fight(season_state(SEA, clans={"isle_of_joy": (2, 1), "cove": (2,)}), "isle_of_joy").votes(ANN, end=False)
    game.withdraw(ANN, part(to="cove", amount=2)).calm()
    assert 4 == game.clans("cove")[ANN]


def test_an_island_is_no_neighbour_of_a_place() -> None:
    """It has no cell (expansion, section 5.2)."""
    land = season_state(SEA).lands[here("inis_mona")]

    assert ("sea", ()) == (land.location, land.beside)


# Tailtu's Land, and Lost Vale and Breas by sea


def revealed(*tiles: str, clans: dict[str, tuple[int, ...]]) -> Game:
    state = season_state(clans=clans, hands={ANN: ["tailtus_land"]})
    return Game(stacked(state, *tiles)).play(ANN, "tailtus_land").calm()


def test_tailtus_land_may_be_an_island() -> None:
    """It goes to sea at once, and a clan comes from a harbor, to Hy Breasil too (expansion, section 5.2)."""
    game = revealed("hy_breasil", "swamp", "hills", clans={"cove": (2,), "forest": (2,)})
    game.choose(ANN, territory="hy_breasil").choose(ANN, territory="swamp")
    assert [{"option": "stay"}, {"territory": "cove"}] == parts_of(game)
    game.choose(ANN, territory="cove").calm()

    assert 1 == game.clans("hy_breasil")[ANN]


def test_a_tile_without_a_place_cannot_be_chosen() -> None:
    """An island always can; without one all go under the stack (expansion, section 5.2)."""
    state = season_state(("cove",), seats=2, clans={"cove": (1, 1)}, hands={ANN: ["tailtus_land"]})
    game = Game(stacked(state, "hills", "inis_mona", "swamp")).play(ANN, "tailtus_land").calm()
    assert [{"territory": "inis_mona"}] == parts_of(game)

    game = Game(stacked(state, "hills", "haven", "swamp")).play(ANN, "tailtus_land").calm()
    game.choose(ANN, territory="hills").choose(ANN, territory="swamp").calm()
    assert [("hills", "swamp", "haven")] == [each.tiles for each in game.happened(TilesPutUnder)]
    assert ("hills", "swamp", "haven") == game.state.stack[-3:]


def test_breas_drives_a_clan_over_the_sea() -> None:
    """The right belongs to who plays the card (expansion, section 5.5)."""
    game = season_turn(SEA, clans={"cove": (1, 1)}, hands={ANN: ["breas_tyranny"]})
    game.play(ANN, "breas_tyranny", part(territory="cove", owner=BO), part(to="inis_mona")).calm()

    assert (0, 1) == game.clans("inis_mona")[:2]


def test_the_lost_vale_draws_in_over_the_sea() -> None:
    """With a harbor of its own."""
    tiles = ("cove", "forest", "valley", "moor", "lost_vale", "isle_of_joy")
    clans = {"cove": (1,), "isle_of_joy": (0, 2)}
    hands = {ANN: ["swamp", "lost_vale"]}
    state = season_state((*tiles, "swamp"), clans=clans, hands=hands, harbors=("lost_vale",))
    game = Game(state).play(ANN, "swamp").calm("season_played").answer(ann="lost_vale").calm()
    game.choose(ANN, territory="isle_of_joy", owner=BO).calm()

    assert (0, 1) == game.clans("lost_vale")[:2]


def test_who_lands_in_the_mountains_by_sea_pays_too() -> None:
    """Arrival by sea is an ordinary arrival (expansion, section 5.5)."""
    tiles = ("cove", "forest", "valley", "moor", "hills", "mountains", "isle_of_joy")
    hands = {ANN: ["emissaries", "bard"]}
    state = season_state(tiles, seats=4, clans={"cove": (2,)}, hands=hands, harbors=("mountains",))
    assert here("mountains") not in state.lands[here("cove")].beside
    game = Game(state).play(ANN, "emissaries", part(territory="cove", to="mountains")).calm()
    game.choose(ANN, card="bard").calm()

    assert card("bard") in game.state.pile
    assert 1 == game.clans("mountains")[ANN]


def test_the_fianna_and_moytura_use_the_sea_once() -> None:
    """To one territory, and from one at most."""
    clans = {"cove": (2, 2), "inis_mona": (2,), "isle_of_joy": (2,), "forest": (1,)}
    hands = {ANN: ["the_battle_of_moytura"]}
    game = fight(season_state(SEA, clans=clans, hands=hands), "cove").votes(ANN, end=False)
    game.send(PlayCard(seat=ANN, card=card("the_battle_of_moytura"))).choose(ANN, territory="inis_mona", amount=2)
    assert {"forest"} == {each["territory"] for each in parts_of(game)}

    hands = {ANN: ["the_fianna"]}
    game = fight(season_state(SEA, clans=clans, hands=hands), "cove").votes(ANN, end=False)
    game.send(PlayCard(seat=ANN, card=card("the_fianna")))
    assert {"forest", "valley", "inis_mona", "isle_of_joy"} == targets(game)


def land_only(state: InisState) -> set[str]:
    return set(state.ways(here("cove")))


def test_without_harbors_there_is_no_sea() -> None:
    """And with one alone there is nowhere to go."""
    state = season_state(("cove", "forest", "valley"))

    assert {"forest", "valley"} == land_only(state)
