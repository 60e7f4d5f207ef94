"""Steps of set-up, Assembly and turns (rules, sections 2 and 3)."""

from __future__ import annotations

from events.inis.vocabulary import Location, TerritoryId
from events.messages import Seat
from workers.inis.steps import Question, Step
from workers.kit.decider import Prompt


class ShuffleTales(Step, frozen=True):
    """The Epic Tale draw pile is shuffled anew, of what lies in both piles."""


class ShuffleTiles(Step, frozen=True):
    """The stack of tiles is shuffled."""


class LayTile(Step, frozen=True):
    """A tile is laid there: the one named, or the top one."""

    location: Location
    tile: TerritoryId | None = None


class DrawBrenn(Step, frozen=True):
    """Chance makes the first Brenn."""


class ChooseCapital(Question, frozen=True, kw_only=True):
    """Which territory is the capital? (rules, section 2, step 8)."""


class TossCrows(Step, frozen=True):
    """The Flock of Crows is tossed; with ``first`` nothing is compared (rules, section 3.1, A4)."""

    first: bool = False


class PlaceFirstClans(Step, frozen=True):
    """All place clans in turn (rules, section 2, step 10)."""


class BeginRound(Step, frozen=True):
    """A new Assembly begins (rules, section 3.1)."""


class AssignBrenn(Step, frozen=True):
    """A1."""


class CheckVictory(Step, frozen=True):
    """A2."""


class TakeAdvantages(Step, frozen=True):
    """A3."""


class GatesEffect(Step, frozen=True):
    """The direction changed: the Gates of Tir na Nog (rules, section 5.2)."""


class ChooseAside(Question, frozen=True, kw_only=True):
    """Which card of the whole Action deck is set aside? (rules, section 5.4, Cathbad's Word)."""


class DealActions(Step, frozen=True):
    """A5; with ``chosen`` Cathbad's player has chosen the card set aside."""

    chosen: bool = False


class DealSecondDraft(Step, frozen=True):
    """Two players draft a second time (rules, section 3.1, A6)."""


class DraftCards(Step, frozen=True):
    """Everybody keeps cards of those in front, at the same time (rules, section 3.1, A6)."""


class Keep(Prompt, frozen=True, kw_only=True):
    """Which cards of those in front do you keep? Put to all players at once."""

    amount: int


class EndAssembly(Step, frozen=True):
    """A7."""


class BeginTurn(Step, frozen=True):
    """A turn begins, perhaps the first of the Season (rules, section 3.2, S1)."""

    seat: Seat
    first: bool = False


class ReturnDeed(Step, frozen=True):
    """A deed goes back for having no clans on the board."""

    seat: Seat


class Turn(Question, frozen=True, kw_only=True):
    """What do you do with your turn? (rules, section 3.2, S1)."""


class EndTurn(Step, frozen=True):
    """S3."""


class EndSeason(Step, frozen=True):
    """S4."""
