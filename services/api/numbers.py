"""Reads numbers in paths and queries as strictly as those in bodies."""

from __future__ import annotations

import re
from typing import Final

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]*)")


def _require_whole(text: str) -> str:
    if not _WHOLE.fullmatch(text):
        raise PydanticCustomError("int_parsing", "not a whole number as JSON writes it")
    return text


AS_IN_JSON: Final = BeforeValidator(_require_whole)
"""
Behind a parameter's bounds: a whole number as JSON writes it.

Digits alone, with no zero before others, and no space, plus, point or line: each number has one spelling.
"""
