"""Packs and unpacks messages: the one place, beside the export files, where values become bytes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, Final, Generic, TypeVar

import msgpack
import msgspec

from events.complaints import complaint
from events.games import commands_module, events_module, upcasters_module
from events.messages import Command, Event, members
from events.tables import commands as table_commands
from events.tables import events as table_events
from events.tables import upcasters as table_upcasters
from events.upcasting import UnknownKindError, Upcasters, upcast

T = TypeVar("T")

_PACKER: Final = msgspec.msgpack.Encoder(order="deterministic")
_JSON: Final = msgspec.json.Encoder(order="deterministic")


class MalformedError(ValueError):
    """
    Bytes from outside are not what they should be.

    Args:
        path: where the fault lies, such as ``$.coins[2]``.
        problem: what is wrong there, in words.
        reason: the same as a code, snake_case and stable for ever (docs/reference/codes.md).
    """

    def __init__(self, path: str, problem: str, reason: str) -> None:
        super().__init__(f"{problem} at {path}")
        self.path = path
        self.problem = problem
        self.reason = reason

    @property
    def details(self) -> dict[str, str]:
        """What the sender is told."""
        return {"path": self.path, "problem": self.problem, "reason": self.reason}


def pack(value: object) -> bytes:
    """Return the one MessagePack encoding of a value."""
    return _PACKER.encode(value)


def raw(value: object) -> msgspec.Raw:
    """Return a value's one MessagePack encoding, to be put into another value as it is."""
    return msgspec.Raw(_PACKER.encode(value))


def pack_for_scripts(value: object) -> bytes:
    """Return the MessagePack encoding that scripts inside Redis read: of an age before it told bytes from text."""
    packed: bytes = msgpack.packb(value, use_bin_type=False)
    return packed


def to_json(value: object) -> bytes:
    """Return the one JSON encoding of a value."""
    return _JSON.encode(value)


class Unpacker(Generic[T]):
    """Reads values of one type from MessagePack; what does not fit raises ``MalformedError``."""

    def __init__(self, kind: Any) -> None:  # noqa: ANN401  a union of structs has no narrower type
        self._decoder: msgspec.msgpack.Decoder[T] = msgspec.msgpack.Decoder(kind)

    def __call__(self, body: bytes | msgspec.Raw) -> T:
        try:
            return self._decoder.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
            raise malformed(fault, broken="not_msgpack") from None


def malformed(fault: Exception, *, broken: str) -> MalformedError:
    """Tell a decoder's complaint without repeating what was sent; ``broken`` is the reason for another format."""
    told = complaint(fault, broken=broken)
    return MalformedError(told.path, told.problem, told.reason)


class _Kind(msgspec.Struct):
    kind: str


_read_kind: Final = Unpacker[_Kind](_Kind)


class EventCodec:
    """Reads the stored events of one game and of table life, lifting old schema versions to today's."""

    def __init__(self, classes: tuple[type[Event], ...], upcasters: Upcasters) -> None:
        self._classes = {str(each.__struct_config__.tag): each for each in classes}
        self._readers: dict[str, Unpacker[Event]] = {kind: Unpacker(each) for kind, each in self._classes.items()}
        self._decoder: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(reduce(or_, classes))
        self._upcasters = upcasters

    def read(self, schema: int, body: msgspec.Raw | bytes) -> Event:
        """Return the event; ``UnknownKindError`` when a newer program wrote it."""
        try:
            event = self._decoder.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._read_other(schema, body)
        return event if event.schema == schema else self._read_other(schema, body)

    def _read_other(self, schema: int, body: msgspec.Raw | bytes) -> Event:
        """Return an event of an older schema; what is damaged or newer raises what is wrong with it."""
        kind = _read_kind(body).kind
        known = self._classes.get(kind)
        if known is None:
            raise UnknownKindError(kind, schema)
        if schema == known.schema:
            return self._readers[kind](body)
        lifted = upcast(
            msgspec.msgpack.decode(body), kind=kind, schema=schema, current=known.schema, upcasters=self._upcasters
        )
        return self._readers[kind](pack(lifted))


@cache
def event_codec(game: str) -> EventCodec:
    """Return the reader of a game's stored events."""
    classes = members(table_events.EVENTS) + members(events_module(game).EVENTS)
    return EventCodec(classes, {**table_upcasters.UPCASTERS, **upcasters_module(game).UPCASTERS})


def _all_commands(game: str) -> Any:  # noqa: ANN401  a union of structs has no narrower type
    return table_commands.COMMANDS | commands_module(game).COMMANDS


@cache
def command_unpacker(game: str) -> Unpacker[Command]:
    """Return the strict reader of a game's commands, those of table life among them, from MessagePack."""
    return Unpacker(_all_commands(game))


@cache
def _command_json_decoder(game: str) -> msgspec.json.Decoder[Command]:
    return msgspec.json.Decoder(_all_commands(game))


def command_from_json(game: str, body: bytes) -> Command:
    """Return the command a client typed; ``MalformedError`` with the path to the fault otherwise."""
    try:
        command = _command_json_decoder(game).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise malformed(fault, broken="not_json") from None
    try:
        pack(command)
    except OverflowError:
        raise MalformedError(_too_large(command, "$") or "$", "Integer beyond 64 bits", "beyond_64_bits") from None
    return command


def _too_large(value: object, path: str) -> str | None:
    """Return the path to the first integer that MessagePack cannot hold."""
    match value:
        case int():
            return None if -(2**63) <= value < 2**64 else path
        case msgspec.Struct():
            parts = [(getattr(value, name), f"{path}.{name}") for name in value.__struct_fields__]
        case Mapping():
            parts = [(each, f"{path}[...]") for each in value.values()]
        case list() | tuple():
            parts = [(each, f"{path}[{place}]") for place, each in enumerate(value)]
        case _:
            return None
    return next(filter(None, (_too_large(each, where) for each, where in parts)), None)
