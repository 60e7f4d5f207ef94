"""Nothing hidden leaves a table of Seasons of Inis, and no window of it tells who could answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from events.codec import to_json
from events.inis.commands import MoveForBeltaine
from events.inis.events.cards import CardPlayed, ChoiceMade
from events.inis.events.rounds import ActionsDealt, AsideChosen
from events.inis.events.seasons import AsideSeen, BeltaineMoved, CardForetold, TaleRecovered, TalesKept
from events.messages import SPECTATOR, Event, Seat, Viewpoint
from projections.inis.chronicle import told
from projections.inis.table import table_view
from tests.inis.table import ANN, BO, CY, EXPANDED, Game, aside, card, clash, fight, part
from tests.inis.test_secrets import BETWEEN, SPOKEN, hidden_from, knowing
from tests.seasons.table import ALL, expanded, more, options, season_state, season_turn
from tests.spec import context
from workers.inis.seasons.evolve import afterwards
from workers.inis.seasons.steps import FestivalDiscardTales
from workers.inis.state import InisState

TABLES = 3
OPENLY = (*SPOKEN, CardForetold, TaleRecovered)
"""Events that show cards to everybody."""
SEEN_BY_SOME = (*BETWEEN, BeltaineMoved, AsideSeen, TalesKept)
"""Events in which some see a card that is hidden from them afterwards, or from others."""


def played(seats: int, seed: int) -> Iterator[tuple[InisState, Sequence[Event]]]:
    """Play a random table with all modules; yield the state before each command, and its events."""
    chooser = random.Random(seed)
    state: InisState = EXPANDED.initial(options(*ALL), seats)
    for event in EXPANDED.open_(state, context(seed=chooser.randbytes(32))):
        state = EXPANDED.evolve(state, event)
    while prompts := EXPANDED.prompts(state):
        command = chooser.choice(EXPANDED.legal_commands(state, chooser.choice(list(prompts))))
        events, after = EXPANDED.step(state, command, context(seed=chooser.randbytes(32)))
        yield state, events
        state = after


def names_a_card_openly(state: InisState, event: Event) -> bool:
    """Return whether an event names a card by the will of its player, wherever the card may be."""
    match event:
        case CardPlayed():
            return event.card == "cathleanns_prophecy"
        case ChoiceMade():
            return isinstance(state.agenda[0], FestivalDiscardTales)
        case _:
            return isinstance(event, OPENLY)


@pytest.mark.parametrize("seats", [2, 5])
def test_what_is_told_names_no_hidden_card(seats: int) -> None:
    """Neither before the event nor after it is a card's place known that is told of."""
    for seed in range(TABLES):
        for before, events in played(seats, seed):
            state = before
            for event in events:
                after: InisState = EXPANDED.evolve(state, event)
                for viewpoint in (None, *map(Seat, range(seats))):
                    if names_a_card_openly(state, event):
                        continue
                    if isinstance(event, SEEN_BY_SOME) and viewpoint in knowing(event):
                        continue
                    heard = to_json(told(state, event, viewpoint))
                    assert not [each for each in hidden_from(after, viewpoint) if f'"{each}"'.encode() in heard], event
                state = after


def seen(game: Game, viewpoint: Viewpoint) -> bytes:
    asked = {str(seat): str(prompt) for seat, prompt in EXPANDED.asked(game.state).items()}  # type: ignore[attr-defined]
    return to_json([table_view(game.state, viewpoint), asked])


def alike(worlds: Sequence[Game], window: str) -> None:
    """Let nobody answer up to a window; the worlds look the same to others and to the spectator at every step."""
    reached = False
    while worlds[0].window:
        reached = reached or worlds[0].window == window
        assert [worlds[0].window] * 2 == [game.window for game in worlds]
        for viewpoint in (SPECTATOR, CY):
            assert seen(worlds[0], viewpoint) == seen(worlds[1], viewpoint)
        for game in worlds:
            game.answer()

    assert reached


def test_the_end_of_citadels_does_not_tell_who_could_hide() -> None:
    """With and without Féth fíada in Bo's hand."""
    worlds = [
        clash(season_state(clans={"forest": (2, 2), "moor": (0, 0, 1)}, hands={BO: [tale]}))
        for tale in ("feth_fiada", "eriu")
    ]
    alike(worlds, "citadels_end")


def test_an_attack_does_not_tell_who_could_take_the_sword() -> None:
    """With and without Nuada's Sword in Ann's hand."""
    worlds = [
        fight(season_state(clans={"forest": (2, 2), "moor": (0, 0, 1)}, hands={ANN: [tale]}))
        for tale in ("nuadas_sword", "eriu")
    ]
    for game in worlds:
        game.votes(ANN, end=False).attack(ANN, BO)
    alike(worlds, "attack_declared")


def test_the_card_of_a_beltaine_move_is_not_told() -> None:
    """Its player knows, and all see the move."""
    game = season_turn(season="beltaine", clans={"cove": (2,)}, hands={ANN: ["bard", "geis"]})
    game.send(MoveForBeltaine(seat=ANN)).choose(ANN, card="geis")
    state = game.state
    game.choose(ANN, territory="cove", to="forest", amount=1)
    moved = game.events[0]
    heard = to_json(told(state, moved, BO))

    assert isinstance(moved, BeltaineMoved)
    assert moved == told(state, moved, ANN)
    assert b"geis" not in heard
    assert b"forest" in heard
    assert b"geis" not in seen(game, BO)


def test_a_beltaine_move_is_hidden_until_it_is_declared() -> None:
    """Others see a turn as any other."""
    worlds = [season_turn(season="beltaine", clans={"cove": (2,)}, hands={ANN: ["bard", "geis"]}) for _ in range(2)]
    worlds[0].send(MoveForBeltaine(seat=ANN)).choose(ANN, card="geis")

    for viewpoint in (SPECTATOR, BO):
        assert seen(worlds[0], viewpoint) == seen(worlds[1], viewpoint)


def test_what_finn_sees_is_seen_by_ann_alone() -> None:
    """Others are told that it was seen."""
    state = aside(season_state(clans={"cove": (1, 1)}, hands={ANN: ["finns_wisdom"], BO: ["bard"]}), "geis")
    game = Game(state).play(ANN, "finns_wisdom", part(owner=BO))
    before = game.state
    while not game.happened(AsideSeen):
        before = game.state
        game.answer()
    (looked,) = game.happened(AsideSeen)

    assert b"geis" in to_json(told(before, looked, ANN))
    for viewpoint in (None, BO, CY):
        assert b"geis" not in to_json(told(before, looked, viewpoint))


def finn() -> Game:
    """Return a game in which Ann has looked at the card set aside, which Bo may take with the Cove."""
    hands = {ANN: ["finns_wisdom"], BO: ["cove", "bard", "druid"]}
    state = aside(season_state(clans={"cove": (1, 1)}, hands=hands), "geis")
    return Game(state).play(ANN, "finns_wisdom", part(owner=BO)).calm()


def test_what_finn_saw_is_known_from_then_on() -> None:
    """The view shows the card set aside to who looked, and to nobody else (expansion, section 7)."""
    game = finn()
    assert BO == game.state.turn

    assert card("geis") == table_view(game.state, ANN).aside_card
    assert [None, None, None] == [table_view(game.state, each).aside_card for each in (SPECTATOR, BO, CY)]


def test_finn_does_not_know_the_next_card_set_aside() -> None:
    """Bo takes the one that Ann saw, and sets another one aside."""
    game = finn().play(BO, "bard").calm("season_played").answer(bo="cove").calm()
    assert (None, card("geis") in game.hand(BO)) == (table_view(game.state, ANN).aside_card, True)
    game.choose(BO, card="druid")

    assert [None, card("druid")] == [table_view(game.state, each).aside_card for each in (ANN, BO)]


@pytest.mark.parametrize("event", [AsideChosen(seat=BO, card=card("bard")), ActionsDealt(aside=card("bard"), deck=())])
def test_finn_does_not_know_the_card_of_the_next_round(event: AsideChosen | ActionsDealt) -> None:
    """Whoever sets it aside."""
    before = expanded(aside(season_state(clans={"cove": (1, 1)}), "geis"), aside_seen=(ANN,))
    after = afterwards(before, event)

    assert () == more(after).aside_seen


def test_worlds_with_other_stacks_look_the_same() -> None:
    """Where islands lie in the stack nobody knows."""
    state = season_state(clans={"cove": (1, 1)}, hands={ANN: ["exploration"]})
    worlds = [Game(replace(state, stack=stack)) for stack in (state.stack, state.stack[::-1])]
    for game in worlds:
        game.play(ANN, "exploration").calm()

    assert worlds[0].state.stack[0] != worlds[1].state.stack[0]
    for viewpoint in (SPECTATOR, ANN, BO):
        assert seen(worlds[0], viewpoint) == seen(worlds[1], viewpoint)
    assert card("exploration") not in worlds[0].state.contenders[ANN].actions
