"""What rules may take: time over one command, memory in all."""

from __future__ import annotations

import faulthandler
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Final, ParamSpec, TypeVar

import msgspec

from workers.runtime.handle import Step
from workers.runtime.table import Fold
from workers.tables.decide import step
from workers.tables.evolve import apply

THOUGHT_S: Final = 5.0
"""How long rules may think about one command, or about what one did."""

STUCK_S: Final = 15.0
"""After which rules that make no progress end the process: they stand where no alarm is heard."""

REARMED: Final = 15
"""How many times in that span progress is taken note of, at most: it costs a thread each time."""

Given = ParamSpec("Given")
Thought = TypeVar("Thought")
Beat = Callable[[], None]


@contextmanager
def unwatched() -> Iterator[Beat]:
    """Let the block take as long as it likes."""
    yield lambda: None


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a worker holds its rules to.

    Args:
        step: decides one command.
        fold: applies what one command did, when a table is loaded.
        watched: stands around the rules' work on a batch, and gives what is to be called whenever there is progress.
    """

    step: Step = step
    fold: Fold = apply
    watched: Callable[[], AbstractContextManager[Beat]] = unwatched


UNLIMITED: Final = Limits()


class RulesHangError(Exception):
    """The rules came to no end in time: the command is set aside, and its traceback shows where they were."""


def limited(thought_s: float = THOUGHT_S, stuck_s: float = STUCK_S) -> Limits:
    """Return the limits of a process that runs its loop in the main thread."""

    def ring(*_: object) -> None:
        raise RulesHangError(f"no end within {thought_s:g} s")

    signal.signal(signal.SIGALRM, ring)
    watched = partial(_ended_when_stuck, stuck_s)
    return Limits(step=_timed(step, thought_s), fold=_timed(apply, thought_s), watched=watched)


def _timed(think: Callable[Given, Thought], seconds: float) -> Callable[Given, Thought]:
    """
    Return what is broken off when it takes too long; for the main thread alone.

    Only the pure rules stand under the alarm, so that nothing is ever left half done.
    """

    def in_time(*args: Given.args, **kwargs: Given.kwargs) -> Thought:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return think(*args, **kwargs)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    return in_time


@contextmanager
def _ended_when_stuck(seconds: float) -> Iterator[Beat]:
    """End the process, with a traceback, when the block makes no progress: the next owner counts and is careful."""
    armed = time.monotonic()
    faulthandler.dump_traceback_later(seconds, exit=True)

    def beat() -> None:
        nonlocal armed
        now = time.monotonic()
        if now - armed > seconds / REARMED:
            armed = now
            faulthandler.dump_traceback_later(seconds, exit=True)

    try:
        yield beat
    finally:
        faulthandler.cancel_dump_traceback_later()


def limit_memory(megabytes: int) -> None:
    """Let rules that want too much memory fail, rather than the machine; where the system can."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_048_576, most))
