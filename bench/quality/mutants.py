"""Mutation testing of what finds and judges wrong answers: which small faults in it no test notices.

Each mutant is one changed comparison, connective, condition, number, return value or call in a module; it is
killed if a test of that module fails. mutmut 3.8 does not run here (it reads an attribute of tests that
pytest no longer has), and cosmic-ray starts a new interpreter for each mutant, which takes longer than most
of the tests. So this forks from a process that has loaded falsum's language, and imports the mutated module
in the child.

Survivors are printed with the changed line; those that are known, with the reason why no test can or should
notice them, are listed in docs/oracles.md.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path
from random import Random
from types import ModuleType

from bench.command import command_parser

_ROOT = Path(__file__).parents[2]
_SOURCE = _ROOT / "src" / "falsum"
_JUDGE = (
    "tests/oracles/judge/test_branches.py tests/oracles/judge/test_independence.py "
    "tests/oracles/judge/test_judge.py tests/oracles/judge/test_relay.py tests/oracles/test_open_points.py"
).split()
_ORACLES = (
    "tests/oracles/test_later_checks.py tests/oracles/test_contract.py tests/oracles/test_oracles.py "
    "tests/oracles/test_open_points.py"
).split()
_TESTS: dict[str, Sequence[str]] = {
    "oracles/judge": _JUDGE,
    "oracles/identity": ("tests/oracles/identity", "tests/oracles/test_oracles.py"),
    "oracles": (*_ORACLES, "tests/oracles/judge/test_branches.py"),
    "campaign/triage/predicate.py": ("tests/campaign/triage/test_predicate.py",),
    "campaign/triage/symptom.py": (
        "tests/campaign/triage/test_symptom.py",
        "tests/campaign/triage/test_predicate.py",
    ),
    "api/checks": ("tests/api/checks",),
    "solvers/output.py": ("tests/solvers/test_output.py",),
}
_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
_SWAPPED_NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
_TIME = 240
_OPTIONS = "-x -q -p no:cacheprovider -p no:xdist -W ignore::pytest.PytestAssertRewriteWarning".split()
# Loaded once, for all children; nothing of what is mutated.
_LOADED = (
    "pytest", "hypothesis", "click", "rich", "msgspec", "packaging.version", "cachetools",
    "falsum.smtlib.theories", "falsum.smtlib.at_check", "falsum.smtlib.models.reader",
    "falsum.smtlib.evaluation.evaluator", "falsum.solvers.profiles",
)  # fmt: skip


@dataclass(frozen=True)
class MutatedModule:
    """A mutant: the file, the number of the node that changes, which of its changes it is, and the tests."""

    path: Path
    node: int
    place: int
    line: int
    change: str
    tests: Sequence[str]

    def __str__(self) -> str:
        return f"{self.path.relative_to(_ROOT).as_posix()}:{self.line}: {self.change}"

    @property
    def module(self) -> str:
        return ".".join(("falsum", *self.path.relative_to(_SOURCE).with_suffix("").parts))

    @property
    def source(self) -> str:
        """The whole changed source."""
        tree: ast.AST = ast.parse(self.path.read_text(encoding="utf-8"))
        node = next(each for number, each in enumerate(ast.walk(tree)) if number == self.node)
        changed = list(_changes(node))[self.place][1]
        return ast.unparse(ast.fix_missing_locations(_Replaced(node, changed).visit(tree)))


def modules() -> Iterator[tuple[Path, Sequence[str]]]:
    """The modules to mutate, each with its tests."""
    seen: set[Path] = set()
    for place, tests in _TESTS.items():
        root = _SOURCE / place
        for path in sorted(root.rglob("*.py")) if root.is_dir() else (root,):
            if path not in seen and path.name != "__init__.py":
                seen.add(path)
                yield path, tests


def mutants() -> Iterator[MutatedModule]:
    for path, tests in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        decorations = {id(part) for node in ast.walk(tree) for part in _decorations(node)}
        for number, node in enumerate(ast.walk(tree)):
            if id(node) not in decorations:
                for place, (change, _changed) in enumerate(_changes(node)):
                    yield MutatedModule(path, number, place, getattr(node, "lineno", 0), change, tests)


def _decorations(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of decorators, such as `@dataclass(frozen=True)`: no test depends on them."""
    for decorator in getattr(node, "decorator_list", ()):
        yield from ast.walk(decorator)


class _Replaced(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else super().generic_visit(node)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Ways to change a node: what is said of each, and the node that takes its place."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _SWAPPED:
            other = _SWAPPED[type(operator)]
            before = ast.unparse(node)
            yield f"{before}: {type(operator).__name__} -> {other.__name__}", _with(node, ops=[other()])
        case ast.BoolOp(op=operator):
            other = _SWAPPED[type(operator)]
            yield f"{ast.unparse(node)}: and <-> or", _with(node, op=other())
        case ast.BinOp(op=operator) if type(operator) in _SWAPPED:
            yield f"{ast.unparse(node)}: + <-> -", _with(node, op=_SWAPPED[type(operator)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"{ast.unparse(node)}: without not", operand
        case ast.If(test=test) | ast.IfExp(test=test):
            negated = ast.UnaryOp(ast.Not(), test)
            yield f"if {ast.unparse(test)}: negated", _with(node, test=negated)
        case ast.Constant(value=bool(value)):
            yield f"{value} -> {not value}", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield f"{value} -> {value + 1}", ast.Constant(value + 1)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield f"return {ast.unparse(value)}: nothing", ast.Return(ast.Constant(None))
        case ast.Continue():
            yield "continue -> pass", ast.Pass()
        case ast.Expr(value=ast.Call() as call):
            yield f"{ast.unparse(call)}: left out", ast.Pass()
        case ast.Call(func=ast.Name(id=name)) if name in _SWAPPED_NAMES:
            func = ast.Name(_SWAPPED_NAMES[name], ast.Load())
            yield f"{name} -> {_SWAPPED_NAMES[name]} in {ast.unparse(node)}", _with(node, func=func)
        case _:
            return


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = deepcopy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


class _Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from changed source."""

    def __init__(self, mutant: MutatedModule) -> None:
        self.mutant = mutant

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        if fullname != self.mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=str(self.mutant.path))

    def exec_module(self, module: ModuleType) -> None:
        code = compile(self.mutant.source, str(self.mutant.path), "exec", dont_inherit=True)
        exec(code, module.__dict__)


def outcome(mutant: MutatedModule) -> str:
    """Runs the mutant's tests in a child: killed, timeout or survived."""
    child = os.fork()
    if child == 0:
        os.setsid()
        signal.alarm(_TIME)
        null = os.open(os.devnull, os.O_RDWR)
        for end in (0, 1, 2):
            os.dup2(null, end)
        if mutant.change:
            sys.meta_path.insert(0, _Importer(mutant))
        try:
            pytest = importlib.import_module("pytest")
            status = int(pytest.main([*mutant.tests, *_OPTIONS]))
        except BaseException:
            status = 1
        os._exit(status)
    _, ended = os.waitpid(child, 0)
    if os.WIFSIGNALED(ended):
        return "timeout" if os.WTERMSIG(ended) == signal.SIGALRM else "killed"
    return "survived" if os.WEXITSTATUS(ended) == 0 else "killed"


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.quality.mutants", __doc__)
    made.add_argument(
        "--sample", type=int, metavar="N", help="only N mutants, drawn at random (default: all)"
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="for the sample (default 1)")
    made.add_argument("--match", default="", metavar="TEXT", help="only modules whose path contains TEXT")
    made.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    return made


def main() -> None:
    given = parser().parse_args()
    os.chdir(_ROOT)
    sys.path.insert(0, str(_ROOT))
    found = [each for each in mutants() if given.match in each.path.as_posix()]
    if given.sample is not None and given.sample < len(found):
        found = Random(given.rng).sample(found, given.sample)
    if given.list:
        print("\n".join(map(str, found)))
        return
    for name in _LOADED:
        importlib.import_module(name)

    for tests, path in {tuple(tests): path for path, tests in modules()}.items():
        if outcome(MutatedModule(path, 0, 0, 0, "", tests)) != "survived":
            sys.exit(f"these tests fail without any change: {' '.join(tests)}")
    counts: Counter[str] = Counter()
    started = time.monotonic()
    for mutant in found:
        ended = outcome(mutant)
        counts[ended] += 1
        if ended == "survived":
            print(f"survived: {mutant}", flush=True)
        done = counts.total()
        if done % 20 == 0:
            killed = done - counts["survived"]
            print(f"{done} of {len(found)}: {100 * killed / done:.1f} % killed", file=sys.stderr, flush=True)
    killed = counts.total() - counts["survived"]
    share = 100 * killed / max(1, counts.total())
    print(f"{counts.total()} mutants, {killed} killed ({share:.1f} %), {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
