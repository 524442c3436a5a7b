"""Boolector's library as a binding; run by `serve.py`, never by falsum itself.

It has no Booleans: they are bit-vectors of width 1, so every term here carries the sort it was meant to have.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import tempfile
from collections.abc import Callable
from itertools import pairwise
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

# Not `import pyboolector`: type checkers know no such package.
pyboolector: Any = importlib.import_module("pyboolector")

BINARY = {
    "bvsub": "Sub", "bvudiv": "Udiv", "bvurem": "Urem", "bvsdiv": "Sdiv", "bvsrem": "Srem", "bvsmod": "Smod",
    "bvnand": "Nand", "bvnor": "Nor", "bvxnor": "Xnor",
}  # fmt: skip
FOLDED = {
    "and": "And", "or": "Or", "xor": "Xor", "bvand": "And", "bvor": "Or", "bvxor": "Xor", "bvadd": "Add",
    "bvmul": "Mul", "concat": "Concat",
}  # fmt: skip
PREDICATES = {
    "bvult": "Ult", "bvule": "Ulte", "bvugt": "Ugt", "bvuge": "Ugte", "bvslt": "Slt", "bvsle": "Slte",
    "bvsgt": "Sgt", "bvsge": "Sgte", "bvuaddo": "Uaddo", "bvsaddo": "Saddo", "bvumulo": "Umulo",
    "bvsmulo": "Smulo", "bvusubo": "Usubo", "bvssubo": "Ssubo", "bvsdivo": "Sdivo",
}  # fmt: skip
SHIFTS = {"bvshl": "Sll", "bvlshr": "Srl", "bvashr": "Sra"}
ROTATIONS = {"rotate_left": "Rol", "rotate_right": "Ror"}
UNARY = {"bvnot": "Not", "bvneg": "Neg"}
REDUCTIONS = {"bvredor": "Redor", "bvredand": "Redand"}
OTHERS = (
    "not", "=>", "=", "distinct", "ite", "select", "store", "const", "extract", "repeat", "zero_extend",
    "sign_extend", "bvcomp",
)  # fmt: skip
TABLES = (BINARY, FOLDED, PREDICATES, SHIFTS, ROTATIONS, UNARY, REDUCTIONS)
BOOL = ("Bool",)


class Typed:
    """A node and the sort it stands for: `("Bool",)`, `("BitVec", 8)`, `("Array", index, element)`,
    `("->", …)`.
    """

    __slots__ = ("name", "node", "sort")

    def __init__(self, node: Any, sort: tuple[Any, ...], name: str = "") -> None:
        self.node = node
        self.sort = sort
        self.name = name


class Binding:
    """One `Boolector` at a time."""

    def __init__(self) -> None:
        self.number = 0
        self.new()

    def hello(self) -> dict[str, Any]:
        return {
            "product": "boolector",
            "version": str(self.solver.Version()),
            "sorts": ["Bool", "BitVec", "Array", "->"],
            "operators": [*(name for table in TABLES for name in table), *OTHERS],
            "features": [
                # No quantifiers: with the option `incremental` it refuses them, or crashes over them.
                "incremental", "assumptions", "models", "unsat-assumptions", "functions",
                "flat-functions", "bind-once",
            ],
            "specials": {"BitVec": ["zero", "one", "ones"], "Bool": ["true", "false"]},
            "required": [["model-gen", "2"], ["incremental", "1"]],
            "unwanted": ["ucopt"],
            "refusals": [
                r"not supported", r"boolector_set_opt: [^\n]*cannot be enabled", r"not compiled",
            ],
            "extras": [
                {"name": "simplify", "states": ["assert", "check_sat"], "weight": 2},
                {"name": "clone", "gives": "text", "states": ["check_sat"], "weight": 1},
                {"name": "dump-term", "takes": ["term"], "gives": "text", "weight": 0.5},
                {"name": "dump", "gives": "text", "states": ["assert"], "weight": 0.5},
            ],
        }  # fmt: skip

    def new(self) -> None:
        self.solver = pyboolector.Boolector()
        self.sorts: dict[tuple[Any, ...], Any] = {}
        self.assumed: list[Typed] = []

    def delete(self) -> None:
        self.new()

    def set_logic(self, name: str) -> None:
        """It has no logics."""

    def set_option(self, name: str, value: str) -> None:
        number = {"true": 1, "false": 0}.get(value)
        option = getattr(pyboolector.BtorOption, "BTOR_OPT_" + name.upper().replace("-", "_"))
        self.solver.Set_opt(option, int(value) if number is None else number)

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        return (name, *indices, *(arg.made for arg in args))

    def real(self, sort: tuple[Any, ...]) -> Any:
        """Boolector's object for a sort."""
        if sort not in self.sorts:
            solver = self.solver
            if sort == BOOL:
                made = solver.BitVecSort(1)  # its own BoolSort is no sort for variables
            elif sort[0] == "BitVec":
                made = solver.BitVecSort(sort[1])
            elif sort[0] == "Array":
                made = solver.ArraySort(self.real(sort[1]), self.real(sort[2]))
            else:
                made = solver.FunSort([self.real(each) for each in sort[1:-1]], self.real(sort[-1]))
            self.sorts[sort] = made
        return self.sorts[sort]

    def const(self, sort: SortHandle, name: str) -> Any:
        maker = {"Array": self.solver.Array, "->": self.solver.UF}.get(sort.name, self.solver.Var)
        return Typed(maker(self.real(sort.made), name), sort.made, name)

    def var(self, sort: SortHandle, name: str) -> Any:
        return Typed(self.solver.Param(self.real(sort.made), name), sort.made, name)

    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "Bool":
            return Typed(self.solver.Const(text == "true"), sort.made)
        bases = {"#b": 2, "#x": 16}
        if text.startswith("#b") and self.number % 2:
            return Typed(self.solver.Const(text[2:]), sort.made)
        number = int(text[2:], bases[text[:2]]) if text[:2] in bases else int(text)
        return Typed(self.solver.Const(number, sort.indices[0]), sort.made)

    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return Typed(self.solver.Const(name == "true"), sort.made)
        numbers = {"zero": 0, "one": 1, "ones": (1 << sort.indices[0]) - 1}
        return Typed(self.solver.Const(numbers[name], sort.indices[0]), sort.made)

    # -- terms -------------------------------------------------------------------------------------

    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        solver, nodes = self.solver, [arg.node for arg in args]
        if operator in UNARY:
            return Typed(getattr(solver, UNARY[operator])(nodes[0]), args[0].sort)
        if operator in BINARY:
            return Typed(getattr(solver, BINARY[operator])(*nodes), args[0].sort)
        if operator in FOLDED:
            return self.folded(operator, nodes, args)
        if operator in PREDICATES:
            return Typed(getattr(solver, PREDICATES[operator])(*nodes), BOOL)
        if operator in SHIFTS:
            return Typed(getattr(solver, SHIFTS[operator])(*nodes), args[0].sort)
        if operator in ROTATIONS:
            return self.rotated(operator, indices[0] % args[0].sort[1], args[0])
        if operator in REDUCTIONS:
            return Typed(getattr(solver, REDUCTIONS[operator])(nodes[0]), ("BitVec", 1))
        if operator in ("extract", "repeat", "zero_extend", "sign_extend"):
            return self.resized(operator, indices, args[0])
        return self.other(operator, nodes, args, sort)

    def folded(self, operator: str, nodes: list[Any], args: list[Any]) -> Any:
        call, result = getattr(self.solver, FOLDED[operator]), nodes[0]
        for node in nodes[1:]:
            result = call(result, node)
        wide = ("BitVec", sum(arg.sort[1] for arg in args)) if operator == "concat" else args[0].sort
        return Typed(result, wide)

    def rotated(self, operator: str, by: int, arg: Any) -> Any:
        """Its own rotations take widths that are powers of two only."""
        solver, width = self.solver, arg.sort[1]
        if width > 1 and width & (width - 1) == 0 and self.number % 2:
            return Typed(getattr(solver, ROTATIONS[operator])(arg.node, by), arg.sort)
        cut = width - by if operator == "rotate_left" else by
        if cut in (0, width):
            return arg
        return Typed(
            solver.Concat(solver.Slice(arg.node, cut - 1, 0), solver.Slice(arg.node, width - 1, cut)),
            arg.sort,
        )

    def resized(self, operator: str, indices: tuple[int, ...], arg: Any) -> Any:
        solver, width = self.solver, arg.sort[1]
        if operator == "extract":
            return Typed(solver.Slice(arg.node, *indices), ("BitVec", indices[0] - indices[1] + 1))
        if operator == "repeat":
            return Typed(solver.Repeat(arg.node, indices[0]), ("BitVec", width * indices[0]))
        call = solver.Uext if operator == "zero_extend" else solver.Sext
        return Typed(call(arg.node, indices[0]), ("BitVec", width + indices[0]))

    def other(self, operator: str, nodes: list[Any], args: list[Any], sort: SortHandle | None) -> Any:
        solver = self.solver
        if operator == "not":
            return Typed(solver.Not(nodes[0]), BOOL)
        if operator == "ite":
            return Typed(solver.Cond(*nodes), args[1].sort)
        if operator == "select":
            return Typed(solver.Read(*nodes), args[0].sort[2])
        if operator == "store":
            return Typed(solver.Write(*nodes), args[0].sort)
        if operator == "const" and sort is not None:
            return Typed(solver.ConstArray(self.real(sort.made), nodes[0]), sort.made)
        if operator == "apply":
            return Typed(solver.Apply(nodes[1:], nodes[0]), args[0].sort[-1])
        if operator in ("forall", "exists"):
            maker = solver.Forall if operator == "forall" else solver.Exists
            return Typed(maker(nodes[:-1], nodes[-1]), BOOL)
        if operator == "=>":
            result = nodes[-1]
            for node in reversed(nodes[:-1]):
                result = solver.Implies(node, result)
            return Typed(result, BOOL)
        if operator == "bvcomp":
            return Typed(solver.Eq(*nodes), ("BitVec", 1))
        if operator == "=":
            links = [solver.Eq(a, b) for a, b in pairwise(nodes)]
        else:
            links = [solver.Ne(a, b) for place, a in enumerate(nodes) for b in nodes[place + 1 :]]
        result = links[0]
        for link in links[1:]:
            result = solver.And(result, link)
        return Typed(result, BOOL)

    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        del name
        sort = ("->", *(each.sort for each in variables), body.sort)
        return Typed(self.solver.Fun([each.node for each in variables], body.node), sort)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.solver.Assert(term.node)

    def check(self, assumptions: list[Any]) -> str:
        self.assumed = assumptions
        for each in assumptions:
            self.solver.Assume(each.node)
        return self.verdict(self.solver, self.solver.Sat())

    @staticmethod
    def verdict(solver: Any, result: Any) -> str:
        return {solver.SAT: "sat", solver.UNSAT: "unsat"}.get(result, "unknown")

    def get_value(self, term: Any) -> str:
        """Of arrays and functions it tells some places only, and nothing of the others: not a value."""
        if term.sort[0] in ("Array", "->"):
            list(term.node.assignment)
            return ""
        bits = term.node.assignment
        if term.sort == BOOL:
            return "true" if bits == "1" else "false"
        return f"#b{bits.replace('x', '0')}"

    def get_model(self) -> str:
        return printed(lambda: self.solver.Print_model("smt2"))

    def get_unsat_assumptions(self) -> list[Any]:
        nodes = [each.node for each in self.assumed]
        failed = self.solver.Failed(*nodes)
        failed = failed if isinstance(failed, list) else [failed]
        return [each for each, is_failed in zip(self.assumed, failed, strict=True) if is_failed]

    def push(self, levels: int) -> None:
        self.solver.Push(levels)

    def pop(self, levels: int) -> None:
        self.solver.Pop(levels)

    # -- asking about terms ------------------------------------------------------------------------

    def print(self, term: Any) -> str:
        return printed(lambda: term.node.Dump("smt2"))

    def key(self, term: Any) -> object:
        return id(term)

    def extra(self, name: str, args: list[Any]) -> Any:
        if name == "dump-term":
            return self.print(args[0])
        if name == "simplify":
            self.solver.Simplify()
            return None
        if name == "clone":
            clone = self.solver.Clone()
            return self.verdict(clone, clone.Sat())
        return printed(lambda: self.solver.Dump("smt2"))


def printed(write: Callable[[], object]) -> str:
    """What it prints: a file is standard output meanwhile, so that a program made of this just prints it."""
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile() as file:
        libc.fflush(None)
        kept = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            write()
        finally:
            libc.fflush(None)
            os.dup2(kept, 1)
            os.close(kept)
        file.seek(0)
        return file.read().decode()
