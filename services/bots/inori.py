"""How a bot plays Inori: it offers where points come at once, and gathers colours that cards and Altars count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Final

from events.inori.vocabulary import (
    Card,
    CardId,
    Cost,
    DrawRunes,
    Gain,
    GainAltar,
    GainAny,
    GainLeast,
    InoriCatalogue,
    PlaceNeutrals,
    RuneId,
    ScoreMajority,
    ScorePer,
    ScorePerAltar,
    ScorePoints,
    ScoreUnique,
    TreeSpace,
)
from seeds.catalogues import CATALOGUES

View = Mapping[str, Any]

TOKEN_WORTH: Final = 0.9
"""What a token of any colour is worth by itself."""
TOKEN_PER_SEASON: Final = 0.35
"""What it is worth more for every season still to be scored."""
TOKEN_ON_CARD: Final = 0.4
"""What it is worth more for every card of its colour on which the chief stands."""
ALTAR_SHARE: Final = 0.1
"""The part of an Altar's points that one token of its colour is worth."""
LEAD_SHARE: Final = 0.08
"""The part of an Altar's points that being a token ahead in its colour is worth when it is opened."""
MOST_LEAD: Final = 3
RUNE_WORTH: Final = 2.5
NEUTRAL_WORTH: Final = 0.7
PIECES_PER_SPACE: Final = 6.0
"""So many pieces must still be to come that an empty space counts as sure to be filled."""
NEVER: Final = -100.0
FIRST: Final = 100.0
"""More than anything an offering is worth: Favour runes are played before it."""


@cache
def _catalogue() -> InoriCatalogue:
    components: InoriCatalogue = CATALOGUES("inori").newest.components
    return components


def _card(name: str) -> Card:
    return _catalogue().cards[CardId(name)]


def choose(view: View, legal: Sequence[View], random: Random) -> int:
    """Return the number of the legal command that looks best; ties are broken at random."""
    player = _Player(view["board"], view["viewpoint"])
    worth = [player.worth(command, view["prompt"]) + random.random() * 0.01 for command in legal]
    return max(range(len(legal)), key=worth.__getitem__)


class _Player:
    """What a chief thinks of a board."""

    def __init__(self, board: View, seat: int) -> None:
        self._board = board
        self._seat = seat
        self._tokens: dict[str, int] = dict(board["chiefs"][seat]["tokens"])
        self._seasons_left: int = board["seasons"] - board["season"] + 1
        self._slots = {slot["card"]: slot for slot in board["slots"]}
        self._tree = {spot["space"]: spot for spot in board["tree"]}
        self._values = {colour: self._value(colour) for colour in self._tokens}

    def worth(self, command: View, prompt: View) -> float:
        """Return about how many points a command is worth."""
        if (offering := self._offering(command)) is not None:
            return offering
        match command["kind"]:
            case "play_rune":
                return self._rune(command["rune"])
            case "choose_altar":
                return self._altar(command["colour"], self._space(prompt["space"]))
            case "choose_new_start":
                card = _card(command["card"])
                return float(self._tokens[card.colour] + self._tokens[card.lower])
            case _:
                return self._choice(command, prompt)

    def _offering(self, command: View) -> float | None:
        match command["kind"]:
            case "offer_to_card":
                worth = self._card_offering(command["card"], command["space"])
            case "offer_to_tree":
                worth = self._tree_offering(command["space"])
            case _:
                return None
        return worth - RUNE_WORTH if command["share"] else worth

    def _choice(self, command: View, prompt: View) -> float:
        match command["kind"]:
            case "pay_majority":
                return -self._values[command["colour"]]
            case "choose_least":
                return self._gain([command["colour"]] * prompt["amount"])
            case "take_gift":
                return self._gain(command["tokens"])
            case _:
                return self._piece(command)

    def _piece(self, command: View) -> float:
        match command["kind"]:
            case "place_neutral" | "move_piece":
                return self._interest(command["card"])
            case "choose_piece":
                return -self._interest(command["card"])
            case "release_piece":
                return NEVER
            case _:
                return 0.0

    # Tokens

    def _value(self, colour: str) -> float:
        """Return what one more token of a colour promises."""
        there: int = sum(slot["colour"] == colour and self._stands_on(slot) for slot in self._slots.values())
        altar = next((spot["space"] for spot in self._tree.values() if spot["altar"] == colour), None)
        points = 0.0 if altar is None else self._space(altar).first * ALTAR_SHARE
        return TOKEN_WORTH + TOKEN_PER_SEASON * (self._seasons_left - 1) + TOKEN_ON_CARD * there + points

    def _gain(self, tokens: Sequence[str]) -> float:
        """Return what tokens are worth, as far as the supply has them."""
        supply = dict(self._board["supply"])
        gain = 0.0
        for colour in tokens:
            if supply[colour] > 0:
                supply[colour] -= 1
                gain += self._values[colour]
        return gain

    def _least(self, amount: int) -> float:
        fewest = min(self._tokens.values())
        return max(self._gain([colour] * amount) for colour, held in self._tokens.items() if held == fewest)

    def _cost(self, cost: Cost | None) -> tuple[str | None, float]:
        """Return the colour that pays a cost, and what that is worth."""
        if cost is None:
            return None, 0.0
        most = [colour for colour, held in self._tokens.items() if held == max(self._tokens.values())]
        colour = min(most, key=lambda each: self._values[each]) if cost.colour is None else cost.colour
        return colour, cost.amount * self._values[colour]

    # Offerings

    def _card_offering(self, name: str, number: int) -> float:
        space = _card(name).spaces[number - 1]
        paid, cost = self._cost(space.cost)
        tokens = {colour: held - (colour == paid) for colour, held in self._tokens.items()}
        return self._effect(space.effect, tokens) - cost + self._presence(name)

    def _effect(
        self, effect: Gain | GainLeast | DrawRunes | ScoreUnique | ScorePer | ScoreMajority, tokens: dict[str, int]
    ) -> float:
        match effect:
            case Gain():
                return self._gain(effect.tokens)
            case GainLeast():
                return self._least(effect.amount)
            case DrawRunes():
                return RUNE_WORTH * effect.amount
            case ScoreUnique():
                return float(sum(held > 0 for held in tokens.values()))
            case ScorePer():
                return float(tokens[effect.colour])
            case ScoreMajority():
                return float(max(tokens.values()))

    def _presence(self, name: str) -> float:
        """Return what it is worth to stand on a card when the season ends, and to bring it nearer to completion."""
        slot, card = self._slots[name], _card(name)
        empty = sum(not pieces for pieces in slot["pieces"])
        chance = self._completed(max(0, empty - 1))
        before = self._completed(empty) if self._stands_on(slot) else 0.0
        own = self._tokens[card.colour]
        gain = (chance - before) * own
        if card.kind == "new_start":
            gain += ((1 - chance) - ((1 - before) if self._stands_on(slot) else 0.0)) * self._tokens[card.lower]
        return gain

    def _completed(self, empty: int) -> float:
        """Return about how likely a card with so many empty spaces is complete at the end of the season."""
        left = sum(chief["left"] for chief in self._board["chiefs"]) - 1
        return min(1.0, left / (empty * PIECES_PER_SPACE)) if empty else 1.0

    def _tree_offering(self, name: str) -> float:
        spot, space = self._tree[name], self._space(name)
        if not space.takes_altar:
            return float(sum(self._values[colour] for colour in spot["tokens"]))
        if spot["altar"] is None:
            return max(self._altar(colour, space) for colour in self._board["altars_left"])
        tokens = {**self._tokens, spot["altar"]: self._tokens[spot["altar"]] - 1}
        return self._tree_effects(space, spot["altar"], tokens) - self._values[spot["altar"]]

    def _altar(self, colour: str, space: TreeSpace) -> float:
        """Return what it is worth to open a space with a tile: its effect, and who will have most at the end."""
        others = max(chief["tokens"][colour] for chief in self._board["chiefs"] if chief["seat"] != self._seat)
        lead: int = max(-MOST_LEAD, min(MOST_LEAD, self._tokens[colour] - others))
        return self._tree_effects(space, colour, self._tokens) + lead * LEAD_SHARE * space.first

    def _tree_effects(self, space: TreeSpace, altar: str, tokens: dict[str, int]) -> float:
        worth = 0.0
        for effect in space.effects:
            match effect:
                case GainAny():
                    worth += effect.amount * max(self._values.values())
                case ScorePoints():
                    worth += effect.points
                case DrawRunes():
                    worth += RUNE_WORTH * effect.amount
                case GainAltar():
                    worth += self._gain([altar] * effect.amount)
                case ScorePerAltar():
                    worth += tokens[altar]
                case PlaceNeutrals():
                    worth += NEUTRAL_WORTH * min(effect.amount, self._board["neutrals"])
                case _:
                    pass
        return worth

    # Pieces and runes

    def _rune(self, name: str) -> float:
        """Return what a rune is worth now: tokens at once; Move runes are left unplayed."""
        rune = _catalogue().runes[RuneId(name)]
        if rune.kind != "favour":
            return -1.0
        return FIRST if all(self._board["supply"][colour] >= rune.amount for colour in rune.colours) else -0.5

    def _interest(self, name: str) -> float:
        """Return how much more a card brings this chief than the others, if it is completed."""
        slot = self._slots[name]
        interest = 0.0
        for chief in self._board["chiefs"]:
            if any(chief["seat"] in pieces for pieces in slot["pieces"]):
                share = 1.0 if chief["seat"] == self._seat else -1.0 / (len(self._board["chiefs"]) - 1)
                interest += share * chief["tokens"][slot["colour"]]
        return interest

    def _stands_on(self, slot: View) -> bool:
        return any(self._seat in pieces for pieces in slot["pieces"])

    def _space(self, name: str) -> TreeSpace:
        return next(space for space in _catalogue().tree if space.id == name)
