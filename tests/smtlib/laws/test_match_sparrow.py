"""Table 2 of Sparrow, row by row, as `errata.md` corrects it: each is a law, found and applied."""

from __future__ import annotations

import pytest
from tests.smtlib.laws.test_match import term

from falsum.smtlib.laws import all_laws, apply, match
from falsum.smtlib.laws.match import Side
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import App

_NUMBERS = {
    "(< i j)": ("(<= i j) (distinct i j) (< i (+ j 7))", "(<= (+ i 7) j)"),
    "(<= i j)": ("(< i (+ j 7))", "(= i j) (< (+ i 7) j)"),
    "(> i j)": ("(>= i j) (distinct i j)", "(>= i (+ j 7))"),
    "(>= i j)": ("(> (+ i 7) j)", "(= i j) (> i (+ j 7))"),
    "(= i j)": ("(<= i j) (>= i j)", "(and (<= 7 i 7) (<= 7 j 7))"),
    "(distinct i j)": ("(not (and (= i 7) (= j 7)))", "(> i j) (< i j)"),
}
_BITS = {
    f"({op} b c)": (f"({op[:-1]}e b c) (distinct b c)", "")
    for op in ("bvult", "bvugt", "bvslt", "bvsgt")
} | {
    f"({op} b c)": ("", f"(= b c) ({op[:-1]}t b c)") for op in ("bvule", "bvuge", "bvsle", "bvsge")
} | {
    "(= b c)": ("(bvule b c) (bvuge b c) (bvsle b c) (bvsge b c)", "(and (= b #x07) (= c #x07))"),
    "(distinct b c)": (
        "(not (and (= b #x07) (= c #x07)))",
        "(bvugt b c) (bvult b c) (bvsgt b c) (bvslt b c)",
    ),
}  # fmt: skip
_FLOATS = {
    "(fp.lt f g)": ("(fp.leq f g) (not (fp.eq f g))", ""),
    "(fp.leq f g)": ("", "(fp.eq f g) (fp.lt f g)"),
    "(fp.gt f g)": ("(fp.geq f g) (not (fp.eq f g))", ""),
    "(fp.geq f g)": ("", "(fp.eq f g) (fp.gt f g)"),
    "(fp.eq f g)": ("(fp.leq f g) (fp.geq f g)", "(and (fp.leq h f h) (fp.leq h g h))"),
    "(not (fp.eq f g))": ("(not (and (fp.eq f h) (fp.eq g h)))", "(fp.gt f g) (fp.lt f g)"),
    "(= f g)": ("(or (fp.eq f g) (and (fp.isNaN f) (fp.isNaN g)))", "(and (= f h) (= g h))"),
}
_STRINGS = {
    "(str.< s t)": ("(str.<= s t) (distinct s t)", '(str.<= (str.++ s "7") t)'),
    "(str.<= s t)": ('(str.< s (str.++ t "7"))', "(= s t) (str.< s t)"),
    "(str.prefixof s t)": ("(str.<= s t) (str.contains t s)", '(= t (str.++ s "7"))'),
    "(str.suffixof s t)": (
        "(str.contains t s) (<= (str.len s) (str.len t))",
        '(= t (str.++ "7" s))',
    ),
    "(str.contains s t)": ("(<= (str.len t) (str.len s))", "(str.prefixof t s) (str.suffixof t s) (= s t)"),
    "(= s t)": (
        "(str.suffixof s t) (str.prefixof s t) (str.contains s t) (str.<= s t)",
        '(and (= s "7") (= t "7"))',
    ),
    "(distinct s t)": ('(not (and (= s "7") (= t "7")))', "(str.< s t) (str.< t s)"),
}
_ROWS = {**_NUMBERS, **_BITS, **_FLOATS, **_STRINGS}
_CONSTANTS = {"Int": "7", "BitVec": "#x07", "FloatingPoint": "h", "String": '"7"'}


def neighbours(text: str, side: Side) -> set[str]:
    """What the laws make of an atom, with a constant for the one variable they may leave open."""
    atom = term(text)
    subject = atom.args[0] if isinstance(atom, App) else atom
    subject = subject.args[0] if isinstance(subject, App) and subject.sort is BOOL else subject
    constant = term(_CONSTANTS[subject.sort.name])
    out = set()
    for law in all_laws():
        found = match(law, atom, side) if law.kind == "implies" else None
        if found is None or found.open_indices or len(found.slack) > 1:
            continue
        wanted = [sort for name, sort in law.binders if name in found.slack]
        if all(sort.is_parameter or sort.name == constant.sort.name for sort in wanted):
            out.add(print_term(apply(found, dict.fromkeys(found.slack, constant))))
    return out


@pytest.mark.parametrize("atom", _ROWS)
def test_row(atom: str) -> None:
    over, under = _ROWS[atom]
    assert _split(over) <= neighbours(atom, "left")
    assert _split(under) <= neighbours(atom, "right")


def _split(text: str) -> set[str]:
    """The S-expressions of a line."""
    out, depth, start = set(), 0, 0
    for place, letter in enumerate(text):
        if letter == "(":
            start = place if depth == 0 else start
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                out.add(text[start : place + 1])
    return out
