"""What a catalogue of Inis must be like, and how a fault in it is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from seeds.inis.catalogue import read
from seeds.reading import CatalogueError
from tests.inis.table import CATALOGUE
from workers.inis.cards import EFFECTS, FORMS
from workers.inis.lattice import free_locations, touch
from workers.inis.windows import WINDOWS

SHIPPED = Path(__file__).parents[2] / "seeds" / "inis" / "v1"


def test_the_counts_are_those_of_the_box() -> None:
    """Section 1.1 of the rules."""
    assert (17, 16, 30, 16) == (
        len(CATALOGUE.actions),
        len(CATALOGUE.advantages),
        len(CATALOGUE.tales),
        len(CATALOGUE.tiles),
    )
    assert (12, 8, 9) == (CATALOGUE.clans, CATALOGUE.citadels, CATALOGUE.sanctuaries)


def test_every_card_has_an_effect() -> None:
    """And nothing else has."""
    assert set(CATALOGUE.cards) == set(EFFECTS)
    assert set(FORMS) < set(EFFECTS)


def test_every_window_has_a_card() -> None:
    """And every moment is a window, a maneuver or any time."""
    assert {*WINDOWS, "maneuver", "any_time"} == set(CATALOGUE.answering)


@pytest.mark.parametrize(("players", "places"), [(2, 4), (3, 6), (4, 8)])
def test_the_layouts_leave_as_many_places(players: int, places: int) -> None:
    """The check values of section 1.3."""
    assert places == len(free_locations(CATALOGUE.layout[:players], CATALOGUE.touching))


def test_the_layout_of_four_is_adjacent_as_written() -> None:
    """A and D do not touch (rules, section 1.3)."""
    layout = CATALOGUE.layout
    pairs = [(one, two) for one in range(4) for two in range(one + 1, 4) if touch(layout[one], layout[two])]

    assert [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)] == pairs


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("file", "change", "problem"),
    [
        ("actions.csv", replaced("bard,Bard,no,yes,maneuver_done", "bard,Bard,no,no,"), "actions.csv, row 2: bard can"),
        ("actions.csv", replaced("maneuver_done", "lunch"), "actions.csv, row 2: answers"),
        ("actions.csv", replaced("citadel,Citadel", "bard,Bard"), "actions.csv, row 3: bard stands there twice"),
        ("actions.csv", replaced("raid,Raid,yes", "raid,Raid,no"), "actions.csv, row 18: 2 players need 13"),
        ("actions.csv", replaced("no,yes", "perhaps,yes"), "actions.csv, row 2: four_only"),
        ("advantages.csv", replaced("cove,", "atoll,"), "advantages.csv, row 2: there is no territory atoll"),
        ("epic_tales.csv", replaced("eriu,", "bard,"), "epic_tales.csv, row 15: bard is the name of another card"),
        ("territories.csv", replaced("cove,Cove,0", "cove,Cove,-1"), "territories.csv, row 2: entry_sanctuaries"),
        ("territories.csv", replaced("valley,", "atoll,"), "there is no territory valley"),
        ("territories.csv", lambda text: text.splitlines()[0], "territories.csv, row 2: there is no row"),
        ("setup.yaml", replaced('"U0,0"', '"X0,0"'), "setup.yaml, row 1: layout"),
        ("setup.yaml", replaced(', "U3,0"', ""), "setup.yaml, layout: each player needs a start tile"),
        ("setup.yaml", replaced("players: 3", "players: 5"), "setup.yaml, players: the numbers of players rise by one"),
        ("setup.yaml", replaced("dealt: 4", "dealt: 2"), "setup.yaml, row 2 of players"),
        ("setup.yaml", replaced("  eriu: 3\n", ""), "setup.yaml, amounts: eriu is missing"),
        ("setup.yaml", replaced("goal: 6", "goal: many"), "setup.yaml, row 1: goal"),
        ("setup.yaml", replaced("goal: 6", "goal: ["), "setup.yaml, row"),
    ],
)
def test_a_fault_is_named_by_file_and_row(
    file: str, change: Callable[[str], str], problem: str, tmp_path: Path
) -> None:
    """Whoever edits a file learns where to look."""
    folder = tmp_path / "v1"
    shutil.copytree(SHIPPED, folder)
    path = folder / file
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    with pytest.raises(CatalogueError) as fault:
        read(folder)

    assert problem in str(fault.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """As what it is."""
    with pytest.raises(CatalogueError, match="cannot be read"):
        read(tmp_path)
