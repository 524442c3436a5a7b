"""Compares the evaluator with z3, cvc5 and bitwuzla on random ground terms of every standard operator, or of
every operator beyond the standard (`--extended`).

For each term, `(= term value)` is negated and asserted in a level of its own; a solver that agrees with the
value answers unsat. Every disagreement is printed as a script. A number that is known by approximations is
claimed to lie in a small interval. Operators that no solver decides are listed at the end.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from bench.command import command_parser
from bench.evaluator.extended_terms import ExtendedMaker, extended_operators
from bench.evaluator.ground_claims import SOLVERS, answers, script
from bench.evaluator.ground_terms import FORMATS, STANDARD_FORMATS, Maker, standard_operators

from falsum.smtlib import print_term
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.models.model import Model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.sorts import REGLAN, STRING
from falsum.smtlib.terms import App, Head, Term, Value, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.computable import Computable, interval
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.walk import subterms

_MODEL: Final = Model()
_STEPS: Final = 20_000
# A solver that refuses so many terms of an operator does not get more of them.
_TRIAL: Final = 4
# Numbers known by approximations are not larger.
_LARGE: Final = 100
# Theories, sorts and operators of bitwuzla.
_BITWUZLA: Final = frozenset(["Core", "FixedSizeBitVectors", "FloatingPoint", "ArraysEx"])
_BITWUZLA_SORTS: Final = frozenset(["Bool", "BitVec", "FloatingPoint", "RoundingMode", "Array"])
_BITWUZLA_LACKS: Final = frozenset(["ubv_to_int", "sbv_to_int", "int_to_bv", "fp.to_real"])
# Operators that a solver rejects or does not decide: they are not drawn inside terms of other operators.
_LACKS: Final = {
    "z3": ("divisible", "str.replace_re", "str.replace_re_all", "re.range"),
    "cvc5": ("**",),
    "bitwuzla": tuple(_BITWUZLA_LACKS),
}


@dataclass(slots=True)
class Report:
    """A solver's answers to the claims about one operator."""

    operator: str
    solver: str
    agreed: int = 0
    cannot_say: int = 0
    not_asked: int = 0
    # The solver refuses the first terms: it does not have the operator.
    is_missing: bool = False
    undecided: list[str] = field(default_factory=list)
    disagreed: list[str] = field(default_factory=list)


def claims(name: str, solver: str, count: int, rng_number: int) -> Iterator[str | None]:
    """`count` claims, None for a term whose value the evaluator cannot say."""
    rng = Random(f"{name} {rng_number}")
    without = [other for other in _LACKS[solver] if other != name]
    maker = Maker(rng, STANDARD_FORMATS if solver == "bitwuzla" else FORMATS, without)
    operator = OPERATORS[name]
    if name in extended_operators():
        maker = ExtendedMaker(rng, without)
    made = attempts = 0
    while made < count and attempts < 40 * (made + 10):  # of some nothing can be made
        attempts += 1
        term = maker.application(operator, rng.randint(1, 3))
        if term is None or (solver in _ACCEPTS and not _ACCEPTS[solver](term)):
            continue
        if term.sort is REGLAN:
            word = maker.leaf(STRING)
            assert word is not None
            term = app(Head(OPERATORS["str.in_re"]), (word, term))
        payload = payload_of(term, _MODEL, _STEPS)
        if isinstance(payload, Computable) and _is_large(payload):
            continue
        made += 1
        yield _claim(term, payload)


def _is_large(number: Computable) -> bool:
    """No solver finds the value of (exp 700.0) in time."""
    ends = interval(number, 128)
    return ends is not None and max(abs(ends[0]), abs(ends[1])) > _LARGE


def _claim(term: Term, payload: Any) -> str | None:
    """That the term has the value, or lies in a small interval around it."""
    if isinstance(payload, Computable):
        ends = interval(payload, 128)
        if ends is None:
            return None
        low, high = ((1000 * ends[0]).__floor__() - 1, (1000 * ends[1]).__ceil__() + 1)
        decimals = [f"(/ {end}.0 1000.0)" if end >= 0 else f"(/ (- {-end}.0) 1000.0)" for end in (low, high)]
        return f"(< {decimals[0]} {print_term(term)} {decimals[1]})"
    if isinstance(payload, CannotSay | Closure):
        return None
    value = value_term(term.sort, payload, {})
    return None if value is None else f"(= {print_term(term)} {print_term(value)})"


def _is_for_bitwuzla(term: Term) -> bool:
    for part in subterms(term):
        sorts = (part.sort, *part.sort.args)
        if any(sort.name not in _BITWUZLA_SORTS for sort in sorts) or "Array" in [s.name for s in sorts[1:]]:
            return False
        if isinstance(part, App) and part.head.name in _BITWUZLA_LACKS:
            return False
    return True


def _is_for_cvc5(term: Term) -> bool:
    """Whether constant arrays have literals as elements, as cvc5 requires; (- 1) is not a literal."""
    consts = [part for part in subterms(term) if isinstance(part, App) and part.head.name == "const"]
    return all(isinstance(const.args[0], Value) for const in consts)


_ACCEPTS: Final = {"bitwuzla": _is_for_bitwuzla, "cvc5": _is_for_cvc5}


def compare(name: str, solver: str, count: int, rng_number: int, seconds: float) -> Report:
    report = Report(name, solver)
    listed: list[str] = []
    for claim in claims(name, solver, count, rng_number):
        if claim is None:
            report.cannot_say += 1
        else:
            listed.append(claim)
    first = answers(solver, listed[:_TRIAL])
    if listed and all("rror" in answer or "no answer" in answer for answer in first):
        report.undecided = [f"{answer[:80]}: {claim}" for claim, answer in zip(listed, first, strict=False)]
        report.is_missing = True
        return report
    said = [*first, *answers(solver, listed[_TRIAL:], seconds)]
    report.not_asked = len(listed) - len(said)
    for claim, answer in zip(listed, said, strict=False):
        if answer == "unsat":
            report.agreed += 1
        elif answer == "sat":
            report.disagreed.append(script(solver, [claim]))
        else:
            report.undecided.append(f"{answer[:80]}: {claim}")
    return report


def knows(solver: str, name: str) -> bool:
    """Whether a solver has an operator."""
    if solver != "bitwuzla":
        return True
    return OPERATORS[name].theory in _BITWUZLA and name not in _BITWUZLA_LACKS


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.evaluator.operators", __doc__)
    made.add_argument(
        "operators", nargs="*", metavar="OPERATOR", help="operators (default: all standard ones)"
    )
    made.add_argument(
        "--count", type=int, default=1000, metavar="N", help="terms per operator (default 1,000)"
    )
    made.add_argument(
        "--extended", action="store_true", help="take the operators beyond the standard instead"
    )
    made.add_argument(
        "--seconds", type=float, default=120.0, metavar="S", help="time per operator and solver (default 120)"
    )
    made.add_argument("--rng", type=int, default=0, metavar="N", help="random seed")
    made.add_argument(
        "--solver", action="append", choices=SOLVERS, help="solver to compare with (default: all)"
    )
    return made


def main() -> int:
    args = parser().parse_args()
    total = agreed = disagreed = 0
    nobody = []
    for name in args.operators or (extended_operators() if args.extended else standard_operators()):
        decided = 0
        for solver in args.solver or SOLVERS:
            if not knows(solver, name):
                continue
            report = compare(name, solver, args.count, args.rng, args.seconds)
            if report.is_missing:
                continue
            decided += report.agreed + len(report.disagreed)
            total += args.count - report.not_asked
            agreed += report.agreed
            disagreed += len(report.disagreed)
            print(
                f"{name:20}{solver:10} agreed {report.agreed:6}  cannot say {report.cannot_say:5}"
                f"  undecided {len(report.undecided):5}  disagreed {len(report.disagreed):5}"
                + (f"  not asked {report.not_asked:5}" if report.not_asked else ""),
                flush=True,
            )
            for text in (*sorted(report.disagreed, key=len)[:2], *sorted(report.undecided, key=len)[:1]):
                print("    " + text.replace("\n", "\n    "))
        if not decided:
            nobody.append(name)
    if nobody:
        print(f"decided by no solver, or not evaluated: {' '.join(nobody)}")
    print(f"{total} claims, {agreed} agreed, {disagreed} disagreed")
    return 1 if disagreed else 0


if __name__ == "__main__":
    sys.exit(main())
