"""The HTTP API as a bot uses it."""

from __future__ import annotations

import asyncio
import uuid
from http import HTTPStatus
from typing import Any, Final

import httpx
import msgspec

from events.codec import to_json

AGAIN_S: Final = 0.5
"""Pause before a service that is away is asked again."""

PATIENCE_S: Final = 60.0
"""Longer than the doors wait for a version."""


class Refusal(Exception):
    """The doors said no; ``code`` is why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def http_client(url: str, key: str) -> httpx.AsyncClient:
    """Return a client for as many tables as there are."""
    return httpx.AsyncClient(
        base_url=url,
        headers={"Authorization": f"Bearer {key}"},
        timeout=PATIENCE_S,
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
    )


class BotDoors:
    """Asks until it is answered; sending a command again never does anything twice."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def running(self) -> list[dict[str, Any]]:
        """Return the lobby's rows of all running tables."""
        rows: list[dict[str, Any]] = []
        cursor: dict[str, str] = {}
        while True:
            answer = await self._http.get("/v1/tables", params={"status": "running", "limit": "200", **cursor})
            answer.raise_for_status()
            page = msgspec.json.decode(answer.content)
            rows += page["tables"]
            if page["next"] is None:
                return rows
            cursor = {"cursor": page["next"]}

    async def view(self, table: str, *, seat: int | None, at_least: int) -> dict[str, Any]:
        """Return the view of a seat, or the spectator's, once it is of that version; waits as long as it takes."""
        params = {"at_least": str(at_least), **({} if seat is None else {"seat": str(seat)})}
        while True:
            answer = await self._ask("GET", f"/v1/tables/{table}/view", params=params)
            if answer.status_code == HTTPStatus.OK:
                return dict(msgspec.json.decode(answer.content))
            if (code := _code(answer)) != "not_yet":
                raise Refusal(code)

    async def send(self, table: str, command: dict[str, Any], *, version: int) -> int:
        """Send a decision and return the version it made; ``Refusal`` when the rules said no."""
        headers = {
            "Idempotency-Key": str(uuid.uuid4()),
            "If-Match": f'"{version}"',
            "Content-Type": "application/json",
        }
        while True:
            answer = await self._ask("POST", f"/v1/tables/{table}/commands", content=to_json(command), headers=headers)
            if answer.status_code == HTTPStatus.OK:
                return int(msgspec.json.decode(answer.content)["version"])
            if answer.status_code != HTTPStatus.ACCEPTED:
                raise Refusal(_code(answer))

    async def _ask(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401  what httpx takes
        while True:
            try:
                answer = await self._http.request(method, path, **more)
            except httpx.TransportError:
                await asyncio.sleep(AGAIN_S)
                continue
            if answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR or _code(answer) == "not_yet":
                return answer
            await asyncio.sleep(AGAIN_S)


def _code(answer: httpx.Response) -> str:
    try:
        return str(msgspec.json.decode(answer.content)["code"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return f"http_{answer.status_code}"
