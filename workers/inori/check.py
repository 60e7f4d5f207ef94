"""What must hold in every state of the game, whoever made it (rules, sections 2 and 9)."""

from __future__ import annotations

from collections import Counter

from events.inori.vocabulary import COLOURS, PLACE, CardId
from events.messages import Seat
from workers.inori.legal import legal_commands
from workers.inori.state import InoriState


def check(state: InoriState) -> None:
    """Raise ``AssertionError`` with what does not hold."""
    if state.phase == "setup":
        return
    _check_tokens(state)
    _check_pieces(state)
    _check_tree(state)
    _check_runes(state)
    _check_cards(state)
    _check_questions(state)


def _require(holds: object, what: str, where: object) -> None:
    if not holds:
        raise AssertionError(f"{what}: {where!r}")


def _check_tokens(state: InoriState) -> None:
    """For each colour supply, roots and chiefs have all tokens together."""
    on_roots = Counter(colour for spot in state.tree for colour in spot.tokens)
    for colour in COLOURS:
        held = sum(chief.count(colour) for chief in state.chiefs)
        total = state.supply[PLACE[colour]] + on_roots[colour] + held
        _require(total == state.catalogue.tokens_per_colour, "no token is lost or made", colour)
    counts = (*state.supply, *(count for chief in state.chiefs for count in chief.tokens))
    _require(all(count >= 0 for count in counts), "nobody owes a token", counts)


def _check_pieces(state: InoriState) -> None:
    """Each chief's pieces are placed, left or aside, and no two of them share a space."""
    spaces = [pieces for slot in state.slots for pieces in slot.pieces] + [spot.pieces for spot in state.tree]
    placed = Counter(owner for pieces in spaces for owner in pieces)
    for seat, chief in enumerate(state.chiefs):
        _require(
            placed[Seat(seat)] + chief.left + chief.aside == chief.pieces, "a chief's pieces are all somewhere", seat
        )
        gained = sum(
            season <= state.season + (state.phase in ("drawing", "new_start")) for season in state.setup.waiting
        )
        _require(chief.pieces == state.setup.pieces + gained, "pieces come with the seasons", (seat, state.season))
    for pieces in spaces:
        _require(len(set(pieces)) == len(pieces), "a space holds a piece of each owner at most once", pieces)
    _require(
        placed[None] + state.neutrals == state.catalogue.neutral_pieces, "neutral pieces are all somewhere", placed
    )
    _require(state.neutrals >= 0, "nobody owes a neutral piece", state.neutrals)
    _require(not any(None in spot.pieces for spot in state.tree), "neutral pieces stand on cards", state.tree)


def _check_tree(state: InoriState) -> None:
    altars = [spot.altar for spot in state.tree if spot.altar]
    _require(len(set(altars)) == len(altars), "an Altar lies on one space", altars)
    for space, spot in zip(state.catalogue.tree, state.tree, strict=True):
        _require(space.takes_altar or spot.altar is None, "no Altar lies on a root", space.id)


def _check_runes(state: InoriState) -> None:
    everywhere = [*state.rune_pile, *state.rune_discard, *(rune for chief in state.chiefs for rune in chief.runes)]
    _require(Counter(everywhere) == Counter(state.catalogue.runes.keys()), "each rune is in one place", everywhere)
    order = list(state.catalogue.runes)
    for chief in state.chiefs:
        _require(list(chief.runes) == sorted(chief.runes, key=order.index), "a hand stands in order", chief.runes)


def _check_cards(state: InoriState) -> None:
    in_play = [slot.card for slot in state.slots]
    everywhere: list[CardId] = [*in_play, *sum(state.journey, ()), *state.new_start, *state.drawn]
    _require(len(set(everywhere)) == len(everywhere), "each card is in one place", everywhere)
    _require(len(in_play) == len(state.catalogue.pairs) + state.season - 1, "a season brings a card", in_play)
    for slot, pair in zip(state.slots, state.catalogue.pairs, strict=False):
        _require(state.card(slot.card).colour in pair, "a slot keeps its pair of colours", slot.card)
        _require(len(slot.pieces) == len(state.card(slot.card).spaces), "a card has its spaces", slot.card)
    for colour, pile in zip(COLOURS, state.journey, strict=True):
        _require(all(state.card(card).colour == colour for card in pile), "a pile has one colour", pile)


def _check_questions(state: InoriState) -> None:
    prompts = state.prompts
    _require(bool(prompts) == (state.phase != "over"), "somebody is asked until the game is over", state.phase)
    for seat in range(len(state.chiefs)):
        offered = legal_commands(state, Seat(seat))
        _require(bool(offered) == (seat in prompts), "who is asked has an answer, nobody else", seat)
        _require(len(set(offered)) == len(offered), "nothing is offered twice", seat)
