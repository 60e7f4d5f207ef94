"""Set-up, and the Assembly from its first window to its end (rules, sections 2 and 3.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from events.inis.events import InisEvent
from events.inis.events.rounds import (
    ActionsDealt,
    AdvantagesTaken,
    AsideChosen,
    BrennAssigned,
    BrennDrawn,
    CapitalChosen,
    CardsPassed,
    CrowsTossed,
    KingCrowned,
    PretendersReturned,
    SecondDraftDealt,
    TilesShuffled,
)
from events.inis.vocabulary import CardId, Part
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.scoring import king
from workers.inis.state import InisState
from workers.inis.steps.board import PlaceClan
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.hands import PutAside, TakeAside
from workers.inis.steps.rounds import (
    AssignBrenn,
    BeginRound,
    BeginTurn,
    CheckVictory,
    ChooseAside,
    ChooseCapital,
    DealActions,
    DealSecondDraft,
    DraftCards,
    DrawBrenn,
    EndAssembly,
    Keep,
    PlaceFirstClans,
    ShuffleTiles,
    TakeAdvantages,
    TossCrows,
)
from workers.kit.decider import Context, Prompt

# Set-up


def shuffle_tiles(state: InisState, _step: ShuffleTiles, context: Context) -> InisEvent:
    return TilesShuffled(stack=context.chance.shuffle(state.catalogue.tiles))


def draw_brenn(state: InisState, _step: DrawBrenn, context: Context) -> InisEvent:
    return BrennDrawn(seat=Seat(context.chance.below(state.seats)))


def capitals(state: InisState, _step: ChooseCapital, _seat: Seat) -> Sequence[Part]:
    """Any start tile that can hold a citadel (rules, section 2, step 8)."""
    return [Part(territory=each) for each in state.lands if state.catalogue.tiles[each].citadels]


def choose_capital(_state: InisState, _step: ChooseCapital, seat: Seat, part: Part) -> InisEvent:
    if part.territory is None:
        raise AssertionError("only territories are offered")
    return CapitalChosen(seat=seat, territory=part.territory)


def place_first_clans(state: InisState, _step: PlaceFirstClans) -> InisState:
    """The Brenn begins; go round as often as each has clans to place (rules, section 2, step 10)."""
    order = state.order_from(state.brenn) * state.catalogue.start_clans
    return done(state, *(PlaceClan(seat=seat) for seat in order))


# Assembly


def begin_round(state: InisState, _step: BeginRound) -> InisState:
    drafts = (
        DraftCards(),
        *(step for _ in range(state.setup.drafts - 1) for step in (DealSecondDraft(), DraftCards())),
    )
    return done(
        state,
        OpenWindow(window="assembly_start"),
        AssignBrenn(),
        CheckVictory(),
        TakeAdvantages(),
        TossCrows(),
        DealActions(),
        *drafts,
        EndAssembly(),
        phase="assembly",
        round=state.round + 1,
        cathbad=None,
    )


def _claims_crown(state: InisState) -> Seat | None:
    """Return who becomes the Brenn, if anybody does (rules, section 3.1, A1)."""
    if state.capital is None or (state.round == 1 and state.options.first_brenn == "setup"):
        return None
    chieftain = state.lands[state.capital].chieftain
    return None if chieftain == state.brenn else chieftain


def skip_brenn(state: InisState, _step: AssignBrenn) -> InisState | None:
    return done(state) if _claims_crown(state) is None else None


def assign_brenn(state: InisState, _step: AssignBrenn, _context: Context) -> InisEvent:
    seat = _claims_crown(state)
    if seat is None:
        raise AssertionError("the step is skipped without a new Brenn")
    return BrennAssigned(seat=seat)


def skip_victory(state: InisState, _step: CheckVictory) -> InisState | None:
    return None if any(each.pretender for each in state.contenders) else done(state)


def check_victory(state: InisState, _step: CheckVictory, _context: Context) -> InisEvent:
    winner = king(state)
    return PretendersReturned() if winner is None else KingCrowned(seat=winner)


def take_advantages(state: InisState, _step: TakeAdvantages, _context: Context) -> InisEvent:
    """Chieftains take what they do not hold (rules, section 3.1, A3)."""
    taken = [
        (land.id, land.chieftain)
        for land in state.lands.values()
        if land.chieftain is not None and CardId(land.id) not in state.contenders[land.chieftain].advantages
    ]
    return AdvantagesTaken(taken=tuple(taken))


def toss_crows(_state: InisState, _step: TossCrows, context: Context) -> InisEvent:
    return CrowsTossed(direction="clockwise" if context.chance.coin() else "counterclockwise")


def ask_cathbad(state: InisState, step: DealActions) -> InisState | None:
    """Who played Cathbad's Word picks the card set aside; without one chance does (rules, section 3.1, A5)."""
    if state.cathbad is None or step.chosen:
        return None
    return done(state, ChooseAside(seat=state.cathbad), DealActions(chosen=True))


def whole_deck(state: InisState, _step: ChooseAside, _seat: Seat) -> Sequence[Part]:
    return [Part(card=card) for card in state.catalogue.action_deck(state.seats)]


def choose_aside(_state: InisState, _step: ChooseAside, seat: Seat, part: Part) -> InisEvent:
    return AsideChosen(seat=seat, card=CardId(part.card or ""))


def deal_actions(state: InisState, step: DealActions, context: Context) -> InisEvent:
    deck = state.catalogue.action_deck(state.seats)
    if step.chosen and state.aside is not None:
        rest = context.chance.shuffle(card for card in deck if card != state.aside)
        return ActionsDealt(aside=state.aside, deck=rest)
    aside, *rest_of_it = context.chance.shuffle(deck)
    return ActionsDealt(aside=aside, deck=tuple(rest_of_it))


def deal_second_draft(_state: InisState, _step: DealSecondDraft, _context: Context) -> InisEvent:
    return SecondDraftDealt()


def ask_draft(state: InisState, _step: DraftCards) -> Mapping[Seat, Prompt]:
    draft = state.draft
    if draft is None:
        return {}
    keep = Keep(amount=draft.turn)
    return {Seat(seat): keep for seat, kept in enumerate(draft.kept) if not kept}


def pass_cards(state: InisState, _step: DraftCards, _context: Context) -> InisEvent | None:
    return CardsPassed() if state.draft is not None and all(state.draft.kept) else None


def end_assembly(state: InisState, _step: EndAssembly) -> InisState:
    """Cathbad's player exchanges the card set aside; then the Brenn begins the Season (rules, section 3.1, A7)."""
    exchange = () if state.cathbad is None else (TakeAside(state.cathbad), PutAside(seat=state.cathbad))
    return done(state, *exchange, BeginTurn(state.brenn, first=True))


LORE = Lore(
    silent={
        PlaceFirstClans: place_first_clans,
        BeginRound: begin_round,
        AssignBrenn: skip_brenn,
        CheckVictory: skip_victory,
        DealActions: ask_cathbad,
        EndAssembly: end_assembly,
    },
    happens={
        ShuffleTiles: shuffle_tiles,
        DrawBrenn: draw_brenn,
        TossCrows: toss_crows,
        AssignBrenn: assign_brenn,
        CheckVictory: check_victory,
        TakeAdvantages: take_advantages,
        DealActions: deal_actions,
        DealSecondDraft: deal_second_draft,
        DraftCards: pass_cards,
    },
    options={ChooseCapital: capitals, ChooseAside: whole_deck},
    answers={ChooseCapital: choose_capital, ChooseAside: choose_aside},
    asks={DraftCards: ask_draft},
)
