"""The composed service is well formed, and runs a rule worker for every game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import compose_spec
import pytest
import yaml

from events.games import GAMES
from services.settings_page import DOORS

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


def filled_in(compose: dict[str, Any]) -> str:
    """Return the file as it is read where nothing is set but what must be."""
    return re.sub(
        r"\$\{\w+:([-?])([^}]*)\}", lambda found: found[2] if found[1] == "-" else "x", yaml.safe_dump(compose)
    )


def test_the_file_fits_the_compose_specification() -> None:
    """Every member is one that the specification names, of its type."""
    compose_spec.PyCompose.from_yaml(filled_in(COMPOSE))


@pytest.mark.parametrize("path", [("services", "api"), ("services", "api", "build"), ("configs", "acl")])
def test_a_misspelt_member_would_be_noticed(path: tuple[str, ...]) -> None:
    """The check above can fail."""
    broken = yaml.safe_load((ROOT / "compose.yaml").read_text())
    part = broken
    for name in path:
        part = part[name]
    part["comand"] = "x"

    with pytest.raises(ValueError, match="comand"):
        compose_spec.PyCompose.from_yaml(filled_in(broken))


def test_every_game_has_its_rule_worker() -> None:
    """A game that is added gets a worker, and no worker is left of a game that is gone."""
    workers = {name: service["command"] for name, service in SERVICES.items() if name.startswith("worker-")}

    assert {f"worker-{game}": ["worker", game] for game in GAMES} == workers


def test_every_variable_is_in_the_example() -> None:
    """Whoever copies .env.example knows every setting."""
    text = (ROOT / "compose.yaml").read_text()
    example = (ROOT / ".env.example").read_text()

    secrets = {each["environment"] for each in COMPOSE["secrets"].values()}

    assert secrets | set(re.findall(r"\$\{(\w+)", text)) == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_every_setting_of_the_program_is_passed_on() -> None:
    """From `.env`, under its own name and without a value of its own: what is not set is as the program has it."""
    environment = SERVICES["api"]["environment"]
    passed = {name: value for name, value in environment.items() if name not in ("PYTHONMALLOC", "REDIS_URL")}
    settings = {variable for kind in DOORS for variable, _, _ in kind.variables()} - {"REDIS_URL"}
    others = {"FIDCHELL_WORKER_MEMORY": "worker-nains", "FIDCHELL_BOT_DELAY": "bots"}

    assert {name: f"${{{name}:-}}" for name in settings} == passed
    assert [f"${{{name}:-}}" for name in others] == [
        SERVICES[service]["environment"][name] for name, service in others.items()
    ]


def test_all_rule_workers_are_told_the_same() -> None:
    """Whatever their game is."""
    told = [service["environment"] for name, service in SERVICES.items() if name.startswith("worker-")]

    assert [told[0]] * len(GAMES) == told


def test_bots_find_the_api_and_their_key() -> None:
    """What the bots' process is told is where the others are, and where the secret is laid."""
    bots = SERVICES["bots"]
    url = urlsplit(bots["environment"]["FIDCHELL_URL"])
    (secret,) = bots["secrets"]

    assert ["bots"] == bots["command"]
    assert str(url.port) == SERVICES[url.hostname]["command"][-1]
    assert f"/run/secrets/{secret}" == bots["environment"]["FIDCHELL_BOTS_KEY_FILE"]
    assert {"environment": "FIDCHELL_BOTS_KEY"} == COMPOSE["secrets"][secret]


def test_all_but_the_bots_start_without_their_key() -> None:
    """It is made while the others run: what needs it is no part of them."""
    usual = {name: service for name, service in SERVICES.items() if "profiles" not in service}

    assert {"bots", "operator"} == SERVICES.keys() - usual
    assert not [name for name, service in usual.items() if service.get("secrets")]
    assert "FIDCHELL_BOTS_KEY" not in yaml.safe_dump(usual)
    assert all(other in usual for service in SERVICES.values() for other in service.get("depends_on", ()))


def test_keys_are_made_by_a_user_of_the_store_who_may() -> None:
    """The words that an operator says run as the store's user of that name."""
    url = urlsplit(re.sub(r"\$\{.*?\}", "password", SERVICES["operator"]["environment"]["REDIS_URL"]))
    users = re.findall(
        r"^user (\w+) on >\$\{FIDCHELL_OPERATOR_PASSWORD", COMPOSE["configs"]["acl"]["content"], re.MULTILINE
    )

    assert [url.username] == users
    assert "no" == SERVICES["operator"]["restart"]


def test_nothing_is_lost_by_the_server() -> None:
    """The store is appended to at every write, keeps everything, and evicts nothing."""
    settings = COMPOSE["configs"]["valkey"]["content"].splitlines()

    assert {"appendonly yes", "appendfsync always", "maxmemory-policy noeviction"} <= set(settings)
