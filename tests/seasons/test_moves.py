"""Whatever random players do, no effect moves clans as it must not: told from the events alone (section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from events.inis.events import InisEvent
from events.inis.events.board import ClanPlaced, ClansMoved, ClashStarted, WithdrawalDeclared
from events.inis.events.cards import CardPlayed
from events.inis.vocabulary import TerritoryId
from events.messages import Event
from services.bots.simulation.play import Setting, play
from services.bots.simulation.players import random_player
from workers.games import GamesShelf
from workers.inis.state import InisState
from workers.inis.state.options import MODULES
from workers.tables.state import TableState

ANYWHERE = ("manannans_horses", "sons_of_mile", "children_of_lir", "isle_of_joy", "aber")
"""Cards whose moves need not be adjacent."""
MOST_IN_WINTER = 3
Moved = list[ClansMoved]


class Watcher:
    """Follows the cards being played and withdrawals, and what each has moved so far."""

    def __init__(self) -> None:
        self.moves = self.by_sea = self.in_winter = self.withdrawals = 0
        self._effects: list[Moved] = []
        self._withdrawal: Moved = []
        self._around_clash = 0

    def watch(self, before: TableState, _wish: object, events: Sequence[Event], _after: TableState) -> None:
        state: InisState | None = before.game_state
        for event in events:
            if state is not None and isinstance(event, InisEvent):
                del self._effects[len(state.plays) :]
                self._judge(state, event)
                state = before.played_by.evolve(state, event)

    def _judge(self, state: InisState, event: Event) -> None:
        match event:
            case CardPlayed():
                self._effects.append([])
            case ClashStarted():
                self._around_clash = len(state.plays)
            case WithdrawalDeclared():
                self._withdrawal = []
            case ClansMoved() if state.clash is not None and len(state.plays) == self._around_clash:
                self._withdrawal.append(event)
                self.withdrawals += 1
                _judge_sea(state, self._withdrawal)
                _judge_arrival(state, event.to, "")
            case ClansMoved():
                self._judge_effect(state, event)
            case ClanPlaced():
                _judge_arrival(state, event.territory, kind_of_effect(state))

    def _judge_effect(self, state: InisState, event: ClansMoved) -> None:
        """A card moves clans, or the Beltaine move does."""
        kind = kind_of_effect(state)
        if not kind:
            assert event.to in state.lands[event.territory].beside, "the Beltaine move goes by land"
            return
        moved = self._effects[-1]
        moved.append(event)
        self.moves += 1
        self.by_sea += event.to not in state.lands[event.territory].beside
        if state.plays[-1].card not in ANYWHERE:
            _judge_sea(state, moved)
        assert kind != "action" or event.territory != "isle_of_joy"
        _judge_arrival(state, event.to, kind)
        if state.more is not None and state.more.season == "samhain":
            self.in_winter += 1
            clans = sum(each.amount for each in moved if each.seat == event.seat)
            assert clans <= MOST_IN_WINTER, moved


def kind_of_effect(state: InisState) -> str:
    """Return what kind of card has its effect now, empty when none has."""
    return state.card(state.plays[-1].card).kind if state.plays else ""


def _judge_sea(state: InisState, moved: Moved) -> None:
    sea = {(each.territory, each.to) for each in moved if each.to not in state.lands[each.territory].beside}

    assert state.more is not None
    assert len(sea) <= 1, moved
    assert all({source, to} <= set(state.more.harbors) for source, to in sea), moved


def _judge_arrival(state: InisState, territory: TerritoryId, kind: str) -> None:
    if territory == "hy_breasil":
        assert state.lands[territory].players or kind == "tale", "only an Epic Tale leads to empty Hy Breasil"


@pytest.mark.parametrize("seats", [3, 5])
def test_no_effect_moves_what_it_must_not(seats: int) -> None:
    """One sea pair, few in winter, nobody off the Isle of Joy by an Action card, nobody to empty Hy Breasil."""
    watcher = Watcher()
    for number in range(8):
        setting = Setting(game="inis", seats=seats, seed=31, number=number, options=dict.fromkeys(MODULES, True))
        play(GamesShelf(), setting, [random_player] * seats, watch=watcher.watch)

    assert min(watcher.moves, watcher.by_sea, watcher.in_winter, watcher.withdrawals) > 0
