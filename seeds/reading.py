"""Reads catalogue files that people edit, and blames file and row when something is wrong with them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

AnyRow = TypeVar("AnyRow", bound=BaseModel)


class CatalogueError(ValueError):
    """A catalogue file cannot be played with; the sentence names the file and the row to mend."""

    def __init__(self, file: str, where: str, problem: str) -> None:
        super().__init__(f"{file}, {where}: {problem}.")


def rows_of(folder: Path, file: str, model: type[AnyRow]) -> list[tuple[int, AnyRow]]:
    """Return the checked lines of a CSV file with their numbers; the header is row 1."""
    reader = csv.DictReader(_text(folder, file).splitlines(), restkey="too_many", strict=True)
    try:
        rows = [(reader.line_num, _checked(model, line, file, f"row {reader.line_num}")) for line in reader]
    except csv.Error as fault:
        raise CatalogueError(file, f"row {reader.line_num}", str(fault)) from None
    if not rows:
        raise CatalogueError(file, "row 2", "there is no row")
    return rows


def named_rows_of(folder: Path, file: str, model: type[AnyRow]) -> list[tuple[int, AnyRow]]:
    """Return what ``rows_of`` does, of rows with an ``id`` that none shares with another."""
    rows = rows_of(folder, file, model)
    seen: set[str] = set()
    for number, row in rows:
        name = row.model_dump()["id"]
        if name in seen:
            raise CatalogueError(file, f"row {number}", f"{name} stands there twice")
        seen.add(name)
    return rows


def setup_of(folder: Path, file: str, model: type[AnyRow], *, listed: str) -> AnyRow:
    """Return a checked YAML file; a fault in its list ``listed`` is blamed on the row of that list."""
    try:
        value: Any = yaml.safe_load(_text(folder, file))
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        problem = getattr(fault, "problem", None) or "this is no YAML"
        raise CatalogueError(file, f"row {mark.line + 1 if mark else 1}", problem) from None
    return _checked(model, value, file, "row 1", listed=listed)


def _text(folder: Path, file: str) -> str:
    try:
        return (folder / file).read_text(encoding="utf-8")
    except OSError:
        raise CatalogueError(file, "row 1", "the file cannot be read") from None
    except UnicodeDecodeError:
        raise CatalogueError(file, "row 1", "the file is not UTF-8") from None


def _checked(model: type[AnyRow], value: object, file: str, where: str, *, listed: str | None = None) -> AnyRow:
    try:
        return model.model_validate(value)
    except ValidationError as faults:
        fault = faults.errors()[0]
        path = [str(step) for step in fault["loc"]]
        if listed is not None and path[:1] == [listed] and len(path) > 1:
            where = f"row {int(path[1]) + 1} of {listed}"
            path = path[2:]
        raise CatalogueError(file, where, f"{'.'.join(path) or 'all of it'}: {fault['msg']}") from None
