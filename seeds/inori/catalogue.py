"""Reads the components of Inori."""

from __future__ import annotations

from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from events.inori.vocabulary import InoriCatalogue


class SetupFile(BaseModel):
    """What ``setup.yaml`` holds."""

    model_config = ConfigDict(extra="forbid", strict=True)

    least_stones: int = Field(ge=1)
    most_stones: int = Field(ge=1)
    most_taken: int = Field(ge=1)


def read(folder: Path) -> InoriCatalogue:
    """Return the catalogue of a folder, checked."""
    setup = SetupFile.model_validate(yaml.safe_load((folder / "setup.yaml").read_text(encoding="utf-8")))
    return InoriCatalogue(**setup.model_dump())
