# `make demo` and `make test` set everything up by themselves: Python 3.11 or later, git and make are all they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint types check clean

# The environment is made once, and again when the project's own description changes.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Scaup needs Python 3.11 or later; name one with 'make PYTHON=/path/to/python'." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	$(BIN)/scaup ingest
	$(BIN)/scaup pack "how are files that did not change kept from being parsed again" --budget 120
	$(BIN)/scaup sql "SELECT path, qualname, churn, callers, cyclomatic FROM symbol_risk WHERE NOT tested AND role = 'source' AND cyclomatic > 8 ORDER BY cyclomatic * (1 + callers) DESC, path, qualname LIMIT 5"

test: lint types check

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# mypy does not see through an editable install of mapped folders, so it reads them through links.
types: $(READY)
	@mkdir -p build/types/scaup && for part in pipeline reports rules; do ln -sfn ../../../$$part build/types/scaup/$$part; done
	cd build/types && ../../$(BIN)/mypy --config-file ../../pyproject.toml -p scaup

check: $(READY)
	$(BIN)/python -m pytest

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .scaup
