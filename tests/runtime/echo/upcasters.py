"""Old bodies of echoes; there are none."""

from __future__ import annotations

from events.upcasting import Upcasters

UPCASTERS: Upcasters = {}
