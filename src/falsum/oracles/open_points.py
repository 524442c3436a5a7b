"""Points on which solvers may differ and both be right, tried out on the solvers themselves.

Each point has the operators (or the spelling) that touch it and tiny formulas that are satisfiable for
whoever takes the point as the standard has it, all choices open. Where two solvers answer them alike, a
contradiction between them counts; where they do not, a script that touches the point proves nothing. So no
product or release has to be known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from falsum.oracles.case import Case
from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App, Term, Value
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """`groups` are formulas that hold together for one choice; each of them is that choice at one place.

    `heads` are the operators that touch it, and roles of the script's own functions.
    """

    name: str
    heads: frozenset[str]
    groups: tuple[tuple[str, ...], ...]
    declared: str = ""
    spelling: re.Pattern[str] | None = None

    def trial(self, *formulas: str) -> str:
        asserted = "".join(f"(assert {formula})" for formula in formulas)
        return f"{self.declared}{asserted}(check-sat)"

    @property
    def trials(self) -> tuple[str, ...]:
        """Each choice at each place by itself."""
        return tuple(dict.fromkeys(self.trial(formula) for group in self.groups for formula in group))


def _point(
    name: str, heads: str, *groups: tuple[str, ...], declared: str = "", spelling: str = ""
) -> OpenPoint:
    pattern = re.compile(spelling) if spelling else None
    return OpenPoint(name, frozenset(heads.split()), groups, declared, pattern)


def _each(places: Iterable[str], *results: str) -> tuple[tuple[str, ...], ...]:
    """A group for each result: every place has it."""
    listed = tuple(places)
    return tuple(tuple(f"(= {place} {result})" for place in listed) for result in results)


_SELECTOR: Final = "selector"
_NUMBERS: Final = "(set-logic {})(declare-const x {sort})(declare-const y {sort})(assert (= y {zero}))"
_LIST: Final = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const x L)"
_ZEROS: Final = (("(_ +zero 8 24)", "(_ -zero 8 24)"), ("(_ -zero 8 24)", "(_ +zero 8 24)"))
_NO_NUMBERS: Final = ("(_ NaN 8 24)", "(_ +oo 8 24)", "(_ -oo 8 24)")
# Out of the range of eight bits; a negative number is so for unsigned ones alone.
_LARGE: Final = f"(fp #b0 #b11111110 #b{'0' * 23})"
_NEGATIVE: Final = f"(fp #b1 #b10000000 #b{'0' * 23})"

ESCAPES: Final = _point(
    "escapes in strings",
    "",
    (
        r'(= (str.len "\u{41}") 1)',
        r'(= (str.len "\u0041") 1)',
        r'(= (str.len "\x41") 4)',
        r'(= (str.len "\n") 2)',
    ),
    spelling=r'"(?:[^"]|"")*\\(?:[^"]|"")*"',
)
CODES: Final = _point(
    "the alphabet of strings",
    "str.to_code str.from_code str.< str.<=",
    ("(= (str.len (str.from_code 300)) 1)",),
)
ALL: Final = (
    ESCAPES,
    CODES,
    _point(
        "the sign of the least or greatest of two zeros",
        "fp.min fp.max",
        *_each((f"({f} {a} {b})" for f in ("fp.min", "fp.max") for a, b in _ZEROS), *_ZEROS[0]),
    ),
    _point(
        "bits of a float that is out of range",
        "fp.to_ubv fp.to_sbv fp.to_ubv_I fp.to_sbv_I",
        *_each(
            (
                *(f"((_ {f} 8) RNE {v})" for f in ("fp.to_ubv", "fp.to_sbv") for v in (*_NO_NUMBERS, _LARGE)),
                f"((_ fp.to_ubv 8) RNE {_NEGATIVE})",
            ),
            *("#x00", "#x55", "#x7f", "#x80", "#xff"),
        ),
    ),
    _point(
        "the real number of a float that is none",
        "fp.to_real",
        *_each((f"(fp.to_real {value})" for value in _NO_NUMBERS), "0.0", "1.0"),
    ),
    _point(
        "the bits of NaN",
        "fp.to_ieee_bv",
        *_each(("(fp.to_ieee_bv (_ NaN 3 4))",), "#b0111001", "#b0111111", "#b1111001"),
    ),
    _point("powers of zero", "^", *_each(("(^ 0 0)", "(^ 0 (- 1))"), "0", "1", "7")),
    _point("powers of zero", "^", *_each(("(^ 0.0 0.0)", "(^ 0.0 (- 1.0))"), "0.0", "1.0", "7.0")),
    _point("a power that is a fraction", "^", *_each(("(^ 2 (- 1))",), "0")),
    _point("negative powers of zero", "**", *_each(("(** 0 (- 1))",), "0", "7")),
    _point(
        "division by zero",
        "/",
        *_each(("(/ x 0.0)", "(/ x y)", "(/ 3.0 y)"), "0.0", "7.0"),
        declared=_NUMBERS.format("QF_NRA", sort="Real", zero="0.0"),
    ),
    _point(
        "division by zero",
        "div mod",
        *_each((f"({f} {of})" for f in ("div", "mod") for of in ("x 0", "x y", "3 y")), "0", "7"),
        ("(= (mod x 0) (+ x 1))",),
        declared=_NUMBERS.format("QF_NIA", sort="Int", zero="0"),
    ),
    _point(
        "division by zero",
        "rem",
        *_each(("(rem x 0)", "(rem x y)"), "0", "7"),
        declared=_NUMBERS.format("QF_NIA", sort="Int", zero="0"),
    ),
    _point(
        "a selector of another constructor",
        _SELECTOR,
        *_each(("(hd nil)",), "0", "7"),
        ("(and (= x nil) (= (hd x) 7))", "(and (= x nil) (= (tl x) (cons 3 nil)))"),
        declared=_LIST,
    ),
    _point(
        "an element that a sequence does not have",
        "seq.nth",
        *_each((f"(seq.nth (seq.unit 3) {n})" for n in ("1", "5", "(- 1)")), "0", "7"),
        *_each(("(seq.nth (as seq.empty (Seq Int)) 0)",), "7"),
    ),
    _point(
        "an element of nothing", "set.choose", *_each(("(set.choose (as set.empty (Set Int)))",), "0", "7")
    ),
    _point(
        "an element of nothing", "bag.choose", *_each(("(bag.choose (as bag.empty (Bag Int)))",), "0", "7")
    ),
    _point(
        "the value of nothing",
        "nullable.val",
        *_each(("(nullable.val (as nullable.null (Nullable Int)))",), "0", "7"),
    ),
    _point(
        "where a real function is not defined",
        "sqrt arcsin arccos arccsc arcsec csc sec cot tan",
        *_each(
            ("(sqrt (- 1.0))", "(arcsin 2.0)", "(arccos 2.0)", "(arccsc 0.5)", "(csc 0.0)", "(cot 0.0)"),
            "0.0",
            "7.0",
        ),
    ),
    _point(
        "where a real function is not defined",
        "asin acos acosh atanh",
        *_each(("(asin 2.0)", "(acos 2.0)", "(acosh 0.0)", "(atanh 2.0)"), "0.0", "7.0"),
    ),
)


# Divided by a number that is not zero, and to the power of a whole positive one, everything is well known.
_PLAIN_FOR: Final[dict[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("/", "div", "mod", "rem"), lambda divisor: divisor != 0),
    **dict.fromkeys(("^", "**"), lambda exponent: exponent > 0 and exponent == int(exponent)),
}


def touched(case: Case) -> tuple[OpenPoint, ...]:
    """The points that a case touches, in what it asserts, assumes or defines."""
    heads = _heads(case)
    return tuple(
        point
        for point in ALL
        if not heads.isdisjoint(point.heads)
        or (point.spelling is not None and point.spelling.search(case.text))
    )


def taken_otherwise(case: Case, solvers: Iterable[str], lab: Lab) -> OpenPoint | None:
    """A point that the case touches and the solvers take in different ways; None if there is none."""
    named = tuple(solvers)
    return next((point for point in touched(case) if not _alike(point, named, lab)), None)


def taken_alike(case: Case, solvers: Iterable[str], lab: Lab) -> bool:
    """Whether the solvers take every point that the case touches in the same way."""
    return taken_otherwise(case, solvers, lab) is None


def takes_freely(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver leaves every choice open at all points the case touches: then whatever anybody else
    chooses there, it must find satisfiable what they do.
    """
    return not any(
        lab.ask(Request(solver, trial)).verdict is Verdict.UNSAT
        for point in touched(case)
        if not _all_free(point, (solver,), lab)
        for trial in point.trials
    )


def reads_alike(text: str, solver: str, lab: Lab) -> bool:
    """Whether a solver reads the strings of a text (a script, a model of its own) as the standard has it."""
    assert ESCAPES.spelling is not None
    if ESCAPES.spelling.search(text) is None:
        return True
    return all(lab.ask(Request(solver, trial)).verdict is Verdict.SAT for trial in ESCAPES.trials)


def misreads(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver takes strings of the case in another way than the standard: then do not blame it."""
    if not reads_alike(case.text, solver, lab):
        return True
    return CODES in touched(case) and any(
        lab.ask(Request(solver, trial)).verdict is Verdict.UNSAT for trial in CODES.trials
    )


def _heads(case: Case) -> frozenset[str]:
    """The operators of a case, and the roles of its own functions."""
    found = set()
    for term in case.terms:
        for part in subterms(term):
            if isinstance(part, App):
                symbol = part.head.symbol
                name = symbol.canonical.name if isinstance(symbol, Operator) else symbol.role
                if name not in _PLAIN_FOR or not _is_plain(part, _PLAIN_FOR[name]):
                    found.add(name)
    return frozenset(found)


def _is_plain(part: App, plain: Callable[[Any], bool]) -> bool:
    """Whether an application is at no open point, whatever its first argument is."""
    numbers = [_number(arg) for arg in part.args[1:]]
    return all(number is not None and plain(number) for number in numbers)


def _number(term: Term) -> Any:
    """The number a term is, as people write them; None if it is another term."""
    if isinstance(term, App) and len(term.args) == 1 and term.head.name == "-":
        found = _number(term.args[0])
        return -found if found is not None else None
    return term.payload if isinstance(term, Value) else None


def _alike(point: OpenPoint, solvers: tuple[str, ...], lab: Lab) -> bool:
    return _all_free(point, solvers, lab) or all(_same(trial, solvers, lab) for trial in point.trials)


def _all_free(point: OpenPoint, solvers: tuple[str, ...], lab: Lab) -> bool:
    """Whether the solvers leave every choice open: a few questions instead of many."""
    return all(
        lab.ask(Request(solver, point.trial(*group))).verdict is Verdict.SAT
        for group in point.groups
        for solver in solvers
    )


def _same(trial: str, solvers: tuple[str, ...], lab: Lab) -> bool:
    """Whether nobody leaves open what another excludes; who does not know may leave it open as well."""
    # The lab remembers: a trial costs something once per solver and run.
    verdicts = {lab.ask(Request(solver, trial)).verdict for solver in solvers} - {None}
    return Verdict.UNSAT not in verdicts or len(verdicts) == 1
