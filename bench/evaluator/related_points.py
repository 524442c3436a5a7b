"""Relates two or three applications whose values the standard leaves open, and reports who is blamed.

Solvers may choose any relation, so nobody may be blamed without a model that our evaluator verifies whatever
is chosen, or without a refutation that holds for every choice. Each script is answered by all solvers; the
oracles that compare them and look at models are run, and the judge wherever they contradict each other. All
blame is listed; with any other evidence the exit code is 1.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import Final

from bench.command import command_parser

from falsum.defects.case import Case
from falsum.defects.judge import judge
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.defects.kinds.wrong_verdict.disagreement import DisagreementOracle
from falsum.defects.model_check import satisfies
from falsum.defects.open_points import has_related_choices
from falsum.smtlib import Script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

SOLVERS: Final = ("z3", "cvc5", "bitwuzla", "yices", "z3@4.8.7", "z3@4.8.12", "cvc5@1.1.0")

_LARGE: Final = f"(fp #b0 #b11111110 #b{'0' * 23})"
_FLOAT: Final = "(_ FloatingPoint 8 24)"
_FLOATS: Final = ("f", "g", "(_ NaN 8 24)", "(_ +oo 8 24)", "(_ -oo 8 24)", _LARGE)
_FLOATS_AS_BITS: Final = (*_FLOATS, "(fp.neg f)", "(fp.neg g)")
_ZEROS: Final = ("f", "g", "(_ +zero 8 24)", "(_ -zero 8 24)", "(fp.neg f)")
_ROUNDING: Final = ("RNE", "RNA", "RTP", "RTN", "RTZ", "m")
_DECLARED: Final = (
    ("f", f"(declare-const f {_FLOAT})"),
    ("g", f"(declare-const g {_FLOAT})"),
    ("m", "(declare-const m RoundingMode)"),
    ("x", "(declare-const x Real)"),
    ("y", "(declare-const y Real)"),
    ("i", "(declare-const i Int)"),
    ("j", "(declare-const j Int)"),
    ("l", "(declare-const l L)"),
    ("k", "(declare-const k L)"),
    ("s", "(declare-const s (Seq Int))"),
    ("b", "(declare-const b (_ BitVec 6))"),
)
_LIST: Final = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))"
# What makes applications to variables open, and what leaves it to the solver.
_PREMISES: Final = {
    "f": ("(fp.isInfinite f)", "(fp.isNaN f)", "(fp.isZero f)", "(not (fp.isNormal f))", "(fp.isNegative f)"),
    "g": ("(fp.isInfinite g)", "(fp.isNaN g)", "(fp.isZero g)", "(fp.isPositive g)"),
    "m": ("(= m RTZ)", "(distinct m RNE)"),
    "x": ("(= x 0.0)", "(> x 1.0)"),
    "y": ("(= y 0.0)", "(<= y 0.0)"),
    "i": ("(= i 0)", "(> i 2)"),
    "j": ("(= j 0)", "(< j 0)"),
    "l": ("((_ is nil) l)", "(= l (tl nil))"),
    "k": ("((_ is nil) k)", "((_ is cons) k)"),
    "s": ("(= (seq.len s) 1)", "(= s (as seq.empty (Seq Int)))"),
    "b": ("(bvult b #b000011)",),
}


@dataclass(frozen=True, slots=True)
class _Family:
    """Open applications of one sort: templates with what their blanks are filled with, relations of terms of
    the sort, a constant of it, and the logics of such scripts.
    """

    templates: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]
    relations: tuple[str, ...]
    constants: tuple[str, ...]
    logics: tuple[str, ...]


_ORDER: Final = ("(< {} {})", "(<= {} {})", "(= (+ {} {}) 0{point})", "(> (- {} {}) 7{point})")
_FAMILIES: Final = (
    _Family(
        (
            ("((_ fp.to_sbv 6) {} {})", (_ROUNDING, _FLOATS_AS_BITS)),
            ("((_ fp.to_ubv 6) {} {})", (_ROUNDING, _FLOATS_AS_BITS)),
            ("((_ extract 5 0) ((_ fp.to_sbv 7) {} {}))", (_ROUNDING, _FLOATS_AS_BITS)),
        ),
        ("(bvult {} {})", "(bvsle {} {})", "(= (bvadd {} {}) #b000001)", "(= (bvxor {} {}) b)"),
        ("#b000000", "#b111111", "#b100000", "b"),
        ("QF_BVFP", "ALL", "QF_ABVFP"),
    ),
    _Family(
        (
            ("(fp.min {} {})", (_ZEROS, _ZEROS)),
            ("(fp.max {} {})", (_ZEROS, _ZEROS)),
        ),
        ("(fp.lt {} {})", "(fp.eq {} {})", "(= {} (fp.neg {}))"),
        ("(_ +zero 8 24)", "(_ -zero 8 24)"),
        ("QF_FP", "ALL", "QF_BVFP"),
    ),
    _Family(
        (
            ("(/ {} {})", (("x", "y", "1.0", "2.0"), ("0.0", "x", "y"))),
            ("(/ {} {})", (("x", "y", "1.0", "2.0"), ("0.0", "x", "y"))),
        ),
        tuple(each.format("{}", "{}", point=".0") for each in _ORDER),
        ("0.0", "1.0", "x"),
        ("ALL", "QF_NRA", "QF_UFNRA"),
    ),
    _Family(
        (("(fp.to_real {})", (_FLOATS,)), ("(fp.to_real (fp.neg {}))", (_FLOATS,))),
        tuple(each.format("{}", "{}", point=".0") for each in _ORDER),
        ("0.0", "1.0", "x"),
        ("ALL", "QF_FPLRA"),
    ),
    _Family(
        (
            ("(div {} {})", (("i", "j", "1", "7"), ("0", "i", "j"))),
            ("(mod {} {})", (("i", "j", "1", "7"), ("0", "i", "j"))),
        ),
        tuple(each.format("{}", "{}", point="") for each in _ORDER),
        ("0", "1", "i"),
        ("QF_NIA", "ALL", "QF_UFNIA"),
    ),
    _Family(
        (
            ("(hd {})", (("nil", "l", "k", "(tl nil)", "(tl l)"),)),
            ("(hd (tl {}))", (("nil", "l", "k"),)),
            ("(div {} {})", (("i", "1"), ("0", "j"))),
        ),
        tuple(each.format("{}", "{}", point="") for each in _ORDER),
        ("0", "1", "i"),
        ("ALL", "QF_UFDTNIA"),
    ),
    _Family(
        (("(tl {})", (("nil", "l", "k", "(tl nil)", "(tl l)"),)),),
        ("(= {} (cons 1 {}))", "(= (tl {}) (tl {}))"),
        ("nil", "(cons 3 nil)", "l"),
        ("ALL", "QF_UFDTLIA"),
    ),
    _Family(
        (
            (
                "(seq.nth {} {})",
                (("s", "(seq.unit 3)", "(as seq.empty (Seq Int))"), ("1", "5", "(- 1)", "i")),
            ),
            ("(seq.nth {} {})", (("s", "(seq.unit 4)"), ("2", "j"))),
        ),
        tuple(each.format("{}", "{}", point="") for each in _ORDER),
        ("0", "1", "i"),
        ("ALL",),
    ),
)


def scripts(rng: Random) -> Iterator[str]:
    """Scripts without end that relate two or three open applications."""
    while True:
        text = _script(rng)
        if has_related_choices(Case(Mutant(text))):
            yield text


def _script(rng: Random) -> str:
    family = rng.choice(_FAMILIES)
    terms = [_application(family, rng) for _ in range(rng.choice((2, 2, 3)))]
    formulas = [_formula(family, terms, rng) for _ in range(rng.choice((1, 1, 2, 3)))]
    words = frozenset(" ".join([*terms, *formulas]).replace("(", " ").replace(")", " ").split())
    premises = [
        rng.choice(listed) for name, listed in _PREMISES.items() if name in words and rng.random() < 0.7
    ]
    said = " ".join([*premises, *formulas])
    words = frozenset(said.replace("(", " ").replace(")", " ").split())
    declared = [text for name, text in _DECLARED if name in words]
    if not words.isdisjoint(("l", "k", "nil", "hd", "tl")):
        declared.insert(0, _LIST)
    logic = rng.choice(family.logics)
    return "\n".join(
        [
            f"(set-logic {logic})",
            *declared,
            *(f"(assert {each})" for each in (*premises, *formulas)),
            "(check-sat)\n",
        ]
    )


def _application(family: _Family, rng: Random) -> str:
    template, blanks = rng.choice(family.templates)
    return template.format(*map(rng.choice, blanks))


def _formula(family: _Family, terms: list[str], rng: Random) -> str:
    one, other = rng.sample(terms, 2)
    kind = rng.randrange(5)
    if kind == 0:
        return f"(= {one} {other})"
    if kind == 1:
        return f"(distinct {' '.join(terms)})"
    if kind == 2:
        return (
            f"(=> (= {one} {rng.choice(family.constants)}) (distinct {other} {rng.choice(family.constants)}))"
        )
    relation = rng.choice(family.relations).format(one, other)
    return relation if kind == 3 else f"(and (distinct {one} {rng.choice(family.constants)}) {relation})"


@dataclass(frozen=True, slots=True)
class Examination:
    """`contradict` if solvers do; `blamed` are those that the judge, or an oracle, calls wrong, and why.

    `is_proved` if that holds whatever is chosen.
    """

    contradict: bool
    blamed: tuple[str, ...] = ()
    why: str = ""
    is_proved: bool = False


def examination(text: str, lab: Lab) -> Examination:
    """What falsum makes of one script."""
    case = Case(Mutant(text), (), Want.MODEL)
    verdicts = {lab.ask(Request(solver, text, Want.MODEL)).verdict for solver in lab.solvers}
    contradict = len([verdict for verdict in verdicts if verdict is not None and verdict.decided]) > 1
    model = ModelOracle().find(case, lab)
    if model is not None:
        is_proved = all(_is_false_for_every_choice(case, solver, lab) for solver in model.suspects)
        return Examination(contradict, model.suspects, model.evidence, is_proved)
    finding = DisagreementOracle().find(case, lab) if contradict else None
    if not contradict:
        return Examination(contradict)
    judgement = judge(text, (), lab.solvers, lab)
    if judgement.suspects:
        evidence = judgement.evidence[0]
        flat = at_last_check(case.script) if case.script is not None else None
        is_proved = flat is not None and _is_proved(flat, evidence.kind, evidence.details)
        return Examination(contradict, judgement.suspects, f"{judgement.defect}: {evidence.text}", is_proved)
    if finding is not None:
        return Examination(contradict, finding.suspects, finding.evidence)
    return Examination(contradict)


def _is_false_for_every_choice(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver's model fails even if the choices it prints are not taken into account."""
    flat = at_last_check(case.script) if case.script is not None else None
    printed = lab.ask(Request(solver, case.text, Want.MODEL)).model
    if flat is None or printed is None:
        return False
    return False in truths(flat, replace(read_model(printed, flat), named={}))


def _is_proved(flat: Script, kind: str, details: str) -> bool:
    return kind == "evaluation" or (kind == "model" and satisfies(flat, details).always)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.evaluator.related_points", __doc__)
    made.add_argument(
        "--count", type=int, default=20_000, metavar="N", help="number of scripts (default 20000)"
    )
    made.add_argument(
        "--rng", type=int, default=1, metavar="N", help="seed of the random numbers (default 1)"
    )
    made.add_argument(
        "--solver", action="append", metavar="S", help=f"a solver (default: {', '.join(SOLVERS)})"
    )
    made.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="limit of a solver call (default 2)"
    )
    return made


def main() -> int:
    args = parser().parse_args()
    zoo = Zoo()
    counts: Counter[str] = Counter()
    with LiveLab(
        [resolve(name, zoo) for name in args.solver or SOLVERS], Limits(seconds=args.seconds)
    ) as lab:
        for text in islice(scripts(Random(args.rng)), args.count):
            examined = examination(text, lab)
            counts["scripts"] += 1
            counts["contradictions"] += examined.contradict
            counts["blamed with proof"] += bool(examined.blamed) and examined.is_proved
            if examined.blamed:
                counts["blamed without proof"] += not examined.is_proved
                proof = "with proof" if examined.is_proved else "WITHOUT PROOF"
                print(f"{proof}: {', '.join(examined.blamed)}: {examined.why}\n{text}", flush=True)
    print(
        ", ".join(
            f"{name}: {counts[name]}"
            for name in ("scripts", "contradictions", "blamed with proof", "blamed without proof")
        )
    )
    return 1 if counts["blamed without proof"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
