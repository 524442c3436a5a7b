"""What the standard leaves open: operators whose value at some arguments is any that a solver chooses.

Two solvers may differ there and both be right. Each case has small formulas that are satisfiable if every
choice is open, so that the choices of a solver can be tested. The relation of choices at two applications is
open as well, and cannot be tested: there are too many relations. Spellings that older releases read in
another way than the standard are treated alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App, Term, Value
from falsum.smtlib.walk import free_variables, subterms


@dataclass(frozen=True, slots=True)
class Underspecification:
    """One case. `heads` are the operators it is about, or roles of the script's own functions; `spelling`
    finds it in text.

    Each of the `choices` is one possible choice: formulas that hold together, one for each place where it
    can be made. `is_reading` if nothing is open in the standard, but older releases read it differently.
    """

    name: str
    heads: frozenset[str]
    choices: tuple[tuple[str, ...], ...]
    preamble: str = ""
    spelling: re.Pattern[str] | None = None
    logic: str = ""
    is_reading: bool = False

    def probe(self, *formulas: str, settings: str | None = None) -> str:
        """A script that asks whether the formulas may hold, with the options and the logic of a script."""
        assertions = "".join(f"(assert {formula})" for formula in formulas)
        logic_command = f"(set-logic {self.logic})" if self.logic else ""
        return f"{logic_command if settings is None else settings}{self.preamble}{assertions}(check-sat)"

    @property
    def places(self) -> tuple[str, ...]:
        """The formulas of each choice at each place."""
        return tuple(dict.fromkeys(formula for choice in self.choices for formula in choice))

    @property
    def probes(self) -> tuple[str, ...]:
        """A script for each choice at each place."""
        return tuple(self.probe(formula) for formula in self.places)


def _case(
    name: str,
    heads: str,
    *choices: tuple[str, ...],
    preamble: str = "",
    spelling: str = "",
    logic: str = "",
    is_reading: bool = False,
) -> Underspecification:
    pattern = re.compile(spelling) if spelling else None
    return Underspecification(
        name, frozenset(heads.split()), choices, preamble, pattern, logic, is_reading=is_reading
    )


def _all_equal(places: Iterable[str], *results: str) -> tuple[tuple[str, ...], ...]:
    """A choice for each result: the value at every place."""
    items = tuple(places)
    return tuple(tuple(f"(= {place} {result})" for place in items) for result in results)


_SELECTOR: Final = "selector"
_NUMBERS: Final = "(declare-const x {sort})(declare-const y {sort})(assert (= y {zero}))"
_LIST: Final = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const x L)"
_ZEROS: Final = (("(_ +zero 8 24)", "(_ -zero 8 24)"), ("(_ -zero 8 24)", "(_ +zero 8 24)"))
_NO_NUMBERS: Final = ("(_ NaN 8 24)", "(_ +oo 8 24)", "(_ -oo 8 24)")
# Out of the range of eight bits; a negative number is so for unsigned ones alone.
_LARGE: Final = f"(fp #b0 #b11111110 #b{'0' * 23})"
_NEGATIVE: Final = f"(fp #b1 #b10000000 #b{'0' * 23})"

ESCAPES: Final = _case(
    "string escapes",
    "",
    (
        r'(= (str.len "\u{41}") 1)',
        r'(= (str.len "\u0041") 1)',
        r'(= (str.len "\x41") 4)',
        r'(= (str.len "\n") 2)',
    ),
    # A string with a backslash, or with a character that is sent as an escape.
    spelling=r'\A(?:[^"|;]++|\|[^|]*+\||;[^\n]*+|"(?:[ -!#-\[\]-~]|"")*+")*+"',
    is_reading=True,
)
CODES: Final = _case(
    "string alphabet",
    "str.to_code str.from_code str.< str.<=",
    ("(= (str.len (str.from_code 300)) 1)",),
    is_reading=True,
)
ALL: Final = (
    ESCAPES,
    CODES,
    _case(
        "sign of fp.min and fp.max of two zeros",
        "fp.min fp.max",
        *_all_equal((f"({f} {a} {b})" for f in ("fp.min", "fp.max") for a, b in _ZEROS), *_ZEROS[0]),
    ),
    _case(
        "conversion of an out-of-range float to bits",
        "fp.to_ubv fp.to_sbv fp.to_ubv_I fp.to_sbv_I",
        *_all_equal(
            (
                *(f"((_ {f} 8) RNE {v})" for f in ("fp.to_ubv", "fp.to_sbv") for v in (*_NO_NUMBERS, _LARGE)),
                f"((_ fp.to_ubv 8) RNE {_NEGATIVE})",
            ),
            *("#x00", "#x55", "#x7f", "#x80", "#xff"),
        ),
    ),
    _case(
        "fp.to_real of NaN or infinity",
        "fp.to_real",
        *_all_equal((f"(fp.to_real {value})" for value in _NO_NUMBERS), "0.0", "1.0"),
    ),
    _case(
        "bits of NaN",
        "fp.to_ieee_bv",
        *_all_equal(("(fp.to_ieee_bv (_ NaN 3 4))",), "#b0111001", "#b0111111", "#b1111001"),
    ),
    _case("powers of zero", "^", *_all_equal(("(^ 0 0)", "(^ 0 (- 1))"), "0", "1", "7")),
    _case("powers of zero", "^", *_all_equal(("(^ 0.0 0.0)", "(^ 0.0 (- 1.0))"), "0.0", "1.0", "7.0")),
    _case("integer power that is a fraction", "^", *_all_equal(("(^ 2 (- 1))",), "0")),
    _case("negative powers of zero", "**", *_all_equal(("(** 0 (- 1))",), "0", "7")),
    _case(
        "division by zero",
        "/",
        *_all_equal(("(/ x 0.0)", "(/ x y)", "(/ 3.0 y)"), "0.0", "7.0"),
        preamble=_NUMBERS.format(sort="Real", zero="0.0"),
        logic="QF_NRA",
    ),
    _case(
        "division by zero",
        "div mod",
        *_all_equal((f"({f} {of})" for f in ("div", "mod") for of in ("x 0", "x y", "3 y")), "0", "7"),
        ("(= (mod x 0) (+ x 1))",),
        preamble=_NUMBERS.format(sort="Int", zero="0"),
        logic="QF_NIA",
    ),
    _case(
        "division by zero",
        "rem",
        *_all_equal(("(rem x 0)", "(rem x y)"), "0", "7"),
        preamble=_NUMBERS.format(sort="Int", zero="0"),
        logic="QF_NIA",
    ),
    _case(
        "selector applied to another constructor",
        _SELECTOR,
        *_all_equal(("(hd nil)",), "0", "7"),
        ("(and (= x nil) (= (hd x) 7))", "(and (= x nil) (= (tl x) (cons 3 nil)))"),
        preamble=_LIST,
    ),
    _case(
        "seq.nth out of range",
        "seq.nth",
        *_all_equal((f"(seq.nth (seq.unit 3) {n})" for n in ("1", "5", "(- 1)")), "0", "7"),
        *_all_equal(("(seq.nth (as seq.empty (Seq Int)) 0)",), "7"),
    ),
    _case(
        "element of an empty set",
        "set.choose",
        *_all_equal(("(set.choose (as set.empty (Set Int)))",), "0", "7"),
    ),
    _case(
        "element of an empty bag",
        "bag.choose",
        *_all_equal(("(bag.choose (as bag.empty (Bag Int)))",), "0", "7"),
    ),
    _case(
        "value of nullable.null",
        "nullable.val",
        *_all_equal(("(nullable.val (as nullable.null (Nullable Int)))",), "0", "7"),
    ),
    _case(
        "real function outside its domain",
        "sqrt arcsin arccos arccsc arcsec csc sec cot tan",
        *_all_equal(
            ("(sqrt (- 1.0))", "(arcsin 2.0)", "(arccos 2.0)", "(arccsc 0.5)", "(csc 0.0)", "(cot 0.0)"),
            "0.0",
            "7.0",
        ),
    ),
    _case(
        "real function outside its domain",
        "asin acos acosh atanh",
        *_all_equal(("(asin 2.0)", "(acos 2.0)", "(acosh 0.0)", "(atanh 2.0)"), "0.0", "7.0"),
    ),
)

_CHOSEN: Final = frozenset(head for case in ALL if not case.is_reading for head in case.heads)

# Arguments after the first at which an operator has one value, whatever its first argument is.
_DEFINED_FOR: Final[dict[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("/", "div", "mod", "rem"), lambda divisor: divisor != 0),
    **dict.fromkeys(("^", "**"), lambda exponent: exponent > 0 and exponent == int(exponent)),
}


def underspecified(terms: Iterable[Term], text: str = "") -> tuple[Underspecification, ...]:
    """The cases that terms, or the text they are written in, may depend on."""
    heads = _heads(terms)
    return tuple(
        case
        for case in ALL
        if not heads.isdisjoint(case.heads) or (case.spelling is not None and case.spelling.search(text))
    )


def relates_choices(terms: Iterable[Term]) -> bool:
    """Whether two open applications may occur, so that their values can be related to each other.

    An application with variables stands for many.
    """
    first: Term | None = None
    for term in terms:
        for part, name in _open_heads(term):
            if name in _CHOSEN and part is not first:
                if first is not None or free_variables(part):
                    return True
                first = part
    return False


def _heads(terms: Iterable[Term]) -> frozenset[str]:
    """Operators, and roles of the script's own functions, that may be underspecified."""
    return frozenset(name for term in terms for _part, name in _open_heads(term))


def _open_heads(term: Term) -> Iterator[tuple[App, str]]:
    """The applications in a term that may be underspecified, with their operators or roles."""
    for part in subterms(term):
        if isinstance(part, App):
            symbol = part.head.symbol
            name = symbol.canonical.name if isinstance(symbol, Operator) else symbol.role
            if name not in _DEFINED_FOR or not _is_defined(part, _DEFINED_FOR[name]):
                yield part, name


def _is_defined(part: App, is_defined_for: Callable[[Any], bool]) -> bool:
    numbers = [_number(arg) for arg in part.args[1:]]
    return all(number is not None and is_defined_for(number) for number in numbers)


def _number(term: Term) -> Any:
    """The number that a term denotes, with or without minus signs; None if it is another term."""
    is_negated = False
    while isinstance(term, App) and len(term.args) == 1 and term.head.name == "-":
        is_negated = not is_negated
        term = term.args[0]
    if not isinstance(term, Value):
        return None
    return -term.payload if is_negated else term.payload
