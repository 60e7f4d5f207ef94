"""Nothing hidden leaves: what is told names no hidden card, and no window tells who could answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from events.codec import to_json
from events.inis.commands import Respond
from events.inis.events.cards import (
    CardDiscarded,
    CardGiven,
    CardSetAside,
    CardStolen,
    DeclarationBegun,
    HandSeen,
    TaleClaimed,
    TalesRevealed,
    TributePaid,
    WindowAnswered,
)
from events.messages import Event, Seat, Viewpoint
from projections.inis.chronicle import told
from projections.inis.table import table_view
from tests.inis.table import ANN, BO, CY, RULES, Game, card, fight, part, state_with, turn
from tests.spec import context
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.steps.hands import ClaimTale, DrawTales, KeepTale

TABLES = 3
SPOKEN = (TalesRevealed, TaleClaimed)
"""Events that show cards to everybody."""
BETWEEN = (CardDiscarded, CardGiven, CardStolen, CardSetAside, HandSeen, TributePaid)
"""Events in which some see a card that is hidden from them afterwards."""


def played(seats: int, seed: int) -> Iterator[tuple[InisState, Sequence[Event]]]:
    """Play a random table; yield the state before each command, and its events."""
    chooser = random.Random(seed)
    state: InisState = RULES.initial(InisOptions(), seats)
    for event in RULES.open_(state, context(seed=chooser.randbytes(32))):
        state = RULES.evolve(state, event)
    while prompts := RULES.prompts(state):
        command = chooser.choice(RULES.legal_commands(state, chooser.choice(list(prompts))))
        events, after = RULES.step(state, command, context(seed=chooser.randbytes(32)))
        yield state, events
        state = after


def hidden_from(state: InisState, viewpoint: Viewpoint) -> list[str]:
    """Return all cards whose place a viewpoint does not know."""
    cards: list[str] = [*state.deck, *state.undealt, *state.pile]
    if state.aside is not None and state.aside_by != viewpoint:
        cards.append(state.aside)
    for seat, contender in enumerate(state.contenders):
        if seat != viewpoint:
            cards += [*contender.actions, *contender.tales]
            cards += state.draft.fronts[seat] if state.draft else ()
    for step in state.agenda:
        if isinstance(step, DrawTales | KeepTale) and step.seat != viewpoint:
            cards += step.drawn
    open_cards = [each for step in state.agenda if isinstance(step, ClaimTale) for _, each in step.tales]
    return [each for each in cards if each not in open_cards]


def knowing(event: Event) -> list[Viewpoint]:
    """Return who sees the card of an event between some."""
    seats: list[Viewpoint] = [getattr(event, name) for name in ("seat", "owner", "to") if hasattr(event, name)]
    return [*seats, *(giver for giver, _ in event.gifts)] if isinstance(event, TributePaid) else seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_told_names_no_hidden_card(seats: int) -> None:
    """Neither before the event nor after it is a card's place known that is told of."""
    for seed in range(TABLES):
        for before, events in played(seats, seed):
            state = before
            for event in events:
                after: InisState = RULES.evolve(state, event)
                for viewpoint in (None, *map(Seat, range(seats))):
                    if isinstance(event, SPOKEN) or (isinstance(event, BETWEEN) and viewpoint in knowing(event)):
                        continue
                    heard = to_json(told(state, event, viewpoint))
                    assert not [each for each in hidden_from(after, viewpoint) if f'"{each}"'.encode() in heard], event
                state = after


def seen(game: Game, viewpoint: Viewpoint) -> bytes:
    """Return all that a viewpoint sees of a game and is told of what happened last."""
    asked = {str(seat): str(prompt) for seat, prompt in RULES.asked(game.state).items()}  # type: ignore[attr-defined]
    return to_json([table_view(game.state, viewpoint), asked])


@pytest.mark.parametrize(
    ("held", "other"), [("geis", "druid"), ("the_dagda", "eriu"), ("lug_samildanach", "eriu")], ids=str
)
def test_a_window_does_not_tell_who_could_answer(held: str, other: str) -> None:
    """With and without the fitting card in Bo's hand, Cy and the spectator see the same, step by step."""
    worlds = [
        turn(clans={"cove": (1, 1, 1)}, hands={ANN: ["bard", "the_stone_of_fal"], BO: [name, "raid"]}, seats=4)
        for name in (held, other)
    ]
    names = ["bard"] if held != "the_dagda" else ["the_stone_of_fal"]
    for name in names:
        for game in worlds:
            game.play(ANN, name)
        while worlds[0].window:
            assert [game.window for game in worlds] == [worlds[0].window] * 2
            for viewpoint in (None, CY):
                assert seen(worlds[0], viewpoint) == seen(worlds[1], viewpoint)
            for game in worlds:
                game.answer()
            heard = [[told(game.state, event, CY) for event in game.events] for game in worlds]
            assert heard[0] == heard[1]
        assert seen(worlds[0], None) == seen(worlds[1], None)


def test_clash_windows_do_not_tell_either() -> None:
    """Removal, end of citadels and after a maneuver: who is asked follows from the numbers of cards."""
    worlds = [
        fight(state_with(clans={"forest": (2, 2), "moor": (0, 1)}, hands={ANN: [action], BO: [tale]}))
        for action, tale in (("bard", "the_dagdas_club"), ("citadel", "eriu"))
    ]
    for game in worlds:
        game.votes(ANN, end=False).attack(ANN, BO)
    while worlds[0].window:
        for viewpoint in (None, CY):
            assert seen(worlds[0], viewpoint) == seen(worlds[1], viewpoint)
        for game in worlds:
            game.answer()
    assert worlds[0].window == worlds[1].window


def test_an_answer_is_hidden_until_the_window_closes() -> None:
    """All stay asked, and nobody but the seat itself is told."""
    game = turn(clans={"cove": (1, 1, 1)}, hands={ANN: ["bard"], BO: ["geis"], CY: ["druid"]}).play(ANN, "bard")
    before = seen(game, ANN)
    state = game.state
    game.send(Respond(seat=BO, card=card("geis")))
    (event,) = game.events

    assert WindowAnswered(seat=BO, card=card("geis")) == event
    assert [None, None, None] == [told(state, event, viewpoint) for viewpoint in (None, ANN, CY)]
    assert [BO, CY] == list(RULES.asked(game.state))  # type: ignore[attr-defined]
    assert before == seen(game, ANN)


def test_a_declaration_is_hidden_until_it_is_confirmed() -> None:
    """Nobody learns which card it is, nor that it was taken back."""
    game = turn(clans={"cove": (2,)}, hands={ANN: ["migration"]})
    state = game.state
    event = DeclarationBegun(seat=ANN, card=card("migration"))

    assert (None, event) == (told(state, event, BO), told(state, event, ANN))


def test_standing_answers_close_a_window_at_once() -> None:
    """When every asked seat always passes there, the causing command closes it."""
    game = turn(clans={"cove": (1, 1)}, hands={ANN: ["bard"], BO: ["geis"]})
    passing = {Seat(seat): frozenset({"action_declared", "action_resolved", "turn_end"}) for seat in (ANN, BO)}
    always = replace(context(), standing=passing)
    events, after = RULES.step(game.state, game.legal(ANN)[0], always)

    assert "card_played" == events[0].__struct_config__.tag
    assert 1 == len(after.contenders[ANN].tales)
    assert after.plays == ()


def test_a_seat_with_a_standing_answer_is_shown_as_asked() -> None:
    """As long as somebody else has to answer."""
    hands = {ANN: ["sanctuary"], BO: ["geis"], CY: ["druid"]}
    game = turn(clans={"cove": (1, 1, 1)}, hands=hands).play(ANN, "sanctuary", part(territory="cove"))
    always = replace(context(), standing={BO: frozenset({"action_declared"})})
    assert [BO, CY] == list(RULES.asked(game.state))  # type: ignore[attr-defined]
    events, after = RULES.step(game.state, Respond(seat=CY), always)

    assert ["window_answered", "window_closed"] == [str(each.__struct_config__.tag) for each in events][:2]
    assert after.plays[-1:] == () or after.agenda
