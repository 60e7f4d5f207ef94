"""What the docstrings of messages say, for readers who never see the program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import cleandoc
from typing import Any


def documented(docstring: str) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of the whole, and of each member that it names, in Markdown."""
    before, _, after = cleandoc(docstring).partition("Args:\n")
    rest, told, names = [], dict[str, str](), list[str]()
    for line in after.splitlines():
        found = re.fullmatch(r" {4}(\w+(?:, \w+)*): (.*)", line)
        if found:
            names = found[1].split(", ")
            told |= dict.fromkeys(names, _plain(found[2]))
        elif line.startswith("     ") and names:
            told |= {name: f"{told[name]} {_plain(line.strip())}" for name in names}
        elif line.strip():
            rest.append(_plain(line))
    return "\n".join([_plain(before.strip()), *rest]), told


def _plain(text: str) -> str:
    return text.replace("``", "`")


def in_words(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema made from a class whose docstring's parts stand where they belong."""
    if "description" not in schema:
        return dict(schema)
    text, told = documented(schema["description"])
    members = {
        name: {**each, "description": told[name]} if name in told else each
        for name, each in schema.get("properties", {}).items()
    }
    return {**schema, "description": text, **({"properties": members} if members else {})}
