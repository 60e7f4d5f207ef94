"""Says what is wrong with a line that was typed, without what was typed: it may be a secret in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import typer
from typer.core import TyperGroup

USAGE: Final = cast("type[Exception]", typer.BadParameter.__base__)
"""What typer raises of whatever cannot be typed; it has no public name."""


class Words(TyperGroup):
    """All words of the program."""

    def make_context(self, *args: Any, **more: Any) -> Any:  # noqa: ANN401  as typer calls it
        with _unrepeated([]):
            return super().make_context(*args, **more)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  as typer calls it
        with _unrepeated([*ctx._protected_args, *ctx.args]):  # noqa: SLF001  the words behind the program's own
            return super().invoke(ctx)


@contextmanager
def _unrepeated(typed: Sequence[str]) -> Iterator[None]:
    """Say otherwise what typer would say with the words that stand where none, or no such, belongs."""
    try:
        yield
    except USAGE as fault:
        told: Any = fault
        if type(fault) is USAGE:
            told.message = _of_word(told.ctx, typed)
        elif hasattr(fault, "possibilities"):
            told.message = "There is no such option."
        raise


def _of_word(ctx: Any, typed: Sequence[str]) -> str:  # noqa: ANN401  a context of typer's
    words = getattr(ctx.command, "commands", None)
    if words is not None:
        return f"There is no such word; there are: {', '.join(sorted(words))}."
    contexts = list(_down_to(ctx))
    rest = list(typed)
    for each in contexts:
        _, rest, _ = each.command.make_parser(each).parse_args(args=rest[1:])
    name = " ".join(each.info_name for each in contexts)
    if len(rest) == 1:
        return f"Behind `{name}` stands one word too many; it is not repeated, as it may be a secret."
    return f"Behind `{name}` stand {len(rest)} words too many; they are not repeated, as one may be a secret."


def _down_to(ctx: Any) -> Iterator[Any]:  # noqa: ANN401  a context of typer's
    """Give the contexts of all words from the first behind the program down to one."""
    if ctx.parent is not None:
        yield from _down_to(ctx.parent)
        yield ctx
