"""Objectives: the terms that a script minimises or maximises, and the optima that a solver prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final

from falsum.smtlib import Script, print_term
from falsum.smtlib.scripts import Assert, WithTerms
from falsum.smtlib.sorts import BOOL, INT, REAL, Sort
from falsum.smtlib.terms import App, Term
from falsum.smtlib.text.sexpr import items
from falsum.smtlib.theories import kind_of
from falsum.smtlib.walk import children, free_variable_table, is_standard

UNBOUNDED: Final = "oo"
_MOST_SOFT: Final = 3
_MOST_LENGTH: Final = 2000
_NEGATIVE: Final = re.compile(r"\(- (.*)\)\Z", re.DOTALL)
_QUOTIENT: Final = re.compile(r"\(/ (\S+|\(- \S+\)) (\S+)\)\Z")
_INFINITY: Final = frozenset({"oo", "(* (- 1) oo)", "(- oo)"})
_WEIGHT: Final = re.compile(r":weight\s+([0-9.]+)(?=[\s)]|\Z)")
_GROUP: Final = re.compile(r":id\s+(\S+)")
_PLAIN_SOFT: Final = re.compile(r"(?:\s*:(?:weight|id)\s+[^\s()]+)*\s*\Z")


@dataclass(frozen=True, slots=True)
class Objective:
    """`commands` state it; `term` is what they minimise or maximise, of a sort with an order."""

    commands: str
    term: str
    sort: Sort
    is_maximum: bool

    def better(self, value: str) -> str:
        """The formula that the term is better than a value."""
        order = kind_of(self.sort).order
        assert order is not None
        return f"({order.greater if self.is_maximum else order.less} {self.term} {value})"

    def equal(self, value: str) -> str:
        return f"(= {self.term} {value})"

    def literal(self, value: str) -> str | None:
        """An optimum as printed by a solver, as a term; None if it is not a plain number."""
        number = _number(value)
        if number is None:
            return None
        if self.sort is REAL:
            return _signed(number, f"{abs(number.numerator)}.0", f"{number.denominator}.0")
        if number.denominator != 1:
            return None
        if self.sort is INT:
            return _signed(number, str(abs(number.numerator)), "1")
        return f"(_ bv{number.numerator} {self.sort.indices[0]})" if number >= 0 else None

    def is_unbounded(self, value: str) -> bool:
        """Whether an optimum is printed as unbounded, in the direction of the objective."""
        return value in _INFINITY and (value == UNBOUNDED) == self.is_maximum

    def far(self) -> str:
        """The formula that the term is beyond a bound that an unbounded one exceeds."""
        bound = "1000000007" if self.sort is INT else "1000000007.0"
        return self.better(bound if self.is_maximum else f"(- {bound})")


def _signed(number: Fraction, above: str, below: str) -> str:
    text = above if number.denominator == 1 else f"(/ {above} {below})"
    return f"(- {text})" if number < 0 else text


def _number(value: str) -> Fraction | None:
    if negative := _NEGATIVE.match(value):
        inner = _number(negative[1])
        return -inner if inner is not None else None
    if quotient := _QUOTIENT.match(value):
        above, below = _number(quotient[1]), _number(quotient[2])
        return above / below if above is not None and below else None
    return Fraction(value) if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", value) else None


def printed_values(stdout: str) -> list[list[str]]:
    """The values of the objectives, in their order, after each check that has them."""
    values = []
    for item in items(stdout):
        if item.startswith("(objectives"):
            entries = [each.strip() for each in items(item[len("(objectives") : -1])]
            values.append([_last(entry[1:-1]) for entry in entries if entry.startswith("(")])
    return values


def printed_objectives(stdout: str) -> str:
    """The last list of objectives and their values that a solver printed; "" if there is none."""
    lists = [item for item in items(stdout) if item.startswith("(objectives")]
    return lists[-1] if lists else ""


def _last(entry: str) -> str:
    """The value in `term value`; the term of soft constraints may be empty."""
    parts = [part for item in items(entry) for part in ([item] if item.startswith("(") else item.split())]
    return " ".join(parts[-1].split()) if parts else ""


def own_objectives(flat: Script) -> list[Objective] | None:
    """The objectives of a script itself; None if falsum does not understand one of them."""
    objectives: list[Objective] = []
    soft: dict[str, list[tuple[Term, Fraction]]] = {}
    for command in flat.commands:
        if not isinstance(command, WithTerms) or command.word not in _WORDS:
            continue
        terms = [piece for piece in command.pieces if not isinstance(piece, str)]
        rest = " ".join(piece for piece in command.pieces if isinstance(piece, str))
        if command.word == "assert-soft":
            weight = _WEIGHT.search(rest)
            if len(terms) != 1 or not _PLAIN_SOFT.match(rest):
                return None
            group = _GROUP.search(rest)
            number = Fraction(weight[1]) if weight else Fraction(1)
            soft.setdefault(group[1] if group else "", []).append((terms[0], number))
        elif len(terms) == 1 and kind_of(terms[0].sort).order is not None:
            objectives.append(_of_term(terms[0], is_maximum=command.word == "maximize"))
        else:
            return None
    if soft and (objectives or len(soft) > 1):
        return None
    return objectives or [_soft(some) for some in soft.values()]


_WORDS: Final = frozenset({"minimize", "maximize", "assert-soft"})


def _of_term(term: Term, *, is_maximum: bool) -> Objective:
    text = print_term(term)
    word = "maximize" if is_maximum else "minimize"
    return Objective(f"({word} {text})\n", text, term.sort, is_maximum)


def _soft(soft_terms: list[tuple[Term, Fraction]]) -> Objective:
    """The objective of soft constraints: the weight of the violated ones."""
    commands, costs = "", []
    for term, weight in soft_terms:
        text = f"{weight.numerator}.0" if weight.denominator == 1 else f"{float(weight)}"
        commands += f"(assert-soft {print_term(term)} :weight {text})\n"
        cost = _signed(weight, f"{weight.numerator}.0", f"{weight.denominator}.0")
        costs.append(f"(ite {print_term(term)} 0.0 {cost})")
    total = f"(+ {' '.join(costs)})" if len(costs) > 1 else costs[0]
    return Objective(commands, total, REAL, is_maximum=False)


def drawn_objectives(flat: Script, rng: Random) -> list[Objective]:
    """One or two numeric terms of a script, or soft constraints from its atoms; none if it has neither.

    No solver promises optima of functions beyond the standard, such as `exp`.
    """
    numeric = _unique(
        term for term in closed_terms(flat) if kind_of(term.sort).order is not None and is_standard(term)
    )
    atoms = _unique(term for term in closed_terms(flat) if term.sort is BOOL)
    if atoms and (not numeric or rng.random() < 0.25):
        some = rng.sample(atoms, min(len(atoms), _MOST_SOFT))
        return [_soft([(term, Fraction(rng.randint(1, 3))) for term in some])]
    some = rng.sample(numeric, min(len(numeric), rng.randint(1, 2)))
    return [_of_term(term, is_maximum=rng.random() < 0.5) for term in some]


def closed_terms(flat: Script) -> Iterator[Term]:
    """The applications in assertions that have no bound variables, without the assertions themselves.

    Only short ones, because deep or shared terms are very long in print.
    """
    for command in flat.commands:
        if not isinstance(command, Assert):
            continue
        nodes: dict[Term, int] = {}
        for term, free in free_variable_table(command.term).items():  # parts come before their wholes
            nodes[term] = min(_MOST_LENGTH, 1 + sum(nodes[part] for part in children(term)))
            is_short = nodes[term] < _MOST_LENGTH
            if is_short and not free and isinstance(term, App) and term is not command.term:
                yield term


def _unique(terms: Iterator[Term]) -> list[Term]:
    return [term for term in dict.fromkeys(terms) if len(print_term(term)) <= _MOST_LENGTH]
