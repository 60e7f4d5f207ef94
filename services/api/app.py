"""Puts the doors together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import Depends, FastAPI

from services.api import (
    answers,
    commands,
    docs_page,
    games,
    guests,
    health,
    openapi,
    own_keys,
    passes,
    problems,
    rematch,
    seats,
    tables,
    views,
)
from services.api.bodies import member_names
from services.api.caching import Caching
from services.api.cors import Cors, Origins, Preflights
from services.api.doors import doors
from services.api.methods import Heads
from services.api.queries import strict_query
from services.api.rates import Paced, Rates
from services.api.requests_log import RequestsLog
from services.api.server_time import ServerTime
from services.api.settings import ApiSettings
from services.api.tables import OpenTableBody
from services.live import asyncapi, live
from services.live import docs_page as live_page
from services.live.settings import LiveSettings

ABOUT = (
    "Plays table games for other programs: open a table, hand out its seats, send commands, read what each seat sees. "
    "Send an Idempotency-Key (a UUID) with every POST; then sending it again changes nothing. "
    "Whatever is read with GET can be asked for with HEAD, which is answered without the body. "
    "Every answer tells the server's time in milliseconds since 1970, in the header Fidchell-Time."
)


def create_app(settings: ApiSettings, live_settings: LiveSettings | None = None) -> FastAPI:
    """Return the application; it finds its store when it starts, or as soon as that is there."""
    rates, origins = Rates(settings), Origins()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        member_names(OpenTableBody)  # reads the options of all games while nobody waits
        app.state.doors = doors(settings, rates)
        app.state.live = live.Live(app.state.doors, live_settings or LiveSettings())
        try:
            async with app.state.doors.wakes.running(), app.state.live.running():
                yield
        finally:
            await app.state.doors.store.close()

    app = FastAPI(
        title="Fidchell",
        version=version("fidchell"),
        description=ABOUT,
        openapi_url=None,
        generate_unique_id_function=openapi.operation_id,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    doors_of_play = (tables, rematch, seats, passes, commands, answers, views, games, guests, own_keys)
    for part in doors_of_play:
        app.include_router(part.router, dependencies=[Depends(strict_query)])
    for part in (health, docs_page, asyncapi, live_page):
        app.include_router(part.router)
    problems.install(app)
    openapi.install(app)
    app.add_middleware(Preflights, origins)
    app.add_middleware(Paced, rates)
    app.add_middleware(Cors, origins)
    app.add_middleware(Caching)
    app.add_middleware(ServerTime)
    app.add_middleware(RequestsLog)
    app.add_middleware(Heads)
    app.add_middleware(live.LiveDoor)
    return app
