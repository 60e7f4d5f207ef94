"""The numbered rulings on cards and territories outside of clashes (rules, section 9)."""

from __future__ import annotations

from msgspec.structs import replace

from events.inis.commands import Choose, PassTurn, PlayCard
from events.inis.events.board import (
    CitadelBuilt,
    ClanPlaced,
    ClanReappeared,
    ClanRemoved,
    ClashStarted,
    CrowsTurned,
    SanctuaryBuilt,
)
from events.inis.events.cards import AdvantageClaimed, CardDiscarded, CardGiven, CardPlayed, TalesDrawn, TributePaid
from tests.inis.table import (
    ANN,
    BO,
    CY,
    Game,
    built,
    card,
    here,
    part,
    state_with,
    turn,
    with_clans,
)
from workers.inis.state import InisState
from workers.inis.steps.rounds import TossCrows

GATES = "gates_of_tir_na_nog"


def test_ruling_16_placing_starts_no_clash() -> None:
    """Whoever is there."""
    game = turn(clans={"forest": (1, 2)}, hands={ANN: ["new_clans"]})
    game.play(ANN, "new_clans", part(territory="forest"), part(territory="forest")).calm()

    assert [] == game.happened(ClashStarted)
    assert (3, 2, 0) == game.clans("forest")


def test_ruling_17_migration_starts_a_clash() -> None:
    """Its player is the instigator."""
    game = turn(clans={"cove": (2,), "forest": (0, 1)}, hands={ANN: ["migration"]})
    game.play(ANN, "migration", part(territory="cove"), part(to="forest", amount=1), confirm=True).calm()

    assert [ClashStarted(territory=here("forest"), instigator=ANN)] == game.happened(ClashStarted)


def test_ruling_20_emissaries_meet_no_festival() -> None:
    """No clash, no penalty."""
    state = state_with(seats=4, clans={"cove": (1,), "forest": (0, 1)}, hands={ANN: ["emissaries"]})
    game = Game(replace(state, festival=here("forest")))
    game.play(ANN, "emissaries", part(territory="cove", to="forest")).calm()

    assert ([], []) == (game.happened(ClashStarted), game.happened(ClanRemoved))
    assert 1 == game.clans("forest")[ANN]


def test_ruling_31_geis_answers_the_declared_migration() -> None:
    """No clan moves, both cards are discarded, and the turn is over."""
    game = turn(clans={"cove": (2,), "forest": (0, 1)}, hands={ANN: ["migration"], BO: ["geis"]})
    game.play(ANN, "migration", part(territory="cove"), part(to="forest", amount=1), confirm=True)
    game.calm("action_declared").answer(bo="geis").calm()

    assert 2 == game.clans("cove")[ANN]
    assert {card("migration"), card("geis")} <= set(game.state.pile)
    assert [BO] == game.asked


def test_ruling_33_lug_rescues_what_geis_cancelled() -> None:
    """The card comes back to hand."""
    game = turn(clans={"cove": (2,)}, hands={ANN: ["conquest", "lug_samildanach"], BO: ["geis"]})
    game.play(ANN, "conquest", part(territory="forest"), confirm=True)
    game.calm("action_declared").answer(bo="geis")
    game.calm("action_resolved").answer().calm("action_resolved").answer(ann="lug_samildanach").calm()

    assert card("conquest") in game.state.contenders[ANN].actions


def _without_reserve(state: InisState, left: int) -> InisState:
    """Return the state with all but so many of Ann's clans in the moor."""
    return with_clans(state, "moor", (state.contenders[ANN].reserve - left,))


def test_ruling_35_a_festival_without_reserve_places_the_marker() -> None:
    """No clan, but the marker."""
    state = state_with(clans={"cove": (1,)}, hands={ANN: ["festival"]})
    game = Game(_without_reserve(state, 0)).play(ANN, "festival", part(territory="cove")).calm()

    assert here("cove") == game.state.festival
    assert [] == game.happened(ClanPlaced)


def test_ruling_36_the_stone_of_fal_places_what_there_is() -> None:
    """One clan in the capital."""
    state = state_with(hands={ANN: ["the_stone_of_fal"]})
    game = Game(_without_reserve(state, 1)).play(ANN, "the_stone_of_fal").calm()

    assert [ClanPlaced(seat=ANN, territory=here("cove"))] == game.happened(ClanPlaced)


def test_ruling_40_a_citadel_brings_the_advantage_card_out_of_a_hand() -> None:
    """It moves from Bo's hand to Ann's."""
    tiles = ("cove", "forest", "hills", "moor")
    game = turn(tiles, clans={"hills": (1, 2)}, hands={ANN: ["citadel"], BO: ["hills"]})
    game.play(ANN, "citadel", part(territory="hills")).calm()

    assert [CitadelBuilt(territory=here("hills"))] == game.happened(CitadelBuilt)
    assert [AdvantageClaimed(seat=ANN, card=card("hills"))] == game.happened(AdvantageClaimed)
    assert ((card("hills"),), ()) == (game.state.contenders[ANN].advantages, game.state.contenders[BO].advantages)


def test_ruling_41_a_played_advantage_card_stays_where_it_is() -> None:
    """The citadel is placed, the card not taken."""
    tiles = ("cove", "forest", "hills", "moor")
    state = state_with(tiles, clans={"hills": (1, 2)}, hands={ANN: ["citadel"]})
    up = tuple(each for each in state.face_up if each != "hills")
    game = Game(replace(state, face_up=up, face_down=(card("hills"),)))
    game.play(ANN, "citadel", part(territory="hills")).calm()

    assert (1, []) == (game.state.lands[here("hills")].citadels, game.happened(AdvantageClaimed))


def test_ruling_44_a_tale_is_drawn_without_a_sanctuary_in_supply() -> None:
    """What is possible happens."""
    state = state_with(clans={"forest": (1,)}, hands={ANN: ["sanctuary"]})
    state = built(state, "moor", sanctuaries=state.sanctuaries)
    game = Game(state).play(ANN, "sanctuary", part(territory="forest")).calm()

    assert [] == game.happened(SanctuaryBuilt)
    assert 1 == len(game.happened(TalesDrawn))


def test_ruling_45_the_mountains_cost_a_clan_without_action_cards() -> None:
    """Of three that arrive two remain."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = turn(tiles, clans={"cove": (4,)}, hands={ANN: ["migration"]})
    game.play(ANN, "migration", part(territory="cove"), part(to="mountains", amount=3), confirm=True).calm()

    assert 2 == game.clans("mountains")[ANN]


def toss(turned: bool) -> Game:
    """Return a game whose next toss shows the other side, or the same."""
    state = state_with(("cove", GATES, "valley", "moor"), clans={GATES: (2, 1)})
    for direction in ("clockwise", "counterclockwise"):
        game = Game(replace(state, direction=direction, phase="assembly", agenda=(TossCrows(), *state.agenda))).calm()
        if (game.state.direction != direction) == turned:
            return game
    raise AssertionError("one of two sides comes up")


def test_ruling_47_another_side_costs_clans_in_the_gates() -> None:
    """Each who is there loses one and draws a tale."""
    game = toss(turned=True)

    assert (1, 0, 0) == game.clans(GATES)
    assert [1, 1, 0] == [len(each.tales) for each in game.state.contenders]


def test_ruling_48_the_same_side_has_no_effect() -> None:
    """Nobody loses or draws."""
    assert (2, 1, 0) == toss(turned=False).clans(GATES)


def test_ruling_49_the_morrigan_turns_the_crows() -> None:
    """The Gates take effect at once, and the order is reversed from then on."""
    game = turn(("cove", GATES, "valley", "moor"), clans={GATES: (2, 1, 1)}, hands={ANN: ["the_morrigan"]})
    game.play(ANN, "the_morrigan", part(option="turn"), part(option="no_clash")).calm()

    assert game.happened(CrowsTurned)
    assert (1, 0, 0) == game.clans(GATES)
    assert "counterclockwise" == game.state.direction
    assert CY == game.state.turn


def test_ruling_51_the_brenn_says_where_exploration_goes() -> None:
    """The clan is Ann's."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["exploration"]}, brenn=BO)
    game.play(ANN, "exploration").calm()
    assert [BO] == game.asked
    tile = game.state.stack[0]
    game.send(game.legal(BO)[0])

    assert (1, 0, 0) == game.clans(tile)
    assert card(tile) in game.state.face_up


def test_ruling_53_oenguss_ploy_keeps_the_season_going() -> None:
    """Ann takes a turn after the last pass in a row."""
    game = turn(clans={"cove": (1, 1, 1)}, hands={ANN: ["oenguss_ploy"]})
    game.passes(ANN).calm().passes(BO).calm().passes(CY)
    game.calm("turn_end").answer(ann="oenguss_ploy").calm()

    assert ([ANN], "season") == (game.asked, game.state.phase)
    assert PassTurn(seat=ANN) in game.legal(ANN)


def test_ruling_59_maeves_wealth_leaves_out_who_has_no_action_card() -> None:
    """Bo gives nothing and gets nothing."""
    game = turn(clans={"cove": (1, 1, 1)}, hands={ANN: ["maeves_wealth"], BO: ["eriu"], CY: ["bard"]})
    game.play(ANN, "maeves_wealth").calm()
    assert [CY] == game.asked
    game.choose(CY, card="bard")
    assert [TributePaid(seat=ANN, gifts=((CY, card("bard")),))] == game.happened(TributePaid)
    game.choose(ANN, card="bard")

    assert [CardGiven(seat=ANN, to=CY, card=card("bard"))] == game.happened(CardGiven)


def test_ruling_60_deirdres_beauty_costs_a_clan_all_the_same() -> None:
    """Nothing is gained."""
    game = turn(clans={"cove": (2, 1)}, hands={ANN: ["deirdres_beauty"]})
    game.play(ANN, "deirdres_beauty").calm().choose(ANN, territory="cove").calm()

    assert (1, 1, 0) == game.clans("cove")
    assert () == game.state.contenders[ANN].tales


def test_ruling_61_diarmuid_answers_balors_eye() -> None:
    """The clan re-appears elsewhere, and there is no clash."""
    clans = {"cove": (1, 1), "forest": (1, 1), "moor": (0, 1)}
    game = turn(clans=clans, hands={ANN: ["diarmuid_and_grainne"], BO: ["balors_eye"]}).passes(ANN).calm()
    game.play(BO, "balors_eye", part(territory="cove", owner=ANN))
    game.calm("clan_removed").answer(ann="diarmuid_and_grainne").calm().choose(ANN, territory="forest").calm()

    assert [] == game.happened(ClashStarted)
    assert (0, 2) == (game.clans("cove")[ANN], game.clans("forest")[ANN])
    assert not game.happened(ClanRemoved)


def test_ruling_64_the_active_player_is_served_first() -> None:
    """Of two answers to one event; then all are asked again."""
    tiles = ("cove", "forest", "valley", "moor")
    game = turn(tiles, clans={"cove": (1, 1, 1)}, hands={ANN: ["moor"], BO: ["oenguss_ploy"], CY: ["eriu"]})
    game.passes(ANN).calm("turn_end").answer(ann="moor", bo="oenguss_ploy")

    assert [CardPlayed(seat=ANN, card=card("moor"))] == game.happened(CardPlayed)
    assert card("oenguss_ploy") in game.state.contenders[BO].tales
    game.calm().choose(ANN, owner=CY)
    assert ("turn_end", [BO, CY]) == (game.window, game.asked)


def test_ruling_73_a_new_alliance_replaces_one_of_two() -> None:
    """An opponent with a single clan cannot be chosen."""
    game = turn(clans={"forest": (1, 1, 2)}, hands={ANN: ["new_alliance"]})
    game.send(PlayCard(seat=ANN, card=card("new_alliance")), Choose(seat=ANN, part=part(territory="forest")))
    game.refuses(Choose(seat=ANN, part=part(option="replace", owner=BO)), "choice_not_offered")
    game.choose(ANN, option="replace", owner=CY).calm()

    assert (2, 1, 1) == game.clans("forest")


def test_ruling_104_a_cancelled_card_costs_nothing_more() -> None:
    """No Action card is discarded, nothing is drawn, and the turn is used."""
    tiles = ("cove", "misty_lands", "valley", "moor")
    game = turn(tiles, clans={"cove": (1, 1)}, hands={ANN: ["misty_lands", "bard", "druid"], BO: ["the_dagda"]})
    game.play(ANN, "misty_lands", part(amount=2)).calm("epic_or_advantage_declared").answer(bo="the_dagda").calm()

    assert ([], []) == (game.happened(CardDiscarded), game.happened(TalesDrawn))
    assert [BO] == game.asked


def test_ruling_105_the_festival_ends_with_the_season() -> None:
    """The marker is beside the board again."""
    game = turn(clans={"cove": (1, 1, 1)}, festival=here("cove"))
    for seat in (ANN, BO, CY):
        game.passes(seat).calm()

    assert game.state.festival is None


def test_a_removal_answered_by_diarmuid_is_no_removal_to_the_reserve() -> None:
    """The reserve stays as it was."""
    clans = {"cove": (1, 1), "forest": (1, 1)}
    game = turn(clans=clans, hands={ANN: ["diarmuid_and_grainne"], BO: ["balors_eye"]}).passes(ANN).calm()
    game.play(BO, "balors_eye", part(territory="cove", owner=ANN))
    game.calm("clan_removed").answer(ann="diarmuid_and_grainne").calm().choose(ANN, territory="forest")

    assert [ClanReappeared(seat=ANN, territory=here("forest"))] == game.happened(ClanReappeared)
    assert 10 == game.state.contenders[ANN].reserve
