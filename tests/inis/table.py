"""Tables of Inis in the situation a test needs, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest
from msgspec.structs import replace

from events.inis.commands import (
    Attack,
    Choose,
    Confirm,
    KeepCards,
    PassTurn,
    PlayCard,
    Respond,
    Shelter,
    TakePretender,
    VotePeace,
    Withdraw,
)
from events.inis.events.rounds import TileLaid
from events.inis.vocabulary import CardId, InisCatalogue, Location, Part, TerritoryId
from events.messages import Command, Event, Seat
from seeds.catalogues import CATALOGUES
from tests.spec import SEED, context
from workers.inis.evolve import advance
from workers.inis.evolve.rounds import tile_laid
from workers.inis.follow import follow
from workers.inis.lattice import SEA, free_locations
from workers.inis.legal import legal_commands, prompts
from workers.inis.phases.season import AFTER_TURN
from workers.inis.rules import rules
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.steps import Step
from workers.inis.steps.cards import Window
from workers.inis.steps.clash import StartClash
from workers.inis.steps.rounds import BeginRound, Turn
from workers.kit.decider import Refused, Rules

ANN, BO, CY, DI, EVE = map(Seat, range(5))
CATALOGUE: Final[InisCatalogue] = CATALOGUES("inis").newest.components
RULES: Final = rules(CATALOGUE)
EXPANDED: Final = rules(CATALOGUES("inis").expansions(1)[0].components)
"""The rules of tables with Seasons of Inis."""

Clans = Mapping[str, Sequence[int]]
"""How many clans each seat has in a territory."""


def part(**fields: Any) -> Part:  # noqa: ANN401  fields of a part
    return Part(**fields)


def card(name: str) -> CardId:
    return CardId(name)


def here(name: str) -> TerritoryId:
    return TerritoryId(name)


def rules_of(state: InisState) -> Rules:
    """Return the rules that a state is played by."""
    return RULES if state.more is None else EXPANDED


class Game:
    """A game under way, which tells what happened since it was last asked to do something."""

    def __init__(self, state: InisState) -> None:
        self.events, state = _settled(state)
        self.state: InisState = state
        self.number = 0

    # What is sent

    def send(self, *commands: Command, seed: bytes = SEED) -> Game:
        """Send commands that must be accepted, and note what they caused."""
        self.events = []
        for command in commands:
            self.number += 1
            rules = rules_of(self.state)
            events, self.state = rules.step(self.state, command, context(seed=seed, version=self.number))
            self.events += events
            rules.check(self.state)
        return self

    def play(self, seat: Seat, name: str, *parts: Part, confirm: bool = False) -> Game:
        """Play a card with what is declared for it."""
        declared = [Choose(seat=seat, part=each) for each in parts]
        confirmed = [Confirm(seat=seat)] if confirm else []
        return self.send(PlayCard(seat=seat, card=card(name)), *declared, *confirmed)

    def choose(self, seat: Seat, **fields: Any) -> Game:  # noqa: ANN401  fields of a part
        return self.send(Choose(seat=seat, part=Part(**fields)))

    def passes(self, seat: Seat) -> Game:
        return self.send(PassTurn(seat=seat))

    def pretends(self, seat: Seat) -> Game:
        return self.send(TakePretender(seat=seat))

    def attack(self, seat: Seat, target: Seat) -> Game:
        return self.send(Attack(seat=seat, target=target))

    def withdraw(self, seat: Seat, *parts: Part) -> Game:
        return self.send(Withdraw(seat=seat), *(Choose(seat=seat, part=each) for each in parts), Confirm(seat=seat))

    def shelter(self, seat: Seat, *, accept: bool = True) -> Game:
        return self.send(Shelter(seat=seat, accept=accept))

    def votes(self, seat: Seat, *, end: bool) -> Game:
        return self.send(VotePeace(seat=seat, end=end))

    def keep(self, seat: Seat, *names: str) -> Game:
        return self.send(KeepCards(seat=seat, cards=tuple(map(card, names))))

    def answer(self, **cards: str) -> Game:
        """Let named seats answer the open window with a card, all others with none."""
        window = self.window
        answers = {NAMES[name]: card(played) for name, played in cards.items()}
        sent = [Respond(seat=seat, card=answers.get(seat)) for seat in prompts(self.state)]
        assert set(answers) <= set(prompts(self.state)), f"not asked at {window}"
        return self.send(*sent)

    def calm(self, until: str = "") -> Game:
        """Let nobody answer any window, up to a window of this kind or the next question that is none."""
        happened = list(self.events)
        while self.window and self.window != until:
            self.answer()
            happened += self.events
        self.events = happened
        assert not until or self.window == until, f"no window {until}, but {self.state.agenda[:1]}"
        return self

    def refuses(self, command: Command, code: str) -> Game:
        """Check that a command is refused with a code."""
        with pytest.raises(Refused) as refused:
            rules_of(self.state).decide(self.state, command, context())
        assert code == refused.value.code
        return self

    # What is seen

    @property
    def window(self) -> str:
        step = self.state.agenda[0] if self.state.agenda else None
        return step.opened.window if isinstance(step, Window) else ""

    @property
    def asked(self) -> list[Seat]:
        return list(prompts(self.state))

    def legal(self, seat: Seat) -> Sequence[Command]:
        return legal_commands(self.state, seat)

    def clans(self, territory: str) -> tuple[int, ...]:
        return self.state.lands[here(territory)].clans

    def hand(self, seat: Seat) -> tuple[CardId, ...]:
        contender = self.state.contenders[seat]
        return (*contender.actions, *contender.advantages, *contender.tales)

    def happened(self, kind: type[Event]) -> list[Any]:
        """Return the events of a kind that the last call caused."""
        return [event for event in self.events if isinstance(event, kind)]


NAMES: Final = {"ann": ANN, "bo": BO, "cy": CY, "di": DI, "eve": EVE}


def _settled(state: InisState) -> tuple[list[Event], InisState]:
    events, state = follow(advance(state), None, context())
    rules_of(state).check(state)
    return list(events), state


def island(state: InisState, tiles: Sequence[str]) -> InisState:
    """Lay tiles as set-up does, further ones at the first place that is free."""
    for number, tile in enumerate(tiles):
        taken = tuple(land.location for land in state.lands.values())
        layout, touching = state.catalogue.layout, state.catalogue.touching
        place: Location = layout[number] if number < len(layout) else free_locations(taken, touching)[0]
        place = SEA if state.catalogue.tiles[here(tile)].island else place
        state = tile_laid(replace(state, agenda=(Step(),)), TileLaid(tile=here(tile), location=place))
    return state


def state_with(
    tiles: Sequence[str] = ("cove", "forest", "valley", "moor"),
    *,
    seats: int = 3,
    clans: Clans | None = None,
    hands: Mapping[Seat, Sequence[str]] | None = None,
    capital: str | None = "cove",
    options: InisOptions | None = None,
    **fields: Any,  # noqa: ANN401  fields of the state
) -> InisState:
    """Return a state in a Season; what is not given to anybody lies in pile, deck and beside the board."""
    options = options or InisOptions()
    played_by = EXPANDED if options.expansion else RULES
    state = island(played_by.initial(options, seats), tiles)
    if capital:
        land = state.lands[here(capital)]
        built = replace(land, citadels=1, sanctuaries=land.sanctuaries + 1)
        state = replace(
            state,
            lands={**state.lands, land.id: built},
            capital=land.id,
            sanctuaries=state.sanctuaries - 1,
        )
    for name, numbers in (clans or {}).items():
        state = with_clans(state, name, numbers)
    for seat, names in (hands or {}).items():
        for each in names:
            state = dealt(state, seat, each)
    return replace(state, phase="season", round=2, agenda=(Turn(seat=ANN),), **fields)


def with_clans(state: InisState, territory: str, numbers: Sequence[int]) -> InisState:
    """Put clans of the reserves into a territory."""
    land = state.lands[here(territory)]
    clans = (*numbers, *(0,) * (state.seats - len(numbers)))
    contenders = tuple(
        replace(each, reserve=each.reserve - number) for each, number in zip(state.contenders, clans, strict=True)
    )
    return replace(state, lands={**state.lands, land.id: replace(land, clans=clans)}, contenders=contenders)


def dealt(state: InisState, seat: Seat, name: str) -> InisState:
    """Give a card to a seat, out of the pile, the deck, or from beside the board."""
    each, contender = state.catalogue.cards[card(name)], state.contenders[seat]
    field = {"action": "actions", "advantage": "advantages", "tale": "tales"}[each.kind]
    hand = (*getattr(contender, field), each.id)
    ordered = tuple(sorted(hand, key=lambda held: state.catalogue.cards[held].place))
    changed = replace(contender, **{field: ordered})
    contenders = (*state.contenders[:seat], changed, *state.contenders[seat + 1 :])
    return replace(
        state,
        contenders=contenders,
        pile=tuple(held for held in state.pile if held != each.id),
        deck=tuple(held for held in state.deck if held != each.id),
        face_up=tuple(held for held in state.face_up if held != each.id),
    )


def built(state: InisState, territory: str, *, citadels: int = 0, sanctuaries: int = 0) -> InisState:
    """Build in a territory out of the supply."""
    land = state.lands[here(territory)]
    more = replace(land, citadels=land.citadels + citadels, sanctuaries=land.sanctuaries + sanctuaries)
    return replace(
        state,
        lands={**state.lands, land.id: more},
        citadels=state.citadels - citadels,
        sanctuaries=state.sanctuaries - sanctuaries,
    )


def deeds(state: InisState, seat: Seat, number: int, *, pretender: bool = False) -> InisState:
    """Give a seat deeds, and perhaps a pretender token."""
    changed = replace(state.contenders[seat], deeds=number, pretender=pretender)
    return replace(state, contenders=(*state.contenders[:seat], changed, *state.contenders[seat + 1 :]))


def aside(state: InisState, name: str) -> InisState:
    """Set an Action card of the pile aside."""
    return replace(state, aside=card(name), pile=tuple(each for each in state.pile if each != name))


def turn(*args: Any, **fields: Any) -> Game:  # noqa: ANN401  as for state_with
    """Return a game in which it is Ann's turn."""
    return Game(state_with(*args, **fields))


def clash(state: InisState, territory: str = "forest", *, instigator: Seat = ANN) -> Game:
    """Return a game in which a clash has just started there on Ann's turn."""
    started = StartClash(here(territory), instigator)
    return Game(replace(state, agenda=(started, *AFTER_TURN)))


def fight(state: InisState, territory: str = "forest", *, instigator: Seat = ANN) -> Game:
    """Return a game in which nobody sought shelter, and the first maneuver is due."""
    game = clash(state, territory, instigator=instigator)
    while not game.state.clash or game.state.clash.acting is None:
        if game.window:
            game.answer()
        else:
            game.shelter(game.asked[0], accept=False)
    return game


def assembly(state: InisState) -> Game:
    """Return a game in which a new Assembly begins: all Action cards are in the pile."""
    return Game(replace(state, agenda=(BeginRound(),)))
