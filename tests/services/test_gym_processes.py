"""A seed is the same table in every process, as an agent sees it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

from tests.every_game.kinds import TableKind
from tests.services.test_gym import EPISODES, played

ACTIONS = 60


def digest(kind: TableKind) -> str:
    """Return what stands for all that the agents of a short random table see and may do."""
    found = hashlib.sha256()
    for table in played(kind.game, 11, seats=kind.seats, options=kind.options, actions=ACTIONS):
        found.update(repr(table.infos[table.agent_selection].get("legal", ())).encode())
        for agent in table.agents:
            for name, seen in table.observe(agent).items():
                found.update(name.encode() + seen.tobytes())
    return found.hexdigest()


def test_a_seed_is_the_same_table_in_another_process() -> None:
    """Observations, masks and legal commands of every game, in whatever order a process has its sets."""
    one, other = (_elsewhere(hash_seed) for hash_seed in (0, 1))

    assert list(map(str, EPISODES)) == [line.split()[0] for line in one]
    assert len({line.split()[1] for line in one}) == len(one)
    assert one == other


def _elsewhere(hash_seed: int) -> list[str]:
    script = (
        "from tests.services.test_gym_processes import EPISODES, digest;"
        "print(*(f'{each} {digest(each)}' for each in EPISODES), sep='\\n')"
    )
    done = subprocess.run(  # noqa: S603  this program itself
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()
