"""Steps of cards that are declared, played and answered (rules, sections 3.3 and 6)."""

from __future__ import annotations

from typing import Literal

from events.inis.vocabulary import CardId, Part, TerritoryId, WindowKind
from events.messages import Seat
from workers.inis.steps import Question, Step
from workers.kit.decider import WindowPrompt


class Declare(Question, frozen=True, kw_only=True):
    """
    How is the move declared? (rules, section 3.3, step 2).

    Args:
        card: the card to be played; none for a withdrawal.
        maneuver: it is a maneuver, not a turn.
    """

    card: CardId | None = None
    maneuver: bool = False
    parts: tuple[Part, ...] = ()


class OpenWindow(Step, frozen=True, kw_only=True):
    """
    A window opens for those who by public knowledge might answer (rules, section 6).

    Args:
        seat: whom it is about: the owner of a clan to be removed, or of the clans that arrived; who will draw.
        territory: where the clan stands that is to be removed.
    """

    window: WindowKind
    seat: Seat | None = None
    territory: TerritoryId | None = None


class Window(Step, frozen=True, kw_only=True):
    """An open window: who is asked, and what was answered."""

    opened: OpenWindow
    asked: tuple[Seat, ...]
    answers: tuple[tuple[Seat, CardId | None], ...] = ()


class Answer(WindowPrompt, frozen=True, kw_only=True):
    """Do you answer this with a Triskel card? (rules, section 6)."""


class Resolve(Step, frozen=True):
    """The card played last takes effect, unless it was cancelled."""


class SettlePlay(Step, frozen=True):
    """The card played last is discarded, unless somebody took it."""


class CancelPlay(Step, frozen=True):
    """The card that is being answered is cancelled."""


class TakeBackPlay(Step, frozen=True):
    """A player takes the card that is being answered into the hand."""

    seat: Seat


class GivePlay(Question, frozen=True, kw_only=True):
    """To whom does the card that is being answered go? (rules, section 5.1, Master Craftsman)."""


class GainDeed(Step, frozen=True):
    """A player gains a deed."""

    seat: Seat


class TakeNextTurn(Step, frozen=True):
    """A player will take the next turn (rules, section 5.4, Oengus's Ploy)."""

    seat: Seat


class SetAsideBy(Step, frozen=True):
    """A player will choose the Action card that is set aside (rules, section 5.4, Cathbad's Word)."""

    seat: Seat


class PickOpponent(Question, frozen=True, kw_only=True):
    """Whose Epic Tales do you look at, or whose Action card do you take? (rules, section 5.3)."""

    purpose: Literal["moor", "salt_mine"]
