"""Words of Inori."""

from __future__ import annotations

import msgspec


class InoriCatalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Every number of the game, read once from ``seeds/inori/v1``."""

    least_stones: int
    most_stones: int
    most_taken: int
