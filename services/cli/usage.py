"""Says what is wrong with a line that was typed, without what was typed: it may be a secret in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import typer
from typer.core import TyperGroup

USAGE: Final = cast("type[Exception]", typer.BadParameter.__base__)
"""What typer raises of whatever cannot be typed; it has no public name."""


class Words(TyperGroup):
    """All words of the program."""

    def make_context(self, *args: Any, **more: Any) -> Any:  # noqa: ANN401  as typer calls it
        with _unrepeated():
            return super().make_context(*args, **more)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  as typer calls it
        with _unrepeated():
            return super().invoke(ctx)


@contextmanager
def _unrepeated() -> Iterator[None]:
    """Say otherwise what typer would say with the words that stand where none, or no such, belongs."""
    try:
        yield
    except USAGE as fault:
        told: Any = fault
        if type(fault) is USAGE:
            told.message = _of_word(told.ctx)
        elif hasattr(fault, "possibilities"):
            told.message = "There is no such option."
        raise


def _of_word(ctx: Any) -> str:  # noqa: ANN401  a context of typer's
    words = getattr(ctx.command, "commands", None)
    if words is not None:
        return f"There is no such word; there are: {', '.join(sorted(words))}."
    return f"Too much stands behind `{_name(ctx)}`; it is not repeated, as it may be a secret."


def _name(ctx: Any) -> str:  # noqa: ANN401  a context of typer's
    """Return the word that was typed, with those before it, but for the program's own."""
    above = ctx.parent.parent and _name(ctx.parent)
    return f"{above} {ctx.info_name}" if above else str(ctx.info_name)
