"""What can happen in a game of Inis, in steps a person could watch."""

from __future__ import annotations

from events.inis.events.board import (
    AttackDeclared,
    CauldronEmptied,
    CauldronSet,
    CitadelBuilt,
    CitadelsEmptied,
    ClanExchanged,
    ClanPlaced,
    ClanReappeared,
    ClanRemoved,
    ClanSaved,
    ClanSheltered,
    ClansMoved,
    ClashEnded,
    ClashStarted,
    CrowsTurned,
    FestivalHeld,
    PeaceVoted,
    SanctuaryBuilt,
    ShelterDeclined,
    TilesPutUnder,
    TilesRevealed,
    WithdrawalDeclared,
)
from events.inis.events.cards import (
    AdvantageClaimed,
    CardDiscarded,
    CardGiven,
    CardPlayed,
    CardSetAside,
    CardStolen,
    CardTaken,
    ChoiceMade,
    DeclarationBegun,
    DeedGained,
    HandSeen,
    PartDeclared,
    PartTakenBack,
    PlayCancelled,
    PlayDiscarded,
    PlayGiven,
    PlayTakenBack,
    TaleClaimed,
    TaleKept,
    TalesDrawn,
    TalesRevealed,
    TributeChosen,
    TributePaid,
    WindowAnswered,
    WindowClosed,
)
from events.inis.events.rounds import (
    ActionsDealt,
    AdvantagesTaken,
    AsideChosen,
    BrennAssigned,
    BrennDrawn,
    CapitalChosen,
    CardsKept,
    CardsPassed,
    CrowsTossed,
    DeedReturned,
    KingCrowned,
    PretendersReturned,
    PretenderTaken,
    SeasonEnded,
    SecondDraftDealt,
    TalesShuffled,
    TileLaid,
    TilesShuffled,
    TurnPassed,
)
from events.inis.events.seasons import SeasonsEvent

BaseEvent = (
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
InisEvent = BaseEvent | SeasonsEvent
EVENTS = InisEvent
