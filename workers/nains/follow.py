"""What happens by itself after an event: what nobody is asked, and what leaves a Lord no choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events.chance import Chance
from events.messages import Seat
from events.nains.events import (
    AwardLost,
    AwardWon,
    CardsLookedAt,
    CoinsExchanged,
    CoinUpgraded,
    DwarfChosen,
    DwarfTaken,
    DwarvesEntered,
    EraShuffled,
    FighterRecruited,
    GemsExchanged,
    LeftoverDiscarded,
    MarkersReturned,
    NainsEvent,
    PariahMarked,
    RecruitLost,
    TavernRevealed,
    TradeCoinTaken,
    TurnEnded,
)
from events.nains.vocabulary import SPOTS
from workers.nains.evolve import evolve
from workers.nains.legal import columns_for
from workers.nains.scoring import winner_of
from workers.nains.state import (
    LAST_ERA,
    CoinUp,
    Discard,
    ExchangeCoins,
    LookAtDeck,
    Mark,
    NainsState,
    PouchUp,
    Recruit,
    ShuffleDeck,
    Step,
    Svara,
    Take,
    TakeTrade,
    Unmark,
    UpgradeSpot,
)


def follow(state: NainsState, first: NainsEvent, chance: Chance) -> tuple[Sequence[NainsEvent], NainsState]:
    """Return an event and all after it until somebody has a choice or the game is over, with the state they make."""
    events = []
    event: NainsEvent | None = first
    while event is not None:
        events.append(event)
        state = evolve(state, event)
        event = next_event(state, chance)
    return events, state


def next_event(state: NainsState, chance: Chance) -> NainsEvent | None:
    """Return what happens now without anybody's choice; nothing when a question is open or the game is over."""
    if state.agenda:
        seat, step = state.agenda[0]
        return _STEPS[type(step)](state, seat, step, chance)
    match state.phase:
        case "entering":
            return enter_dwarves(state, state.era, state.turn + 1)
        case "bets" if state.everyone_has_bet:
            return reveal_tavern(state)
        case "tavern":
            return end_tavern(state)
        case "evaluation":
            return evaluate_orders(state)
        case _:
            return None


def enter_dwarves(state: NainsState, era: int, turn: int) -> NainsEvent:
    """Draw for each tavern in turn (rules, section 3.2)."""
    deck, each = state.decks[era - 1], state.setup.cards_per_tavern
    taverns = tuple(deck[tavern * each : (tavern + 1) * each] for tavern in range(len(SPOTS)))
    return DwarvesEntered(era=era, turn=turn, taverns=taverns)


def reveal_tavern(state: NainsState) -> NainsEvent:
    """Turn up the coins of the next tavern (rules, section 3.4)."""
    return TavernRevealed(tavern=state.tavern + 1, coins=tuple(lord.spots[state.tavern] for lord in state.lords))


def end_tavern(state: NainsState) -> NainsEvent:
    """Discard what is left, exchange gems, go on (rules, sections 3.7 to 3.9)."""
    if state.open_tavern:
        return LeftoverDiscarded(card=state.open_tavern[0])
    if state.tied:
        return GemsExchanged(seats=state.tied[0])
    if state.tavern < len(SPOTS):
        return reveal_tavern(state)
    return TurnEnded()


def evaluate_orders(state: NainsState) -> NainsEvent:
    """Award the next card of the line, then begin Era 2 (rules, section 3.10)."""
    if not state.awards:
        return enter_dwarves(state, LAST_ERA, 1)
    award = state.awards[0]
    winner = winner_of(state, award)
    return AwardLost(card=award) if winner is None else AwardWon(seat=winner, card=award)


# Steps of a Lord that ask nothing


def mark(_state: NainsState, seat: Seat, step: Mark, _chance: Chance) -> NainsEvent:
    return PariahMarked(seat=seat, card=step.card)


def upgrade_spot(state: NainsState, seat: Seat, _step: UpgradeSpot, _chance: Chance) -> NainsEvent:
    """Upgrade the coin on the spot of this tavern (rules, section 3.5, Retaliation effect)."""
    coin = state.bet_of(seat)
    new = state.offered_for(coin.value + state.catalogue.retaliation_upgrade, coin)
    return CoinUpgraded(seat=seat, old=coin.id, new=new.id, place=SPOTS[state.tavern - 1])


def look_at_deck(state: NainsState, seat: Seat, step: LookAtDeck, _chance: Chance) -> NainsEvent:
    return CardsLookedAt(seat=seat, cards=state.decks[-1][: step.most])


def shuffle_deck(state: NainsState, _seat: Seat, _step: ShuffleDeck, chance: Chance) -> NainsEvent:
    return EraShuffled(era=LAST_ERA, deck=chance.shuffle(state.decks[-1]))


def exchange_coins(state: NainsState, seat: Seat, _step: ExchangeCoins, _chance: Chance) -> NainsEvent:
    """Give up the higher pouch coin, of equal ones the Bronze, which stands last (rules, section 4.4)."""
    kept, given = (state.coin(coin) for coin in state.lords[seat].pouch)
    new = state.offered_for(kept.value + given.value, given)
    return CoinsExchanged(seat=seat, kept=kept.id, given=given.id, new=new.id)


def take_trade(_state: NainsState, seat: Seat, _step: TakeTrade, _chance: Chance) -> NainsEvent:
    return TradeCoinTaken(seat=seat)


# Questions that leave no choice


def take_the_last(state: NainsState, seat: Seat, _step: Take, _chance: Chance) -> NainsEvent | None:
    if len(state.open_tavern) > 1:
        return None
    return DwarfTaken(seat=seat, card=state.open_tavern[0])


def recruit_the_last(state: NainsState, seat: Seat, _step: Recruit, _chance: Chance) -> NainsEvent | None:
    """Take the only card that fits in the only place, or nobody from an empty supply (rules, section 3.6)."""
    if not state.supply:
        return RecruitLost(seat=seat)
    if len(state.supply) > 1:
        return None
    card = state.supply[0]
    columns = columns_for(state.card(card))
    return None if len(columns) > 1 else FighterRecruited(seat=seat, card=card, column=columns[0])


def choose_the_last(state: NainsState, seat: Seat, _step: Svara, _chance: Chance) -> NainsEvent | None:
    return None if len(state.looked) > 1 else DwarfChosen(seat=seat, card=state.looked[0])


def return_no_marker(state: NainsState, seat: Seat, _step: Unmark, _chance: Chance) -> NainsEvent | None:
    return None if state.lords[seat].marked else MarkersReturned(seat=seat, cards=())


def ask(_state: NainsState, _seat: Seat, _step: Step, _chance: Chance) -> NainsEvent | None:
    """Wait for an answer, even where two coins look alike: only their owner may know that they do."""
    return None


_STEPS: Final[Mapping[type[Step], Callable[[NainsState, Seat, Any, Chance], NainsEvent | None]]] = {
    Take: take_the_last,
    PouchUp: ask,
    Discard: ask,
    Recruit: recruit_the_last,
    CoinUp: ask,
    Svara: choose_the_last,
    Unmark: return_no_marker,
    Mark: mark,
    UpgradeSpot: upgrade_spot,
    LookAtDeck: look_at_deck,
    ShuffleDeck: shuffle_deck,
    ExchangeCoins: exchange_coins,
    TakeTrade: take_trade,
}
