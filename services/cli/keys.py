"""The words about platforms' keys, ``revoke-guests`` and ``origins``: who may ask, and from which pages."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer
from msgspec.structs import replace
from rich.console import Console
from rich.table import Column, Table

from events.codec import MalformedError, pack
from events.streams import PLATFORM_KEYS, PLATFORMS
from services.api.credentials import BELIEVED_S, after
from services.api.damage import whole
from services.api.keys import (
    BOTS,
    EVERY_PLATFORM,
    KEY_PREFIX,
    LIVE,
    ROLES,
    KeyRecord,
    kept,
    name_of,
    new_key,
    read_record,
)
from services.api.platforms import MOST_ORIGINS, PlatformRecord, origin_of, read_platform
from services.api.texts import HINT, is_plain
from services.api.tokens import KINDS
from services.cli import signing
from services.cli.local import DATA, Data, commands
from services.cli.plain import cell, cleaned, moment, plain, shortened

GRACE_H: Final = 24.0
"""Hours for which a key that was replaced goes on."""

LONGEST_LABEL: Final = 60

SHOWN: Final = ("name", "platform", "role", "label", "made", "ends", "state")
"""What the list of keys tells of each, whole on however narrow a terminal; the name in one line."""

REPLACED: Final = "replaced by"
"""What it tells, in one line, too, where any key was replaced."""

console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

KeyName = Annotated[
    str, typer.Argument(help="the key's name, as `fidchell keys` lists it, or the key itself", callback=name_of)
]
"""Of a key that is typed the name alone goes further; what is no key's name is never printed, as it may be a secret."""


def _name(name: str) -> str:
    if name.startswith((KEY_PREFIX, *KINDS)):
        raise typer.BadParameter("a platform's name, and no key or token")
    if not name.isidentifier() or not name.isascii():
        raise typer.BadParameter("letters, digits and underscores, a letter first")
    return name


def _name_if_any(name: str | None) -> str | None:
    return None if name is None else _name(name)


def _platform_name(name: str) -> str:
    if name == BOTS:
        raise typer.BadParameter(f"`{BOTS}` stands for the service's own bots, and no platform has that name")
    return _name(name)


PlatformName = Annotated[str, typer.Argument(help="the platform's name", callback=_platform_name)]
Label = Annotated[str, typer.Option(help="what you call the key")]


def register(app: typer.Typer) -> None:
    """Add the words."""
    app.command("new-key")(give_key)
    app.command("keys")(list_keys)
    app.command("rotate-key")(rotate_key)
    app.command("revoke-key")(revoke_key)
    app.command("revoke-guests")(revoke_guests)
    app.command("origins")(origins)
    signing.register(app)


def give_key(
    platform: Annotated[
        str, typer.Argument(help="the platform's name, or `bots` for the service's own bots", callback=_name)
    ],
    *,
    role: Annotated[
        str | None, typer.Option(help="platform, as without it, or arbiter: sees every seat, plays at none")
    ] = None,
    label: Label = "",
    days: Annotated[int, typer.Option(min=0, help="after how many days it ends; 0 for never")] = 0,
    data: Data = DATA,
) -> None:
    """
    Make a key and print it, once; the store keeps its digest alone.

    Needs a user of the store that may write the keys: with `compose.yaml` that is `operator`, in REDIS_URL.
    """
    if role not in (None, *ROLES) or role == BOTS:
        raise typer.BadParameter("the role is platform or arbiter")
    if len(label) > LONGEST_LABEL:
        raise typer.BadParameter(f"the label is at most {LONGEST_LABEL} characters")
    if not is_plain(label):
        raise typer.BadParameter(f"the label is {HINT}")
    if platform == BOTS and role is not None:
        raise typer.BadParameter(f"`{BOTS}` stands for the service's own bots, who have no other role")
    role = BOTS if platform == BOTS else role or "platform"
    with _keys(data) as keys:
        typer.echo(keys.make(role=role, platform=_whose(platform), label=label, until=_in(days)))


def list_keys(
    platform: Annotated[str | None, typer.Argument(help="of this platform only", callback=_name_if_any)] = None,
    *,
    data: Data = DATA,
) -> None:
    """List keys by name, and whether they are good; a key itself is never shown again."""
    whose, now = platform and _whose(platform), time.time()
    with _keys(data) as keys:
        every, damaged = keys.all()
    found = {name: each for name, each in every.items() if whose in (None, each.platform)}
    shown = (*SHOWN, REPLACED) if any(each.replaced_by for each in found.values()) else SHOWN
    listed = Table(*(Column(name, overflow="fold", no_wrap=name in ("name", REPLACED)) for name in shown))
    for name, each in sorted(found.items(), key=lambda found: (found[1].platform, found[1].made)):
        days = _day(each.made), _day(each.until)
        told = name, each.platform, each.role, each.label or "-", *days, each.state(now=now), each.replaced_by or "-"
        listed.add_row(*map(cell, told[: len(shown)]))
    none = f"There is no key{'' if whose is None else f' of {whose}'}. Make one with `fidchell new-key PLATFORM`."
    console.print(listed if listed.row_count or damaged else plain(none))
    if damaged:
        _refuse(_unreadable(PLATFORM_KEYS, *damaged))


def rotate_key(
    name: KeyName,
    *,
    grace: Annotated[float, typer.Option(min=0, help="hours for which the old key goes on")] = GRACE_H,
    days: Annotated[
        int | None, typer.Option(min=0, help="after how many days the new key ends, 0 for never; else when the old did")
    ] = None,
    data: Data = DATA,
) -> None:
    """
    Make a key in place of another and print it, once; the old one ends after a while.

    The new one is of the same platform, role and label, and ends when the old one was to end.
    """
    with _keys(data) as keys:
        old = keys.one(name)
        if (state := old.state(now=time.time())) != LIVE:
            _refuse(f"The key {name} is {state}, so nothing takes its place. Make one with `fidchell new-key`.")
        if old.replaced_by:
            _refuse(f"The key {name} was replaced already, by {old.replaced_by}: say that one.")
        until = old.until if days is None else _in(days)
        key = keys.make(role=old.role, platform=old.platform, label=old.label, until=until)
        ends = int(time.time() + grace * 3600)
        keys.put(name, replace(old, until=min(old.until or ends, ends), replaced_by=name_of(key)))
    typer.echo(key)


def revoke_key(name: KeyName, *, data: Data = DATA) -> None:
    """End a key for good; every process goes by that within seconds."""
    with _keys(data) as keys:
        old = keys.one(name)
        if old.state(now=time.time()) == LIVE:
            keys.put(name, replace(old, until=int(time.time()), revoked=True))
    console.print(plain(f"The key {name} is no longer good, at the latest in {BELIEVED_S:.0f} seconds."))


def revoke_guests(platform: PlatformName, *, data: Data = DATA) -> None:
    """End the tokens of all guests of a platform; seats they took are ended by their own tables."""
    with _keys(data) as keys:
        unreadable = keys.wonder_at(platform)
        record = keys.platform(platform)
        keys.set_platform(platform, replace(record, guests=after(record.guests)))
    console.print(plain(f"Guests of {platform} must come in anew, at the latest in {BELIEVED_S:.0f} seconds."))
    if unreadable:
        _refuse(unreadable)


def origins(
    platform: PlatformName,
    allowed: Annotated[
        list[str] | None, typer.Argument(help="such as https://play.example.org; replaces the list")
    ] = None,
    *,
    none: Annotated[bool, typer.Option("--none", help="allow no page at all")] = False,
    data: Data = DATA,
) -> None:
    """Show or set the origins whose pages may use a platform's tokens from a browser."""
    for each in allowed or ():
        if each != (meant := origin_of(each)):
            told = "scheme and host in lower case, and the port if it is not the usual one, without a path"
            raise typer.BadParameter(f"browsers send {meant}" if meant else f"an origin is {told}")
    if none and allowed:
        raise typer.BadParameter("either origins or --none")
    if len(allowed or ()) > MOST_ORIGINS:
        raise typer.BadParameter(f"at most {MOST_ORIGINS} origins")
    with _keys(data) as keys:
        unreadable = keys.wonder_at(platform)
        record = keys.platform(platform)
        if allowed or none:
            record = replace(record, origins=tuple(allowed or ()))
            keys.set_platform(platform, record)
    for line in record.origins or [f"No page may use tokens of {platform}."]:
        console.print(plain(line))
    if unreadable:
        _refuse(unreadable)


class Keys:
    """The keys, and what is set for platforms, in the store."""

    def __init__(self, command: Any) -> None:  # noqa: ANN401  the store's way to send commands
        self._command = command

    def all(self) -> tuple[Mapping[str, KeyRecord], Sequence[str]]:
        """Return what is kept of every key, by name, and the names of those of which it cannot be read."""
        found, damaged = {}, []
        for written, body in self._ask("HGETALL", PLATFORM_KEYS).items():
            name = written.decode(errors="replace")
            try:
                found[name] = read_record(body)
            except MalformedError:
                damaged.append(name)
        return found, sorted(damaged)

    def wonder_at(self, platform: str) -> str:
        """
        Say that no key is of a platform, whose name may be mistyped; guests may be let in there without one.

        Where keys cannot be read nobody knows, and what is to be told of it once all is done is returned.
        """
        found, damaged = self.all()
        if any(each.platform == platform for each in found.values()):
            return ""
        if damaged:
            return f"No key of {platform} can be read. {_unreadable(PLATFORM_KEYS, *damaged)}"
        typer.echo(f"There is no key of {platform}: is it a platform's name? See `fidchell keys`.", err=True)
        return ""

    def one(self, name: str) -> KeyRecord:
        """Return what is kept of a key."""
        body = self._ask("HGET", PLATFORM_KEYS, name)
        if body is None:
            _refuse("There is no key of that name; see `fidchell keys`.")
        try:
            return read_record(body)
        except MalformedError:
            _refuse(_unreadable(PLATFORM_KEYS, name))

    def make(self, *, role: str, platform: str, label: str, until: int) -> str:
        """Return a new key that is kept."""
        key = new_key()
        self.put(*kept(key, role=role, platform=platform, label=label, until=until))
        return key

    def put(self, name: str, record: KeyRecord) -> None:
        self._ask("HSET", PLATFORM_KEYS, name, pack(record))

    def platform(self, name: str) -> PlatformRecord:
        body = self._ask("HGET", PLATFORMS, name)
        try:
            return PlatformRecord() if body is None else read_platform(body)
        except MalformedError:
            _refuse(_unreadable(PLATFORMS, name))

    def set_platform(self, name: str, record: PlatformRecord) -> None:
        self._ask("HSET", PLATFORMS, name, pack(record))

    def _ask(self, command: str, key: str, *more: str | bytes) -> Any:  # noqa: ANN401  what the command answers
        with whole(key):
            return self._command(command, key, *more)


@contextmanager
def _keys(data: Path) -> Iterator[Keys]:
    with commands(data) as command:
        yield Keys(command)


def _unreadable(key: str, *names: str) -> str:
    """Return what is told of records of a hash that nobody can read."""
    whose = ", ".join(map(shortened, names))
    return f"What {key} holds of {whose} cannot be read, and nobody goes by it: restore it, or remove it with HDEL."


def _refuse(sentence: str) -> NoReturn:
    typer.echo(cleaned(sentence), err=True)
    raise typer.Exit(1)


def _whose(name: str) -> str:
    """Return whose keys are meant by a name that was typed."""
    return EVERY_PLATFORM if name == BOTS else name


def _in(days: int) -> int:
    """Return when a key ends that holds for so many days; 0, which stands for never, for 0."""
    return int(time.time()) + days * 86_400 if days else 0


def _day(at: int) -> str:
    return moment(at * 1000, "%Y-%m-%d %H:%M") if at else "-"
