"""What the docstrings of messages say, for readers who never see the program."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any, Final

CITATION: Final = r" \((?:rules, |expansion, )?sections? [^)]*\)"
"""How a docstring cites the rule book."""


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


def in_words(value: Any) -> Any:  # noqa: ANN401  a JSON value
    """
    Return a description, or any part of one, whose docstrings' parts stand where they belong.

    What cites the rule book cites a document that readers of a description do not have, so that is left out.
    """
    if isinstance(value, list):
        return [in_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    new = {name: in_words(each) for name, each in value.items()}
    if isinstance(value.get("description"), str):
        text, told = documented(value["description"])
        new["description"] = _uncited(text)
        for name, each in new.get("properties", {}).items():
            if name in told:
                each["description"] = _uncited(told[name])
    return new


def _uncited(text: str) -> str:
    return re.sub(CITATION, "", text)
