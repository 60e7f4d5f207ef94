"""What a player may wish for; each command answers one question or one step of it (rules, section 3.4)."""

from __future__ import annotations

from events.inis.vocabulary import CardId, Part
from events.messages import Seat, SeatCommand


class KeepCards(SeatCommand, frozen=True, kw_only=True):
    """Keep these cards of those in front of you and pass the others on (rules, section 3.1, A6)."""

    cards: tuple[CardId, ...]


class PlayCard(SeatCommand, frozen=True, kw_only=True):
    """Play a card as your turn, as your maneuver, or Moor before another answer (rules, sections 3.2, 4.2 and 6)."""

    card: CardId


class Choose(SeatCommand, frozen=True, kw_only=True):
    """Choose one of what is offered: a part of a declaration, or an answer to a question."""

    part: Part


class Confirm(SeatCommand, frozen=True, kw_only=True):
    """Declare the move as it was put together."""


class TakeBack(SeatCommand, frozen=True, kw_only=True):
    """Take back the last part of a declaration, or with none the card itself."""


class PassTurn(SeatCommand, frozen=True, kw_only=True):
    """Pass (rules, section 3.2)."""


class TakePretender(SeatCommand, frozen=True, kw_only=True):
    """Take a pretender token (rules, section 3.2)."""


class Respond(SeatCommand, frozen=True, kw_only=True):
    """Answer a window with a Triskel card, or with none (rules, section 6)."""

    card: CardId | None = None


class Shelter(SeatCommand, frozen=True, kw_only=True):
    """Put a clan into a free citadel, or decline (rules, section 4.2, C2)."""

    accept: bool


class VotePeace(SeatCommand, frozen=True, kw_only=True):
    """Say whether the clash shall end (rules, section 4.2, C5)."""

    end: bool


class Attack(SeatCommand, frozen=True, kw_only=True):
    """Attack an opponent with an exposed clan (rules, section 4.2, C6)."""

    target: Seat


class Withdraw(SeatCommand, frozen=True, kw_only=True):
    """Begin to declare a withdrawal (rules, section 4.2, C6)."""


class MoveForBeltaine(SeatCommand, frozen=True, kw_only=True):
    """Begin to declare the Beltaine move as your turn (expansion, section 4.6, M2)."""


InisCommand = (
    KeepCards
    | PlayCard
    | Choose
    | Confirm
    | TakeBack
    | PassTurn
    | TakePretender
    | Respond
    | Shelter
    | VotePeace
    | Attack
    | Withdraw
    | MoveForBeltaine
)
COMMANDS = InisCommand
