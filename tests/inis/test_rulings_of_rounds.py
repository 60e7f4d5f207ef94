"""The numbered rulings on set-up, Assembly, Season and victory (rules, section 9)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from events.inis.commands import Choose, KeepCards, PassTurn, PlayCard, TakePretender
from events.inis.events.board import ClanPlaced
from events.inis.events.rounds import (
    BrennAssigned,
    DeedReturned,
    KingCrowned,
    PretendersReturned,
    PretenderTaken,
    SeasonEnded,
)
from events.inis.vocabulary import CardId, TerritoryId
from events.messages import Seat
from tests.inis.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    RULES,
    Game,
    assembly,
    built,
    card,
    deeds,
    here,
    part,
    state_with,
    turn,
    with_clans,
)
from tests.spec import context
from workers.inis.state import InisState
from workers.inis.state.options import InisOptions
from workers.inis.steps.rounds import DealActions, DraftCards, EndAssembly

FOUR = {"emissaries", "master_craftsman", "raid", "scouts_spies"}


def opened(seats: int, seed: bytes = bytes(32)) -> Game:
    """Return a new game with all clans of set-up placed, at its first draft."""
    state: InisState = RULES.initial(InisOptions(), seats)
    for event in RULES.open_(state, context(seed=seed)):
        state = RULES.evolve(state, event)
    game = Game(state)
    while not game.state.draft:
        seat = game.asked[0]
        game.send(game.legal(seat)[0])
    return game


@pytest.mark.parametrize("seats", [2, 3])
def test_ruling_1_fewer_than_four_players_have_thirteen_action_cards(seats: int) -> None:
    """None of the cards for four is among them."""
    deck = CATALOGUE.action_deck(seats)

    assert 13 == len(deck)
    assert not FOUR & set(deck)


def test_ruling_3_two_players_end_the_draft_with_six_cards() -> None:
    """One is set aside, none is left."""
    game = opened(2)
    while game.state.draft:
        game.send(game.legal(game.asked[0])[0])
    state = game.state

    assert [6, 6] == [len(each.actions) for each in state.contenders]
    assert state.aside is not None
    assert ((), ()) == (state.pile, state.undealt)


def test_ruling_4_cards_of_the_first_draft_stay() -> None:
    """The second draft is about its own cards."""
    game = opened(2)
    while not game.state.contenders[ANN].actions:
        game.send(game.legal(game.asked[0])[0])
    fixed = game.state.contenders[ANN].actions

    assert 3 == len(fixed)
    game.refuses(KeepCards(seat=ANN, cards=fixed[:1]), "card_not_in_front")


def test_ruling_5_a_card_kept_earlier_may_be_passed_on() -> None:
    """In the second pass any two of the four are kept."""
    game = opened(3)
    draft = game.state.draft
    assert draft is not None
    held = draft.fronts[ANN][0]
    game.keep(ANN, held)
    for seat in (BO, CY):
        game.send(game.legal(seat)[0])
    draft = game.state.draft
    assert draft is not None
    assert held in draft.fronts[ANN]
    kept = [each for each in draft.fronts[ANN] if each != held][:2]
    game.keep(ANN, *kept)

    assert game.state.draft is not None
    assert tuple(kept) == game.state.draft.kept[ANN]


def test_ruling_7_the_brenn_changes_in_the_assembly_only() -> None:
    """Whoever leads in the capital meanwhile."""
    game = turn(clans={"cove": (2, 1)}, hands={ANN: ["new_clans"]}, brenn=BO)
    game.play(ANN, "new_clans", part(territory="cove"), part(territory="cove")).calm()
    assert BO == game.state.brenn
    game = assembly(game.state).calm()

    assert [BrennAssigned(seat=ANN)] == game.happened(BrennAssigned)


def lost_forest() -> Game:
    """Ann holds Forest, and is no longer its chieftain."""
    return turn(clans={"forest": (1, 1), "cove": (1, 0, 1)}, hands={ANN: ["forest", "bard"]})


def test_ruling_8_an_advantage_card_stays_when_the_lead_is_lost() -> None:
    """It can still be played: here after a tale."""
    game = turn(clans={"forest": (1, 2), "cove": (1,)}, hands={ANN: ["forest", "the_stone_of_fal"]})
    game.play(ANN, "the_stone_of_fal").calm("epic_played").answer(ann="forest")

    assert card("forest") not in game.state.contenders[ANN].advantages


def test_ruling_9_it_goes_back_when_the_season_ends() -> None:
    """Face up, beside the board."""
    game = lost_forest()
    game.passes(ANN)
    for _ in range(2):
        game.calm().passes(game.asked[0])
    game.calm()

    assert game.happened(SeasonEnded)
    assert card("forest") in game.state.face_up
    assert not game.state.contenders[ANN].advantages


def test_ruling_11_the_first_turn_of_a_season_plays_a_card() -> None:
    """Neither a pass nor a pretender token."""
    game = turn(clans={"cove": (3,)}, hands={ANN: ["bard"]}, opening=True)
    game.refuses(PassTurn(seat=ANN), "first_turn_plays_a_card")
    game.refuses(TakePretender(seat=ANN), "first_turn_plays_a_card")

    assert [PlayCard(seat=ANN, card=card("bard"))] == list(game.legal(ANN))


def test_ruling_12_who_passed_may_play_later() -> None:
    """When the turn comes round again."""
    clans = {"cove": (1, 1, 1)}
    game = turn(clans=clans, hands={ANN: ["bard"], BO: ["sanctuary"]})
    game.passes(ANN).calm().play(BO, "sanctuary", part(territory="cove")).calm().passes(CY).calm()

    assert PlayCard(seat=ANN, card=card("bard")) in game.legal(ANN)


def test_ruling_13_a_pretender_token_restarts_the_count_of_passes() -> None:
    """Two passes before it count no longer."""
    game = turn(("cove", "forest", "valley", "moor", "hills", "plains"), clans=_everywhere(CY))
    game.passes(ANN).calm().passes(BO).calm().pretends(CY)
    assert [PretenderTaken(seat=CY)] == game.happened(PretenderTaken)
    game.calm()

    assert ([ANN], ()) == (game.asked, game.state.passed)


def _everywhere(seat: int) -> dict[str, tuple[int, ...]]:
    """Return a clan in six territories for one seat, and one in the first for the others."""
    clans = {
        name: tuple(int(each == seat) for each in range(3)) for name in ("forest", "valley", "moor", "hills", "plains")
    }
    return {"cove": (1, 1, 1), **clans}


def test_ruling_14_who_has_no_clans_returns_a_deed_and_places_two() -> None:
    """Then comes a normal turn."""
    game = _no_clans(2)

    assert [DeedReturned(seat=BO)] == game.happened(DeedReturned)
    assert 1 == game.state.contenders[BO].deeds


def test_ruling_15_without_deeds_nothing_is_lost() -> None:
    """Two clans are placed all the same."""
    game = _no_clans(0)

    assert [] == game.happened(DeedReturned)


def _no_clans(owned: int) -> Game:
    game = Game(deeds(state_with(clans={"cove": (1, 0, 1)}, hands={BO: ["bard"]}), BO, owned))
    game.passes(ANN)
    returned = game.calm().happened(DeedReturned)
    game.choose(BO, territory="moor").choose(BO, territory="forest")
    assert (1, 1) == (game.clans("moor")[BO], game.clans("forest")[BO])
    assert PassTurn(seat=BO) in game.legal(BO)
    assert PlayCard(seat=BO, card=card("bard")) in game.legal(BO)
    game.events = [*returned, *game.events]
    return game


def test_ruling_39_druid_needs_another_action_card() -> None:
    """Geis will do."""
    game = turn(clans={"cove": (1,)}, hands={ANN: ["druid", "geis"]})
    game.play(ANN, "druid").calm()

    assert [part(card=each) for each in game.state.pile] == [
        each.part for each in game.legal(ANN) if isinstance(each, Choose)
    ]


def test_ruling_43_the_swamp_is_no_capital() -> None:
    """It is not offered."""
    found = 0
    for number in range(30):
        state: InisState = RULES.initial(InisOptions(), 4)
        for event in RULES.open_(state, context(seed=bytes([number] * 32))):
            state = RULES.evolve(state, event)
        offered = [each.part.territory for each in RULES.legal_commands(state, state.brenn)]  # type: ignore[attr-defined]
        assert here("swamp") not in offered
        found += "swamp" in state.lands

    assert found


MANY_DEEDS = 12
"""Enough to complete whatever a condition lacks."""


def pretenders(*met: int, owned: tuple[int, int, int] = (0, 0, 0), brenn: Seat = ANN, claims: str = "abc") -> InisState:
    """Return a state in which the seats meet the land condition or not, and hold tokens as ``claims`` names them."""
    tiles = ("cove", "forest", "valley", "moor", "hills", "plains")
    state = state_with(tiles, brenn=brenn, capital=None)
    for name in tiles:
        state = with_clans(state, name, tuple(int(bool(each)) for each in met))
    for seat, letter in enumerate("abc"):
        state = deeds(state, Seat(seat), owned[seat], pretender=letter in claims)
    return replace(state, capital=None)


def test_ruling_65_a_deed_completes_one_condition() -> None:
    """Land lacks one, religion two."""
    state = built(state_with(("cove", "forest", "valley", "moor", "hills"), capital=None), "cove", sanctuaries=4)
    for name in ("cove", "forest", "valley", "moor", "hills"):
        state = with_clans(state, name, (1,))
    state = deeds(state, ANN, 2)

    assert (0, 5, 4) == state.conditions(ANN)
    assert (1, 1) == (state.conditions_met(ANN), state.deeds_needed(ANN))


def test_ruling_67_a_deed_is_used_once_in_a_check() -> None:
    """Two conditions lack one each, and there is one deed."""
    state = built(state_with(("cove", "forest", "valley", "moor", "hills"), capital=None), "cove", sanctuaries=5)
    for name in ("cove", "forest", "valley", "moor", "hills"):
        state = with_clans(state, name, (1,))
    state = deeds(state, ANN, 1)

    assert (0, 5, 5) == state.conditions(ANN)
    assert 1 == state.conditions_met(ANN)


def test_ruling_68_the_brenn_wins_a_tie() -> None:
    """Having a token too."""
    game = assembly(pretenders(1, 1, 0, claims="ab", brenn=BO)).calm()

    assert [KingCrowned(seat=BO)] == game.happened(KingCrowned)
    assert "brenn_of_the_tied" == getattr(RULES.outcome(game.state), "reason", None)


def test_ruling_69_a_tie_without_the_brenn_has_no_winner() -> None:
    """Tokens go back, and the round goes on."""
    game = assembly(pretenders(1, 1, 0, claims="ab", brenn=CY)).calm()

    assert [PretendersReturned()] == game.happened(PretendersReturned)
    assert not any(each.pretender for each in game.state.contenders)
    assert game.state.draft


def test_ruling_71_only_a_pretender_wins() -> None:
    """Whatever the others meet: three conditions without a token lose to one with it."""
    state = pretenders(1, 1, 0, owned=(MANY_DEEDS, 0, 0), claims="b")
    game = assembly(state).calm()

    assert (3, 1) == (state.conditions_met(ANN), state.conditions_met(BO))
    assert [KingCrowned(seat=BO)] == game.happened(KingCrowned)
    assert "most_conditions" == getattr(RULES.outcome(game.state), "reason", None)


def test_ruling_72_nobody_holds_two_tokens() -> None:
    """The second is refused."""
    state = state_with(("cove", "forest", "valley", "moor", "hills", "plains"), clans=_everywhere(ANN))
    Game(deeds(state, ANN, 0, pretender=True)).refuses(TakePretender(seat=ANN), "already_pretender")


@pytest.mark.parametrize("first_brenn", ["setup", "capital"])
def test_ruling_101_the_first_brenn_stays_for_the_first_round(first_brenn: str) -> None:
    """Unless the table chose otherwise; in round 2 the chieftain of the capital is Brenn in any case."""
    options = InisOptions(first_brenn="setup" if first_brenn == "setup" else "capital")
    state = replace(state_with(clans={"cove": (0, 2)}, options=options), round=0, brenn=ANN)
    game = assembly(state)
    assert (ANN if first_brenn == "setup" else BO) == game.state.brenn
    game = assembly(replace(game.state, agenda=(), draft=None, aside=None, pile=CATALOGUE.action_deck(3)))

    assert (2, BO) == (game.state.round, game.state.brenn)


def test_a_deed_that_helped_in_vain_is_spent() -> None:
    """With single use, the default; with ``kept`` it stays (rules, section 7)."""
    spent = {}
    for option in ("single_use", "kept"):
        state = pretenders(1, 1, 0, owned=(0, 0, 0), claims="ab", brenn=CY)
        plains = replace(state.lands[here("plains")], clans=(0, 0, 0))
        contenders = tuple(
            replace(each, reserve=each.reserve + (seat < 2), deeds=2 if seat < 2 else 3)
            for seat, each in enumerate(state.contenders)
        )
        options = InisOptions(deeds="kept" if option == "kept" else "single_use")
        state = replace(state, lands={**state.lands, plains.id: plains}, contenders=contenders, options=options)
        spent[option] = [each.deeds for each in assembly(state).calm().state.contenders]

    assert {"single_use": [1, 1, 3], "kept": [2, 2, 3]} == spent


def test_no_condition_no_token() -> None:
    """A token needs a condition met now."""
    turn(clans={"cove": (1,)}).refuses(TakePretender(seat=ANN), "no_condition_met")


def test_taking_a_token_counts_deeds_and_spends_none() -> None:
    """Five territories and a deed will do (rules, section 7)."""
    tiles = ("cove", "forest", "valley", "moor", "hills")
    state = deeds(state_with(tiles, clans=dict.fromkeys(tiles, (1,))), ANN, 1)
    game = Game(state).pretends(ANN)

    assert 1 == game.state.contenders[ANN].deeds


def test_all_passes_in_a_row_end_the_season() -> None:
    """And a new Assembly begins, with a draft."""
    game = turn(clans={"cove": (1, 1, 1)})
    for seat in (ANN, BO, CY):
        game.passes(seat).calm()

    assert game.happened(SeasonEnded)
    assert game.state.draft


def test_a_restart_in_the_middle_of_a_draft_keeps_the_picks() -> None:
    """The history alone gives the same state, and the same cards come afterwards."""
    for seats in (2, 3, 4):
        first: InisState = RULES.initial(InisOptions(), seats)
        history = list(RULES.open_(first, context()))
        state = first
        for event in history:
            state = RULES.evolve(state, event)
        number = 0
        while not (state.draft and state.draft.turn == 2 and any(state.draft.kept)):
            number += 1
            seat = next(iter(RULES.prompts(state)))
            events, state = RULES.step(state, RULES.legal_commands(state, seat)[-1], context(version=number))
            history += events
        again = first
        for event in history:
            again = RULES.evolve(again, event)

        assert state == again
        seat = next(iter(RULES.prompts(state)))
        choice = RULES.legal_commands(state, seat)[0]
        assert RULES.step(state, choice, context()) == RULES.step(again, choice, context())


def test_the_draft_goes_on_the_way_the_crows_say() -> None:
    """Each passes to the next in turn order (rules, section 3.1, A6)."""
    for direction, receiver in (("clockwise", BO), ("counterclockwise", CY)):
        game = opened(3)
        game.state = replace(game.state, direction=direction)
        draft = game.state.draft
        assert draft is not None
        passed = draft.fronts[ANN][1:]
        for seat in (ANN, BO, CY):
            game.send(game.legal(seat)[0])
        assert game.state.draft is not None

        assert set(passed) <= set(game.state.draft.fronts[receiver])


def test_the_assembly_is_made_of_these_steps() -> None:
    """Two players draft twice, others once."""
    two, three = (assembly(replace(state_with(seats=seats), brenn=ANN)) for seats in (2, 3))
    kinds = [type(step) for step in two.state.agenda]

    assert 2 == kinds.count(DraftCards)
    assert 1 == [type(step) for step in three.state.agenda].count(DraftCards)
    assert DealActions not in kinds
    assert EndAssembly is kinds[-1]


def test_who_has_clans_places_none() -> None:
    """The rule of section 3.2, S1, is for those without."""
    game = turn(clans={"cove": (1, 1, 1)}).passes(ANN).calm()

    assert [] == game.happened(ClanPlaced)


def test_a_card_without_a_chieftain_lies_face_up() -> None:
    """Whoever still holds it at the awards gives it back (rules, section 3.1, A3)."""
    state = state_with(("cove", "valley"), clans={"valley": (2, 2)}, capital=None)
    held = replace(state.contenders[BO], advantages=(CardId("valley"),))
    face_up = tuple(card for card in state.face_up if card != "valley")
    contenders = (state.contenders[ANN], held, *state.contenders[2:])
    game = assembly(replace(state, contenders=contenders, face_up=face_up)).calm()

    assert game.state.lands[TerritoryId("valley")].chieftain is None
    assert CardId("valley") not in game.state.contenders[BO].advantages
    assert CardId("valley") in game.state.face_up
