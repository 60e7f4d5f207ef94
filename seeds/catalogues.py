"""Reads a game's component catalogues: folders ``seeds/<game>/v<number>/`` that a person can edit."""

from __future__ import annotations

import hashlib
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
    """

    version: int
    digest: bytes
    components: Any


class Catalogues:
    """All versions of one game's catalogue."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._folders = {int(folder.name[1:]): folder for folder in (ROOT / game).glob("v[0-9]*")}

    @property
    def newest(self) -> Catalogue:
        return self.version(max(self._folders))

    def version(self, version: int) -> Catalogue:
        """Return one version, read and checked."""
        return self._read_all[version]

    def by_digest(self, digest: bytes) -> Catalogue | None:
        """Return the version of that digest, if it is here unchanged."""
        return next((each for each in self._read_all.values() if each.digest == digest), None)

    @cached_property
    def _read_all(self) -> dict[int, Catalogue]:
        read = import_module(f"seeds.{self._game}.catalogue").read
        return {
            version: Catalogue(version=version, digest=digest_of(folder), components=read(folder))
            for version, folder in self._folders.items()
        }


def digest_of(folder: Path) -> bytes:
    """Return the SHA-256 over a catalogue's files: each name, its length and its bytes, in order of name."""
    digest = hashlib.sha256()
    for file in sorted(each for each in folder.iterdir() if each.is_file()):
        body = file.read_bytes()
        digest.update(f"{file.name}\0{len(body)}\0".encode())
        digest.update(body)
    return digest.digest()


CATALOGUES = cache(Catalogues)
"""The catalogues of a game by its name, read once."""
