# Athanor's commands. `make demo` and `make test` need Python >= 3.11 and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test soak check conformance lock clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:[^#]*## /\t/' | expand -t 12

$(VENV)/.runtime: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "athanor needs python >= 3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

demo: $(VENV)/.runtime ## three task starts over HTTP on an embedded PostgreSQL; STAY=1 keeps serving
	@$(BIN)/athanor demo $(if $(STAY),--stay)

test: $(VENV)/.dev ## the test suite, but for what `soak` and `conformance` run
	$(BIN)/pytest --numprocesses 2 --dist worksteal -m "not soak" --ignore tests/conformance

soak: $(VENV)/.dev ## tests that take long
	$(BIN)/pytest --numprocesses 2 --dist worksteal -m soak

check: $(VENV)/.dev ## lint, format, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache

conformance: $(VENV)/.dev ## public and own suites of rule programs; SUITE=DIR runs Soufflé's or Nemo's too
	$(BIN)/pytest --numprocesses 2 tests/conformance tests/rules/test_rule_corpus.py
	$(if $(SUITE),$(BIN)/python tests/conformance/public_suites.py $(SUITE) .)

lock: ## renew both lock files (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --group build pyproject.toml -o requirements.lock
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --group build --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean: ## remove the environment and everything made
	rm -rf $(VENV) .athanor build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
