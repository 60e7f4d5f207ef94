"""What cards of Inis are worth to the bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.bots import inis_seasons as seasons

RATINGS: Final[Mapping[str, float]] = {
    "exploration": 3.4,
    "migration": 3.3,
    "conquest": 2.2,
    "new_clans": 3.0,
    "sanctuary": 3.1,
    "emissaries": 2.4,
    "scouts_spies": 2.3,
    "citadel": 2.1,
    "festival": 2.0,
    "new_alliance": 2.5,
    "craftsmen_peasants": 2.3,
    "bard": 2.0,
    "master_craftsman": 2.0,
    "warlord": 0.4,
    "druid": 1.6,
    "geis": 1.2,
    "raid": 0.8,
    "children_of_dana": 3.5,
    "tailtus_land": 3.5,
    "kernunos_sanctuary": 3.2,
    "eriu": 3.0,
    "manannans_horses": 3.2,
    "the_stone_of_fal": 2.4,
    "dagdas_harp": 2.6,
    "nuada_silverhand": 2.3,
    "the_other_world": 2.6,
    "the_champions_share": 2.0,
    "tuans_memory": 2.5,
    "balors_eye": 1.8,
    "breas_tyranny": 1.0,
    "deirdres_beauty": 0.9,
    "maeves_wealth": 1.2,
    "the_morrigan": 0.2,
    "plains": 2.6,
    "misty_lands": 0.6,
    "swamp": 0.1,
    **seasons.RATINGS,
}
"""What a card is worth as a turn, and in a draft."""

ANSWERS: Final[Mapping[str, float]] = {
    "bard": 3.0,
    "strengs_resolve": 3.0,
    "master_craftsman": 3.0,
    "forest": 3.0,
    "valley": 3.0,
    "meadows": 3.0,
    "cove": 0.5,
    "salt_mine": 1.0,
    "lost_vale": -1.0,
    "stone_circle": -1.0,
    "the_dagdas_club": 2.0,
    "diarmuid_and_grainne": 2.0,
    "dagdas_cauldron": 1.0,
    "hills": 2.0,
    "mountains": 2.0,
    "gates_of_tir_na_nog": 2.0,
    "iron_mine": 1.0,
    "highlands": 0.5,
    "raid": 1.0,
    "warlord": -0.5,
    "cathbads_word": 1.0,
    **seasons.ANSWERS,
}
"""What a card is worth as an answer; others are kept."""
