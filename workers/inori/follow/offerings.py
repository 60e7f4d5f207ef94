"""What an offering or a rune brings by itself, and its questions that leave no choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from events.chance import Chance
from events.inori.commands import OfferToCard
from events.inori.events import (
    AltarPlaced,
    InoriEvent,
    NeutralPlaced,
    OfferedToCard,
    OfferedToTree,
    PieceChosen,
    PieceLaidAside,
    PieceMoved,
    PointsScored,
    RootTokensTaken,
    RuneDrawn,
    RuneMissed,
    RunesShuffled,
    TokensGained,
    TokensPaid,
)
from events.inori.vocabulary import (
    PLACE,
    CardId,
    Colour,
    Cost,
    DrawRunes,
    Gain,
    ScoreMajority,
    ScorePer,
    ScorePoints,
    ScoreUnique,
)
from events.messages import Seat
from workers.inori.legal import gifts, offerings
from workers.inori.moves import goals, movable
from workers.inori.scoring import points_of
from workers.inori.state import (
    Altar,
    EmptyRoot,
    Gift,
    InoriState,
    LateRune,
    Least,
    Move,
    MoveTo,
    NewStart,
    Offer,
    PayMaj,
    Step,
    Ward,
)


def tokens_there(state: InoriState, tokens: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """Return those tokens that the supply can give (rules, section 3.4)."""
    if all(state.supply[PLACE[colour]] >= len(tokens) for colour in tokens):
        return tokens
    left = list(state.supply)
    given = []
    for colour in tokens:
        if left[PLACE[colour]]:
            left[PLACE[colour]] -= 1
            given.append(colour)
    return tuple(given)


# Costs and effects


def pay(_state: InoriState, seat: Seat, step: Cost, _chance: Chance) -> InoriEvent:
    """Return tokens to the supply; a cost on the agenda names its colour (rules, sections 3.4 and 3.5)."""
    if step.colour is None:
        raise AssertionError("a cost in any colour is a question")
    return TokensPaid(seat=seat, tokens=(step.colour,) * step.amount)


def gain(state: InoriState, seat: Seat, step: Gain, _chance: Chance) -> InoriEvent:
    return TokensGained(seat=seat, tokens=tokens_there(state, step.tokens))


def draw_rune(state: InoriState, seat: Seat, _step: DrawRunes, chance: Chance) -> InoriEvent:
    """Draw the top rune; an empty pile is made anew of the discard, if there is one (rules, section 3.6)."""
    if state.rune_pile:
        return RuneDrawn(seat=seat, rune=state.rune_pile[0])
    if state.rune_discard:
        return RunesShuffled(pile=chance.shuffle(state.rune_discard))
    return RuneMissed(seat=seat)


def score(
    state: InoriState, seat: Seat, step: ScorePoints | ScoreUnique | ScorePer | ScoreMajority, _chance: Chance
) -> InoriEvent:
    return PointsScored(seat=seat, points=points_of(step, state.chiefs[seat]))


def empty_root(_state: InoriState, seat: Seat, step: EmptyRoot, _chance: Chance) -> InoriEvent:
    return RootTokensTaken(seat=seat, space=step.space, tokens=step.tokens)


# Questions that leave no choice


def offer_the_only(state: InoriState, seat: Seat, _step: Offer, _chance: Chance) -> InoriEvent | None:
    """With no rune at all, make the only offering, or pass where there is none (rules, section 3.9, OFFER)."""
    if state.chiefs[seat].runes:
        return None
    found = list(islice(offerings(state, seat), 2))
    if len(found) > 1:
        return None
    if not found:
        return PieceLaidAside(seat=seat)
    only = found[0]
    if isinstance(only, OfferToCard):
        return OfferedToCard(seat=seat, card=only.card, space=only.space)
    return OfferedToTree(seat=seat, space=only.space)


def choose_the_only_piece(state: InoriState, seat: Seat, step: Move, _chance: Chance) -> InoriEvent | None:
    """The rune lies face up already, so it tells nothing that there is no choice."""
    pieces = movable(state, state.rune(step.rune))
    if len(pieces) > 1:
        return None
    owner, card, space = pieces[0]
    return PieceChosen(seat=seat, owner=owner, card=card, space=space)


def move_to_the_only(state: InoriState, seat: Seat, step: MoveTo, _chance: Chance) -> InoriEvent | None:
    spaces = goals(state, state.rune(step.rune), step.card)
    return None if len(spaces) > 1 else moved(seat, step, *spaces[0])


def moved(seat: Seat, step: MoveTo, to_card: CardId, to_space: int) -> PieceMoved:
    """Return the event that the piece chosen goes to a space."""
    return PieceMoved(seat=seat, owner=step.owner, card=step.card, space=step.space, to_card=to_card, to_space=to_space)


def pay_majority(state: InoriState, seat: Seat, step: PayMaj, _chance: Chance) -> InoriEvent | None:
    most = state.chiefs[seat].most
    return None if len(most) > 1 else TokensPaid(seat=seat, tokens=most * step.amount)


def place_the_last_altar(state: InoriState, seat: Seat, step: Altar, _chance: Chance) -> InoriEvent | None:
    left = state.altars_left
    return None if len(left) > 1 else AltarPlaced(seat=seat, space=step.space, colour=left[0])


def gain_least(state: InoriState, seat: Seat, step: Least, _chance: Chance) -> InoriEvent | None:
    fewest = state.chiefs[seat].fewest
    if len(fewest) > 1:
        return None
    return TokensGained(seat=seat, tokens=tokens_there(state, fewest * step.amount))


def take_the_only_gift(state: InoriState, seat: Seat, step: Gift, _chance: Chance) -> InoriEvent | None:
    found = list(islice(gifts(state, step.amount), 2))
    return None if len(found) > 1 else TokensGained(seat=seat, tokens=found[0])


def place_neutrals_everywhere(state: InoriState, seat: Seat, step: Ward, _chance: Chance) -> InoriEvent | None:
    """As many pieces as empty spaces leave no choice (rules, section 3.9, WARD)."""
    if len(state.empty_spaces) > step.left:
        return None
    card, space = state.empty_spaces[0]
    return NeutralPlaced(seat=seat, card=card, space=space)


def ask(_state: InoriState, _seat: Seat, _step: Step, _chance: Chance) -> InoriEvent | None:
    """Wait for an answer: whether a held rune can be played is its owner's secret (rules, section 3.2)."""
    return None


STEPS: Final[Mapping[type[Step], Callable[[InoriState, Seat, Any, Chance], InoriEvent | None]]] = {
    Offer: offer_the_only,
    Move: choose_the_only_piece,
    MoveTo: move_to_the_only,
    PayMaj: pay_majority,
    Altar: place_the_last_altar,
    Least: gain_least,
    Gift: take_the_only_gift,
    Ward: place_neutrals_everywhere,
    LateRune: ask,
    NewStart: ask,
    Cost: pay,
    Gain: gain,
    DrawRunes: draw_rune,
    ScoreUnique: score,
    ScorePer: score,
    ScoreMajority: score,
    ScorePoints: score,
    EmptyRoot: empty_root,
}
