# Two commands for newcomers: `make fuzz` and `make test`. Everything they need is set up in .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: fuzz test check slow docs clean

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

fuzz: .venv/ready
	$(BIN)/falsum fuzz --for 1m || [ $$? -eq 1 ]  # 1: found something

test: check

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 -m "not slow"

slow: .venv/ready
	$(BIN)/pytest -m slow

docs: .venv/ready
	$(BIN)/python docs/list_modules.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
