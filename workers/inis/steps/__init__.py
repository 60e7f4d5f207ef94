"""
What is still to be done: the steps of the agenda, the first of which is done next.

A step that is a ``Question`` is put to one seat; the others happen by themselves, or ask several seats.
"""

from __future__ import annotations

import msgspec

from events.messages import Seat
from workers.kit.decider import Prompt


class Step(msgspec.Struct, frozen=True):
    """Something that happens by itself."""


class Question(Prompt, frozen=True, kw_only=True):
    """Something one seat is asked while all others wait."""

    seat: Seat
