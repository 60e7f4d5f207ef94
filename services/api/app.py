"""Puts the doors together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from services.api import answers, commands, docs_page, games, health, openapi, problems, seats, tables, views
from services.api.doors import doors
from services.api.requests_log import RequestsLog
from services.api.settings import ApiSettings
from services.live import asyncapi, live
from services.live.settings import LiveSettings

ABOUT = (
    "Plays table games for other programs: open a table, hand out its seats, send commands, read what each seat sees. "
    "Send an Idempotency-Key (a UUID) with every POST; then sending it again changes nothing."
)


def create_app(settings: ApiSettings, live_settings: LiveSettings | None = None) -> FastAPI:
    """Return the application; it finds its store when it starts, or as soon as that is there."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.doors = doors(settings)
        app.state.live = live.Live(app.state.doors, live_settings or LiveSettings())
        async with app.state.doors.wakes.running(), app.state.live.running():
            yield
        await app.state.doors.store.close()

    app = FastAPI(
        title="Fidchell",
        version=version("fidchell"),
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    for part in (tables, seats, commands, answers, views, games, health, docs_page, asyncapi):
        app.include_router(part.router)
    app.router.routes.append(live.route)
    problems.install(app)
    openapi.install(app)
    app.add_middleware(RequestsLog)
    return app
