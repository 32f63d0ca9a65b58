# Every target runs in a clean checkout; it needs Python 3.11 or newer and make.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
RUNTIME := .venv/.runtime
# How long `make fuzz` tries, and from which input on; without a number from others each day.
SECONDS ?= 60
SEED ?=
# The paper of `make pdf`.
PAPER ?= a4
# Tests that share a file share what they build, so they run in one process.
PARALLEL := --numprocesses logical --dist loadfile --no-loadscope-reorder
# Where `make serve` serves.
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help venv runtime runtime-if-possible site serve notebook pdf test test-all thorough fuzz lint format equal bench shots messages wire lowest matrix release clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name what; do \
	    printf 'make %-8s %s\n' "$$name" "$$what"; done

venv: $(READY) ## create .venv with everything that the other targets need

# hatchling is installed first, at the pinned version, so that our packages are not built with the newest one.
$(READY): pyproject.toml constraints.txt tests/ember/pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "'$(PYTHON)' is not a command. Name a Python 3.11 or newer: make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("dicedocs needs Python 3.11 or newer, and $(PYTHON) is %d.%d. Name another one: make PYTHON=..." % sys.version_info[:2])'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt hatchling editables
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e ".[all,dev]" -e tests/ember
	@touch $@

runtime: $(RUNTIME) ## fetch Python for browsers, with which the pages of the site roll

$(RUNTIME): $(READY) runtime/pyproject.toml runtime/prepare.py runtime/dicedocs_pyodide/compile.mjs runtime/dicedocs_pyodide/__init__.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall ./runtime
	@touch $@

# Without a network everything else still works.
runtime-if-possible: $(READY)
	@$(MAKE) --no-print-directory runtime >/dev/null 2>&1 || echo "Python for browsers cannot be fetched, so pages will not roll; 'make runtime' says why."

site: runtime-if-possible ## build the documentation and check every example in it
	$(BIN)/sphinx-build -W --keep-going -j auto -d build/doctrees -b html docs build/site
	@echo "$(BIN)/sphinx-build -W -b doctest docs build/doctest"
	@$(BIN)/sphinx-build -q -W --keep-going -d build/doctrees -b doctest docs build/doctest
	@sed -n '/^Doctest summary/,$$p' build/doctest/output.txt
	@echo "Open build/site/index.html, or run 'make serve', with which its pages roll"

serve: $(READY) ## serve build/site on this machine, so that its pages roll; PORT=8000
	$(BIN)/python tools/serve.py $(PORT)

notebook: $(READY) ## open JupyterLab on copies of the notebooks
	$(BIN)/python tools/notebook.py

pdf: $(READY) ## build the rulebook as PDF on PAPER=a4, letter or a5
	$(BIN)/sphinx-build -q -W --keep-going -d build/doctrees -b dicebook -D dicedocs_book_paper=$(PAPER) docs build/pdf/$(PAPER)
	@echo "Open build/pdf/$(PAPER)/rulebook.pdf"

test: runtime-if-possible ## run the tests
	$(BIN)/python -m pytest $(PARALLEL)

test-all: thorough lowest ## run what `make test` leaves to CI: every page in every engine, other themes, installed packages, lowest versions, more cases

thorough: runtime-if-possible
	$(BIN)/python -m pytest $(PARALLEL) -m thorough

fuzz: $(READY) ## try hostile inputs on every surface for SECONDS=60, from SEED=1
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(addprefix --seed=,$(SEED))

lint: $(READY) ## check style, formatting, layers and types
	$(BIN)/ruff check --no-cache
	$(BIN)/ruff format --no-cache --check
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/mypy
	@if command -v npx >/dev/null; then echo sh tools/types.sh; sh tools/types.sh; \
	else echo "npx was not found: the types of the panels' JavaScript are not checked."; test -z "$$CI"; fi

format: $(READY) ## apply the fixes of ruff and format the code
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

equal: $(READY) ## compare builds of a generated book: in several ways, and after each kind of edit
	$(BIN)/python tools/equal.py

bench: $(READY) ## measure speed and size beside other libraries
	@for script in $(sort $(wildcard benchmarks/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

shots: $(READY) ## take screenshots of the built pages
	$(BIN)/python tools/shots.py

messages: $(READY) ## extract the messages, merge them into the catalogues and compile these; NEW=it adds a language
	$(BIN)/python tools/messages.py $(NEW)

wire: $(READY) ## make the types of the page's messages from those of Python
	$(BIN)/python tools/wire.py

lowest: ## run the tests with the lowest versions that pyproject.toml allows
	sh tools/lowest.sh $(PYTHON)

matrix: ## run the tests on newer Pythons and the newest Sphinx (Debian, as root)
	sh tools/matrix.sh

release: $(READY) ## build both wheels and the notes of a release into dist, and try them out in an empty environment
	$(BIN)/python tools/release.py

clean: ## delete everything that make created
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find benchmarks dicedocs docs runtime sphinx_ext tests tools widgets -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
