"""The picture shows islands, harbors, tokens, the Season board and the King tile."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from events.inis.vocabulary import SeasonId
from events.messages import SPECTATOR
from projections.inis.table import InisView, table_view
from tests.inis.drawing import SVG, Drawn, check
from tests.inis.table import ANN, BO, CY, DI, EVE, built, fight, here, with_clans
from tests.seasons.table import expanded, season_state
from workers.inis.seasons.more import Bran
from workers.inis.state.pieces import Fight

TILES = ("cove", "forest", "valley", "moor", "inis_mona", "hy_breasil")
ALL_SEATS = (1, 2, 1, 1, 1)


def view_of(**fields: object) -> InisView:
    state = season_state(TILES, clans={"inis_mona": (3, 1)}, **fields)  # type: ignore[arg-type]
    return table_view(state, SPECTATOR)


def drawn(**fields: object) -> Drawn:
    return Drawn(view_of(**fields))


def test_islands_lie_in_the_water() -> None:
    """Each with its name and clans; tiles of the mainland are hexagons as ever."""
    picture = drawn()

    assert ["inis_mona", "hy_breasil"] == [each.get("data-territory") for each in picture.of_class("island")]
    assert ["cove", "forest", "valley", "moor"] == [each.get("data-territory") for each in picture.of_class("tile")]
    assert {("inis_mona", "0", "3"): 1, ("inis_mona", "1", "1"): 1} == picture.clans()


def test_islands_are_inside_the_picture_and_apart() -> None:
    """The water below the mainland has room for all three of them."""
    view = table_view(season_state(("cove", "forest", "inis_mona", "hy_breasil", "isle_of_joy")), SPECTATOR)
    picture = Drawn(view)
    _, _, width, height = map(float, (picture.root.get("viewBox") or "").split())
    rooms = []
    for each in picture.of_class("island"):
        x, y, rx, ry = (float(each.get(name) or 0) for name in ("cx", "cy", "rx", "ry"))
        assert 0 <= x - rx
        assert x + rx <= width
        assert 0 <= y - ry
        assert y + ry <= height
        rooms.append((x - rx, x + rx))

    assert 3 == len(rooms)
    assert all(right < left for (_, right), (left, _) in pairwise(rooms))


def test_harbors_of_islands_lie_on_their_shores() -> None:
    """Half on land and half in the water."""
    picture = drawn()
    places = {
        each.get("data-of"): each.find(f"{SVG}g")
        for each in picture.of_class("sign")
        if each.get("data-sign") == "harbor" and each.get("data-of") != "cove"
    }
    for island in picture.of_class("island"):
        inner = places[island.get("data-territory")]
        assert inner is not None
        x, y = map(float, (inner.get("transform") or "")[len("translate(") : -1].split(","))
        middle_x, middle_y, rx, ry = (float(island.get(name) or 0) for name in ("cx", "cy", "rx", "ry"))
        assert 0.8 < ((x - middle_x) / rx) ** 2 + ((y - middle_y) / ry) ** 2 < 1.3


def test_harbors_are_anchors() -> None:
    """Those of the mainland lie on their cells, with a pier; those of islands at their shores."""
    picture = drawn(harbors=("moor",))

    harbors = [where for sign, where, _ in picture.signs() if sign == "harbor"]
    assert ["cove", "hy_breasil", "inis_mona", "moor"] == sorted(harbors)
    assert 2 == len(picture.of_class("harbor")) == len(picture.of_class("pier"))


@pytest.mark.parametrize("season", ["imbolc", "beltaine", "lugnasad", "samhain"])
def test_the_marker_lies_on_the_season_that_is_now(season: SeasonId) -> None:
    """The names stand around the board; that of the season is bold, and the marker is beside it."""
    picture = drawn(season=season)
    names = {each.text: each for each in picture.of_class("season")}
    (marker,) = picture.of_class("marker")
    x, y = (float(marker.get(name) or 0) for name in ("cx", "cy"))
    distances = {
        name: abs(float(each.get("x") or 0) - x) + abs(float(each.get("y") or 0) - y) for name, each in names.items()
    }

    assert ["imbolc", "beltaine", "lugnasad", "samhain"] == list(names)
    assert [season] == [name for name, each in names.items() if each.get("font-weight") == "bold"]
    assert season == min(distances, key=distances.__getitem__)


@pytest.mark.parametrize("side", ["want", "need"])
def test_the_king_tile_shows_its_side(side: str) -> None:
    """In words."""
    (tile,) = drawn(changes={"king_tile": side}).of_class("king-tile")

    assert ["King tile", side] == list(tile.itertext())


def test_tokens_lie_where_they_are() -> None:
    """Fili and Macha's Curse in their territories, Banshees and Bran's Journey with their players."""
    bran = Bran(seat=BO, clans=2)
    changes = {"fili_at": here("forest"), "macha_at": here("moor"), "banshee": (ANN, CY), "bran": bran}

    assert {
        ("fili", "forest", ""),
        ("macha", "moor", ""),
        ("banshee", "seat 0", ""),
        ("banshee", "seat 2", ""),
        ("bran", "seat 1", "2"),
    } == {each for each in drawn(changes=changes).signs() if each[0] in {"fili", "macha", "banshee", "bran"}}


def test_a_full_table_can_be_read() -> None:
    """Five players in one territory and on one island, with all that can lie there, and all that players may have."""
    state = season_state(
        TILES,
        seats=5,
        season="samhain",
        clans={"inis_mona": ALL_SEATS, "cove": ALL_SEATS},
        harbors=("moor",),
        festival=here("cove"),
        changes={
            "king_tile": "need",
            "fili_at": here("cove"),
            "macha_at": here("cove"),
            "banshee": (ANN, BO, CY, DI, EVE),
        },
    )
    state = built(built(state, "cove", citadels=3, sanctuaries=2), "inis_mona", citadels=2, sanctuaries=2)
    state = expanded(with_clans(state, "moor", (1, 1, 1, 1, 1)), bran=Bran(seat=DI, clans=3))

    check(table_view(state, SPECTATOR))


def test_what_is_special_in_a_clash_is_written() -> None:
    """Who hides in the mist, who are allies, and the Sword."""
    state = fight(season_state(TILES, seats=4, clans={"forest": (2, 3, 2, 1)})).state
    state = expanded(state, mist=(0, 3, 2, 0), allies=(ANN, DI), sword=True)
    assert state.clash is not None
    state = replace(state, clash=replace(state.clash, maneuver=Fight(seat=ANN, target=DI)))

    assert {
        "clash in forest, instigator seat 0",
        "seat 0: 2 exposed · to maneuver",
        "seat 1: 3 in the mist",
        "seat 2: 2 in the mist",
        "seat 3: 1 exposed",
        "seat 3 is attacked with Nuada's Sword",
        "allies: seats 0 and 3",
    } <= set(Drawn(table_view(state, SPECTATOR)).words("tray"))


def test_what_is_not_in_play_is_not_drawn() -> None:
    """Neither board nor tile."""
    picture = Drawn(table_view(season_state(modules=("fifth_player",)), SPECTATOR))

    assert [] == [*picture.of_class("wheel"), *picture.of_class("king-tile"), *picture.of_class("harbor")]
