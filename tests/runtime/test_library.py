"""The function library is what its number says."""

from __future__ import annotations

import hashlib
import re

from events.log.redis_store import LIBRARY, library_code

DIGESTS = {"fidchell_1": "17c0587f0222e9928e09cc24b800959c1b8063b0ba888b1c222fa6eaab6a9521"}
"""
SHA-256 of the library of each number, as long as two releases may run side by side.

Until the first release the number stays 1, and whoever changes a function changes the digest here with it.
From then on a digest that stands here is never changed: two programs would put their own functions in each other's
place for ever, under one name. A change then is a library of the next number, with a digest of its own.
"""


def test_a_library_of_a_number_is_always_the_same() -> None:
    """See above for when the digest may be changed."""
    assert DIGESTS[LIBRARY] == hashlib.sha256(library_code().encode()).hexdigest()


def test_every_function_bears_the_number() -> None:
    """And each is registered once."""
    registered = re.findall(r"register_function\W+(?:function_name = )?'(\w+)', (?:callback = )?(\w+)", library_code())

    assert len(registered) == 17
    assert [f"{LIBRARY}_{function}" for _, function in registered] == [name for name, _ in registered]
    assert len(set(registered)) == len(registered)
