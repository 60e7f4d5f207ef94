"""What every request needs, put together once for a process."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec
from fastapi import Depends, Request

from services.api.credentials import Credentials
from services.api.doorkeeper import Doorkeeper
from services.api.sending import Sender
from services.api.settings import ApiSettings
from services.api.store import ApiStore
from services.api.survey import Surveyor
from services.api.wakes import Wakes


class Doors(msgspec.Struct, frozen=True, kw_only=True):
    """The pieces of an API process."""

    settings: ApiSettings
    store: ApiStore
    wakes: Wakes
    credentials: Credentials
    keeper: Doorkeeper
    sender: Sender
    surveyor: Surveyor


def doors(settings: ApiSettings) -> Doors:
    """Return the pieces; none of them has touched the store yet."""
    url = settings.redis_url.get_secret_value()
    store = ApiStore(url, epoch=settings.store_epoch or None, within_s=settings.store_s)
    wakes = Wakes(store)
    credentials = Credentials(store, signing=settings.signing)
    return Doors(
        settings=settings,
        store=store,
        wakes=wakes,
        credentials=credentials,
        keeper=Doorkeeper(store, credentials),
        surveyor=Surveyor(store),
        sender=Sender(store, wakes, answer_s=settings.answer_s, view_s=settings.view_s),
    )


def _of_request(request: Request) -> Doors:
    return cast("Doors", request.app.state.doors)


TheDoors = Annotated[Doors, Depends(_of_request)]
