"""Points on which solvers may differ and both be right, tried out on the solvers themselves.

Each point has the operators (or the spelling) that touch it and tiny scripts whose verdicts show how a solver
takes it. Where two solvers answer the trials alike, a contradiction between them counts; where they do not,
a script that touches the point proves nothing. So no product or release has to be known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from falsum.oracles.case import Case
from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.lab import Lab


@dataclass(frozen=True, slots=True)
class OpenPoint:
    operators: frozenset[str]
    trials: tuple[str, ...]
    spelling: re.Pattern[str] | None = None


def _point(operators: str, *formulas: str, declared: str = "", spelling: str = "") -> OpenPoint:
    trials = tuple(f"{declared}(assert {formula})(check-sat)" for formula in formulas)
    return OpenPoint(frozenset(operators.split()), trials, re.compile(spelling) if spelling else None)


_LIST: Final = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))"
_PLUS: Final = "(_ +zero 8 24)"
_MINUS: Final = "(_ -zero 8 24)"
# Out of the range of eight bits.
_LARGE: Final = f"(fp #b0 #b11111110 #b{'0' * 23})"

ALL: Final = (
    _point(
        "",
        r'(= (str.len "\u{41}") 1)',
        r'(= (str.len "\u0041") 1)',
        r'(= (str.len "\x41") 4)',
        r'(= (str.len "\n") 2)',
        spelling=r'"(?:[^"]|"")*\\(?:[^"]|"")*"',
    ),
    _point("str.to_code str.from_code str.< str.<=", "(= (str.len (str.from_code 300)) 1)"),
    _point(
        "fp.min fp.max",
        *(
            f"(= ({operator} {one} {other}) {result})"
            for operator in ("fp.min", "fp.max")
            for one, other in ((_PLUS, _MINUS), (_MINUS, _PLUS))
            for result in (_PLUS, _MINUS)
        ),
    ),
    _point(
        "fp.to_ubv fp.to_sbv fp.to_ubv_I fp.to_sbv_I",
        *(
            f"(= ((_ {operator} 8) RNE {value}) {result})"
            for operator in ("fp.to_ubv", "fp.to_sbv")
            for value in ("(_ NaN 8 24)", "(_ +oo 8 24)", _LARGE)
            for result in ("#x00", "#x55", "#x7f", "#x80", "#xff")
        ),
    ),
    _point(
        "fp.to_real",
        *(
            f"(= (fp.to_real {value}) {result})"
            for value in ("(_ NaN 8 24)", "(_ +oo 8 24)")
            for result in ("0.0", "1.0")
        ),
    ),
    _point(
        "fp.to_ieee_bv to_ieee_bv",
        "(= (fp.to_ieee_bv (_ NaN 3 4)) #b0111001)",
        "(= (fp.to_ieee_bv (_ NaN 3 4)) #b0111000)",
    ),
    _point(
        "^ **",
        "(not (= (^ x 0) 1))", "(= (^ 0 0) 0)",
        declared="(declare-const x Int)",
    ),
    _point("/", "(= (/ x 0.0) 0.0)", "(= (/ x 0.0) 7.0)", declared="(declare-const x Real)"),
    _point(
        "div mod rem divisible",
        "(= (div x 0) 7)", "(= (mod x 0) 7)", "(= (mod x 0) (+ x 1))",
        declared="(declare-const x Int)",
    ),
    _point("hd", "(= (hd nil) 7)", "(not (= (hd nil) (hd nil)))", declared=_LIST),
    _point("seq.nth", "(= (seq.nth (as seq.empty (Seq Int)) 0) 7)"),
)  # fmt: skip
_ESCAPES: Final = ALL[0]
_CODES: Final = ALL[1]
_SELECTORS: Final = ALL[-2]


def taken_alike(case: Case, solvers: Iterable[str], lab: Lab) -> bool:
    """Whether the solvers take every point that the case touches in the same way."""
    named = tuple(solvers)
    for point in ALL:
        if _touches(case, point) and any(not _same(trial, named, lab) for trial in point.trials):
            return False
    return True


def reads_alike(text: str, solver: str, lab: Lab) -> bool:
    """Whether a solver reads the strings of a text (a script, a model of its own) as the standard has it."""
    assert _ESCAPES.spelling is not None
    if _ESCAPES.spelling.search(text) is None:
        return True
    return all(lab.ask(solver, trial).verdict is Verdict.SAT for trial in _ESCAPES.trials)


def misreads(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver takes strings of the case in another way than the standard: then do not blame it."""
    if not reads_alike(case.text, solver, lab):
        return True
    return _touches(case, _CODES) and any(
        lab.ask(solver, trial).verdict is Verdict.UNSAT for trial in _CODES.trials
    )


def _touches(case: Case, point: OpenPoint) -> bool:
    if point.spelling is not None and point.spelling.search(case.text):
        return True
    if case.script is None:
        return False
    for term in case.script.assertions:
        for part in subterms(term):
            if not isinstance(part, App):
                continue
            symbol = part.head.symbol
            if isinstance(symbol, Operator):
                if symbol.canonical.name in point.operators:
                    return True
            elif point is _SELECTORS and symbol.role == "selector":
                return True
    return False


def _same(trial: str, solvers: tuple[str, ...], lab: Lab) -> bool:
    # The lab remembers: a trial costs something once per solver and run.
    verdicts = [lab.ask(solver, trial).verdict for solver in solvers]
    return not any(one.contradicts(other) for one in verdicts for other in verdicts if one and other)
