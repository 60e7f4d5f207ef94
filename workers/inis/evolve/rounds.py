"""What the game becomes by set-up, Assembly and the course of a Season."""

from __future__ import annotations

from msgspec.structs import replace

from events.inis.events.board import CrowsTurned, TilesPutUnder, TilesRevealed
from events.inis.events.cards import DeedGained
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
    TileLaid,
    TilesShuffled,
    TurnPassed,
)
from events.inis.vocabulary import CardId, TerritoryId
from events.messages import Seat
from workers.inis.agenda import done
from workers.inis.changes import from_hand, in_order, to_hand, with_contender, with_land, without
from workers.inis.lattice import touch
from workers.inis.phases.season import AFTER_TURN
from workers.inis.scoring import candidates
from workers.inis.state import InisState
from workers.inis.state.pieces import Draft, Land
from workers.inis.steps.board import ChooseTile
from workers.inis.steps.rounds import BeginRound, ChooseCapital, GatesEffect

# Set-up and new tiles


def tiles_shuffled(state: InisState, event: TilesShuffled) -> InisState:
    return done(state, stack=event.stack)


def tile_laid(state: InisState, event: TileLaid) -> InisState:
    beside = tuple(land.id for land in state.lands.values() if touch(land.location, event.location))
    lands = {
        each: replace(land, beside=(*land.beside, event.tile)) if each in beside else land
        for each, land in state.lands.items()
    }
    built = min(state.catalogue.tiles[event.tile].entry_sanctuaries, state.sanctuaries)
    lands[event.tile] = Land(
        id=event.tile, location=event.location, beside=beside, clans=(0,) * state.seats, sanctuaries=built
    )
    return done(
        state,
        lands=lands,
        stack=tuple(tile for tile in state.stack if tile != event.tile),
        sanctuaries=state.sanctuaries - built,
        face_up=(*state.face_up, CardId(event.tile)),
    )


def tiles_revealed(state: InisState, event: TilesRevealed) -> InisState:
    return done(state, ChooseTile(seat=state.agenda[0].seat, tiles=event.tiles))


def tiles_put_under(state: InisState, event: TilesPutUnder) -> InisState:
    rest = tuple(tile for tile in state.stack if tile not in event.tiles)
    return done(state, stack=(*rest, *event.tiles))


def brenn_drawn(state: InisState, event: BrennDrawn) -> InisState:
    return done(state, ChooseCapital(seat=event.seat), brenn=event.seat)


def capital_chosen(state: InisState, event: CapitalChosen) -> InisState:
    land = state.lands[event.territory]
    lands = with_land(state, event.territory, citadels=land.citadels + 1, sanctuaries=land.sanctuaries + 1)
    return done(state, lands=lands, capital=event.territory, sanctuaries=state.sanctuaries - 1)


def crows_tossed(state: InisState, event: CrowsTossed) -> InisState:
    """Only another side has an effect, and the first toss has none (rules, section 5.2)."""
    turned = event.direction != state.direction and not state.agenda[0].first
    return done(state, *((GatesEffect(),) if turned else ()), direction=event.direction)


def crows_turned(state: InisState, _event: CrowsTurned) -> InisState:
    other = "counterclockwise" if state.direction == "clockwise" else "clockwise"
    return done(state, GatesEffect(), direction=other)


# Assembly


def brenn_assigned(state: InisState, event: BrennAssigned) -> InisState:
    return done(state, brenn=event.seat)


def king_crowned(state: InisState, event: KingCrowned) -> InisState:
    return replace(state, winner=event.seat, phase="over", agenda=())


def pretenders_returned(state: InisState, _event: PretendersReturned) -> InisState:
    """With single use, deeds that completed a condition of a candidate are spent (rules, section 7)."""
    spending = candidates(state) if state.options.deeds == "single_use" else ()
    contenders = [
        replace(
            each,
            pretender=False,
            deeds=each.deeds - (state.deeds_needed(Seat(seat)) if Seat(seat) in spending else 0),
        )
        for seat, each in enumerate(state.contenders)
    ]
    return done(state, contenders=tuple(contenders))


def advantages_taken(state: InisState, event: AdvantagesTaken) -> InisState:
    """What no chieftain takes lies face up, also what somebody still held (rules, section 3.1, A3)."""
    for territory, seat in event.taken:
        state = claimed(state, seat, CardId(territory))
    masterless = [CardId(land.id) for land in state.lands.values() if land.chieftain is None]
    given_up = [card for card in masterless if any(card in each.advantages for each in state.contenders)]
    contenders = tuple(replace(each, advantages=without(each.advantages, *given_up)) for each in state.contenders)
    face_up = in_order(state, (*state.face_up, *state.face_down, *given_up))
    return done(state, contenders=contenders, face_up=face_up, face_down=())


def claimed(state: InisState, seat: Seat, card: CardId) -> InisState:
    """Return the state with an Advantage card in a hand, wherever it was."""
    for holder, contender in enumerate(state.contenders):
        if card in contender.advantages:
            state = from_hand(state, Seat(holder), card)
    state = replace(state, face_up=without(state.face_up, card), face_down=without(state.face_down, card))
    return to_hand(state, seat, card)


def aside_chosen(state: InisState, event: AsideChosen) -> InisState:
    rest = without(state.catalogue.action_deck(state.seats), event.card)
    return done(state, aside=event.card, aside_by=event.seat, pile=rest)


def actions_dealt(state: InisState, event: ActionsDealt) -> InisState:
    known = state.aside_by if state.agenda[0].chosen else None
    return _dealt(replace(state, aside=event.aside, aside_by=known, pile=()), event.deck)


def second_draft_dealt(state: InisState, _event: SecondDraftDealt) -> InisState:
    return _dealt(state, state.undealt)


def _dealt(state: InisState, deck: tuple[CardId, ...]) -> InisState:
    each, seats = state.setup.dealt, state.seats
    fronts = tuple(in_order(state, deck[seat * each : (seat + 1) * each]) for seat in range(seats))
    draft = Draft(turn=1, fronts=fronts, kept=((),) * seats)
    return done(state, draft=draft, undealt=deck[each * seats :])


def cards_kept(state: InisState, event: CardsKept) -> InisState:
    draft = _draft(state)
    kept = (*draft.kept[: event.seat], event.cards, *draft.kept[event.seat + 1 :])
    return replace(state, draft=replace(draft, kept=kept))


def cards_passed(state: InisState, _event: CardsPassed) -> InisState:
    """Each gets what the one before passes on; after the last pass it is the hand (rules, section 3.1, A6)."""
    draft = _draft(state)
    fronts = list(draft.kept)
    for seat, front in enumerate(draft.fronts):
        receiver = state.next_after(Seat(seat))
        fronts[receiver] = (*fronts[receiver], *without(front, *draft.kept[seat]))
    ordered = tuple(in_order(state, front) for front in fronts)
    if draft.turn + 1 < state.setup.dealt:
        following = Draft(turn=draft.turn + 1, fronts=ordered, kept=((),) * state.seats)
        return replace(state, draft=following)
    for seat, front in enumerate(ordered):
        state = to_hand(state, Seat(seat), *front)
    return done(state, draft=None)


def _draft(state: InisState) -> Draft:
    if state.draft is None:
        raise AssertionError("a draft is under way")
    return state.draft


# Season


def turn_passed(state: InisState, event: TurnPassed) -> InisState:
    passed = state.passed if event.seat in state.passed else (*state.passed, event.seat)
    return done(state, *AFTER_TURN, passed=passed)


def pretender_taken(state: InisState, event: PretenderTaken) -> InisState:
    return done(state, *AFTER_TURN, passed=(), contenders=with_contender(state, event.seat, pretender=True))


def deed_gained(state: InisState, event: DeedGained) -> InisState:
    deeds = state.contenders[event.seat].deeds
    return done(state, contenders=with_contender(state, event.seat, deeds=deeds + 1))


def deed_returned(state: InisState, event: DeedReturned) -> InisState:
    deeds = state.contenders[event.seat].deeds
    return done(state, contenders=with_contender(state, event.seat, deeds=deeds - 1))


def season_ended(state: InisState, _event: SeasonEnded) -> InisState:
    """Action cards go, tales stay, an Advantage card stays with a chieftain (rules, section 3.2, S4)."""
    pile, face_up, contenders = list(state.pile), list(state.face_up), []
    for seat, each in enumerate(state.contenders):
        stays = tuple(card for card in each.advantages if state.lands[TerritoryId(card)].chieftain == seat)
        pile += each.actions
        face_up += without(each.advantages, *stays)
        contenders.append(replace(each, actions=(), advantages=stays))
    return done(
        state,
        BeginRound(),
        contenders=tuple(contenders),
        pile=in_order(state, pile),
        face_up=in_order(state, face_up),
        festival=None,
        passed=(),
        opening=False,
    )
