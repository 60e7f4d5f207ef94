"""What the steps of the agenda are for, by part of the rules."""

from __future__ import annotations

from workers.inis import windows
from workers.inis.phases import assembly, board, clash, hands, playing, season, tiles

LORES = (windows.LORE, playing.LORE, hands.LORE, board.LORE, tiles.LORE, assembly.LORE, season.LORE, clash.LORE)

SILENT = {kind: function for lore in LORES for kind, function in lore.silent.items()}
HAPPENS = {kind: function for lore in LORES for kind, function in lore.happens.items()}
OPTIONS = {kind: function for lore in LORES for kind, function in lore.options.items()}
ANSWERS = {kind: function for lore in LORES for kind, function in lore.answers.items()}
CHOICES = {kind: function for lore in LORES for kind, function in lore.choices.items()}
ASKS = {kind: function for lore in LORES for kind, function in lore.asks.items()}
