"""The HTTP API as a person at the terminal uses it."""

from __future__ import annotations

import time
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import httpx

from services.cli.local import read_key
from services.embedded.folder import DataFolder

PATIENCE_S: Final = 60.0
AGAIN_S: Final = 0.5


class ToldError(Exception):
    """The service said no, or cannot be reached; the message says which and what to do."""


class Reader:
    """Reads tables with the keys of the data folder; a seat's view needs the seat's own token."""

    def __init__(self, url: str, data: Path) -> None:
        self._folder = DataFolder(data)
        self._url = url
        self._http = httpx.Client(base_url=url, timeout=PATIENCE_S)

    def close(self) -> None:
        """Give the connection back."""
        self._http.close()

    def tables(self, *, status: str | None, limit: int) -> list[dict[str, Any]]:
        """Return the newest rows of the lobby."""
        params = {"limit": str(limit), **({"status": status} if status else {})}
        return list(self._get("/v1/tables", params=params)["tables"])

    def look_as(self, table: str, seat: int | None) -> None:
        """Look at a table from a seat from now on, or as the spectator."""
        self._use(read_key(self._folder.platform_key))
        if seat is None:
            return
        seats = self.view(table)["seats"]
        if not 0 <= seat < len(seats):
            raise ToldError(f"There are seats 0 to {len(seats) - 1} at {table}.")
        if seats[seat]["bot"]:
            self._use(read_key(self._folder.bots_key))
            self._http.params = httpx.QueryParams(seat=seat)
        else:
            self._use(self._post(f"/v1/tables/{table}/seats/{seat}/token")["token"])

    def view(self, table: str) -> dict[str, Any]:
        """Return the view as it is."""
        return self._get(f"/v1/tables/{table}/view")

    def moved(self, table: str, *, at_least: int) -> None:
        """Return when the table is of that version, or after a while."""
        path = f"/v1/tables/{table}/view"
        try:
            answer = self._http.get(path, params={"at_least": str(at_least)})
        except httpx.TransportError:
            time.sleep(AGAIN_S)
            return
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR and _code(answer) != "not_yet":
            time.sleep(AGAIN_S)

    def told_since(self, table: str, version: int) -> dict[str, Any] | None:
        """Return a page of what was told behind a version, or ``None`` while the service is away."""
        try:
            answer = self._http.get(f"/v1/tables/{table}/history", params={"from": str(version)})
        except httpx.TransportError:
            return None
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return None
        return _read(answer)

    def _use(self, token: str) -> None:
        self._http.headers["Authorization"] = f"Bearer {token}"

    def _get(self, path: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  what httpx takes
        return self._ask("GET", path, **more)

    def _post(self, path: str) -> dict[str, Any]:
        return self._ask("POST", path)

    def _ask(self, method: str, path: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401  what httpx takes
        try:
            return _read(self._http.request(method, path, **more))
        except httpx.TransportError:
            raise ToldError(
                f"The service at {self._url} cannot be reached. Start it with `fidchell serve`, or name it with --url."
            ) from None


def _read(answer: httpx.Response) -> dict[str, Any]:
    if answer.is_success:
        return dict(answer.json())
    raise ToldError(f"The service says no: {_code(answer)} (status {answer.status_code}).")


def _code(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["code"])
    except (ValueError, KeyError, TypeError):
        return "unknown"
