"""What each Epic Tale does, in the order of the document (rules, section 5.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.codec import to_json
from events.inis.commands import Choose, Confirm, PlayCard, Respond
from events.inis.events.board import (
    CauldronEmptied,
    CauldronSet,
    ClanPlaced,
    ClanRemoved,
    ClanSaved,
    ClansMoved,
    ClashEnded,
    ClashStarted,
    TilesPutUnder,
    TilesRevealed,
)
from events.inis.events.cards import CardTaken, ChoiceMade, DeedGained, PlayCancelled, TaleClaimed, TributePaid
from events.inis.events.rounds import AsideChosen, TalesShuffled
from events.inis.vocabulary import Location
from projections.inis.chronicle import told
from tests.inis.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    Game,
    aside,
    assembly,
    built,
    card,
    clash,
    fight,
    here,
    part,
    state_with,
    turn,
    with_clans,
)
from workers.inis.lattice import touch
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions


def maneuvering(state: InisState, territory: str = "forest") -> Game:
    return fight(state, territory).votes(ANN, end=False)


def test_balors_eye_removes_any_clan() -> None:
    """One's own too."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["balors_eye"]})
    game.play(ANN, "balors_eye", part(territory="cove", owner=BO)).calm()

    assert (1, 0, 0) == game.clans("cove")


def test_battle_frenzy_answers_the_end_of_the_citadels_step() -> None:
    """By any player, also one who is not there."""
    state = built(state_with(clans={"forest": (1, 1)}, hands={CY: ["battle_frenzy"]}), "forest", citadels=1)
    game = clash(state).calm().shelter(BO).calm("citadels_end").answer(cy="battle_frenzy").calm()

    assert 1 == game.state.exposed(BO)


def test_the_battle_of_moytura_joins_in() -> None:
    """Clans from around, and one from the reserve, all exposed."""
    state = state_with(clans={"forest": (1, 2), "cove": (2,)}, hands={ANN: ["the_battle_of_moytura"]})
    game = maneuvering(state).play(ANN, "the_battle_of_moytura", part(territory="cove", amount=2), confirm=True)
    game.calm()

    assert (4, 4) == (game.clans("forest")[ANN], game.state.exposed(ANN))


def test_moytura_needs_a_clan_where_there_is_one() -> None:
    """With none around it is declared without."""
    state = state_with(clans={"forest": (1, 2), "cove": (2,)}, hands={ANN: ["the_battle_of_moytura"]})
    game = maneuvering(state).send(PlayCard(seat=ANN, card=card("the_battle_of_moytura")))
    game.refuses(Confirm(seat=ANN), "declaration_incomplete")
    game = maneuvering(state_with(clans={"forest": (1, 2)}, hands={ANN: ["the_battle_of_moytura"]}))
    game.play(ANN, "the_battle_of_moytura").calm()

    assert 2 == game.clans("forest")[ANN]


def test_breas_tyranny_pushes_a_clan() -> None:
    """Without a clash."""
    game = turn(clans={"cove": (1, 1), "forest": (1,)}, hands={ANN: ["breas_tyranny"]})
    game.play(ANN, "breas_tyranny", part(territory="cove", owner=BO), part(to="forest")).calm()

    assert (1, 1, 0) == game.clans("forest")
    assert [] == game.happened(ClashStarted)


def test_cathbads_word_picks_the_card_set_aside() -> None:
    """Its player takes it at the end of the Assembly, and sets one aside."""
    game = assembly(state_with(seats=2, clans={"cove": (1, 1)}, hands={ANN: ["cathbads_word"]}))
    game.calm("assembly_start").answer(ann="cathbads_word").calm()
    assert 13 == len(game.legal(ANN))
    game.choose(ANN, card="geis")
    assert [AsideChosen(seat=ANN, card=card("geis"))] == game.happened(AsideChosen)
    while game.state.draft:
        game.send(game.legal(game.asked[0])[0])
    assert [CardTaken(seat=ANN, card=card("geis"), aside=True)] == game.happened(CardTaken)
    assert 7 == len(game.legal(ANN))
    game.choose(ANN, card="geis")

    assert (card("geis"), 6) == (game.state.aside, len(game.state.contenders[ANN].actions))


def test_the_champions_share_takes_the_card_set_aside() -> None:
    """And none is set aside."""
    game = Game(aside(state_with(clans={"cove": (1,)}, hands={ANN: ["the_champions_share"]}), "geis"))
    game.play(ANN, "the_champions_share").calm()

    assert (None, (card("geis"),)) == (game.state.aside, game.state.contenders[ANN].actions)


def test_children_of_dana_come_anywhere() -> None:
    """Also where one is not."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["children_of_dana"]})
    game.play(ANN, "children_of_dana", part(territory="moor")).calm()

    assert 1 == game.clans("moor")[ANN]


def test_the_dagda_cancels_an_advantage_card() -> None:
    """It lies face down, and the tales are shuffled all the same."""
    game = turn(("cove", "swamp"), clans={"cove": (1, 1)}, hands={ANN: ["swamp"], BO: ["the_dagda"]})
    game.play(ANN, "swamp").answer(bo="the_dagda").calm()

    assert game.happened(PlayCancelled)
    assert 1 == len(game.happened(TalesShuffled))
    assert ((card("swamp"),), ()) == (game.state.face_down, game.state.discards)


def cauldron_set() -> Game:
    """Return a clash in which Bo lost one clan to the reserve, and set up the Cauldron for the second."""
    state = state_with(clans={"forest": (2, 4), "moor": (0, 2)}, hands={BO: ["dagdas_cauldron"]})
    game = maneuvering(state).attack(ANN, BO).calm()
    game.votes(BO, end=False).attack(BO, ANN).calm().votes(ANN, end=False).attack(ANN, BO)
    return game.calm("clan_removed").answer(bo="dagdas_cauldron").calm()


def test_dagdas_cauldron_stores_and_returns() -> None:
    """The clans lost before too, as far as the reserve has them; up to three come back after the clash."""
    game = cauldron_set()
    assert [CauldronSet(seat=BO)] == game.happened(CauldronSet)
    assert game.state.cauldron is not None
    assert (2, 6) == (game.state.cauldron.clans, game.state.contenders[BO].reserve)
    game.votes(BO, end=True).votes(ANN, end=True)
    game.refuses(Choose(seat=BO, part=part(amount=3)), "choice_not_offered")
    game.choose(BO, amount=1)

    assert [CauldronEmptied(seat=BO, amount=1)] == game.happened(CauldronEmptied)
    assert (3, 7) == (game.clans("forest")[BO], game.state.contenders[BO].reserve)
    assert card("dagdas_cauldron") in game.state.discards


def test_later_clans_go_on_the_cauldron_too() -> None:
    """Not to the reserve."""
    game = cauldron_set().votes(BO, end=False).attack(BO, ANN).calm()
    assert game.state.cauldron is not None
    stored = game.state.cauldron.clans
    state = replace(game.state, lands=with_clans(game.state, "forest", (0, 2)).lands)

    assert 2 == stored
    assert 2 == state.lands[here("forest")].clans[BO]


def test_the_dagdas_club_saves_a_clan() -> None:
    """At any removal."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["balors_eye"], BO: ["the_dagdas_club"]})
    game.play(ANN, "balors_eye", part(territory="cove", owner=BO))
    game.calm("clan_removed").answer(bo="the_dagdas_club").calm()

    assert [ClanSaved(seat=BO)] == game.happened(ClanSaved)
    assert (1, 1, 0) == game.clans("cove")


def test_the_dagdas_club_lets_the_attacker_say() -> None:
    """A clan, although Bo has a card; or a card, which Bo chooses."""
    hands = {ANN: ["the_dagdas_club"], BO: ["bard", "druid"]}
    for choice in ("clan", "card"):
        game = maneuvering(state_with(clans={"forest": (2, 2)}, hands=hands)).attack(ANN, BO)
        game.calm("attack_declared").answer(ann="the_dagdas_club").calm().choose(ANN, option=choice).calm()
        if choice == "clan":
            assert 1 == game.clans("forest")[BO]
        else:
            game.choose(BO, card="druid")
            assert ((2, 2, 0), (card("bard"),)) == (game.clans("forest"), game.state.contenders[BO].actions)


def test_dagdas_harp_counts_other_tales() -> None:
    """At most three."""
    tales = ["dagdas_harp", "eriu", "tuans_memory", "the_dagda", "balors_eye"]
    game = turn(clans={"cove": (1,), "moor": (1,)}, hands={ANN: tales}).play(ANN, "dagdas_harp").calm()
    game.choose(ANN, territory="cove").choose(ANN, territory="moor").choose(ANN, territory="moor")

    assert (2, 3) == (game.clans("cove")[ANN], game.clans("moor")[ANN])
    assert [ANN] != game.asked or game.window


def test_deirdres_beauty_takes_one_of_those_shown() -> None:
    """The others are discarded; then a clan goes."""
    hands = {ANN: ["deirdres_beauty"], BO: ["eriu"], CY: ["balors_eye"]}
    game = turn(clans={"cove": (2, 1, 1)}, hands=hands).play(ANN, "deirdres_beauty").calm().choose(ANN, card="eriu")
    assert [TaleClaimed(seat=ANN, card=card("eriu"))] == game.happened(TaleClaimed)
    game.choose(ANN, territory="cove").calm()

    assert ((card("eriu"),), 1) == (game.state.contenders[ANN].tales, game.clans("cove")[ANN])
    assert card("balors_eye") in game.state.discards


def test_diarmuid_needs_another_territory() -> None:
    """Where one is present."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["balors_eye"], BO: ["diarmuid_and_grainne", "eriu"]})
    game.play(ANN, "balors_eye", part(territory="cove", owner=BO)).calm("clan_removed")
    game.refuses(Respond(seat=BO, card=card("diarmuid_and_grainne")), "card_not_playable_now")


@pytest.mark.parametrize("stack", ["off", "on"])
def test_eriu_comes_to_sanctuaries(stack: str) -> None:
    """One clan to each, or several with the option."""
    options = InisOptions(eriu_stack="on" if stack == "on" else "off")
    state = state_with(clans={"cove": (1,), "moor": (1,)}, hands={ANN: ["eriu"]}, options=options)
    game = Game(built(state, "moor", sanctuaries=1)).send(PlayCard(seat=ANN, card=card("eriu")))
    if stack == "off":
        game.refuses(Choose(seat=ANN, part=part(territory="moor", amount=2)), "choice_not_offered")
    amount = 2 if stack == "on" else 1
    moves = [
        Choose(seat=ANN, part=part(territory=each, amount=number)) for each, number in (("moor", amount), ("cove", 1))
    ]
    game.send(*moves, Confirm(seat=ANN)).calm()

    assert (1 + amount, 2) == (game.clans("moor")[ANN], game.clans("cove")[ANN])


def test_the_fianna_leave_a_clash() -> None:
    """Exposed or not, to one territory, without a clash."""
    state = built(state_with(clans={"forest": (2, 3), "moor": (1,)}, hands={BO: ["the_fianna"]}), "forest", citadels=1)
    game = clash(state).calm().shelter(BO).calm().votes(ANN, end=False).attack(ANN, BO).calm().votes(BO, end=False)
    game.play(BO, "the_fianna", part(to="moor"), part(amount=0, sheltered=1)).calm()

    moved = ClansMoved(seat=BO, territory=here("forest"), to=here("moor"), amount=1, sheltered=1)
    assert [moved] == game.happened(ClansMoved)
    assert game.state.clash is not None
    assert (0, 1) == (game.state.clash.protected[BO], game.state.exposed(BO))


def test_kernunos_sanctuary_is_the_first() -> None:
    """With a clan."""
    game = turn(clans={"moor": (1,)}, hands={ANN: ["kernunos_sanctuary"]})
    game.play(ANN, "kernunos_sanctuary", part(territory="moor")).calm()

    assert (2, 1) == (game.clans("moor")[ANN], game.state.lands[here("moor")].sanctuaries)


def test_lug_samildanach_takes_any_action_card() -> None:
    """Of another player too, and Geis itself (rules, D16)."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["bard"], BO: ["lug_samildanach"]})
    game.play(ANN, "bard").calm("action_resolved").answer(bo="lug_samildanach").calm()
    assert (card("bard"),) == game.state.contenders[BO].actions

    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["bard", "lug_samildanach"], BO: ["geis"]})
    game.play(ANN, "bard").answer(bo="geis").calm("action_resolved").answer(ann="lug_samildanach").calm()
    assert card("geis") in game.state.contenders[ANN].actions


def test_lugs_spear_stops_triskel_cards() -> None:
    """Until the clash ends, epic maneuvers and Moor among them."""
    hands = {ANN: ["lugs_spear", "ogmas_eloquence", "bard", "moor"], BO: ["the_dagdas_club"]}
    game = clash(state_with(clans={"forest": (2, 2)}, hands=hands))
    game.calm("clash_start").answer(ann="lugs_spear").calm().votes(ANN, end=False)
    game.refuses(PlayCard(seat=ANN, card=card("ogmas_eloquence")), "card_not_playable_now")
    game.refuses(PlayCard(seat=ANN, card=card("moor")), "card_not_playable_now")
    game.attack(ANN, BO)

    assert "" == game.window
    assert 1 == game.clans("forest")[BO]


def test_maeves_wealth_collects_and_gives_back() -> None:
    """All give at once, hidden until then; each who gave gets one."""
    hands = {ANN: ["maeves_wealth"], BO: ["bard", "geis"], CY: ["druid"]}
    game = turn(clans={"cove": (1, 1, 1)}, hands=hands).play(ANN, "maeves_wealth").calm()
    assert [BO, CY] == game.asked
    game.choose(CY, card="druid")
    assert [] == game.happened(TributePaid)
    game.choose(BO, card="geis").choose(ANN, card="druid").choose(ANN, card="geis")

    assert ((card("bard"), card("druid")), (card("geis"),)) == (
        game.state.contenders[BO].actions,
        game.state.contenders[CY].actions,
    )


def test_manannans_horses_ride_anywhere() -> None:
    """Up to three clans, with a clash (rules, D4)."""
    game = turn(clans={"cove": (4,), "moor": (0, 1)}, hands={ANN: ["manannans_horses"]})
    assert here("moor") not in game.state.lands[here("cove")].beside
    game.play(ANN, "manannans_horses", part(territory="cove"), part(to="moor", amount=3)).calm()

    assert [ClashStarted(territory=here("moor"), instigator=ANN)] == game.happened(ClashStarted)


def test_the_morrigan_sets_others_on_each_other() -> None:
    """Whoever is named is the instigator, and pays for the festival."""
    state = state_with(clans={"cove": (1,), "moor": (0, 2, 2)}, hands={ANN: ["the_morrigan"]}, festival=here("moor"))
    game = Game(state).play(ANN, "the_morrigan", part(option="leave"), part(territory="moor", owner=CY)).calm()

    assert [ClashStarted(territory=here("moor"), instigator=CY)] == game.happened(ClashStarted)
    assert (0, 2, 1) == game.clans("moor")


def test_nuada_silverhand_counts_opponents() -> None:
    """Where one is chieftain."""
    game = turn(clans={"cove": (2, 1, 1), "moor": (1, 1)}, hands={ANN: ["nuada_silverhand"]})
    game.play(ANN, "nuada_silverhand", part(territory="cove", amount=2), confirm=True).calm()

    assert 4 == game.clans("cove")[ANN]


def test_oenguss_ploy_takes_the_next_turn() -> None:
    """Play goes on from there in turn order."""
    game = turn(clans={"cove": (1, 1, 1)}, hands={CY: ["oenguss_ploy"]}).passes(ANN)
    game.calm("turn_end").answer(cy="oenguss_ploy").calm()
    assert [CY] == game.asked
    game.passes(CY).calm()

    assert [ANN] == game.asked


def test_ogmas_eloquence_ends_the_clash() -> None:
    """At once; there is no window after it."""
    state = state_with(clans={"forest": (2, 2)}, hands={ANN: ["ogmas_eloquence"], BO: ["warlord"]})
    game = maneuvering(state).play(ANN, "ogmas_eloquence").calm()

    assert [ClashEnded()] == game.happened(ClashEnded)
    assert game.state.clash is None


def test_the_other_world_gives_and_takes() -> None:
    """One act for each sanctuary, at most three."""
    state = state_with(clans={"moor": (1, 2)}, hands={ANN: ["the_other_world"]})
    acts = (part(option="place"), part(option="remove", owner=BO), part(option="remove", owner=BO))
    game = Game(built(state, "moor", sanctuaries=4))
    game.play(ANN, "the_other_world", part(territory="moor"), *acts)
    game.refuses(Choose(seat=ANN, part=part(option="place")), "choice_not_offered")
    game.send(Confirm(seat=ANN)).calm()

    assert (2, 0, 0) == game.clans("moor")


def test_the_stone_of_fal_comes_to_the_capital() -> None:
    """Presence is not needed."""
    game = turn(clans={"moor": (1,)}, hands={ANN: ["the_stone_of_fal"]}).play(ANN, "the_stone_of_fal").calm()

    assert 2 == len(game.happened(ClanPlaced))
    assert 2 == game.clans("cove")[ANN]


def test_strengs_resolve_gains_a_deed() -> None:
    """After one's own attack."""
    game = maneuvering(state_with(clans={"forest": (2, 2)}, hands={ANN: ["strengs_resolve"]})).attack(ANN, BO)
    game.calm("maneuver_done").answer(ann="strengs_resolve").calm()

    assert [DeedGained(seat=ANN)] == game.happened(DeedGained)


def test_tailtus_land_brings_one_of_three_tiles() -> None:
    """Its player chooses tile, place, the order of the rest, and whether a clan moves there."""
    game = turn(clans={"cove": (2,), "forest": (1,)}, hands={ANN: ["tailtus_land"]}, brenn=BO)
    three = game.state.stack[:3]
    game.play(ANN, "tailtus_land").calm()
    assert [TilesRevealed(tiles=three)] == game.happened(TilesRevealed)
    game.choose(ANN, territory=three[1])
    beside = next(
        each
        for each in game.legal(ANN)
        if isinstance(each, Choose) and "cove" in _touched(game, each.part.location or "")
    )
    game.send(beside)
    game.choose(ANN, territory=three[2])
    assert [TilesPutUnder(seat=ANN, tiles=(three[2], three[0]))] == game.happened(TilesPutUnder)
    assert (three[2], three[0]) == game.state.stack[-2:]
    game.choose(ANN, territory="cove").calm()

    assert (1, 1) == (game.clans("cove")[ANN], game.clans(three[1])[ANN])


def test_the_order_under_the_stack_is_its_players_alone() -> None:
    """All saw the tiles; which lies below which is told to nobody else (rules, section 8)."""
    game = turn(clans={"cove": (2,), "forest": (1,)}, hands={ANN: ["tailtus_land"]}, brenn=BO)
    three = game.state.stack[:3]
    game.play(ANN, "tailtus_land").calm().choose(ANN, territory=three[1])
    game.send(next(each for each in game.legal(ANN) if isinstance(each, Choose)))
    before = game.state
    game.choose(ANN, territory=three[2])
    put = TilesPutUnder(seat=ANN, tiles=(three[2], three[0]))
    chosen = ChoiceMade(seat=ANN, part=part(territory=three[2]))

    assert (put, chosen) == (told(before, put, ANN), told(before, chosen, ANN))
    for viewpoint in (None, BO):
        assert told(before, chosen, viewpoint) is None
        assert b"amount" in to_json(told(before, put, viewpoint))
        assert not any(tile.encode() in to_json(told(before, put, viewpoint)) for tile in three)


def _touched(game: Game, location: str) -> list[str]:
    return [land.id for land in game.state.lands.values() if touch(land.location, Location(location))]


def test_tale_of_cuchulain_is_for_the_last_one() -> None:
    """With two exposed clans it cannot be played."""
    game = maneuvering(state_with(clans={"forest": (2, 2)}, hands={ANN: ["tale_of_cuchulain"]}))
    game.refuses(PlayCard(seat=ANN, card=card("tale_of_cuchulain")), "card_not_playable_now")
    game = maneuvering(state_with(clans={"forest": (1, 2)}, hands={ANN: ["tale_of_cuchulain"]}))
    game.play(ANN, "tale_of_cuchulain", part(owner=BO), part(owner=BO), confirm=True).calm()

    assert 2 == len(game.happened(ClanRemoved))


def test_tuans_memory_keeps_one_of_three() -> None:
    """The others lie face up."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["tuans_memory"]}).play(ANN, "tuans_memory").calm()
    game.send(game.legal(ANN)[0]).calm()

    assert (1, 3) == (len(game.state.contenders[ANN].tales), len(game.state.discards))


def test_an_empty_pile_is_made_of_the_discards() -> None:
    """And a draw goes on; with both empty nothing is drawn (house H25)."""
    state = state_with(clans={"cove": (1,)}, hands={ANN: ["tuans_memory"]})
    game = Game(replace(state, deck=state.deck[:1], discards=state.deck[1:]))
    game.play(ANN, "tuans_memory").calm()

    assert 1 == len(game.happened(TalesShuffled))
    assert 3 == len(game.legal(ANN))


SEASON = [name for name, each in CATALOGUE.cards.items() if each.kind == "tale" and each.season]
TRISKEL = [name for name, each in CATALOGUE.cards.items() if each.kind == "tale" and not each.season]


@pytest.mark.parametrize("name", TRISKEL)
def test_triskel_tales_are_no_turn(name: str) -> None:
    """They only answer, or are a maneuver."""
    game = turn(clans={"cove": (1,)}, hands={ANN: [name]})
    game.refuses(PlayCard(seat=ANN, card=card(name)), "card_not_playable_now")


@pytest.mark.parametrize("name", SEASON)
def test_season_tales_answer_nothing(name: str) -> None:
    """Neither a window nor as a maneuver."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: [name, "bard"]}).play(ANN, "bard").calm("action_resolved")
    game.refuses(Respond(seat=ANN, card=card(name)), "card_not_playable_now")
    game = maneuvering(state_with(clans={"forest": (2, 2)}, hands={ANN: [name]}))
    game.refuses(PlayCard(seat=ANN, card=card(name)), "card_not_playable_now")


@pytest.mark.parametrize(
    ("name", "parts", "wrong"),
    [
        ("balors_eye", (), part(territory="moor", owner=BO)),
        ("breas_tyranny", (), part(territory="forest", owner=ANN)),
        ("breas_tyranny", (part(territory="cove", owner=BO),), part(to="moor")),
        ("children_of_dana", (), part(territory="hills")),
        ("eriu", (), part(territory="forest", amount=1)),
        ("kernunos_sanctuary", (), part(territory="cove")),
        ("manannans_horses", (part(territory="cove"),), part(to="cove", amount=1)),
        ("the_morrigan", (part(option="leave"),), part(territory="cove", owner=CY)),
        ("nuada_silverhand", (), part(territory="cove", amount=2)),
        ("the_other_world", (part(territory="cove"),), part(option="remove", owner=CY)),
    ],
)
def test_what_cannot_be_declared(name: str, parts: tuple[object, ...], wrong: object) -> None:
    """Ann leads in the cove, which has a sanctuary and Bo's clan; the forest is hers alone."""
    game = turn(clans={"cove": (3, 1), "forest": (1,)}, hands={ANN: [name]})
    game.send(PlayCard(seat=ANN, card=card(name)))
    for each in parts:
        game.send(Choose(seat=ANN, part=each))  # type: ignore[arg-type]  # a part
    game.refuses(Choose(seat=ANN, part=wrong), "choice_not_offered")  # type: ignore[arg-type]  # a part
