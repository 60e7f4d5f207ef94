"""Copies the template of a game under a new name, and enters its name where every game's stands."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

PLACEHOLDER: Final = "heaps"
NAME: Final = re.compile(r"[a-z][a-z0-9]{1,19}")
ROOMS: Final = {
    "events": "events/{game}",
    "workers": "workers/{game}",
    "projections": "projections/{game}",
    "seeds": "seeds/{game}",
    "tests": "tests/{game}",
}
FILES: Final = {"docs": "docs/games/{game}.md", "gym": "services/bots/gym/{game}.py"}
"""What is one file beside those of other games."""

DATA: Final = "v1"
CODES: Final = "`stones_out_of_range`"
"""What the rules of the template refuse with, beside what every game does."""


class NameTakenError(ValueError):
    """The name cannot be a game's; the message says why."""


class WrongRootError(ValueError):
    """The folder is not this repository's root, or cannot be written to; the message says which and what to do."""


def lay_game(game: str, root: Path) -> list[Path]:
    """
    Write the folders of a new game below the repository's root, and return every file written or changed.

    The game is small but whole: it plays, and passes every contract test.
    Raises ``NameTakenError`` before anything is written, and ``WrongRootError``, which leaves nothing behind, either.
    """
    if not NAME.fullmatch(game) or keyword.iskeyword(game):
        raise NameTakenError(f"{game!r} is no name for a game: 2 to 20 small letters and digits, a letter first")
    for place in (*ROOMS.values(), *FILES.values()):
        if (root / place.format(game=game)).exists():
            raise NameTakenError(f"{place.format(game=game)} is there already")
    try:
        entered = [*_entered(game, root)]
    except OSError as fault:
        raise WrongRootError(
            f"{root.absolute()} is not the root of Fidchell's repository: no {fault.filename}"
        ) from None
    return _laid([*_copied(game, root), *entered])


def _laid(texts: Sequence[tuple[Path, str]]) -> list[Path]:
    """Write all files, or none: what was there before a fault is there after it."""
    before: dict[Path, bytes | None] = {}
    made: list[Path] = []
    try:
        for file, text in texts:
            for folder in reversed([each for each in file.parents if not each.exists()]):
                folder.mkdir()
                made.append(folder)
            before[file] = file.read_bytes() if file.exists() else None
            file.write_text(text, encoding="utf-8")
    except OSError as fault:
        _take_back(before, made)
        raise WrongRootError(f"{fault.filename or file} cannot be written: {fault.strerror}") from None
    except BaseException:
        _take_back(before, made)
        raise
    return list(before)


def _take_back(before: Mapping[Path, bytes | None], made: Sequence[Path]) -> None:
    for file, was in before.items():
        if was is None:
            file.unlink(missing_ok=True)
        else:
            file.write_bytes(was)
    for folder in reversed(made):
        folder.rmdir()


def _copied(game: str, root: Path) -> Iterator[tuple[Path, str]]:
    """Give the files of the template, each with its text."""
    template = Path(str(files("services.scaffold") / "template"))
    for source in sorted(template.rglob("*.txt")):
        room, name = source.relative_to(template).parts[0], source.name.removesuffix(".txt")
        if room in FILES:
            target = root / FILES[room].format(game=game)
        else:
            folder = root / ROOMS[room].format(game=game)
            target = folder / name if name.endswith(".py") else folder / DATA / name
        yield target, _renamed(source.read_text(encoding="utf-8"), game)


def _renamed(text: str, game: str) -> str:
    return text.replace(PLACEHOLDER, game).replace(PLACEHOLDER.capitalize(), game.capitalize())


def _entered(game: str, root: Path) -> Iterator[tuple[Path, str]]:
    """Enter the game in the places that list all games."""
    places = (
        (root / "events" / "games.py", r"GAMES: Final = \((.*?)\)", _listed),
        (root / "pyproject.toml", r'\n  "([a-z0-9 |]*\bnains\b[a-z0-9 |]*)",', _layered),
        (root / "compose.yaml", r"(?s)(\n  worker-nains:\n.*?)(?=\n  [a-z]|\n[a-z]|\Z)", _served),
        (root / "docs" / "reference" / "codes.md", r"\| game \| codes \|\n\| --- \| --- \|\n((?:\|.*\n)+)", _coded),
    )
    for file, pattern, enter in places:
        text = file.read_text(encoding="utf-8")
        found = re.search(pattern, text)
        if found is None:
            raise NameTakenError(f"{file.name} does not list the games where it should")
        start, end = found.span(1)
        yield file, text[:start] + enter(found[1], game) + text[end:]


def _listed(names: str, game: str) -> str:
    games = sorted({*re.findall(r'"(\w+)"', names), game})
    return ", ".join(f'"{each}"' for each in games) + ("," if len(games) == 1 else "")


def _layered(names: str, game: str) -> str:
    return " | ".join(sorted({*names.split(" | "), game}))


def _served(service: str, game: str) -> str:
    return service + service.replace("nains", game)


def _coded(rows: str, game: str) -> str:
    return "".join(sorted([*rows.splitlines(keepends=True), f"| {game.capitalize()} | {CODES} |\n"]))
