"""This program as it was typed, so that whatever is told to be typed can be."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

MODULE: Final = "__main__.py"
"""The file that runs when a module is named to the interpreter."""


def program_as_typed(line: Sequence[str], words: Sequence[str]) -> str:
    """
    Return what stands before the words of a command line.

    Args:
        line: all of it, the interpreter among it: ``sys.orig_argv``.
        words: the program's file, and its words: ``sys.argv``.
    """
    file = Path(words[0])
    if file.name == MODULE:
        return shlex.join(line[: len(line) - len(words) + 1])
    found = shutil.which(file.name)
    if not file.is_file() or (found is not None and file.samefile(found)):
        return shlex.quote(file.name)
    path = os.path.relpath(file)
    return shlex.quote(path if os.sep in path else f".{os.sep}{path}")
