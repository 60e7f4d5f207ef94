"""What can happen in a game of Inis, in steps a person could watch."""

from __future__ import annotations

from events.inis.vocabulary import CardId, CardKind, Direction, Location, Part, TerritoryId
from events.messages import Event, Seat

# Set-up and Assembly


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


# Season


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


# Windows and cards in play


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


# Hands


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


# Board


class ClanPlaced(Event, frozen=True, kw_only=True):
    """A clan came from its owner's reserve into a territory."""

    seat: Seat
    territory: TerritoryId


class ClansMoved(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Clans of one owner moved, so many of them out of citadels."""

    seat: Seat
    territory: TerritoryId
    to: TerritoryId
    amount: int
    sheltered: int = 0


class ClanRemoved(Event, frozen=True, kw_only=True):
    """A clan left the board for its owner's reserve, or for the Cauldron."""

    seat: Seat
    territory: TerritoryId


class ClanExchanged(Event, frozen=True, kw_only=True):
    """A clan gave its place to a clan of another player (rules, section 5.1, New Alliance)."""

    seat: Seat
    territory: TerritoryId
    owner: Seat


class ClanSaved(Event, frozen=True, kw_only=True):
    """The clan that was about to be removed stays (rules, section 5.4, The Dagda's Club)."""

    seat: Seat


class ClanReappeared(Event, frozen=True, kw_only=True):
    """The clan that was about to be removed stands in another territory (rules, 5.4, Diarmuid and Grainne)."""

    seat: Seat
    territory: TerritoryId


class CauldronSet(Event, frozen=True, kw_only=True):
    """A player's clans removed in this clash lie on the Cauldron (rules, section 5.4, Dagda's Cauldron)."""

    seat: Seat


class CauldronEmptied(Event, frozen=True, kw_only=True):
    """So many clans came back from the Cauldron, the others went to the reserve."""

    seat: Seat
    amount: int


class CitadelBuilt(Event, frozen=True, kw_only=True):
    """A citadel of the supply was put into a territory."""

    territory: TerritoryId


class SanctuaryBuilt(Event, frozen=True, kw_only=True):
    """A sanctuary of the supply was put into a territory."""

    territory: TerritoryId


class FestivalHeld(Event, frozen=True, kw_only=True):
    """The festival marker was put into a territory."""

    territory: TerritoryId


class CrowsTurned(Event, frozen=True, kw_only=True):
    """The Flock of Crows was turned over (rules, section 5.4, The Morrigan)."""


class TilesRevealed(Event, frozen=True, kw_only=True):
    """Tiles were drawn openly (rules, section 5.4, Tailtu's Land)."""

    reveals = True

    tiles: tuple[TerritoryId, ...]


class TilesPutUnder(Event, frozen=True, kw_only=True):
    """Tiles went face down under the stack, the first one on top of the others."""

    seat: Seat
    tiles: tuple[TerritoryId, ...]


# Clash


class ClashStarted(Event, frozen=True, kw_only=True):
    """A clash started (rules, section 4.1)."""

    territory: TerritoryId
    instigator: Seat


class ClanSheltered(Event, frozen=True, kw_only=True):
    """A clan went into a citadel (rules, section 4.2, C2)."""

    seat: Seat


class ShelterDeclined(Event, frozen=True, kw_only=True):
    """A player left a citadel free."""

    seat: Seat


class CitadelsEmptied(Event, frozen=True, kw_only=True):
    """All clans came out of the citadels (rules, section 5.4, Battle Frenzy)."""


class PeaceVoted(Event, frozen=True, kw_only=True):
    """A player said whether the clash shall end (rules, section 4.2, C5)."""

    seat: Seat
    end: bool


class AttackDeclared(Event, frozen=True, kw_only=True):
    """A player attacked another (rules, section 4.2, C6)."""

    seat: Seat
    target: Seat


class WithdrawalDeclared(Event, frozen=True, kw_only=True):
    """A player withdrew clans (rules, section 4.2, C6)."""

    reveals = True

    seat: Seat
    parts: tuple[Part, ...]


class ClashEnded(Event, frozen=True, kw_only=True):
    """The clash ended; clans stepped out of the citadels (rules, section 4.2, C8)."""


InisEvent = (
    TalesShuffled
    | TilesShuffled
    | TileLaid
    | BrennDrawn
    | CapitalChosen
    | CrowsTossed
    | BrennAssigned
    | KingCrowned
    | PretendersReturned
    | AdvantagesTaken
    | AsideChosen
    | ActionsDealt
    | CardsKept
    | CardsPassed
    | SecondDraftDealt
    | DeclarationBegun
    | PartDeclared
    | PartTakenBack
    | CardPlayed
    | TurnPassed
    | PretenderTaken
    | DeedReturned
    | SeasonEnded
    | WindowAnswered
    | WindowClosed
    | PlayCancelled
    | PlayDiscarded
    | PlayTakenBack
    | PlayGiven
    | ChoiceMade
    | TalesDrawn
    | TaleKept
    | CardDiscarded
    | CardTaken
    | CardSetAside
    | CardStolen
    | CardGiven
    | TributeChosen
    | TributePaid
    | HandSeen
    | TalesRevealed
    | TaleClaimed
    | AdvantageClaimed
    | DeedGained
    | ClanPlaced
    | ClansMoved
    | ClanRemoved
    | ClanExchanged
    | ClanSaved
    | ClanReappeared
    | CauldronSet
    | CauldronEmptied
    | CitadelBuilt
    | SanctuaryBuilt
    | FestivalHeld
    | CrowsTurned
    | TilesRevealed
    | TilesPutUnder
    | ClashStarted
    | ClanSheltered
    | ShelterDeclined
    | CitadelsEmptied
    | PeaceVoted
    | AttackDeclared
    | WithdrawalDeclared
    | ClashEnded
)
EVENTS = InisEvent
