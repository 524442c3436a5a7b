"""Recorded transcripts of every product: standard output, standard error, status → answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.output import items, read
from falsum.solvers.process import Outcome, Stop
from falsum.solvers.profiles import BY_PRODUCT, GENERIC

FINISHED, TIMED_OUT, MEMORY, CRASHED, REJECTED, FLOODED = EndingKind


def answer(product: str, stdout: str, stderr: str = "", status: int = 0, stop: Stop = Stop.NONE) -> Answer:
    profile = BY_PRODUCT.get(product, GENERIC)
    return read(profile, Outcome(status, stop, stdout.encode(), stderr.encode(), 0.1, 0.1))


Case = tuple[str, str, str, int, str, EndingKind, Cause]
TRANSCRIPTS: list[Case] = [
    # it goes on after saying that it cannot do this: what it says is void
    (
        "bitwuzla",
        "unknown\nsat\n",
        "[bzla] warning: Equalities over uninterpreted sorts not yet supported.\n",
        0,
        "",
        REJECTED,
        Cause.UNSUPPORTED,
    ),
    ("z3", "sat\n", "", 0, "sat", FINISHED, Cause.NONE),
    ("z3", "unsat\nsat\nunknown\n", "", 0, "unsat sat unknown", FINISHED, Cause.NONE),
    (
        "z3",
        'unsat\n(error "line 5 column 10: model is not available")\n',
        "",
        1,
        "unsat",
        FINISHED,
        Cause.NONE,
    ),
    (
        "z3",
        'unsat\n(error "line 5 column 10: model is not available")\nsat\n',
        "",
        1,
        "unsat sat",
        FINISHED,
        Cause.NONE,
    ),
    # after an error z3 goes on answering for what is left: void
    (
        "z3",
        'sat\n(error "line 9 column 14: unknown constant bar (Int) ")\nsat\nunsat\n',
        "",
        1,
        "sat",
        REJECTED,
        Cause.SYNTAX,
    ),
    (
        "z3",
        "unsupported\nsat\n",
        "; declare-codatatypes line: 4 position: 41\n",
        0,
        "",
        REJECTED,
        Cause.UNSUPPORTED,
    ),
    (
        "z3",
        "unsupported\nsat\n",
        "; ignoring unsupported logic FOO line: 1 position: 1\n",
        0,
        "sat",
        FINISHED,
        Cause.NONE,
    ),
    ("z3", "unsupported\nsat\n", "; :foo line: 1 position: 1\n", 0, "sat", FINISHED, Cause.NONE),
    (
        "z3",
        "(error \"line 2 column 17: unknown parameter 'incremental'\nLegal:\n  timeout\")\nunsat\n",
        "",
        1,
        "unsat",
        FINISHED,
        Cause.NONE,
    ),
    (
        "z3",
        'sat\n(error "line 7 column 10: an invalid model was generated")\n',
        "",
        1,
        "sat",
        CRASHED,
        Cause.SELF_CHECK,
    ),
    (
        "z3",
        '(error "line 3 column 10: Overflow encountered when expanding vector")\n',
        "",
        1,
        "",
        CRASHED,
        Cause.INTERNAL,
    ),
    ("z3", '(error "out of memory")\n', "", 101, "", MEMORY, Cause.NONE),
    ("z3", "timeout\n", "", 2, "", TIMED_OUT, Cause.NONE),
    (
        "z3",
        "",
        "ASSERTION VIOLATION\nFile: ../src/smt/smt_context.cpp\nLine: 42\n",
        114,
        "",
        CRASHED,
        Cause.ASSERTION,
    ),
    ("z3", "", "", -11, "", CRASHED, Cause.SIGNAL),
    ("z3", "", "", -9, "", MEMORY, Cause.NONE),
    ("z3", "", "", -24, "", TIMED_OUT, Cause.NONE),
    ("cvc5", "sat\n", "", 0, "sat", FINISHED, Cause.NONE),
    (
        "cvc5",
        "(error \"Parse Error: script.smt2:1.50: Symbol 'bar' not declared as a variable\")\n",
        "",
        1,
        "",
        REJECTED,
        Cause.SYNTAX,
    ),
    (
        "cvc5",
        "",
        "Fatal failure within void cvc5::Thing::run() at thing.cpp:12\nCheck failure\n\n  ok\n",
        -6,
        "",
        CRASHED,
        Cause.ASSERTION,
    ),
    (
        "cvc5",
        "sat\n",
        (
            "Fatal failure within void cvc5::internal::CheckModels::checkModel() at x.cpp:1\n"
            "Internal error detected ERRORS SATISFYING ASSERTIONS WITH MODEL\n"
        ),
        -6,
        "sat",
        CRASHED,
        Cause.SELF_CHECK,
    ),
    (
        "cvc5",
        'unsat\n(error "Cannot get model unless after a SAT or UNKNOWN response.")\n',
        "",
        1,
        "unsat",
        FINISHED,
        Cause.NONE,
    ),
    (
        "cvc5",
        '(error "The logic was specified as QF_BV, which doesn\'t include THEORY_ARITH, but got a term")\n',
        "",
        1,
        "",
        REJECTED,
        Cause.UNSUPPORTED,
    ),
    ("cvc5", "cvc5 interrupted by timeout.\n", "", -6, "", TIMED_OUT, Cause.NONE),
    ("cvc5", "terminate called after throwing\n", "std::bad_alloc\n", -6, "", MEMORY, Cause.NONE),
    ("cvc4", "", "CVC4 interrupted by timeout.\n", -6, "", TIMED_OUT, Cause.NONE),
    (
        "cvc4",
        "",
        "Unreachable code reached no concrete implementation of FloatingPointLiteral\n",
        -6,
        "",
        REJECTED,
        Cause.UNSUPPORTED,
    ),
    (
        "bitwuzla",
        "(error \"<string>:1:12: unsupported logic 'QF_LIA'\")\n",
        "",
        1,
        "",
        REJECTED,
        Cause.UNSUPPORTED,
    ),
    (
        "bitwuzla",
        "sat\n(error \"<string>:1:69: undefined symbol 'y'\")\n",
        "",
        1,
        "sat",
        REJECTED,
        Cause.SYNTAX,
    ),
    (
        "bitwuzla",
        'unsat\n(error "<string>:1:69: model generation is not enabled")\n',
        "",
        1,
        "unsat",
        FINISHED,
        Cause.NONE,
    ),
    ("yices", '(error "at line 12, column 10: undefined term: bar")\n', "", 0, "", REJECTED, Cause.SYNTAX),
    ("yices", '(error "unknown logic: QF_S")\n', "", 0, "", REJECTED, Cause.UNSUPPORTED),
    ("boolector", "", "b.smt2:1: unsupported logic 'QF_LIA'\n", 1, "", REJECTED, Cause.UNSUPPORTED),
    ("boolector", "sat\n", "", 10, "sat", FINISHED, Cause.NONE),
    ("generic", "success\nsuccess\nsat\n", "", 0, "sat", FINISHED, Cause.NONE),
    (
        "generic",
        "sat\n",
        "==1==ERROR: AddressSanitizer: SEGV on unknown address\n",
        1,
        "sat",
        CRASHED,
        Cause.SANITIZER,
    ),
    (
        "generic",
        "unsat\n",
        "x.cpp:3:4: runtime error: signed integer overflow\n",
        0,
        "unsat",
        CRASHED,
        Cause.SANITIZER,
    ),
    ("generic", "", "", 139, "", CRASHED, Cause.SIGNAL),
    ("generic", "", "", 3, "", CRASHED, Cause.EXIT),
    ("generic", "", "", 0, "", FINISHED, Cause.NONE),
]


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=lambda case: f"{case[0]}-{case[5]}-{case[6]}")
def test_transcript(case: Case) -> None:
    product, stdout, stderr, status, verdicts, kind, cause = case
    said = answer(product, stdout, stderr, status)
    assert said.verdicts == tuple(Verdict(word) for word in verdicts.split())
    assert (said.ending.kind, said.ending.cause) == (kind, cause), said.ending


@pytest.mark.parametrize(
    ("stop", "kind"),
    [(Stop.TIME, TIMED_OUT), (Stop.CPU, TIMED_OUT), (Stop.MEMORY, MEMORY), (Stop.OUTPUT, FLOODED)],
)
def test_limits_decide_the_ending_whatever_was_said(stop: Stop, kind: EndingKind) -> None:
    said = answer("z3", "sat\n", "Assertion failed", -9, stop)
    assert said.verdict is Verdict.SAT
    assert said.ending.kind is kind


@pytest.mark.parametrize(
    "model",
    [
        "(\n  (define-fun x () Int\n    4)\n)",
        "(model\n(define-fun x () Int 4)\n)",
        "()",
        '(\n(define-fun s () String ")(")\n)',
        "(\n;; universe for U:\n;;   U!val!0\n(define-fun |a b(| () Int 1)\n)",
    ],
)
def test_models_are_found_whole(model: str) -> None:
    assert answer("z3", f"sat\n{model}\n").model == model


def test_values_and_infos_are_no_models() -> None:
    said = answer("z3", "sat\n((x 4))\n(:reason-unknown incomplete)\n")
    assert said.model is None
    assert said.core is None


@pytest.mark.parametrize("core", ["()", "(a b)", "(\nfalsum!2\n)", "(|a b| c)"])
def test_cores_are_found_after_unsat_only(core: str) -> None:
    assert answer("cvc5", f"unsat\n{core}\n").core == core
    assert answer("cvc5", f"sat\n{core}\n").core is None


def test_places_are_no_evidence() -> None:
    here = answer("z3", '(error "line 9 column 14: unknown constant bar")\n', "", 1)
    there = answer("z3", '(error "line 999 column 4: unknown constant bar")\n', "", 1)
    assert here.ending == there.ending


@given(st.binary(max_size=200), st.integers(-64, 255), st.sampled_from([*BY_PRODUCT]))
def test_whatever_is_printed_can_be_read(output: bytes, status: int, product: str) -> None:
    said = read(BY_PRODUCT[product], Outcome(status, Stop.NONE, output, output[::-1], 0.1, 0.1))
    assert said.ending.kind in EndingKind


def test_a_list_that_never_ends_is_not_given() -> None:
    assert list(items('sat\n(\n (define-fun x () String "a')) == ["sat"]
    assert list(items("sat (a (b)) unsat\n)) sat")) == ["sat", "(a (b))", "unsat", ")) sat"]


def test_what_is_almost_a_core_is_read_at_once() -> None:
    """z3 puts a formula into the core where the script names only some; once this took forever."""
    names = " ".join(f"name!{number}" for number in range(200))
    assert answer("z3", f"unsat\n({names} (not (= x y)))\n").core is None
    assert answer("z3", f"unsat\n({names} |a b|)\n").core == f"({names} |a b|)"
