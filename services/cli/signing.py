"""The word ``rotate-signing-key``: another key signs tokens from now on."""

from __future__ import annotations

import secrets
import time
from typing import Annotated, Final

import typer
from msgspec.structs import replace
from rich.console import Console

from events.codec import pack
from events.streams import SIGNING, SIGNING_KEYS
from services.api.credentials import BELIEVED_S
from services.api.damage import whole
from services.api.signing import SIGNING_BYTES, SigningRecord, all_records, name_of
from services.api.tokens import LONGEST_LIFE_S
from services.cli.local import DATA, Data, commands
from services.cli.plain import moment, plain

DAY_S: Final = 86_400
LONGEST_DAYS: Final = LONGEST_LIFE_S // DAY_S

console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add the word."""
    app.command("rotate-signing-key")(rotate_signing_key)


def rotate_signing_key(
    *,
    days: Annotated[
        int,
        typer.Option(min=0, max=LONGEST_DAYS, help="for how many days tokens signed before hold on; 0 ends them"),
    ] = LONGEST_DAYS,
    data: Data = DATA,
) -> None:
    """
    Make a new key that signs tokens; those before it prove theirs for as long as any token may hold, or less.

    Every process of the API goes by that within seconds, but for those with a key of their own in FIDCHELL_SIGNING_KEY.
    Neither key is shown.
    """
    now = int(time.time())
    ends = now + days * DAY_S
    new = SigningRecord(secrets.token_bytes(SIGNING_BYTES), made=now)
    with commands(data) as command:
        with whole(f"{SIGNING} or {SIGNING_KEYS}"):
            found = all_records(command("GET", SIGNING), command("HGETALL", SIGNING_KEYS))
        command("HSET", SIGNING_KEYS, name_of(new.secret), pack(new))
        for name, old in found.items():
            if old.until and old.until <= now:
                if old.made == 0:  # before what says that it has ended
                    command("DEL", SIGNING)
                command("HDEL", SIGNING_KEYS, name)
            else:
                command("HSET", SIGNING_KEYS, name, pack(replace(old, until=min(old.until or ends, ends))))
    hold = f"hold until {moment(ends * 1000, '%Y-%m-%d %H:%M')} at most" if days else "hold no more"
    told = f"Tokens are signed with a new key, {name_of(new.secret)}; those that were signed before {hold}."
    console.print(plain(f"{told} Every process goes by that in {BELIEVED_S:.0f} seconds at the latest."))
