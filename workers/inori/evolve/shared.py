"""What applying several events has in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from events.inori.vocabulary import PLACE, CardId, Colour, Owner
from events.messages import Seat
from workers.inori.state import TURN, Agenda, Chief, InoriState, LateRune, Slot


def changed(chiefs: tuple[Chief, ...], seat: Seat, chief: Chief) -> tuple[Chief, ...]:
    return (*chiefs[:seat], chief, *chiefs[seat + 1 :])


def done(state: InoriState, chief: Chief, *steps: Any, **changes: Any) -> InoriState:  # noqa: ANN401  fields of the state
    """Return the state with the first step of the agenda done by the acting chief, and others in its place."""
    return with_agenda(state, chief, (*steps, *state.agenda[1:]), **changes)


def with_agenda(state: InoriState, chief: Chief, agenda: Agenda, **changes: Any) -> InoriState:  # noqa: ANN401  fields
    """Return the state with that agenda; a late window nobody may use does not open, and the turn is over."""
    chiefs = changed(state.chiefs, state.turn, chief)
    if isinstance(agenda[0], LateRune) and not (chief.runes and state.may_play_runes):
        return turn_over(state, chiefs, **changes)
    return replace(state, chiefs=chiefs, agenda=agenda, **changes)


def turn_over(state: InoriState, chiefs: tuple[Chief, ...], **changes: Any) -> InoriState:  # noqa: ANN401  fields
    """Return the state in the turn of the next chief with a piece left or, without one, at the season's end."""
    at = state.order.index(state.turn)
    for seat in (*state.order[at + 1 :], *state.order[: at + 1]):
        if chiefs[seat].left:
            return replace(state, chiefs=chiefs, turn=seat, agenda=TURN, rune_played=False, **changes)
    return replace(state, chiefs=chiefs, agenda=(), phase="season_score", rune_played=False, complete=(), **changes)


def counted(counts: Sequence[int], tokens: Sequence[Colour], by: int) -> tuple[int, ...]:
    """Return counts of tokens by colour after some came (1) or went (-1)."""
    after = list(counts)
    for colour in tokens:
        after[PLACE[colour]] += by
    return tuple(after)


def with_pieces(slots: tuple[Slot, ...], card: CardId, space: int, pieces: Sequence[Owner]) -> tuple[Slot, ...]:
    """Return the cards in play with other pieces on a space."""
    return tuple(
        [
            Slot(card, (*slot.pieces[: space - 1], tuple(pieces), *slot.pieces[space:])) if slot.card == card else slot
            for slot in slots
        ]
    )


def pieces_on(slots: tuple[Slot, ...], card: CardId, space: int) -> tuple[Owner, ...]:
    return next(slot.pieces[space - 1] for slot in slots if slot.card == card)
