"""Which tables can be opened, what they pin, and what the catalogue of the expansion must be like."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from events.messages import TableId
from events.tables.commands import OpenTable
from events.tables.events import TableOpened
from events.tables.vocabulary import Actor
from projections.tables.games import describe
from seeds.catalogues import CATALOGUES, digest_of
from seeds.inis.seasons import read
from seeds.reading import CatalogueError
from tests.inis.table import CATALOGUE
from workers.games import GamesShelf
from workers.inis.cards import EFFECTS, FORMS
from workers.inis.cards.all import ALL_EFFECTS, ALL_FORMS
from workers.inis.seasons.beltaine import DECLARED
from workers.inis.state.options import MODULES
from workers.inis.windows import WINDOWS
from workers.kit.decider import Refused
from workers.tables.decide import step
from workers.tables.state import unopened
from workers.tables.wish import Wish

SHELF = GamesShelf()
FULL = CATALOGUES("inis").expansions(1)[0]
SHIPPED = Path(__file__).parents[2] / "seeds" / "inis" / "v1"


def opening(seats: int, **options: bool | str) -> TableOpened:
    command = OpenTable(game="inis", seats=seats, options=dict(options))
    wish = Wish(command=command, actor=Actor("platform", "tests"), at=0, secret=bytes(32))
    (opened, *_), _ = step(unopened(TableId("inis-t"), SHELF), wish)
    assert isinstance(opened, TableOpened)
    return opened


def test_a_base_table_pins_the_base_catalogue() -> None:
    """And says nothing of modules."""
    opened = opening(4)

    assert CATALOGUES("inis").newest.digest == opened.digest
    assert {"first_brenn", "deeds", "eriu_stack", "window_floor"} == set(opened.options)


def test_a_table_with_a_module_pins_both_catalogues() -> None:
    """One digest over the files of both."""
    opened = opening(3, sea_travels=True)

    assert FULL.digest == opened.digest
    assert opened.options["sea_travels"] is True
    assert FULL.digest != CATALOGUES("inis").newest.digest


def test_a_module_that_is_declined_is_none() -> None:
    """The table is one of the base game."""
    assert CATALOGUES("inis").newest.digest == opening(3, sea_travels=False).digest


@pytest.mark.parametrize("options", [{}, {"want_king": True}, {"seasons": True, "sea_travels": True}])
def test_five_need_the_fifth_player(options: dict[str, bool]) -> None:
    """Other modules do not make room for one."""
    with pytest.raises(Refused) as refused:
        opening(5, **options)

    assert ("seats_out_of_range", {"least": 2, "most": 4}) == (refused.value.code, refused.value.details)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_fifth_player_may_stay_away(seats: int) -> None:
    """The module may be on with fewer."""
    assert seats == opening(seats, fifth_player=True).seats


def test_six_are_too_many() -> None:
    """At any table."""
    with pytest.raises(Refused) as refused:
        opening(6, fifth_player=True)

    assert ("seats_out_of_range", {"least": 2, "most": 5}) == (refused.value.code, refused.value.details)


def test_the_doors_tell_of_the_fifth_seat() -> None:
    """And of the modules among the options."""
    told = describe("inis")
    names = set(told.options.__struct_fields__)

    assert (2, 5) == (told.least, told.most)
    assert set(MODULES) <= names


# The catalogue


def test_the_counts_are_those_of_the_box() -> None:
    """Section 1.1 of the expansion's document."""
    modules = FULL.components.modules

    assert (4, 15, 7) == (len(modules.actions), len(modules.tales), len(modules.tiles))
    assert 6 == len(FULL.components.advantages) - len(CATALOGUE.advantages)
    assert {"inis_mona", "isle_of_joy", "hy_breasil"} == {each.id for each in modules.tiles.values() if each.island}
    assert all(each.harbor for each in modules.tiles.values())


def test_every_card_has_an_effect() -> None:
    """New ones have one of their own; Exploration is updated, and the order of Maeve's Wealth clarified."""
    assert set(FULL.components.cards) == set(ALL_EFFECTS)
    assert {"exploration", "maeves_wealth"} == {each for each in EFFECTS if EFFECTS[each] is not ALL_EFFECTS[each]}
    assert set(ALL_FORMS) - {DECLARED} < set(ALL_EFFECTS)
    assert {each for each in FORMS if FORMS[each] is not ALL_FORMS[each]} == set()


def test_the_base_game_has_no_window_of_the_expansion() -> None:
    """A seat of a base table can always pass at the same windows as ever."""
    assert "victory_check" not in WINDOWS
    assert {*WINDOWS, "victory_check", "maneuver", "any_time"} == set(FULL.components.answering)


def test_the_digest_of_an_expansion_follows_its_files(tmp_path: Path) -> None:
    """Those of the base game too; the base game's own does not follow the expansion's."""
    folder = tmp_path / "v1"
    shutil.copytree(SHIPPED, folder)
    base, both = digest_of(folder), digest_of(folder, "seasons")
    (folder / "seasons" / "wheel.csv").write_text("id\n")

    assert (base, both) == (CATALOGUES("inis").newest.digest, FULL.digest)
    assert base == digest_of(folder)
    assert both != digest_of(folder, "seasons")


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("file", "change", "problem"),
    [
        ("actions.csv", replaced("fili,Fili", "bard,Fili"), "bard: another card has this name"),
        ("actions.csv", replaced("fili,Fili,yes", "fili,Fili,no"), "actions.csv, row 4: fili can never be played"),
        ("advantages.csv", replaced("aber,", "atoll,"), "advantages.csv, row 2: there is no territory atoll"),
        ("epic_tales.csv", replaced("citadels_end", "lunch"), "epic_tales.csv, row 8: answers"),
        ("territories.csv", replaced("no,yes,0", "no,yes,-1"), "territories.csv, row 2: entry_sanctuaries"),
        ("wheel.csv", replaced("imbolc,", "advent,"), "wheel.csv, row 2: id"),
        ("setup.yaml", replaced("  samhain: 3\n", ""), "setup.yaml, amounts: samhain is missing"),
        ("setup.yaml", replaced("U-1,2", "X-1,2"), "setup.yaml, row 1: layout"),
    ],
)
def test_a_fault_is_named_by_file_and_row(
    file: str, change: Callable[[str], str], problem: str, tmp_path: Path
) -> None:
    """Whoever edits a file learns where to look."""
    folder = tmp_path / "v1"
    shutil.copytree(SHIPPED, folder)
    path = folder / "seasons" / file
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")

    with pytest.raises(CatalogueError) as fault:
        read(folder)

    assert problem in str(fault.value)


def test_a_wheel_has_four_seasons(tmp_path: Path) -> None:
    """Each once."""
    folder = tmp_path / "v1"
    shutil.copytree(SHIPPED, folder)
    path = folder / "seasons" / "wheel.csv"
    path.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:-1]), encoding="utf-8")

    with pytest.raises(CatalogueError, match="four seasons"):
        read(folder)
