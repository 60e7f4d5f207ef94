"""Shows a table as a viewpoint saw it at any version, folded anew from its history."""

from __future__ import annotations

from collections.abc import Iterable

from events.commit import Commit, read_entry
from events.messages import TableId, Viewpoint
from projections.runtime.folds import fold, game_played_at
from projections.tables.view import TableView, table_view
from workers.tables.state import RulesShelf, unopened


def view_at(
    shelf: RulesShelf, table: str, entries: Iterable[bytes], *, viewpoint: Viewpoint, version: int
) -> TableView | None:
    """
    Return the view after the last commit up to a version; ``None`` when the table was not open by then.

    ``entries`` are the table's packed entries, all of them or those up to that version.
    """
    game = game_played_at(table)
    state = unopened(TableId(table), shelf)
    for packed in entries:
        entry = read_entry(packed)
        if isinstance(entry, Commit):
            if entry.last > version:
                break
            state = fold(state, entry, game)
    return table_view(state, viewpoint) if state.version else None
