"""Guards of the layout: small folders, unique nouns as names, every module tested somewhere known."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "falsum"
MODULES = sorted(
    path for path in SOURCE.rglob("*.py") if path.name != "__init__.py" and "seeds" not in path.parts[-2:-1]
)
MOST_MODULES = 16
# Folders with one module for each member of a kind: they grow with what falsum knows, not with how it works.
TABLES = {"solvers/profiles", "reducer/passes", "smtlib/theories", "smtlib/theories/laws", "smtlib/values"}
# `-ing` words that are nouns of the field.
NOUNS = {"binding", "finding", "rounding", "ranking", "spelling", "string", "strings"}
# Modules that no test of their own folder imports, by pattern, and where they are tested instead.
TESTED_ELSEWHERE = {
    r"api/actions/.*|api/walk|api/run": "every action is drawn and replayed on real libraries: tests/api",
    r"api/bindings/.*|solvers/hosts/.*": "run in children without falsum: contract tests over every library",
    r"api/checks/.*|api/reference_solvers": "one planted fault for each check: tests/api",
    r"api/cross_replay|api/traces/.*|api/model/.*": "through runs and replays: tests/api",
    r"app/.*": "through the command line: tests/app/commands",
    r"campaign/(fuzz|library|triage)/.*|campaign/tally": "through campaigns: tests/campaign, tests/app",
    r"ddmin/.*|reducer/.*": "through reductions of scripts and traces: tests/reducer, tests/api/traces",
    r"oracles/.*": "through the contract of all oracles, the judge and the groups: tests/oracles",
    r"public/.*|version": "by name from the package: tests/public",
    r"smtlib/evaluation/.*": "through the evaluator: tests/smtlib/evaluation",
    r"smtlib/(syntax|printing|models|laws|text|theories|values)/.*": "through the language: tests/smtlib",
    r"solvers/(profiles|supervision)/.*": "transcripts of every product and real processes: tests/solvers",
    r"strategies/.*": "every strategy through its contract and its own tests: tests/strategies",
}


def test_folders_stay_small() -> None:
    sizes = Counter(path.parent.relative_to(SOURCE).as_posix() for path in MODULES)
    assert not {
        folder: size for folder, size in sizes.items() if size > MOST_MODULES and folder not in TABLES
    }


def test_no_two_public_classes_have_one_name() -> None:
    found = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            # Every binding has a class `Binding`: that is what a binding is.
            if isinstance(node, ast.ClassDef) and node.name[0] != "_" and "bindings" not in path.parts:
                found[node.name].append(path.relative_to(SOURCE).as_posix())
    assert not {name: places for name, places in found.items() if len(places) > 1}


def test_modules_are_named_by_nouns() -> None:
    """What a module holds, not what it is busy with."""
    words = {path.stem.rpartition("_")[2] for path in MODULES}
    assert not {word for word in words if word.endswith("ing")} - NOUNS


def test_every_package_names_its_product() -> None:
    missing = [
        path.parent.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("__init__.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not missing


def test_every_module_is_imported_by_a_test_beside_it_or_tested_elsewhere() -> None:
    imports = {path: imported(path) for path in (ROOT / "tests").rglob("*.py")}
    unlisted, used = [], set()
    for path in MODULES:
        relative = path.relative_to(SOURCE).with_suffix("")
        name = ".".join(("falsum", *relative.parts))
        folder = ROOT / "tests" / relative.parent
        beside = [names for test, names in imports.items() if folder in test.parents]
        if any(name in names for names in beside):
            continue
        patterns = [each for each in TESTED_ELSEWHERE if re.fullmatch(each, relative.as_posix())]
        used.update(patterns)
        if not patterns:
            unlisted.append(relative.as_posix())
    assert not unlisted, "no test imports these; write one, or say where they are tested"
    assert used == TESTED_ELSEWHERE.keys()


def imported(path: Path) -> set[str]:
    """The modules and names that a test imports, with dots."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found
