"""Reads a picture of Inis back, and holds it to the view that it was drawn of."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Final
from xml.etree import ElementTree as ET

from projections.inis.picture import picture
from projections.inis.picture.sheet import width_of
from projections.inis.table import ExpansionView, InisView, LandView
from workers.inis.lattice import SEA

SVG: Final = "{http://www.w3.org/2000/svg}"
HALF: Final = {"harbor": 13.5, "token": 14.0}
"""Half the size of what is drawn; other signs are ``SIGN``."""
SIGN: Final = 10.0

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Drawn:
    """A picture, taken apart."""

    def __init__(self, view: InisView) -> None:
        self.view = view
        self.root = ET.fromstring(picture(view))  # noqa: S314  our own text
        self.parents = {child: parent for parent in self.root.iter() for child in parent}

    def of_class(self, name: str) -> list[ET.Element]:
        return [each for each in self.root.iter() if each.get("class") == name]

    def words(self, name: str) -> list[str]:
        """Return what is written by words of a class, in order."""
        return [each.text or "" for each in self.of_class(name)]

    def texts(self) -> list[str]:
        return [each.text or "" for each in self.root.iter(f"{SVG}text")]

    def signs(self) -> Counter[tuple[str, str, str]]:
        """Return each sign outside of the legend: which, whose or where, and the number beside it."""
        found: Counter[tuple[str, str, str]] = Counter()
        for each in self.of_class("sign"):
            numbers = [text.text or "" for text in each.iter(f"{SVG}text") if (text.text or "").isdigit()]
            found[each.get("data-sign") or "", each.get("data-of") or "", "".join(numbers)] += 1
        return Counter({key: count for key, count in found.items() if key[1] != "legend"})

    def clans(self) -> Counter[tuple[str, str, str]]:
        """Return each token of a seat on the board: where, whose, and how many."""
        return Counter(
            (each.get("data-of") or "", each.get("data-seat") or "", "".join(each.itertext()))
            for each in self.of_class("clans")
            if not (each.get("data-of") or "").startswith("seat ")
        )

    def heights(self) -> list[float]:
        """Return where the corners of hexagons are, from the top."""
        points = " ".join(each.get("points") or "" for each in self.root.iter(f"{SVG}polygon"))
        return [float(each.split(",")[1]) for each in points.split()]

    def hexagons(self) -> dict[str, list[list[tuple[float, float]]]]:
        """Return the corners of each tile's hexagons."""
        return {
            tile.get("data-territory") or "": [
                [(float(x), float(y)) for x, y in (pair.split(",") for pair in (each.get("points") or "").split())]
                for each in tile
            ]
            for tile in self.of_class("tile")
        }

    def on_land(self) -> list[tuple[str, Box]]:
        """Return the room of names, clans and signs of the mainland, with the territory of each."""
        names = {each.replace("_", " "): each for each in self.hexagons()}
        found = [(names[each.text or ""], box_of(each)) for each in self.of_class("name") if each.text in names]
        for each, (_, room) in self.rooms().items():
            where = each.get("data-of") or ""
            if where in names.values() and each.get("data-sign") != "harbor":
                found.append((where, room))
        return found

    def boxes(self) -> list[tuple[str, Box]]:
        """Return the room that words, signs and tokens take; what belongs together takes one."""
        return list(self.rooms().values())

    def rooms(self) -> dict[ET.Element, tuple[str, Box]]:
        """Return the boxes by what takes them."""
        rooms: dict[ET.Element, tuple[str, Box]] = {}
        for each in (*self.of_class("sign"), *self.of_class("clans")):
            named = str(each.attrib)
            inner = each.find(f"{SVG}g") if each.get("class") == "sign" else each.find(f"{SVG}path")
            assert inner is not None
            x, y = map(float, (inner.get("transform") or "")[len("translate(") : -1].split(","))
            half = HALF["token"] if each.get("class") == "clans" else HALF.get(each.get("data-sign") or "", SIGN)
            rooms[each] = (named, (x - half, y - half, x + half, y + half))
        for text in self.root.iter(f"{SVG}text"):
            parent = self.parents[text]
            key = parent if parent in rooms else text
            own = box_of(text)
            named, room = rooms.get(key, (text.text or "", own))
            rooms[key] = (
                named,
                (
                    min(room[0], own[0]),
                    min(room[1], own[1]),
                    max(room[2], own[2]),
                    max(room[3], own[3]),
                ),
            )
        return rooms


def box_of(text: ET.Element) -> Box:
    """Return the room that a line of words may take."""
    x, y, size = (float(text.get(name) or 0) for name in ("x", "y", "font-size"))
    width = width_of(text.text or "", bold=text.get("font-weight") == "bold", size=size)
    left = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor") or "start"]
    return left, y - size * 0.8, left + width, y + size * 0.2


def inside(point: tuple[float, float], hexagon: list[tuple[float, float]]) -> bool:
    """Return whether a point lies in a hexagon whose corners go round clockwise."""
    x, y = point
    edges = zip(hexagon, (*hexagon[1:], hexagon[0]), strict=True)
    return all((to_x - at_x) * (y - at_y) >= (to_y - at_y) * (x - at_x) for (at_x, at_y), (to_x, to_y) in edges)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def check(view: InisView) -> None:
    """Hold the picture of a view to it: all of it is there once, nothing lies on another thing or outside."""
    drawn = Drawn(view)
    _, _, width, height = map(float, (drawn.root.get("viewBox") or "").split())
    boxes = drawn.boxes()
    for name, (left, top, right, bottom) in boxes:
        assert left >= 0, name
        assert top >= 0, name
        assert right <= width, name
        assert bottom <= height, name
    for (name, one), (second, other) in combinations(boxes, 2):
        assert not overlap(one, other), (name, second)
    hexagons = drawn.hexagons()
    for where, (left, top, right, bottom) in drawn.on_land():
        for corner in ((left, top), (right, top), (left, bottom), (right, bottom)):
            assert any(inside(corner, each) for each in hexagons[where]), where
    (title,) = drawn.of_class("title")
    assert all(box_of(title)[3] < y for y in drawn.heights())
    assert [land.territory.replace("_", " ") for land in in_order(view)] == drawn.words("name")
    assert expected_clans(view) == drawn.clans()
    assert expected_signs(view) == drawn.signs()
    assert expected_borders(view) == {
        frozenset((each.get("data-sides") or "").split()) for each in drawn.of_class("border")
    }
    assert expected_rings(view) == len(drawn.of_class("chieftain"))
    assert {each.get("data-sign") for each in drawn.of_class("sign") if each.get("data-of") == "legend"} == {
        *(sign for sign, _, _ in drawn.signs()),
        *(["ring"] if expected_rings(view) else []),
    }


def in_order(view: InisView) -> list[LandView]:
    """Return the mainland, then the islands."""
    return sorted(view.lands, key=lambda land: land.location == SEA)


def expected_clans(view: InisView) -> Counter[tuple[str, str, str]]:
    return Counter(
        (land.territory, str(seat), str(number))
        for land in view.lands
        for seat, number in enumerate(land.clans)
        if number
    )


def expected_rings(view: InisView) -> int:
    return sum(land.chieftain is not None for land in view.lands)


def expected_borders(view: InisView) -> set[frozenset[str]]:
    return {frozenset((land.territory, each)) for land in view.lands for each in land.beside}


def expected_signs(view: InisView) -> Counter[tuple[str, str, str]]:
    """Return every piece of the view but the clans, each with where or whose it is, and how many there are."""
    more = view.expansion or ExpansionView()
    signs = [("brenn", f"seat {view.brenn}", ""), (view.direction, "crows", "")]
    lying = {"capital": view.capital, "festival": view.festival, "fili": more.fili, "macha": more.macha}
    lying["clash"] = view.clash.territory if view.clash is not None else None
    signs += [(sign, where, "") for sign, where in lying.items() if where is not None]
    signs += [("harbor", where, "") for where in more.harbors]
    for land in view.lands:
        others = land.citadels - (land.territory == view.capital)
        signs += [("citadel", land.territory, str(others))] if others else []
        signs += [("sanctuary", land.territory, str(land.sanctuaries))] if land.sanctuaries else []
    for contender in view.contenders:
        name = f"seat {contender.seat}"
        signs += [("pretender", name, "")] if contender.pretender else []
        signs += [("deed", name, str(contender.deeds))] if contender.deeds else []
    signs += [("banshee", f"seat {seat}", "") for seat in more.banshee]
    signs += [("bran", f"seat {more.bran.seat}", str(more.bran.clans))] if more.bran is not None else []
    signs += [("cauldron", f"seat {view.cauldron.seat}", str(view.cauldron.clans))] if view.cauldron else []
    return Counter(signs)
