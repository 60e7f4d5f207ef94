"""The numbered rulings on clashes (rules, section 9)."""

from __future__ import annotations

from msgspec.structs import replace

from events.inis.commands import Attack, Choose, Respond, VotePeace
from events.inis.events.board import ClanRemoved, ClashEnded, ClashStarted
from events.inis.events.cards import CardDiscarded, DeedGained, PlayCancelled
from tests.inis.table import ANN, BO, CY, Game, built, card, clash, fight, here, part, state_with, with_clans
from workers.inis.state import InisState

TILES = ("cove", "forest", "valley", "moor")


def test_ruling_19_the_festival_costs_the_instigator_a_clan() -> None:
    """Before the citadels step."""
    state = built(state_with(clans={"forest": (2, 1)}), "forest", citadels=1)
    game = clash(replace(state, festival=here("forest"))).calm()

    assert (1, 1, 0) == game.clans("forest")
    assert [BO] == game.asked


def test_ruling_21_the_citadels_are_filled_in_order() -> None:
    """Bo is asked first; once Bo is in, Cy cannot be, and Ann never can."""
    state = built(state_with(clans={"forest": (1, 1, 1)}), "forest", citadels=1)
    game = clash(state).calm()
    assert [BO] == game.asked
    game.shelter(BO).calm()

    assert game.state.clash is not None
    assert (0, 1, 0) == game.state.clash.protected
    assert [ANN] == game.asked
    assert VotePeace(seat=ANN, end=True) in game.legal(ANN)


def test_ruling_21_who_declines_leaves_it_to_the_next() -> None:
    """Then Cy is asked."""
    state = built(state_with(clans={"forest": (1, 1, 1)}), "forest", citadels=1)
    game = clash(state).calm().shelter(BO, accept=False)

    assert [CY] == game.asked


def maneuvering(state: InisState, territory: str = "forest") -> Game:
    """Return a clash in which Ann is asked for the first maneuver."""
    return fight(state, territory).votes(ANN, end=False)


def test_ruling_23_anybody_exposed_can_be_attacked() -> None:
    """Bo attacks Cy, not the instigator."""
    game = maneuvering(state_with(clans={"forest": (2, 2, 2)}))
    game.attack(ANN, BO).calm()
    game.votes(BO, end=False)

    assert Attack(seat=BO, target=CY) in game.legal(BO)
    game.attack(BO, CY).calm()
    assert 1 == game.clans("forest")[CY]


def test_ruling_24_tales_do_not_defend() -> None:
    """Without an Action card a clan must go."""
    state = state_with(clans={"forest": (1, 2)}, hands={BO: ["eriu", "children_of_dana", "tuans_memory"]})
    game = maneuvering(state).attack(ANN, BO).calm()

    assert [ClanRemoved(seat=BO, territory=here("forest"))] == game.happened(ClanRemoved)


def test_ruling_25_geis_discarded_in_defence_is_just_a_card() -> None:
    """No clan is lost, and Geis has no effect."""
    game = maneuvering(state_with(clans={"forest": (1, 2)}, hands={BO: ["geis"]}))
    game.attack(ANN, BO).calm().choose(BO, card="geis")

    assert [CardDiscarded(seat=BO, card=card("geis"))] == game.happened(CardDiscarded)
    assert [] == game.happened(PlayCancelled)
    assert (1, 2, 0) == game.clans("forest")


def test_ruling_27_a_withdrawal_starts_no_clash() -> None:
    """Although Bo is where Ann goes."""
    game = maneuvering(state_with(clans={"forest": (2, 1), "moor": (2, 1)}))
    game.withdraw(ANN, part(to="moor", amount=2)).calm()

    assert (4, 1, 0) == game.clans("moor")
    assert [] == game.happened(ClashStarted)


def test_ruling_28_all_exposed_agree_to_end() -> None:
    """Protected clans step out."""
    state = built(state_with(clans={"forest": (1, 2)}), "forest", citadels=1)
    game = clash(state).calm().shelter(BO).calm()
    game.votes(ANN, end=True).votes(BO, end=True)

    assert [ClashEnded()] == game.happened(ClashEnded)
    assert game.state.clash is None


def test_ruling_29_who_is_protected_is_not_asked() -> None:
    """Ann alone decides."""
    state = built(state_with(clans={"forest": (1, 1)}), "forest", citadels=1)
    game = clash(state).calm().shelter(BO).calm()
    assert [ANN] == game.asked
    game.votes(ANN, end=True)

    assert [ClashEnded()] == game.happened(ClashEnded)


def test_ruling_32_geis_answers_a_warlord_played_as_triskel() -> None:
    """No clan comes, and the order stays."""
    game = maneuvering(state_with(clans={"forest": (2, 2, 1)}, hands={ANN: ["warlord"], BO: ["geis"]}))
    game.attack(ANN, CY).calm("maneuver_done").answer(ann="warlord").calm("action_declared").answer(bo="geis").calm()

    assert 2 == game.clans("forest")[ANN]
    assert [BO] == game.asked


def test_ruling_37_warlord_names_the_next_without_a_clan() -> None:
    """The reserve is empty."""
    state = state_with(clans={"forest": (3, 2, 2)}, hands={ANN: ["warlord"]})
    state = with_clans(state, "moor", (9,))
    game = maneuvering(state).attack(ANN, BO).calm("maneuver_done").answer(ann="warlord").calm()
    game.choose(ANN, owner=CY).calm()

    assert 3 == game.clans("forest")[ANN]
    assert [CY] == game.asked


def test_ruling_52_the_dagda_answers_ogmas_eloquence() -> None:
    """The clash goes on, the maneuver is spent, the piles are shuffled together."""
    state = state_with(clans={"forest": (2, 2)}, hands={ANN: ["ogmas_eloquence"], BO: ["the_dagda"]})
    game = maneuvering(state).play(ANN, "ogmas_eloquence")
    game.calm("epic_or_advantage_declared").answer(bo="the_dagda").calm()

    assert game.state.clash is not None
    assert [BO] == game.asked
    assert {card("ogmas_eloquence"), card("the_dagda")} <= set(game.state.deck)
    assert () == game.state.discards


def test_ruling_55_battle_frenzy_empties_the_citadels() -> None:
    """Both clans can be attacked."""
    state = built(state_with(clans={"forest": (1, 2)}, hands={ANN: ["battle_frenzy"]}), "forest", citadels=2)
    game = clash(state).calm().shelter(BO).shelter(BO).calm("citadels_end").answer(ann="battle_frenzy").calm()

    assert 2 == game.state.exposed(BO)


def test_ruling_56_the_hills_ward_off_an_attack() -> None:
    """No loss."""
    tiles = ("cove", "hills", "valley", "moor")
    game = maneuvering(state_with(tiles, clans={"hills": (1, 2)}, hands={BO: ["hills"]}), "hills")
    game.attack(ANN, BO).calm("attack_declared").answer(bo="hills").calm()

    assert [] == game.happened(ClanRemoved)
    assert (1, 2, 0) == game.clans("hills")


def test_ruling_57_iron_mine_takes_both() -> None:
    """A clan and a card."""
    tiles = ("cove", "forest", "iron_mine", "moor")
    game = maneuvering(state_with(tiles, clans={"forest": (1, 2)}, hands={ANN: ["iron_mine"], BO: ["bard"]}))
    game.attack(ANN, BO).calm("attack_declared").answer(ann="iron_mine").calm()
    assert 1 == game.clans("forest")[BO]
    game.choose(BO, card="bard")

    assert () == game.state.contenders[BO].actions


def test_ruling_63_cuchulain_may_remove_just_one() -> None:
    """Bo's."""
    game = maneuvering(state_with(clans={"forest": (1, 1), "moor": (0, 1)}, hands={ANN: ["tale_of_cuchulain"]}))
    game.play(ANN, "tale_of_cuchulain", part(owner=BO), confirm=True).calm()

    assert (1, 0, 0) == game.clans("forest")


def test_ruling_75_highlands_name_who_is_first() -> None:
    """Cy performs the first maneuver."""
    tiles = ("cove", "highlands", "valley", "moor")
    game = clash(state_with(tiles, clans={"highlands": (2, 2, 2)}, hands={BO: ["highlands"]}), "highlands")
    game.calm("resolution_start").answer(bo="highlands").calm().choose(BO, owner=CY).calm()

    assert [CY] == game.asked
    assert game.state.clash is not None
    assert CY == game.state.clash.acting


def answered_attack(**hands: list[str]) -> Game:
    """Return the window after Ann's attack took Bo's clan, or Bo answered its removal."""
    held = {ANN: ["bard"], BO: hands["bo"]}
    game = maneuvering(state_with(clans={"forest": (2, 2), "moor": (0, 1)}, hands=held))
    return game.attack(ANN, BO).calm("clan_removed").answer(bo=hands["bo"][0])


def test_ruling_102_a_clan_that_re_appears_was_removed() -> None:
    """Bard is legal."""
    game = answered_attack(bo=["diarmuid_and_grainne"]).calm().choose(BO, territory="moor").calm("maneuver_done")
    game.answer(ann="bard").calm()

    assert [DeedGained(seat=ANN)] == game.happened(DeedGained)


def test_ruling_102_a_clan_that_was_saved_was_not() -> None:
    """Bard is not legal."""
    game = answered_attack(bo=["the_dagdas_club"]).calm("maneuver_done")
    game.refuses(Respond(seat=ANN, card=card("bard")), "card_not_playable_now")


def test_ruling_103_who_is_all_inside_is_not_asked_again() -> None:
    """The citadels step ends, and Ann decides alone."""
    state = built(state_with(clans={"forest": (1, 1)}), "forest", citadels=2)
    game = clash(state).calm().shelter(BO).calm()

    assert [ANN] == game.asked
    assert VotePeace(seat=ANN, end=True) in game.legal(ANN)
    assert not any(isinstance(each, Choose) for each in game.legal(ANN))
