"""Finds where the store's append-only file is whole, and cuts off what is torn or garbage behind that."""

from __future__ import annotations

import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from events.streams import Partition
from services.embedded.folder import DataFolder, EmbeddedError

MANIFEST: Final = "appendonly.aof.manifest"
LINE_LIMIT: Final = 1024
"""No header line of a command is longer; what is longer is garbage."""

TABLE_KEY: Final = re.compile(
    re.escape(Partition("GAME", 0).truth("TABLE").encode())
    .replace(rb"GAME\.00", rb"[a-z]+\.\d\d")
    .replace(b"TABLE", rb"([a-z]+-[a-z0-9]+)")
)


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """
    What was cut from a file.

    Args:
        cut: bytes taken away from its end.
        copy: where the whole file lies, as it was found.
        tables: tables named in the cut part, which may end earlier now.
    """

    file: Path
    cut: int
    copy: Path
    tables: tuple[str, ...]

    def __str__(self) -> str:
        named = ", ".join(self.tables) if self.tables else "none"
        return (
            f"The end of {self.file.name} was damaged: {self.cut} bytes behind the last whole write were cut off. "
            f"A copy of the file as it was found is kept in {self.copy}. "
            f"Tables named in the cut part, which may now end earlier: {named}."
        )


def require_history(folder: DataFolder) -> None:
    """Raise ``EmbeddedError`` when a server would start empty although something was kept here before."""
    files = sorted(folder.history.glob("*.aof")) + sorted(folder.history.glob("*.rdb"))
    manifest = folder.history / MANIFEST
    if manifest.exists():
        missing = [name for name, _ in _listed(manifest) if not (folder.history / name).exists()]
        if missing:
            raise EmbeddedError(
                f"{', '.join(missing)} is missing in {folder.history}. Put it back from a backup; "
                "without it the tables cannot be read."
            )
    elif files:
        raise EmbeddedError(
            f"{manifest} is missing, though histories lie beside it. Put it back from a backup; "
            "a server started like this would begin empty."
        )
    elif folder.founded.exists():
        raise EmbeddedError(
            f"The histories in {folder.history} are gone, though tables were kept in this folder. "
            f"Put them back from a backup, or remove {folder.founded} to begin with an empty store."
        )


def repair(folder: DataFolder) -> Repair | None:
    """
    Cut the last append-only file behind its last whole command, and return what was cut; ``None`` if it is whole.

    A file before the last is never cut, since what comes after it would no longer fit.
    """
    names = [name for name, kind in _listed(folder.history / MANIFEST) if kind == "i"]
    for name in names[:-1]:
        if whole_until(folder.history / name) < (folder.history / name).stat().st_size:
            raise EmbeddedError(
                f"{folder.history / name} is damaged, and later writes follow it. "
                "Put the whole data folder back from a backup."
            )
    return cut_tail(folder.history / names[-1], folder.damaged) if names else None


def cut_tail(file: Path, copies: Path) -> Repair | None:
    """Keep a copy of a damaged file, and shorten the file to what is whole."""
    size, whole = file.stat().st_size, whole_until(file)
    if whole == size:
        return None
    copies.mkdir(mode=0o700, exist_ok=True)
    copy = copies / f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{file.name}"
    shutil.copy2(file, copy)
    with file.open("r+b") as damaged:
        damaged.seek(whole)
        tables = sorted({found.decode() for found in TABLE_KEY.findall(damaged.read())})
        damaged.truncate(whole)
        damaged.flush()
        os.fsync(damaged.fileno())
    return Repair(file=file, cut=size - whole, copy=copy, tables=tuple(tables))


def whole_until(file: Path) -> int:
    """Return the offset behind the last whole command, or behind the last whole group of commands."""
    good, in_group = 0, False
    with file.open("rb") as source:
        while (name := _next_command(source)) is not None:
            in_group = name == b"MULTI" or (in_group and name != b"EXEC")
            if not in_group:
                good = source.tell()
    return good


def _next_command(source: BinaryIO) -> bytes | None:
    """Return the name of the next command; ``None`` at the end, or where no command stands."""
    line = source.readline(LINE_LIMIT)
    while line.startswith(b"#") and line.endswith(b"\r\n"):
        line = source.readline(LINE_LIMIT)
    count = _number(line, b"*")
    if not count:
        return None
    name = b""
    for place in range(count):
        length = _number(source.readline(LINE_LIMIT), b"$")
        if length is None:
            return None
        if place == 0:
            name = source.read(length).upper()
        else:
            source.seek(length, os.SEEK_CUR)
        if source.read(2) != b"\r\n":
            return None
    return name


def _number(line: bytes, mark: bytes) -> int | None:
    digits = line[1:-2]
    return int(digits) if line[:1] == mark and line.endswith(b"\r\n") and digits.isdigit() else None


def _listed(manifest: Path) -> list[tuple[str, str]]:
    """Return the (name, type) of each file of a manifest: ``b`` is the base, ``i`` each increment in order."""
    listed = []
    for line in manifest.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            pairs = dict(zip(words[::2], words[1::2], strict=False))
            listed.append((pairs.get("file", ""), pairs.get("type", "")))
    return [(name, kind) for name, kind in listed if kind != "h"]
