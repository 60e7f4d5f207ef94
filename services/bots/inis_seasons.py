"""How the bot of Inis judges what Seasons of Inis adds: cards, festivals, harbors and the summer move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

View = Mapping[str, Any]

RATINGS: Final[Mapping[str, float]] = {
    "clans_harmony": 2.9,
    "coalition": 1.5,
    "fili": 0.6,
    "the_king_and_the_land": 2.4,
    "pwylls_exchange": 1.6,
    "cathleanns_prophecy": 1.5,
    "maelduins_expedition": 3.5,
    "sacred_hill_of_tara": 0.3,
    "machas_curse": 0.3,
    "cormac_mac_airt": 2.2,
    "brans_journey": 0.2,
    "sons_of_mile": 3.0,
    "the_banshee": 1.4,
    "branwens_marriage": 3.0,
    "children_of_lir": 1.5,
    "finns_wisdom": 1.9,
    "brown_bull_of_cooley": 1.4,
    "aber": 2.0,
    "inis_mona": 1.8,
    "isle_of_joy": 1.0,
    "salmons_creek": 0.8,
}
"""What a card is worth as a turn, and in a draft."""

ANSWERS: Final[Mapping[str, float]] = {
    "haven": 1.0,
    "hy_breasil": 3.0,
    "nuadas_sword": 1.0,
    "feth_fiada": 1.5,
}
"""What a card is worth as an answer."""

SUMMER_MOVE: Final = 1.1
"""What the Beltaine move is worth beside a card as a turn."""
SPARE_TALES: Final = 3
"""Epic Tales that are kept when there are clans for them."""


class Judge(Protocol):
    """What the bot knows of the table, as far as it is needed here."""

    board: View
    seat: int
    prompt: View

    def after(self, *changes: tuple[str, int, int]) -> float: ...

    def moved(self, source: str, to: str, amount: int) -> float: ...

    def worth_of(self, card: str) -> float: ...


def _first(table: Judge) -> View:
    parts: Sequence[View] = table.prompt.get("parts") or ({},)
    return parts[0]


def ways(board: View) -> Mapping[str, Sequence[str]]:
    """Return where clans can go from each territory: to its neighbours, and from a harbor to every other one."""
    harbors = (board.get("expansion") or {}).get("harbors") or {}
    found = {}
    for land in board["lands"]:
        own, beside = land["territory"], land["beside"]
        over_sea = [each for each in harbors if each != own and each not in beside] if own in harbors else []
        found[own] = (*beside, *over_sea)
    return found


# What is declared


def march(table: Judge, part: View) -> float:
    """Return what it is worth to move one's clans, from where this or the first part says."""
    source = part.get("territory") or _first(table).get("territory")
    if source is None or "to" not in part:
        return 0.1
    return table.moved(source, part["to"], part.get("amount", 1))


def summer(table: Judge, part: View) -> float:
    return -table.worth_of(part["card"]) if "card" in part else march(table, part)


def sail(table: Judge, part: View) -> float:
    """Prefer to build where one can, then the best voyage."""
    return 0.5 if part.get("option") == "harbor" else march(table, part)


def marry(table: Judge, part: View) -> float:
    where = part["territory"]
    return table.after((where, table.seat, part["amount"]), (where, part["owner"], 1))


def exile(table: Judge, part: View) -> float:
    clan = part if "owner" in part else _first(table)
    if "to" in part:
        return table.after((clan["territory"], clan["owner"], -1), (part["to"], clan["owner"], 1))
    return table.after((clan["territory"], clan["owner"], -1))


def swap(table: Judge, part: View) -> float:
    """Return what it is worth that one's clan goes and an opponent's comes."""
    source = part.get("territory") or _first(table).get("territory", "")
    if "to" not in part:
        return 0.0
    owner, to = part["owner"], part["to"]
    return table.after((source, table.seat, -1), (to, table.seat, 1), (to, owner, -1), (source, owner, 1))


def call(table: Judge, part: View) -> float:
    return table.after((part["territory"], part["owner"], -1), ("isle_of_joy", part["owner"], 1))


def give_land(table: Judge, part: View) -> float:
    """A deed is better than a tale, unless it feeds who claims the crown."""
    if part.get("option") == "give":
        return 0.2 if table.board["contenders"][part["owner"]]["pretender"] else 1.0
    return 0.5


def few(_table: Judge, part: View) -> float:
    """As few clans as can be, away for as short as can be."""
    return -float(part.get("amount", 0))


def harmony(table: Judge, part: View) -> float:
    if "territory" in part:
        return table.after((part["territory"], table.seat, 1))
    return float(part.get("option") == "each")


DECLARATIONS: Final[Mapping[str, Callable[[Any, View], float]]] = {
    "beltaine_move": summer,
    "clans_harmony": harmony,
    "coalition": march,
    "the_king_and_the_land": give_land,
    "sons_of_mile": sail,
    "branwens_marriage": marry,
    "children_of_lir": exile,
    "pwylls_exchange": swap,
    "isle_of_joy": call,
    "aber": march,
    "brans_journey": few,
}


# What is chosen


def place(table: Judge, part: View) -> float:
    return table.after((part["territory"], table.seat, 1)) if "territory" in part else 0.0


def lose(table: Judge, part: View) -> float:
    return table.after((part["territory"], table.seat, -1))


def give_tale(table: Judge, part: View) -> float:
    """Give tales away for clans while there are more than will be kept anyway."""
    tales = len(table.board["contenders"][table.seat].get("tales") or ())
    return 1.0 - 0.1 * table.worth_of(part["card"]) if "card" in part and tales > SPARE_TALES else 0.0


def trade(table: Judge, part: View) -> float:
    """Trade the least of several cards."""
    return 1.5 - table.worth_of(part["card"]) if "card" in part else 0.0


def drop(table: Judge, part: View) -> float:
    return -table.worth_of(part["card"])


def follow(table: Judge, part: View) -> float:
    """Go along with one clan, so as to be there."""
    amount = float(part["amount"])
    return amount if amount <= 1 else -amount


CHOICES: Final[Mapping[str, Callable[[Any, View], float]]] = {
    "festival_place": place,
    "may_place_clan": place,
    "bran_return": place,
    "banshee_remove": lose,
    "festival_discard_tales": give_tale,
    "festival_trade": trade,
    "discard_tale": drop,
    "drop_drawn": drop,
    "sail_clan": march,
    "coalition_join": follow,
}
