"""What each Advantage card and each territory does, in the order of the document (rules, sections 5.2 and 5.3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, PlayCard, Respond
from events.inis.events.board import ClanPlaced, ClanRemoved, ClansMoved, ClashStarted
from events.inis.events.cards import (
    CardDiscarded,
    CardGiven,
    CardSetAside,
    CardStolen,
    CardTaken,
    ChoiceMade,
    HandSeen,
    TaleKept,
    TalesDrawn,
)
from events.inis.events.rounds import CrowsTossed
from tests.inis.table import (
    ANN,
    BO,
    CY,
    Game,
    aside,
    assembly,
    built,
    card,
    clash,
    fight,
    here,
    island,
    part,
    state_with,
    turn,
)
from workers.inis.state import InisState
from workers.inis.steps.rounds import GatesEffect

GATES = "gates_of_tir_na_nog"


def maneuvering(state: InisState, territory: str = "forest") -> Game:
    return fight(state, territory).votes(ANN, end=False)


def test_cove_exchanges_the_card_set_aside() -> None:
    """After a Season card of one's own."""
    state = aside(state_with(clans={"cove": (1,)}, hands={ANN: ["cove", "bard", "druid"]}), "conquest")
    game = Game(state).play(ANN, "bard").calm("season_played").answer(ann="cove").calm()
    assert [CardTaken(seat=ANN, card=card("conquest"), aside=True)] == game.happened(CardTaken)
    game.choose(ANN, card="druid")

    assert [CardSetAside(seat=ANN, card=card("druid"))] == game.happened(CardSetAside)
    assert (card("druid"), ANN) == (game.state.aside, game.state.aside_by)


def test_cove_without_a_card_set_aside_sets_one_aside() -> None:
    """House H30."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["cove", "bard", "druid"]})
    game.play(ANN, "bard").calm("season_played").answer(ann="cove").calm().choose(ANN, card="druid")

    assert card("druid") == game.state.aside


def test_forest_draws_after_a_tale() -> None:
    """Of one's own."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["forest", "the_stone_of_fal"]})
    game.play(ANN, "the_stone_of_fal").calm("epic_played").answer(ann="forest").calm()

    assert 1 == len(game.state.contenders[ANN].tales)


def test_forest_draws_even_after_a_cancelled_tale() -> None:
    """House H22."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["forest", "the_stone_of_fal"], BO: ["the_dagda"]})
    game.play(ANN, "the_stone_of_fal").calm("epic_or_advantage_declared").answer(bo="the_dagda")
    game.calm("epic_played").answer(ann="forest").calm()

    assert 1 == len(game.state.contenders[ANN].tales)


def gates(*held: str) -> Game:
    """Return a game in which the Gates take effect on Ann."""
    state = state_with(("cove", GATES, "valley", "moor"), clans={GATES: (2,)}, hands={ANN: held})
    return Game(replace(state, agenda=(GatesEffect(), *state.agenda)))


def test_gates_card_draws_two_for_the_gates() -> None:
    """One is kept, the other lies face up."""
    game = gates(GATES).calm("gates_draw").answer(ann=GATES).calm()
    first, second = game.legal(ANN)
    game.send(first)

    assert isinstance(second, Choose)
    assert (second.part.card,) == game.state.discards
    assert [TaleKept] == [type(event) for event in game.events]


def test_gates_and_meadows_draw_three() -> None:
    """Together (rules, section 5.4, Edge cases)."""
    state = state_with(("cove", GATES, "valley", "meadows"), clans={GATES: (2,)}, hands={ANN: [GATES, "meadows"]})
    game = Game(replace(state, agenda=(GatesEffect(), *state.agenda)))
    game.calm("gates_draw").answer(ann=GATES).calm("gates_draw").answer(ann="meadows").calm()

    assert 3 == len(game.legal(ANN))


def test_highlands_change_the_instigator_after_the_festival() -> None:
    """C0 to C3 stand as they are."""
    tiles = ("cove", "highlands", "valley", "moor")
    state = state_with(tiles, clans={"highlands": (2, 2)}, hands={BO: ["highlands"]}, festival=here("highlands"))
    game = clash(state, "highlands").calm("resolution_start").answer(bo="highlands").calm().choose(BO, owner=BO)

    assert game.state.clash is not None
    assert (BO, (1, 2, 0)) == (game.state.clash.instigator, game.clans("highlands"))


def test_hills_leave_what_the_attack_does_to_others() -> None:
    """It was performed: Streng's Resolve is playable (house H27)."""
    tiles = ("cove", "hills", "valley", "moor")
    hands = {ANN: ["strengs_resolve", "iron_mine"], BO: ["hills", "bard"]}
    game = maneuvering(state_with((*tiles, "iron_mine"), clans={"hills": (1, 2)}, hands=hands), "hills")
    game.attack(ANN, BO).calm("attack_declared").answer(ann="iron_mine", bo="hills")
    game.calm("attack_declared").answer(bo="hills").calm("maneuver_done").answer(ann="strengs_resolve").calm()

    assert ((1, 2, 0), (card("bard"),)) == (game.clans("hills"), game.state.contenders[BO].actions)
    assert 1 == game.state.contenders[ANN].deeds


def test_iron_mine_takes_only_a_clan_without_a_card() -> None:
    """There is nothing to discard."""
    tiles = ("cove", "forest", "iron_mine", "moor")
    game = maneuvering(state_with(tiles, clans={"forest": (1, 3)}, hands={ANN: ["iron_mine"]}))
    game.attack(ANN, BO).calm("attack_declared").answer(ann="iron_mine").calm()

    assert (1, 2, 0) == game.clans("forest")


def test_lost_vale_draws_in_any_clan() -> None:
    """Of any owner, without a clash."""
    game = turn(("cove", "lost_vale", "valley", "moor"), clans={"cove": (1, 1)}, hands={ANN: ["lost_vale", "bard"]})
    game.play(ANN, "bard").calm("season_played").answer(ann="lost_vale").calm()
    game.choose(ANN, territory="cove", owner=BO)

    moved = ClansMoved(seat=BO, territory=here("cove"), to=here("lost_vale"), amount=1)
    assert [moved] == game.happened(ClansMoved)
    assert [] == game.happened(ClashStarted)


def test_meadows_draw_one_more() -> None:
    """With Tuan's Memory four are drawn and one is kept."""
    game = turn(("cove", "meadows", "valley", "moor"), clans={"cove": (1,)}, hands={ANN: ["meadows", "tuans_memory"]})
    game.play(ANN, "tuans_memory").calm("epic_draw").answer(ann="meadows").calm()

    assert 4 == len(game.legal(ANN))
    game.send(game.legal(ANN)[0])
    assert 1 == len(game.state.contenders[ANN].tales)


def test_misty_lands_exchange_action_cards() -> None:
    """As many as declared are discarded and drawn, one is kept."""
    game = turn(("cove", "misty_lands"), clans={"cove": (1,)}, hands={ANN: ["misty_lands", "bard", "druid", "geis"]})
    game.play(ANN, "misty_lands", part(amount=2)).calm().choose(ANN, card="bard").choose(ANN, card="geis").calm()
    assert 2 == len(game.legal(ANN))
    game.send(game.legal(ANN)[1]).calm()

    assert ((card("druid"),), 1) == (game.state.contenders[ANN].actions, len(game.state.contenders[ANN].tales))


def test_misty_lands_without_action_cards_do_nothing() -> None:
    """But use the turn."""
    game = turn(("cove", "misty_lands"), clans={"cove": (1, 1)}, hands={ANN: ["misty_lands"]})
    game.play(ANN, "misty_lands").calm()

    assert ([], BO) == (game.happened(TalesDrawn), game.state.turn)


def test_moor_looks_at_tales() -> None:
    """Before the answer at one's own turn; the turn is still to be taken."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["moor"], BO: ["eriu"]})
    game.play(ANN, "moor").calm().choose(ANN, owner=BO)

    seen = game.happened(HandSeen)
    assert [("tale", (card("eriu"),))] == [(each.cards_of, each.cards) for each in seen]
    assert [ANN] == game.asked


def test_moor_is_played_in_the_draft_and_in_a_clash() -> None:
    """At the moments the document names (house H35)."""
    draft = assembly(state_with(clans={"moor": (2,)}, hands={}))
    while not draft.state.draft:
        draft.answer()
    moor = PlayCard(seat=ANN, card=card("moor"))
    assert moor in draft.legal(ANN)
    before = draft.state.draft
    draft.play(ANN, "moor").calm().choose(ANN, owner=BO)
    assert before == draft.state.draft

    state = built(state_with(clans={"forest": (2, 2)}, hands={ANN: ["moor"]}), "forest", citadels=1)
    assert moor in clash(state, instigator=BO).calm().legal(ANN)
    peace = fight(state)
    assert moor in peace.legal(ANN)
    assert moor in peace.votes(ANN, end=False).legal(ANN)


def test_mountains_card_waives_the_toll() -> None:
    """This time."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = turn(tiles, clans={"cove": (3,)}, hands={ANN: ["migration", "mountains"]})
    game.play(ANN, "migration", part(territory="cove"), part(to="mountains", amount=2), confirm=True)
    game.calm("mountains_entry").answer(ann="mountains").calm()

    assert 2 == game.clans("mountains")[ANN]


def test_the_mountains_take_an_action_card_instead() -> None:
    """Its owner chooses."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = turn(tiles, clans={"cove": (3,)}, hands={ANN: ["migration", "bard"]})
    game.play(ANN, "migration", part(territory="cove"), part(to="mountains", amount=2), confirm=True).calm()
    game.choose(ANN, card="bard").calm()

    assert [CardDiscarded(seat=ANN, card=card("bard"))] == game.happened(CardDiscarded)
    assert 2 == game.clans("mountains")[ANN]


def test_the_mountains_come_before_the_clash() -> None:
    """Who is wiped out there fights no more (house H13)."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = turn(tiles, clans={"cove": (3,), "mountains": (0, 1)}, hands={ANN: ["migration"]})
    game.play(ANN, "migration", part(territory="cove"), part(to="mountains", amount=1), confirm=True).calm()

    assert [] == game.happened(ClashStarted)
    assert (0, 1, 0) == game.clans("mountains")


def test_a_clan_pushed_into_the_mountains_is_paid_for_by_its_owner() -> None:
    """Breas' Tyranny."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = turn(tiles, clans={"cove": (1, 1)}, hands={ANN: ["breas_tyranny"], BO: ["bard"]})
    game.play(ANN, "breas_tyranny", part(territory="cove", owner=BO), part(to="mountains")).calm()
    assert [BO] == game.asked
    game.choose(BO, option="clan").calm()

    assert [ClanRemoved(seat=BO, territory=here("mountains"))] == game.happened(ClanRemoved)


def test_placing_in_the_mountains_costs_nothing() -> None:
    """Only moves do."""
    tiles = ("cove", "mountains", "valley", "moor")
    game = turn(tiles, hands={ANN: ["children_of_dana"]}, clans={"cove": (1,)})
    game.play(ANN, "children_of_dana", part(territory="mountains")).calm()

    assert 1 == game.clans("mountains")[ANN]


def test_plains_send_clans_out() -> None:
    """With a clash."""
    tiles = ("cove", "plains", "valley", "moor")
    game = turn(tiles, clans={"plains": (3,), "moor": (0, 1)}, hands={ANN: ["plains"]})
    game.play(ANN, "plains", part(to="moor", amount=2), confirm=True).calm()

    assert [ClashStarted(territory=here("moor"), instigator=ANN)] == game.happened(ClashStarted)


def test_salt_mine_swaps_a_card() -> None:
    """One at random for one of choice, perhaps the same."""
    hands = {ANN: ["salt_mine", "bard", "druid"], BO: ["geis"]}
    game = turn(("cove", "salt_mine"), clans={"cove": (1, 1)}, hands=hands)
    game.play(ANN, "bard").calm("season_played").answer(ann="salt_mine").calm().choose(ANN, owner=BO)
    assert [CardStolen(seat=ANN, owner=BO, card=card("geis"))] == game.happened(CardStolen)
    game.choose(ANN, card="geis")

    assert [CardGiven(seat=ANN, to=BO, card=card("geis"))] == game.happened(CardGiven)


def test_salt_mine_needs_an_opponent_with_a_card() -> None:
    """Otherwise it has no effect (house H24)."""
    game = turn(("cove", "salt_mine"), clans={"cove": (1, 1)}, hands={ANN: ["salt_mine", "bard"]})
    game.play(ANN, "bard").calm("season_played").answer(ann="salt_mine").calm()

    assert ([], []) == (game.happened(CardStolen), game.happened(ChoiceMade))


def test_stone_circle_takes_the_tale_back() -> None:
    """For a clan from the Stone Circle."""
    tiles = ("cove", "stone_circle", "valley", "moor")
    game = turn(tiles, clans={"stone_circle": (2,)}, hands={ANN: ["stone_circle", "the_stone_of_fal"]})
    game.play(ANN, "the_stone_of_fal").calm("epic_played").answer(ann="stone_circle").calm()

    assert (card("the_stone_of_fal"),) == game.state.contenders[ANN].tales
    assert 1 == game.clans("stone_circle")[ANN]


def test_stone_circle_works_even_if_the_clan_is_saved() -> None:
    """House H23."""
    tiles = ("cove", "stone_circle", "valley", "moor")
    hands = {ANN: ["stone_circle", "the_stone_of_fal", "the_dagdas_club"]}
    game = turn(tiles, clans={"stone_circle": (2,)}, hands=hands)
    game.play(ANN, "the_stone_of_fal").calm("epic_played").answer(ann="stone_circle")
    game.calm("clan_removed").answer(ann="the_dagdas_club").calm()

    assert card("the_stone_of_fal") in game.state.contenders[ANN].tales
    assert 2 == game.clans("stone_circle")[ANN]


def test_swamp_is_a_turn_that_does_nothing() -> None:
    """And no pass."""
    game = turn(("cove", "swamp"), clans={"cove": (1,)}, hands={ANN: ["swamp"]}, passed=(BO, CY))
    game.play(ANN, "swamp").calm()

    assert ((), "season") == (game.state.passed, game.state.phase)


def test_valley_places_a_clan() -> None:
    """Where one is present."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["valley", "bard"]})
    game.play(ANN, "bard").calm("season_played").answer(ann="valley").calm().choose(ANN, territory="cove")

    assert [ClanPlaced(seat=ANN, territory=here("cove"))] == game.happened(ClanPlaced)


@pytest.mark.parametrize("name", ["gates_of_tir_na_nog", "stone_circle", "forest"])
def test_some_territories_enter_with_a_sanctuary(name: str) -> None:
    """Two of sixteen, as long as the supply has one."""
    state = state_with(("cove", "valley"), capital=None)
    bare = built(state, "cove", sanctuaries=state.sanctuaries)

    assert int(name != "forest") == island(state, (name,)).lands[here(name)].sanctuaries
    assert 0 == island(bare, (name,)).lands[here(name)].sanctuaries


def test_the_swamp_takes_no_citadel() -> None:
    """Not even by the card."""
    game = turn(("cove", "swamp"), clans={"swamp": (1,)}, hands={ANN: ["citadel"]})
    game.play(ANN, "citadel").calm()

    assert 0 == game.state.lands[here("swamp")].citadels


def test_the_gates_count_the_brenn_first() -> None:
    """Then in the new direction; a clan saved does not cost the draw (house H23)."""
    tiles = ("cove", GATES, "valley", "moor")
    state = state_with(tiles, clans={GATES: (1, 1, 1)}, brenn=BO, hands={BO: ["the_dagdas_club"]})
    game = Game(replace(state, agenda=(GatesEffect(), *state.agenda)))
    game.calm("clan_removed").answer(bo="the_dagdas_club").calm()

    assert [BO, CY, ANN] == [event.seat for event in game.happened(TalesDrawn)]
    assert (0, 1, 0) == game.clans(GATES)


@pytest.mark.parametrize(
    "name",
    ["cove", "forest", GATES, "highlands", "hills", "iron_mine", "lost_vale", "meadows", "mountains", "salt_mine",
     "stone_circle", "valley"],
)  # fmt: skip
def test_triskel_cards_are_no_turn(name: str) -> None:
    """They only answer."""
    tiles = tuple(dict.fromkeys(("cove", "moor", name)))
    game = turn(tiles, clans={"cove": (1,)}, hands={ANN: [name]})
    game.refuses(PlayCard(seat=ANN, card=card(name)), "card_not_playable_now")


@pytest.mark.parametrize("name", ["misty_lands", "plains", "swamp", "moor"])
def test_an_advantage_card_is_played_by_its_holder(name: str) -> None:
    """Nobody plays what lies beside the board."""
    tiles = tuple(dict.fromkeys(("cove", name)))
    turn(tiles, clans={"cove": (1,)}).refuses(PlayCard(seat=ANN, card=card(name)), "card_not_in_hand")


def test_misty_lands_and_plains_are_declared_within_limits() -> None:
    """No more cards than there are, no more clans, and only to adjacent territories."""
    tiles = ("cove", "misty_lands", "plains", "moor")
    game = turn(tiles, clans={"plains": (1,)}, hands={ANN: ["misty_lands", "plains", "bard"]})
    game.send(PlayCard(seat=ANN, card=card("misty_lands")))
    game.refuses(Choose(seat=ANN, part=part(amount=2)), "choice_not_offered")
    game = turn(tiles, clans={"plains": (1,)}, hands={ANN: ["plains"]}).send(PlayCard(seat=ANN, card=card("plains")))
    game.refuses(Choose(seat=ANN, part=part(to="cove", amount=2)), "choice_not_offered")


def test_a_window_takes_fitting_cards_only() -> None:
    """Valley answers a Season card, not the end of a turn; Bo's Meadows answer no draw of Ann's."""
    hands = {ANN: ["valley", "moor", "bard"], BO: ["meadows"]}
    game = turn((*("cove", "valley", "moor"), "meadows"), clans={"cove": (1, 1)}, hands=hands)
    game.play(ANN, "bard").calm("season_played")
    game.refuses(Respond(seat=ANN, card=card("moor")), "card_not_playable_now")
    game.refuses(Respond(seat=ANN, card=card("meadows")), "card_not_in_hand")
    game.refuses(Respond(seat=BO, card=card("meadows")), "not_your_turn")
    game.answer().calm("turn_end")
    game.refuses(Respond(seat=ANN, card=card("valley")), "card_not_playable_now")


def test_the_toss_of_set_up_compares_nothing() -> None:
    """It is the first."""
    events = [event for event in gates().events if isinstance(event, CrowsTossed)]

    assert [] == events
