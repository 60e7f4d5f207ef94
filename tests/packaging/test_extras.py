"""What is declared is what is needed: every requirement is pinned, and an extra that is missing is named."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging.conftest import ROOMS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.txt").read_text()
PINNED = dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", LOCK, re.MULTILINE))
GROUPS = {"": PROJECT["dependencies"], **PROJECT["optional-dependencies"]}


def closure(wanted: list[str]) -> Iterator[tuple[str, Requirement]]:
    """Give what is required here, and what that requires in turn, with who asks for it."""
    todo = [("fidchell", Requirement(each), frozenset[str]()) for each in wanted]
    seen = set()
    while todo:
        who, requirement, extras = todo.pop()
        if requirement.marker and not any(requirement.marker.evaluate({"extra": each}) for each in ("", *extras)):
            continue
        yield who, requirement
        name = canonicalize_name(requirement.name)
        if (name, key := frozenset(requirement.extras)) not in seen:
            seen.add((name, key))
            todo += [(name, Requirement(each), key) for each in distribution(name).requires or ()]


@pytest.mark.parametrize("group", GROUPS)
def test_whatever_is_required_is_pinned_and_fits(group: str) -> None:
    """For the service and each extra, down to what its requirements require: one version each, and it is allowed."""
    asked = list(closure(GROUPS[group]))

    assert len(asked) >= len(GROUPS[group])
    for who, requirement in asked:
        name = canonicalize_name(requirement.name)
        assert name in PINNED, f"{who} needs {name}, which is not pinned"
        assert requirement.specifier.contains(PINNED[name], prereleases=True), f"{who} needs {requirement}"
        assert PINNED[name] == version(name)


def test_every_pin_has_its_hashes() -> None:
    """What is downloaded is what was pinned."""
    blocks = re.split(r"\n(?=[a-z0-9])", LOCK.strip())

    assert len(PINNED) == len(blocks) > 50
    assert all("--hash=sha256:" in each for each in blocks)


def test_an_extra_holds_all_that_its_folder_imports() -> None:
    """Nothing comes by way of another package's requirements, and the tests have it all."""
    imported = set()
    for file in (ROOT / "services" / "bots" / "gym").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported |= {each.name.partition(".")[0] for each in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                imported.add(node.module.partition(".")[0])
    foreign = imported - set(sys.stdlib_module_names) - set(ROOMS)

    assert foreign - set(PROJECT["dependencies"]) == set(PROJECT["optional-dependencies"]["gym"])
    assert set(PROJECT["optional-dependencies"]["gym"]) <= set(PROJECT["optional-dependencies"]["dev"])


def run(site: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run a program that finds the installed package before anything else."""
    begin = f"import sys; sys.path.insert(0, {str(site)!r}); "
    return subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-I", "-c", begin + code], check=False, capture_output=True, text=True, cwd=site
    )


@pytest.mark.parametrize("missing", PROJECT["optional-dependencies"]["gym"])
def test_without_the_extra_it_is_said_what_to_install(installed: Path, missing: str) -> None:
    """In one sentence, whichever part is missing."""
    done = run(installed, f"sys.modules[{missing!r}] = None; import services.bots.gym")

    assert 1 == done.returncode
    assert f"{missing} is missing: install what the environments need with `pip install '.[gym]'`" in done.stderr
    assert "the `.venv` that `make` makes has it already" in done.stderr


def test_with_the_extra_a_table_is_played(installed: Path) -> None:
    """From what was installed, with all of its catalogues."""
    code = (
        "import services; from services.bots.gym import env; table = env('nains', seats=2); table.reset(seed=1); "
        "print(services.__file__, table.agent_selection)"
    )
    done = run(installed, code)

    assert 0 == done.returncode, done.stderr
    assert f"{installed}/services/__init__.py seat_0" == done.stdout.strip()


def test_the_package_says_what_its_extras_need(installed: Path) -> None:
    """In its metadata, where every installer looks."""
    (metadata,) = (path.read_text() for path in installed.glob("fidchell-*.dist-info/METADATA"))
    told = {
        (extra, canonicalize_name(Requirement(each).name))
        for each, extra in re.findall(r'^Requires-Dist: ([^;\n]+); extra == "(\w+)"', metadata, re.MULTILINE)
    }

    assert {("gym", each) for each in PROJECT["optional-dependencies"]["gym"]} <= told
