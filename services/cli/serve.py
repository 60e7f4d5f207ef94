"""The word ``serve``: everything on this machine, with one command."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path
from threading import Event
from typing import Annotated, Any, Final

import httpx
import typer
from rich.console import Console

from events.log.errors import StoreAwayError, StoreLostError, StoreUnusableError
from events.log.redis_log import RedisLog
from events.process import EPOCH, stop_on_signals, store_trouble
from services.api.listening import listening, release
from services.api.words import settings_of_doors
from services.cli.local import DATA, LOCAL_PLATFORM, Data, keep_keys, read_key, write_private
from services.cli.samples import SamplesError, open_samples
from services.cli.supervision import LOOK_S, Child, stop_all, supervise
from services.cli.typed import program_as_typed
from services.cli.usage import USAGE
from services.embedded.folder import DataFolder, EmbeddedError
from services.embedded.server import EmbeddedServer
from services.embedded.settings import Durability
from services.live.ebb import PLAIN
from services.settings import WrongSettingError, wrong

READY_S: Final = 60.0
GUESTS: Final = "FIDCHELL_GUESTS"
OPERATED: Final = ("worker", "project")
"""Words whose own settings hold for what runs here, too; those of the bots are given to them."""

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")

console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("serve")(serve)


def serve(  # noqa: PLR0913  each is an option
    context: typer.Context,
    data: Data = DATA,
    *,
    host: Annotated[str, typer.Option(help="address of the API")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="FIDCHELL_PORT", min=1, max=65535, help="port of the API")] = 8000,
    durability: Annotated[
        Durability, typer.Option(help="fast may lose the last two seconds at a power cut")
    ] = "always",
    workers: Annotated[int, typer.Option(min=1, help="how many rule workers")] = 1,
    samples: Annotated[bool, typer.Option("--samples/--no-samples", help="open the sample tables")] = True,
    bot_delay: Annotated[float, typer.Option(min=0, help="seconds a bot takes for each answer")] = 1.0,
) -> None:
    """Start store, rules, views, API and bots here, and keep them running until Ctrl-C."""
    stop = stop_on_signals()
    try:
        _require_settings(context)
        _require_free(host, port)
        with _store(data, durability) as (url, mend):
            folder = DataFolder(data)
            epoch = _founded(folder, url)
            keep_keys(folder, url)
            address = _address(host, port)
            environment = {"REDIS_URL": url, EPOCH: epoch, "FIDCHELL_BOT_DELAY": str(bot_delay), **guests(host)}
            children = _children(folder, environment, host=host, port=port, workers=workers)
            try:
                write_private(folder.service_url, address)
                for child in children:
                    child.start()
                _welcome(folder, children, stop, address=address, with_samples=samples)
                supervise(children, stop, console.print, also=mend)
            finally:
                console.print("Stopping ...")
                folder.service_url.unlink(missing_ok=True)
                stop_all(children)
    except (EmbeddedError, WrongSettingError) as fault:
        console.print(str(fault), style="red")
        raise typer.Exit(1) from None
    except OSError as fault:
        console.print(str(DataFolder(data).unusable(fault)), style="red")
        raise typer.Exit(1) from None
    except (StoreUnusableError, StoreAwayError) as fault:
        console.print(store_trouble(fault), style="red")
        raise typer.Exit(1) from None
    console.print("Stopped. Everything is kept and goes on at the next start.")


@contextmanager
def _store(data: Path, durability: Durability) -> Iterator[tuple[str, Callable[[], object]]]:
    """Give the store's address and what mends it: a server elsewhere, or the embedded one."""
    folder = DataFolder(data)
    folder.make()
    if elsewhere := os.environ.get("REDIS_URL"):
        yield elsewhere, lambda: None
        return
    if not folder.founded.exists():
        folder.epoch.unlink(missing_ok=True)
    with EmbeddedServer(data, durability=durability, tell=console.print) as server:
        write_private(folder.store_url, server.url)

        def mend() -> None:
            if server.revive():
                console.print("The embedded server had died and runs again; nothing acknowledged was lost.")

        try:
            yield server.url, mend
        finally:
            folder.store_url.unlink(missing_ok=True)


def _address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _require_settings(context: typer.Context) -> None:
    """Read what is set for all that will run here, so that nothing starts that would end again and again at once."""
    settings_of_doors()
    words: Any = context.find_root().command
    for word in OPERATED:
        try:
            words.commands[word].make_context(word, [])
        except USAGE as fault:
            told: Any = fault
            raise wrong([(told.param.envvar, told.message)]) from None


def _require_free(host: str, port: int) -> None:
    try:
        release(listening(host, port))
    except OSError as fault:
        raise EmbeddedError(
            f"The API cannot listen on {host}:{port} ({fault.strerror}). "
            "Choose another port with --port, or FIDCHELL_PORT with make play."
        ) from None


def _founded(folder: DataFolder, url: str) -> str:
    """
    Prepare the store, and return its epoch, which is remembered from then on.

    What is wrong with it is said before anything is started on it; also that it is not the one it was.
    """
    note = folder.epoch_elsewhere if os.environ.get("REDIS_URL") else folder.epoch
    kept = note.read_text(encoding="ascii").strip() if note.exists() else None
    try:
        with closing(RedisLog(url, epoch=os.environ.get(EPOCH) or kept)) as store:
            write_private(note, store.epoch)
            return store.epoch
    except StoreLostError as fault:
        raise EmbeddedError(
            f"The store that was used with {folder.path} is lost, or it is another one: {fault.detail}. "
            "Restore a copy of it, or choose another folder with --data to begin with an empty store."
        ) from None


def _children(folder: DataFolder, environment: Mapping[str, str], *, host: str, port: int, workers: int) -> list[Child]:
    logs = folder.path / "logs"
    logs.mkdir(exist_ok=True)
    environment = {
        **environment,
        "FIDCHELL_URL": _address(host, port),
        "FIDCHELL_BOTS_KEY_FILE": str(folder.bots_key),
    }
    rules = [f"worker-{number}" for number in range(1, workers + 1)]
    words = [*((name, ["worker"]) for name in rules), ("project", ["project"]), ("api", ["api"]), ("bots", ["bots"])]
    words[-2][1].extend(["--host", host, "--port", str(port)])
    own = {"api": PLAIN}
    return [
        Child(name, _word(*word), environment={**environment, **own.get(name, {})}, log=logs / f"{name}.log")
        for name, word in words
    ]


def guests(host: str) -> dict[str, str]:
    """Whoever sits at this machine may play without a key, where nobody else can reach it."""
    return {GUESTS: os.environ.get(GUESTS, LOCAL_PLATFORM if host in LOOPBACK else "")}


def _word(*word: str) -> list[str]:
    return [sys.executable, "-m", "services.cli", *word]


def _welcome(folder: DataFolder, children: Sequence[Child], stop: Event, *, address: str, with_samples: bool) -> None:
    """Wait until the doors are open, open the sample tables, and say where everything is."""
    key = read_key(folder.platform_key)
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=10) as http:
        if not _ready(http, children, stop):
            return
        try:
            opened = open_samples(http, stop) if with_samples else []
        except (SamplesError, httpx.TransportError) as fault:
            console.print(str(fault))
            opened = []
    console.print(f"Fidchell is ready at {address} (its pages: {address}/docs).")
    console.print(f"The platform key is in {folder.platform_key}, logs are in {folder.path / 'logs'}.")
    elsewhere = "" if folder.path == DATA.absolute() else f" --data {shlex.quote(str(folder.path))}"
    program = program_as_typed(sys.orig_argv, sys.argv)
    for sample, table in opened:
        console.print(f"  {table}  {sample.about}")
        console.print(f"      {program} follow {table}{elsewhere}")
    console.print("Ctrl-C stops everything; it goes on at the next start.")


def _ready(http: httpx.Client, children: Sequence[Child], stop: Event) -> bool:
    deadline = time.monotonic() + READY_S
    while not stop.wait(LOOK_S):
        for child in children:
            child.mend(console.print)
        try:
            if http.get("/readyz").status_code == HTTPStatus.OK:
                return True
        except httpx.TransportError:
            pass
        if time.monotonic() > deadline:
            raise EmbeddedError(f"The API was not ready within {READY_S:.0f} s; see its log beside {children[0].log}.")
    return False
