"""Sea Travels: islands and harbors come into play, and clans where the sea or an island lets them (section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.cards import ChoiceMade
from events.inis.events.rounds import TileLaid, TilesShuffled
from events.inis.events.seasons import HarborBuilt
from events.inis.vocabulary import Location, Part, TerritoryId
from events.messages import Seat
from workers.inis.agenda import Lore, Steps, done
from workers.inis.lattice import SEA
from workers.inis.phases.clans import places, skip_placing, skip_put, spy_moves
from workers.inis.seasons.evolve import more_of
from workers.inis.seasons.harbors import sites, spots
from workers.inis.seasons.steps import (
    BuildHarbor,
    BuildHarborAt,
    ChooseHarborSpot,
    HarborOfCapital,
    PutTile,
    SailClan,
    SettleHarbors,
)
from workers.inis.seasons.voyages import March, closed_now, permitted
from workers.inis.state import InisState
from workers.inis.steps.board import ChooseTile, LocateTile, MoveOnto, OrderTiles, PlaceClan, PutClan, SpyMove
from workers.inis.steps.rounds import LayTile, ShuffleTiles
from workers.kit.decider import Context

# Tiles come into play


def shuffle_tiles(state: InisState, _step: ShuffleTiles, context: Context) -> InisEvent:
    """Islands are set aside for the start, then shuffled in (section 2, steps 4b and 4e)."""
    if state.lands:
        return TilesShuffled(stack=context.chance.shuffle(state.stack))
    tiles = state.catalogue.tiles.values()
    mainland = context.chance.shuffle(tile.id for tile in tiles if not tile.island)
    return TilesShuffled(stack=(*mainland, *(tile.id for tile in tiles if tile.island)))


def lay_tile(state: InisState, step: LayTile) -> InisState:
    """An island ignores the location; a harbor comes with the tile, at the start after all tiles (section 2, 4b)."""
    tile = state.catalogue.tiles[step.tile or state.stack[0]]
    put = PutTile(tile.id, SEA if tile.island else step.location)
    chosen = tile.harbor and state.phase != "setup"
    return done(state, put, *((ChooseHarborSpot(seat=state.plays[-1].seat, territory=tile.id),) if chosen else ()))


def put_tile(_state: InisState, step: PutTile, _context: Context) -> InisEvent:
    return TileLaid(tile=step.tile, location=step.location)


def locations(state: InisState, _step: LocateTile, _seat: Seat) -> Sequence[Part]:
    return [Part(location=each) for each in sites(state)]


# One of several revealed tiles: Tailtu's Land and Maelduin's Expedition


def _placeable(state: InisState, step: ChooseTile) -> list[TerritoryId]:
    mainland = bool(sites(state))
    return [each for each in step.tiles if mainland or state.catalogue.tiles[each].island]


def skip_choice(state: InisState, step: ChooseTile) -> InisState | None:
    """Where no tile fits, all go under the stack (section 5.2)."""
    return None if _placeable(state, step) else done(state, OrderTiles(seat=step.seat, tiles=step.tiles))


def tiles(state: InisState, step: ChooseTile, _seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in _placeable(state, step)]


def tile_chosen(state: InisState, step: ChooseTile, part: Part) -> InisState:
    """It comes into play, the others go under the stack, and a clan goes there as the card says."""
    chosen = part.territory
    if chosen is None:
        raise AssertionError("only tiles are offered")
    island = state.catalogue.tiles[chosen].island
    lay = LayTile(SEA, chosen) if island else LocateTile(seat=step.seat, tile=chosen)
    rest = tuple(each for each in step.tiles if each != chosen)
    return done(state, lay, OrderTiles(seat=step.seat, tiles=rest), *_settlers(state, step.seat, chosen))


def _settlers(state: InisState, seat: Seat, tile: TerritoryId) -> Steps:
    if state.plays[-1].card == "maelduins_expedition":
        return (PutClan(seat, tile),)
    return (MoveOnto(seat=seat, territory=tile),)


# Harbor tiles


def settle_harbors(state: InisState, _step: SettleHarbors) -> InisState:
    tiles_with_one = [each for each in state.lands if state.catalogue.tiles[each].harbor]
    return done(state, *(BuildHarbor(each) for each in tiles_with_one))


def harbor_of_capital(state: InisState, _step: HarborOfCapital) -> InisState:
    """The Brenn picks the spot (section 2, step 4d)."""
    if state.capital is None:
        return done(state)
    return done(state, ChooseHarborSpot(seat=state.brenn, territory=state.capital))


def skip_harbor(state: InisState, step: BuildHarbor | ChooseHarborSpot) -> InisState | None:
    return None if spots(state, step.territory) else done(state)


def build_harbor(state: InisState, step: BuildHarbor, _context: Context) -> InisEvent:
    return HarborBuilt(territory=step.territory, spot=spots(state, step.territory)[0])


def only_spot(state: InisState, step: ChooseHarborSpot, _context: Context) -> InisEvent | None:
    """Where there is no choice the Harbor tile has its place."""
    found = spots(state, step.territory)
    return HarborBuilt(territory=step.territory, spot=found[0]) if len(found) == 1 else None


def harbor_spots(state: InisState, step: ChooseHarborSpot, _seat: Seat) -> Sequence[Part]:
    found = spots(state, step.territory)
    return [Part(location=each) for each in found] if len(found) > 1 else ()


def choose_spot(_state: InisState, step: ChooseHarborSpot, _seat: Seat, part: Part) -> InisEvent:
    return HarborBuilt(territory=step.territory, spot=part.location or Location(""))


def skip_harbor_at(state: InisState, step: BuildHarborAt) -> InisState | None:
    return None if step.spot in spots(state, step.territory) else done(state)


def build_harbor_at(_state: InisState, step: BuildHarborAt, _context: Context) -> InisEvent:
    return HarborBuilt(territory=step.territory, spot=step.spot)


# Clans that come where only an Epic Tale brings them


def skip_closed_put(state: InisState, step: PutClan) -> InisState | None:
    territory = step.territory or next(reversed(list(state.lands)))
    return done(state) if closed_now(state, territory) else skip_put(state, step)


def open_places(state: InisState, step: PlaceClan, seat: Seat) -> Sequence[Part]:
    return [each for each in places(state, step, seat) if each.territory and not closed_now(state, each.territory)]


def skip_closed_placing(state: InisState, step: PlaceClan) -> InisState | None:
    return skip_placing(state, step) if open_places(state, step, step.seat) else done(state)


# Moves that are chosen while a card takes effect


def spies_go(state: InisState, step: SpyMove, seat: Seat) -> Sequence[Part]:
    return [each for each in spy_moves(state, step, seat) if _spy_may(state, seat, each)]


def _spy_may(state: InisState, seat: Seat, part: Part) -> bool:
    if part.territory is None or part.to is None or part.amount is None:
        return True
    return permitted(state, "action", [March(seat, part.territory, part.to, part.amount)])


def voyages(state: InisState, _step: SailClan, seat: Seat) -> Sequence[Part]:
    """A clan between two harbors (section 4.4, Haven)."""
    more = more_of(state)
    return [
        Part(territory=source, to=to)
        for source in state.present_in(seat)
        for to in more.by_sea(source)
        if permitted(state, "advantage", [March(seat, source, to, 1)], adjacent=False)
    ]


def skip_voyage(state: InisState, step: SailClan) -> InisState | None:
    return None if voyages(state, step, step.seat) else done(state)


def choose_voyage(_state: InisState, _step: SailClan, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def voyage_chosen(state: InisState, _step: SailClan, part: Part) -> InisState:
    """It is declared, and can be answered before the clan goes (section 4.5)."""
    *others, play = state.plays
    return done(state, plays=(*others, replace(play, parts=(*play.parts, part))))


LORE = Lore(
    silent={
        LayTile: lay_tile,
        ChooseTile: skip_choice,
        SettleHarbors: settle_harbors,
        HarborOfCapital: harbor_of_capital,
        BuildHarbor: skip_harbor,
        BuildHarborAt: skip_harbor_at,
        ChooseHarborSpot: skip_harbor,
        PutClan: skip_closed_put,
        PlaceClan: skip_closed_placing,
        SailClan: skip_voyage,
    },
    happens={
        ShuffleTiles: shuffle_tiles,
        PutTile: put_tile,
        BuildHarbor: build_harbor,
        BuildHarborAt: build_harbor_at,
        ChooseHarborSpot: only_spot,
    },
    options={
        LocateTile: locations,
        ChooseTile: tiles,
        ChooseHarborSpot: harbor_spots,
        PlaceClan: open_places,
        SpyMove: spies_go,
        SailClan: voyages,
    },
    answers={ChooseHarborSpot: choose_spot, SailClan: choose_voyage},
    choices={ChooseTile: tile_chosen, SailClan: voyage_chosen},
)
