"""Cards that are drawn, discarded, taken and given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.cards import (
    AdvantageClaimed,
    CardDiscarded,
    CardGiven,
    CardSetAside,
    CardStolen,
    CardTaken,
    HandSeen,
    TaleClaimed,
    TaleKept,
    TalesDrawn,
    TalesRevealed,
    TributePaid,
)
from events.inis.events.rounds import TalesShuffled
from events.inis.vocabulary import CardId, Part
from events.messages import Seat
from workers.inis.agenda import Lore, changed, done
from workers.inis.state import InisState
from workers.inis.steps.cards import OpenWindow
from workers.inis.steps.hands import (
    ClaimAdvantage,
    ClaimTale,
    CollectTribute,
    DiscardCard,
    Draw,
    DrawMore,
    DrawTales,
    GiveCard,
    KeepTale,
    PutAside,
    RevealTales,
    SearchPile,
    SeeHand,
    Steal,
    TakeAside,
    Tribute,
)
from workers.inis.steps.rounds import ShuffleTales
from workers.kit.decider import Context, Prompt


def named(cards: Sequence[CardId]) -> list[Part]:
    return [Part(card=card) for card in cards]


# Drawing Epic Tales


def draw(state: InisState, step: Draw) -> InisState:
    """Open the window of the draw, then draw (rules, section 6, epic_draw and gates_draw)."""
    window = OpenWindow(window="gates_draw" if step.gates else "epic_draw", seat=step.seat)
    return done(state, window, DrawTales(seat=step.seat, amount=step.amount))


def draw_more(state: InisState, _step: DrawMore) -> InisState:
    drawing = next(step for step in state.agenda if isinstance(step, DrawTales))
    return replace(state, agenda=changed(state, DrawTales, amount=drawing.amount + 1)[1:])


def end_draw(state: InisState, step: DrawTales) -> InisState | None:
    """Both piles may be empty (house H25)."""
    if state.deck or state.discards:
        return None
    return done(state, KeepTale(seat=step.seat, drawn=step.drawn)) if step.drawn else done(state)


def draw_tales(state: InisState, step: DrawTales, context: Context) -> InisEvent:
    if not state.deck:
        return shuffle_tales(state, ShuffleTales(), context)
    return TalesDrawn(seat=step.seat, cards=state.deck[: step.amount - len(step.drawn)])


def shuffle_tales(state: InisState, _step: ShuffleTales, context: Context) -> InisEvent:
    return TalesShuffled(deck=context.chance.shuffle((*state.deck, *state.discards)))


def drawn(_state: InisState, step: KeepTale, _seat: Seat) -> Sequence[Part]:
    return named(step.drawn)


def keep_tale(_state: InisState, _step: KeepTale, seat: Seat, part: Part) -> InisEvent:
    return TaleKept(seat=seat, card=_card(part))


# Discarding, searching, setting aside


def discardable(state: InisState, step: DiscardCard, seat: Seat) -> Sequence[Part]:
    contender = state.contenders[seat]
    if step.any_kind:
        return named((*contender.actions, *contender.advantages, *contender.tales))
    return named(contender.actions)


def skip_discard(state: InisState, step: DiscardCard) -> InisState | None:
    return None if discardable(state, step, step.seat) else done(state)


def discard_card(_state: InisState, _step: DiscardCard, seat: Seat, part: Part) -> InisEvent:
    return CardDiscarded(seat=seat, card=_card(part))


def skip_search(state: InisState, _step: SearchPile) -> InisState | None:
    return None if state.pile else done(state)


def in_pile(state: InisState, _step: SearchPile, _seat: Seat) -> Sequence[Part]:
    return named(state.pile)


def search_pile(_state: InisState, _step: SearchPile, seat: Seat, part: Part) -> InisEvent:
    return CardTaken(seat=seat, card=_card(part), aside=False)


def skip_aside(state: InisState, _step: TakeAside) -> InisState | None:
    return done(state) if state.aside is None else None


def take_aside(state: InisState, step: TakeAside, _context: Context) -> InisEvent:
    if state.aside is None:
        raise AssertionError("the step is skipped without a card")
    return CardTaken(seat=step.seat, card=state.aside, aside=True)


def skip_put_aside(state: InisState, step: PutAside) -> InisState | None:
    return None if state.contenders[step.seat].actions else done(state)


def own_actions(state: InisState, _step: PutAside | GiveCard, seat: Seat) -> Sequence[Part]:
    return named(state.contenders[seat].actions)


def put_aside(_state: InisState, _step: PutAside, seat: Seat, part: Part) -> InisEvent:
    return CardSetAside(seat=seat, card=_card(part))


# From hand to hand


def skip_steal(state: InisState, step: Steal) -> InisState | None:
    return None if state.contenders[step.owner].actions else done(state)


def steal(state: InisState, step: Steal, context: Context) -> InisEvent:
    card = context.chance.choose(state.contenders[step.owner].actions)
    return CardStolen(seat=step.seat, owner=step.owner, card=card)


def skip_gift(state: InisState, step: GiveCard) -> InisState | None:
    return None if state.contenders[step.seat].actions else done(state)


def give_card(_state: InisState, step: GiveCard, seat: Seat, part: Part) -> InisEvent:
    return CardGiven(seat=seat, to=step.to, card=_card(part))


def skip_tribute(state: InisState, step: CollectTribute) -> InisState | None:
    return None if step.givers else done(state)


def ask_tribute(_state: InisState, step: CollectTribute) -> Mapping[Seat, Prompt]:
    answered = [seat for seat, _ in step.gifts]
    prompt = Tribute(to=step.seat)
    return {seat: prompt for seat in step.givers if seat not in answered}


def tribute(state: InisState, _step: CollectTribute, seat: Seat) -> Sequence[Part]:
    return named(state.contenders[seat].actions)


def pay_tribute(_state: InisState, step: CollectTribute, _context: Context) -> InisEvent | None:
    if len(step.gifts) < len(step.givers):
        return None
    return TributePaid(seat=step.seat, gifts=step.gifts)


def see_hand(state: InisState, step: SeeHand, _context: Context) -> InisEvent:
    owner = state.contenders[step.owner]
    cards = owner.tales if step.tales else owner.actions
    return HandSeen(seat=step.seat, owner=step.owner, cards_of="tale" if step.tales else "action", cards=cards)


def skip_reveal(state: InisState, step: RevealTales) -> InisState | None:
    opponents = (each for seat, each in enumerate(state.contenders) if seat != step.seat)
    return None if any(each.tales for each in opponents) else done(state)


def reveal_tales(state: InisState, step: RevealTales, context: Context) -> InisEvent:
    """Each opponent with a tale, in turn order, shows one at random (rules, section 5.4, Deirdre's Beauty)."""
    return shown_by(state.order_from(step.seat)[1:], state, context)


def shown_by(seats: Sequence[Seat], state: InisState, context: Context) -> TalesRevealed:
    """Return that each of these players who has a tale shows one at random, in this order."""
    shown = [
        (seat, context.chance.choose(state.contenders[seat].tales)) for seat in seats if state.contenders[seat].tales
    ]
    return TalesRevealed(tales=tuple(shown))


def revealed(_state: InisState, step: ClaimTale, _seat: Seat) -> Sequence[Part]:
    return named([card for _, card in step.tales])


def claim_tale(_state: InisState, _step: ClaimTale, seat: Seat, part: Part) -> InisEvent:
    return TaleClaimed(seat=seat, card=_card(part))


def skip_claim(state: InisState, step: ClaimAdvantage) -> InisState | None:
    """A card played this round lies face down and stays there (rules, section 5.1, Citadel)."""
    nowhere = step.card in state.face_down or any(play.card == step.card for play in state.plays)
    own = step.card in state.contenders[step.seat].advantages
    return done(state) if nowhere or own else None


def claim_advantage(_state: InisState, step: ClaimAdvantage, _context: Context) -> InisEvent:
    return AdvantageClaimed(seat=step.seat, card=step.card)


def _card(part: Part) -> CardId:
    if part.card is None:
        raise AssertionError("only cards are offered")
    return part.card


LORE = Lore(
    silent={
        Draw: draw,
        DrawMore: draw_more,
        DrawTales: end_draw,
        DiscardCard: skip_discard,
        SearchPile: skip_search,
        TakeAside: skip_aside,
        PutAside: skip_put_aside,
        Steal: skip_steal,
        GiveCard: skip_gift,
        CollectTribute: skip_tribute,
        RevealTales: skip_reveal,
        ClaimAdvantage: skip_claim,
    },
    happens={
        DrawTales: draw_tales,
        ShuffleTales: shuffle_tales,
        TakeAside: take_aside,
        Steal: steal,
        CollectTribute: pay_tribute,
        SeeHand: see_hand,
        RevealTales: reveal_tales,
        ClaimAdvantage: claim_advantage,
    },
    options={
        KeepTale: drawn,
        DiscardCard: discardable,
        SearchPile: in_pile,
        PutAside: own_actions,
        GiveCard: own_actions,
        CollectTribute: tribute,
        ClaimTale: revealed,
    },
    answers={
        KeepTale: keep_tale,
        DiscardCard: discard_card,
        SearchPile: search_pile,
        PutAside: put_aside,
        GiveCard: give_card,
        ClaimTale: claim_tale,
    },
    asks={CollectTribute: ask_tribute},
)
