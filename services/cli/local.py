"""What the words share on this machine: the data folder, the keys in it, and where service and store are."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import redis
import typer

from events import process
from events.codec import pack
from events.log.errors import StoreAwayError, StoreUnusableError
from events.log.redis_cluster import open_store
from events.streams import PLATFORM_KEYS
from services.api.keys import BOTS, EVERY_PLATFORM, LIVE, kept, new_key
from services.api.stored import record_of
from services.embedded.folder import DataFolder, EmbeddedError

LOCAL_PLATFORM: Final = "local"

Data = Annotated[Path, typer.Option("--data", envvar="FIDCHELL_DATA", help="folder of data and keys")]
Url = Annotated[
    str | None,
    typer.Option("--url", envvar="FIDCHELL_URL", help="of the API; by default of the service of the data folder"),
]
DATA: Final = process.DATA
URL: Final = "http://127.0.0.1:8000"


def store_url(data: Path) -> str:
    """Return where the store is: what ``REDIS_URL`` says, else the embedded server of the data folder."""
    return process.store_url(DataFolder(data).store_url)


def service_url(url: str | None, data: Path) -> str:
    """
    Return where the service is: as it was named, else that of the data folder, else where one is by default.

    ``EmbeddedError`` when somebody named the folder, and no service runs in it.
    """
    if url is not None:
        return url
    folder = DataFolder(data)
    try:
        found = folder.service_url.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError):
        found = ""
    if not found and process.is_named(data):
        raise EmbeddedError(
            f"No service runs in {folder.path}. Start it with `fidchell serve --data {shlex.quote(str(folder.path))}`, "
            "or say where it is with another --data, or --url."
        )
    return found or URL


def read_key(file: Path) -> str:
    """Return a key from its file; ``EmbeddedError`` says what to do without."""
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as fault:
        why = "it is no text" if isinstance(fault, UnicodeError) else fault.strerror
        raise EmbeddedError(
            f"The key in {file} cannot be read ({why}). Start the service here with `fidchell serve`, "
            "or name its folder with --data."
        ) from None


def keep_keys(folder: DataFolder, url: str) -> None:
    """See that the local platform and the bots have keys, in files only their owner can read, known to the store."""
    for file, role, platform in (
        (folder.platform_key, "platform", LOCAL_PLATFORM),
        (folder.bots_key, BOTS, EVERY_PLATFORM),
    ):
        key = read_key(file) if file.exists() else new_key()
        if not keep_key(url, key, role=role, platform=platform):
            key = new_key()
            keep_key(url, key, role=role, platform=platform)
        write_private(file, key)


def keep_key(url: str, key: str, *, role: str, platform: str) -> bool:
    """Let the store know a key, by its digest, unless it does already; return whether it is good, and was not ended."""
    name, record = kept(key, role=role, platform=platform)
    with closing(open_store(url)) as store:
        store.command("HSETNX", PLATFORM_KEYS, name, pack(record))
        found = record_of(name, store.command("HGET", PLATFORM_KEYS, name))
    return found is not None and found.state(now=time.time()) == LIVE


@contextmanager
def commands(data: Path) -> Iterator[Callable[..., Any]]:
    """Give the store's way to send commands; a word that the store does not serve ends with a sentence."""
    try:
        with closing(open_store(store_url(data))) as store:
            yield store.command
    except (StoreAwayError, StoreUnusableError) as fault:
        typer.echo(process.store_trouble(fault), err=True)
        raise typer.Exit(1) from None
    except redis.ResponseError as fault:
        typer.echo(f"The store did not do it: {str(fault).rstrip('.')}.", err=True)
        raise typer.Exit(1) from None


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as private:
        private.write(text + "\n")
    file.chmod(0o600)
