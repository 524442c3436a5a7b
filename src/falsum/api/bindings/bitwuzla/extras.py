"""Actions of Bitwuzla beyond the commands of SMT-LIB."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bitwuzla

HAS_INTERPOLANTS = hasattr(bitwuzla.Bitwuzla, "get_interpolant")
ANSWERED = ["sat", "unsat"]


def extra(name: str, args: list[str], returns: str = "nothing", **more: Any) -> dict[str, Any]:
    return {"name": name, "args": args, "returns": returns, **more}


UNSAT = {"states": ["unsat"], "precondition": "unsat assertions"}
EXTRAS = [
    extra("simplify-term", ["term"], "equal", weight=4),
    extra("simplify", [], states=["assert", "check_sat"], weight=2),
    extra("substitute", ["term", "input", "same-sort"], "term", weight=2),
    extra("inspect", ["any"], "text", weight=2),
    extra(
        "is-unsat-assumption",
        ["formula"],
        "text",
        states=["unsat"],
        precondition="unsat assumptions",
        needs=["unsat-assumptions"],
        weight=4,
    ),
    extra("interpolant", ["asserted"], "interpolant", weight=15, needs=["interpolants"], **UNSAT),
    extra(
        "interpolants", ["asserted", "asserted"], "interpolant", weight=10, needs=["interpolants"], **UNSAT
    ),
    extra("print-formula", ["2|10|16"], "text", states=["assert"]),
    extra("read-back", ["2|10|16"], "verdict", states=ANSWERED, weight=4),
    extra("core-back", ["2|10|16"], "verdict", weight=3, needs=["cores"], **UNSAT),
    extra("statistics", [], "nothing", states=["check_sat"], weight=0.5),
    extra("option-infos", [], "text", states=["check_sat"], weight=0.2),
]


def supported_extras() -> list[dict[str, Any]]:
    """The actions of this release."""
    names = {
        "interpolant": "get_interpolant",
        "interpolants": "get_interpolants",
        "core-back": "print_unsat_core",
    }
    methods = {each["name"]: names.get(each["name"], "check_sat") for each in EXTRAS}
    extras = [each for each in EXTRAS if hasattr(bitwuzla.Bitwuzla, methods[each["name"]])]
    return [each for each in extras if each["name"] != "substitute" or has_substitution()]


def has_substitution() -> bool:
    return hasattr(bitwuzla.TermManager, "substitute_term")


class BitwuzlaExtras:
    """The actions on a binding's term manager and solver."""

    def __init__(self, binding: Any) -> None:
        self.binding = binding
        self.calls: dict[str, Callable[..., Any]] = {
            "simplify-term": lambda term: binding.solver.simplify_term(term),  # noqa: PLW0108 - it may be replaced
            "simplify": lambda: binding.solver.simplify(),  # noqa: PLW0108 - as above
            "substitute": self.substitute,
            "inspect": lambda term: "; ".join(query_term(term)),
            "is-unsat-assumption": lambda term: str(binding.solver.is_unsat_assumption(term)).lower(),
            "interpolant": lambda term: str(binding.solver.get_interpolant([term])),
            "interpolants": self.interpolants,
            "print-formula": lambda base: binding.solver.print_formula("smt2", int(base)),
            "read-back": lambda base: self.read_back(binding.solver.print_formula("smt2", int(base))),
            "core-back": lambda base: self.read_back(binding.solver.print_unsat_core("smt2", int(base))),
            "statistics": lambda: binding.solver.statistics() and None,
            "option-infos": self.option_infos,
        }

    def run(self, name: str, args: list[Any]) -> Any:
        return self.calls[name](*args)

    def substitute(self, term: Any, old: Any, new: Any) -> Any:
        manager = self.binding.manager
        if self.binding.variant % 2:
            return manager.substitute_terms([term], {old: new})[0]
        return manager.substitute_term(term, {old: new})

    def interpolants(self, first: Any, second: Any) -> str:
        """The second of two interpolants in a sequence, between both assertions and all others."""
        if first == second or len(set(self.binding.solver.get_assertions())) < 3:
            return ""
        return str(self.binding.solver.get_interpolants([[first], [second]])[-1])

    def read_back(self, text: str) -> str:
        """The verdict of a solver that parses a script."""
        parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
        parser.parse(text, True, False)
        parser.get_declared_funs()
        parser.get_declared_sorts()
        return str(parser.bitwuzla().check_sat().name).lower()

    def option_infos(self) -> str:
        """Query the description of every option."""
        options, infos = bitwuzla.Options(), []
        for option in bitwuzla.Option:
            try:
                info = bitwuzla.OptionInfo(options, option)
            except bitwuzla.BitwuzlaException:
                continue
            kind = info.kind().name
            answers = [info.lng(), info.shrt(), info.description(), info.dflt(), info.cur()]
            if kind == "NUMERIC":
                answers += [info.min(), info.max()]
            if kind == "MODE":
                answers.append(info.modes())
            infos.append(len(answers))
        return str(len(infos))


# Predicate on a sort → queries that are allowed if it holds.
SORT_QUERIES = {
    "is_bv": ("bv_size",), "is_fp": ("fp_exp_size", "fp_sig_size"),
    "is_array": ("array_index", "array_element"),
    "is_fun": ("fun_arity", "fun_domain", "fun_codomain"), "is_uninterpreted": ("uninterpreted_symbol",),
    "is_bool": (), "is_rm": (),
}  # fmt: skip


def as_text(answer: Any) -> str:
    """An answer as text; a list is printed by its items, since the list itself prints their addresses."""
    return " ".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def query_term(term: Any) -> list[str]:
    """The answers to all queries of a term and its sort; raises ValueError if two of them disagree."""
    sort = term.sort()
    parts = [term.kind().name, str(term.num_children()), str(term.indices() if term.num_indices() else [])]
    if term.is_const() or term.is_variable():
        parts.append(str(term.symbol()))
    for predicate, queries in SORT_QUERIES.items():
        if getattr(sort, predicate)():
            parts += [predicate, *(as_text(getattr(sort, query)()) for query in queries)]
    if term.is_value():
        parts += [
            name
            for name in dir(term)
            if name.startswith("is_") and "value_" in name and getattr(term, name)()
        ]
        parts.append(str(term.value()))
        if sort.is_bv():
            check_bits(term, sort.bv_size())
        if sort.is_fp():
            parts += [str(term.value(2, True)), str(term.fp_value_to_real_str())]
        if sort.is_bool() and term.is_true() == term.is_false():
            raise ValueError("is_true() and is_false() are equal")
    return [" ".join(each.split()) for each in parts]


def check_bits(term: Any, size: int) -> None:
    """Check that a value is the same in every base, and that predicates on it agree with its bits."""
    number, top = int(term.value(2), 2), 1 << (size - 1)
    if number != int(term.value(10)) or number != int(term.value(16), 16):
        raise ValueError(
            f"value(2) is {term.value(2)}, value(10) is {term.value(10)}, value(16) is {term.value(16)}"
        )
    special = {
        "zero": number == 0, "one": number == 1, "ones": number == 2 * top - 1, "min_signed": number == top,
        "max_signed": number == top - 1,
    }  # fmt: skip
    for name, is_so in special.items():
        if getattr(term, f"is_bv_value_{name}")() != is_so:
            raise ValueError(f"is_bv_value_{name}() is wrong for {term}")
