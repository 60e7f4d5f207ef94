"""What a chief's wish causes, and what follows from it until somebody is asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events.inori.commands import (
    ChooseAltar,
    ChooseLeast,
    ChooseNewStart,
    ChoosePiece,
    EndTurn,
    LayPieceAside,
    MovePiece,
    OfferToCard,
    OfferToTree,
    PayMajority,
    PlaceNeutral,
    PlayRune,
    ReleasePiece,
    TakeGift,
)
from events.inori.events import (
    AltarPlaced,
    InoriEvent,
    NeutralPlaced,
    NewStartPlaced,
    OfferedToCard,
    OfferedToTree,
    PieceChosen,
    PieceLaidAside,
    PieceReleased,
    RunePlayed,
    TokensGained,
    TokensPaid,
    TurnEnded,
)
from events.inori.vocabulary import COLOURS, PLACE, CardId, Colour, Cost
from events.messages import Command, Seat, SeatCommand
from workers.inori.follow import follow
from workers.inori.follow.offerings import moved, tokens_there
from workers.inori.legal import can_offer, can_pay, cost_of, gift_size, is_closed, is_playable, share_rune
from workers.inori.moves import goals, is_named, movable
from workers.inori.state import (
    Altar,
    Gift,
    InoriState,
    LateRune,
    Least,
    Move,
    MoveTo,
    NewStart,
    Offer,
    PayMaj,
    Pieces,
    Slot,
    Ward,
)
from workers.kit.decider import Context, Prompt, Refused


def step(state: InoriState, command: Command, context: Context) -> tuple[Sequence[InoriEvent], InoriState]:
    """Return what the command causes with all that follows by itself, and the state after it; or raise ``Refused``."""
    answered = _ANSWERS.get(type(command))
    if answered is None or not isinstance(command, SeatCommand):
        raise Refused("malformed", path="$.kind", problem="no such command in this game", reason="unknown_kind")
    questions, answer = answered
    prompt = state.prompts.get(command.seat)
    if prompt is None:
        raise Refused("not_your_turn", asked=list(state.prompts))
    if not isinstance(prompt, questions):
        raise Refused("wrong_question", asked=str(prompt.__struct_config__.tag))
    return follow(state, *answer(state, command, prompt), chance=context.chance)


# Offerings (rules, sections 3.3 to 3.6)


def offer_to_card(state: InoriState, command: OfferToCard, _prompt: Offer) -> Sequence[InoriEvent]:
    """An empty space whose cost can be paid or, with a Share rune, one where only others stand."""
    slot = _slot(state, command.card)
    pieces = _pieces(slot, command.space)
    played = _played_to_share(state, command, pieces)
    _require_cost(state, command.seat, state.card(slot.card).spaces[command.space - 1].cost)
    return [*played, OfferedToCard(seat=command.seat, card=command.card, space=command.space)]


def offer_to_tree(state: InoriState, command: OfferToTree, _prompt: Offer) -> Sequence[InoriEvent]:
    """The same on the Great Tree, where an Altar tile is the cost (rules, section 3.5)."""
    place = state.tree_place(command.space)
    if place is None:
        raise Refused("no_such_space", space=command.space)
    space, spot = state.catalogue.tree[place], state.tree[place]
    if is_closed(state, space, spot):
        raise Refused("root_closed", space=command.space)
    played = _played_to_share(state, command, spot.pieces)
    _require_cost(state, command.seat, cost_of(state, spot))
    return [*played, OfferedToTree(seat=command.seat, space=command.space)]


def lay_piece_aside(state: InoriState, command: LayPieceAside, _prompt: Offer) -> Sequence[InoriEvent]:
    """Only where no offering can be made without a Share rune (rules, section 3.3)."""
    if can_offer(state, command.seat):
        raise Refused("offering_possible")
    return [PieceLaidAside(seat=command.seat)]


def _played_to_share(state: InoriState, command: OfferToCard | OfferToTree, pieces: Pieces) -> Sequence[RunePlayed]:
    """Return the Share rune that an offering plays, if it does, before it is made (rules, section 3.6)."""
    if not command.share:
        if pieces:
            raise Refused("space_occupied", pieces=list(pieces))
        return ()
    rune = share_rune(state, command.seat)
    if rune is None:
        raise Refused("rune_not_held", kind="share")
    _require_rune_left(state)
    if not pieces:
        raise Refused("space_empty")
    if command.seat in pieces:
        raise Refused("own_piece_there")
    return [RunePlayed(seat=command.seat, rune=rune)]


def _require_cost(state: InoriState, seat: Seat, cost: Cost | None) -> None:
    if not can_pay(state.chiefs[seat], cost):
        raise Refused("cost_not_payable", amount=cost.amount if cost else 0, colour=cost.colour if cost else None)


# Runes (rules, section 3.6)


def play_rune(state: InoriState, command: PlayRune, prompt: Offer | LateRune) -> Sequence[InoriEvent]:
    """A rune held, in its window, that does something."""
    if command.rune not in state.chiefs[command.seat].runes:
        raise Refused("rune_not_held", rune=command.rune)
    rune = state.rune(command.rune)
    _require_rune_left(state)
    if rune.kind == "share" or (isinstance(prompt, LateRune) and rune.kind != "favour"):
        raise Refused("rune_out_of_window", rune=command.rune)
    if not is_playable(state, rune):
        raise Refused("rune_without_effect", rune=command.rune)
    return [RunePlayed(seat=command.seat, rune=command.rune)]


def choose_piece(state: InoriState, command: ChoosePiece, prompt: Move) -> Sequence[InoriEvent]:
    """Any piece that the rune can move somewhere."""
    slot = _slot(state, command.card)
    if command.owner not in _pieces(slot, command.space):
        raise Refused("piece_not_there", card=command.card, space=command.space)
    if not goals(state, state.rune(prompt.rune), slot.card):
        raise Refused("piece_not_movable", card=command.card)
    return [PieceChosen(seat=command.seat, owner=command.owner, card=command.card, space=command.space)]


def move_piece(state: InoriState, command: MovePiece, prompt: MoveTo) -> Sequence[InoriEvent]:
    """To an empty space of another card; one of the two cards shows the rune's colour."""
    target, rune = _slot(state, command.card), state.rune(prompt.rune)
    if target.card == prompt.card:
        raise Refused("same_card", card=command.card)
    if not is_named(state, rune, source=prompt.card, target=target.card):
        raise Refused("card_of_other_colour", card=command.card, colours=list(rune.colours))
    _require_empty(target, command.space)
    return [moved(command.seat, prompt, command.card, command.space)]


def release_piece(state: InoriState, command: ReleasePiece, prompt: MoveTo) -> Sequence[InoriEvent]:
    """Where another one could be chosen, and once for each Move rune, so that no turn goes on for ever."""
    if state.released:
        raise Refused("piece_already_released")
    if len(movable(state, state.rune(prompt.rune))) == 1:
        raise Refused("no_other_piece")
    return [PieceReleased(seat=command.seat)]


def end_turn(_state: InoriState, command: EndTurn, _prompt: LateRune) -> Sequence[InoriEvent]:
    return [TurnEnded(seat=command.seat)]


def _require_rune_left(state: InoriState) -> None:
    if not state.may_play_runes:
        raise Refused("rune_already_played")


# Choices of an offering (rules, section 3.9)


def pay_majority(state: InoriState, command: PayMajority, prompt: PayMaj) -> Sequence[InoriEvent]:
    _require_tied(command.colour, state.chiefs[command.seat].most)
    return [TokensPaid(seat=command.seat, tokens=(command.colour,) * prompt.amount)]


def choose_altar(state: InoriState, command: ChooseAltar, prompt: Altar) -> Sequence[InoriEvent]:
    if command.colour not in state.altars_left:
        raise Refused("altar_already_placed", colour=command.colour, left=list(state.altars_left))
    return [AltarPlaced(seat=command.seat, space=prompt.space, colour=command.colour)]


def choose_least(state: InoriState, command: ChooseLeast, prompt: Least) -> Sequence[InoriEvent]:
    """All tokens are of one colour, also where the supply of it is short (rules, section 3.4)."""
    _require_tied(command.colour, state.chiefs[command.seat].fewest)
    return [TokensGained(seat=command.seat, tokens=tokens_there(state, (command.colour,) * prompt.amount))]


def take_gift(state: InoriState, command: TakeGift, prompt: Gift) -> Sequence[InoriEvent]:
    """As many as there are to take, each of a colour the supply still has (rules, section 3.9, GIFT)."""
    size = gift_size(state, prompt.amount)
    if len(command.tokens) != size:
        raise Refused("gift_of_other_size", size=size)
    if any(colour not in COLOURS for colour in command.tokens):
        raise Refused("no_such_colour")
    if list(command.tokens) != sorted(command.tokens, key=PLACE.__getitem__):
        raise Refused("tokens_not_in_order", order=list(COLOURS))
    if tokens_there(state, command.tokens) != command.tokens:
        raise Refused("supply_short", supply=list(state.supply))
    return [TokensGained(seat=command.seat, tokens=command.tokens)]


def place_neutral(state: InoriState, command: PlaceNeutral, _prompt: Ward) -> Sequence[InoriEvent]:
    _require_empty(_slot(state, command.card), command.space)
    return [NeutralPlaced(seat=command.seat, card=command.card, space=command.space)]


def choose_new_start(state: InoriState, command: ChooseNewStart, _prompt: NewStart) -> Sequence[InoriEvent]:
    if command.card not in state.drawn:
        raise Refused("card_not_drawn", card=command.card)
    return [NewStartPlaced(seat=command.seat, card=command.card)]


def _require_tied(colour: Colour, tied: Sequence[Colour]) -> None:
    if colour not in tied:
        raise Refused("colour_not_tied", colour=colour, tied=list(tied))


def _slot(state: InoriState, card: CardId) -> Slot:
    number = state.slot_of(card)
    if number is None:
        raise Refused("card_not_in_play", card=card)
    return state.slots[number]


def _pieces(slot: Slot, space: int) -> Pieces:
    if not 1 <= space <= len(slot.pieces):
        raise Refused("no_such_space", card=slot.card, spaces=len(slot.pieces))
    return slot.pieces[space - 1]


def _require_empty(slot: Slot, space: int) -> None:
    pieces = _pieces(slot, space)
    if pieces:
        raise Refused("space_occupied", pieces=list(pieces))


Answer = Callable[[InoriState, Any, Any], Sequence[InoriEvent]]

_ANSWERS: Final[Mapping[type[Command], tuple[tuple[type[Prompt], ...], Answer]]] = {
    OfferToCard: ((Offer,), offer_to_card),
    OfferToTree: ((Offer,), offer_to_tree),
    LayPieceAside: ((Offer,), lay_piece_aside),
    PlayRune: ((Offer, LateRune), play_rune),
    ChoosePiece: ((Move,), choose_piece),
    MovePiece: ((MoveTo,), move_piece),
    ReleasePiece: ((MoveTo,), release_piece),
    PayMajority: ((PayMaj,), pay_majority),
    ChooseAltar: ((Altar,), choose_altar),
    ChooseLeast: ((Least,), choose_least),
    TakeGift: ((Gift,), take_gift),
    PlaceNeutral: ((Ward,), place_neutral),
    EndTurn: ((LateRune,), end_turn),
    ChooseNewStart: ((NewStart,), choose_new_start),
}
