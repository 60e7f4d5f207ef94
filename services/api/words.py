"""The word ``api`` of the command line."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress
from typing import Annotated, Any, NoReturn, TypedDict

import typer
import uvicorn

from events.log.errors import StoreUnusableError
from events.log.seeds import seeds
from events.process import log_to_stderr, owner_name, store_trouble
from services.api.app import create_app
from services.api.listening import listening
from services.api.settings import ApiSettings
from services.api.wire import Bounds, protocol
from services.live.ebb import settle
from services.live.settings import LiveSettings
from services.live.wire import UVICORN, LiveProtocol
from services.settings import WrongSettingError

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
    try:
        settings, bounds, live = settings_of_doors()
        seeds(settings.redis_url.get_secret_value())
    except WrongSettingError as fault:
        _refuse(str(fault))
    except StoreUnusableError as fault:
        _refuse(store_trouble(fault))
    sockets = _listening(host, port)
    app = create_app(settings, live)
    settle()
    server = uvicorn.Server(uvicorn.Config(app, loop="uvloop", **serving(settings, bounds)))
    with suppress(KeyboardInterrupt):
        server.run(sockets)


def settings_of_doors() -> tuple[ApiSettings, Bounds, LiveSettings]:
    """Return all that is set for the doors; ``WrongSettingError`` says what cannot be."""
    return ApiSettings.read(), Bounds.read(), LiveSettings.read()


def _listening(host: str, port: int) -> list[socket.socket]:
    try:
        return listening(host, port)
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            _refuse(f"Port {port} of {host} is taken: choose another with --port.")
        _refuse(f"Nothing can listen at {host}, port {port} ({fault.strerror}): choose others with --host and --port.")


def _refuse(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(1)


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
