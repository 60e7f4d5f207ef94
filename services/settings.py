"""How settings of the doors are read: from environment variables, where an empty one is as if it were not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Self

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX: Final = "FIDCHELL_"


class WrongSettingError(Exception):
    """A setting is none that can be; the message names it and says what fits there, and nothing of what was set."""


class Settings(BaseSettings):
    """The base of what an operator may set: each member is an environment variable ``FIDCHELL_<NAME>``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, populate_by_name=True, hide_input_in_errors=True
    )

    @classmethod
    def read(cls) -> Self:
        """Return what is set; ``WrongSettingError`` says what cannot be."""
        try:
            return cls()
        except ValidationError as fault:
            named = {name: variable for variable, name, _ in cls.variables()}
            wrong = [(str(each["loc"][0]), each["msg"].removeprefix("Value error, ")) for each in fault.errors()]
            told = "; ".join(f"{named.get(place, place)}: {problem}" for place, problem in wrong)
            raise WrongSettingError(f"A setting cannot be what it is set to. {told}.") from None

    @classmethod
    def variables(cls) -> Iterator[tuple[str, str, FieldInfo]]:
        """Give each variable, with the member that it sets and what is known of that."""
        for name, field in cls.model_fields.items():
            alias = field.validation_alias
            yield alias if isinstance(alias, str) else f"{cls.model_config['env_prefix']}{name.upper()}", name, field
