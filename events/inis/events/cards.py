"""What happens to cards in play, in windows and in hands."""

from __future__ import annotations

from events.inis.vocabulary import CardId, CardKind, Part
from events.messages import Event, Seat


class DeclarationBegun(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A player began to declare a card or, with none, a withdrawal; nobody else knows which."""

    seat: Seat
    card: CardId | None = None


class PartDeclared(Event, frozen=True, kw_only=True):
    """A player declared one part, to be confirmed later."""

    seat: Seat
    part: Part


class PartTakenBack(Event, frozen=True, kw_only=True):
    """A player took back the last part, or with none the card."""

    seat: Seat


class CardPlayed(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A card was revealed, with all that was declared (rules, section 3.3, steps 1 and 2)."""

    reveals = True

    seat: Seat
    card: CardId
    parts: tuple[Part, ...] = ()


class WindowAnswered(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A player answered a window with a card or none; nobody else knows before it closes."""

    reveals = True

    seat: Seat
    card: CardId | None = None


class WindowClosed(Event, frozen=True, kw_only=True):
    """Nobody answered with a card."""

    reveals = True


class PlayCancelled(Event, frozen=True, kw_only=True):
    """The effect of the card being answered is ignored (rules, section 3.3, step 3)."""


class PlayDiscarded(Event, frozen=True, kw_only=True):
    """The card played last was discarded, by its kind (rules, section 3.3, step 6)."""


class PlayTakenBack(Event, frozen=True, kw_only=True):
    """A player took the card being answered into the hand (rules, section 5, Lug Samildanach and Stone Circle)."""

    seat: Seat


class PlayGiven(Event, frozen=True, kw_only=True):
    """The card being answered was given to an opponent (rules, section 5.1, Master Craftsman)."""

    seat: Seat
    to: Seat


class ChoiceMade(Event, frozen=True, kw_only=True):
    """A player answered an open question before everybody's eyes."""

    seat: Seat
    part: Part


class TalesDrawn(Event, frozen=True, kw_only=True):
    """A player drew Epic Tales."""

    reveals = True

    seat: Seat
    cards: tuple[CardId, ...]


class TaleKept(Event, frozen=True, kw_only=True):
    """A player kept one of the Epic Tales drawn and discarded the others."""

    reveals = True

    seat: Seat
    card: CardId


class CardDiscarded(Event, frozen=True, kw_only=True):
    """A player discarded a card from hand; of an Action card nobody else sees the face."""

    reveals = True

    seat: Seat
    card: CardId


class CardTaken(Event, frozen=True, kw_only=True):
    """A player took an Action card from the discard pile, or the one set aside."""

    reveals = True

    seat: Seat
    card: CardId
    aside: bool


class CardSetAside(Event, frozen=True, kw_only=True):
    """A player set an Action card aside."""

    reveals = True

    seat: Seat
    card: CardId


class CardStolen(Event, frozen=True, kw_only=True):
    """Chance gave a player an Action card out of another's hand."""

    reveals = True

    seat: Seat
    owner: Seat
    card: CardId


class CardGiven(Event, frozen=True, kw_only=True):
    """A player gave another an Action card."""

    reveals = True

    seat: Seat
    to: Seat
    card: CardId


class TributeChosen(Event, frozen=True, kw_only=True):
    """A player chose the Action card to give for Maeve's Wealth."""

    reveals = True

    seat: Seat
    card: CardId


class TributePaid(Event, frozen=True, kw_only=True):
    """All who were asked gave their cards at once."""

    reveals = True

    seat: Seat
    gifts: tuple[tuple[Seat, CardId], ...]


class HandSeen(Event, frozen=True, kw_only=True):
    """A player looked at another's cards of one kind."""

    reveals = True

    seat: Seat
    owner: Seat
    cards_of: CardKind
    cards: tuple[CardId, ...]


class TalesRevealed(Event, frozen=True, kw_only=True):
    """Chance showed an Epic Tale of each of these players (rules, section 5.4, Deirdre's Beauty)."""

    reveals = True

    tales: tuple[tuple[Seat, CardId], ...]


class TaleClaimed(Event, frozen=True, kw_only=True):
    """A player took one of the revealed Epic Tales; the others were discarded."""

    seat: Seat
    card: CardId


class AdvantageClaimed(Event, frozen=True, kw_only=True):
    """A player took an Advantage card from beside the board or out of a hand (rules, section 5.1, Citadel)."""

    seat: Seat
    card: CardId


class DeedGained(Event, frozen=True, kw_only=True):
    """A player gained a deed."""

    seat: Seat
