"""Reads a game's component catalogues: folders ``seeds/<game>/v<number>/`` that a person can edit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parent


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """
    One version of a game's components.

    Args:
        digest: SHA-256 over the names and bytes of its files; a table pins it when it opens.
        components: the game's own frozen value, as its rules take it.
        expansion: name of the expansion it holds beside the base game.
    """

    version: int
    digest: bytes
    components: Any
    expansion: str = ""


class Catalogues:
    """All versions of one game's catalogue; each folder inside one holds an expansion of it."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._folders = {int(folder.name[1:]): folder for folder in (ROOT / game).glob("v[0-9]*")}

    @property
    def newest(self) -> Catalogue:
        return self.version(max(self._folders))

    def version(self, version: int) -> Catalogue:
        """Return one version of the base game, read and checked."""
        return self._read_all[version]

    def expansions(self, version: int) -> Sequence[Catalogue]:
        """Return the catalogues of the expansions of a version, each with the base game in it."""
        return self._read_expansions[version]

    def by_digest(self, digest: bytes) -> Catalogue | None:
        """Return the catalogue of that digest, if it is here unchanged."""
        found = next((each for each in self._read_all.values() if each.digest == digest), None)
        expanded = (each for version in self._folders for each in self.expansions(version))
        return found or next((each for each in expanded if each.digest == digest), None)

    @cached_property
    def _read_all(self) -> dict[int, Catalogue]:
        read = import_module(f"seeds.{self._game}.catalogue").read
        return {
            version: Catalogue(version=version, digest=digest_of(folder), components=read(folder))
            for version, folder in self._folders.items()
        }

    @cached_property
    def _read_expansions(self) -> dict[int, Sequence[Catalogue]]:
        return {version: tuple(self._expanded(version, folder)) for version, folder in self._folders.items()}

    def _expanded(self, version: int, folder: Path) -> Iterator[Catalogue]:
        for inner in sorted(each for each in folder.iterdir() if each.is_dir() and each.name.isalpha()):
            read = import_module(f"seeds.{self._game}.{inner.name}").read
            yield Catalogue(
                version=version,
                digest=digest_of(folder, inner.name),
                components=read(folder),
                expansion=inner.name,
            )


def digest_of(folder: Path, expansion: str = "") -> bytes:
    """
    Return the SHA-256 over a catalogue's files: each name, its length and its bytes, in order of name.

    The files of an expansion follow those of the base game, with the name of its folder before theirs.
    """
    digest = hashlib.sha256()
    files = sorted(each for each in folder.iterdir() if each.is_file())
    if expansion:
        files += sorted(each for each in (folder / expansion).iterdir() if each.is_file())
    for file in files:
        body = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.digest()


CATALOGUES = cache(Catalogues)
"""The catalogues of a game by its name, read once."""
