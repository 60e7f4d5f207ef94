"""Runs a rule worker: ``python -m workers.runtime [GAMES] --url URL``."""

from __future__ import annotations

import typer

from workers.runtime.words import worker

if __name__ == "__main__":
    typer.run(worker)
