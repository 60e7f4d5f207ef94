"""A small private cache, as a browser has one: RFC 9111 in what it must, and in all that it may."""

from __future__ import annotations

from typing import Any

import httpx

from tests.services.house import Client

REVALIDATED = ("no-cache", "max-age=0")


class Cache:
    """
    Asks for addresses, keeps what it was answered, and shows it again as often as it may.

    It asks with the marks of all it has kept of an address, whoever that was for, which RFC 9111 (4.3.1) allows.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._kept: dict[str, list[tuple[dict[str, str], httpx.Response]]] = {}
        self.statuses: list[int] = []
        """What was answered to what it asked."""

    async def get(self, path: str, token: str | None, **headers: str) -> httpx.Response:
        """Return what its user is shown."""
        sent = {**headers, **({"authorization": f"Bearer {token}"} if token else {})}
        kept = self._kept.setdefault(path, [])
        fitting = [answer for varied, answer in kept if self._fits(varied, sent)]
        if fitting and not _directives(fitting[-1]) & {*REVALIDATED}:
            return fitting[-1]
        marks = [answer.headers["etag"] for _, answer in kept if "etag" in answer.headers]
        asked: dict[str, Any] = {**sent, **({"if-none-match": ", ".join(marks)} if marks else {})}
        answer = await self._client.ask("GET", path, headers=asked)
        self.statuses.append(answer.status_code)
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return next(each for _, each in reversed(kept) if each.headers["etag"] == answer.headers["etag"])
        if "no-store" not in _directives(answer):
            names = [each.strip().lower() for each in answer.headers.get("vary", "").split(",") if each.strip()]
            kept.append(({name: sent.get(name, "") for name in names}, answer))
        return answer

    @staticmethod
    def _fits(varied: dict[str, str], sent: dict[str, str]) -> bool:
        return "*" not in varied and all(sent.get(name, "") == value for name, value in varied.items())


def _directives(answer: httpx.Response) -> set[str]:
    return {each.strip().lower() for each in answer.headers.get("cache-control", "").split(",")}
