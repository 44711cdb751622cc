# Two commands: `make audit` and `make test`. Both create the environment and install what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
endif
READY := $(VENV)/.ready

.PHONY: audit test slow lint types catalogue pyz site clean

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	@touch $(READY)

audit: $(READY)
	$(BIN)/certify audit --out audit
	@echo "results: audit (certificates in audit/certificates); the referee report, one file for any browser:"
	@$(BIN)/certify report audit -o audit/report.html

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

pyz: $(READY)  # the verifier as one file
	mkdir -p dist
	$(BIN)/python -c "from pathlib import Path; from certify.verification import write_archive; write_archive(Path('dist/certify-verifier.pyz'))"
	@echo dist/certify-verifier.pyz

site: $(READY)
	$(BIN)/mkdocs build --strict --quiet

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
