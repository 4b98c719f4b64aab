# make run     installs what is needed and opens the app on the demo project
# make test    installs what is needed and passes the tests
# make bench   prints every bar with its figure, ratio and MET or MISSED
# make format  formats and lints, what runs in the browser too

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TORCH  := torch==2.13.0

.PHONY: run test suite unit bench format check browser scripts screenshots clean

run: $(VENV)/.run
	$(BIN)/python app.py

# Tests start hundreds of processes: each would compile the house anew where the environment says that no bytecode is kept.
export PYTHONDONTWRITEBYTECODE =

# Linters work beside the tests, which wait as much as they work. All tests are one session: what is made once serves all of them.
PYTEST = CHROMIUM="$$($(BIN)/python tests/support/chromium.py || true)" $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -rs --durations 20 --durations-min 2 -m "not bench"

test: $(VENV)/.dev browser scripts
	@$(MAKE) --no-print-directory -j 2 check suite

# Browsers, servers and processes that are killed share the cores with other tests. Where ten or fewer fail beside them, each is named
# and tried once more with nothing beside it; a second failure is final.
FAILED = .pytest_cache/v/cache/lastfailed

suite: $(VENV)/.dev browser
	@rm -f $(FAILED)
	$(PYTEST) || { test -f $(FAILED) && test $$(grep -c : $(FAILED)) -le 10 && \
	  echo "Once more, with nothing beside:" && cat $(FAILED) && $(PYTEST) -n 0 --last-failed --maxfail 5; }

unit: $(VENV)/.dev
	$(PYTEST) --ignore=tests/browser

bench: $(VENV)/.dev browser
	CHROMIUM="$$($(BIN)/python tests/support/chromium.py || true)" $(BIN)/python -m tests.benchmarks

check: $(VENV)/.dev
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .
	$(BIN)/mypy --no-error-summary
	$(BIN)/python -m tests.scripts

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python -m tests.scripts --write

browser: $(VENV)/.dev
	@$(BIN)/python tests/support/chromium.py --install

scripts: $(VENV)/.dev
	@$(BIN)/python -m tests.scripts --install

screenshots: $(VENV)/.dev browser
	CHROMIUM="$$($(BIN)/python tests/support/chromium.py || true)" $(BIN)/python -m tests.support.screenshots

# torch first and by its exact version: pip then keeps a build for the processor where its settings offer one.
$(VENV)/.run: requirements.txt pyproject.toml
	@echo "Installing what is needed into $(VENV): about two minutes, the first time and after the requirements changed."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(TORCH)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
