"""Z3's library as a binding; run by `serve.py`, never by falsum itself.

What a release does not have is not among its operators.
"""

from __future__ import annotations

import importlib
import re
import sys
import types
from decimal import Decimal
from pathlib import Path
from typing import Any

# Releases before 4.12 look for their library with it; the real one takes longer to load than z3.
stand_in = types.ModuleType("pkg_resources")
stand_in.resource_filename = lambda package, name: str(  # type: ignore[attr-defined]
    Path(next(p for p in sys.path if Path(p, package).is_dir()), package, name)
)
sys.modules["pkg_resources"] = stand_in
# 4.12.3 wants the package that has become a part of Python.
sys.modules.setdefault("importlib_resources", importlib.import_module("importlib.resources"))

# Not `import z3`: this file has the same name.
z3: Any = importlib.import_module("z3")


INDEXED = re.compile(r"\(_ (g\d+) 0\)")
terms: Any = importlib.import_module("beside.z3_terms")
tables: Any = terms.tables
extras: Any = importlib.import_module("beside.z3_extras")


class Binding(terms.Terms):  # type: ignore[misc]
    """One solver at a time in one context; a new context now and then."""

    def __init__(self) -> None:
        self.number = 0
        self.extras = extras.Extras(self)
        self.made_context: Any = None
        self.changed: dict[str, str] = {}
        self.used = 0
        self.new()

    def hello(self) -> dict[str, Any]:
        return {
            "product": "z3",
            "version": z3.get_version_string(),
            "sorts": [
                "Bool", "Int", "Real", "BitVec", "FloatingPoint", "RoundingMode", "Array", "->",
                # Before the standard had strings z3's had other escapes and other semantics.
                *(["String", "RegLan", "Seq"] if terms.there("string_to_code") else []),
                *(["Set"] if terms.there("finite_set_sort") else []),
                *(["FiniteField"] if terms.there("finite_field_sort") else []),
            ],
            "operators": self.explore(),
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "declared-sorts", "quantifiers", "logic", "reset", "reset-assertions", "assertions",
                "children", "sort-of",
                "print", "one-shot", "datatypes", "updaters",
                "function-values", "nested-arrays", "array-indices",
                *(["parametric-datatypes"] if terms.IS_POLYMORPHIC else []),
            ],
            "specials": tables.SPECIALS,
            "constant_arguments": {"re.range": [0, 1]},
            "refusals": [r"unsupported", r"(?:not|only) supported", r"not implemented", r"unknown parameter",
                         r"[Ii]nvalid parameter", r"failed to retrieve value",
                         r"logic .* is not", r"canceled", r"resource limit", r"illegal \S+ (?:\S+ )?numeral",
                         r"illegal arithmetic solver used with",
                         r"does not apply to",  # of a tactic
                         r"reached max unfolding", r"\(incomplete ",  # limits of its own
                         r"invalid pattern",  # ours are whatever has all the variables in it
                         r"solvers created using tactics", r"formula is not hoistable",
                         # of quantifier elimination:
                         r"formula contains uninterpreted functions", r"cannot be disabled for qsat",
                         r"sat\.giveup", r"could not evaluate Boolean in model",
                         r"mbp evaluation was only partial"],
            "extras": extras.EXTRAS,
        }  # fmt: skip

    def new(self) -> None:
        self.used += 1
        if self.changed or self.is_defining or self.used % 50 == 0 or self.number % 10 == 1:
            self.made_context = None
        self.tracks = self.number % 2 == 1
        self.logic = ""
        self.made: Any = None
        self.tracked: dict[int, Any] = {}
        self.told: list[list[Any]] = [[]]  # by level; what z3 lists may have been made simpler
        self.members: dict[str, Any] = {}
        self.untouched = True
        while self.changed:
            set_parameter(*self.changed.popitem())
        self.is_defining = False

    is_defining = False

    @property
    def context(self) -> Any:
        """Made when it is needed: every option wants a new one, and one takes longer than a small check."""
        if self.made_context is None:
            self.made_context = z3.Context()
        return self.made_context

    @property
    def ref(self) -> Any:
        return self.context.ref()

    def delete(self) -> None:
        self.made = None
        self.tracked = {}
        self.told = [[]]

    @property
    def solver(self) -> Any:
        if self.made is None:
            if self.logic:
                self.made = z3.SolverFor(self.logic, ctx=self.context)
            else:
                self.made = z3.Solver(ctx=self.context)
        return self.made

    def set_logic(self, name: str) -> None:
        self.logic = name

    def set_option(self, name: str, value: str) -> None:
        """Taken when a context is made; terms of an old one are of no use in a new one."""
        before = z3.get_param(name)
        set_parameter(name, value)
        self.changed.setdefault(name, before)
        if self.untouched:
            self.made_context = None

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        if self.tracks:
            name = z3.FreshConst(z3.BoolSort(ctx=self.context), "falsum")
            self.tracked[name.get_id()] = (name, term)
            self.solver.assert_and_track(term, name)
        else:
            self.solver.add(term)
        self.told[-1].append(term)

    def check(self, assumptions: list[Any]) -> str:
        return str(self.solver.check(*assumptions))

    def get_value(self, term: Any) -> str:
        model = self.solver.model()
        if isinstance(term, z3.FuncDeclRef):
            return interpretation(model, term)
        return str(model.eval(term, model_completion=True).sexpr())

    def get_model(self) -> str:
        return str(self.solver.model().sexpr())

    def get_core(self) -> list[Any]:
        """The tracked ones; without tracking z3 tells of assumptions only, and all the others may matter."""
        core = self.solver.unsat_core()
        if not self.tracks:
            return [*(term for level in self.told for term in level), *core]
        return [self.tracked[each.get_id()][1] for each in core if each.get_id() in self.tracked]

    def get_unsat_assumptions(self) -> list[Any]:
        return [each for each in self.solver.unsat_core() if each.get_id() not in self.tracked]

    def one_shot(self, terms: list[Any]) -> str:
        fresh = z3.Solver(ctx=self.context)
        fresh.add(*terms)
        return str(fresh.check())

    def push(self, levels: int) -> None:
        for _ in range(levels):
            self.solver.push()
            self.told.append([])

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)
        del self.told[-levels:]

    def reset(self) -> None:
        self.made = None
        self.logic = ""
        self.told = [[]]

    def reset_assertions(self) -> None:
        self.solver.reset()
        self.told = [[]]

    def assertions(self) -> list[Any]:
        return list(self.solver.assertions())

    # -- asking about terms ------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return list(term.children()) if isinstance(term, z3.ExprRef) else []

    def sort_of(self, term: Any) -> str:
        if isinstance(term, z3.ExprRef):
            return sort_text(term.sort())
        if isinstance(term, tables.Unfolded):
            parts = [*(v.sort() for v in term.variables), term.body.sort()]
        else:
            parts = [*(term.domain(place) for place in range(term.arity())), term.range()]
        return f"(-> {' '.join(map(sort_text, parts))})"

    def print(self, term: Any) -> str:
        """Functions defined as recursive ones are printed with an index: `(_ g 0)`."""
        text = str(term.body.sexpr() if isinstance(term, tables.Unfolded) else term.sexpr())
        return INDEXED.sub(r"\1", text)

    def key(self, term: Any) -> object:
        return term.get_id()

    def extra(self, name: str, args: list[Any]) -> Any:
        return self.extras.run(name, args)


def set_parameter(name: str, value: str) -> None:
    """Set back one by one, too: after `reset_params` z3 5.4 does not know a dozen of its modules any more.

    It tells small numbers as 1e-05, which it does not read.
    """
    if "e-" in value and value.replace("e-", "").replace(".", "").isdigit():
        value = format(Decimal(value), "f")
    z3.set_param(name, {"true": True, "false": False}.get(value, value))


def sort_text(sort: Any) -> str:
    """As the rest of the world calls it."""
    return str(sort.sexpr()).replace("(FiniteSet ", "(Set ")


def interpretation(model: Any, function: Any) -> str:
    """A function's table as a lambda.

    For a function the model leaves open `get_interp` gives None or, in z3 5.4, a table that is no table (any
    call raises "ast is null"): asking for one value with completion makes the model say something.
    """
    inputs = [z3.FreshConst(function.domain(place), "falsum") for place in range(function.arity())]
    model.eval(function(*inputs), model_completion=True)
    table = model.get_interp(function)
    if table is None or not isinstance(table, z3.FuncInterp):
        return "" if table is None else str(table.sexpr())
    names = [f"x!{place}" for place in range(function.arity())]
    try:
        body = str(table.else_value().sexpr())
    except (z3.Z3Exception, AttributeError):  # a table without a default: z3 raises, or gives None
        body = ""
    for place in reversed(range(table.num_entries())):
        entry = table.entry(place)
        tests = " ".join(f"(= {name} {entry.arg_value(i).sexpr()})" for i, name in enumerate(names))
        body = f"(ite (and {tests} true) {entry.value().sexpr()} {body or entry.value().sexpr()})"
    binders = " ".join(f"({name} {function.domain(i).sexpr()})" for i, name in enumerate(names))
    return f"(lambda ({binders}) {body})" if body else ""
