"""The numbered rulings on the King tile (expansion, sections 6 and 8)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events.rounds import BrennAssigned, KingCrowned, PretendersReturned
from events.inis.events.seasons import KingsCrowned, KingTileTurned
from events.messages import Outcome, Seat
from tests.inis.table import ANN, BO, CY, DI, EXPANDED, Game, assembly, built, deeds, with_clans
from tests.seasons.table import SIX, expanded, more, options, quietly, season_state
from workers.inis.state import InisState

SIX_MORE = 6
"""Deeds that complete one more condition of a player who has nothing towards it."""


def claims(
    met: Sequence[int], *, tokens: str = "abc", brenn: Seat = CY, side: str = "want", keeping: str = "kept"
) -> InisState:
    """Return a state in which seats meet so many conditions, land first, and hold tokens as named."""
    opened = options("want_king", deeds=keeping)
    state = season_state(SIX, modules=("want_king",), options=opened, seats=len(met), brenn=brenn, capital=None)
    for name in SIX:
        state = with_clans(state, name, tuple(min(1, each) for each in met))
    for seat, each in enumerate(met):
        state = deeds(state, Seat(seat), SIX_MORE * max(0, each - 1), pretender="abcde"[seat] in tokens)
    return expanded(state, king_tile=side)


def end(game: Game) -> Outcome:
    """Return how the game ended."""
    outcome = EXPANDED.outcome(game.state)
    assert outcome is not None
    return outcome


def owned(game: Game) -> list[int]:
    return [each.deeds for each in game.state.contenders]


def test_ruling_12_a_tie_without_the_brenn_turns_the_tile() -> None:
    """Those who tie gain a deed each; tokens go back."""
    state = claims((2, 2, 1))
    game = assembly(state).calm()

    assert [KingTileTurned(seats=(ANN, BO))] == game.happened(KingTileTurned)
    assert [1, 1, 0] == [now - before.deeds for now, before in zip(owned(game), state.contenders, strict=True)]
    assert "need" == more(game.state).king_tile
    assert not any(each.pretender for each in game.state.contenders)
    assert game.state.draft


def test_ruling_12_all_who_tie_gain_a_deed() -> None:
    """Three of four do, the Brenn not among them; on the other side all three have won."""
    state = claims((2, 2, 2, 1), tokens="abcd", brenn=DI)
    game = assembly(state).calm()
    assert [KingTileTurned(seats=(ANN, BO, CY))] == game.happened(KingTileTurned)
    gained = [now - before.deeds for now, before in zip(owned(game), state.contenders, strict=True)]
    assert [1, 1, 1, 0] == gained

    game = assembly(expanded(state, king_tile="need")).calm()
    assert ((ANN, BO, CY), (DI,)) == end(game).ranking


def test_ruling_13_the_brenn_wins_a_tie_and_the_tile_stays() -> None:
    """As in the base game."""
    game = assembly(claims((2, 1, 2))).calm()

    assert [KingCrowned(seat=CY)] == game.happened(KingCrowned)
    assert "want" == more(game.state).king_tile
    assert "brenn_of_the_tied" == end(game).reason


def test_ruling_15_without_claims_the_tile_stays() -> None:
    """Nobody gains anything."""
    game = assembly(claims((0, 0, 0))).calm()

    assert [] == game.happened(KingTileTurned)
    assert [PretendersReturned()] == game.happened(PretendersReturned)
    assert ("want", [0, 0, 0]) == (more(game.state).king_tile, owned(game))


def test_ruling_16_without_claims_the_brenn_wins_at_last() -> None:
    """On the other side of the tile, with no token and no condition."""
    game = assembly(claims((0, 0, 0), tokens="", side="need")).calm()

    assert [KingsCrowned(seats=(CY,))] == game.happened(KingsCrowned)
    assert "brenn_without_claims" == end(game).reason
    assert ((CY,), (ANN, BO)) == end(game).ranking


def test_ruling_17_a_tie_is_shared_at_last() -> None:
    """Both have won."""
    game = assembly(claims((1, 1, 0), side="need")).calm()

    assert [KingsCrowned(seats=(ANN, BO))] == game.happened(KingsCrowned)
    assert "shared_crown" == end(game).reason
    assert ((ANN, BO), (CY,)) == end(game).ranking
    assert "over" == game.state.phase


def test_a_crown_shared_by_all_leaves_nobody_behind() -> None:
    """Where the Brenn ties, the Brenn alone wins."""
    game = assembly(claims((1, 1, 1), side="need")).calm()

    assert [KingCrowned(seat=CY)] == game.happened(KingCrowned)


def test_ruling_19_the_brenn_of_the_last_check_is_the_new_one() -> None:
    """The capital changed hands, and A1 comes first."""
    state = claims((0, 0, 0, 0), tokens="", brenn=ANN, side="need")
    state = with_clans(replace(state, capital=next(iter(state.lands))), "cove", (0, 0, 0, 2))
    state = replace(state, lands={**state.lands, state.capital: replace(state.lands[state.capital], citadels=1)})  # type: ignore[index]
    game = assembly(replace(state, citadels=state.citadels)).calm()

    assert [BrennAssigned(seat=DI)] == game.happened(BrennAssigned)
    assert [KingsCrowned(seats=(DI,))] == game.happened(KingsCrowned)


def test_ruling_20_only_pretenders_count_in_the_last_check() -> None:
    """Three conditions without a token lose to one with it."""
    game = assembly(claims((1, 3, 0), tokens="a", side="need")).calm()

    assert [KingCrowned(seat=ANN)] == game.happened(KingCrowned)
    assert "most_conditions" == end(game).reason


def test_ruling_21_the_game_ends_in_the_round_after_the_turn() -> None:
    """Whatever happens in between."""
    game = assembly(claims((2, 2, 1))).calm()
    turned = game.state.round
    quietly(game, lambda now: now.state.phase == "over")

    assert turned + 1 == game.state.round


def test_ruling_105_deeds_are_spent_before_any_is_gained() -> None:
    """Ann needed a deed for her condition; it is gone, and both hold the new one."""
    state = claims((1, 1, 0), tokens="ab", keeping="single_use")
    plains = replace(state.lands[next(reversed(list(state.lands)))], clans=(0, 1, 0))
    contenders = (replace(state.contenders[ANN], deeds=1, reserve=7), *state.contenders[1:])
    state = replace(state, lands={**state.lands, plains.id: plains}, contenders=contenders)
    assert (1, 1) == (state.conditions_met(ANN), state.deeds_needed(ANN))
    game = assembly(state).calm()

    assert [1, 1, 0] == owned(game)
    assert "need" == more(game.state).king_tile


def test_ruling_105_the_deed_gained_is_not_spent_at_once() -> None:
    """It would complete a second condition of Ann and of Bo, but comes too late for this check (section 6)."""
    state = claims((1, 1, 0), tokens="ab", keeping="single_use")
    plains = replace(state.lands[next(reversed(list(state.lands)))], clans=(0, 1, 0))
    contenders = (replace(state.contenders[ANN], deeds=1, reserve=7), *state.contenders[1:])
    state = replace(state, lands={**state.lands, plains.id: plains}, contenders=contenders)
    state = built(state, "cove", sanctuaries=5)
    assert ([1, 1, 6], [0, 1, 6]) == (state.shortfalls(ANN), state.shortfalls(BO))
    game = assembly(state).calm()

    assert [1, 1, 0] == owned(game)


def test_a_lone_claim_wins_on_either_side() -> None:
    """The tile matters for ties, and for nobody at all."""
    for side in ("want", "need"):
        game = assembly(claims((2, 1, 1), side=side)).calm()
        assert [KingCrowned(seat=ANN)] == game.happened(KingCrowned)
