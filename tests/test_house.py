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
TABLES = {
    "app/commands",
    "solvers/profiles",
    "reducer/passes",
    "smtlib/theories",
    "smtlib/theories/laws",
    "smtlib/values",
}
# `-ing` words that are nouns of the field.
NOUNS = {
    "binding",
    "finding",
    "rounding",
    "ranking",
    "spelling",
    "string",
    "strings",
    "standing",
    "unrolling",
}
# Folders with one module for each member of a kind, and the tests that run over every member.
CONTRACTS = {
    "api/actions": "every action is drawn and replayed on real libraries: tests/api",
    "api/bindings": "run in children without falsum: contract tests over every library",
    "api/checks": "one planted fault for each check: tests/api",
    "reducer/passes": "tests/reducer/passes/test_contract.py",
    "smtlib/theories": "tests/smtlib/theories/test_contract.py and the evaluator",
    "solvers/hosts": "run in children without falsum: tests/solvers/hosts",
    "solvers/profiles": "transcripts of every product: tests/solvers",
}
# Modules without a test of their own, and the tests that reach them through the room's interface.
TESTED_ELSEWHERE = {
    "tests/api: runs and replays on real libraries": """
        api/model/mirror api/model/one_shot_script api/model/printed_terms
        api/model/terms_by_rule
        api/traces/to_mirror api/traces/to_script""",
    "tests/app: the command line": """
        app/commands/print app/commands/workers app/completions app/finding_paths
        app/assessments app/library/replay_trace""",
    "tests/app/commands and tests/public: audits and upgrades with planted lies": """
        audits/evidence audits/examples audits/reduction
        app/audits/example_report app/audits/audit_options
        app/audits/audit_session""",
    "tests/campaign and tests/app: campaigns and their triage": """
        campaign/executors/cluster_connection campaign/fuzz/progress
        campaign/library/confirmation campaign/library/progress
        campaign/triage/scripts/session campaign/triage/scripts/leaks campaign/triage/scripts/reduction_step
        campaign/triage/scripts/triage""",
    "tests/app/report/test_regressions.py, tests/app/commands/test_atlas.py": "app/report/suites",
    "tests/contest: contests of planted fuzzers, from the command line": """
        app/commands/contest app/contest/rank_diagram app/contest/report app/contest/standings
        contest/atlas_target""",
    "tests/app/commands/test_refix.py": """
        app/refix/fix_check app/refix/rows app/refix/search app/refix/triggers""",
    "tests/app/findings: the life of real bugs, commits of a toy repository": """
        app/findings/campaign_options app/findings/retest_command campaign/lifecycle/builds
        campaign/lifecycle/commit_bisection
        campaign/lifecycle/retest solvers/supervision/tool""",
    "tests/defects: every oracle and its liars, the judge": """
        defects/evidence/satisfiable_part defects/evidence/drawn_model defects/evidence/horn_evidence
        defects/kinds/wrong_verdict/claim
        defects/kinds/wrong_verdict/disagreement defects/kinds/wrong_verdict/verdicts""",
    "tests/reducer: reductions": "smtlib/maps/script_map",
    "tests/smtlib: scripts are read, printed and evaluated": """
        smtlib/evaluation/applications smtlib/evaluation/arrays smtlib/evaluation/compared_points
        smtlib/evaluation/connectives smtlib/evaluation/equality smtlib/evaluation/function_tables
        smtlib/evaluation/functions smtlib/evaluation/higher_order
        smtlib/evaluation/plans smtlib/evaluation/pointwise
        smtlib/printing/layout smtlib/syntax/algebraic_numbers
        smtlib/syntax/command_shapes smtlib/syntax/commands smtlib/syntax/datatypes smtlib/syntax/frames
        smtlib/syntax/identifiers smtlib/syntax/lenience
        smtlib/values/elements smtlib/values/functions""",
    "tests/solvers: real processes": """
        solvers/supervision/call_filter solvers/supervision/launch
        solvers/supervision/run_directory solvers/supervision/supervisor""",
    "tests/strategies: the contract of strategies, and the strategy's own tests": """
        strategies/generate/random_terms
        strategies/growth/allowed strategies/growth/grammar strategies/growth/law_application
        strategies/growth/literals strategies/growth/theme
        strategies/sparrow/approximation
        strategies/storm/incremental
        strategies/valfuzz/monitors strategies/valfuzz/random_constants""",
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


def test_every_module_has_a_test_beside_it_or_is_listed() -> None:
    listed = {module for modules in TESTED_ELSEWHERE.values() for module in modules.split()}
    imports = {path: imported(path) for path in (ROOT / "tests").rglob("*.py")}
    without = {
        path.relative_to(SOURCE).with_suffix("").as_posix()
        for path in MODULES
        if not any(path.is_relative_to(SOURCE / folder) for folder in CONTRACTS)
        and not has_own_test(path, imports)
    }
    untested, outdated = sorted(without - listed), sorted(listed - without)
    assert not untested, "write a test for these, or say where they are tested"
    assert not outdated, "these have tests of their own now, or are gone: take them off the list"


def has_own_test(path: Path, imports: dict[Path, set[str]]) -> bool:
    """Whether a test in the mirrored folder bears the module's name, or imports it."""
    relative = path.relative_to(SOURCE).with_suffix("")
    folder = ROOT / "tests" / relative.parent
    name = ".".join(("falsum", *relative.parts))
    return any(
        (test.parent == folder and re.fullmatch(rf"test_{relative.name}(_.+)?", test.stem))
        or (folder in test.parents and name in names)
        for test, names in imports.items()
    )


def imported(path: Path) -> set[str]:
    """The modules and names that a test imports, with dots."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found
