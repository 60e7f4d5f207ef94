"""Where the rules of every game stand: found by the names all games share."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from msgspec.structs import replace

from events.games import GAMES
from seeds.catalogues import CATALOGUES, Catalogue
from workers.kit.decider import Rules
from workers.tables.state import Edition, RulesUnavailableError


class GamesShelf:
    """The rules of all games of this program, over the catalogues of ``seeds``; each pair is built once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, bytes], Rules] = {}
        self._current: dict[str, Edition] = {}

    def current(self, game: str) -> Edition | None:
        """Return what new tables of the game are played by, or ``None`` for an unknown game."""
        if game not in GAMES:
            return None
        if game not in self._current:
            catalogue = CATALOGUES(game).newest
            expanded = CATALOGUES(game).expansions(catalogue.version)
            editions = {each.expansion: self._edition(game, each) for each in expanded}
            self._current[game] = replace(self._edition(game, catalogue), expansions=editions)
        return self._current[game]

    def _edition(self, game: str, catalogue: Catalogue) -> Edition:
        module = import_module(f"workers.{game}.rules")
        rules = self.find(game=game, rules=module.VERSION, digest=catalogue.digest)
        return Edition(rules=rules, catalogue=catalogue.version, digest=catalogue.digest)

    def find(self, *, game: str, rules: int, digest: bytes) -> Rules:
        """Return the rules a table was opened with; ``RulesUnavailableError`` when they are not here."""
        found = self._found.get((game, rules, digest))
        if found is None:
            found = self._found[game, rules, digest] = self._build(game, rules, digest)
        return found

    def _build(self, game: str, version: int, digest: bytes) -> Rules:
        if game not in GAMES:
            raise RulesUnavailableError(f"the game {game!r} is not known here")
        catalogue = CATALOGUES(game).by_digest(digest)
        module = import_module(f"workers.{game}.rules")
        if catalogue is None or version != module.VERSION:
            raise RulesUnavailableError(f"{game} rules {version} over catalogue {digest.hex()[:12]} are not here")
        return cast("Rules", module.rules(catalogue.components))
