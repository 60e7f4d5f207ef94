"""What an operator may set for the live door, by environment variables."""

from __future__ import annotations

from pydantic_settings import SettingsConfigDict

from services.settings import PREFIX, Count, Seconds, Settings


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
        messages_per_s: messages read of one sender, over all their sockets; the rest has to wait.
        commands_at_once: commands of one socket that may be on their way.
        first_s: seconds until a socket must have said who speaks.
        slow_s: seconds in which a client must take what is sent.
        check_s: seconds after which a token is looked at again; with more than 2 a revocation takes more than 5.
    """

    model_config = SettingsConfigDict(env_prefix=f"{PREFIX}LIVE_")

    sockets: Count = 4_000
    sockets_of_address: Count = 400
    sockets_of_token: Count = 200
    follows: Count = 20_000
    follows_of_sender: Count = 5_000
    follows_of_socket: Count = 1_000
    messages_per_s: Count = 500
    commands_at_once: Count = 32
    first_s: Seconds = 10.0
    slow_s: Seconds = 10.0
    check_s: Seconds = 2.0
