"""Old bodies of Inori events, lifted to today's."""

from __future__ import annotations

from events.upcasting import Upcasters

UPCASTERS: Upcasters = {}
