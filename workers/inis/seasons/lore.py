"""What the steps of the expansion are for, and what it changes in those of the base game."""

from __future__ import annotations

from workers.inis.seasons import clash, dusk, hands, king, sea, wheel

LORES = (wheel.LORE, dusk.LORE, king.LORE, sea.LORE, clash.LORE, hands.LORE)
