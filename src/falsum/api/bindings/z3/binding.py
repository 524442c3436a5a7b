"""The binding of z3's library."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from . import operators as tables
from .extras import EXTRAS, Z3Extras
from .library import z3
from .terms import IS_POLYMORPHIC, Z3Terms, has_function

# Functions defined as recursive ones are printed with an index: `(_ g 0)`.
INDEXED = re.compile(r"\(_ (g\d+) 0\)")


class Z3Binding(Z3Terms):
    """One solver at a time in one context; some runs start a new context."""

    def __init__(self) -> None:
        self.variant = 0
        self.extras = Z3Extras(self)
        self.current_context: Any = None
        self.changed_options: dict[str, str] = {}
        self.runs = 0
        self.new()

    def capabilities(self) -> dict[str, Any]:
        return {
            "product": "z3",
            "version": z3.get_version_string(),
            "sorts": [
                "Bool", "Int", "Real", "BitVec", "FloatingPoint", "RoundingMode", "Array", "->",
                # Before the standard had strings, z3's had other escapes and other semantics.
                *(["String", "RegLan", "Seq"] if has_function("string_to_code") else []),
                *(["Set"] if has_function("finite_set_sort") else []),
                *(["FiniteField"] if has_function("finite_field_sort") else []),
            ],
            "operators": self.find_operators(),
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "declared-sorts", "quantifiers", "logic", "reset", "reset-assertions", "assertions",
                "children", "sort-of",
                "print", "one-shot", "datatypes", "updaters",
                "function-values", "nested-arrays", "array-indices",
                *(["parametric-datatypes"] if IS_POLYMORPHIC else []),
            ],
            "special_values": tables.SPECIAL_VALUES,
            "constant_arguments": {"re.range": [0, 1]},
            "refusals": [r"unsupported", r"(?:not|only) supported", r"not implemented", r"unknown parameter",
                         r"[Ii]nvalid parameter", r"failed to retrieve value",
                         r"logic .* is not", r"canceled", r"resource limit", r"illegal \S+ (?:\S+ )?numeral",
                         r"illegal arithmetic solver used with",
                         r"does not apply to",  # a tactic
                         r"reached max unfolding", r"\(incomplete ",  # internal limits
                         r"invalid pattern",  # ours are any terms with all the variables in them
                         r"solvers created using tactics", r"formula is not hoistable",
                         # quantifier elimination:
                         r"formula contains uninterpreted functions", r"cannot be disabled for qsat",
                         r"sat\.giveup", r"could not evaluate Boolean in model",
                         r"mbp evaluation was only partial"],
            "extras": EXTRAS,
        }  # fmt: skip

    def new(self) -> None:
        self.runs += 1
        if self.changed_options or self.has_definitions or self.runs % 50 == 0 or self.variant % 10 == 1:
            self.current_context = None
        self.is_tracking = self.variant % 2 == 1
        self.logic = ""
        self.current_solver: Any = None
        self.tracked_terms: dict[int, Any] = {}
        self.levels: list[list[Any]] = [[]]  # the assertions by level; z3 lists them simplified
        self.members: dict[str, Any] = {}
        self.is_context_unused = True
        while self.changed_options:
            set_parameter(*self.changed_options.popitem())
        self.has_definitions = False

    has_definitions = False

    @property
    def context(self) -> Any:
        """The context, made on demand: every option needs a new one, and making one takes longer than a small
        check.
        """
        if self.current_context is None:
            self.current_context = z3.Context()
        return self.current_context

    @property
    def ref(self) -> Any:
        return self.context.ref()

    def delete(self) -> None:
        self.current_solver = None
        self.tracked_terms = {}
        self.levels = [[]]

    @property
    def solver(self) -> Any:
        if self.current_solver is None:
            if self.logic:
                self.current_solver = z3.SolverFor(self.logic, ctx=self.context)
            else:
                self.current_solver = z3.Solver(ctx=self.context)
        return self.current_solver

    def set_logic(self, name: str) -> None:
        self.logic = name

    def set_option(self, name: str, value: str) -> None:
        """Set a global parameter; it takes effect in a context that is made after it."""
        before = z3.get_param(name)
        set_parameter(name, value)
        self.changed_options.setdefault(name, before)
        if self.is_context_unused:
            self.current_context = None

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        if self.is_tracking:
            name = z3.FreshConst(z3.BoolSort(ctx=self.context), "falsum")
            self.tracked_terms[name.get_id()] = (name, term)
            self.solver.assert_and_track(term, name)
        else:
            self.solver.add(term)
        self.levels[-1].append(term)

    def check(self, assumptions: list[Any]) -> str:
        return str(self.solver.check(*assumptions))

    def get_value(self, term: Any) -> str:
        model = self.solver.model()
        if isinstance(term, z3.FuncDeclRef):
            return interpretation(model, term)
        return str(model.eval(term, model_completion=True).sexpr())

    def get_model(self) -> str:
        return with_standard_sets(str(self.solver.model().sexpr()))

    def get_core(self) -> list[Any]:
        """The tracked assertions; without tracking z3 reports only assumptions, so all assertions count."""
        core = self.solver.unsat_core()
        if not self.is_tracking:
            return [*(term for level in self.levels for term in level), *core]
        return [self.tracked_terms[each.get_id()][1] for each in core if each.get_id() in self.tracked_terms]

    def get_unsat_assumptions(self) -> list[Any]:
        return [each for each in self.solver.unsat_core() if each.get_id() not in self.tracked_terms]

    def one_shot(self, terms: list[Any]) -> str:
        fresh = z3.Solver(ctx=self.context)
        fresh.add(*terms)
        return str(fresh.check())

    def push(self, levels: int) -> None:
        for _ in range(levels):
            self.solver.push()
            self.levels.append([])

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)
        del self.levels[-levels:]

    def reset(self) -> None:
        self.current_solver = None
        self.logic = ""
        self.levels = [[]]

    def reset_assertions(self) -> None:
        self.solver.reset()
        self.levels = [[]]

    def assertions(self) -> list[Any]:
        return list(self.solver.assertions())

    # -- queries of terms --------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return list(term.children()) if isinstance(term, z3.ExprRef) else []

    def sort_of(self, term: Any) -> str:
        if isinstance(term, z3.ExprRef):
            return sort_text(term.sort())
        if isinstance(term, tables.InlineDefinition):
            parts = [*(v.sort() for v in term.variables), term.body.sort()]
        else:
            parts = [*(term.domain(index) for index in range(term.arity())), term.range()]
        return f"(-> {' '.join(map(sort_text, parts))})"

    def print(self, term: Any) -> str:
        text = str(term.body.sexpr() if isinstance(term, tables.InlineDefinition) else term.sexpr())
        return INDEXED.sub(r"\1", text)

    def key(self, term: Any) -> object:
        return term.get_id()

    def extra(self, name: str, args: list[Any]) -> Any:
        return self.extras.run(name, args)


def set_parameter(name: str, value: str) -> None:
    """Set a global parameter; also used to restore defaults, since `reset_params` of 5.4 forgets a dozen
    modules.

    z3 prints small numbers as 1e-05, which it does not parse.
    """
    if "e-" in value and value.replace("e-", "").replace(".", "").isdigit():
        value = format(Decimal(value), "f")
    z3.set_param(name, {"true": True, "false": False}.get(value, value))


def sort_text(sort: Any) -> str:
    return with_standard_sets(str(sort.sexpr()))


def with_standard_sets(text: str) -> str:
    """The text with z3's sort FiniteSet renamed to the name that other solvers use."""
    return text.replace("(FiniteSet ", "(Set ")


def interpretation(model: Any, function: Any) -> str:
    """A function's interpretation as a lambda.

    For a function that the model leaves open `get_interp` returns None or, in 5.4, an object whose methods
    raise "ast is null"; evaluating an application with completion first gives it an interpretation.
    """
    inputs = [z3.FreshConst(function.domain(index), "falsum") for index in range(function.arity())]
    model.eval(function(*inputs), model_completion=True)
    table = model.get_interp(function)
    if table is None or not isinstance(table, z3.FuncInterp):
        return "" if table is None else str(table.sexpr())
    names = [f"x!{index}" for index in range(function.arity())]
    try:
        body = str(table.else_value().sexpr())
    except (z3.Z3Exception, AttributeError):  # no default value: z3 raises, or returns None
        body = ""
    for index in reversed(range(table.num_entries())):
        entry = table.entry(index)
        tests = " ".join(f"(= {name} {entry.arg_value(i).sexpr()})" for i, name in enumerate(names))
        body = f"(ite (and {tests} true) {entry.value().sexpr()} {body or entry.value().sexpr()})"
    binders = " ".join(f"({name} {function.domain(i).sexpr()})" for i, name in enumerate(names))
    return f"(lambda ({binders}) {body})" if body else ""


Binding = Z3Binding
