"""Chance is fair, repeatable, and the same in another language."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from events.chance import Chance, commitment, seed_of

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
SEED = hashlib.sha256(b"tests").digest()


@pytest.mark.parametrize("vector", json.loads((REFERENCE / "chance-vectors.json").read_text()))
def test_the_published_vectors_hold(vector: dict[str, object]) -> None:
    """Whoever follows docs/reference/chance.md finds the numbers written there."""
    match vector:
        case {"secret": str(secret), "salts": list(salts), "version": int(version), "bounds": list(bounds)}:
            seed = seed_of(bytes.fromhex(secret), map(bytes.fromhex, salts))
            chance = Chance(seed, version)
            cards = vector["cards"]
            assert isinstance(cards, int)

            assert vector["commitment"] == commitment(bytes.fromhex(secret)).hex()
            assert vector["seed"] == seed.hex()
            assert vector["draws"] == [chance.below(bound) for bound in bounds]
            assert vector["shuffled"] == list(Chance(seed, version).shuffle(range(cards)))
        case _:
            pytest.fail("a vector lacks a field")


@pytest.mark.needs("node")
def test_javascript_agrees() -> None:
    """Anybody can recompute a table's chance in another language."""
    node = shutil.which("node")
    assert node, "node is missing; install it with: apt-get install nodejs"

    checked = subprocess.run([node, REFERENCE / "chance.mjs"], capture_output=True, text=True, check=False)  # noqa: S603

    assert 0 == checked.returncode, checked.stdout + checked.stderr


def test_every_order_is_equally_likely() -> None:
    """A shuffle favours no order (chi-squared over 24 orders, far beyond any honest sample)."""
    rounds = 24_000
    orders = Counter(Chance(SEED, version).shuffle("abcd") for version in range(rounds))
    expected = rounds / 24
    chi_squared = sum((orders[order] - expected) ** 2 / expected for order in permutations("abcd"))

    assert chi_squared < 60


def test_every_version_draws_anew() -> None:
    """No two versions of a table share their draws."""
    assert 1_000 == len({Chance(SEED, version).below(2**60) for version in range(1_000)})


def test_nothing_to_draw_from_is_an_error() -> None:
    """A draw needs at least one possibility."""
    with pytest.raises(ValueError, match="at least one"):
        Chance(SEED, 0).below(0)
