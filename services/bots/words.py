"""The word ``bots`` of the command line."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from events.process import log_to_stderr, owner_name
from services.bots.service import BotService
from services.client import AsyncClient, ProblemError
from services.client.common import ADDRESS, require_url


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("bots")(bots)


def bots(
    *,
    url: Annotated[str, typer.Option(envvar="FIDCHELL_URL", help="of the API")] = "http://127.0.0.1:8000",
    key_file: Annotated[Path, typer.Option(envvar="FIDCHELL_BOTS_KEY_FILE", help="the bot service's own key")] = Path(
        ".fidchell/bots.key"
    ),
    delay: Annotated[float, typer.Option(min=0, envvar="FIDCHELL_BOT_DELAY", help="seconds a bot takes")] = 0.5,
    seed: Annotated[int | None, typer.Option(help="the same seed chooses the same way")] = None,
) -> None:
    """Play all bot seats of all tables, until told to stop."""
    try:
        key = key_file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as fault:
        why = "it is no text" if isinstance(fault, UnicodeError) else fault.strerror
        typer.echo(f"The key of the bot service cannot be read: {key_file}: {why}.", err=True)
        raise typer.Exit(1) from None
    if not key:
        typer.echo(f"The key of the bot service is empty: {key_file}; `fidchell new-key bots` makes one.", err=True)
        raise typer.Exit(1)
    try:
        require_url(url)
    except ProblemError:
        typer.echo(f"What --url or FIDCHELL_URL says is no address of a service: give {ADDRESS}.", err=True)
        raise typer.Exit(1) from None
    log_to_stderr(owner_name())
    try:
        asyncio.run(_play(url, key, delay, Random(os.urandom(16) if seed is None else seed)))  # noqa: S311  no secret
    except ProblemError as problem:
        typer.echo(f"The key of the bot service is refused ({problem}); `fidchell new-key bots` makes one.", err=True)
        raise typer.Exit(1) from None


async def _play(url: str, key: str, delay_s: float, random: Random) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncClient(url, key) as client:
        await BotService(client, delay_s=delay_s, random=random).run(stop)
