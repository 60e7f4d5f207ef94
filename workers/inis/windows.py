"""
Response windows: who may answer what with which Triskel card (rules, section 6).

Who is asked follows from public knowledge alone: how many cards of a kind somebody holds, which Advantage cards, and
where a card openly lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, get_args

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.cards import CardPlayed, WindowClosed
from events.inis.vocabulary import CardId, WindowKind
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.seasons.windows import widened
from workers.inis.state import HIGHLANDS, HILLS, STONE_CIRCLE, InisState
from workers.inis.steps.board import TakeOff
from workers.inis.steps.cards import Answer, OpenWindow, Window
from workers.inis.steps.clash import Defence
from workers.kit.decider import Context, Prompt

Cards = Sequence[CardId]
NONE: Final[Cards] = ()


def cards(*names: str) -> Cards:
    return tuple(map(CardId, names))


CATHBAD, GEIS, DAGDA, LUG, SPEAR, FRENZY, PLOY = (
    cards(each)
    for each in (
        "cathbads_word",
        "geis",
        "the_dagda",
        "lug_samildanach",
        "lugs_spear",
        "battle_frenzy",
        "oenguss_ploy",
    )
)
FOREST, CIRCLE, CRAFTSMAN, MEADOWS, HIGHLANDS_CARD, MOUNTAINS_CARD = (
    cards(each) for each in ("forest", "stone_circle", "master_craftsman", "meadows", "highlands", "mountains")
)
GATES_CARDS: Final = cards("gates_of_tir_na_nog", "meadows")
SEASON_PLAYED: Final = cards("cove", "lost_vale", "salt_mine", "valley")
TURN_END: Final = cards("oenguss_ploy", "moor")
HILLS_CARD: Final = cards("hills")
ATTACKER: Final = cards("iron_mine", "the_dagdas_club")
CLUB, DIARMUID, CAULDRON = (cards(each) for each in ("the_dagdas_club", "diarmuid_and_grainne", "dagdas_cauldron"))
AFTER_ATTACK: Final = cards("raid", "strengs_resolve")
BARD, WARLORD = cards("bard"), cards("warlord")


def could_answer(state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    """Return the cards with which a player could answer, if the player held them."""
    if state.clash is not None and state.clash.spear:
        return NONE
    could = _COULD.get(opened.window)
    found = could(state, opened, seat) if could else NONE
    return found if state.more is None else widened(state, opened, seat, found)


def fitting(state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    """Return the cards in hand with which a player may answer."""
    return tuple(card for card in could_answer(state, opened, seat) if card in state.hand(seat, card))


def might_answer(state: InisState, opened: OpenWindow, seat: Seat) -> bool:
    """Return whether by public knowledge a player might hold a fitting card."""
    for card in could_answer(state, opened, seat):  # noqa: SIM110  a generator costs as much as all else here
        if _might_hold(state, seat, card):
            return True
    return False


def _might_hold(state: InisState, seat: Seat, card: CardId) -> bool:
    contender = state.contenders[seat]
    match state.catalogue.cards[card].kind:
        case "advantage":
            return card in contender.advantages
        case "tale":
            return bool(contender.tales) and not (card in state.discards or _lies_open(state, card))
        case "action":
            in_game = state.setup.four_only or not state.catalogue.cards[card].four_only
            return in_game and bool(contender.actions) and not _lies_open(state, card)


def _lies_open(state: InisState, card: CardId) -> bool:
    on_table = state.cauldron is not None and card in CAULDRON
    return on_table or any(play.card == card and not play.gone for play in state.plays)


# One function for each window


def assembly_start(_state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    return CATHBAD


def action_declared(state: InisState, _opened: OpenWindow, seat: Seat) -> Cards:
    play = state.plays[-1]
    return NONE if play.cancelled or play.seat == seat else GEIS


def epic_or_advantage_declared(state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    return NONE if state.plays[-1].cancelled else DAGDA


def action_resolved(state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    """Also after a Geis, and by anybody (rules, D16)."""
    return NONE if state.plays[-1].gone else LUG


def epic_played(state: InisState, _opened: OpenWindow, seat: Seat) -> Cards:
    """The tale itself can be had only while it is to be discarded; Forest draws even so (house H22 and H33)."""
    play = state.plays[-1]
    if play.seat != seat:
        return NONE
    if play.gone:
        return FOREST
    return (*FOREST, *(CIRCLE if state.clans(seat, STONE_CIRCLE) else NONE), *CRAFTSMAN)


def season_played(_state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    return SEASON_PLAYED if seat == opened.seat else NONE


def epic_draw(_state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    return MEADOWS if seat == opened.seat else NONE


def gates_draw(_state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    return GATES_CARDS if seat == opened.seat else NONE


def mountains_entry(_state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    return MOUNTAINS_CARD if seat == opened.seat else NONE


def clash_start(_state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    return SPEAR


def citadels_end(_state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    return FRENZY


def resolution_start(state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    clash = state.clash
    here = clash is not None and clash.territory == HIGHLANDS and state.exposed_seats
    return HIGHLANDS_CARD if here else NONE


def attack_declared(state: InisState, _opened: OpenWindow, seat: Seat) -> Cards:
    """The attacker may make it worse; the attacked player may ignore it in the Hills (house H26 and H27)."""
    attack = next(step for step in state.agenda if isinstance(step, Defence))
    if attack.ignored:
        return NONE
    if seat == attack.attacker:
        return ATTACKER
    in_hills = state.clash is not None and state.clash.territory == HILLS
    return HILLS_CARD if seat == attack.target and in_hills else NONE


def clan_removed(state: InisState, opened: OpenWindow, seat: Seat) -> Cards:
    """One answer settles where the clan goes; the Cauldron takes those of the clashing territory (house H34)."""
    pending = next(step for step in state.agenda if isinstance(step, TakeOff))
    if seat != opened.seat or pending.settled:
        return NONE
    elsewhere = DIARMUID if any(each != opened.territory for each in state.present_in(seat)) else NONE
    clashing = state.clash is not None and state.clash.territory == pending.territory
    cauldron = CAULDRON if clashing else NONE
    return (*CLUB, *elsewhere, *cauldron)


def maneuver_done(state: InisState, _opened: OpenWindow, seat: Seat) -> Cards:
    """The maneuvering player for attack and losses, everybody involved for Warlord (house H16 and H18)."""
    clash = state.clash
    if clash is None or clash.over or clash.maneuver is None:
        return NONE
    maneuver = clash.maneuver
    own = seat == maneuver.seat
    attack = AFTER_ATTACK if own and maneuver.target is not None else NONE
    bard = BARD if own and maneuver.took else NONE
    warlord = WARLORD if seat in maneuver.involved or state.exposed(seat) else NONE
    return (*attack, *bard, *warlord)


def turn_end(_state: InisState, _opened: OpenWindow, _seat: Seat) -> Cards:
    return TURN_END


_COULD: Final[Mapping[WindowKind, Callable[[InisState, OpenWindow, Seat], Cards]]] = {
    "assembly_start": assembly_start,
    "action_declared": action_declared,
    "epic_or_advantage_declared": epic_or_advantage_declared,
    "action_resolved": action_resolved,
    "epic_played": epic_played,
    "season_played": season_played,
    "epic_draw": epic_draw,
    "gates_draw": gates_draw,
    "mountains_entry": mountains_entry,
    "clash_start": clash_start,
    "citadels_end": citadels_end,
    "resolution_start": resolution_start,
    "attack_declared": attack_declared,
    "clan_removed": clan_removed,
    "maneuver_done": maneuver_done,
    "turn_end": turn_end,
}
WINDOWS: Final = tuple(_COULD)


# The protocol of a window


def open_window(state: InisState, step: OpenWindow) -> InisState:
    """Ask everybody at once who might answer; the active player's answer counts first."""
    asked = tuple([seat for seat in state.order_from(state.active) if might_answer(state, step, seat)])
    return done(state, Window(opened=step, asked=asked)) if asked else done(state)


def ask_window(_state: InisState, step: Window) -> Mapping[Seat, Prompt]:
    answered = [seat for seat, _ in step.answers]
    prompt = _PROMPTS[step.opened.window]
    return {seat: prompt for seat in step.asked if seat not in answered}


def everybody_asked(step: Window) -> Mapping[Seat, Prompt]:
    """Return the question of all seats, whether they have answered or not."""
    return dict.fromkeys(step.asked, _PROMPTS[step.opened.window])


def close_window(_state: InisState, step: Window, context: Context) -> InisEvent | None:
    """Serve the first in order who answered with a card, once all have answered or always pass here."""
    answers = dict(step.answers)
    window = step.opened.window
    if any(seat not in answers and window not in context.standing.get(seat, ()) for seat in step.asked):
        return None
    for seat in step.asked:
        card = answers.get(seat)
        if card is not None:
            return CardPlayed(seat=seat, card=card)
    return WindowClosed()


def answered(step: Window, seat: Seat, card: CardId | None) -> Window:
    return replace(step, answers=(*step.answers, (seat, card)))


_PROMPTS: Final[Mapping[WindowKind, Answer]] = {window: Answer(window=window) for window in get_args(WindowKind)}

LORE: Final = Lore(
    silent={OpenWindow: open_window},
    happens={Window: close_window},
    asks={Window: ask_window},
)
