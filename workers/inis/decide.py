"""What a player's wish causes, and what follows from it until somebody is asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events.inis.commands import (
    Attack,
    Choose,
    Confirm,
    InisCommand,
    KeepCards,
    MoveForBeltaine,
    PassTurn,
    PlayCard,
    Respond,
    Shelter,
    TakeBack,
    TakePretender,
    VotePeace,
    Withdraw,
)
from events.inis.events import InisEvent
from events.inis.events.board import AttackDeclared, ClanSheltered, PeaceVoted, ShelterDeclined, WithdrawalDeclared
from events.inis.events.cards import (
    CardPlayed,
    DeclarationBegun,
    PartDeclared,
    PartTakenBack,
    TributeChosen,
    WindowAnswered,
)
from events.inis.events.rounds import CardsKept, PretenderTaken, TurnPassed
from events.inis.events.seasons import BeltaineMoved
from events.inis.vocabulary import CardId, Part
from events.messages import Command, Seat, SeatCommand
from workers.inis.follow import follow
from workers.inis.legal import MOOR, may_play_moor, prompts
from workers.inis.lore import lore_of
from workers.inis.phases.clash import epic_maneuvers, may_fight, may_withdraw, targets
from workers.inis.phases.playing import form
from workers.inis.phases.season import may_take_pretender, season_cards
from workers.inis.seasons.beltaine import DECLARED as BELTAINE
from workers.inis.seasons.beltaine import may_move
from workers.inis.state import InisState
from workers.inis.steps.cards import Declare, Window
from workers.inis.steps.clash import Citadels, Maneuver, Peace
from workers.inis.steps.hands import CollectTribute
from workers.inis.steps.rounds import DraftCards, Turn
from workers.inis.windows import fitting
from workers.kit.decider import Context, Refused


def step(state: InisState, command: Command, context: Context) -> tuple[Sequence[InisEvent], InisState]:
    """Return what the command causes with all that follows by itself, and the state after it; or raise ``Refused``."""
    if not isinstance(command, InisCommand):
        raise Refused("malformed", path="$.kind", reason="unknown_kind", problem="no such command in this game")
    asked = prompts(state)
    if command.seat not in asked:
        raise Refused("not_your_turn", asked=sorted(asked))
    question = state.agenda[0]
    steps, answer = _ANSWERS[type(command)]
    if steps and not isinstance(question, steps):
        raise Refused("wrong_question", asked=str(asked[command.seat].__struct_config__.tag))
    return follow(state, answer(state, command, question), context)


def keep_cards(state: InisState, command: KeepCards, _question: DraftCards) -> InisEvent:
    """A choice of the cards in front, of the right size, each once and in their order (rules, section 3.1, A6)."""
    draft = state.draft
    if draft is None:
        raise AssertionError("the question is put in a draft")
    front = draft.fronts[command.seat]
    for card in command.cards:
        if card not in front:
            raise Refused("card_not_in_front", card=card)
    if len(command.cards) != draft.turn:
        raise Refused("wrong_number_of_cards", amount=draft.turn)
    if command.cards != tuple(card for card in front if card in command.cards):
        raise Refused("cards_not_in_order", front=list(front))
    return CardsKept(seat=command.seat, cards=command.cards)


def play_card(state: InisState, command: PlayCard, question: Any) -> InisEvent:  # noqa: ANN401  any question
    """As a turn, as a maneuver, or Moor before another answer (rules, sections 3.2, 4.2 and 6)."""
    seat, card = command.seat, command.card
    if card not in state.catalogue.cards or card not in state.hand(seat, card):
        raise Refused("card_not_in_hand", card=card)
    if card == MOOR and isinstance(question, MOOR_MOMENTS):
        if not may_play_moor(state, seat):
            raise Refused("card_not_playable_now", card=card)
        return CardPlayed(seat=seat, card=card)
    if isinstance(question, Turn):
        playable = card in season_cards(state, seat)
    elif isinstance(question, Maneuver):
        playable = card in epic_maneuvers(state, seat)
    else:
        playable = False
    if not playable:
        raise Refused("card_not_playable_now", card=card)
    return _declared(state, seat, card)


def _declared(state: InisState, seat: Seat, card: CardId) -> InisEvent:
    """Begin a declaration, unless there is nothing to declare."""
    if not form(state, Declare(seat=seat, card=card)).options:
        return CardPlayed(seat=seat, card=card)
    return DeclarationBegun(seat=seat, card=card)


def choose(state: InisState, command: Choose, question: Any) -> InisEvent:  # noqa: ANN401  any question
    """One of what the question offers."""
    seat, part = command.seat, command.part
    if isinstance(question, Declare):
        return _declare(state, command, question)
    options = lore_of(state).options.get(type(question))
    if options is None:
        raise Refused("wrong_question", asked=str(prompts(state)[seat].__struct_config__.tag))
    if part not in options(state, question, seat):
        raise Refused("choice_not_offered")
    if isinstance(question, CollectTribute):
        return TributeChosen(seat=seat, card=CardId(part.card or ""))
    return lore_of(state).answers[type(question)](state, question, seat, part)


def _declare(state: InisState, command: Choose, question: Declare) -> InisEvent:
    offered = form(state, question)
    if command.part not in offered.options:
        raise Refused("choice_not_offered")
    parts = (*question.parts, command.part)
    return _announced(question, parts) if offered.last else PartDeclared(seat=command.seat, part=command.part)


def confirm(state: InisState, _command: Confirm, question: Declare) -> InisEvent:
    """Only when enough is declared."""
    if not form(state, question).enough:
        raise Refused("declaration_incomplete")
    return _announced(question, question.parts)


def _announced(question: Declare, parts: tuple[Part, ...]) -> InisEvent:
    if question.card is None:
        return WithdrawalDeclared(seat=question.seat, parts=parts)
    if question.card == BELTAINE:
        return BeltaineMoved(seat=question.seat, parts=parts)
    return CardPlayed(seat=question.seat, card=question.card, parts=parts)


def take_back(_state: InisState, command: TakeBack, _question: Declare) -> InisEvent:
    return PartTakenBack(seat=command.seat)


def pass_turn(state: InisState, command: PassTurn, _question: Turn) -> InisEvent:
    """Not on the first turn of the Season (rules, section 3.2)."""
    if state.opening:
        raise Refused("first_turn_plays_a_card")
    return TurnPassed(seat=command.seat)


def take_pretender(state: InisState, command: TakePretender, _question: Turn) -> InisEvent:
    """With a condition met, once, and not on the first turn of the Season (rules, section 3.2)."""
    if state.opening:
        raise Refused("first_turn_plays_a_card")
    if state.contenders[command.seat].pretender:
        raise Refused("already_pretender")
    if not may_take_pretender(state, command.seat):
        raise Refused("no_condition_met")
    return PretenderTaken(seat=command.seat)


def respond(state: InisState, command: Respond, question: Window) -> InisEvent:
    """A fitting card of the hand, or none (rules, section 6)."""
    card = command.card
    if card is not None:
        if card not in state.catalogue.cards or card not in state.hand(command.seat, card):
            raise Refused("card_not_in_hand", card=card)
        if card not in fitting(state, question.opened, command.seat):
            raise Refused("card_not_playable_now", card=card)
    return WindowAnswered(seat=command.seat, card=card)


def shelter(_state: InisState, command: Shelter, _question: Citadels) -> InisEvent:
    return ClanSheltered(seat=command.seat) if command.accept else ShelterDeclined(seat=command.seat)


def vote_peace(state: InisState, command: VotePeace, _question: Peace) -> InisEvent:
    """A lone player without a maneuver ends the clash (rules, section 4.2, C5)."""
    if not (command.end or may_fight(state, command.seat)):
        raise Refused("no_maneuver_possible")
    return PeaceVoted(seat=command.seat, end=command.end)


def attack(state: InisState, command: Attack, _question: Maneuver) -> InisEvent:
    """Any opponent with an exposed clan (rules, section 4.2, C6)."""
    if command.target not in targets(state, command.seat):
        raise Refused("no_exposed_clan", target=command.target)
    return AttackDeclared(seat=command.seat, target=command.target)


def withdraw(state: InisState, command: Withdraw, _question: Maneuver) -> InisEvent:
    """To adjacent territories of which the player is chieftain (rules, section 4.2, C6)."""
    if not may_withdraw(state, command.seat):
        raise Refused("no_territory_to_withdraw_to")
    return DeclarationBegun(seat=command.seat)


def move_for_beltaine(state: InisState, command: MoveForBeltaine, _question: Turn) -> InisEvent:
    """In summer, with an Action card and a move to make, and not on the first turn (expansion, section 4.6)."""
    if not may_move(state, command.seat):
        raise Refused("no_beltaine_move")
    return DeclarationBegun(seat=command.seat, card=BELTAINE)


MOOR_MOMENTS: Final = (DraftCards, Turn, Citadels, Peace, Maneuver)

_Answer = Callable[[InisState, Any, Any], InisEvent]
_ANSWERS: Final[Mapping[type[SeatCommand], tuple[tuple[type[Any], ...], _Answer]]] = {
    KeepCards: ((DraftCards,), keep_cards),
    PlayCard: (MOOR_MOMENTS, play_card),
    Choose: ((), choose),
    Confirm: ((Declare,), confirm),
    TakeBack: ((Declare,), take_back),
    PassTurn: ((Turn,), pass_turn),
    TakePretender: ((Turn,), take_pretender),
    Respond: ((Window,), respond),
    Shelter: ((Citadels,), shelter),
    VotePeace: ((Peace,), vote_peace),
    Attack: ((Maneuver,), attack),
    Withdraw: ((Maneuver,), withdraw),
    MoveForBeltaine: ((Turn,), move_for_beltaine),
}
