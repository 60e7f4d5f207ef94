"""The picture shows islands, harbors, tokens, season and King tile."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from events.messages import SPECTATOR
from projections.inis.picture import picture
from projections.inis.table import table_view
from tests.inis.table import here
from tests.seasons.table import season_state

SVG = "{http://www.w3.org/2000/svg}"
TILES = ("cove", "forest", "valley", "moor", "inis_mona", "hy_breasil")


def drawn(**fields: object) -> ET.Element:
    state = season_state(TILES, clans={"inis_mona": (3, 1)}, **fields)  # type: ignore[arg-type]
    return ET.fromstring(picture(table_view(state, SPECTATOR)))  # noqa: S314  our own text


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in root.iter() if each.get("class") == name]


def texts(root: ET.Element) -> set[str]:
    return {each.text or "" for each in root.iter(f"{SVG}text")}


def test_islands_lie_in_the_water() -> None:
    """Each with its name and clans; tiles of the mainland are hexagons as ever."""
    root = drawn()

    assert ["inis_mona", "hy_breasil"] == [each.get("data-territory") for each in of_class(root, "island")]
    assert ["cove", "forest", "valley", "moor"] == [each.get("id") for each in root if each.get("id")]
    assert {"inis mona", "hy breasil", "3", "1"} <= texts(root)


def test_islands_are_inside_the_picture() -> None:
    """The water below the mainland has room for them."""
    root = drawn()
    left, top, width, height = map(float, (root.get("viewBox") or "").split())

    for each in root.iter(f"{SVG}ellipse"):
        x, y, rx, ry = (float(each.get(name) or 0) for name in ("cx", "cy", "rx", "ry"))
        assert left <= x - rx
        assert x + rx <= left + width
        assert top <= y - ry
        assert y + ry <= top + height


def test_harbors_are_anchors() -> None:
    """Of the mainland in their notches."""
    root = drawn(harbors=("moor",))

    assert ["cove", "moor"] == [each.get("data-territory") for each in of_class(root, "harbor")]


def test_season_king_tile_and_tokens_are_told() -> None:
    """In the corner, and at their territories."""
    root = drawn(season="samhain", changes={"fili_at": here("forest"), "macha_at": here("moor"), "king_tile": "need"})

    assert ["season: samhain", "King tile: need"] == [each.text for each in of_class(root, "legend")]
    assert {"forest ☮", "moor ☠"} <= texts(root)


def test_what_is_not_in_play_is_not_drawn() -> None:
    """Neither wheel nor tile."""
    root = ET.fromstring(picture(table_view(season_state(modules=("fifth_player",)), SPECTATOR)))  # noqa: S314

    assert [] == of_class(root, "legend")
