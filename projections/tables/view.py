"""Door 1: what a viewpoint sees of a table now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from events.messages import Command, Outcome, Seat, Viewpoint
from events.tables.vocabulary import OptionValue, Player
from projections.doors import board_door
from workers.kit.decider import Prompt
from workers.tables.state import TableState


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits at a seat, if anybody, whether a bot plays there, and whether it is ready, where that is asked."""

    seat: Seat
    player: Player | None
    bot: bool
    conceded: bool
    ready: bool | UnsetType = UNSET


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A seat with an open question, and the question's kind; never more."""

    seat: Seat
    kind: str


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """
    A table as one viewpoint sees it.

    Args:
        viewpoint: the seat that looks, or ``None`` for the spectator.
        commitment: SHA-256 of the secret behind all chance, in hexadecimal; ``secret`` once it is revealed.
        asked: every open question, by seat; ``prompt`` is the viewpoint's own, in full.
        legal: exactly the game's commands that the viewpoint's seat may send now.
        offers: kinds of the table's own commands that the seat may send now.
        board: the game's own view once play began.
        private: set where the lobby leaves the table out; ``ready`` where play begins when everybody is.
        spectator_delay: seconds by which spectators are behind.
        parent: the table of which this one is the rematch; ``rematch`` the one that is this one's.
        cancelled: the role that ended the table without an outcome.

    What is not set is not there.
    """

    table: str
    game: str
    version: int
    status: str
    viewpoint: Viewpoint
    options: Mapping[str, OptionValue]
    seats: tuple[SeatView, ...]
    commitment: str
    secret: str | None
    asked: tuple[Asked, ...]
    prompt: Prompt | None
    legal: Sequence[Command]
    offers: tuple[str, ...]
    outcome: Outcome | None
    board: msgspec.Struct | None
    standing: tuple[str, ...] | UnsetType = UNSET
    private: bool | UnsetType = UNSET
    spectator_delay: int | UnsetType = UNSET
    ready: bool | UnsetType = UNSET
    parent: str | UnsetType = UNSET
    rematch: str | UnsetType = UNSET
    cancelled: str | UnsetType = UNSET


def table_view(state: TableState, viewpoint: Viewpoint, public: TableView | None = None) -> TableView:
    """
    Return what the viewpoint may see of the table.

    ``public`` is what the spectator sees of it, where that is drawn already.
    """
    if public is None:
        public = _public_view(state)
    return public if viewpoint is None else _own_view(state, viewpoint, public)


def _public_view(state: TableState) -> TableView:
    """Return what everybody may see."""
    shown = state.shown_as_asked
    return TableView(
        table=state.table,
        game=state.game,
        version=state.version,
        status=state.status,
        viewpoint=None,
        options=state.options,
        seats=tuple(
            SeatView(
                seat=Seat(seat),
                player=place.player,
                bot=place.played_by_bot,
                conceded=place.conceded,
                ready=place.ready if state.by_ready else UNSET,
            )
            for seat, place in enumerate(state.places)
        ),
        commitment=state.commitment.hex(),
        secret=state.secret.hex() or None,
        asked=tuple(Asked(seat=seat, kind=kind_of_prompt(shown[seat])) for seat in sorted(shown)),
        prompt=None,
        legal=(),
        offers=(),
        outcome=state.outcome,
        board=None if state.game_state is None else board_door(state.game)(state.game_state, None, None),
        private=state.private or UNSET,
        spectator_delay=state.spectator_delay or UNSET,
        ready=state.by_ready or UNSET,
        parent=state.parent or UNSET,
        rematch=state.rematch or UNSET,
        cancelled=state.cancelled or UNSET,
    )


def _own_view(state: TableState, seat: Seat, public: TableView) -> TableView:
    """Return what everybody may see, and what is the seat's alone."""
    prompt = state.prompts.get(seat)
    return replace(
        public,
        viewpoint=seat,
        prompt=prompt,
        legal=() if prompt is None else state.played_by.legal_commands(state.game_state, seat),
        offers=_offers(state, seat),
        standing=tuple(sorted(state.standing.get(seat, ()))) or UNSET,
        board=None if state.game_state is None else board_door(state.game)(state.game_state, seat, public.board),
    )


def viewpoints(state: TableState) -> tuple[Viewpoint, ...]:
    """Return the spectator and every seat of the table."""
    return (None, *(Seat(seat) for seat in range(len(state.places))))


def kind_of_prompt(prompt: Prompt) -> str:
    """Return the name of the question, as all may know it."""
    return str(prompt.__struct_config__.tag)


def _offers(state: TableState, seat: Seat) -> tuple[str, ...]:
    place = state.places[seat]
    if state.status == "open" and place.player is not None:
        ready = ("drop_ready" if place.ready else "set_ready",) if state.by_ready else ()
        return ("leave_seat", *ready)
    if state.status == "running" and not place.conceded:
        standing = ("set_standing_answer", "drop_standing_answer") if state.windows else ()
        return ("concede", *standing)
    return ()
