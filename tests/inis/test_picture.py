"""The picture of the island shows what the view shows."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from events.messages import SPECTATOR
from projections.inis.picture import picture
from projections.inis.table import table_view
from tests.inis.table import ANN, RULES, built, here, state_with
from workers.inis.state.options import InisOptions


def drawn(**fields: object) -> ET.Element:
    state = built(state_with(clans={"cove": (3, 1), "moor": (0, 2)}, **fields), "moor", citadels=1)  # type: ignore[arg-type]
    return ET.fromstring(picture(table_view(state, SPECTATOR)))  # noqa: S314  our own text


def texts(root: ET.Element) -> list[str]:
    return [each.text or "" for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_every_tile_is_three_hexagons() -> None:
    """Each in a group that bears its territory's name."""
    root = drawn()
    groups = [each for each in root if each.get("id")]

    assert ["cove", "forest", "valley", "moor"] == [each.get("id") for each in groups]
    assert [3] * 4 == [len(list(each.iter("{http://www.w3.org/2000/svg}polygon"))) for each in groups]
    assert [12] * 4 == [len(list(each.iter("{http://www.w3.org/2000/svg}line"))) for each in groups]


def test_clans_buildings_capital_and_festival_are_marked() -> None:
    """Where they are."""
    words = texts(drawn(festival=here("moor")))

    assert {"cove ♛", "moor ♪", "♜⛪", "♜", "3", "1", "2"} <= set(words)


def test_an_empty_table_is_drawn_too() -> None:
    """Before set-up there is only water."""
    view = table_view(RULES.initial(InisOptions(), 2), ANN)

    assert picture(view).startswith("<svg")
