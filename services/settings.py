"""How settings of the doors are read: from environment variables, where an empty one is as if it were not there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Self

from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX: Final = "FIDCHELL_"

Seconds = Annotated[float, Field(ge=0.1, le=86_400)]
"""How long something may take: with less nothing is in time, and more than a day is as good as never."""

Briefly = Annotated[float, Field(ge=0.05, le=86_400)]
"""How long is waited for what may still come when it is over."""

Count = Annotated[int, Field(ge=1)]
"""How many there may be: with none nothing could be done."""


class WrongSettingError(Exception):
    """A setting is none that can be; the message names it and says what fits there, and nothing of what was set."""


class Settings(BaseSettings):
    """The base of what an operator may set: each member is an environment variable ``FIDCHELL_<NAME>``."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, populate_by_name=True, hide_input_in_errors=True, allow_inf_nan=False
    )

    @classmethod
    def read(cls) -> Self:
        """Return what is set; ``WrongSettingError`` says what cannot be."""
        try:
            return cls()
        except ValidationError as fault:
            named = {name: variable for variable, name, _ in cls.variables()}
            faults = [(str(each["loc"][0]), each["msg"].removeprefix("Value error, ")) for each in fault.errors()]
            raise wrong([(named.get(place, place), problem) for place, problem in faults]) from None

    @classmethod
    def variables(cls) -> Iterator[tuple[str, str, FieldInfo]]:
        """Give each variable, with the member that it sets and what is known of that."""
        for name, field in cls.model_fields.items():
            alias = field.validation_alias
            yield alias if isinstance(alias, str) else f"{cls.model_config['env_prefix']}{name.upper()}", name, field


def wrong(faults: Iterable[tuple[str, str]]) -> WrongSettingError:
    """Return what tells of variables, each with what fits there."""
    told = "; ".join(f"{variable}: {problem}" for variable, problem in faults)
    return WrongSettingError(f"A setting cannot be what it is set to: {told}.")


def told_range(least: float | None, most: float | None) -> str:
    """Return in words from where to where a number goes; nothing where there is no bound."""
    if least is None:
        return "" if most is None else f"{most:.10g} or less"
    return f"{least:.10g} or more" if most is None else f"{least:.10g} to {most:.10g}"
