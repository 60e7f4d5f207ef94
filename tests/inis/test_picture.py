"""The picture of the table shows what the view shows, all of it once, and lets it be read."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from events.codec import event_codec
from events.commit import Commit
from events.export import read_export
from events.messages import SPECTATOR, TableId, Viewpoint
from projections.inis.picture import picture
from projections.inis.picture.land import LAND_COLOURS, coloured
from projections.inis.picture.signs import SIGNS, TOKENS
from projections.inis.table import InisView, table_view
from tests.golden.recorded import GAMES_FOLDER, SHELF
from tests.inis.drawing import SVG, Drawn, check
from tests.inis.table import ANN, BO, CY, RULES, Game, built, clash, deeds, fight, here, state_with
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.state.pieces import Cauldron
from workers.tables.evolve import apply
from workers.tables.state import unopened

TILES = ("cove", "forest", "valley", "moor")
SAMPLES = 23
"""Positions of each recorded game whose pictures are checked."""


def seen(state: InisState, viewpoint: Viewpoint = SPECTATOR) -> InisView:
    return table_view(state, viewpoint)


def drawn(**fields: object) -> Drawn:
    state = built(state_with(clans={"cove": (3, 1), "moor": (0, 2)}, **fields), "moor", citadels=1)  # type: ignore[arg-type]
    return Drawn(seen(state))


def test_every_tile_is_three_hexagons() -> None:
    """Each in a group that bears its territory's name."""
    tiles = drawn().of_class("tile")

    assert list(TILES) == [each.get("data-territory") for each in tiles]
    assert [3] * 4 == [len(list(each.iter(f"{SVG}polygon"))) for each in tiles]


def test_borders_and_coasts_are_told_apart() -> None:
    """A broken line lies between territories that touch, a whole one at the sea; twelve edges are around a tile."""
    picture_of = drawn()
    borders, coasts = picture_of.of_class("border"), picture_of.of_class("coast")

    assert 4 * 12 == 2 * len(borders) + len(coasts)
    assert all(each.get("stroke-dasharray") for each in borders)
    assert not any(each.get("stroke-dasharray") for each in coasts)


def test_clans_buildings_capital_and_festival_are_marked() -> None:
    """Where they are."""
    picture_of = drawn(festival=here("moor"))

    assert {("cove", "0", "3"): 1, ("cove", "1", "1"): 1, ("moor", "1", "2"): 1} == picture_of.clans()
    assert {
        ("capital", "cove", ""),
        ("sanctuary", "cove", "1"),
        ("citadel", "moor", "1"),
        ("festival", "moor", ""),
    } <= set(picture_of.signs())


def test_what_players_have_is_written_beside_their_token() -> None:
    """Brenn, Pretender token, Deeds, whose turn it is, and what they count."""
    state = deeds(state_with(clans={"cove": (3, 1)}, hands={BO: ["bard", "druid"]}), BO, 2, pretender=True)
    picture_of = Drawn(seen(replace(state, passed=(CY,))))

    assert ["seat 0", "seat 1", "seat 2"] == picture_of.words("seat")
    assert ["on turn", "passed"] == picture_of.words("standing")
    assert {("brenn", "seat 0", ""), ("pretender", "seat 1", ""), ("deed", "seat 1", "2")} <= set(picture_of.signs())
    assert "reserve 11 · Action cards 2 · Epic Tales 0" in picture_of.words("holding")


def test_a_hand_is_written_for_its_owner_alone() -> None:
    """Others and the spectator read how many cards it has."""
    state = state_with(hands={ANN: ["bard"], BO: ["druid", "balors_eye"]})

    for viewpoint, own in ((SPECTATOR, set()), (ANN, {"bard"}), (BO, {"druid", "balors eye"})):
        words = " ".join(Drawn(seen(state, viewpoint)).texts())
        assert own == {each for each in ("bard", "druid", "balors eye") if each in words}


def test_a_clash_is_marked_and_written_out() -> None:
    """Its territory has a red line around it; who stands where is told by seat."""
    state = built(state_with(clans={"forest": (2, 3), "moor": (1, 0)}), "forest", citadels=1)
    game = clash(state)
    while not game.asked or game.window:
        game.answer()
    game.shelter(BO)
    while game.state.clash is None or game.state.clash.acting is None:
        game.answer()
    picture_of = Drawn(seen(game.state))

    assert 1 == len(picture_of.of_class("fought"))
    assert ("clash", "forest", "") in picture_of.signs()
    assert {
        "clash in forest, instigator seat 0",
        "seat 0: 2 exposed · to maneuver",
        "seat 1: 2 exposed, 1 in citadels",
    } <= set(picture_of.words("tray"))


def test_clans_in_the_cauldron_are_drawn() -> None:
    """Beside who has it."""
    game: Game = fight(state_with(clans={"forest": (2, 2)}))
    state = replace(game.state, cauldron=Cauldron(seat=BO, territory=here("forest"), clans=2))

    assert ("cauldron", "seat 1", "2") in Drawn(seen(state)).signs()


def test_who_does_not_see_it_is_told_in_words() -> None:
    """The document has a title and a description that name what is on the island."""
    root = drawn(festival=here("moor")).root
    told = {each.get("id"): each.text or "" for each in root if each.get("id")}

    assert "img" == root.get("role")
    assert list(told) == (root.get("aria-labelledby") or "").split()
    assert "Inis · round 2 · season" == told["title"]
    assert (
        "cove: beside forest, valley; clans seat 0 3, seat 1 1; chieftain seat 0; citadels 1; sanctuaries 1; Capital."
        in told["about"]
    )
    assert "moor: beside forest, valley; clans seat 1 2; chieftain seat 1; citadels 1; Festival." in told["about"]


def test_what_is_written_is_told_too() -> None:
    """The description says all that the picture writes, whole lines at once, with the signs beside each seat."""
    state = deeds(state_with(clans={"cove": (3, 1)}, hands={BO: ["bard", "hills"]}), BO, 2, pretender=True)
    picture_of = Drawn(seen(replace(state, passed=(CY,)), BO))
    about = next(each.text or "" for each in picture_of.root if each.get("id") == "about")

    for kind in ("tray", "holding", "crows"):
        lines = picture_of.words(kind)
        assert lines == [line for line in lines if line in about]
    assert "seat 1: Pretender token; Deeds 2; leadership" in about
    assert "seat 2: passed; leadership" in about


def test_an_empty_table_is_drawn_too() -> None:
    """Before set-up there is only water."""
    view = table_view(RULES.initial(InisOptions(), 2), ANN)

    check(view)
    assert picture(view).startswith("<svg ")


def test_seats_are_told_apart_without_colour() -> None:
    """Each has an outline of its own, and each sign a drawing of its own."""
    assert 5 == len({each.outline for each in TOKENS})
    directions = {"clockwise", "counterclockwise"}
    assert len(SIGNS) == len({(each.markup, each.letter) for each in SIGNS.values()})
    assert len(SIGNS) - 1 == len({each.meaning for each in SIGNS.values()})
    assert directions <= set(SIGNS)


def test_numbers_can_be_read_on_their_token() -> None:
    """The contrast is that which guidelines ask of small text."""
    for token in TOKENS:
        light, dark = sorted((brightness(token.fill), brightness(token.ink)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, token.fill


def test_land_is_lighter_than_ink() -> None:
    """Names can be read on every colour of land."""
    for colour in LAND_COLOURS:
        assert (brightness(colour) + 0.05) / (brightness("#1d2327") + 0.05) >= 7, colour


def brightness(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def recorded(name: str) -> list[InisState]:
    """Return positions of a recorded game, evenly parted, and the last."""
    manifest, entries = read_export((GAMES_FOLDER / name).read_bytes())
    codec, state = event_codec(manifest.game), unopened(TableId(manifest.table), SHELF)
    commits = [each for each in entries if isinstance(each, Commit)]
    found = []
    for place, entry in enumerate(commits):
        events = [codec.read(each.schema, each.body) for each in entry.events]
        state = apply(state, events, entry.command.actor.seat, entry.command.at)
        if isinstance(state.game_state, InisState) and (place % (len(commits) // SAMPLES) == 0 or entry is commits[-1]):
            found.append(state.game_state)
    return found


@pytest.mark.parametrize("name", sorted(each.name for each in GAMES_FOLDER.glob("inis-*.fidchell")))
def test_all_of_every_position_is_drawn_once_and_apart(name: str) -> None:
    """From the first draft to the end, for the spectator and for seats; neighbours have different colours."""
    for place, state in enumerate(recorded(name)):
        viewpoints: tuple[Viewpoint, ...] = (SPECTATOR, ANN, BO)
        view = seen(state, viewpoints[place % 3])
        check(view)
        colours = coloured(view.lands)
        for one, other in combinations(view.lands, 2):
            assert other.territory not in one.beside or colours[one.territory] != colours[other.territory]
