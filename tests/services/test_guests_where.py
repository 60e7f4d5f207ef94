"""Guests are let in where nobody but this machine reaches the doors."""

from __future__ import annotations

import pytest

from services.cli.serve import GUESTS, guests


@pytest.mark.parametrize(
    ("host", "platform"),
    [("127.0.0.1", "local"), ("localhost", "local"), ("::1", "local"), ("0.0.0.0", ""), ("192.0.2.7", "")],  # noqa: S104  that it is everywhere is the point
)
def test_guests_come_from_this_machine_alone(monkeypatch: pytest.MonkeyPatch, host: str, platform: str) -> None:
    """Unless the operator says otherwise."""
    monkeypatch.delenv(GUESTS, raising=False)
    found = guests(host)
    monkeypatch.setenv(GUESTS, "club")

    assert {GUESTS: platform} == found
    assert {GUESTS: "club"} == guests(host)
