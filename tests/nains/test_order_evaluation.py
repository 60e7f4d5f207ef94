"""What Era 1 ends with (rules, sections 3.10, 5.3 and 8.7)."""

from __future__ import annotations

from events.messages import Seat
from events.nains.commands import ReturnMarkers, UpgradeCoin
from events.nains.events import AwardLost, AwardWon, CoinUpgraded, DwarvesEntered, TradeCoinTaken, TurnEnded
from events.nains.vocabulary import CardId, CoinId
from tests.nains.table import (
    ANN,
    BO,
    CATALOGUE,
    CY,
    Change,
    army,
    coins,
    evaluation,
    fields,
    made,
    opened,
    ranks,
    score,
)
from workers.nains.scoring import malt_icons
from workers.nains.state import CoinUp


def line(*cards: str) -> Change:
    """Let only these cards stand in the award line."""
    return fields(awards=tuple(map(CardId, cards)))


def lost(card: str) -> AwardLost:
    return AwardLost(card=CardId(card))


def won(seat: Seat, card: str) -> AwardWon:
    return AwardWon(seat=seat, card=CardId(card))


def test_ruling_63_on_a_tie_an_elite_fighter_leaves_the_game() -> None:
    """Forge ranks 4, 4 and 2; gems do not matter."""
    happened = evaluation(
        ranks(ANN, 0, 0, 0, 0, 4), ranks(BO, 0, 0, 0, 0, 4), army(CY, FOR=["F05"]), line("E-FOR")
    ).then_includes(lost("E-FOR"))

    assert (CardId("E-FOR"),) == happened.state().unawarded


def test_ruling_64_ranks_count_and_not_cards() -> None:
    """Three cards with four ranks beat three cards with three."""
    held = army(ANN, SHI=["F04", "D2-SHI-3", "D2-SHI-4"]), army(BO, SHI=["D2-SHI-5", "D2-SHI-6", "D2-SHI-7"])
    evaluation(*held, line("E-SHI")).then_includes(won(ANN, "E-SHI"))


def test_ruling_65_ranks_count_and_not_points() -> None:
    """Three ranks worth 12 beat two worth 17."""
    held = army(ANN, RET=["D2-RET-7", "D1-RET-7"]), army(BO, RET=["D1-RET-1", "D1-RET-2", "D1-RET-3"])
    evaluation(*held, line("E-RET")).then_includes(won(BO, "E-RET"))


def test_ruling_67_a_marked_card_keeps_its_rank() -> None:
    """Three Wanderers, one of them a Pariah, beat two."""
    held = (
        army(ANN, WAN=["D1-WAN-3", "D1-WAN-4", "D1-WAN-5"], marked=["D1-WAN-4"]),
        army(BO, WAN=["D1-WAN-6", "D1-WAN-7"]),
    )
    evaluation(*held, line("E-WAN")).then_includes(won(ANN, "E-WAN"))


def test_ruling_68_without_a_rank_nobody_wins() -> None:
    """Nobody has a Temple rank."""
    evaluation(line("E-TEM")).then_includes(lost("E-TEM"))


def test_black_and_multicoloured_ranks_count_where_they_stand() -> None:
    """Kragga and the Twin Spears beat two Dwarfs."""
    held = army(ANN, TEM=["F18", "M05"]), army(BO, TEM=["D1-TEM-1", "D1-TEM-2"])
    evaluation(*held, line("E-TEM")).then_includes(won(ANN, "E-TEM"))


def test_ruling_69_the_steward_replaces_the_0_coin_by_the_trade_coin() -> None:
    """The 0 coin is in the box; the coins' total rises by 3."""
    happened = evaluation(army(ANN, RET=["D1-RET-1"]), line("E-RET")).then_includes(
        won(ANN, "E-RET"), TradeCoinTaken(seat=ANN)
    )
    lord = happened.state().lords[ANN]

    assert ("B2", "T3", "B3", "B4", "B5") == lord.hand
    assert 14 + 3 == score(lord)["coins"]


def test_ruling_71_a_tie_of_malt_icons_gives_no_certification() -> None:
    """Four each."""
    held = army(ANN, command=["F16"], SHI=["D2-SHI-1"]), army(BO, RET=["D1-RET-1", "D1-RET-2", "D1-RET-3", "D2-RET-1"])
    happened = evaluation(*held, line("CERT")).then_includes(lost("CERT"))

    assert [4, 4, 0] == [malt_icons(CATALOGUE, lord) for lord in happened.state().lords]


def test_the_certification_goes_to_most_malt_icons() -> None:
    """Icons on an Elite Fighter just won count."""
    held = army(ANN, WAN=["D1-WAN-5"]), army(BO, RET=["D1-RET-1"])
    evaluation(*held, line("E-WAN", "CERT")).then_includes(won(ANN, "E-WAN"), won(ANN, "CERT"))


def test_ruling_72_the_bulwark_upgrades_a_coin_by_5() -> None:
    """Gold 9 becomes Gold 14."""
    table = evaluation(
        army(ANN, SHI=["D2-SHI-3"]), coins(ANN, "B0", "B2", "B3", "B4", "G9"), line("E-SHI")
    ).then_includes(won(ANN, "E-SHI"))

    assert CoinUp(by=5) == table.state().prompts[ANN]
    table.after.when(UpgradeCoin(seat=ANN, coin=CoinId("G9"), place="hand")).then_includes(
        CoinUpgraded(seat=ANN, old=CoinId("G9"), new=CoinId("G14"), place="hand")
    )


def test_the_outrider_frees_one_marked_card() -> None:
    """At most one, and perhaps none."""
    held = army(ANN, WAN=["D1-WAN-3", "D1-WAN-4", "D2-WAN-4"], marked=["D1-WAN-4", "D2-WAN-4"])
    table = evaluation(held, line("E-WAN")).after
    both = ReturnMarkers(seat=ANN, cards=(CardId("D1-WAN-4"), CardId("D2-WAN-4")))
    one = ReturnMarkers(seat=ANN, cards=(CardId("D2-WAN-4"),))

    table.when(both).then_refused("too_many_cards", most=1)
    assert ("D1-WAN-4",) == table.when(one).state().lords[ANN].marked


def test_after_the_award_line_era_2_begins() -> None:
    """Nobody has anything, so all cards leave the game."""
    happened = evaluation().then_includes(*map(lost, (*CATALOGUE.elites, CATALOGUE.certification)))
    entered = happened.events[-1]

    assert isinstance(entered, DwarvesEntered)
    assert (2, 1) == (entered.era, entered.turn)


def test_ruling_73_era_2_ends_without_an_evaluation() -> None:
    """The game is over."""
    table = made(opened(3), fields(era=2, turn=4)).given(TurnEnded())

    assert "over" == table.state.phase
    assert {} == table.state.prompts
