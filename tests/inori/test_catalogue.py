"""The components: what they are, and what is refused (rules, sections 1, 4, 5, 6 and 10)."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from events.inori.vocabulary import (
    COLOURS,
    CardEffect,
    Cost,
    DrawRunes,
    Gain,
    GainLeast,
    ScoreMajority,
    ScorePer,
    ScoreUnique,
    Space,
)
from seeds.catalogues import ROOT
from seeds.inori.catalogue import read
from seeds.reading import CatalogueError
from tests.inori.table import CATALOGUE

FILES = ROOT / "inori" / "v1"
CYCLE = {colour: COLOURS[(place + 3) % 6] for place, colour in enumerate(COLOURS)}
OFFSETS = {
    "S3": ("gain 00", "gain 12", "rune"),
    "S4": ("gain 00", "gain 12", "gain 44", "rune"),
    "NS": ("gain 03", "least", "MAJ gain 000"),
    "J1": ("gain 00", "gain 15", "rune", "unique"),
    "J2": ("gain 03", "gain 22", "least", "3 per 0"),
    "J3": ("gain 44", "2 per 0", "MAJ gain 000"),
    "J4": ("gain 02", "MAJ majority", "1 gain 555"),
    "J5": ("rune", "5 per 0"),
    "J6": ("least", "MAJ gain 004"),
}
"""The shapes of section 4: every number is an offset in the cycle of colours from the card's own."""
COLOUR_TERMS = {
    "YEL": ("yellow", "노랑", "Light", "빛"),
    "BLU": ("blue", "파랑", "Water", "물"),
    "GRY": ("grey", "회색", "Wind", "바람"),
    "PUR": ("purple", "보라", "Shadow", "어둠"),
    "RED": ("red", "빨강", "Fire", "불"),
    "GRN": ("green", "초록", "Earth", "땅"),
}
"""Each colour and its spirit, in English and Korean (rules, section 10)."""
TERMS = {
    "title": ("Inori", "이노리"),
    "inori_valley": ("Inori Valley", "이노리 계곡"),
    "spirit": ("Spirit", "정령"),
    "sacred_tree": ("sacred tree", "신성한 나무"),
    "great_tree": ("Great Tree", "위대한 나무"),
    "keeper": ("Keeper of the Great Tree", "신성수 수호자"),
    "chiefs": ("village chiefs", "촌장들"),
    "village": ("village", "마을"),
    "offering": ("offering", "제물"),
    "altar": ("Altar", "제단"),
    "favour": ("Favour", "은총"),
    "seats": ("Number of players", "플레이어 수"),
    "duration": ("Game duration", "게임 시간"),
    "complexity": ("Complexity", "복잡성"),
    "rules_summary": ("Rules summary", "규칙 요약"),
    "favour_token": ("Favour token", "은총 토큰"),
    "rune": ("Rune Tile", "룬 타일"),
    "altar_tile": ("Altar Tile", "제단 타일"),
    "piece": ("piece (Offering marker)", "제물 말"),
    "neutral_piece": ("neutral piece", "중립 말"),
    "card": ("card", "카드"),
    "space": ("space", "칸"),
    "start_card": ("Start card", "시작 카드"),
    "new_start_card": ("New Start card", "새 시작 카드"),
    "journey_card": ("Journey card", "여정 카드"),
    "end_of_season": ("End of Season", "계절 종료"),
    "game_end": ("Game End", "게임 종료"),
    "season": ("season", "계절"),
    "complete": ("complete", "완성"),
    "incomplete": ("incomplete", "미완성"),
    "cost": ("cost", "비용"),
    "majority_colour": ("majority colour", "가장 많은 색"),
    "least_colour": ("colour you have least of", "가장 적은 색"),
    "first_player": ("first player", "시작 플레이어"),
    "offer_to_card": ("Offer to a Card", "카드에 제물 바치기"),
    "offer_to_tree": ("Offer to the Great Tree", "위대한 나무에 제물 바치기"),
    "play_rune": ("Play a Rune Tile", "룬 타일 사용"),
}
"""Every other word, in English and Korean (rules, section 10)."""


def test_54_cards() -> None:
    """12 Start, 6 New Start and 36 Journey cards, one of each shape and colour."""
    kinds = Counter(card.kind for card in CATALOGUE.cards.values())

    assert {"start": 12, "new_start": 6, "journey": 36} == kinds
    assert {f"{shape}-{colour}" for shape in OFFSETS for colour in COLOURS} == set(CATALOGUE.cards)


@pytest.mark.parametrize("shape", OFFSETS)
@pytest.mark.parametrize("place", range(6))
def test_every_card_has_the_spaces_of_its_shape(shape: str, place: int) -> None:
    """The card of one colour is that of another with all colours shifted."""
    own = COLOURS[place]
    card = next(card for card in CATALOGUE.cards.values() if card.id == f"{shape}-{own}")

    assert (own, CYCLE[own]) == (card.colour, card.lower)
    assert tuple(shifted(text, place) for text in OFFSETS[shape]) == card.spaces


def shifted(text: str, place: int) -> Space:
    """Return the space that a shape's text means for a colour."""
    words = text.split()
    cost: Cost | None = None
    if words[0] == "MAJ" or words[0].isdecimal():
        first = words.pop(0)
        cost = Cost(1, None if first == "MAJ" else COLOURS[(place + int(first)) % 6])
    match words:
        case ["gain", offsets]:
            return Space(cost, Gain(tuple(COLOURS[(place + int(each)) % 6] for each in offsets)))
        case ["per", _]:
            return Space(cost, ScorePer(COLOURS[place]))
        case [word]:
            effects: dict[str, CardEffect] = {
                "rune": DrawRunes(1),
                "least": GainLeast(2),
                "unique": ScoreUnique(),
                "majority": ScoreMajority(),
            }
            return Space(cost, effects[word])
        case _:
            raise AssertionError(text)


def test_published_examples() -> None:
    """The five spaces that are public (rules, section 4)."""
    spaces = [space for card in CATALOGUE.cards.values() for space in card.spaces]
    free = [space.effect for space in spaces if space.cost is None]

    assert Gain(("GRN", "GRN")) in free
    assert Gain(("YEL", "PUR")) in free
    assert any(space.effect == ScoreMajority() for space in spaces)
    assert DrawRunes(1) in free
    assert Gain(("PUR", "PUR")) == CATALOGUE.cards[CATALOGUE.of_kind("start", "GRN", seats=4)[0]].spaces[2].effect


def test_15_runes() -> None:
    """Six Favour, three of each other kind; every colour on one Favour and one Move rune."""
    runes = CATALOGUE.runes.values()
    moves = [colour for rune in runes if rune.kind.startswith("move") for colour in rune.colours]

    assert {"favour": 6, "move_in": 3, "move_out": 3, "share": 3} == Counter(rune.kind for rune in runes)
    assert sorted(COLOURS) == sorted(colour for rune in runes if rune.kind == "favour" for colour in rune.colours)
    assert sorted(COLOURS) == sorted(moves)
    assert {2} == {rune.amount for rune in runes if rune.kind == "favour"}
    for pair in CATALOGUE.pairs:
        kinds = sorted(rune.kind for rune in runes if rune.kind != "favour" and set(rune.colours) & set(pair))
        assert ["move_in", "move_out"] == kinds


def test_numbers_of_the_table() -> None:
    """90 tokens, two on each root, two neutral pieces, four seasons; pieces by seats."""
    assert (90, 2, 2, 4) == (
        CATALOGUE.tokens_per_colour * len(COLOURS),
        CATALOGUE.tokens_per_root,
        CATALOGUE.neutral_pieces,
        CATALOGUE.seasons,
    )
    assert [7, 6, 5] == [setup.pieces + len(setup.waiting) for setup in CATALOGUE.seats.values()]
    assert [(2, 4, (2, 3, 4)), (3, 3, (2, 3, 4)), (4, 3, (3, 4))] == [
        (setup.seats, setup.pieces, setup.waiting) for setup in CATALOGUE.seats.values()
    ]


def test_colours_and_spirits_in_both_languages() -> None:
    """Six of them, in three opposed pairs."""
    named = {
        colour: (terms.colour.english, terms.colour.korean, terms.spirit.english, terms.spirit.korean)
        for colour, terms in CATALOGUE.colours.items()
    }

    assert COLOUR_TERMS == named
    assert [("YEL", "PUR"), ("BLU", "RED"), ("GRY", "GRN")] == list(CATALOGUE.pairs)
    assert CYCLE == {colour: terms.opposite for colour, terms in CATALOGUE.colours.items()}


def test_terms_in_both_languages() -> None:
    """As section 10 has them."""
    assert TERMS == {name: (term.english, term.korean) for name, term in CATALOGUE.terms.items()}


@pytest.mark.parametrize(
    ("file", "old", "new", "row", "problem"),
    [
        ("cards.csv", "S3-BLU,BLU", "S3-BLU,BLUE", "row 3", "colour"),
        ("cards.csv", "S3-BLU,BLU", "S3-YEL,BLU", "row 3", "S3-YEL stands there twice"),
        ("cards.csv", "S3-BLU,BLU", "S3-BLU,RED", "row 3", "its own colour follows a complete card"),
        ("cards.csv", "S3-BLU,BLU,start", "S3-BLU,BLU,journey", "row 55", "one Start card of each colour"),
        ("cards.csv", "[free] gain 2 BLU", "gain 2 BLU", "row 3", "is no cost in brackets"),
        ("cards.csv", "[free] gain 2 BLU", "[2 of BLU] gain 2 BLU", "row 3", "'2 of BLU' is no cost"),
        ("cards.csv", "[free] gain 2 BLU", "[1 RED] gain 2 BLU", "row 3", "nobody has a token yet"),
        ("cards.csv", "[free] gain 2 BLU", "[free] gain 2 BLUE", "row 3", "'2 BLUE' names no tokens"),
        ("cards.csv", "[free] gain 2 BLU", "[free] sing", "row 3", "'sing' is no effect here"),
        ("cards.csv", "[free] gain 2 BLU", "[free] gain 3 ALTAR", "row 3", "names no tokens"),
        ("cards.csv", "NS-GRN,GRN,new_start,2", "NS-GRN,GRN,new_start,3", "row 55", "not enough New Start cards"),
        ("cards.csv", "J6-GRN,GRN,journey,2", "J6-GRN,GRN,journey,3", "row 55", "the GRN pile may run out"),
        ("cards.csv", "[free] draw 1 RUNE,,BLU,RED", ",[free] draw 1 RUNE,BLU,RED", "row 3", "a space is left out"),
        ("cards.csv", "BLU,start,2", "BLU,start,two", "row 3", "least_seats"),
        ("runes.csv", "F-BLU,favour,BLU,2", "F-BLU,favour,BLU,0", "row 3", "Favour runes, and no others"),
        ("runes.csv", "F-BLU,favour,BLU,2", "F-BLU,favour,,2", "row 3", "show a colour"),
        ("runes.csv", "S1,share,,0", "S1,share,YEL,0", "row 14", "all runes but Share runes"),
        ("runes.csv", "S1,share,,0", "S1,share,,0,1", "row 14", "too_many"),
        ("runes.csv", "I-YEL,move_in,YEL", "I-YEL,move_in,YEL PINK", "row 8", "colours"),
        ("tree.csv", "gift 2", "gift", "row 2", "'gift' is no effect here"),
        ("tree.csv", "gift 2,8,4", "gift 2,4,8", "row 2", "the second place"),
        ("tree.csv", "gift 2,8,4", "take ROOT,8,4", "row 2", "a root gives"),
        ("tree.csv", "T9,root,Roots,take ROOT,0,0\n", "", "row 9", "a root for each pair"),
        ("colours.csv", "BLU,1,RED", "BLU,1,GRY", "row 3", "not opposite each other"),
        ("colours.csv", "BLU,1", "BLU,2", "row 2", "in this order"),
        ("terms.csv", "great_tree,Great Tree,", "title,Great Tree,", "row 6", "title stands there twice"),
        ("setup.yaml", "[YEL, PUR]", "[YEL, RED]", "pairs", "with its opposite"),
        ("setup.yaml", "seats: 3,", "seats: three,", "row 2 of seats", "seats"),
        ("setup.yaml", "seats: 3,", "seats: 5,", "seats", "rise by one"),
        ("setup.yaml", "pieces: 3, waiting: [3, 4]", "pieces: 3, waiting: [3, 5]", "row 3 of seats", "later seasons"),
        ("setup.yaml", "pairs:\n", "pairs: [\n", "row", "expected"),
    ],
)
def test_a_broken_file_is_refused_with_file_and_row(
    tmp_path: Path, file: str, old: str, new: str, row: str, problem: str
) -> None:
    """The sentence says what to mend where."""
    folder = tmp_path / "broken"
    shutil.copytree(FILES, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    with pytest.raises(CatalogueError, match=re.escape(problem)) as fault:
        read(folder)
    assert re.search(rf"^{re.escape(file)}, .*{row}", str(fault.value))


@pytest.mark.parametrize("file", sorted(each.name for each in FILES.iterdir()))
def test_a_missing_or_garbled_file_is_named(tmp_path: Path, file: str) -> None:
    """Neither nothing nor noise nor emptiness is a catalogue."""
    for content in (None, b"\xff\xfe", b"\0", b""):
        folder = tmp_path / f"{file}-{content!r}".replace("\\", "")
        shutil.copytree(FILES, folder)
        (folder / file).unlink()
        if content is not None:
            (folder / file).write_bytes(content)
        with pytest.raises(CatalogueError, match=f"^{file}, "):
            read(folder)
