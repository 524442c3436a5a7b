# Two commands for newcomers: `make fuzz` and `make test`. Everything they need is set up in .venv.
PYTHON ?= python3
BIN := .venv/bin

# Releases that some tests ask besides the newest; where they cannot be installed, those tests skip.
ZOO := yices boolector z3@4.8.10 z3@4.8.7 z3@4.8.8 z3@4.8.12 cvc5@1.1.0

.PHONY: fuzz test check slow zoo docs site mutants release-check pythons clean

.venv/ready: pyproject.toml .ci/constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint .ci/constraints.txt --editable '.[dev]'
	touch $@

.venv/zoo/tried: | .venv/ready
	mkdir -p $(@D)
	for solver in $(ZOO); do \
		FALSUM_ZOO=$(CURDIR)/$(@D) $(BIN)/falsum solvers add $$solver || \
		echo "$$solver is not installed; its tests will skip"; \
	done
	touch $@

zoo: .venv/zoo/tried

fuzz: .venv/ready
	$(BIN)/falsum fuzz --for 1m || [ $$? -eq 1 ]  # 1: found something

test: check

check: .venv/ready zoo
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile -m "not slow"  # the examples of a page build on each other

slow: .venv/ready zoo
	$(BIN)/pytest -m slow --timeout 1800

# Faults planted in what finds and judges wrong answers; an hour or so, goes on where it was: make mutants SAMPLE=300
SAMPLE ?= 100000
mutants: .venv/ready zoo
	$(BIN)/python -m bench.quality.mutants --sample $(SAMPLE) --results build/mutants.jsonl

docs: .venv/ready
	$(BIN)/python docs/list_modules.py
	$(BIN)/python -m bench.list_commands

# The docs as a site: site/html/index.html
site: .venv/ready
	$(BIN)/python -m docs.site.build site

# Builds the wheel and the source archive, checks their metadata and contents, and tries the wheel.
release-check: .venv/ready
	rm -rf dist
	$(BIN)/hatchling build
	$(BIN)/twine check --strict dist/*
	$(BIN)/pytest tests/test_release.py tests/wheel

# Installs the wheel on the other Pythons it is for, and uses it there: make pythons PYTHONS=/path/to/python3.13
PYTHONS ?= python3.12 python3.13
pythons: .venv/ready
	rm -rf build/pythons
	$(BIN)/hatchling build -t wheel -d build/pythons/wheel
	set -e; for python in $(PYTHONS); do \
		folder=build/pythons/$$(basename $$python); \
		$$python -m venv $$folder; \
		$$folder/bin/pip install --quiet --disable-pip-version-check build/pythons/wheel/*.whl; \
		(cd $$folder; bin/falsum --version; bin/python $(CURDIR)/tests/wheel/client.py); \
	done

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
