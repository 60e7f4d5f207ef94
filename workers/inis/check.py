"""What must hold in every state of the game, whoever made it."""

from __future__ import annotations

from collections import Counter

from events.inis.vocabulary import CardId, TerritoryId
from events.messages import Seat
from workers.inis.lattice import SEA, hexagons, touch
from workers.inis.legal import legal_commands, prompts
from workers.inis.state import InisState
from workers.inis.steps.hands import DrawTales, KeepTale

NONE = 0


def check(state: InisState) -> None:
    """Raise ``AssertionError`` with what does not hold."""
    _check_clans(state)
    _check_buildings(state)
    _check_board(state)
    _check_cards(state)
    _check_clash(state)
    _check_questions(state)


def require(holds: object, what: str, where: object) -> None:
    if not holds:
        raise AssertionError(f"{what}: {where!r}")


def _check_clans(state: InisState) -> None:
    for seat, contender in enumerate(state.contenders):
        on_board = sum(land.clans[seat] for land in state.lands.values())
        cauldron = state.cauldron
        stored = cauldron.clans if cauldron is not None and cauldron.seat == seat else 0
        stored += state.more.stored(Seat(seat)) if state.more is not None else 0
        total = contender.reserve + on_board + stored
        require(total == state.catalogue.clans, "a player's clans are in reserve or on the board", (seat, total))
        require(contender.reserve >= NONE and contender.deeds >= NONE, "nothing is owed", (seat, contender))
        require(all(land.clans[seat] >= NONE for land in state.lands.values()), "no clan is missing", seat)
    for land in state.lands.values():
        most = max(land.clans)
        sole = [seat for seat, clans in enumerate(land.clans) if clans == most and most]
        expected = sole[0] if len(sole) == 1 else None
        require(land.chieftain == expected, "a chieftain has more clans than every other", land)


def _check_buildings(state: InisState) -> None:
    catalogue, lands = state.catalogue, state.lands.values()
    capital = 1 if state.capital else 0
    citadels = sum(land.citadels for land in lands) - capital
    sanctuaries = sum(land.sanctuaries for land in lands)
    require(state.citadels >= NONE, "no citadel is borrowed", state.citadels)
    require(state.sanctuaries >= NONE, "no sanctuary is borrowed", state.sanctuaries)
    require(citadels + state.citadels == catalogue.citadels, "citadels are built or in supply", citadels)
    require(sanctuaries + state.sanctuaries == catalogue.sanctuaries, "so are sanctuaries", sanctuaries)
    bare = [land for land in lands if land.citadels and not catalogue.tiles[land.id].citadels]
    require(not bare, "no citadel stands where none can", bare)
    require(state.festival is None or state.festival in state.lands, "the festival is somewhere", state.festival)


def _check_board(state: InisState) -> None:
    tiles = [*state.lands, *state.stack]
    require(sorted(tiles) == sorted(state.catalogue.tiles), "each tile is in one place", tiles)
    lands = state.lands
    covered = [each for land in lands.values() for each in hexagons(land.location)]
    require(len(covered) == len(set(covered)), "no two tiles lie on one hexagon", covered)
    for one in lands.values():
        around = {two.id for two in lands.values() if two is not one and touch(one.location, two.location)}
        require(around == set(one.beside), "adjacent is who touches", one)
    if lands and state.phase != "setup":
        reached: list[TerritoryId] = [next(iter(lands))]
        for each in reached:
            reached.extend(other for other in lands[each].beside if other not in reached)
        at_sea = sum(land.location == SEA for land in lands.values())
        require(len(reached) == len(lands) - at_sea, "the island is one", reached)


def _check_cards(state: InisState) -> None:
    catalogue = state.catalogue
    in_play = [play.card for play in state.plays if not play.gone]
    drawn: list[CardId] = []
    for step in state.agenda:
        if isinstance(step, DrawTales | KeepTale):
            drawn += step.drawn
    draft = [card for front in state.draft.fronts for card in front] if state.draft else []
    open_cards = [CardId("dagdas_cauldron")] if state.cauldron else []
    open_cards += [CardId("brans_journey")] if state.more is not None and state.more.bran else []
    everywhere = [
        *(card for each in state.contenders for card in (*each.actions, *each.advantages, *each.tales)),
        *state.deck,
        *state.discards,
        *state.pile,
        *([state.aside] if state.aside else []),
        *state.undealt,
        *state.face_up,
        *state.face_down,
        *draft,
        *drawn,
        *in_play,
        *open_cards,
    ]
    used = [*catalogue.action_deck(state.seats), *catalogue.tales, *(CardId(tile) for tile in state.lands)]
    extra, missing = Counter(everywhere) - Counter(used), Counter(used) - Counter(everywhere)
    require(not extra and not missing, "each card is in one place", (extra, missing))
    for contender in state.contenders:
        for hand in (contender.actions, contender.advantages, contender.tales):
            places = [catalogue.cards[card].place for card in hand]
            require(places == sorted(places), "cards in hand stand in order", hand)
    require(not state.plays or state.agenda, "a card being played is settled", state.plays)


def _check_clash(state: InisState) -> None:
    clash = state.clash
    if clash is None:
        require(not state.cauldron or prompts(state), "the Cauldron is emptied after the clash", state.cauldron)
        return
    land = state.lands[clash.territory]
    inside = clash.protected
    require(sum(inside) <= land.citadels, "a citadel protects one clan", clash)
    require(all(own <= clans for own, clans in zip(inside, land.clans, strict=True)), "clans are there", clash)


def _check_questions(state: InisState) -> None:
    asked = prompts(state)
    if not state.lands:
        return
    require(bool(asked) == (state.phase != "over"), "somebody is asked until the game is over", state.agenda[:2])
    for seat in range(state.seats):
        offered = legal_commands(state, Seat(seat))
        require(bool(offered) == (seat in asked), "who is asked has an answer, nobody else", seat)
