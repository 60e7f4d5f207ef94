"""What an operator may set for the doors, by environment variables."""

from __future__ import annotations

import re

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.api.tokens import LONGEST_LIFE_S


class ApiSettings(BaseSettings):
    """
    Settings of the doors; each is an environment variable ``FIDCHELL_<NAME>``, the store's URL is ``REDIS_URL``.

    ``store_epoch`` is the epoch that the store must be of, so that an emptied one is never taken for a new one.
    ``signing_key`` (64 hexadecimal digits) signs tokens; one kept in the store is used when there is none.
    ``guests`` is the platform at whose public tables anybody may play without a key; there are no guests by default.
    ``rate_key``, ``rate_token`` and ``rate_address`` are requests a second of one key, of one token, and of one
    address without either or of guests, each with a reserve for ``rate_burst_s`` seconds; 0 is no limit. Commands over
    sockets are among them.
    ``store_s`` is the seconds after which a store that does not answer is taken to be away.
    ``forwarded_allow_ips`` are the proxies, by address or network and with commas between, whose word on who sends is
    taken; nobody's by default.
    """

    model_config = SettingsConfigDict(env_prefix="FIDCHELL_", populate_by_name=True, hide_input_in_errors=True)

    redis_url: SecretStr = Field(default=SecretStr("redis://127.0.0.1:6379/0"), validation_alias="REDIS_URL")
    signing_key: SecretStr | None = None
    store_epoch: str | None = None
    seat_token_s: int = Field(default=90 * 86_400, gt=0, le=LONGEST_LIFE_S)
    invitation_s: int = Field(default=7 * 86_400, gt=0, le=LONGEST_LIFE_S)
    guests: str = Field(default="", pattern=r"^[a-zA-Z0-9_]*$")
    rate_key: float = Field(default=500, ge=0)
    rate_token: float = Field(default=20, ge=0)
    rate_address: float = Field(default=20, ge=0)
    rate_burst_s: float = Field(default=5, ge=1)
    forwarded_allow_ips: str = ""
    store_s: float = Field(default=5.0, gt=0)
    answer_s: float = Field(default=2.0, gt=0)
    view_s: float = Field(default=20.0, gt=0)

    @field_validator("signing_key")
    @classmethod
    def _is_hexadecimal(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", key.get_secret_value()):
            raise ValueError("64 hexadecimal digits")
        return key
