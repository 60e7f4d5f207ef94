"""What comes and goes with set-up, seasons and clashes: islands, tokens, hidden clans (expansion, section 3)."""

from __future__ import annotations

from msgspec.structs import replace

from events.inis.commands import Choose
from events.inis.events.board import ClanExchanged
from events.inis.events.seasons import SeasonDrawn, WheelTurned
from events.inis.vocabulary import Part
from tests.inis.table import ANN, BO, CY, Game, fight, here, part
from tests.seasons.table import at_dusk, expanded, more, opened, quietly, season_state, season_turn, stacked
from workers.inis.steps.board import Move, Remove


def choices(game: Game) -> list[Part]:
    """Return what Ann may choose now."""
    return [each.part for each in game.legal(ANN) if isinstance(each, Choose)]


def test_islands_lie_anywhere_in_the_stack() -> None:
    """They are shuffled in after set-up (expansion, section 2, step 4e)."""
    islands = {"inis_mona", "isle_of_joy", "hy_breasil"}
    stacks = [opened(3, "sea_travels", seed=bytes([number]) * 32).state.stack for number in range(5)]

    assert any(islands & set(each[: len(each) // 2]) for each in stacks)


def test_who_brings_a_tile_chooses_the_spot_of_its_harbor() -> None:
    """The Brenn says where the tile lies, and no more (expansion, section 5.4)."""
    tiles = ("cove", "forest", "valley", "moor", "hills", "plains")
    state = season_state(tiles, brenn=BO, clans={"cove": (1, 1)}, hands={ANN: ["exploration"]})
    game = Game(stacked(state, "aber")).play(ANN, "exploration").calm().choose(BO, location="D1,3")
    assert [ANN] == game.asked
    assert [part(location="H1,4"), part(location="H3,2")] == choices(game)
    game.choose(ANN, location="H3,2")

    assert "H3,2" == more(game.state).harbors[here("aber")]


def test_the_wheel_does_not_turn_before_the_first_season() -> None:
    """The season that chance gave is that of the first festival (expansion, section 3.3)."""
    game = opened(2, "seasons", stop=True)
    happened = []
    while not game.state.draft:
        game.send(game.legal(game.asked[0])[0])
        happened += game.events

    assert [SeasonDrawn(season=more(game.state).season)] == [  # type: ignore[arg-type]
        each for each in happened if isinstance(each, SeasonDrawn | WheelTurned)
    ]


def test_tokens_leave_without_a_wheel_too() -> None:
    """E4 needs no Season board (expansion, section 3.5)."""
    modules = ("fifth_player", "new_epic_tales")
    tokens = {"fili_at": here("cove"), "macha_at": here("moor")}
    game = season_turn(modules=modules, clans={"cove": (1, 1, 1)}, changes=tokens)
    quietly(game, lambda now: now.state.phase == "assembly")

    assert (None, None) == (more(game.state).fili_at, more(game.state).macha_at)
    assert [] == game.happened(WheelTurned)


def test_at_dusk_nobody_is_active_but_the_brenn() -> None:
    """Who answers a removal of the Banshee is asked from the Brenn on (expansion, section 3.1)."""
    game = at_dusk(season_turn(clans={"cove": (1, 1, 1)}, brenn=BO, changes={"banshee": (CY,)}))

    assert [CY] == game.asked
    assert (CY, BO, BO) == (game.state.passed[-1], game.state.active, game.state.turn)


# Clans that go


def test_a_clan_on_the_cauldron_was_taken_by_the_banshee() -> None:
    """It was removed (base game, house H18)."""
    state = season_state(clans={"forest": (2, 2)}, hands={BO: ["dagdas_cauldron"]}, changes={"banshee": (ANN, BO)})
    game = fight(state).votes(ANN, end=False).attack(ANN, BO).calm("clan_removed").answer(bo="dagdas_cauldron").calm()

    assert (ANN,) == more(game.state).banshee


def test_a_clan_that_is_replaced_was_not_taken_by_the_banshee() -> None:
    """New Alliance removes nobody (base game, house H21)."""
    game = season_turn(clans={"cove": (1, 2)}, hands={ANN: ["new_alliance"]}, changes={"banshee": (BO,)})
    game.play(ANN, "new_alliance", part(territory="cove"), part(option="replace", owner=BO)).calm()

    assert game.happened(ClanExchanged)
    assert (BO,) == more(game.state).banshee


def test_bran_may_leave_nobody_behind() -> None:
    """Who has no clan on the board comes back at the next turn (expansion, section 4.5)."""
    game = season_turn(clans={"cove": (2, 1, 1)}, hands={ANN: ["brans_journey"]})
    game.play(ANN, "brans_journey", part(territory="cove", amount=2)).calm()
    quietly(game, lambda now: now.asked == [ANN])
    game.choose(ANN, territory="moor").choose(ANN, territory="forest")

    assert (1, 1) == (game.clans("moor")[ANN], game.clans("forest")[ANN])
    assert (2, 8) == (more(game.state).stored(ANN), game.state.contenders[ANN].reserve)


def hidden(mist: int) -> Game:
    """Return a game in which Bo has three clans in a clash in the forest, so many of them hidden."""
    game = fight(season_state(clans={"forest": (2, 3)}))
    game.state = expanded(game.state, mist=(0, mist, 0))
    return game


def test_exposed_clans_go_before_hidden_ones() -> None:
    """Until only hidden ones are left to go (expansion, section 4.5, Féth fíada)."""
    game, loss = hidden(2), Remove(seat=BO, territory=here("forest"))
    game = Game(replace(game.state, agenda=(loss, *game.state.agenda))).calm()
    assert (2, (0, 2, 0)) == (game.clans("forest")[BO], more(game.state).mist)
    game = Game(replace(game.state, agenda=(loss, *game.state.agenda))).calm()

    assert (1, (0, 1, 0)) == (game.clans("forest")[BO], more(game.state).mist)


def test_hidden_clans_may_be_led_out() -> None:
    """They are hidden no more where they come, and those that stay are as they were."""
    game = hidden(2)
    led = Move(seat=BO, territory=here("forest"), to=here("cove"), amount=1, sheltered=1)
    game = Game(replace(game.state, agenda=(led, *game.state.agenda)))

    assert (2, (0, 1, 0)) == (game.clans("forest")[BO], more(game.state).mist)
    assert 1 == game.state.exposed(BO)
