"""What rules may take: time over one command, memory in all."""

from __future__ import annotations

import faulthandler
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import Final

import msgspec

from workers.runtime.handle import Decision, Step
from workers.tables.decide import Wish, step
from workers.tables.state import TableState

THOUGHT_S: Final = 5.0
"""How long rules may think about one command."""

STUCK_S: Final = 15.0
"""After which a batch that does not come to its end ends the process: it stands where no alarm is heard."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a worker holds its rules to.

    Args:
        step: decides one command.
        watched: stands around the decisions of a batch.
    """

    step: Step = step
    watched: Callable[[], AbstractContextManager[None]] = nullcontext


UNLIMITED: Final = Limits()


class RulesHangError(Exception):
    """The rules came to no decision in time: the command is set aside, and its traceback shows where they were."""


def limited(thought_s: float = THOUGHT_S, stuck_s: float = STUCK_S) -> Limits:
    """Return the limits of a process that runs its loop in the main thread."""
    return Limits(step=_timed(thought_s), watched=partial(_ended_when_stuck, stuck_s))


def _timed(seconds: float) -> Step:
    """
    Return a step that is broken off when it takes too long; for the main thread alone.

    Only the pure rules stand under the alarm, so that nothing is ever left half done.
    """

    def ring(*_: object) -> None:
        raise RulesHangError(f"no decision within {seconds:g} s")

    signal.signal(signal.SIGALRM, ring)

    def in_time(state: TableState, wish: Wish) -> Decision:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return step(state, wish)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    return in_time


@contextmanager
def _ended_when_stuck(seconds: float) -> Iterator[None]:
    """End the process, with a traceback, when the block does not end: the next owner counts and is careful."""
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def limit_memory(megabytes: int) -> None:
    """Let rules that want too much memory fail, rather than the machine; where the system can."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_048_576, most))
