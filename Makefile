# `make demo` runs the main job, `make test` the tests. Both need only Python 3.11 or newer; everything goes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint coverage test-core dist clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Magistrate needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[testing,parquet,pandas]" --group dev
	touch $@

demo: $(VENV)/.ready  ## judge the example cases without a key
	$(BIN)/magistrate eval examples/handbook.jsonl --model offline

test: $(VENV)/.ready  ## the whole test suite, in random order, warnings as errors
	$(BIN)/python -m pytest

lint: $(VENV)/.ready  ## ruff, mypy --strict, import-linter
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

coverage: $(VENV)/.ready  ## the tests with branch coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage combine
	$(BIN)/coverage report

clean:
	rm -rf $(VENV) dist build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
