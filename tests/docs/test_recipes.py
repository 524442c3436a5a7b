"""The recipes of docs/extending.md: their diffs are applied to a copy of the tree, which is then tested.

A hunk has no line numbers: its context and removed lines must occur exactly once in the file.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
DIFF = re.compile(r"^```diff\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The tests that cover an addition, as arguments of pytest; those of this file check the rest.
COVERED_BY = {
    "an operator": ("tests/smtlib/theories/test_contract.py", "-k", "int.gcd or unique"),
    "a theory": (
        *("tests/smtlib/theories/test_contract.py", "tests/smtlib/theories/laws/test_contract.py"),
        *("-k", "season or Seasons or unique"),
    ),
    "a strategy": ("tests/strategies/test_contract.py", "-k", "reorder"),
    "an oracle": ("tests/defects/test_contract.py", "-k", "status"),
    "a kind of defect": (
        *("tests/defects/test_contract.py", "tests/defects/test_table.py", "-k"),
        "repeat or kind or table",
    ),
    "a reduction pass": ("tests/reducer/passes/test_contract.py", "-k", "sort-arguments or example or names"),
    "a solver product": ("tests/solvers/test_output.py", "-k", "acme"),
    "a library binding": (),
    "an option of `falsum fuzz`": ("tests/campaign/test_plan.py",),
}


def sections() -> dict[str, str]:
    """The sections of the page by their headings, in small letters as the table has them."""
    parts = re.split(r"^## (.+)$", PAGE, flags=re.MULTILINE)
    return {name[0].lower() + name[1:]: text for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def file_changes(diff: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The files of a diff, each with its hunks: the text before and after."""
    for change in re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]:
        _, header, *lines = change.splitlines()
        hunks: list[tuple[list[str], list[str]]] = []
        for line in lines:
            if line == "@@":
                hunks.append(([], []))
            else:
                before, after = hunks[-1]
                if not line.startswith("+"):
                    before.append(line[1:])
                if not line.startswith("-"):
                    after.append(line[1:])
        joined = [("".join(f"{x}\n" for x in old), "".join(f"{x}\n" for x in new)) for old, new in hunks]
        yield header.removeprefix("+++ b/"), joined


def changes_of(section: str) -> list[tuple[str, list[tuple[str, str]]]]:
    return [change for diff in DIFF.findall(section) for change in file_changes(diff)]


RECIPES = {name: changes for name, text in sections().items() if (changes := changes_of(text))}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source tree with all recipes applied."""
    copy = tmp_path_factory.mktemp("recipes")
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, copy / name)
    for changes in RECIPES.values():
        for path, hunks in changes:
            apply(copy / path, hunks)
    return copy


def apply(file: Path, hunks: list[tuple[str, str]]) -> None:
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    for before, after in hunks:
        assert file.exists() is bool(before), file
        assert text.count(before) == 1 or not before, f"{file.name} has not exactly one place for\n{after}"
        text = text.replace(before, after) if before else after
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def run(tree: Path, *words: str) -> None:
    path = os.pathsep.join((str(tree / "src"), str(tree)))
    result = subprocess.run(
        words,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_every_recipe_is_covered() -> None:
    assert list(RECIPES) == list(COVERED_BY)


def test_the_table_counts_the_files() -> None:
    rows = re.findall(r"^\| \[([^]]+)\]\([^)]+\) \| (\d+) \| (\d+) \|", PAGE, re.MULTILINE)
    counted = {
        name: tuple(sum(path.startswith(folder) for path, _ in changes) for folder in ("src/", "tests/"))
        for name, changes in RECIPES.items()
    }
    assert {name: (int(source), int(tests)) for name, source, tests in rows} == counted


@pytest.mark.parametrize("name", [name for name, tests in COVERED_BY.items() if tests])
def test_what_is_added_is_tested(name: str, tree: Path) -> None:
    run(tree, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *COVERED_BY[name])


def test_recipes_keep_to_the_style(tree: Path) -> None:
    files = [path for changes in RECIPES.values() for path, _ in changes]
    run(tree, sys.executable, "-m", "ruff", "check", "--no-cache", *files)
    run(tree, sys.executable, "-m", "ruff", "format", "--no-cache", "--check", *files)


def test_recipes_need_no_change_of_the_contracts(tree: Path) -> None:
    run(tree, str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


def test_a_new_sort_takes_part_in_everything(tree: Path) -> None:
    run(tree, sys.executable, "-c", SEASONS)


SEASONS = """
from itertools import islice
from random import Random

from falsum.reducer import reduce
from falsum.smtlib import print_script, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.random_models import random_model
from falsum.strategies import ALL, Seed

script = read_script('''
(declare-fun x () Season)
(declare-fun y () Season)
(assert (distinct (season.next x) winter y))
(assert (season.before x (season.next y)))
(check-sat)
''')
assert all(isinstance(held, bool) for held in truths(script, random_model(script, Random(1))))
seed = Seed.of("seasons", script)
for strategy in ALL:
    if strategy.name == 'interrogation':
        continue  # of Horn clauses, which this seed is not
    texts = [mutant.text for mutant in islice(strategy.mutants([seed, seed], Random(1), None), 20)]
    assert texts, strategy.name
    for text in texts:
        assert read_script(text)
    assert strategy.arity == 0 or any("season.next" in text for text in texts), strategy.name
small = reduce(script, lambda text: "season.before" in text)
assert small.text.startswith("(assert (season.before spring spring))"), small.text
"""


def test_a_new_product_is_run(tree: Path) -> None:
    program = tree / "acme-smt"
    program.write_text(f"#!{sys.executable}\nimport sys\nassert '--lang=smt2' in sys.argv\nprint('sat')\n")
    program.chmod(0o755)
    script = tree / "script.smt2"
    script.write_text("(declare-fun p () Bool)(assert p)(check-sat)")
    run(tree, sys.executable, "-m", "falsum.app.main", "solve", str(script), "--solver", str(program))


def test_a_new_library_is_fuzzed(tree: Path) -> None:
    folder = tree / "library"
    folder.mkdir()
    (folder / "acme.py").write_text(ACME)
    run(tree, sys.executable, "-c", FUZZED.format(folder=str(folder)))


def test_a_new_option_reaches_the_workers_and_stays_as_it_was(tree: Path) -> None:
    seed = tree / "seed.smt2"
    seed.write_text("(declare-fun p () Bool)(declare-fun q () Bool)(assert (or p q))(check-sat)")
    fuzz = (
        sys.executable,
        "-m",
        "falsum.app.main",
        "fuzz",
        "-s",
        "z3",
        "-j",
        "1",
        "--out",
        str(tree / "out"),
    )
    begin = "-t", "storm", "--no-engines", "--count", "3", "--longest"
    run(tree, *fuzz, *begin, "900", str(seed))
    run(tree, sys.executable, "-c", LONGEST.format(out=str(tree / "out")))
    with pytest.raises(AssertionError, match="--resume cannot change longest: the campaign has 900, not 100"):
        run(tree, *fuzz, "--resume", "--longest", "100")


LONGEST = """
from pathlib import Path

import msgspec

from falsum.campaign.tally import FuzzTally
from falsum.store.reader import StoreReader

with StoreReader(Path({out!r})) as store:
    tallies = [msgspec.convert(batch.tally, FuzzTally) for batch in store.batches(1)]
assert sum(tally.mutants for tally in tallies) == 3, tallies
assert sum(tally.too_long for tally in tallies) > 0, tallies
"""


# A library that decides formulas by trying all assignments.
ACME = """
from itertools import product

__version__ = "1.0"


class Solver:
    def __init__(self):
        self.names, self.levels, self.model = [], [[]], {}

    def variable(self, name):
        self.names.append(name)
        return lambda model: model[name]

    def constant(self, value):
        return lambda model: value

    def apply(self, operator, args):
        one = {"not": lambda values: not values[0], "and": all, "or": any}[operator]
        return lambda model: one([arg(model) for arg in args])

    def add(self, formula):
        self.levels[-1].append(formula)

    def push(self):
        self.levels.append([])

    def pop(self):
        self.levels.pop()

    def solve(self):
        formulas = [formula for level in self.levels for formula in level]
        for values in product((False, True), repeat=len(self.names)):
            self.model = dict(zip(self.names, values))
            if all(formula(self.model) for formula in formulas):
                return True
        return False

    def value(self, formula):
        return formula(self.model)
"""
FUZZED = """
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Bounds, Settings
from falsum.api.run_result import RunStatus
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.solver import Solver
from falsum.solvers.zoo import Origin, Release

release = Release("acme", "1.0", Origin.ZOO, folder={folder!r})
# Few variables and small terms: the library tries all assignments.
settings = Settings(bounds=Bounds(actions=60, depth=3, nodes=60))
with Fuzzer(Solver("acme@1.0", BY_PRODUCT["acme"], release), settings) as fuzzer:
    results = [fuzzer.run(number) for number in range(20)]
assert all(result.status is RunStatus.DONE for result in results), [r.evidence for r in results]
assert {{verdict for result in results for verdict in result.verdicts}} == {{"sat", "unsat"}}
"""
