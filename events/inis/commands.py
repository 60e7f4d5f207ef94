"""What a player may wish for; each command answers one question or one step of it (rules, section 3.4)."""

from __future__ import annotations

from events.inis.vocabulary import CardId, Part
from events.messages import Seat, SeatCommand


class KeepCards(SeatCommand, frozen=True, kw_only=True):
    """
    Keep these cards of those in front of you and pass the others on (rules, section 3.1, A6).

    Args:
        cards: exactly as many as ``keep`` of the board's ``draft`` says, each once, of those that its ``front`` lists
            and in the same order.
    """

    cards: tuple[CardId, ...]


class PlayCard(SeatCommand, frozen=True, kw_only=True):
    """
    Play a card as your turn, as your maneuver, or Moor before another answer (rules, sections 3.2, 4.2 and 6).

    Args:
        card: one that ``actions``, ``tales`` or ``advantages`` of the seat's contender on the board lists.
    """

    card: CardId


class Choose(SeatCommand, frozen=True, kw_only=True):
    """
    Choose one of what is offered: a part of a declaration, or an answer to a question.

    Args:
        part: one of those that the view's ``legal`` lists for this command, as it stands there.
    """

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
    """
    Answer a window with a Triskel card, or with none (rules, section 6).

    Args:
        card: one that ``actions``, ``tales`` or ``advantages`` of the seat's contender on the board lists.
    """

    card: CardId | None = None


class Shelter(SeatCommand, frozen=True, kw_only=True):
    """
    Put a clan into a free citadel, or decline (rules, section 4.2, C2).

    Args:
        accept: true puts one in, false declines.
    """

    accept: bool


class VotePeace(SeatCommand, frozen=True, kw_only=True):
    """
    Say whether the clash shall end (rules, section 4.2, C5).

    Args:
        end: true ends it; a lone player without a maneuver says nothing else.
    """

    end: bool


class Attack(SeatCommand, frozen=True, kw_only=True):
    """
    Attack an opponent with an exposed clan (rules, section 4.2, C6).

    Args:
        target: the opponent's seat; those with exposed clans are told by ``exposed`` of the board's ``clash``.
    """

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
