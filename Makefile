# make demo | test | test-all | test-inspect | check | bench | docs: each sets up what it needs, once, in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Compiled kernels stay out of the sources; they know by themselves when they are out of date.
export NUMBA_CACHE_DIR := $(CURDIR)/.cache/numba

RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench
SPARK := $(VENV)/.spark

SPARE := .venv-inspect

.PHONY: demo test test-all test-inspect check bench docs clean

demo: $(RUNTIME)
	$(BIN)/goodarm reproduce synthetic

# What measures time comes last, by itself.
test: $(DEV)
	$(BIN)/python -m pytest -n auto -m "not large and not speed"
	$(BIN)/python -m pytest -m "speed and not large"

test-all: $(DEV) $(SPARK) test-inspect
	$(BIN)/python -m pytest -n auto -m "not speed"
	$(BIN)/python -m pytest -m speed

# inspect_ai does not resolve beside the rest.
test-inspect:
	$(PYTHON) -m venv $(SPARE)
	$(SPARE)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[inspect]' hypothesis pytest
	$(SPARE)/bin/python -m pytest -m large tests/readers/test_inspect_itself.py

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BENCH)
	$(BIN)/python benchmarks/run.py

docs: $(DEV)
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build/html
	@echo "docs/_build/html/index.html"

clean:
	rm -rf $(VENV) $(SPARE) .cache docs/_build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $(RUNTIME) $@

$(BENCH): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bench]'
	@touch $(RUNTIME) $@

# Half a gigabyte, for the tests of test-all alone; without it they say so.
$(SPARK): | $(DEV)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt pyspark
	@touch $@
