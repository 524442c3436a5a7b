"""The binding of cvc5's library, releases from 1.0.7 on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cvc5
from cvc5 import Kind

from . import operators as tables
from .extras import SHARES_TERMS, Cvc5Extras, supported_extras
from .terms import Cvc5Terms

REQUIRED_OPTIONS = ("arrays-exp", "sets-exp")
# "sygus not supported with proofs or unsat cores"
CORES = ["produce-unsat-cores", "produce-unsat-assumptions"]
SYGUS = ["produce-interpolants", "produce-abducts"]
FEATURE_OPTIONS = (
    {"feature": "incremental", "option": "incremental", "share": 0.85, "is_default": True},
    {"feature": "models", "option": "produce-models", "share": 0.85},
    {"feature": "cores", "option": "produce-unsat-cores", "share": 0.5},
    {"feature": "unsat-assumptions", "option": "produce-unsat-assumptions", "share": 0.5},
    # What the solver under test explains itself; in the other runs a fresh one does, with these options.
    {"feature": "interpolants", "option": "produce-interpolants", "share": 0.35, "unless": CORES},
    {"feature": "abducts", "option": "produce-abducts", "share": 0.35, "unless": CORES},
    {"feature": "proofs", "option": "produce-proofs", "share": 0.15, "unless": SYGUS},
    {"feature": "difficulty", "option": "produce-difficulty", "share": 0.1},
    {"feature": "learned-literals", "option": "produce-learned-literals", "share": 0.12},
    {"feature": "all-floats", "option": "fp-exp", "share": 0.4, "theory": "floats"},
)
# What is not there in safe mode, found by trying all sorts and operators.
SAFE_MODE = {
    "option": "safe-mode",
    "value": "safe",
    "sorts": ["FloatingPoint", "RoundingMode", "Bag", "Nullable"],
    "operators": (
        "^ int.pow2 int.log2 iand piand csc sec cot arccsc arcsec arccot set.card set.choose "
        "set.is_singleton rel.group const"
    ).split(),
    "features": ["codatatypes", "higher-order", "set-comprehensions", "all-floats"],
}


class Cvc5Binding(Cvc5Terms):
    """One `Solver` at a time."""

    def __init__(self) -> None:
        self.variant = 0
        super().__init__()
        self.extras = Cvc5Extras(self)
        self.new()

    def capabilities(self) -> dict[str, Any]:
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
                "parametric-datatypes", "higher-order", "all-floats", "set-comprehensions",
                "proofs", "interpolants", "abducts", "difficulty", "learned-literals",
                *(["one-shot"] if SHARES_TERMS else []),
            ],
            "special_values": {"Bool": ["true", "false"], "FloatingPoint": list(tables.FLOATS)},
            "float_formats": [[8, 24], [11, 53]],
            "constant_arguments": {"const": [0], "re.range": [0, 1]},
            "required_options": [
                [name, "true"] for name in REQUIRED_OPTIONS if name in self.solver.getOptionNames()
            ],
            "feature_options": [
                each for each in FEATURE_OPTIONS if each["option"] in self.solver.getOptionNames()
            ],
            "restrictions": [SAFE_MODE],
            "late_option_errors": True,
            # Options that change how terms are printed, since the parent reads them.
            "excluded_options": ["expr-depth", "dag-thresh", "output", "output-lang", "output-language",
                         "print-success"],
            "refusals": [
                r"Cannot translate (?:bound variable )?to Int",
                r"Cannot get-value when --",
                r"not (?:yet )?support(?:ed)?\b",
                r"can only be a positive integral constant",
                r"was preregistered to the UF theory",  # quantifier elimination with functions
                r"[Uu]nsupported",
                r"[Cc]annot (?:be used|handle)",
                r"is not enabled",
                r"in this configuration|in safe mode",
                r"when quantifiers are not present|not handled by single invocation",
                # Options that exclude each other or are not built in; a value that is not accepted is a
                # mistake of the binding or a defect.
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
                r"Symbol '\S+' not declared as a",  # it cannot parse what it prints for its own operators
            ],
            "extras": supported_extras(),
        }  # fmt: skip

    def new(self) -> None:
        self.start()

    def delete(self) -> None:
        self.new()

    def set_logic(self, name: str) -> None:
        self.solver.setLogic(name)
        self.logic = name

    def set_option(self, name: str, value: str) -> None:
        self.solver.setOption(name, value)
        self.options[name] = value
        self.is_safe |= (name, value) == (SAFE_MODE["option"], SAFE_MODE["value"])

    # -- solving -----------------------------------------------------------------------------------

    def assert_(self, term: Any) -> None:
        self.solver.assertFormula(term)

    def check(self, assumptions: list[Any]) -> str:
        self.assumptions = assumptions
        result = self.solver.checkSatAssuming(*assumptions) if assumptions else self.solver.checkSat()
        return verdict(result)

    def get_value(self, term: Any) -> str:
        return str(self.solver.getValue(term))

    def get_model(self) -> str:
        return str(self.solver.getModel(self.declared_sorts, self.constants))

    def get_core(self) -> list[Any]:
        return self.without_definitions(self.solver.getUnsatCore())

    def without_definitions(self, core: Iterable[Any]) -> list[Any]:
        """A core without definitions, which cvc5 lists as equalities with a lambda or as quantifiers."""
        defined = {str(function) for function, _variables, _body in self.definitions}
        return [each for each in core if not is_definition(each, defined)]

    def get_unsat_assumptions(self) -> list[Any]:
        return list(self.solver.getUnsatAssumptions())

    def one_shot(self, terms: list[Any]) -> str:
        return verdict(self.extras.fresh(terms).checkSat())

    def definition_formulas(self) -> list[Any]:
        """The definitions as formulas, for a fresh solver: they belong to the solver they were made in."""
        formulas = []
        for function, variables, body in self.definitions:
            application = self.manager.mkTerm(Kind.APPLY_UF, function, *variables)
            equal = self.manager.mkTerm(Kind.EQUAL, application, body)
            variable_list = self.manager.mkTerm(Kind.VARIABLE_LIST, *variables)
            formulas.append(self.manager.mkTerm(Kind.FORALL, variable_list, equal))
        return formulas

    def push(self, levels: int) -> None:
        self.solver.push(levels)

    def pop(self, levels: int) -> None:
        self.solver.pop(levels)

    def reset(self) -> None:
        """The library has no reset."""
        raise NotImplementedError

    def reset_assertions(self) -> None:
        self.solver.resetAssertions()

    def assertions(self) -> list[Any]:
        return list(self.solver.getAssertions())

    # -- queries of terms --------------------------------------------------------------------------

    def children(self, term: Any) -> list[Any]:
        return [term[index] for index in range(term.getNumChildren())]

    def sort_of(self, term: Any) -> str:
        return str(term.getSort())

    def print(self, term: Any) -> str:
        return str(term)

    def key(self, term: Any) -> object:
        return term.getId()

    def declared_script(self, terms: list[Any]) -> str:
        """A script that asserts terms, as cvc5 prints them; "" if not all declarations can be printed."""
        if self.definitions or not self.is_printable:
            return ""
        rows = ["(set-logic HO_ALL)", "(set-option :arrays-exp true)", "(set-option :sets-exp true)"]
        rows += ["(set-option :fp-exp true)"] * ("fp-exp" in self.solver.getOptionNames())
        rows += [f"(declare-sort {sort} 0)" for sort in self.declared_sorts]
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
    """Whether a term of a core is a definition; recognised by its shape, since its id is a new one."""
    if term.getKind() == Kind.EQUAL:
        return bool(term[1].getKind() == Kind.LAMBDA)
    if term.getKind() != Kind.FORALL or term[1].getKind() != Kind.EQUAL:
        return False
    application = term[1][0]
    return bool(application.getKind() == Kind.APPLY_UF and str(application[0]) in defined)


Binding = Cvc5Binding
