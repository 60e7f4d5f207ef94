"""The other new Epic Tales (expansion, section 4.5), and their rulings."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, PlayCard
from events.inis.events.board import ClanReappeared, ClanRemoved, ClashStarted
from events.inis.events.cards import DeedGained, HandSeen, PlayCancelled, TalesDrawn
from events.inis.events.rounds import SeasonEnded
from events.inis.events.seasons import (
    AsideSeen,
    BansheeReturned,
    BansheesTaken,
    BranReturned,
    HarborBuilt,
)
from events.inis.vocabulary import Location
from events.messages import Seat
from tests.inis.table import ANN, BO, CY, DI, Game, aside, card, fight, here, part, with_clans
from tests.seasons.table import at_dusk, expanded, more, season_state, season_turn
from workers.inis.seasons.cards.tales import declare_brans_journey
from workers.inis.seasons.more import Bran
from workers.inis.seasons.steps import BansheeRemove, BranReturn
from workers.inis.steps.rounds import Turn


def choices(game: Game, seat: Seat = ANN) -> list[dict[str, object]]:
    """Return what a seat may choose now."""
    chosen = [each.part for each in game.legal(seat) if isinstance(each, Choose)]
    return [
        {name: getattr(each, name) for name in each.__struct_fields__ if getattr(each, name) is not None}
        for each in chosen
    ]


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
        assert BO == game.state.turn
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


def test_bran_takes_up_to_three_from_one_territory() -> None:
    """Of as many as are there (expansion, section 4.5)."""
    game = season_turn(clans={"cove": (5,), "moor": (2, 1)}, hands={ANN: ["brans_journey"]})
    game.send(PlayCard(seat=ANN, card=card("brans_journey")))
    taken = {"cove": (1, 2, 3), "moor": (1, 2)}

    assert [{"territory": each, "amount": amount} for each, many in taken.items() for amount in many] == choices(game)


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
