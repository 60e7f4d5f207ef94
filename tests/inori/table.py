"""Tables of Inori in the situation a test needs, made by hand; each holds all invariants of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from events.inori.commands import ChoosePiece, EndTurn, LayPieceAside, MovePiece, OfferToCard, OfferToTree, PlayRune
from events.inori.events import (
    CardScored,
    FirstPlayerDrawn,
    JourneyPileShuffled,
    NewStartDeckShuffled,
    RunesShuffled,
    StartCardsLaid,
)
from events.inori.vocabulary import COLOURS, PLACE, CardId, Colour, InoriCatalogue, Owner, RuneId, TreeSpaceId
from events.messages import Command, Event, Seat
from seeds.catalogues import CATALOGUES
from tests.spec import Happened, Scenario
from workers.inori.rules import rules
from workers.inori.state import InoriOptions, InoriState, Slot

ANN, BO, CY, DI = map(Seat, range(4))
CATALOGUE: Final[InoriCatalogue] = CATALOGUES("inori").newest.components
RULES: Final = rules(CATALOGUE)
NEUTRAL: Final[Owner] = None
Change = Callable[[InoriState], InoriState]


def unopened(seats: int = 3, options: InoriOptions | None = None) -> Scenario:
    """Return a table before set-up."""
    return Scenario(RULES, RULES.initial(options or InoriOptions(), seats))


def opened(
    seats: int = 3, *, cards: Sequence[str] = (), first: Seat = ANN, options: InoriOptions | None = None
) -> Scenario:
    """Return a table whose season 1 began, with yellow, blue and grey Start cards and all piles in file order."""
    kind = "S4" if seats == 4 else "S3"
    return unopened(seats, options).given(
        RunesShuffled(pile=tuple(CATALOGUE.runes)),
        *(JourneyPileShuffled(colour=colour, pile=CATALOGUE.of_kind("journey", colour)) for colour in COLOURS),
        NewStartDeckShuffled(deck=CATALOGUE.of_kind("new_start")),
        StartCardsLaid(cards=tuple(map(CardId, cards or [f"{kind}-YEL", f"{kind}-BLU", f"{kind}-GRY"]))),
        FirstPlayerDrawn(seat=first),
    )


def made(table: Scenario, *changes: Change) -> Scenario:
    """Return a table with several things changed by hand; it must still be one that play could bring about."""
    for change in changes:
        table = table.given_state(change)
    RULES.check(table.state)
    return table


def table_with(*changes: Change, seats: int = 3, options: InoriOptions | None = None) -> Scenario:
    """Return a table of season 1 where Ann is to offer, changed by hand."""
    return made(opened(seats, options=options), *changes)


def chief_of(seat: Seat, **fields: Any) -> Change:  # noqa: ANN401  fields of the state
    """Change a chief's fields."""

    def change(state: InoriState) -> InoriState:
        chiefs = list(state.chiefs)
        chiefs[seat] = replace(chiefs[seat], **fields)
        return replace(state, chiefs=tuple(chiefs))

    return change


def fields(**values: Any) -> Change:  # noqa: ANN401  fields of the state
    """Change fields of the state."""
    return lambda state: replace(state, **values)


def in_play(*cards: str) -> Change:
    """Put these cards into slots of their pairs and, in as late a season as that takes, into the ones after."""

    def change(state: InoriState) -> InoriState:
        left = [CardId(card) for card in cards]
        first = []
        for pair, slot in zip(CATALOGUE.pairs, state.slots, strict=False):
            card = next((each for each in left if CATALOGUE.cards[each].colour in pair), slot.card)
            if card in left:
                left.remove(card)
            first.append(card)
        slots = tuple(Slot(card, ((),) * len(CATALOGUE.cards[card].spaces)) for card in (*first, *left))
        taken = [slot.card for slot in slots]
        state = replace(
            state,
            slots=slots,
            journey=tuple(tuple(card for card in pile if card not in taken) for pile in state.journey),
            new_start=tuple(card for card in state.new_start if card not in taken),
        )
        return season(len(slots) - len(CATALOGUE.pairs) + 1)(state)

    return change


def season(number: int) -> Change:
    """Make it a later season, with the cards that brings and all pieces unplaced."""

    def change(state: InoriState) -> InoriState:
        missing = len(CATALOGUE.pairs) + number - 1 - len(state.slots)
        news = state.new_start[:missing]
        pieces = state.setup.pieces + sum(waiting <= number for waiting in state.setup.waiting)
        return replace(
            state,
            season=number,
            slots=(*state.slots, *(Slot(card, ((),) * len(CATALOGUE.cards[card].spaces)) for card in news)),
            new_start=state.new_start[missing:],
            chiefs=tuple(replace(chief, pieces=pieces, left=pieces, aside=0) for chief in state.chiefs),
        )

    return change


def on_card(card: str, *spaces: Sequence[Owner]) -> Change:
    """Put pieces on the spaces of a card in play, one list for each space from the first."""

    def change(state: InoriState) -> InoriState:
        at = state.slot_of(CardId(card))
        assert at is not None, f"{card} is not in play"
        old = state.slots[at]
        pieces = (*map(tuple, spaces), *old.pieces[len(spaces) :])
        slots = (*state.slots[:at], Slot(old.card, pieces), *state.slots[at + 1 :])
        return _placed(replace(state, slots=slots), [owner for space in spaces for owner in space])

    return change


def on_tree(space: str, *owners: Seat, altar: Colour | None = None) -> Change:
    """Put pieces, and perhaps an Altar tile, on a space of the Great Tree."""

    def change(state: InoriState) -> InoriState:
        at = state.tree_place(TreeSpaceId(space))
        assert at is not None
        spot = replace(state.tree[at], pieces=owners, altar=altar)
        return _placed(replace(state, tree=(*state.tree[:at], spot, *state.tree[at + 1 :])), owners)

    return change


def _placed(state: InoriState, owners: Sequence[Owner]) -> InoriState:
    for owner in owners:
        if owner is None:
            state = replace(state, neutrals=state.neutrals - 1)
        else:
            state = chief_of(owner, left=state.chiefs[owner].left - 1)(state)
    return state


def emptied(*roots: str) -> Change:
    """Take the tokens off these roots, into the supply."""

    def change(state: InoriState) -> InoriState:
        tree, supply = list(state.tree), list(state.supply)
        for root in roots:
            at = state.tree_place(TreeSpaceId(root))
            assert at is not None
            for colour in tree[at].tokens:
                supply[PLACE[colour]] += 1
            tree[at] = replace(tree[at], tokens=())
        return replace(state, tree=tuple(tree), supply=tuple(supply))

    return change


def tokens(seat: Seat, **counts: int) -> Change:
    """Let a chief have these tokens of the supply, and no others."""

    def change(state: InoriState) -> InoriState:
        wanted = tuple(counts.get(colour, 0) for colour in COLOURS)
        held = state.chiefs[seat].tokens
        supply = tuple(there + old - new for there, old, new in zip(state.supply, held, wanted, strict=True))
        return chief_of(seat, tokens=wanted)(replace(state, supply=supply))

    return change


def runes(seat: Seat, *held: str) -> Change:
    """Give a chief these runes of the pile."""

    def change(state: InoriState) -> InoriState:
        pile = tuple(rune for rune in state.rune_pile if rune not in held)
        return chief_of(seat, runes=tuple(map(RuneId, held)))(replace(state, rune_pile=pile))

    return change


def rune_pile(*top: str, discard: Sequence[str] = ()) -> Change:
    """Put these runes on top of the pile, and these into the discard."""

    def change(state: InoriState) -> InoriState:
        rest = tuple(rune for rune in state.rune_pile if rune not in (*top, *discard))
        return replace(state, rune_pile=(*map(RuneId, top), *rest), rune_discard=tuple(map(RuneId, discard)))

    return change


def no_rune_left(state: InoriState) -> InoriState:
    """Let the last seat hold all runes that lie in pile and discard."""
    last = Seat(len(state.chiefs) - 1)
    held = {*state.chiefs[last].runes, *state.rune_pile, *state.rune_discard}
    hand = tuple(rune for rune in CATALOGUE.runes if rune in held)
    return chief_of(last, runes=hand)(replace(state, rune_pile=(), rune_discard=()))


def last_piece(state: InoriState) -> InoriState:
    """Leave one piece to whose turn it is, and none to the others; the rest were laid aside."""
    for number, chief in enumerate(state.chiefs):
        left = int(number == state.turn)
        state = chief_of(Seat(number), left=left, aside=chief.aside + chief.left - left)(state)
    return state


def offer(card: str, space: int, seat: Seat = ANN, *, share: bool = False) -> OfferToCard:
    return OfferToCard(seat=seat, card=CardId(card), space=space, share=share)


def tree(space: str, seat: Seat = ANN, *, share: bool = False) -> OfferToTree:
    return OfferToTree(seat=seat, space=TreeSpaceId(space), share=share)


def play(rune: str, seat: Seat = ANN) -> PlayRune:
    return PlayRune(seat=seat, rune=RuneId(rune))


def choose(owner: Owner, card: str, space: int, seat: Seat = ANN) -> ChoosePiece:
    return ChoosePiece(seat=seat, owner=owner, card=CardId(card), space=space)


def move(card: str, space: int, seat: Seat = ANN) -> MovePiece:
    return MovePiece(seat=seat, card=CardId(card), space=space)


def end(seat: Seat = ANN) -> EndTurn:
    return EndTurn(seat=seat)


def lay_aside(seat: Seat = ANN) -> LayPieceAside:
    return LayPieceAside(seat=seat)


def legal(table: Scenario, seat: Seat = ANN) -> Sequence[Command]:
    """Return all that a seat may do now."""
    return RULES.legal_commands(table.state, seat)


def playable(table: Scenario, seat: Seat = ANN) -> list[str]:
    """Return the runes a seat may play by themselves now."""
    return [each.rune for each in legal(table, seat) if isinstance(each, PlayRune)]


def held(happened: Happened | Scenario, seat: Seat = ANN) -> dict[str, int]:
    """Return the tokens a chief has, without colours there are none of."""
    state: InoriState = happened.state() if isinstance(happened, Happened) else happened.state
    return {colour: count for colour, count in zip(COLOURS, state.chiefs[seat].tokens, strict=True) if count}


def score(happened: Happened, seat: Seat = ANN) -> int:
    points: int = happened.state().chiefs[seat].score
    return points


def asked(happened: Happened | Scenario) -> dict[Seat, str]:
    """Return the kinds of the open questions by seat."""
    state: InoriState = happened.state() if isinstance(happened, Happened) else happened.state
    return {seat: str(prompt.__struct_config__.tag) for seat, prompt in state.prompts.items()}


def season_end(*changes: Change, seats: int = 3) -> Happened:
    """Let Ann place the last piece of the season on an emptied root, and return what happened."""
    table = table_with(*changes, emptied("T9"), last_piece, seats=seats)
    happened = table.when(tree("T9"))
    RULES.check(happened.state())
    return happened


def points_for(happened: Happened, card: str) -> tuple[int, ...]:
    """Return what each chief scored for a card at the season's end."""
    return _scored(happened.events, card).points


def was_complete(happened: Happened, card: str) -> bool:
    return _scored(happened.events, card).complete


def _scored(events: Sequence[Event], card: str) -> CardScored:
    return next(event for event in events if isinstance(event, CardScored) and event.card == card)
