"""Steps of cards that are drawn, discarded, taken and given (rules, section 5)."""

from __future__ import annotations

from events.inis.vocabulary import CardId
from events.messages import Seat
from workers.inis.steps import Question, Step
from workers.kit.decider import Prompt


class Draw(Step, frozen=True, kw_only=True):
    """A player is about to draw Epic Tales and keep one; ``gates`` for the Gates territory effect."""

    seat: Seat
    amount: int
    gates: bool = False


class DrawTales(Step, frozen=True, kw_only=True):
    """The player draws."""

    seat: Seat
    amount: int
    drawn: tuple[CardId, ...] = ()


class DrawMore(Step, frozen=True):
    """The draw that is being answered grows by one card (rules, section 5.3, Meadows and Gates of Tir na Nog)."""


class KeepTale(Question, frozen=True, kw_only=True):
    """Which of the Epic Tales drawn do you keep? (rules, section 5.4)."""

    drawn: tuple[CardId, ...]


class DiscardCard(Question, frozen=True, kw_only=True):
    """Which card do you discard, an Action card or, with ``any_kind``, any? (rules, sections 5.1 and 5.3)."""

    any_kind: bool = False


class SearchPile(Question, frozen=True, kw_only=True):
    """Which card of the Action discard pile do you take? (rules, section 5.1, Druid)."""


class TakeAside(Step, frozen=True):
    """A player takes the card set aside."""

    seat: Seat


class PutAside(Question, frozen=True, kw_only=True):
    """Which Action card do you set aside? (rules, sections 5.3 and 5.4)."""


class Steal(Step, frozen=True):
    """A player takes a random Action card of another."""

    seat: Seat
    owner: Seat


class GiveCard(Question, frozen=True, kw_only=True):
    """Which Action card do you give to that player? (rules, sections 5.3 and 5.4)."""

    to: Seat


class CollectTribute(Step, frozen=True, kw_only=True):
    """Opponents choose the Action cards they give, all at once (rules, section 5.4, Maeve's Wealth)."""

    seat: Seat
    givers: tuple[Seat, ...]
    gifts: tuple[tuple[Seat, CardId], ...] = ()


class Tribute(Prompt, frozen=True, kw_only=True):
    """Which Action card do you give to that player? (rules, section 5.4)."""

    to: Seat


class SeeHand(Step, frozen=True):
    """A player looks at another's Action cards, or with ``tales`` Epic Tales."""

    seat: Seat
    owner: Seat
    tales: bool = False


class RevealTales(Step, frozen=True):
    """Each opponent with an Epic Tale shows one at random (rules, section 5.4, Deirdre's Beauty)."""

    seat: Seat


class ClaimTale(Question, frozen=True, kw_only=True):
    """Which of the revealed Epic Tales do you take? (rules, section 5.4)."""

    tales: tuple[tuple[Seat, CardId], ...]


class ClaimAdvantage(Step, frozen=True):
    """A player takes an Advantage card, unless it was played this round (rules, section 5.1, Citadel)."""

    seat: Seat
    card: CardId
