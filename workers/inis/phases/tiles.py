"""New territories: Exploration and Tailtu's Land (rules, sections 1.3, 5.1 and 5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.inis.events import InisEvent
from events.inis.events.board import TilesPutUnder, TilesRevealed
from events.inis.events.cards import ChoiceMade
from events.inis.events.rounds import TileLaid
from events.inis.vocabulary import Location, Part, TerritoryId
from events.messages import Seat
from workers.inis.agenda import Lore, done
from workers.inis.cards.form import marching
from workers.inis.lattice import free_locations
from workers.inis.state import InisState
from workers.inis.steps.board import ChooseTile, LocateTile, Move, MoveOnto, OrderTiles, RevealTiles
from workers.inis.steps.rounds import LayTile
from workers.kit.decider import Context

STAY = Part(option="stay")


def lay_tile(state: InisState, step: LayTile, _context: Context) -> InisEvent:
    return TileLaid(tile=step.tile or state.stack[0], location=step.location)


def locations(state: InisState, _step: LocateTile, _seat: Seat) -> Sequence[Part]:
    taken = tuple(land.location for land in state.lands.values())
    return _parts(free_locations(taken, state.catalogue.touching))


def _parts(places: Sequence[Location]) -> Sequence[Part]:
    return [Part(location=each) for each in places]


def choose(_state: InisState, _step: LocateTile | ChooseTile | MoveOnto, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def located(state: InisState, step: LocateTile, part: Part) -> InisState:
    if part.location is None:
        raise AssertionError("only locations are offered")
    return done(state, LayTile(part.location, step.tile))


def skip_tiles(state: InisState, _step: RevealTiles) -> InisState | None:
    return None if state.stack else done(state)


def reveal_tiles(state: InisState, step: RevealTiles, _context: Context) -> InisEvent:
    return TilesRevealed(tiles=state.stack[: step.amount])


def tiles(_state: InisState, step: ChooseTile, _seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in step.tiles]


def tile_chosen(state: InisState, step: ChooseTile, part: Part) -> InisState:
    """Then it is laid, the others go under the stack, and a clan may move onto it."""
    if part.territory is None:
        raise AssertionError("only tiles are offered")
    rest = tuple(each for each in step.tiles if each != part.territory)
    return done(
        state,
        LocateTile(seat=step.seat, tile=part.territory),
        OrderTiles(seat=step.seat, tiles=rest),
        MoveOnto(seat=step.seat, territory=part.territory),
    )


def skip_order(state: InisState, step: OrderTiles) -> InisState | None:
    return None if step.tiles else done(state)


def order_alone(_state: InisState, step: OrderTiles, _context: Context) -> InisEvent | None:
    """The last tile has its place."""
    return TilesPutUnder(seat=step.seat, tiles=(*step.done, *step.tiles)) if len(step.tiles) == 1 else None


def order_options(_state: InisState, step: OrderTiles, _seat: Seat) -> Sequence[Part]:
    return [Part(territory=each) for each in step.tiles]


def order_tiles(_state: InisState, _step: OrderTiles, seat: Seat, part: Part) -> InisEvent:
    return ChoiceMade(seat=seat, part=part)


def tile_ordered(state: InisState, step: OrderTiles, part: Part) -> InisState:
    chosen = TerritoryId(part.territory or "")
    rest = tuple(each for each in step.tiles if each != chosen)
    return done(state, replace(step, tiles=rest, done=(*step.done, chosen)))


def sources(state: InisState, step: MoveOnto, seat: Seat) -> Sequence[Part]:
    lands = state.lands
    return [STAY, *(Part(territory=each) for each in state.ways(step.territory) if lands[each].clans[seat])]


def skip_moving_onto(state: InisState, step: MoveOnto) -> InisState | None:
    return None if len(sources(state, step, step.seat)) > 1 else done(state)


def moved_onto(state: InisState, step: MoveOnto, part: Part) -> InisState:
    if part.territory is None:
        return done(state)
    moves = [Move(seat=step.seat, territory=part.territory, to=step.territory, amount=1)]
    return done(state, *marching(state, step.seat, moves, clash=False))


LORE = Lore(
    silent={RevealTiles: skip_tiles, OrderTiles: skip_order, MoveOnto: skip_moving_onto},
    happens={LayTile: lay_tile, RevealTiles: reveal_tiles, OrderTiles: order_alone},
    options={LocateTile: locations, ChooseTile: tiles, OrderTiles: order_options, MoveOnto: sources},
    answers={LocateTile: choose, ChooseTile: choose, OrderTiles: order_tiles, MoveOnto: choose},
    choices={LocateTile: located, ChooseTile: tile_chosen, OrderTiles: tile_ordered, MoveOnto: moved_onto},
)
