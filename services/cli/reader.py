"""The service as a person at the terminal looks at it, with the keys of the data folder."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final

from services.cli.local import read_key
from services.client import Chapter, Client, Follow, ProblemError, TableRow, TableView, Told
from services.client.common import ADDRESS
from services.client.problems import UNREACHABLE, WRONG_URL
from services.embedded.folder import DataFolder

PATIENCE_S: Final = 60.0
"""How long somebody who follows a table waits for a service that is away."""


UNKNOWN_TABLE: Final = "unknown_table"
"""As the service says it."""


class ToldError(Exception):
    """The service said no, or cannot be reached; the message says which and what to do."""


class Reader:
    """Reads tables; a seat's view needs the seat's own token."""

    def __init__(self, url: str, data: Path) -> None:
        self._folder = DataFolder(data)
        self._client = Client(url, patience_s=0)
        self._seat: int | None = None

    def close(self) -> None:
        """Give the connection back."""
        self._client.close()

    def tables(self, *, status: str | None, limit: int) -> list[TableRow]:
        """Return the newest rows of the lobby."""
        return list(islice(self._client.tables(status=status), limit))

    def look_as(self, table: str, seat: int | None) -> None:
        """Look at a table from a seat from now on, or as the spectator."""
        self._client = self._client.using(read_key(self._folder.platform_key))
        if seat is None:
            return
        seats = self.view(table).seats
        if not 0 <= seat < len(seats):
            raise ToldError(f"There are seats 0 to {len(seats) - 1} at {table}.")
        if seats[seat].bot:
            self._client = self._client.using(read_key(self._folder.bots_key))
        else:
            self._client = self._client.using(self._client.renew_token(table, seat).token)
        self._seat = seat

    def view(self, table: str) -> TableView:
        """Return the view as it is."""
        return self._client.view(table, seat=self._seat)

    def story(self, table: str, *, waits: Callable[[str], object]) -> Iterator[Chapter]:
        """
        Give chapter after chapter as they are told, until the table is over.

        ``waits`` is called with a sentence whenever the service does not answer, before it is waited for.
        """
        last: int | None = 0
        while last is not None:
            try:
                for chapter in self._chapters(self._client, table, last):
                    yield chapter
                    last = chapter.last
            except ProblemError as problem:
                if problem.code == UNREACHABLE:
                    waits(f"The service at {self._client.url} does not answer: waiting up to {PATIENCE_S:g} s for it.")
                with closing(self._chapters(self._client.patient_for(PATIENCE_S), table, last)) as patient:
                    first = next(patient, None)
                if first is not None:
                    yield first
                last = None if first is None else first.last
            else:
                last = None

    def _chapters(self, client: Client, table: str, after: int) -> Generator[Chapter, None, None]:
        wish = Follow(table=table, seat=self._seat, after=after, views=False)
        for news in client.follow(wish):
            if isinstance(news, Told):
                yield news.chapter


def unknown(table: str) -> ToldError:
    """Return what a person is told of a table that there is not."""
    return ToldError(f"There is no table {table}; `fidchell tables` lists them.")


def told(problem: ProblemError, url: str, table: str) -> ToldError:
    """Return what a person is told of a problem, of a table where one was asked for."""
    if problem.code == UNKNOWN_TABLE and table:
        return unknown(table)
    if problem.code == UNREACHABLE:
        return ToldError(
            f"The service at {url} cannot be reached. Start it with `fidchell serve`, or name it with --url."
        )
    if problem.code == WRONG_URL:
        return ToldError(f"What --url or FIDCHELL_URL says is no address of a service: give {ADDRESS}.")
    place = f" at {problem.path}" if problem.path else ""
    reason = f", {problem.details['reason']}" if "reason" in problem.details else ""
    status = "" if problem.status is None else f" (status {problem.status})"
    return ToldError(f"The service says no: {problem.code}{place}{reason}{status}.")
