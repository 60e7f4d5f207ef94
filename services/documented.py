"""What the docstrings of messages say, for readers who never see the program."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any, Final

CITATION: Final = r"(\?)?\s+\((?:(?:rules|expansion),\s+(?:sections?\s+)?|sections?\s+)\d[^)]*\)(?(1)\.?)"
"""How a docstring cites the rules documents, perhaps over the end of a line; after a question a full stop follows."""


def documented(docstring: str) -> tuple[str, dict[str, str]]:
    """
    Return what a docstring says of the whole, and of each member that it names, in Markdown.

    What cites the rules cites documents that these readers do not have, so that is left out.
    """
    before, _, after = re.sub(CITATION, r"\1", cleandoc(docstring)).partition("Args:\n")
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


def in_words(value: Any) -> Any:  # noqa: ANN401  a JSON value
    """Return a description, or any part of one, whose docstrings' parts stand where they belong."""
    if isinstance(value, list):
        return [in_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    new = {name: in_words(each) for name, each in value.items()}
    if isinstance(value.get("description"), str):
        text, told = documented(value["description"])
        new["description"] = text
        for name, each in new.get("properties", {}).items():
            if name in told:
                each["description"] = told[name]
    return new
