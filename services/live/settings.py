"""What an operator may set for the live door, by environment variables."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from services.settings import PREFIX, Settings


class LiveSettings(Settings):
    """
    Limits of one process; the service's own bots have those alone that are for the whole process.

    Args:
        sockets: open sockets of a process.
        sockets_of_address: open sockets of one address.
        sockets_of_token: open sockets of one token or key.
        follows: follows of all sockets of a process together.
        follows_of_sender: follows of one address, and of one token or key.
        follows_of_socket: follows of one socket.
        messages_per_s: messages read of one socket; the rest has to wait.
        commands_at_once: commands of one socket that may be on their way.
        first_s: seconds until a socket must have said who speaks.
        slow_s: seconds in which a client must take what is sent.
        check_s: seconds after which a token is looked at again; with more than 2 a revocation takes more than 5.
    """

    model_config = SettingsConfigDict(env_prefix=f"{PREFIX}LIVE_")

    sockets: int = Field(default=4_000, gt=0)
    sockets_of_address: int = Field(default=400, gt=0)
    sockets_of_token: int = Field(default=200, gt=0)
    follows: int = Field(default=20_000, gt=0)
    follows_of_sender: int = Field(default=5_000, gt=0)
    follows_of_socket: int = Field(default=1_000, gt=0)
    messages_per_s: int = Field(default=500, gt=0)
    commands_at_once: int = Field(default=32, gt=0)
    first_s: float = Field(default=10.0, gt=0)
    slow_s: float = Field(default=10.0, gt=0)
    check_s: float = Field(default=2.0, gt=0)
