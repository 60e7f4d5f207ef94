"""What clients are told and shown is what the descriptions say of it: every step of every recorded game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from msgspec import Raw

from events.codec import event_codec, to_json
from events.commit import Commit
from events.export import read_export
from events.games import GAMES, events_module
from events.messages import Event, TableId, members
from events.tables.events import EVENTS as TABLE_EVENTS
from projections.doors import tellings
from projections.tables.chronicle import chapter, told
from projections.tables.view import table_view, viewpoints
from services.api.app import create_app
from services.api.settings import ApiSettings
from services.api.shapes import HISTORY, LEGAL, PROMPT, STEP, TABLES, VIEW
from services.api.story import History, Legal, as_told
from services.live.asyncapi import describe
from tests.golden.recorded import SHELF, files
from workers.tables.evolve import apply, evolve
from workers.tables.state import TableState, unopened

ALL = (TABLES, *GAMES)
ANSWERS = 12
"""So many of a game's histories, and of the answers with what is legal, are held to their schemas."""
VIEWS_EVERY = 40
"""Of so many views of a viewpoint one is held to its schema: that takes long."""


@cache
def fits(name: str) -> Callable[[object], bool]:
    """Return what says whether a value is what a schema of the live door's description says."""
    schemas: dict[str, Any] = describe()["components"]["schemas"]
    return Draft7Validator({**schemas[name], "components": {"schemas": schemas}}).is_valid


@cache
def answers(name: str) -> Callable[[object], bool]:
    """Return what says whether a value is what a schema of the description of the API says."""
    schemas: dict[str, Any] = create_app(ApiSettings()).openapi()["components"]["schemas"]
    return Draft202012Validator({**schemas[name], "components": {"schemas": schemas}}).is_valid


def room_of(event: Event, game: str) -> str:
    return TABLES if isinstance(event, TABLE_EVENTS) else game


def states(file: Path) -> Iterator[tuple[str, TableState, list[Event], TableState]]:
    """Give the game, and of each commit the state before, the events and the state after."""
    manifest, entries = read_export(file.read_bytes())
    codec, state = event_codec(manifest.game), unopened(TableId(manifest.table), SHELF)
    for entry in entries:
        if isinstance(entry, Commit):
            events = [codec.read(each.schema, each.body) for each in entry.events]
            after = apply(state, events, entry.command.actor.seat, entry.command.at)
            yield manifest.game, state, events, after
            state = after


@pytest.mark.parametrize("game", ALL)
def test_every_event_has_its_entry(game: str) -> None:
    """In the description, once for its kind, with who is told what; seats are named by members that there are."""
    described = describe()["components"]["schemas"]
    events = members(TABLE_EVENTS if game == TABLES else events_module(game).EVENTS)
    kinds = [f"{game}.told.{each.__struct_config__.tag}" for each in events]

    assert [{"$ref": f"#/components/schemas/{kind}"} for kind in kinds] == described[f"{game}.{STEP}"]["oneOf"]
    assert all(described[kind]["description"] for kind in kinds)
    assert set(events) == set(tellings(game))
    for event, telling in tellings(game).items():
        assert set(telling.whole_to) <= set(event.__struct_fields__)
        assert {event.__struct_config__.tag} == {
            each.__struct_config__.tag for each in (event, *telling.others) if each
        }


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_whatever_is_told_fits_its_schema(file: Path) -> None:
    """To every viewpoint: the seats named are told the whole, everybody else one of the shapes for others."""
    seen: set[bytes] = set()
    for game, before, events, after in states(file):
        state = before
        for event in events:
            kind = str(event.__struct_config__.tag)
            telling = tellings(room_of(event, game))[type(event)]
            for viewpoint in viewpoints(after):
                step = told(state, event, viewpoint)
                if telling.is_whole_to(event, viewpoint):
                    assert step is event
                else:
                    assert (None if step is None else type(step)) in telling.others
                body = to_json(step)
                if step is not None and body not in seen:
                    seen.add(body)
                    assert fits(f"{room_of(event, game)}.told.{kind}")(msgspec.json.decode(body)), body
            state = evolve(state, event)

    assert len(seen) > 100


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_one_table_says_who_is_told_the_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that is whole to nobody there is told to nobody as it stands, unless all may be told it so."""
    game = read_export(file.read_bytes())[0].game
    entries = import_module(f"projections.{game}.chronicle").TELLINGS
    to_some = {kind: telling for kind, telling in entries.items() if telling.whole_to and kind not in telling.others}
    for kind, telling in to_some.items():
        monkeypatch.setitem(entries, kind, msgspec.structs.replace(telling, whole_to=()))
    told_of = set()
    for _, before, events, _ in states(file):
        state = before
        for event in events:
            for viewpoint in viewpoints(state) if type(event) in to_some else ():
                told_of.add(type(event))
                assert type(told(state, event, viewpoint)) is not type(event)
            state = evolve(state, event)

    assert bool(to_some) == bool(told_of)


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_whatever_is_shown_fits_its_schema(file: Path) -> None:
    """Views of all viewpoints, the last ones among them."""
    shown = [after for _, _, _, after in states(file)]
    for state in (*shown[::VIEWS_EVERY], shown[-1]):
        for viewpoint in viewpoints(state):
            view = table_view(state, viewpoint)
            body = {name: getattr(view, name) for name in view.__struct_fields__}
            plain = msgspec.json.decode(to_json({n: v for n, v in body.items() if v is not msgspec.UNSET}))

            assert fits(VIEW)(plain), plain
            assert answers(VIEW)(plain), plain


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_a_history_and_what_is_legal_fit_their_schemas(file: Path) -> None:
    """In those of their own game alone, and so that no step may say a member more."""
    stories, offers = set[bytes](), set[bytes]()
    game = read_export(file.read_bytes())[0].game
    for _, before, events, after in states(file):
        told = chapter(before, events, at=1, seat=None)
        for viewpoint in viewpoints(after):
            view = table_view(after, viewpoint)
            stories.add(to_json(History(table=after.table, chapters=[as_told(told, viewpoint)], next=after.version)))
            offers |= {to_json(Legal(table=after.table, version=1, legal=Raw(to_json([each])))) for each in view.legal}
    other = next(each for each in GAMES if each != game)
    for name, bodies in ((HISTORY, stories), (LEGAL, offers)):
        for body in sorted(bodies)[:: max(1, len(bodies) // ANSWERS)]:
            said = msgspec.json.decode(body)

            assert answers(name)(said), said
            assert answers(f"{game}.{name}")(said)
            assert not answers(f"{other}.{name}")(said)
    story = next(each for each in map(msgspec.json.decode, sorted(stories)) if each["chapters"][0]["steps"])
    story["chapters"][0]["steps"][0]["more"] = 1

    assert not answers(HISTORY)(story)


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_every_question_that_is_asked_is_described(file: Path) -> None:
    """By its kind, with all that it says; a question of another kind is none of the game."""
    asked = set()
    game = read_export(file.read_bytes())[0].game
    for _, _, _, after in states(file):
        asked |= {to_json(table_view(after, viewpoint).prompt) for viewpoint in viewpoints(after)}
    for body in asked - {b"null"}:
        question = msgspec.json.decode(body)

        assert answers(f"{game}.{PROMPT}")(question), question
        assert answers(f"{game}.asked.{question['kind']}")(question)
        assert not answers(f"{game}.{PROMPT}")({**question, "kind": "question"})

    assert len(asked) > 1


@pytest.mark.parametrize("game", GAMES)
def test_a_step_that_tells_too_much_fits_no_schema(game: str) -> None:
    """What nobody is told as it stands is not described as if it were, and no shape takes a member more."""
    described = describe()["components"]["schemas"]
    for event, telling in tellings(game).items():
        told = {
            each["$ref"].rpartition(".")[2] for each in described[f"{game}.told.{event.__struct_config__.tag}"]["anyOf"]
        }
        shapes = {each.__name__ for each in telling.others if each is not None}

        assert told == shapes | ({event.__name__} if telling.whole_to else set())
        assert all(described[f"{game}.{name}"]["additionalProperties"] is False for name in told)
