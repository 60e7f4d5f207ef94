"""The code on a page of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]


class Block(msgspec.Struct, frozen=True):
    """
    A block of code.

    Args:
        name: of the file that the page saves it in, ``ignored`` for what is for reading only, or nothing.
    """

    language: str
    name: str
    text: str


class Page:
    """A page below ``docs``."""

    def __init__(self, path: str) -> None:
        self._text = (ROOT / "docs" / path).read_text(encoding="utf-8")
        found = re.findall(r"^```(\w+)(?: ([\w./]+))?\n(.*?)^```", self._text, re.DOTALL | re.MULTILINE)
        self._blocks = [Block(*each) for each in found]

    def save_files(self, folder: Path, **addresses: str) -> None:
        """Save every block that has a file's name."""
        for block in self._blocks:
            if "." in block.name:
                (folder / block.name).parent.mkdir(exist_ok=True)
                (folder / block.name).write_text(_at(block.text, addresses), encoding="utf-8")

    def script(self, **addresses: str) -> str:
        """Return all commands that a reader types, one after the other."""
        return "\n".join(
            _at(block.text, addresses) for block in self._blocks if (block.language, block.name) == ("sh", "")
        )

    def programs(self) -> list[str]:
        """Return the Python programs that are in no file."""
        return [block.text for block in self._blocks if (block.language, block.name) == ("python", "")]

    def unknown(self) -> list[Block]:
        """Return what would not run in a test."""
        runs = {("sh", ""), ("python", ""), ("sh", "ignored"), ("text", "")}
        return [each for each in self._blocks if "." not in each.name and (each.language, each.name) not in runs]


def _at(text: str, addresses: dict[str, str]) -> str:
    for written, true in addresses.items():
        text = text.replace(f"127.0.0.1:{written.lstrip('_')}", true)
    return text
