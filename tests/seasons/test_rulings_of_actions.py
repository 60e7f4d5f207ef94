"""The numbered rulings on Action cards, and what else these do (expansion, sections 4.1 and 8)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, PlayCard
from events.inis.events.board import ClanRemoved, ClashStarted
from events.inis.events.cards import CardTaken, DeedGained, PlayCancelled, TalesDrawn
from events.inis.events.rounds import TileLaid
from tests.inis.table import ANN, BO, CY, Game, card, here, part, with_clans
from tests.seasons.table import more, quietly, season_state, season_turn, stacked
from workers.inis.state import InisState

HARMONY = {"cove": (1, 1), "forest": (2, 0, 1), "valley": (1,)}
"""Red with others in two territories, and alone in one."""


def test_ruling_22_clans_harmony_places_in_each_shared_territory() -> None:
    """Mode a; or with mode b in any one territory."""
    game = season_turn(clans=HARMONY, hands={ANN: ["clans_harmony"]}, seats=5)
    shared = [part(option="each"), part(territory="cove"), part(territory="forest")]
    game.play(ANN, "clans_harmony", *shared, confirm=True).calm()
    assert [(2, 1), (3, 0), (1, 0)] == [game.clans(each)[:2] for each in ("cove", "forest", "valley")]

    other = season_turn(clans=HARMONY, hands={ANN: ["clans_harmony"]}, seats=5)
    other.play(ANN, "clans_harmony", part(option="one"), part(territory="valley")).calm()
    assert 2 == other.clans("valley")[ANN]


def test_ruling_23_clans_harmony_with_one_clan_left() -> None:
    """It goes to one of the two."""
    state = season_state(clans=HARMONY, hands={ANN: ["clans_harmony"]}, seats=5)
    state = with_clans(state, "moor", (7,))
    game = Game(state).send(PlayCard(seat=ANN, card=card("clans_harmony")))
    game.choose(ANN, option="each").choose(ANN, territory="forest")
    assert [] == [each for each in game.legal(ANN) if isinstance(each, Choose)]
    game.send(game.legal(ANN)[0]).calm()

    assert (1, 3) == (game.clans("cove")[ANN], game.clans("forest")[ANN])


def allied(follow: int, *, seats: int = 5, **fields: object) -> Game:
    """Return a game in which Ann went from cove to forest with two clans, and Bo followed with some."""
    clans = {"cove": (3, 2), "forest": (0, 0, 1)}
    game = season_turn(seats=seats, clans=clans, hands={ANN: ["coalition"]}, **fields)
    game.play(ANN, "coalition", part(territory="cove", owner=BO), part(to="forest", amount=2)).calm()
    assert [BO] == game.asked
    return game.choose(BO, amount=follow)


def fighting(game: Game) -> Game:
    """Return the game at its first maneuver; nobody takes shelter."""
    while game.state.clash is not None and game.state.clash.acting is None:
        if game.window:
            game.answer()
        else:
            game.shelter(game.asked[0], accept=False)
    return game


def test_ruling_24_two_allies_clash_with_a_third() -> None:
    """They attack neither each other, nor take shelter."""
    game = fighting(allied(1))
    assert (2, 1, 1, 0, 0) == game.clans("forest")
    game.votes(ANN, end=False)
    offered = [getattr(each, "target", None) for each in game.legal(ANN) if hasattr(each, "target")]

    assert game.state.clash is not None
    assert ANN == game.state.clash.instigator
    assert [CY] == offered


def test_ruling_24_allies_do_not_take_shelter() -> None:
    """The third player is the only one who is asked."""
    state = season_state(seats=5, clans={"cove": (3, 2), "forest": (0, 0, 1)}, hands={ANN: ["coalition"]})
    land = replace(state.lands[here("forest")], citadels=3)
    state = replace(state, lands={**state.lands, land.id: land}, citadels=state.citadels - 3)
    game = Game(state).play(ANN, "coalition", part(territory="cove", owner=BO), part(to="forest", amount=2)).calm()
    game.choose(BO, amount=1).calm()
    assert [CY] == game.asked
    game.shelter(CY).calm()

    assert game.state.clash is None
    assert not game.happened(ClanRemoved)


def test_ruling_25_the_partner_need_not_come() -> None:
    """Then one against one."""
    game = fighting(allied(0))

    assert (2, 0, 1, 0, 0) == game.clans("forest")
    assert game.state.clash is not None
    assert (ANN, CY) == game.state.exposed_seats


def test_allies_alone_do_not_clash() -> None:
    """Neither could attack the other (expansion, section 4.1, Coalition)."""
    game = season_turn(seats=5, clans={"cove": (3, 2), "forest": (0, 1)}, hands={ANN: ["coalition"]})
    game.play(ANN, "coalition", part(territory="cove", owner=BO), part(to="forest", amount=2)).calm()
    game.choose(BO, amount=2)

    assert [] == game.happened(ClashStarted)
    assert (2, 3) == game.clans("forest")[:2]


def test_the_clash_ends_when_the_allies_are_alone() -> None:
    """Looked at after every maneuver."""
    game = fighting(allied(1)).votes(ANN, end=False).attack(ANN, CY).calm()

    assert (2, 1, 0, 0, 0) == game.clans("forest")
    assert game.state.clash is None
    assert () == more(game.state).allies


def test_a_lone_ally_decides_alone() -> None:
    """When the partner stayed away and the others are protected (base game, C5)."""
    game = fighting(allied(0))
    land = replace(game.state.lands[here("forest")], citadels=1)
    assert game.state.clash is not None
    clash = replace(game.state.clash, protected=(0, 0, 1, 0, 0))
    game.state = replace(
        game.state,
        lands={**game.state.lands, land.id: land},
        citadels=game.state.citadels - 1,
        clash=clash,
    )

    assert (ANN,) == game.state.exposed_seats
    game.votes(ANN, end=True).calm()
    assert game.state.clash is None


def test_ruling_103_allies_share_one_voyage() -> None:
    """Both go by sea, and it is the same sea movement."""
    state = season_state(
        ("cove", "forest", "valley", "moor", "hills", "inis_mona"),
        seats=5,
        clans={"cove": (3, 2), "inis_mona": (0, 0, 1)},
        hands={ANN: ["coalition"]},
    )
    game = Game(state).play(ANN, "coalition", part(territory="cove", owner=BO), part(to="inis_mona", amount=2)).calm()
    game.choose(BO, amount=1).calm()

    assert (2, 1, 1, 0, 0) == game.clans("inis_mona")
    assert game.state.clash is not None


def test_coalition_moves_few_in_winter() -> None:
    """At most three for each of both (expansion, section 4.1)."""
    hands = {ANN: ["coalition"]}
    game = season_turn(seats=5, clans={"cove": (5, 5), "forest": (0, 0, 1)}, hands=hands, season="samhain")
    game.send(PlayCard(seat=ANN, card=card("coalition"))).choose(ANN, territory="cove", owner=BO)
    amounts = {each.part.amount for each in game.legal(ANN) if isinstance(each, Choose)}
    game.choose(ANN, to="forest", amount=3).calm()
    joining = [each.part.amount for each in game.legal(BO) if isinstance(each, Choose)]

    assert {1, 2, 3} == amounts
    assert [0, 1, 2, 3] == joining


def test_both_allies_pay_in_the_mountains() -> None:
    """All moves first, then each owner, the Brenn first (expansion, section 4.1)."""
    tiles = ("cove", "mountains", "valley", "moor", "hills")
    clans = {"cove": (3, 2), "mountains": (0, 0, 2)}
    game = season_turn(tiles, seats=5, brenn=BO, clans=clans, hands={ANN: ["coalition"]})
    game.play(ANN, "coalition", part(territory="cove", owner=BO), part(to="mountains", amount=2)).calm()
    game.choose(BO, amount=1).calm()
    lost = [each.seat for each in game.happened(ClanRemoved)]

    assert [BO, ANN] == lost
    assert (1, 0, 2, 0, 0) == game.clans("mountains")
    assert game.state.clash is not None


def peace(cards: list[str]) -> Game:
    """Return a game in which Ann has put the Fili into the forest and Bo is about to play a card."""
    clans = {"cove": (3, 2), "forest": (1, 1)}
    state = season_state(seats=5, clans=clans, hands={ANN: ["fili"], BO: cards})
    game = Game(state).play(ANN, "fili", part(territory="forest")).calm()
    assert here("forest") == more(game.state).fili_at
    return game


def test_ruling_27_where_the_fili_is_no_clash_starts() -> None:
    """Not by moves, not by Warlord, not by The Morrigan; moves themselves are fine."""
    game = peace(["conquest"]).play(
        BO, "conquest", part(territory="forest"), part(territory="cove", amount=2), confirm=True
    )
    assert (1, 3) == game.calm().clans("forest")[:2]
    assert [] == game.happened(ClashStarted)

    game = peace(["warlord"]).play(BO, "warlord", part(territory="forest")).calm()
    assert [] == game.happened(ClashStarted)

    game = peace(["the_morrigan"]).play(BO, "the_morrigan", part(option="leave"), part(territory="forest", owner=ANN))
    assert [] == game.calm().happened(ClashStarted)


def test_ruling_27_the_fili_leaves_with_the_season() -> None:
    """The token is gone in the next Assembly."""
    game = quietly(peace(["bard"]), lambda now: now.state.phase == "assembly")

    assert None is more(game.state).fili_at


def test_allies_in_the_land_of_the_fili_do_not_clash() -> None:
    """They come, and are allies of no clash (expansion, sections 3.4 and 4.1)."""
    clans = {"cove": (3, 2), "forest": (0, 0, 1)}
    game = season_turn(seats=5, clans=clans, hands={ANN: ["coalition"]}, changes={"fili_at": here("forest")})
    game.play(ANN, "coalition", part(territory="cove", owner=BO), part(to="forest", amount=2)).calm()
    game.choose(BO, amount=1).calm()

    assert (2, 1, 1) == game.clans("forest")[:3]
    assert [] == game.happened(ClashStarted)
    assert () == more(game.state).allies
    assert BO == game.state.turn


def test_the_fili_needs_a_shared_territory() -> None:
    """Without one it has no effect."""
    game = season_turn(seats=5, clans={"cove": (2,)}, hands={ANN: ["fili"]}).play(ANN, "fili").calm()

    assert None is more(game.state).fili_at
    assert BO == game.state.turn


def holding(**fields: object) -> InisState:
    tiles = ("cove", "plains", "valley", "moor")
    return season_state(tiles, seats=5, hands={ANN: ["the_king_and_the_land", "plains"]}, **fields)  # type: ignore[arg-type]


def test_ruling_28_the_king_gives_land() -> None:
    """For a deed; the other may place a clan there."""
    game = Game(holding(clans={"plains": (2, 1)}))
    game.play(ANN, "the_king_and_the_land", part(option="give", card="plains", owner=BO)).calm()
    assert card("plains") in game.state.contenders[BO].advantages
    assert 1 == game.state.contenders[ANN].deeds
    assert [BO] == game.asked
    game.choose(BO, territory="plains").calm()

    assert (2, 2) == game.clans("plains")[:2]


def test_ruling_28_the_king_leaves_land() -> None:
    """The card is out for the season, and a tale is drawn."""
    game = Game(holding(clans={"plains": (2, 1)}))
    game.play(ANN, "the_king_and_the_land", part(option="discard", card="plains")).calm()
    assert card("plains") in game.state.face_down
    (drawn,) = game.happened(TalesDrawn)

    assert drawn.cards == game.state.contenders[ANN].tales
    assert 1 == len(drawn.cards)
    assert 0 == game.state.contenders[ANN].deeds


def test_who_is_given_land_need_not_place() -> None:
    """The deed is gained all the same."""
    game = Game(holding(clans={"plains": (2, 1)}))
    game.play(ANN, "the_king_and_the_land", part(option="give", card="plains", owner=BO)).calm()
    assert [DeedGained(seat=ANN)] == game.happened(DeedGained)
    game.choose(BO, option="decline").calm()

    assert (2, 1) == game.clans("plains")[:2]
    assert 1 == game.state.contenders[ANN].deeds


def test_without_an_advantage_card_the_king_has_no_effect() -> None:
    """It is a turn all the same."""
    game = season_turn(seats=5, clans={"cove": (1, 1)}, hands={ANN: ["the_king_and_the_land"]})
    game.play(ANN, "the_king_and_the_land").calm()

    assert BO == game.state.turn


def test_ruling_29_druid_needs_another_action_card() -> None:
    """Tales do not help."""
    hand = ["druid", "eriu", "balors_eye"]
    game = season_turn(clans={"cove": (1, 1)}, hands={ANN: hand})
    game.refuses(PlayCard(seat=ANN, card=card("druid")), "card_not_playable_now")
    game = season_turn(clans={"cove": (1, 1)}, hands={ANN: [*hand, "geis"]}).play(ANN, "druid").calm()
    taken = game.legal(ANN)[0]
    game.send(taken)

    assert game.happened(CardTaken)


def test_geis_cancels_a_new_action_card() -> None:
    """After it is declared, before a clan is placed."""
    game = season_turn(clans=HARMONY, hands={ANN: ["clans_harmony"], BO: ["geis"]}, seats=5)
    game.play(ANN, "clans_harmony", part(option="one"), part(territory="valley"))
    game.calm("action_declared").answer(bo="geis").calm()

    assert game.happened(PlayCancelled)
    assert 1 == game.clans("valley")[ANN]


# Exploration


def test_exploration_lays_a_tile_with_its_harbor() -> None:
    """The Brenn chooses the place, the player of the card the spot, and gets a clan there."""
    state = season_state(brenn=BO, clans={"cove": (1, 1)}, hands={ANN: ["exploration"]})
    game = Game(stacked(state, "aber")).play(ANN, "exploration").calm()
    assert [BO] == game.asked
    game.send(game.legal(BO)[0])
    while game.asked == [ANN] and "aber" not in more(game.state).harbors:
        game.send(game.legal(ANN)[0])
    game.calm()

    assert here("aber") in more(game.state).harbors
    assert 1 == game.clans("aber")[ANN]
    assert card("aber") in game.state.face_up


def test_ruling_102_without_a_place_nothing_is_drawn() -> None:
    """Only one tile is in play: no place touches two."""
    state = season_state(("cove",), seats=2, clans={"cove": (1, 1)}, hands={ANN: ["exploration"]})
    game = Game(state).play(ANN, "exploration").calm()

    assert [] == game.happened(TileLaid)
    assert state.stack == game.state.stack
    assert BO == game.state.turn


@pytest.mark.parametrize("tile", ["inis_mona", "isle_of_joy"])
def test_ruling_40_an_island_lies_at_sea(tile: str) -> None:
    """With a harbor, beside nothing, and with the player's clan; Inis Mona has a sanctuary."""
    state = season_state(clans={"cove": (1, 1)}, hands={ANN: ["exploration"]})
    game = Game(stacked(state, tile)).play(ANN, "exploration").calm()
    game.send(game.legal(ANN)[0]).calm()
    land = game.state.lands[here(tile)]

    assert () == land.beside
    assert "sea" == more(game.state).harbors[here(tile)]
    assert (tile == "inis_mona") == (land.sanctuaries == 1)
    assert 1 == game.clans(tile)[ANN]


def test_a_partner_shares_the_territory_that_is_left() -> None:
    """Nobody else can be named."""
    game = season_turn(seats=5, clans={"cove": (3, 1), "forest": (0, 0, 1)}, hands={ANN: ["coalition"]})
    game.send(PlayCard(seat=ANN, card=card("coalition")))
    named = [each.part for each in game.legal(ANN) if isinstance(each, Choose)]

    assert [part(territory=here("cove"), owner=BO)] == named
