SHELL := /bin/sh
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help play test fix soak bench new-game
.DEFAULT_GOAL := help

help: ## Show what can be made
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

play: $(READY) ## Start the service with its own server and sample tables
	@$(BIN)/fidchell serve

test: $(READY) ## Run all checks: format, lint, types, import contracts, tests
	@$(BIN)/python tests/check.py

soak: $(READY) ## Run the long proofs (an hour and more)
	@$(BIN)/pytest -m soak -p no:randomly -p no:xdist --timeout 7200

bench: $(READY) ## Measure speed beside its limits
	@$(BIN)/fidchell bench

fix: $(READY) ## Format the code, mend what a tool can mend, and write the pages of messages
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/python -m services.reference

new-game: $(READY) ## Lay the folders of a new game: make new-game NAME=hnefatafl
	@test -n "$(NAME)" || { echo "say the game's name: make new-game NAME=hnefatafl"; exit 1; }
	@$(BIN)/fidchell new-game $(NAME)
	@$(BIN)/ruff check --fix-only --quiet */$(NAME) services/bots/gym/$(NAME).py && $(BIN)/ruff format --quiet */$(NAME) services/bots/gym/$(NAME).py
	@$(BIN)/python -m tests.golden.samples
	@$(BIN)/python -m services.reference
	@touch $(READY)
	@echo "Now: make test, then make $(NAME) your own: docs/how-to/add-a-game.md"

$(READY): requirements.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing: install Python 3.11 or newer, or say which one: make PYTHON=python3 $(MAKECMDGOALS)"; exit 1; }
	@echo "Making $(VENV) with pinned packages (about half a minute) ..."
	@$(PYTHON) -m venv $(VENV) || { echo "venv failed: on Debian install python3-venv"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --progress-bar on --require-hashes -r requirements.txt \
		|| { echo "The packages could not be installed: check the network and the package index of pip, then try again"; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@
