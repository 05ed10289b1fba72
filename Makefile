# make demo | quick | test | test-all | oldest | lowest | coverage | sdist | check | bench |
# bench-faults | figures | docs: each sets up what it needs, once, in .venv; make browser finds or
# installs a browser.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Compiled kernels stay out of the sources; they know by themselves when they are out of date.
export NUMBA_CACHE_DIR := $(CURDIR)/.cache/numba

# To read and rewrite all sources again in each process takes longer than many tests.
unexport PYTHONDONTWRITEBYTECODE

RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench
SPARK := $(VENV)/.spark
COMPILED := $(NUMBA_CACHE_DIR)/.compiled

SPARE := .venv-inspect
LOWEST := .venv-lowest
OLDEST := $(CURDIR)/.cache/pytest-oldest

# One worker more than there are cores: many tests wait for processes that they have started.
export PYTEST_XDIST_AUTO_NUM_WORKERS ?= $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')

PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
PYTEST := -m pytest -n auto --dist worksteal
SPEED := $$(grep -rl --include='test_*.py' 'mark\.speed' tests)

.PHONY: demo quick test test-all test-inspect oldest lowest coverage sdist check bench bench-faults figures browser docs clean

demo: $(RUNTIME)
	$(BIN)/goodarm reproduce synthetic

# The inner loop: under a minute, once the kernels are compiled.
quick: $(DEV) $(COMPILED)
	$(BIN)/python $(PYTEST) -m "not large and not speed and not statistical and not slow"

# What measures time comes last, by itself, from its own files: to collect all takes as long again.
test: $(DEV) $(COMPILED) browser
	$(BIN)/python $(PYTEST) -m "not large and not speed" --durations=20
	$(BIN)/python -m pytest -m "speed and not large" $(SPEED)
	@$(BIN)/python tests/browser/chromium.py --report-left-out

# Gates on the oldest pytest that they take, which lies in front of the environment's own.
oldest: $(DEV) $(COMPILED)
	$(BIN)/python $(PIP_INSTALL) --target $(OLDEST) --upgrade --no-deps 'pytest==7.4.4'
	PYTHONPATH=$(OLDEST) PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 \
	    PYTEST_PLUGINS=goodarm.plugins.pytest.hooks,xdist.plugin \
	    $(BIN)/python $(PYTEST) -m "not companions and not large and not speed" tests/plugins/gates

test-all: $(DEV) $(COMPILED) $(SPARK) browser test-inspect oldest
	$(BIN)/python $(PYTEST) -m "not speed"
	$(BIN)/python -m pytest -m speed $(SPEED)

# inspect_ai does not resolve beside the rest.
test-inspect:
	$(PYTHON) -m venv $(SPARE)
	$(SPARE)/bin/python $(PIP_INSTALL) --editable '.[inspect]' hypothesis pytest
	$(SPARE)/bin/python -m pytest -m large tests/logs/test_inspect_package.py tests/plugins/test_inspect_package.py

# The tests on the lowest versions that pyproject.toml allows. These meet newer libraries that
# call what they use deprecated: that is shown, and no error.
lowest: export NUMBA_CACHE_DIR := $(CURDIR)/.cache/numba-lowest
lowest: $(DEV)
	$(PYTHON) -m venv $(LOWEST)
	$(BIN)/python tools/lowest_versions.py test >$(LOWEST)/constraints.txt
	$(LOWEST)/bin/python $(PIP_INSTALL) --constraint $(LOWEST)/constraints.txt --editable '.[test]'
	$(LOWEST)/bin/goodarm compile
	$(LOWEST)/bin/python $(PYTEST) -m "not large and not speed" -W default::DeprecationWarning

# Compiled code is not seen: in further steps the kernels' own tests run interpreted, which is slow
# and overflows as it should, and so do the short checks of the engines.
coverage: $(DEV) $(COMPILED) browser
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run $(PYTEST) -m "not large and not speed and not statistical"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -W ignore -m coverage run tests/simulation/engine_checks.py
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run $(PYTEST) -W ignore::RuntimeWarning \
	    -m "not large and not speed and not slow" tests/kernels
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# The sources that are published, unpacked elsewhere, set themselves up and pass their tests.
sdist: $(DEV)
	rm -rf dist
	$(BIN)/python -m build --sdist --outdir dist . >/dev/null
	trial=$$(mktemp -d) && trap 'rm -rf "$$trial"' EXIT && \
	    tar -xzf dist/goodarm-*.tar.gz -C "$$trial" --strip-components 1 && \
	    $(MAKE) -C "$$trial" quick

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/names.py

bench: $(BENCH) browser
	$(BIN)/python benchmarks/run.py

# Stores and services at length, while what works on them is killed.
bench-faults: $(BENCH)
	$(BIN)/python benchmarks/run.py store_faults service_faults

# Pictures and tables of the docs, made anew. `make test` fails where they are out of date.
figures: $(DEV) $(COMPILED) browser
	$(BIN)/python tools/figures.py

docs: $(DEV)
	$(BIN)/python -m sphinx -W --keep-going -q docs docs/_build/html
	@echo "docs/_build/html/index.html"

# Chromium, for the tests of the pages. Without one they are left out, and make test says so;
# where CI is set that is an error.
browser: $(DEV)
	@$(BIN)/python tests/browser/chromium.py

clean:
	rm -rf $(VENV) $(SPARE) $(LOWEST) .cache .coverage* docs/_build dist
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python $(PIP_INSTALL) --constraint constraints.txt --editable '.[plot]'
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python $(PIP_INSTALL) --constraint constraints.txt --editable '.[dev]'
	@touch $(RUNTIME) $@

$(BENCH): pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python $(PIP_INSTALL) --constraint constraints.txt --editable '.[bench]'
	@touch $(RUNTIME) $@

# Half a gigabyte, for the tests of test-all alone; without it they say so.
$(SPARK): | $(DEV)
	-$(BIN)/python $(PIP_INSTALL) --constraint constraints.txt pyspark
	@touch $@

# By one process, before several ask for them at once. The other core meanwhile collects the tests:
# pytest then keeps their rewritten asserts, which every worker would otherwise make by itself.
$(COMPILED): $(shell find src/goodarm/kernels -name '*.py') | $(DEV)
	$(BIN)/python -m pytest --collect-only --quiet -n 0 >/dev/null & \
	    $(BIN)/goodarm compile && wait && touch $@
