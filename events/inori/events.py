"""What can happen in a game of Inori, in steps a person could watch."""

from __future__ import annotations

from events.inori.vocabulary import CardId, Colour, Owner, RuneId, TreeSpaceId
from events.messages import Event, Seat


class RunesShuffled(Event, frozen=True, kw_only=True):
    """The rune pile was shuffled, in set-up or from the discard; the first rune is drawn next (rules, section 3.6)."""

    reveals = True

    pile: tuple[RuneId, ...]


class JourneyPileShuffled(Event, frozen=True, kw_only=True):
    """The Journey cards of a colour were shuffled; the first is drawn next (rules, section 2, step 5)."""

    reveals = True

    colour: Colour
    pile: tuple[CardId, ...]


class NewStartDeckShuffled(Event, frozen=True, kw_only=True):
    """The New Start cards were shuffled; the first is drawn next (rules, section 2, step 6)."""

    reveals = True

    deck: tuple[CardId, ...]


class StartCardsLaid(Event, frozen=True, kw_only=True):
    """A Start card of each pair lies in its slot, and tokens on the root below it (rules, section 2, steps 7 and 8)."""

    reveals = True

    cards: tuple[CardId, ...]


class FirstPlayerDrawn(Event, frozen=True, kw_only=True):
    """Chance decided who begins, and season 1 began (rules, section 2, step 10)."""

    reveals = True

    seat: Seat


class OfferedToCard(Event, frozen=True, kw_only=True):
    """A chief put a piece on a card's space (rules, section 3.4)."""

    seat: Seat
    card: CardId
    space: int


class OfferedToTree(Event, frozen=True, kw_only=True):
    """A chief put a piece on a space of the Great Tree (rules, section 3.5)."""

    seat: Seat
    space: TreeSpaceId


class PieceLaidAside(Event, frozen=True, kw_only=True):
    """A chief could offer nowhere, and laid a piece aside for this season (rules, section 3.3)."""

    seat: Seat


class RunePlayed(Event, frozen=True, kw_only=True):
    """A chief played a rune; it went face up to the discard (rules, section 3.6)."""

    reveals = True

    seat: Seat
    rune: RuneId


class PieceChosen(Event, frozen=True, kw_only=True):
    """A piece was chosen for a Move rune; it stands where it stood (rules, section 3.6)."""

    seat: Seat
    owner: Owner
    card: CardId
    space: int


class PieceReleased(Event, frozen=True, kw_only=True):
    """A chief took back the choice of a piece."""

    seat: Seat


class PieceMoved(Event, frozen=True, kw_only=True):
    """A Move rune took a piece to another card (rules, section 3.6); ``owner`` is none for a neutral piece."""

    seat: Seat
    owner: Owner
    card: CardId
    space: int
    to_card: CardId
    to_space: int


class TokensPaid(Event, frozen=True, kw_only=True):
    """A chief gave tokens back to the supply (rules, sections 3.4 and 3.5)."""

    seat: Seat
    tokens: tuple[Colour, ...]


class AltarPlaced(Event, frozen=True, kw_only=True):
    """A chief put an Altar tile on a space of the Great Tree, for good (rules, section 3.5)."""

    seat: Seat
    space: TreeSpaceId
    colour: Colour


class TokensGained(Event, frozen=True, kw_only=True):
    """A chief took tokens from the supply, or none where it had none to give (rules, section 3.4)."""

    seat: Seat
    tokens: tuple[Colour, ...]


class RootTokensTaken(Event, frozen=True, kw_only=True):
    """A chief took the tokens that lay on a root since set-up (rules, section 3.5)."""

    seat: Seat
    space: TreeSpaceId
    tokens: tuple[Colour, ...]


class RuneDrawn(Event, frozen=True, kw_only=True):
    """A chief drew the top rune and hid it (rules, section 3.4)."""

    reveals = True

    seat: Seat
    rune: RuneId


class RuneMissed(Event, frozen=True, kw_only=True):
    """A chief was to draw a rune, and there was none (rules, section 3.6)."""

    seat: Seat


class PointsScored(Event, frozen=True, kw_only=True):
    """A chief scored by an offering, perhaps nothing (rules, section 7.2)."""

    seat: Seat
    points: int


class NeutralPlaced(Event, frozen=True, kw_only=True):
    """A chief put a neutral piece on a card's space (rules, section 5, T5)."""

    seat: Seat
    card: CardId
    space: int


class TurnEnded(Event, frozen=True, kw_only=True):
    """A chief with runes left ended the turn (rules, section 3.2)."""

    seat: Seat


class CardScored(Event, frozen=True, kw_only=True):
    """A card was found complete or not at the end of a season; points stand in seat order (rules, section 7.1)."""

    card: CardId
    complete: bool
    points: tuple[int, ...]


class PiecesTakenBack(Event, frozen=True, kw_only=True):
    """All pieces came back from cards and Great Tree (rules, section 3.7, step 2)."""


class CardReplaced(Event, frozen=True, kw_only=True):
    """A card left the game, and another came into its slot (rules, section 3.7, step 3)."""

    reveals = True

    old: CardId
    new: CardId


class WaitingPiecesTaken(Event, frozen=True, kw_only=True):
    """Each chief took the piece that waited on the next season's space (rules, section 3.7, step 4)."""


class NewStartCardsDrawn(Event, frozen=True, kw_only=True):
    """The chief with fewest points looked privately at New Start cards (rules, section 3.7, step 5)."""

    reveals = True

    seat: Seat
    cards: tuple[CardId, ...]


class NewStartPlaced(Event, frozen=True, kw_only=True):
    """That chief laid one of them into the next slot, and begins the next season (rules, section 3.7, step 5)."""

    reveals = True

    seat: Seat
    card: CardId


class AltarScored(Event, frozen=True, kw_only=True):
    """An Altar was scored at the end of the game; points stand in seat order (rules, section 7.3)."""

    space: TreeSpaceId
    points: tuple[int, ...]


InoriEvent = (
    RunesShuffled
    | JourneyPileShuffled
    | NewStartDeckShuffled
    | StartCardsLaid
    | FirstPlayerDrawn
    | OfferedToCard
    | OfferedToTree
    | PieceLaidAside
    | RunePlayed
    | PieceChosen
    | PieceReleased
    | PieceMoved
    | TokensPaid
    | AltarPlaced
    | TokensGained
    | RootTokensTaken
    | RuneDrawn
    | RuneMissed
    | PointsScored
    | NeutralPlaced
    | TurnEnded
    | CardScored
    | PiecesTakenBack
    | CardReplaced
    | WaitingPiecesTaken
    | NewStartCardsDrawn
    | NewStartPlaced
    | AltarScored
)
EVENTS = InoriEvent
