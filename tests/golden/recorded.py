"""
What recorded games showed, kept for ever: one digest for each file over all that all viewpoints saw and were told.

``python -m tests.golden.recorded`` adds digests of files that have none yet; it changes none that is there.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from events.codec import event_codec, to_json
from events.commit import Commit, Entry
from events.export import Manifest, read_export
from events.messages import TableId
from projections.tables.chronicle import chapter
from projections.tables.view import table_view, viewpoints
from workers.games import GamesShelf
from workers.tables.evolve import apply
from workers.tables.state import unopened

GAMES_FOLDER = Path(__file__).parents[2] / "seeds" / "games"
DIGESTS = Path(__file__).parent / "recorded.json"
SHELF = GamesShelf()


def files() -> list[Path]:
    """Return all recorded games."""
    return sorted(GAMES_FOLDER.glob("*.fidchell"))


def shown(manifest: Manifest, entries: list[Entry]) -> str:
    """Return the digest of every view and every telling, at every version, to every viewpoint."""
    digest = hashlib.sha256()
    codec, state = event_codec(manifest.game), unopened(TableId(manifest.table), SHELF)
    for entry in entries:
        if not isinstance(entry, Commit):
            continue
        events = [codec.read(each.schema, each.body) for each in entry.events]
        told = chapter(state, events, at=entry.command.at, seat=entry.command.actor.seat)
        state = apply(state, events, entry.command.actor.seat, entry.command.at)
        for viewpoint in viewpoints(state):
            digest.update(told.told(viewpoint) + to_json(table_view(state, viewpoint)))
    return digest.hexdigest()


def digests() -> dict[str, str]:
    """Return the stored digests by file name."""
    return dict(json.loads(DIGESTS.read_text())) if DIGESTS.exists() else {}


if __name__ == "__main__":
    known = digests()
    known |= {file.name: shown(*read_export(file.read_bytes())) for file in files() if file.name not in known}
    DIGESTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
