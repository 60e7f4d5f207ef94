"""The composed service is well formed, and runs a rule worker for every game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import compose_spec
import pytest
import yaml

from events.games import GAMES

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


def test_the_file_fits_the_compose_specification() -> None:
    """Every member is one that the specification names, of its type."""
    compose_spec.PyCompose.from_yaml(yaml.safe_dump(COMPOSE))


@pytest.mark.parametrize("path", [("services", "api"), ("services", "api", "build"), ("configs", "acl")])
def test_a_misspelt_member_would_be_noticed(path: tuple[str, ...]) -> None:
    """The check above can fail."""
    broken = yaml.safe_load((ROOT / "compose.yaml").read_text())
    part = broken
    for name in path:
        part = part[name]
    part["comand"] = "x"

    with pytest.raises(ValueError, match="comand"):
        compose_spec.PyCompose.from_yaml(yaml.safe_dump(broken))


def test_every_game_has_its_rule_worker() -> None:
    """A game that is added gets a worker, and no worker is left of a game that is gone."""
    workers = {name: service["command"] for name, service in SERVICES.items() if name.startswith("worker-")}

    assert {f"worker-{game}": ["worker", game] for game in GAMES} == workers


def test_every_variable_is_in_the_example() -> None:
    """Whoever copies .env.example knows every setting."""
    text = (ROOT / "compose.yaml").read_text()
    example = (ROOT / ".env.example").read_text()

    assert set(re.findall(r"\$\{(\w+)", text)) == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_nothing_is_lost_by_the_server() -> None:
    """The store is appended to at every write, keeps everything, and evicts nothing."""
    settings = COMPOSE["configs"]["valkey"]["content"].splitlines()

    assert {"appendonly yes", "appendfsync always", "maxmemory-policy noeviction"} <= set(settings)
