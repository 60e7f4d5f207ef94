"""
Export files: the whole history of one table in one file.

Format 1: eight bytes ``fidchell``, one byte with the format's number, one Zstandard frame with checksum, nothing else.
The frame holds MessagePack values: the manifest (a map), then each entry of the table's stream as a binary value.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Final

import msgpack
import zstandard
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from events.commit import START_OF_CHAIN, Commit, Entry, broken_link, read_entry

MAGIC: Final = b"fidchell"
FORMAT: Final = 1
MAX_ENTRY: Final = 1 << 20
"""Bytes one entry may have."""
MAX_ENTRIES: Final = 1_000_000
MAX_BYTES: Final = 1 << 28
"""Bytes all entries may have together, unpacked."""
PIECE: Final = 1 << 10
"""Compressed bytes taken in at once, so that a small file cannot fill the memory before it is noticed."""


class UnreadableExportError(ValueError):
    """The file is not an export, is damaged, or was made by a newer program; the message says which."""


class Manifest(BaseModel):
    """What an export says of itself before its entries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str = Field(max_length=64)
    game: str = Field(max_length=32)
    entries: int = Field(ge=0, le=MAX_ENTRIES)
    version: int = Field(ge=0)
    chain: str = Field(pattern="^[0-9a-f]{64}$")


def write_export(table: str, game: str, entries: Sequence[bytes]) -> bytes:
    """Return the export file of a table's packed entries; they must form its chain from the start."""
    history = [read_entry(each) for each in entries]
    if fault := broken_link(history):
        raise UnreadableExportError(fault)
    manifest = Manifest(
        table=table,
        game=game,
        entries=len(entries),
        version=max((each.last for each in history if isinstance(each, Commit)), default=0),
        chain=(history[-1].chain if history else START_OF_CHAIN).hex(),
    )
    body = msgpack.packb(manifest.model_dump()) + b"".join(msgpack.packb(each) for each in entries)
    return MAGIC + bytes([FORMAT]) + zstandard.ZstdCompressor(level=19, write_checksum=True).compress(body)


def read_export(file: bytes) -> tuple[Manifest, list[Entry]]:
    """
    Return an export's manifest and its entries, which are the ones the manifest names.

    Whether the entries form a chain is for ``broken_link`` to say, and whether the rules agree for a verification.
    """
    values = _values(_unpressed(file))
    try:
        manifest = Manifest.model_validate(next(values, None))
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"])) or "manifest"
        raise UnreadableExportError(f"the manifest is wrong at {where}: {first['msg']}") from None
    entries = [_entry(value, number) for number, value in enumerate(values)]
    chain = entries[-1].chain if entries else START_OF_CHAIN
    if len(entries) != manifest.entries or chain.hex() != manifest.chain:
        raise UnreadableExportError("the entries are not the ones the manifest names")
    return manifest, entries


def _unpressed(file: bytes) -> bytes:
    if file[: len(MAGIC)] != MAGIC:
        raise UnreadableExportError("this is not an export of a table")
    if (form := file[len(MAGIC) : len(MAGIC) + 1]) != bytes([FORMAT]):
        raise UnreadableExportError(f"format {form.hex()} is not known here; a newer program may read it")
    frame = zstandard.ZstdDecompressor().decompressobj()
    pressed = io.BytesIO(file[len(MAGIC) + 1 :])
    body = bytearray()
    try:
        while not frame.eof and (piece := pressed.read(PIECE)):
            body += frame.decompress(piece)
            if len(body) > MAX_BYTES:
                raise UnreadableExportError(f"the contents are larger than {MAX_BYTES} bytes")
    except zstandard.ZstdError as fault:
        raise UnreadableExportError(f"the compressed part is damaged: {fault}") from None
    if not frame.eof or frame.unused_data or pressed.read(1):
        raise UnreadableExportError("the file ends too early, or something follows its end")
    return bytes(body)


def _values(body: bytes) -> Iterator[object]:
    unpacker = msgpack.Unpacker(
        io.BytesIO(body), max_buffer_size=MAX_BYTES, max_bin_len=MAX_ENTRY, max_map_len=64, max_array_len=0
    )
    whole = 0
    try:
        for value in unpacker:
            whole = unpacker.tell()
            yield value
    except (ValueError, msgpack.UnpackException) as fault:
        raise UnreadableExportError(f"the contents are damaged: {fault}") from None
    if whole != len(body):
        raise UnreadableExportError("the contents end in the middle of a value")


def _entry(value: object, number: int) -> Entry:
    if not isinstance(value, bytes):
        raise UnreadableExportError(f"entry {number} is not binary")
    try:
        return read_entry(value)
    except ValueError as fault:
        raise UnreadableExportError(f"entry {number} cannot be read: {fault}") from None
