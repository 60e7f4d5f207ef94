"""Who is shown and told what (rules, sections 7 and 8.9)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from events.codec import to_json
from events.messages import Viewpoint
from events.nains.commands import ChooseDwarf, UpgradeCoin
from events.nains.events import (
    BetsPlaced,
    CardsLookedAt,
    CoinsExchanged,
    CoinUpgraded,
    DwarfChosen,
    EraShuffled,
    PouchCoinUpgraded,
)
from events.nains.vocabulary import CardId, CoinId, Place
from projections.doors import told_door
from projections.nains.table import table_view
from projections.tables.view import table_view as of_any_game
from tests.nains.table import (
    ANN,
    BO,
    ann_recruiting,
    ann_takes,
    bets,
    coins,
    evaluation,
    first_choices,
    lord_of,
    made,
    opened,
    recruit,
)
from tests.spec import Scenario
from tests.tables.life import started
from workers.nains.state import NainsState

SPECTATOR: Viewpoint = None
FACE_DOWN = {"face": "down"}
told = told_door("nains")


def view(table: Scenario, viewpoint: Viewpoint) -> Any:  # noqa: ANN401  JSON
    return msgspec.json.decode(to_json(table_view(table.state, viewpoint)))


def told_of(state: NainsState, event: Any, viewpoint: Viewpoint) -> Any:  # noqa: ANN401  JSON
    return msgspec.json.decode(to_json(told(state, event, viewpoint)))


def whole_view(table: Scenario, viewpoint: Viewpoint) -> Any:  # noqa: ANN401  JSON
    """Return what the viewpoint is shown with all that table life adds: who is asked, and its own options."""
    state = replace(started(len(table.state.lords)).state, game_state=table.state)
    return msgspec.json.decode(to_json(of_any_game(state, viewpoint)))


def offered(table: Scenario, viewpoint: Viewpoint, field: str) -> list[Any]:
    """Return what the viewpoint's legal commands name."""
    return [command[field] for command in whole_view(table, viewpoint)["legal"]]


def revealed() -> Scenario:
    """The first tavern is revealed; Ann bet 5, 4 and 3 and kept 0 and 2."""
    return opened(2).when(*bets(("B5", "B4", "B3"), ("B4", "B3", "B2"))).after


def test_ruling_91_only_the_coin_of_a_revealed_tavern_is_seen() -> None:
    """Another Lord sees neither the other spots nor the pouch; the owner does."""
    others = view(revealed(), BO)["lords"][ANN]
    own = view(revealed(), ANN)["lords"][ANN]

    assert [{"face": "up", "coin": "B5"}, FACE_DOWN, FACE_DOWN] == others["spots"]
    assert [FACE_DOWN, FACE_DOWN] == others["pouch"]
    assert ["B0", "B2", "B3", "B4", "B5"] == others["coins"]
    assert ["B5", "B4", "B3"] == [spot["coin"] for spot in own["spots"]]
    assert ["B0", "B2"] == [coin["coin"] for coin in own["pouch"]]


def test_a_bet_is_told_as_confirmed_and_no_more() -> None:
    """All may know that a Lord has bet."""
    table = opened(2)
    event = BetsPlaced(seat=ANN, coins=(CoinId("B5"), CoinId("B4"), CoinId("B3")))

    assert {"kind": "bets_placed", "seat": ANN} == told_of(table.state, event, BO)
    assert {"kind": "bets_placed", "seat": ANN} == told_of(table.state, event, SPECTATOR)
    assert ["B5", "B4", "B3"] == told_of(table.state, event, ANN)["coins"]
    assert [FACE_DOWN] * 3 == view(table.given(event), BO)["lords"][ANN]["spots"]


def test_anothers_bet_does_not_change_the_open_question() -> None:
    """Bo is asked what he was asked before."""
    table = opened(2)
    placed = table.when(*bets(("B5", "B4", "B3"))).after

    assert table.state.prompts[BO] == placed.state.prompts[BO]
    assert whole_view(table, BO)["prompt"] == whole_view(placed, BO)["prompt"]
    assert whole_view(table, BO)["legal"] == whole_view(placed, BO)["legal"]


def test_ruling_92_only_svaras_owner_sees_the_cards() -> None:
    """The one taken is public; the others are told of that one alone."""
    before = ann_recruiting()
    looking = before.when(recruit(ANN, "F03", "SHI"))
    cards = looking.state().looked
    look = CardsLookedAt(seat=ANN, cards=cards)
    chosen = looking.after.when(ChooseDwarf(seat=ANN, card=cards[2]))

    assert list(cards) == view(looking.after, ANN)["looked"] == told_of(before.state, look, ANN)["cards"]
    assert list(cards) == offered(looking.after, ANN, "card")
    for viewpoint in (BO, SPECTATOR):
        assert "looked" not in view(looking.after, viewpoint)
        assert {"kind": "cards_looked_at", "seat": ANN, "amount": 5} == told_of(before.state, look, viewpoint)
        assert [{"kind": "svara", "seat": ANN}] == whole_view(looking.after, viewpoint)["asked"]
        assert [] == whole_view(looking.after, viewpoint)["legal"]
        told_all = b"".join(to_json(told(looking.state(), event, viewpoint)) for event in chosen.events)
        assert cards[2].encode() in told_all
        assert not any(card.encode() in told_all for card in cards if card != cards[2])


def test_what_svara_brings_is_told_to_all() -> None:
    """It is shown before it is placed."""
    state = opened(2).state
    event = DwarfChosen(seat=ANN, card=CardId("D2-TEM-1"))

    assert told_of(state, event, ANN) == told_of(state, event, BO) == told_of(state, event, SPECTATOR)


def test_ruling_93_a_coin_exchange_shows_the_pouch_to_all() -> None:
    """Both values before and after are told, and the view shows the pouch for the rest of the turn."""
    event = CoinsExchanged(seat=ANN, kept=CoinId("B4"), given=CoinId("B5"), new=CoinId("G9"))
    happened = ann_takes("D1-FOR-7", ("B0", "B2", "B3")).then_includes(event)

    assert {"kind": "coins_exchanged", "seat": ANN, "kept": "B4", "given": "B5", "new": "G9"} == told_of(
        happened.state(), event, BO
    )
    pouch = view(happened.after, BO)["lords"][ANN]["pouch"]
    assert [{"face": "down", "coin": "B4"}, {"face": "down", "coin": "G9"}] == pouch


def upgrade(coin: str, place: Place) -> tuple[NainsState, CoinUpgraded]:
    """Vekkar raises a coin of Ann's by 4; return the state before, and the event."""
    table = ann_recruiting().when(recruit(ANN, "F07", "RET")).after
    happened = table.when(UpgradeCoin(seat=ANN, coin=CoinId(coin), place=place))
    event = happened.events[0]
    assert isinstance(event, CoinUpgraded)
    return table.state, event


def test_ruling_102_of_a_coin_face_down_only_the_values_are_told() -> None:
    """No place is named; a revealed coin is seen where it lies."""
    state, hidden = upgrade("B4", "spot_2")
    same_state, seen = upgrade("B5", "spot_1")

    assert {"kind": "coin_upgraded", "seat": ANN, "old": "B4", "new": "G8"} == told_of(state, hidden, BO)
    assert "spot_2" == told_of(state, hidden, ANN)["place"]
    assert "spot_1" == told_of(same_state, seen, BO)["place"]


def test_a_coin_in_hand_is_told_to_be_in_hand() -> None:
    """At the Order Evaluation there is nothing to hide."""
    state = evaluation().state()
    event = CoinUpgraded(seat=ANN, old=CoinId("B5"), new=CoinId("G10"), place="hand")

    assert "hand" == told_of(state, event, BO)["place"]


def test_a_pouch_upgrade_is_told_with_its_place() -> None:
    """All learn the values, and that the coin is in the pouch; the view shows as much."""
    table = ann_takes("D1-RET-7", ("B0", "B3", "B4")).after
    event = PouchCoinUpgraded(seat=ANN, old=CoinId("B5"), new=CoinId("G6"))
    after = table.given(event)

    assert told_of(table.state, event, ANN) == told_of(table.state, event, BO)
    assert [{"face": "down", "coin": "G6"}, FACE_DOWN] == view(after, BO)["lords"][ANN]["pouch"]


def test_options_are_shown_to_the_decider_alone() -> None:
    """All know whose question it is and its kind; what may be named, and by how much a coin goes up, one seat."""
    pouch = ann_takes("D1-RET-7", ("B0", "B3", "B4")).after
    coin = ann_recruiting().when(recruit(ANN, "F07", "RET")).after

    for table, kind in ((pouch, "pouch_up"), (coin, "coin_up")):
        for viewpoint in (BO, SPECTATOR):
            seen = whole_view(table, viewpoint)
            assert [{"kind": kind, "seat": ANN}] == seen["asked"]
            assert (None, []) == (seen["prompt"], seen["legal"])
    assert {"kind": "pouch_up", "by": 1} == whole_view(pouch, ANN)["prompt"]
    assert ["B2", "B5"] == offered(pouch, ANN, "coin")
    assert 4 == len(offered(coin, ANN, "coin"))


def test_a_shuffled_deck_is_told_by_its_size() -> None:
    """Its order nobody knows."""
    event = EraShuffled(era=2, deck=tuple(map(CardId, ("D2-TEM-1", "D2-TEM-2"))))

    assert {"kind": "era_shuffled", "era": 2, "amount": 2} == told_of(opened(2).state, event, ANN)


def shown_after(coin: str, shown: tuple[str, ...], *five: str) -> tuple[str, ...]:
    """Raise a coin of the pouch by COIN_UP, where so much of it was known; return what is known then."""
    table = ann_recruiting(bet=five[:3], pouch=five[3:])
    known = made(table, lord_of(ANN, shown=tuple(map(CoinId, shown)))).when(recruit(ANN, "F07", "RET")).after
    found: tuple[str, ...] = (
        known.when(UpgradeCoin(seat=ANN, coin=CoinId(coin), place="pouch")).state().lords[ANN].shown
    )
    return found


def test_an_upgrade_face_down_of_a_coin_known_to_lie_in_the_pouch() -> None:
    """It is known what it became when no other coin face down looks like it, else it is known no more."""
    assert ("B0", "G6") == shown_after("B2", ("B0", "B2"), "B5", "B4", "B3", "B0", "B2")
    assert ("B0",) == shown_after("G6", ("B0", "G6"), "B5", "B4", "G6", "B0", "G6")
    assert ("B0",) == shown_after("B2", ("B0",), "B5", "B4", "B3", "B0", "B2")


def test_what_is_known_of_the_pouch_is_forgotten_when_the_turn_ends() -> None:
    """All coins go back to hand."""
    table = ann_takes("D1-FOR-7", ("B0", "B2", "B3")).after
    ended = first_choices(table, lambda state: state.phase == "bets")

    assert () == ended.state.lords[ANN].shown


def test_the_view_is_whole() -> None:
    """A client can draw the table from it."""
    seen = view(made(opened(2), coins(BO, "B0", "B2", "B3", "B4", "G9")), SPECTATOR)

    assert ["bets", 1, 1, 4, 0] == [seen[name] for name in ("phase", "era", "turn", "turns", "tavern")]
    assert 2 == seen["treasury"]["G9"]
    assert [27, 37] == seen["decks"]
    assert 3 == len(seen["taverns"])
    assert ["E-RET", "E-WAN", "E-TEM", "E-SHI", "E-FOR", "CERT"] == seen["awards"]
    assert 26 == len(seen["supply"])
    assert 18 == seen["lords"][BO]["score"]["parts"]["coins"]
    assert 18 == seen["lords"][BO]["score"]["total"]
