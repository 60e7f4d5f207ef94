"""What an operator may set is read alike, and named in one place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from events.process import store_url
from services.api.app import create_app
from services.api.settings import ApiSettings
from services.settings import Settings, WrongSettingError
from services.settings_page import DOORS, page

ROOT = Path(__file__).parents[2]
IN_EXAMPLES = {"FIDCHELL_KEY"}
"""What the program itself does not read."""

VARIABLES = [(kind, variable, name) for kind in DOORS for variable, name, _ in kind.variables()]
TIMES = [(kind, variable) for kind, variable, _ in VARIABLES if variable.endswith("_S") and "_PER_" not in variable]


@pytest.mark.parametrize(("kind", "variable", "name"), VARIABLES)
def test_an_empty_setting_is_as_if_it_were_not_there(
    kind: type[Settings], variable: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a file of settings may name those it does not set."""
    monkeypatch.delenv(variable, raising=False)
    without = getattr(kind(), name)
    monkeypatch.setenv(variable, "")

    assert without == getattr(kind(), name)


@pytest.mark.parametrize(("kind", "variable", "name"), VARIABLES)
def test_every_setting_has_its_row(kind: type[Settings], variable: str, name: str) -> None:
    """With what is so without it, what fits, and what it says."""
    (row,) = [line for line in page().splitlines() if line.startswith(f"| `{variable}` | ")]

    assert len(row.split(" | ")) == 4
    assert len(row.rstrip(" |").rpartition(" | ")[2]) > 10


@pytest.mark.parametrize(("kind", "variable"), TIMES)
@pytest.mark.parametrize("value", ["1e-9", "0", "-1", "inf", "nan", "1e300"])
def test_no_time_is_too_short_or_endless(
    kind: type[Settings], variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that does nothing in time would be useless without a word."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(WrongSettingError, match=f"cannot be what it is set to: {variable}: "):
        kind.read()


@pytest.mark.parametrize(
    "row",
    ["| `FIDCHELL_HEAD_S` | `10` | 0.1 to 86400 | ", "| `FIDCHELL_LIVE_FOLLOWS` | `20000` | 1 or more | "],
)
def test_the_page_tells_what_fits(row: str) -> None:
    """From where to where a number goes."""
    assert row in page()


def test_no_settings_are_forgotten() -> None:
    """Whatever reads settings in the API is on the page."""
    create_app(ApiSettings())

    assert set(Settings.__subclasses__()) == set(DOORS)


def test_a_store_without_an_address_is_the_one_that_runs_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the words of the command line as well an empty address is none."""
    note = tmp_path / "store.url"
    note.write_text("unix:///here\n")
    monkeypatch.setenv("REDIS_URL", "")

    assert "unix:///here" == store_url(note)


def test_no_page_names_a_setting_that_is_none() -> None:
    """What is told to be set does something."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md")]
    named = {
        name
        for each in pages
        for name in re.findall(r"FIDCHELL_[A-Z_]*[A-Z](?![A-Z_])", each.read_text(encoding="utf-8"))
    }
    composed = re.findall(r"^(\w+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)

    assert set() == named - IN_EXAMPLES - {*composed, *re.findall(r"^\| `(\w+)`", page(), re.MULTILINE)}
