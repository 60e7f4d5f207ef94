"""What every long-running process of the program does alike: stop when told, wait for its store, log in JSON."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Final

import structlog

from events.log.errors import NodeAwayError, StoreAwayError, StoreLostError, StoreUnusableError
from events.log.redis_log import RedisLog
from events.log.seeds import named

DATA: Final = Path(".fidchell")
"""The data folder unless another is named."""

DEFAULT_STORE: Final = "redis://127.0.0.1:6379/0"

EPOCH: Final = "FIDCHELL_STORE_EPOCH"
"""Setting: the epoch that the store must be of, so that an emptied one is never taken for a new one."""

PAUSE_S: Final = 0.5
"""Between two attempts to reach a store that is away."""


RARELY: Final = (20_000, 50, 100)
"""When to look for garbage in circles."""


def collect_rarely() -> None:
    """Look for garbage in circles rarely: states are values and make none, and a pass over all tables takes long."""
    gc.set_threshold(*RARELY)


def owner_name() -> str:
    """Return a name that no other process has, and that tells an operator where to look."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


_TRACEBACKS: Final = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)
"""Where a fault happened, without the values that were there: tokens, hidden choices and secrets are among them."""


class _Libraries(logging.Handler):
    """Notes what libraries complain of in lines like all others; Python by itself writes them as plain text."""

    def emit(self, record: logging.LogRecord) -> None:
        structlog.get_logger().log(
            record.levelno,
            "library_complained",
            library=record.name,
            text=record.getMessage(),
            exc_info=record.exc_info,
        )


def log_to_stderr(owner: str) -> None:
    """Write one JSON object per line to the standard error, each with the process's name."""
    logging.basicConfig(handlers=[_Libraries()], level=logging.WARNING, force=True)

    def named(_logger: object, _method: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
        line["owner"] = owner
        return line

    structlog.configure(
        processors=[
            named,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _TRACEBACKS,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
    )


def tell(sentence: str) -> None:
    """Say something to whoever sits at the terminal, beside what is logged for machines."""
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def waits_for(url: str, fault: Exception) -> str:
    """Return what is told of a store that a process waits for; nothing that is secret in its address."""
    why = str(fault).rstrip(".")
    if isinstance(fault, StoreUnusableError):
        return f"Waiting until the store at {named(url)} can be used: {why}."
    return f"Waiting for the store at {named(url)}: {why}. Start it, or set REDIS_URL to where it is."


def store_trouble(fault: StoreAwayError | StoreUnusableError) -> str:
    """Return what a word of the command line says of a store that it cannot use, and what to do about it."""
    why = str(fault).rstrip(".")
    if isinstance(fault, NodeAwayError):
        return f"A part of the store is away: {why}. Say it again when that is back."
    if isinstance(fault, StoreUnusableError):
        return f"The store cannot be used: {why}."
    if os.environ.get("REDIS_URL"):
        return f"The store cannot be reached: {why}. Start it, or set REDIS_URL to where it is."
    hint = "Start the service with `fidchell serve`, set REDIS_URL, or name the data folder with --data"
    return f"The store cannot be reached: {why}. {hint}."


def stop_on_signals() -> Event:
    """Return an event that is set when the process is told to end."""
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def store_url(note: Path) -> str:
    """
    Return where the store is: what ``REDIS_URL`` says, else what a service has noted in a file of its data folder.

    Without either it is the default, unless somebody named that folder: then ``StoreAwayError`` says what is missing.
    """
    if told := os.environ.get("REDIS_URL"):
        return told
    try:
        return note.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        if is_named(note.parent):
            raise StoreAwayError(f"no service runs in {note.parent.absolute()}") from None
        return DEFAULT_STORE


def is_named(data: Path) -> bool:
    """Whether a data folder is another than the one that is meant when nobody says anything."""
    return data.absolute() != DATA.absolute()


def opened(url: str, games: Sequence[str], stop: Event) -> RedisLog | None:
    """
    Return the store as soon as it is there, or ``None`` when told to stop before.

    Raises ``StoreUnusableError`` when it can be reached but is not fit.
    """
    reported = False
    while not stop.is_set():
        try:
            store = RedisLog(url, games=games, epoch=os.environ.get(EPOCH) or None)
        except (StoreAwayError, StoreLostError) as fault:
            if not reported:
                tell(waits_for(url, fault))
                structlog.get_logger().warning("store_failed", problem=str(fault), kind=type(fault).__name__)
                reported = True
            stop.wait(PAUSE_S)
        else:
            introduce(store)
            return store
    return None


def introduce(store: RedisLog) -> None:
    """Tell which store was opened, and loudly what an operator should know of it."""
    log = structlog.get_logger()
    if store.is_new:
        log.warning("store_created", epoch=store.epoch)
    else:
        log.info("store_opened", epoch=store.epoch)
    for fault in store.away:
        log.warning("node_away", problem=str(fault))
    if not store.is_durable:
        log.error("store_not_durable", problem="the append-only file is off: a restart of the server loses everything")
