"""How a bot plays Inis: it spreads out until it meets a condition of victory, claims the crown, and keeps the peace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from services.bots import inis_seasons as seasons
from services.bots.inis_cards import ANSWERS, RATINGS

View = Mapping[str, Any]
Clans = dict[str, list[int]]

GOAL: Final = 6
RIVAL_SHARE: Final = 0.3
"""How much of what a rival has counts against one's own standing."""
MET: Final = 12.0
"""What a condition that is met is worth."""
CLASH_RISK: Final = 0.6
"""What it costs to move to where an opponent is."""
CROWN: Final = 1000.0
NEVER: Final = -1000.0

ENDLESS: Final = "master_craftsman"
"""With Lug Samildanach it can be passed round for ever, a deed for each round."""
WORTH_A_TALE: Final = 2.0
"""What an Action card must be worth to spend a tale on it."""

AGAINST_RIVALS: Final = ("geis", "the_dagda")
"""Played against who claims the crown."""


def choose(view: View, legal: Sequence[View], random: Random) -> int:
    """Return the number of the legal command that looks best; ties are broken at random."""
    table = Table(view)
    worth = [table.worth(command) + random.random() * 0.05 for command in legal]
    return max(range(len(legal)), key=worth.__getitem__)


class Table:
    """What one seat makes of what it sees."""

    def __init__(self, view: View) -> None:
        self.board: View = view["board"]
        self.seat: int = view["viewpoint"]
        self.prompt: View = view["prompt"]
        self.seats = len(self.board["contenders"])
        self.clans: Clans = {land["territory"]: list(land["clans"]) for land in self.board["lands"]}
        self.sanctuaries = {land["territory"]: land["sanctuaries"] for land in self.board["lands"]}
        self.ways = seasons.ways(self.board)
        self.now = self.standing(self.clans)

    # What a position is worth

    def standing(self, clans: Clans, more_sanctuaries: str | None = None) -> float:
        """Return how the seat stands against its strongest rival."""
        worth = [self._of(seat, clans, more_sanctuaries) for seat in range(self.seats)]
        rivals = [each for seat, each in enumerate(worth) if seat != self.seat]
        return worth[self.seat] - RIVAL_SHARE * max(rivals)

    def _of(self, seat: int, clans: Clans, more_sanctuaries: str | None) -> float:
        leadership = land = religion = total = 0
        for territory, numbers in clans.items():
            own = numbers[seat]
            if not own:
                continue
            total += own
            land += 1
            religion += self.sanctuaries[territory] + (territory == more_sanctuaries)
            if all(other < own for place, other in enumerate(numbers) if place != seat):
                leadership += sum(numbers) - own
        deeds = self.board["contenders"][seat]["deeds"]
        worth = 0.3 * total
        for value in (leadership, land, religion):
            worth += float(min(value, GOAL) ** 1.5)
            worth += (MET if value >= GOAL else 0.0) + min(max(value - GOAL, 0), 3) * 0.5
        return worth + 2.0 * float(deeds)

    def after(self, *changes: tuple[str, int, int]) -> float:
        """Return what it is worth that clans of a seat come to territories, or leave them."""
        clans = {territory: list(numbers) for territory, numbers in self.clans.items()}
        for territory, seat, by in changes:
            if territory in clans:
                clans[territory][seat] = max(0, clans[territory][seat] + by)
        return self.standing(clans) - self.now

    def moved(self, source: str, to: str, amount: int) -> float:
        risk = CLASH_RISK * (self._others(to) > 0)
        return self.after((source, self.seat, -amount), (to, self.seat, amount)) - risk

    def _others(self, territory: str) -> int:
        numbers = self.clans.get(territory, [])
        return sum(numbers) - (numbers[self.seat] if numbers else 0)

    # What a command is worth

    def worth(self, command: View) -> float:
        judge = _JUDGES.get(command["kind"])
        return judge(self, command) if judge else 0.0

    def keep(self, command: View) -> float:
        return sum(RATINGS.get(card, 0.0) for card in command["cards"])

    def play(self, command: View) -> float:
        card = command["card"]
        if card == "moor":
            return NEVER / 2
        if self.prompt["kind"] == "maneuver":
            return 0.5
        return RATINGS.get(card, 0.5)

    def respond(self, command: View) -> float:
        card = command.get("card")
        if card is None:
            return 0.0
        if card == "lug_samildanach":
            return self._rescue(self.board["plays"][-1]["card"])
        if card in AGAINST_RIVALS:
            rival = self.board["plays"][-1]["seat"]
            return 1.0 if rival != self.seat and self.board["contenders"][rival]["pretender"] else -1.0
        return ANSWERS.get(card, -1.0)

    def _rescue(self, card: str) -> float:
        return NEVER if card == ENDLESS else RATINGS.get(card, 0.0) - WORTH_A_TALE

    def worth_of(self, card: str) -> float:
        return RATINGS.get(card, 1.0)

    def attack(self, command: View) -> float:
        rival = self.board["contenders"][command["target"]]
        return 1.0 + (2.0 if rival["pretender"] else 0.0) - 0.2 * float(rival["action_count"])

    def pick(self, command: View) -> float:
        """Return what a choice is worth, by the question it answers."""
        part = command["part"]
        judge = _CHOICES.get(self.prompt["kind"])
        if judge is not None:
            return judge(self, part)
        return 0.0

    # Choices

    def place(self, part: View) -> float:
        return self.after((part["territory"], self.seat, 1))

    def declare(self, part: View) -> float:
        """Return what a declared part is worth, above zero only if it is better than to stop."""
        card = self.prompt.get("card")
        judge = seasons.DECLARATIONS.get(card or "")
        if judge is not None:
            return judge(self, part)
        if card in ("migration", "conquest", "manannans_horses", "plains", None, "emissaries", "the_fianna"):
            return self._declare_move(card, part)
        if "owner" in part and "territory" in part:
            return self.after((part["territory"], part["owner"], -1))
        if card == "sanctuary":
            return self.standing(self.clans, part["territory"]) - self.now
        if card == "citadel":
            return 1.0 + 0.1 * self.clans[part["territory"]][self.seat]
        return self._declare_place(part)

    def _declare_place(self, part: View) -> float:
        where = part.get("territory") or self._first("territory")
        if where is None or part.get("option") in ("turn", "leave", "no_clash"):
            return 0.1 * float(part.get("amount", 0)) - float(part.get("option") == "turn")
        if part.get("option") == "remove":
            return self.after((where, part["owner"], -1))
        return self.after((where, self.seat, part.get("amount", 1)))

    def _first(self, field: str) -> str | None:
        parts = self.prompt.get("parts") or ()
        found: str | None = parts[0].get(field) if parts else None
        return found

    def _declare_move(self, card: str | None, part: View) -> float:
        if card == "conquest":
            target = self._first("territory")
            if target is not None:
                return self.moved(part["territory"], target, part["amount"])
            near = [each for each in self.ways[part["territory"]] if self.clans[each][self.seat] > 1]
            return max((self.moved(each, part["territory"], 1) for each in near), default=-1.0)
        source = self._source(card, part)
        if source is not None:
            return self.moved(source, part["to"], part.get("amount", 1)) if "to" in part else 0.0
        around = self.ways[part["territory"]]
        spare = float(self.clans[part["territory"]][self.seat] - 1)
        return spare + max((self.moved(part["territory"], each, 1) for each in around), default=0.0)

    def _source(self, card: str | None, part: View) -> str | None:
        """Return where the clans of a declared move come from, if that is settled."""
        if card == "emissaries":
            source: str = part["territory"]
            return source
        if card == "plains":
            return card
        clash = self.board.get("clash")
        return clash["territory"] if clash else self._first("territory")

    def give_up(self, part: View) -> float:
        """Return what it is worth to lose a card, the least useful first, or a clan."""
        if "card" in part:
            return -RATINGS.get(part["card"], 1.0)
        return -6.0

    def want(self, part: View) -> float:
        return max(RATINGS.get(part["card"], 0.0), ANSWERS.get(part["card"], 0.0), 1.0)

    def lose(self, part: View) -> float:
        return self.after((part["territory"], self.seat, -1))

    def spy(self, part: View) -> float:
        return self.moved(part["territory"], part["to"], part["amount"]) if "to" in part else 0.0

    def draw_in(self, part: View) -> float:
        return self.after((part["territory"], part["owner"], -1), ("lost_vale", part["owner"], 1))

    def move_onto(self, part: View) -> float:
        return 1.5 if "territory" in part and self.clans[part["territory"]][self.seat] > 1 else 0.0

    def name(self, part: View) -> float:
        return float(part["owner"] == self.seat)

    def most(self, part: View) -> float:
        return float(part["amount"])

    def lay(self, part: View) -> float:
        return float(part.get("territory") in ("gates_of_tir_na_nog", "stone_circle"))


_JUDGES: Final[Mapping[str, Callable[[Table, View], float]]] = {
    "take_pretender": lambda _table, _command: CROWN,
    "take_back": lambda _table, _command: NEVER,
    "keep_cards": Table.keep,
    "play_card": Table.play,
    "respond": Table.respond,
    "attack": Table.attack,
    "withdraw": lambda _table, _command: 0.2,
    "vote_peace": lambda _table, command: float(command["end"]),
    "shelter": lambda _table, command: float(command["accept"]),
    "choose": Table.pick,
    "move_for_beltaine": lambda _table, _command: seasons.SUMMER_MOVE,
}
_CHOICES: Final[Mapping[str, Callable[[Table, View], float]]] = {
    "declare": Table.declare,
    "place_clan": Table.place,
    "reappear": Table.place,
    "lose_clan": Table.lose,
    "pick_clan": Table.draw_in,
    "spy_move": Table.spy,
    "move_onto": Table.move_onto,
    "toll": Table.give_up,
    "defend": Table.give_up,
    "discard_card": Table.give_up,
    "give_card": Table.give_up,
    "tribute": Table.give_up,
    "put_aside": Table.give_up,
    "keep_tale": Table.want,
    "search_pile": Table.want,
    "choose_aside": Table.want,
    "claim_tale": Table.want,
    "name_player": Table.name,
    "empty_cauldron": Table.most,
    "choose_tile": Table.lay,
    **seasons.CHOICES,
}
