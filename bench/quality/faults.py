"""Small faults that can be planted in a module: changed comparisons, conditions, numbers, calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "falsum"
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


@dataclass(frozen=True)
class MutatedModule:
    """A mutant: the file, the number of the node that changes, and which of its changes it is.

    `function` is the function or method in which it is, the outermost one; None for what runs at import.
    """

    path: Path
    node: int
    place: int
    line: int
    change: str
    function: str | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"

    @property
    def file(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def identity(self) -> str:
        """The same for as long as the code of the module is the same."""
        return f"{self.file} {_digest(self.path)} {self.node}.{self.place}"

    @property
    def module(self) -> str:
        return ".".join(("falsum", *self.path.relative_to(SOURCE).with_suffix("").parts))

    def compiled(self) -> CodeType:
        """The code of the whole changed module."""
        tree: ast.AST = ast.parse(self.path.read_text(encoding="utf-8"))
        node = next(each for number, each in enumerate(ast.walk(tree)) if number == self.node)
        changed = list(_changes(node))[self.place][1]
        tree = ast.fix_missing_locations(_Replaced(node, changed).visit(tree))
        assert isinstance(tree, ast.Module)
        return compile(tree, str(self.path), "exec", dont_inherit=True)


def mutants_of(path: Path) -> Iterator[MutatedModule]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    ignored = {id(part) for node in ast.walk(tree) for part in _never_run(node)}
    functions = dict(_functions(tree))
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in ignored:
            for place, (change, _changed) in enumerate(_changes(node)):
                line = getattr(node, "lineno", 0)
                yield MutatedModule(path, number, place, line, change, functions.get(id(node)))


@cache
def _digest(path: Path) -> str:
    """Of the code, not of comments and layout."""
    code = ast.unparse(ast.parse(path.read_text(encoding="utf-8")))
    return sha256(code.encode()).hexdigest()[:8]


def _never_run(node: ast.AST) -> Iterator[ast.AST]:
    """Parts that no test depends on: `@dataclass(frozen=True)`, annotations, imports for the type checker."""
    parts = list(getattr(node, "decorator_list", ()))
    parts += [part for part in (getattr(node, "annotation", None), getattr(node, "returns", None)) if part]
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        parts.append(node)
    for part in parts:
        yield from ast.walk(part)


def _functions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """For the nodes in the bodies of functions and methods: their ids, and the function's qualified name."""
    waiting: list[tuple[ast.AST, str]] = [(each, "") for each in tree.body]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, ast.ClassDef):
            waiting += [(each, f"{prefix}{node.name}.") for each in node.body]
        elif isinstance(node, ast.FunctionDef):
            for statement in node.body:
                for part in ast.walk(statement):
                    yield id(part), prefix + node.name


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
        case ast.Return(value=ast.expr() as value) if not _is_false(value):
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


def _is_false(value: ast.expr) -> bool:
    """None, False, 0 and the like: nobody tells them apart by their truth."""
    return isinstance(value, ast.Constant) and not value.value


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = deepcopy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made
