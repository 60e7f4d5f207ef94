"""The new territories and their Advantage cards, each by itself (expansion, sections 4.2 to 4.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, PlayCard
from events.inis.events.board import ClansMoved, ClashStarted
from events.inis.events.cards import TalesDrawn
from events.inis.events.seasons import HarborBuilt, TaleRecovered, TalesKept
from events.inis.vocabulary import Part
from events.messages import Seat
from projections.inis.table import table_view
from tests.inis.table import ANN, BO, Game, card, here, part
from tests.seasons.table import more, season_state, season_turn, stacked
from workers.inis.state import InisState


def choices(game: Game, seat: Seat = ANN) -> list[dict[str, object]]:
    """Return what a seat may choose now."""
    chosen = [each.part for each in game.legal(seat) if isinstance(each, Choose)]
    return [
        {name: getattr(each, name) for name in each.__struct_fields__ if getattr(each, name) is not None}
        for each in chosen
    ]


@pytest.mark.parametrize(
    ("tile", "island", "sanctuaries"),
    [
        ("aber", False, 0),
        ("haven", False, 0),
        ("salmons_creek", False, 0),
        ("inis_mona", True, 1),
        ("isle_of_joy", True, 0),
        ("hy_breasil", True, 0),
    ],
)
def test_a_new_territory_brings_its_harbor(tile: str, island: bool, sanctuaries: int) -> None:
    """And its Advantage card, face up; islands lie at sea."""
    state = season_state(clans={"cove": (1, 1)}, hands={ANN: ["exploration"]})
    game = Game(stacked(state, tile)).play(ANN, "exploration").calm()
    game.send(game.legal(ANN)[0])
    if not game.happened(HarborBuilt):
        game.send(game.legal(ANN)[0])
    land = game.state.lands[here(tile)]

    assert island == (land.location == "sea")
    assert sanctuaries == land.sanctuaries
    assert here(tile) in more(game.state).harbors
    assert card(tile) in game.state.face_up


def test_the_updated_cove_keeps_its_advantage_card() -> None:
    """Take the card set aside, and set one aside (base game, section 5.3)."""
    state = season_state(clans={"cove": (2, 1)}, hands={ANN: ["cove", "bard", "citadel"]})
    state = replace(state, aside=card("geis"), pile=tuple(each for each in state.pile if each != "geis"))
    game = Game(state).play(ANN, "bard").calm("season_played").answer(ann="cove").calm()
    game.choose(ANN, card="citadel")

    assert card("geis") in game.state.contenders[ANN].actions
    assert (card("citadel"), ANN) == (game.state.aside, game.state.aside_by)


def test_aber_leads_round_it_by_land() -> None:
    """From one neighbour to another, never into it and never by sea; a clash as usual."""
    tiles = ("aber", "forest", "valley", "inis_mona")
    clans = {"forest": (2,), "valley": (0, 1), "inis_mona": (1,)}
    game = season_turn(tiles, clans=clans, capital=None, hands={ANN: ["aber"]})
    game.send(PlayCard(seat=ANN, card=card("aber")))
    assert [{"territory": "forest", "to": "valley"}] == choices(game)
    game.choose(ANN, territory="forest", to="valley").calm()

    assert [ClashStarted(territory=here("valley"), instigator=ANN)] == game.happened(ClashStarted)


def test_haven_sends_a_clan_by_sea() -> None:
    """Between two harbors, without a clash; not to an empty Hy Breasil."""
    tiles = ("cove", "forest", "valley", "haven", "isle_of_joy", "hy_breasil")
    hands = {ANN: ["bard", "haven"]}
    game = season_turn(tiles, clans={"cove": (2,), "isle_of_joy": (0, 2)}, hands=hands)
    game.play(ANN, "bard").calm("season_played").answer(ann="haven")
    assert {"isle_of_joy", "haven"} == {each["to"] for each in choices(game)}
    game.choose(ANN, territory="cove", to="isle_of_joy").calm()

    assert (1, 2) == game.clans("isle_of_joy")[:2]
    assert game.state.clash is None
    assert card("haven") in game.state.face_down


VOYAGE = ("cove", "forest", "valley", "haven", "isle_of_joy")


def voyage(hands: dict[Seat, list[str]]) -> Game:
    """Return a game in which Ann has declared that a clan goes from the cove to the Isle of Joy with Haven."""
    game = season_turn(VOYAGE, clans={"cove": (2,), "isle_of_joy": (0, 2)}, hands={ANN: ["bard", "haven"]} | hands)
    game.play(ANN, "bard").calm("season_played").answer(ann="haven")
    return game.choose(ANN, territory="cove", to="isle_of_joy")


def voyage_declared() -> tuple[Part, ...]:
    return (part(territory="cove", to="isle_of_joy"),)


def test_the_move_of_haven_is_declared() -> None:
    """Whoever may answer with The Dagda knows it, and no clan has gone (expansion, section 4.5)."""
    game = voyage({BO: ["the_dagda"]})
    assert "epic_or_advantage_declared" == game.window
    view = table_view(game.state, BO)

    assert voyage_declared() == view.plays[-1].parts
    assert (0, 2) == game.clans("isle_of_joy")[:2]


def test_the_dagda_cancels_the_move_of_haven() -> None:
    """The clan stays, and nothing is asked again."""
    game = voyage({BO: ["the_dagda"]}).answer(bo="the_dagda").calm()

    assert (2, 0) == (game.clans("cove")[ANN], game.clans("isle_of_joy")[ANN])
    assert BO == game.state.turn


def test_haven_without_a_voyage_has_no_effect() -> None:
    """No clan of Ann's stands at a harbor; the card is played all the same."""
    game = season_turn(VOYAGE, clans={"forest": (2,), "cove": (0, 1)}, hands={ANN: ["bard", "haven"]})
    game.play(ANN, "bard").calm("season_played").answer(ann="haven").calm()

    assert BO == game.state.turn
    assert [] == game.happened(ClansMoved)
    assert card("haven") in game.state.face_down


def creek(hands: list[str], discards: tuple[str, ...]) -> InisState:
    state = season_state(
        ("salmons_creek", "forest", "valley", "moor"),
        capital=None,
        clans={"forest": (1, 1)},
        hands={ANN: ["salmons_creek", *hands]},
    )
    gone = tuple(card(each) for each in discards)
    return replace(state, discards=gone, deck=tuple(each for each in state.deck if each not in gone))


def test_salmons_creek_swaps_a_tale() -> None:
    """Another one than the one taken is discarded."""
    game = Game(creek(["eriu"], ("balors_eye", "the_fianna")))
    game.play(ANN, "salmons_creek", part(card="the_fianna")).calm()
    assert [{"card": "eriu"}] == choices(game)
    game.choose(ANN, card="eriu").calm()

    assert (card("the_fianna"),) == game.state.contenders[ANN].tales
    assert {card("balors_eye"), card("eriu")} == set(game.state.discards)


@pytest.mark.parametrize(("hands", "discards"), [([], ("balors_eye",)), (["eriu"], ())])
def test_salmons_creek_needs_two_tales(hands: list[str], discards: tuple[str, ...]) -> None:
    """One in hand and one in the pile."""
    game = Game(creek(hands, discards)).play(ANN, "salmons_creek").calm()

    assert not game.happened(TaleRecovered)
    assert BO == game.state.turn


def mona(hands: list[str]) -> Game:
    tiles = ("cove", "forest", "valley", "meadows", "inis_mona")
    game = season_turn(tiles, clans={"cove": (1, 1)}, hands={ANN: ["inis_mona", *hands]})
    return game.play(ANN, "inis_mona").calm()


def test_inis_mona_gives_two_tales_for_one() -> None:
    """Both are kept."""
    game = mona(["eriu"]).choose(ANN, card="eriu").calm()
    (drawn,), kept = game.happened(TalesDrawn), game.happened(TalesKept)

    assert [TalesKept(seat=ANN, cards=drawn.cards)] == kept
    assert 2 == len(game.state.contenders[ANN].tales)
    assert (card("eriu"),) == game.state.discards
    assert BO == game.state.turn


def test_inis_mona_and_meadows_keep_two_of_three() -> None:
    """It is one draw (expansion, section 4.4)."""
    game = mona(["eriu", "meadows"]).choose(ANN, card="eriu").calm("epic_draw").answer(ann="meadows").calm()
    assert 3 == len(choices(game))
    dropped = game.legal(ANN)[0]
    game.send(dropped)

    assert 1 == len(game.happened(TalesKept))
    assert 2 == len(game.state.contenders[ANN].tales)
    assert 2 == len(game.state.discards)


def test_inis_mona_without_a_tale_has_no_effect() -> None:
    """Nothing is drawn."""
    assert () == mona([]).state.contenders[ANN].tales


def test_the_isle_of_joy_calls_anybody() -> None:
    """From another harbor, without a clash."""
    tiles = ("cove", "forest", "valley", "moor", "isle_of_joy")
    clans = {"cove": (0, 2), "forest": (1, 1), "isle_of_joy": (1,)}
    game = season_turn(tiles, clans=clans, hands={ANN: ["isle_of_joy"]})
    game.send(PlayCard(seat=ANN, card=card("isle_of_joy")))
    assert [{"territory": "cove", "owner": BO}] == choices(game)
    game.choose(ANN, territory="cove", owner=BO).calm()

    assert (1, 1) == game.clans("isle_of_joy")[:2]
    assert game.state.clash is None


def test_hy_breasil_is_asked_for_at_the_check_alone() -> None:
    """It is no turn."""
    tiles = ("cove", "forest", "valley", "moor", "hy_breasil")
    game = season_turn(tiles, clans={"cove": (1, 1)}, hands={ANN: ["hy_breasil"]})

    game.refuses(PlayCard(seat=ANN, card=card("hy_breasil")), "card_not_playable_now")
