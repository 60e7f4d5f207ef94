"""What reading a body costs: no more than its size, whatever is wrong with it."""

from __future__ import annotations

from services.api.strict_json import _Reader


class Key(str):
    """A key that notes how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Key.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_key_that_stands_twice_is_found_without_comparing_all_with_all() -> None:
    """Among thousands of others, at the very end."""
    keys = [Key(number) for number in range(1_000)]
    reader = _Reader()
    reader.pairs([*((key, 1) for key in keys), (Key(999), 2)])

    assert 1 == reader.faults
    assert Key.compared < 10_000
