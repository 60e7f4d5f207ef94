"""Old bodies of Inis events, lifted to today's."""

from __future__ import annotations

from events.upcasting import Upcasters

UPCASTERS: Upcasters = {}
