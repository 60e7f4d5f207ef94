"""What an operator may set for the doors, by environment variables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import Field, SecretStr, field_validator

from services.api.tokens import LONGEST_LIFE_S
from services.settings import Briefly, Seconds, Settings


class ApiSettings(Settings):
    """
    What the word ``api`` goes by.

    Args:
        redis_url: where the store is; ``rediss://`` for one behind TLS.
        store_epoch: the epoch that the store must be of, so that an emptied one is never taken for a new one.
        signing_key: 64 hexadecimal digits, which sign tokens in place of the keys that are kept in the store; of
            several, with commas between, the first signs, and the others prove what they signed before.
        seat_token_s: seconds for which a token of a seat, or a spectator, holds.
        invitation_s: seconds for which an invitation holds.
        guest_token_s: seconds for which a guest's token holds; the tokens of seats that they take hold as those of any.
        guests: the platform at whose public tables anybody may play without a key; there are no guests without.
        rate_key: requests a second of one key; 0 is no limit, as of all rates.
        rate_token: requests a second of one token.
        rate_address: requests a second of one address without a key or a token, among them what browsers ask before
            others, and of all its guests.
        rate_burst_s: for how many seconds each of them has a reserve.
        forwarded_allow_ips: proxies, by address or network and with commas between, whose word on who sends is taken.
        store_s: seconds after which a store that does not answer is taken to be away.
        answer_s: seconds for which a request waits for what the rules say; then it is answered 202.
        view_s: seconds for which a request with ``at_least`` waits for a version.
    """

    redis_url: SecretStr = Field(default=SecretStr("redis://127.0.0.1:6379/0"), validation_alias="REDIS_URL")
    signing_key: SecretStr | None = None
    store_epoch: str | None = None
    seat_token_s: int = Field(default=90 * 86_400, ge=60, le=LONGEST_LIFE_S)
    invitation_s: int = Field(default=7 * 86_400, ge=60, le=LONGEST_LIFE_S)
    guest_token_s: int = Field(default=30 * 86_400, ge=60, le=LONGEST_LIFE_S)
    guests: str = Field(default="", pattern=r"^[a-zA-Z0-9_]*$")
    rate_key: float = Field(default=500, ge=0)
    rate_token: float = Field(default=20, ge=0)
    rate_address: float = Field(default=20, ge=0)
    rate_burst_s: float = Field(default=5, ge=1, le=86_400)
    forwarded_allow_ips: str = ""
    store_s: Seconds = 5.0
    answer_s: Briefly = 2.0
    view_s: Briefly = 20.0

    @field_validator("signing_key")
    @classmethod
    def _is_hexadecimal(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not re.fullmatch(r"[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*", key.get_secret_value()):
            raise ValueError("64 hexadecimal digits, or several times as many with commas between")
        return key

    @property
    def signing(self) -> Sequence[bytes]:
        """The keys that the operator gave, the newest first."""
        return [] if self.signing_key is None else [*map(bytes.fromhex, self.signing_key.get_secret_value().split(","))]
