"""The binding of Boolector's library.

Boolector has no Booleans: they are bit-vectors of width 1, so every term is kept with its sort in SMT-LIB.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
import tempfile
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from .other_calls import other_node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from falsum.api.bindings.protocol import SortHandle

# Not an import statement: pyboolector is not installed where types are checked.
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
OTHER_OPERATORS = (
    "not", "=>", "=", "distinct", "ite", "select", "store", "const", "extract", "repeat", "zero_extend",
    "sign_extend", "bvcomp",
)  # fmt: skip
TABLES = (BINARY, FOLDED, PREDICATES, SHIFTS, ROTATIONS, UNARY, REDUCTIONS)
BOOL = ("Bool",)
QUANTIFIERS = frozenset(["forall", "exists"])
# Options that set modes of features, change files or what is printed, or are no promise.
NEVER = frozenset(
    "model-gen incremental incremental-smt1 input-format output-number-format output-format auto-cleanup "
    "auto-cleanup-internal pretty-print exit-codes verbosity loglevel dump-dimacs ucopt parse-interactive "
    "declsort-bv-width sat-engine sat-engine-lgl-fork sat-engine-cadical-freeze sat-engine-n-threads".split()
)
SAT_SOLVERS = ("cadical", "lingeling")  # the package has no others
# Of the five engines those that decide only quantifier-free bit-vectors.
WITHOUT_FUNCTIONS = ("2", "3", "4")


class TypedNode:
    """A node and its sort in SMT-LIB, such as `("BitVec", 8)` or `("Array", index, element)`."""

    __slots__ = ("name", "node", "sort")

    def __init__(self, node: Any, sort: tuple[Any, ...], name: str = "") -> None:
        self.node = node
        self.sort = sort
        self.name = name


def recorded(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a method that makes a term, and records how it was made."""

    @functools.wraps(method)
    def make(self: Any, *args: Any) -> Any:
        result = method(self, *args)
        self.made.append((result, method.__name__, self.variant, args))
        return result

    return make


class BoolectorBinding:
    """One `Boolector` at a time."""

    def __init__(self) -> None:
        self.variant = 0
        self.new()

    def capabilities(self) -> dict[str, Any]:
        return {
            "product": "boolector",
            "version": str(self.solver.Version()),
            "sorts": ["Bool", "BitVec", "Array", "->"],
            "operators": [*(name for table in TABLES for name in table), *OTHER_OPERATORS],
            "features": [
                "incremental", "assumptions", "models", "unsat-assumptions", "functions",
                "flat-functions", "bind-once", "one-shot", "quantifiers",
            ],
            "special_values": {"BitVec": ["zero", "one", "ones"], "Bool": ["true", "false"]},
            "feature_options": [
                *(
                    {"feature": name, "option": "incremental", "share": 0.85, "on": "1", "off": "0"}
                    for name in ("incremental", "assumptions", "unsat-assumptions")
                ),
                {"feature": "models", "option": "model-gen", "share": 0.85, "on": "2", "off": "0"},
                # In incremental mode they are refused, or crash.
                {"feature": "quantifiers", "option": "incremental", "on": "0", "off": "1",
                 "is_default": True},
            ],
            # "quantifiers with functions not supported yet", or a crash
            "exclusive_theories": [["quantifiers", "arrays"], ["quantifiers", "uf"]],
            "options": drawable_options(),
            "restrictions": [
                {"option": "engine", "value": value, "sorts": ["Array", "->"],
                 "features": ["functions", "quantifiers"]}
                for value in WITHOUT_FUNCTIONS
            ],
            "late_option_errors": True,
            "refusals": [
                r"not supported", r"boolector_set_opt: [^\n]*cannot be enabled", r"not compiled",
            ],
            "extras": [
                {"name": "simplify", "states": ["assert", "check_sat"], "weight": 2},
                {"name": "clone", "returns": "verdict", "states": ["check_sat"], "weight": 1,
                 "needs": ["incremental"]},
                {"name": "read-back", "returns": "verdict", "states": ["sat", "unsat"], "weight": 2},
                {"name": "dump-term", "args": ["term"], "returns": "text", "weight": 0.5},
                {"name": "dump", "returns": "text", "states": ["assert"], "weight": 0.5},
            ],
        }  # fmt: skip

    def new(self) -> None:
        self.solver = pyboolector.Boolector()
        self.sorts: dict[tuple[Any, ...], Any] = {}
        self.assumed: list[TypedNode] = []
        self.asserted: list[TypedNode] = []
        self.is_incremental = False
        self.levels = 0
        # The calls that have made terms, with their variants: no other instance can use a node.
        self.made: list[tuple[TypedNode, str, int, tuple[Any, ...]]] = []

    def delete(self) -> None:
        self.new()

    def set_logic(self, name: str) -> None:
        """Boolector has no logics."""

    def set_option(self, name: str, value: str) -> None:
        if name == "sat-solver":
            self.solver.Set_sat_solver(value)
            return
        number = {"true": 1, "false": 0}.get(value)
        self.is_incremental |= (name, value) == ("incremental", "1")
        option = getattr(pyboolector.BtorOption, "BTOR_OPT_" + name.upper().replace("-", "_"))
        self.solver.Set_opt(option, int(value) if number is None else number)

    # -- sorts and inputs --------------------------------------------------------------------------

    def sort(self, name: str, indices: tuple[int, ...], args: tuple[SortHandle, ...]) -> Any:
        return (name, *indices, *(arg.native for arg in args))

    def native_sort(self, sort: tuple[Any, ...]) -> Any:
        """Boolector's object for a sort in SMT-LIB."""
        if sort not in self.sorts:
            solver = self.solver
            if sort == BOOL:
                native = solver.BitVecSort(1)  # variables cannot have its BoolSort
            elif sort[0] == "BitVec":
                native = solver.BitVecSort(sort[1])
            elif sort[0] == "Array":
                native = solver.ArraySort(self.native_sort(sort[1]), self.native_sort(sort[2]))
            else:
                native = solver.FunSort(
                    [self.native_sort(each) for each in sort[1:-1]], self.native_sort(sort[-1])
                )
            self.sorts[sort] = native
        return self.sorts[sort]

    @recorded
    def const(self, sort: SortHandle, name: str) -> Any:
        maker = {"Array": self.solver.Array, "->": self.solver.UF}.get(sort.name, self.solver.Var)
        return TypedNode(maker(self.native_sort(sort.native), name), sort.native, name)

    @recorded
    def var(self, sort: SortHandle, name: str) -> Any:
        return TypedNode(self.solver.Param(self.native_sort(sort.native), name), sort.native, name)

    @recorded
    def value(self, sort: SortHandle, text: str) -> Any:
        if sort.name == "Bool":
            return TypedNode(self.solver.Const(text == "true"), sort.native)
        bases = {"#b": 2, "#x": 16}
        if text.startswith("#b") and self.variant % 2:
            return TypedNode(self.solver.Const(text[2:]), sort.native)
        number = int(text[2:], bases[text[:2]]) if text[:2] in bases else int(text)
        return TypedNode(self.solver.Const(number, sort.indices[0]), sort.native)

    @recorded
    def special(self, sort: SortHandle, name: str) -> Any:
        if sort.name == "Bool":
            return TypedNode(self.solver.Const(name == "true"), sort.native)
        numbers = {"zero": 0, "one": 1, "ones": (1 << sort.indices[0]) - 1}
        return TypedNode(self.solver.Const(numbers[name], sort.indices[0]), sort.native)

    # -- terms -------------------------------------------------------------------------------------

    @recorded
    def term(self, operator: str, indices: tuple[int, ...], args: list[Any], sort: SortHandle | None) -> Any:
        solver, nodes = self.solver, [arg.node for arg in args]
        other = other_node(solver, operator, nodes, args[0].sort) if self.variant % 4 == 1 else None
        if other is not None:
            return TypedNode(other, args[0].sort)
        if operator in UNARY:
            return TypedNode(getattr(solver, UNARY[operator])(nodes[0]), args[0].sort)
        if operator in BINARY:
            return TypedNode(getattr(solver, BINARY[operator])(*nodes), args[0].sort)
        if operator in FOLDED:
            return self.folded(operator, nodes, args)
        if operator in PREDICATES:
            return TypedNode(getattr(solver, PREDICATES[operator])(*nodes), BOOL)
        if operator in SHIFTS:
            return TypedNode(getattr(solver, SHIFTS[operator])(*nodes), args[0].sort)
        if operator in ROTATIONS:
            return self.rotated(operator, indices[0] % args[0].sort[1], args[0])
        if operator in REDUCTIONS:
            return TypedNode(getattr(solver, REDUCTIONS[operator])(nodes[0]), ("BitVec", 1))
        if operator in ("extract", "repeat", "zero_extend", "sign_extend"):
            return self.resized(operator, indices, args[0])
        return self.other(operator, nodes, args, sort)

    def folded(self, operator: str, nodes: list[Any], args: list[Any]) -> Any:
        call, result = getattr(self.solver, FOLDED[operator]), nodes[0]
        for node in nodes[1:]:
            result = call(result, node)
        wide = ("BitVec", sum(arg.sort[1] for arg in args)) if operator == "concat" else args[0].sort
        return TypedNode(result, wide)

    def rotated(self, operator: str, by: int, arg: Any) -> Any:
        """A rotation; Boolector's own take only widths that are powers of two."""
        solver, width = self.solver, arg.sort[1]
        if width > 1 and width & (width - 1) == 0 and self.variant % 2:
            return TypedNode(getattr(solver, ROTATIONS[operator])(arg.node, by), arg.sort)
        cut = width - by if operator == "rotate_left" else by
        if cut in (0, width):
            return arg
        return TypedNode(
            solver.Concat(solver.Slice(arg.node, cut - 1, 0), solver.Slice(arg.node, width - 1, cut)),
            arg.sort,
        )

    def resized(self, operator: str, indices: tuple[int, ...], arg: Any) -> Any:
        solver, width = self.solver, arg.sort[1]
        if operator == "extract":
            return TypedNode(solver.Slice(arg.node, *indices), ("BitVec", indices[0] - indices[1] + 1))
        if operator == "repeat":
            return TypedNode(solver.Repeat(arg.node, indices[0]), ("BitVec", width * indices[0]))
        call = solver.Uext if operator == "zero_extend" else solver.Sext
        return TypedNode(call(arg.node, indices[0]), ("BitVec", width + indices[0]))

    def other(self, operator: str, nodes: list[Any], args: list[Any], sort: SortHandle | None) -> Any:
        solver = self.solver
        if operator == "not":
            return TypedNode(solver.Not(nodes[0]), BOOL)
        if operator == "ite":
            return TypedNode(solver.Cond(*nodes), args[1].sort)
        if operator == "select":
            return TypedNode(solver.Read(*nodes), args[0].sort[2])
        if operator == "store":
            return TypedNode(solver.Write(*nodes), args[0].sort)
        if operator == "const" and sort is not None:
            return TypedNode(solver.ConstArray(self.native_sort(sort.native), nodes[0]), sort.native)
        if operator == "apply":
            return TypedNode(solver.Apply(nodes[1:], nodes[0]), args[0].sort[-1])
        if operator in QUANTIFIERS:
            maker = solver.Forall if operator == "forall" else solver.Exists
            return TypedNode(maker(nodes[:-1], nodes[-1]), BOOL)
        if operator == "=>":
            result = nodes[-1]
            for node in reversed(nodes[:-1]):
                result = solver.Implies(node, result)
            return TypedNode(result, BOOL)
        if operator == "bvcomp":
            return TypedNode(solver.Eq(*nodes), ("BitVec", 1))
        if operator == "=":
            is_iff = args[0].sort == BOOL and self.variant % 3 == 1
            links = [(solver.Iff if is_iff else solver.Eq)(a, b) for a, b in pairwise(nodes)]
        else:
            links = [solver.Ne(a, b) for place, a in enumerate(nodes) for b in nodes[place + 1 :]]
        result = links[0]
        for link in links[1:]:
            result = solver.And(result, link)
        return TypedNode(result, BOOL)

    @recorded
    def define(self, name: str, variables: list[Any], body: Any) -> Any:
        del name
        sort = ("->", *(each.sort for each in variables), body.sort)
        return TypedNode(self.solver.Fun([each.node for each in variables], body.node), sort)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.asserted.append(term)
        if self.is_incremental and self.variant % 4 == 1:
            self.solver.Assume(term.node)
            self.solver.Fixate_assumptions()
        else:
            self.solver.Assert(term.node)

    def check(self, assumptions: list[Any]) -> str:
        self.assumed = assumptions
        if self.is_incremental and self.variant % 4 == 1 and self.asserted:
            self.solver.Assume(self.solver.Not(self.asserted[-1].node))
            self.solver.Reset_assumptions()
        for each in assumptions:
            self.solver.Assume(each.node)
        return self.verdict(self.solver, self.solver.Sat())

    @staticmethod
    def verdict(solver: Any, result: Any) -> str:
        return {solver.SAT: "sat", solver.UNSAT: "unsat"}.get(result, "unknown")

    def get_value(self, term: Any) -> str:
        """Boolector lists only some entries of arrays and functions, which is not a value."""
        if term.sort[0] in ("Array", "->"):
            list(term.node.assignment)
            return ""
        bits = term.node.assignment
        if term.sort == BOOL:
            return "true" if bits == "1" else "false"
        return f"#b{bits.replace('x', '0')}"

    def get_model(self) -> str:
        return captured(lambda: self.solver.Print_model("smt2"))

    def one_shot(self, terms: list[Any]) -> str:
        """The terms are made again in another instance."""
        fresh, by_number = BoolectorBinding(), dict[int, Any]()

        def again(value: Any) -> Any:
            if isinstance(value, list):
                return [again(each) for each in value]
            return by_number[id(value)] if isinstance(value, TypedNode) else value

        if any(method == "term" and args[0] in QUANTIFIERS for _, method, _, args in self.made):
            fresh.set_option("incremental", "0")
        for result, method, variant, args in self.made:
            fresh.variant = variant
            by_number[id(result)] = getattr(fresh, method)(*map(again, args))
        for term in terms:
            fresh.solver.Assert(by_number[id(term)].node)
        return self.verdict(fresh.solver, fresh.solver.Sat())

    def get_unsat_assumptions(self) -> list[Any]:
        nodes = [each.node for each in self.assumed]
        failed = self.solver.Failed(*nodes)
        failed = failed if isinstance(failed, list) else [failed]
        return [each for each, is_failed in zip(self.assumed, failed, strict=True) if is_failed]

    def push(self, levels: int) -> None:
        self.solver.Push(levels)
        self.levels += levels

    def pop(self, levels: int) -> None:
        self.solver.Pop(levels)
        self.levels -= levels

    # -- queries of terms --------------------------------------------------------------------------

    def print(self, term: Any) -> str:
        return captured(lambda: term.node.Dump("smt2"))

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
            for each in self.asserted[-1:]:
                clone.Assume(clone.Match(each.node))
            return self.verdict(clone, clone.Sat())
        if name == "read-back":
            return self.read_back()
        return captured(lambda: self.solver.Dump("smt2"))

    def read_back(self) -> str:
        """The verdict of another instance on what this one prints: the assertions of the lowest level."""
        if self.levels:
            return ""
        text = captured(lambda: self.solver.Dump("smt2"))
        fresh = pyboolector.Boolector()
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
            file.write(text)
            file.flush()
            result, _status, error = fresh.Parse(file.name)
        if error:
            raise ValueError(error)
        return self.verdict(fresh, result)


def drawable_options() -> list[dict[str, Any]]:
    """The options that may be drawn. The library does not say which of its options are meant for users."""
    infos: list[dict[str, Any]] = [
        {"name": "sat-solver", "kind": "mode", "default": SAT_SOLVERS[0], "choices": SAT_SOLVERS}
    ]
    for option in pyboolector.Boolector().Options():
        if option.lng in NEVER:
            continue
        described = {"name": option.lng, "kind": "int", "default": str(option.dflt)}
        if option.lng == "engine":
            described |= {"kind": "mode", "choices": [str(n) for n in range(option.min, option.max + 1)]}
        elif (option.min, option.max) == (0, 1):
            described |= {"kind": "bool", "default": "true" if option.dflt else "false"}
        else:
            described |= {"minimum": option.min, "maximum": option.max}
        is_check = option.lng.startswith("chk-")
        is_internal = not option.desc  # without a description
        described["category"] = "self-check" if is_check else "expert" if is_internal else "regular"
        infos.append(described)
    return infos


def captured(write: Callable[[], object]) -> str:
    """The text that a call prints to standard output, which goes to a file without a name meanwhile.

    A call that writes to a named file would show up in recorded programs.
    """
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile() as file:
        libc.fflush(None)
        copy = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            write()
        finally:
            libc.fflush(None)
            os.dup2(copy, 1)
            os.close(copy)
        file.seek(0)
        return file.read().decode()


Binding = BoolectorBinding
