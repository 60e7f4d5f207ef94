"""What is done to the service: drawn by a seed, in lanes that each strike again and again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from tests.chaos.service import LinedService, Process, Service
from tests.chaos.watch import Watch
from tests.until import until

LOOK_S = 0.05


class Lane:
    """
    Faults of one kind that come one after another.

    Args:
        every_s: shortest and longest time between two.
        faults: name to what is done; they are drawn one after another until all had their turn, then anew.
        group: who must all be up before they are struck: otherwise a slow machine shows how long programs take to
            start, and no more.
        when: what must hold, too.
    """

    def __init__(
        self,
        every_s: tuple[float, float],
        faults: dict[str, Callable[[Random], None]],
        group: Sequence[Process] = (),
        when: Callable[[], bool] = lambda: True,
    ) -> None:
        self._every_s = every_s
        self._faults = faults
        self._group = group
        self._when = when
        self._next = 0.0
        self._drawn: list[str] = []

    def strike(self, random: Random, now: float) -> str | None:
        """Do the next fault if it is time for one; return its name."""
        if self._next == 0.0:
            self._next = now + random.uniform(*self._every_s)
        if now < self._next or not self._when() or not all(each.is_up for each in self._group):
            return None
        if not self._drawn:
            self._drawn = random.sample(list(self._faults), len(self._faults))
        name = self._drawn.pop()
        self._faults[name](random)
        self._next = time.monotonic() + random.uniform(*self._every_s)
        return name


class Storm:
    """All lanes over one service."""

    def __init__(self, service: Service, lanes: list[Lane], seed: int) -> None:
        self._service = service
        self._lanes = [(lane, Random(f"{seed} {number}")) for number, lane in enumerate(lanes)]
        self.counted: Counter[str] = Counter()

    def rage(self, enough: Callable[[], object], *, timeout: float) -> None:
        """Strike until it is enough."""

        def done() -> object:
            self._service.mend()
            for lane, random in self._lanes:
                name = lane.strike(random, time.monotonic())
                if name is not None:
                    self.counted[name] += 1
            return enough()

        until(done, what=f"the storm is over, after {self.counted}", timeout=timeout)

    def calm(self, enough: Callable[[], object], *, timeout: float) -> None:
        """Strike no more, wake who sleeps and start who died, until it is enough."""

        def done() -> object:
            self._service.mend()
            return enough() and all(each.paused_until is None for each in self._service.processes)

        until(done, what="all is calm", timeout=timeout)


def kills(service: LinedService, watch: Watch) -> list[Lane]:
    """Return kill -9 of everything there is; rule workers as in ``everything``."""
    lease = service.ttl_ms / 1000
    every_s = lease + 1.2, lease + 1.8
    return [
        Lane(every_s, {"rule worker killed": killer(service.workers)}, service.workers, lambda: watch.flows),
        Lane(every_s, {"projection worker killed": killer(service.projections)}, service.projections),
        Lane(every_s, {"API killed": killer(service.apis)}, service.apis),
        Lane(every_s, {"server killed": lambda random: service.restart_server()}),
    ]


EVERY_KIND = frozenset(
    (
        *("rule worker killed", "rule worker paused", "projection worker killed", "projection worker paused"),
        *("API killed", "server killed", "functions flushed", "line cut", "line delayed", "reply dropped"),
    )
)
"""What ``everything`` does."""


def killer(group: list[Process]) -> Callable[[Random], None]:
    """Return what kills one of a group."""
    return lambda random: random.choice(group).kill()


def workers_struck(service: Service, watch: Watch) -> list[Lane]:
    """
    Return kills and pauses of all that work.

    Rule workers are struck one after another, each time when the last lease that it cost is over and commands are
    handled again: otherwise the longest wait would say how often one strikes, not how fast somebody takes over.
    """
    lease = service.ttl_ms / 1000

    def pause(group: list[Process]) -> Callable[[Random], None]:
        return lambda random: random.choice(group).pause(lease * random.uniform(1.2, 2.0))

    return [
        Lane(
            (2 * lease + 1.2, 2 * lease + 1.5),
            {"rule worker killed": killer(service.workers), "rule worker paused": pause(service.workers)},
            service.workers,
            lambda: watch.flows,
        ),
        Lane(
            (1.5, 2.5),
            {
                "projection worker killed": killer(service.projections),
                "projection worker paused": pause(service.projections),
            },
            service.projections,
        ),
    ]


def everything(service: LinedService, watch: Watch) -> list[Lane]:
    """Return kills, pauses, and broken lines, each of a process that is there to notice."""

    def noticing() -> list[str]:
        return [each.name for each in service.processes if each.is_up]

    def line(random: Random) -> str:
        return random.choice(noticing())

    def delay(random: Random) -> None:
        service.order("delay", line(random), round(random.uniform(0.02, 0.3), 3), 0.5)

    return [
        *workers_struck(service, watch),
        Lane((3.0, 5.0), {"API killed": killer(service.apis)}, service.apis),
        Lane(
            (6.0, 9.0),
            {
                "server killed": lambda random: service.restart_server(),
                "functions flushed": lambda random: service.client.function_flush(),
            },
        ),
        Lane(
            (0.1, 0.25),
            {
                "line cut": lambda random: service.order("cut", line(random)),
                "reply dropped": lambda random: service.order("drop", line(random)),
                "line delayed": delay,
            },
            when=lambda: bool(noticing()),
        ),
    ]
