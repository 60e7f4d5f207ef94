"""Copies the template of a game under a new name, and enters its name where every game's stands."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
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


def lay_game(game: str, root: Path) -> list[Path]:
    """
    Write the folders of a new game below the repository's root, and return every file written or changed.

    The game is small but whole: it plays, and passes every contract test.
    Raises ``NameTakenError`` before anything is written.
    """
    if not NAME.fullmatch(game) or keyword.iskeyword(game):
        raise NameTakenError(f"{game!r} is no name for a game: 2 to 20 small letters and digits, a letter first")
    for folder in (*ROOMS.values(), *FILES.values()):
        if (root / folder.format(game=game)).exists():
            raise NameTakenError(f"{folder.format(game=game)} is there already")
    return [*_copied(game, root), *_entered(game, root)]


def _copied(game: str, root: Path) -> Iterator[Path]:
    template = Path(str(files("services.scaffold") / "template"))
    for source in sorted(template.rglob("*.txt")):
        room, name = source.relative_to(template).parts[0], source.name.removesuffix(".txt")
        if room in FILES:
            target = root / FILES[room].format(game=game)
        else:
            folder = root / ROOMS[room].format(game=game)
            target = folder / name if name.endswith(".py") else folder / DATA / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        target.write_text(_renamed(text, game), encoding="utf-8")
        yield target


def _renamed(text: str, game: str) -> str:
    return text.replace(PLACEHOLDER, game).replace(PLACEHOLDER.capitalize(), game.capitalize())


def _entered(game: str, root: Path) -> Iterator[Path]:
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
        file.write_text(text[:start] + enter(found[1], game) + text[end:], encoding="utf-8")
        yield file


def _listed(names: str, game: str) -> str:
    games = sorted({*re.findall(r'"(\w+)"', names), game})
    return ", ".join(f'"{each}"' for each in games) + ("," if len(games) == 1 else "")


def _layered(names: str, game: str) -> str:
    return " | ".join(sorted({*names.split(" | "), game}))


def _served(service: str, game: str) -> str:
    return service + service.replace("nains", game)


def _coded(rows: str, game: str) -> str:
    return "".join(sorted([*rows.splitlines(keepends=True), f"| {game.capitalize()} | {CODES} |\n"]))
