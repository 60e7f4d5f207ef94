"""What the game becomes by offerings and runes."""

from __future__ import annotations

from msgspec.structs import replace

from events.inori.events import (
    AltarPlaced,
    NeutralPlaced,
    OfferedToCard,
    OfferedToTree,
    PieceChosen,
    PieceLaidAside,
    PieceMoved,
    PieceReleased,
    PointsScored,
    RootTokensTaken,
    RuneDrawn,
    RuneMissed,
    RunePlayed,
    TokensGained,
    TokensPaid,
    TurnEnded,
)
from events.inori.vocabulary import TreeSpaceId
from workers.inori.evolve.shared import counted, done, pieces_on, turn_over, with_agenda, with_pieces
from workers.inori.state import InoriState, Move, MoveTo, Spot, Ward
from workers.inori.steps import steps_of_card_space, steps_of_rune, steps_of_tree_space, tree_effects


def offered_to_card(state: InoriState, event: OfferedToCard) -> InoriState:
    chief = state.acting
    pieces = (*pieces_on(state.slots, event.card, event.space), event.seat)
    steps = steps_of_card_space(state.catalogue.cards[event.card].spaces[event.space - 1])
    slots = with_pieces(state.slots, event.card, event.space, pieces)
    return done(state, replace(chief, left=chief.left - 1), *steps, slots=slots)


def offered_to_tree(state: InoriState, event: OfferedToTree) -> InoriState:
    chief = state.acting
    place, spot = _spot(state, event.space)
    steps = steps_of_tree_space(state, state.catalogue.tree[place], spot)
    tree = _with_spot(state, place, replace(spot, pieces=(*spot.pieces, event.seat)))
    return done(state, replace(chief, left=chief.left - 1), *steps, tree=tree)


def piece_laid_aside(state: InoriState, _event: PieceLaidAside) -> InoriState:
    chief = state.acting
    return done(state, replace(chief, left=chief.left - 1, aside=chief.aside + 1))


def rune_played(state: InoriState, event: RunePlayed) -> InoriState:
    chief = state.acting
    played = replace(chief, runes=tuple([rune for rune in chief.runes if rune != event.rune]))
    agenda = (*steps_of_rune(state.rune(event.rune)), *state.agenda)
    discard = (*state.rune_discard, event.rune)
    return with_agenda(state, played, agenda, rune_played=True, released=False, rune_discard=discard)


def piece_chosen(state: InoriState, event: PieceChosen) -> InoriState:
    """The Move rune just played lies on top of the discard."""
    rune = state.rune_discard[-1]
    return done(state, state.acting, MoveTo(rune=rune, owner=event.owner, card=event.card, space=event.space))


def piece_released(state: InoriState, _event: PieceReleased) -> InoriState:
    return done(state, state.acting, Move(rune=state.rune_discard[-1]), released=True)


def piece_moved(state: InoriState, event: PieceMoved) -> InoriState:
    left = list(pieces_on(state.slots, event.card, event.space))
    left.remove(event.owner)
    slots = with_pieces(state.slots, event.card, event.space, left)
    return done(state, state.acting, slots=with_pieces(slots, event.to_card, event.to_space, (event.owner,)))


def tokens_paid(state: InoriState, event: TokensPaid) -> InoriState:
    chief = state.acting
    paid = replace(chief, tokens=counted(chief.tokens, event.tokens, -1))
    return done(state, paid, supply=counted(state.supply, event.tokens, 1))


def altar_placed(state: InoriState, event: AltarPlaced) -> InoriState:
    place, spot = _spot(state, event.space)
    steps = tree_effects(state, state.catalogue.tree[place], event.colour)
    return done(state, state.acting, *steps, tree=_with_spot(state, place, replace(spot, altar=event.colour)))


def tokens_gained(state: InoriState, event: TokensGained) -> InoriState:
    chief = state.acting
    gained = replace(chief, tokens=counted(chief.tokens, event.tokens, 1))
    return done(state, gained, supply=counted(state.supply, event.tokens, -1))


def root_tokens_taken(state: InoriState, event: RootTokensTaken) -> InoriState:
    chief = state.acting
    place, spot = _spot(state, event.space)
    taken = replace(chief, tokens=counted(chief.tokens, event.tokens, 1))
    return done(state, taken, tree=_with_spot(state, place, replace(spot, tokens=())))


def rune_drawn(state: InoriState, event: RuneDrawn) -> InoriState:
    chief = state.acting
    held = {*chief.runes, event.rune}
    runes = tuple([rune for rune in state.catalogue.runes if rune in held])
    return done(state, replace(chief, runes=runes), rune_pile=state.rune_pile[1:])


def rune_missed(state: InoriState, _event: RuneMissed) -> InoriState:
    return done(state, state.acting)


def points_scored(state: InoriState, event: PointsScored) -> InoriState:
    chief = state.acting
    return done(state, replace(chief, offerings=chief.offerings + event.points))


def neutral_placed(state: InoriState, event: NeutralPlaced) -> InoriState:
    step = state.agenda[0]
    left = step.left - 1 if isinstance(step, Ward) else 0
    slots = with_pieces(state.slots, event.card, event.space, (None,))
    steps = (Ward(left=left),) if left else ()
    return done(state, state.acting, *steps, slots=slots, neutrals=state.neutrals - 1)


def turn_ended(state: InoriState, _event: TurnEnded) -> InoriState:
    return turn_over(state, state.chiefs)


def _spot(state: InoriState, space: TreeSpaceId) -> tuple[int, Spot]:
    place = next(place for place, each in enumerate(state.catalogue.tree) if each.id == space)
    return place, state.tree[place]


def _with_spot(state: InoriState, place: int, spot: Spot) -> tuple[Spot, ...]:
    return (*state.tree[:place], spot, *state.tree[place + 1 :])
