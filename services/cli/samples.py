"""Opens the sample tables: at every start there is one of each that can be watched or joined."""

from __future__ import annotations

import time
import uuid
from http import HTTPStatus
from importlib.resources import files
from itertools import count
from threading import Event
from typing import Any, Final

import httpx
import yaml
from pydantic import BaseModel, ConfigDict, Field

PATIENCE_S: Final = 60.0
AGAIN_S: Final = 0.3


class SamplesError(Exception):
    """A sample table could not be opened; the message says which and why."""


class Sample(BaseModel):
    """
    A table that is there whenever the service starts.

    ``bots`` takes seats at once, as seat to kind of bot; ``start`` begins play.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    about: str
    game: str
    seats: int
    options: dict[str, bool | int | str] = Field(default_factory=dict)
    bots: dict[int, str] = Field(default_factory=dict)
    start: bool = False


def samples() -> list[Sample]:
    """Return the sample tables of ``seeds/samples``, in order of their files."""
    found = sorted((files("seeds") / "samples").iterdir(), key=lambda each: each.name)
    return [
        Sample.model_validate(yaml.safe_load(each.read_text(encoding="utf-8")))
        for each in found
        if each.name.endswith(".yaml")
    ]


def open_samples(http: httpx.Client, stop: Event) -> list[tuple[Sample, str]]:
    """Return every sample with a table of it that is of use: one that is there, or a new one."""
    return [(each, _open(http, each, stop)) for each in samples()]


def _open(http: httpx.Client, sample: Sample, stop: Event) -> str:
    """Return the first table of the sample that still plays, or has seats to give; each number is opened once."""
    for number in count(1):
        table = _numbered(http, sample, number, stop)
        view = http.get(f"/v1/tables/{table}/view", params={"at_least": 1}).json()
        if view.get("status", "open") in (("open", "running") if sample.start else ("open",)):
            return table
    raise AssertionError("numbers do not end")


def _numbered(http: httpx.Client, sample: Sample, number: int, stop: Event) -> str:
    body: dict[str, Any] = sample.model_dump(include={"game", "seats", "options"})
    body["bots"] = [{"seat": seat, "bot": bot} for seat, bot in sample.bots.items()]
    name = sample.name if number == 1 else f"{sample.name}:{number}"
    table = str(_post(http, "/v1/tables", f"{name}:open", body, stop)["table"])
    if sample.start:
        _post(http, f"/v1/tables/{table}/start", f"{name}:start", None, stop)
    return table


def _post(http: httpx.Client, path: str, step: str, body: dict[str, Any] | None, stop: Event) -> dict[str, Any]:
    """Send until it is answered; the key is made of the step's name, so it happens once in the life of a store."""
    headers = {"Idempotency-Key": str(uuid.uuid5(uuid.NAMESPACE_URL, f"urn:fidchell:sample:{step}"))}
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and not stop.is_set():
        answer = http.post(path, json=body, headers=headers)
        if answer.status_code in (HTTPStatus.OK, HTTPStatus.CREATED):
            return dict(answer.json())
        if answer.status_code != HTTPStatus.ACCEPTED and answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SamplesError(f"The sample table {step} could not be opened: {answer.text}")
        stop.wait(AGAIN_S)
    raise SamplesError(f"The sample table {step} was not opened, since no answer came. Is a rule worker running?")
