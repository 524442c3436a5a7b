"""cvc5's library as a binding; run by `serve.py`, never by falsum itself. Releases from 1.0.7 on."""

from __future__ import annotations

import importlib
from typing import Any

# Not `import cvc5`: this file has the same name.
cvc5: Any = importlib.import_module("cvc5")
Kind: Any = cvc5.Kind


terms: Any = importlib.import_module("beside.cvc5_terms")
tables: Any = terms.tables
extras: Any = importlib.import_module("beside.cvc5_extras")


REQUIRED = (
    "incremental", "arrays-exp", "sets-exp", "produce-models", "produce-unsat-cores",
    "produce-unsat-assumptions",
)  # fmt: skip


class Binding(terms.Terms):  # type: ignore[misc]
    """One `Solver` at a time."""

    def __init__(self) -> None:
        self.number = 0
        super().__init__()
        self.extras = extras.Extras(self)
        self.new()

    def hello(self) -> dict[str, Any]:
        return {
            "product": "cvc5",
            "version": getattr(cvc5, "__version__", ""),
            "sorts": [name for name, method in tables.SORTS.items() if hasattr(self.manager, method)],
            "operators": [
                *self.kinds,
                *(name for name, method in tables.OTHERS.items() if hasattr(self.manager, method)),
            ],
            "features": [
                "incremental", "assumptions", "models", "cores", "unsat-assumptions", "functions",
                "declared-sorts",
                "quantifiers", "logic", "reset-assertions", "assertions", "children", "sort-of", "print",
                "function-values", "nested-arrays", "datatypes", "updaters", "codatatypes",
                "parametric-datatypes", "higher-order",
                *(["one-shot"] if extras.SHARED else []),
            ],
            "specials": {"Bool": ["true", "false"], "FloatingPoint": list(tables.FLOATS)},
            "float_formats": [[8, 24], [11, 53]],
            "constant_arguments": {"const": [0], "re.range": [0, 1]},
            "required": [[name, "true"] for name in REQUIRED if name in self.solver.getOptionNames()],
            # How deep and in which language terms are printed: we have to read them.
            "unwanted": ["expr-depth", "dag-thresh", "output", "output-lang", "output-language",
                         "print-success"],
            "refusals": [
                r"Cannot translate (?:bound variable )?to Int",
                r"Cannot get-value when --",
                r"not (?:yet )?support(?:ed)?\b",
                r"can only be a positive integral constant",
                r"was preregistered to the UF theory",  # of quantifier elimination with functions
                r"[Uu]nsupported",
                r"[Cc]annot (?:be used|handle)",
                r"is not enabled",
                # Of option parsing only what does not go together or was not built in: a value it does not
                # take is our mistake, or its own.
                r"rror in option parsing: .*(?:not support|requires a \w+ build|compatible)",
                r"rror in option parsing: .*[Cc]annot (?:use|be enabled|be set when)",
                r"with shadowed variables",
                r"doesn't include",
                r"not defined in this logic",
                r"unimplemented",
                r"only support(?:s|ed (?:in|with|when))",
                r"requires? (?:option|logic|incremental|--)",
                r"only (?:LRA|LIA|linear)",
                r"can(?:not|'t) (?:do|compute|get|solve)",
                r"Expecting a quantified formula",
                r"Symbol '\S+' not declared as a",  # what it prints of its own operators it cannot read
            ],
            "extras": extras.declared(),
        }  # fmt: skip

    def new(self) -> None:
        self.begin()

    def delete(self) -> None:
        self.new()

    def set_logic(self, name: str) -> None:
        self.solver.setLogic(name)
        self.logic = name

    def set_option(self, name: str, value: str) -> None:
        self.solver.setOption(name, value)

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.solver.assertFormula(term)

    def check(self, assumptions: list[Any]) -> str:
        result = self.solver.checkSatAssuming(*assumptions) if assumptions else self.solver.checkSat()
        return verdict(result)

    def get_value(self, term: Any) -> str:
        return str(self.solver.getValue(term))

    def get_model(self) -> str:
        return ""

    def get_core(self) -> list[Any]:
        """Without definitions, which it lists as equalities with a lambda or, recursive ones, quantified."""
        defined = {str(function) for function, _variables, _body in self.definitions}
        return [each for each in self.solver.getUnsatCore() if not is_definition(each, defined)]

    def get_unsat_assumptions(self) -> list[Any]:
        return list(self.solver.getUnsatAssumptions())

    def one_shot(self, terms: list[Any]) -> str:
        return verdict(self.extras.fresh(terms).checkSat())

    def definition_formulas(self) -> list[Any]:
        """Definitions belong to the solver they were made in: a fresh one is told what they say."""
        found = []
        for function, variables, body in self.definitions:
            applied = self.manager.mkTerm(Kind.APPLY_UF, function, *variables)
            equal = self.manager.mkTerm(Kind.EQUAL, applied, body)
            bound = self.manager.mkTerm(Kind.VARIABLE_LIST, *variables)
            found.append(self.manager.mkTerm(Kind.FORALL, bound, equal))
        return found

    def push(self, levels: int) -> None:
        self.solver.push(levels)

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)

    def reset(self) -> None:
        """Its library has none."""
        raise NotImplementedError

    def reset_assertions(self) -> None:
        self.solver.resetAssertions()

    def assertions(self) -> list[Any]:
        return list(self.solver.getAssertions())

    # -- asking about terms ------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return [term[place] for place in range(term.getNumChildren())]

    def sort_of(self, term: Any) -> str:
        return str(term.getSort())

    def print(self, term: Any) -> str:
        return str(term)

    def key(self, term: Any) -> object:
        return term.getId()

    def script(self, terms: list[Any]) -> str:
        """What it prints of these terms, with declarations; "" where there is more to declare."""
        if self.definitions or not self.is_told_in_words:
            return ""
        rows = ["(set-logic HO_ALL)", "(set-option :arrays-exp true)", "(set-option :sets-exp true)"]
        rows += [f"(declare-sort {sort} 0)" for sort in self.own_sorts]
        for constant in self.constants:
            sort = constant.getSort()
            inputs = sort.getFunctionDomainSorts() if sort.isFunction() else []
            result = sort.getFunctionCodomainSort() if sort.isFunction() else sort
            rows.append(f"(declare-fun {constant} ({' '.join(map(str, inputs))}) {result})")
        return "\n".join([*rows, *(f"(assert {term})" for term in terms), "(check-sat)"])

    def extra(self, name: str, args: list[Any]) -> Any:
        return self.extras.run(name, args)


def verdict(result: Any) -> str:
    return "sat" if result.isSat() else "unsat" if result.isUnsat() else "unknown"


def is_definition(term: Any, defined: set[str]) -> bool:
    """Of one of the functions that were defined; not to be told from it by its number."""
    if term.getKind() == Kind.EQUAL:
        return bool(term[1].getKind() == Kind.LAMBDA)
    if term.getKind() != Kind.FORALL or term[1].getKind() != Kind.EQUAL:
        return False
    applied = term[1][0]
    return bool(applied.getKind() == Kind.APPLY_UF and str(applied[0]) in defined)
