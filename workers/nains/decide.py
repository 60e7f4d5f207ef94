"""What a Lord's wish causes, and what follows from it until somebody is asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events.messages import Command, SeatCommand
from events.nains.commands import (
    ChooseDwarf,
    DiscardDwarf,
    PlaceBets,
    RecruitFighter,
    ReturnMarkers,
    TakeDwarf,
    UpgradeCoin,
    UpgradePouchCoin,
)
from events.nains.events import (
    BetsPlaced,
    CoinUpgraded,
    DwarfChosen,
    DwarfDiscarded,
    DwarfTaken,
    FighterRecruited,
    MarkersReturned,
    NainsEvent,
    PouchCoinUpgraded,
)
from events.nains.vocabulary import SPOTS, Coin
from workers.kit.decider import Context, Prompt, Refused
from workers.nains.follow import follow
from workers.nains.legal import columns_for, upgradable
from workers.nains.state import Bet, CoinUp, Discard, NainsState, PouchUp, Recruit, Svara, Take, Unmark


def step(state: NainsState, command: Command, context: Context) -> tuple[Sequence[NainsEvent], NainsState]:
    """Return what the command causes with all that follows by itself, and the state after it; or raise ``Refused``."""
    answered = _ANSWERS.get(type(command))
    if answered is None or not isinstance(command, SeatCommand):
        raise Refused("malformed", path="$.kind", problem="no such command in this game", reason="unknown_kind")
    prompt = state.prompts.get(command.seat)
    if prompt is None:
        raise _not_asked(state, command)
    question, answer = answered
    if not isinstance(prompt, question):
        raise Refused("wrong_question", asked=str(prompt.__struct_config__.tag))
    return follow(state, answer(state, command, prompt), context.chance)


def _not_asked(state: NainsState, command: SeatCommand) -> Refused:
    seats = range(len(state.lords))
    if state.phase == "bets" and command.seat in seats and isinstance(command, PlaceBets):
        return Refused("already_bet")
    return Refused("not_your_turn", asked=list(state.prompts))


def place_bets(state: NainsState, command: PlaceBets, _prompt: Bet) -> NainsEvent:
    """Any three different coins of the Lord's own (rules, section 3.3)."""
    if len(command.coins) != len(SPOTS):
        raise Refused("bet_incomplete", spots=len(SPOTS))
    own = Counter(state.lords[command.seat].hand)
    for coin, times in Counter(command.coins).items():
        if coin not in own:
            raise Refused("coin_not_yours", coin=coin)
        if times > own[coin]:
            raise Refused("coins_repeated", coin=coin)
    return BetsPlaced(seat=command.seat, coins=command.coins)


def take_dwarf(state: NainsState, command: TakeDwarf, _prompt: Take) -> NainsEvent:
    """A card left in the tavern being resolved (rules, section 3.5, step a)."""
    _require_in_tavern(state, command)
    return DwarfTaken(seat=command.seat, card=command.card)


def discard_dwarf(state: NainsState, command: DiscardDwarf, _prompt: Discard) -> NainsEvent:
    """One of the cards left (rules, section 2.1)."""
    _require_in_tavern(state, command)
    return DwarfDiscarded(seat=command.seat, card=command.card)


def recruit_fighter(state: NainsState, command: RecruitFighter, _prompt: Recruit) -> NainsEvent:
    """A card of the supply into a column its colour allows (rules, section 3.6)."""
    if command.card not in state.supply:
        raise Refused("card_not_in_supply", card=command.card)
    allowed = columns_for(state.card(command.card))
    if command.column not in allowed:
        raise Refused("column_forbidden", card=command.card, allowed=list(allowed))
    return FighterRecruited(seat=command.seat, card=command.card, column=command.column)


def upgrade_coin(state: NainsState, command: UpgradeCoin, prompt: CoinUp) -> NainsEvent:
    """Any coin of the Lord's own, wherever it lies, but an exchange coin (rules, section 5.4, COIN_UP)."""
    lord = state.lords[command.seat]
    if command.coin not in lord.coins:
        raise Refused("coin_not_yours", coin=command.coin)
    coin = state.coin(command.coin)
    if coin.exchange:
        raise Refused("exchange_coin_fixed", coin=command.coin)
    if (command.coin, command.place) not in upgradable(state, command.seat):
        raise Refused("coin_not_there", coin=command.coin, place=command.place)
    new = state.offered_for(coin.value + prompt.by, coin)
    return CoinUpgraded(seat=command.seat, old=coin.id, new=new.id, place=command.place)


def upgrade_pouch_coin(state: NainsState, command: UpgradePouchCoin, prompt: PouchUp) -> NainsEvent:
    """One of the two pouch coins (rules, section 3.5, Retaliation effect)."""
    lord = state.lords[command.seat]
    if command.coin not in lord.coins:
        raise Refused("coin_not_yours", coin=command.coin)
    coin: Coin = state.coin(command.coin)
    if coin.exchange:
        raise Refused("exchange_coin_fixed", coin=command.coin)
    if command.coin not in lord.pouch:
        raise Refused("coin_not_in_pouch", coin=command.coin)
    new = state.offered_for(coin.value + prompt.by, coin)
    return PouchCoinUpgraded(seat=command.seat, old=coin.id, new=new.id)


def choose_dwarf(state: NainsState, command: ChooseDwarf, _prompt: Svara) -> NainsEvent:
    """One of the cards looked at (rules, section 5.4, SVARA)."""
    if command.card not in state.looked:
        raise Refused("card_not_looked_at", card=command.card)
    return DwarfChosen(seat=command.seat, card=command.card)


def return_markers(state: NainsState, command: ReturnMarkers, prompt: Unmark) -> NainsEvent:
    """Any of the Lord's marked cards up to a number, none included (rules, section 5.4, UNMARK)."""
    marked = state.lords[command.seat].marked
    for card in command.cards:
        if card not in marked:
            raise Refused("card_not_marked", card=card)
    if len(set(command.cards)) < len(command.cards):
        raise Refused("cards_repeated")
    if len(command.cards) > prompt.most:
        raise Refused("too_many_cards", most=prompt.most)
    if command.cards != tuple(card for card in marked if card in command.cards):
        raise Refused("cards_not_in_column_order", marked=list(marked))
    return MarkersReturned(seat=command.seat, cards=command.cards)


def _require_in_tavern(state: NainsState, command: TakeDwarf | DiscardDwarf) -> None:
    if command.card not in state.open_tavern:
        raise Refused("card_not_in_tavern", card=command.card, tavern=state.tavern)


_ANSWERS: Final[Mapping[type[Command], tuple[type[Prompt], Callable[[NainsState, Any, Any], NainsEvent]]]] = {
    PlaceBets: (Bet, place_bets),
    TakeDwarf: (Take, take_dwarf),
    UpgradePouchCoin: (PouchUp, upgrade_pouch_coin),
    DiscardDwarf: (Discard, discard_dwarf),
    RecruitFighter: (Recruit, recruit_fighter),
    UpgradeCoin: (CoinUp, upgrade_coin),
    ChooseDwarf: (Svara, choose_dwarf),
    ReturnMarkers: (Unmark, return_markers),
}
