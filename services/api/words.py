"""The word ``api`` of the command line."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

import typer
import uvicorn

from events.process import log_to_stderr, owner_name
from services.api.app import create_app
from services.api.settings import ApiSettings
from services.api.wire import Bounds, protocol
from services.live.ebb import settle
from services.live.wire import UVICORN, LiveProtocol

GOODBYE_S = 2
"""How long requests may take to end when the process is told to."""


class Trusted(TypedDict):
    """The part of uvicorn's settings that says so."""

    proxy_headers: bool
    forwarded_allow_ips: str


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("api")(api)


def api(
    *,
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="port to listen on")] = 8000,
) -> None:
    """Open the doors, until told to stop; REDIS_URL says where the store is."""
    log_to_stderr(owner_name())
    settings = ApiSettings()
    app = create_app(settings)
    settle()
    uvicorn.run(app, host=host, port=port, loop="uvloop", **serving(settings, Bounds()))


def serving(settings: ApiSettings, bounds: Bounds) -> dict[str, Any]:
    """Return uvicorn's settings for the doors, but for address and event loop."""
    return {
        "http": protocol(bounds),
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "ws": LiveProtocol,
        **UVICORN,
        **trusted(settings),
        "timeout_graceful_shutdown": GOODBYE_S,
    }


def trusted(settings: ApiSettings) -> Trusted:
    """Return whose word on who sends uvicorn takes; left to itself it takes that of this machine and of a variable."""
    proxies = settings.forwarded_allow_ips
    return {"proxy_headers": bool(proxies), "forwarded_allow_ips": proxies}
