"""What happens in set-up, Assembly and turns."""

from __future__ import annotations

from events.inis.vocabulary import CardId, Direction, Location, TerritoryId
from events.messages import Event, Seat


class TalesShuffled(Event, frozen=True, kw_only=True):
    """The Epic Tales were shuffled into a draw pile; the first card is drawn next."""

    reveals = True

    deck: tuple[CardId, ...]


class TilesShuffled(Event, frozen=True, kw_only=True):
    """The tiles were shuffled into a stack; the first is drawn next (rules, section 2, step 5)."""

    reveals = True

    stack: tuple[TerritoryId, ...]


class TileLaid(Event, frozen=True, kw_only=True):
    """A territory came into play, with its entry sanctuary, and its Advantage card face up beside the board."""

    reveals = True

    tile: TerritoryId
    location: Location


class BrennDrawn(Event, frozen=True, kw_only=True):
    """Chance made a player the first Brenn (rules, section 2, step 7)."""

    reveals = True

    seat: Seat


class CapitalChosen(Event, frozen=True, kw_only=True):
    """The Capital was put into a territory, with a sanctuary (rules, section 2, step 8)."""

    seat: Seat
    territory: TerritoryId


class CrowsTossed(Event, frozen=True, kw_only=True):
    """The Flock of Crows was tossed and shows this side (rules, section 3.1, A4)."""

    reveals = True

    direction: Direction


class BrennAssigned(Event, frozen=True, kw_only=True):
    """The chieftain of the capital became the Brenn (rules, section 3.1, A1)."""

    seat: Seat


class KingCrowned(Event, frozen=True, kw_only=True):
    """A pretender won (rules, section 7)."""

    seat: Seat


class PretendersReturned(Event, frozen=True, kw_only=True):
    """Nobody won: the pretender tokens went back, and deeds that had completed a condition (rules, section 7)."""


class AdvantagesTaken(Event, frozen=True, kw_only=True):
    """Chieftains took the Advantage cards of their territories (rules, section 3.1, A3)."""

    taken: tuple[tuple[TerritoryId, Seat], ...]


class AsideChosen(Event, frozen=True, kw_only=True):
    """A player chose, of the whole Action deck, the card that is set aside (rules, section 5.4, Cathbad's Word)."""

    reveals = True

    seat: Seat
    card: CardId


class ActionsDealt(Event, frozen=True, kw_only=True):
    """One Action card was set aside and the others dealt for the draft, the first ones first (rules, 3.1, A5)."""

    reveals = True

    aside: CardId
    deck: tuple[CardId, ...]


class CardsKept(Event, frozen=True, kw_only=True):
    """A player chose what to keep of the cards in front (rules, section 3.1, A6); it counts as revealing, as a bet."""

    reveals = True

    seat: Seat
    cards: tuple[CardId, ...]


class CardsPassed(Event, frozen=True, kw_only=True):
    """All had chosen and passed the other cards on."""

    reveals = True


class SecondDraftDealt(Event, frozen=True, kw_only=True):
    """Two players got three more cards each, for a draft of their own (rules, section 3.1, A6)."""

    reveals = True


class TurnPassed(Event, frozen=True, kw_only=True):
    """A player passed."""

    seat: Seat


class PretenderTaken(Event, frozen=True, kw_only=True):
    """A player took a pretender token."""

    seat: Seat


class DeedReturned(Event, frozen=True, kw_only=True):
    """A player without clans on the board gave a deed back (rules, section 3.2, S1)."""

    seat: Seat


class SeasonEnded(Event, frozen=True, kw_only=True):
    """All passed in a row; Action cards were discarded, the festival is over (rules, section 3.2, S4)."""

    reveals = True
