# Two commands: `make audit` and `make test`. Both create the environment and install what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
endif
READY := $(VENV)/.ready

.PHONY: audit test slow lint types catalogue conformance benchmarks clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	@touch $(READY)

test: $(READY) lint types
	$(BIN)/python -m pytest -m "not slow"
	$(BIN)/python -m pytest --doctest-modules certify -m "not slow"

slow: $(READY)
	$(BIN)/python -m pytest -m slow

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

catalogue: $(READY)  # after a claim was added or changed
	$(BIN)/python -m certify.claims.fingerprints

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
