"""What solvers print is read as it is meant: transcripts of every product, and odd output."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solvers.transcripts import RECORDED, Transcript, has_own_reader, transcripts_of

from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED as ANY_ENDING
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.inputs.solver_input import prepare
from falsum.solvers.output import read, unsat_assumptions
from falsum.solvers.profiles import ALL, BY_PRODUCT, GENERIC, Profile
from falsum.solvers.supervision.process import ProcessResult, ProcessStop

FINISHED, TIMED_OUT, MEMORY, CRASHED, REJECTED, FLOODED, ODD = EndingKind


def answer(
    product: str, stdout: str, stderr: str = "", status: int = 0, stop: ProcessStop = ProcessStop.NONE
) -> Answer:
    profile = BY_PRODUCT.get(product, GENERIC)
    return read(profile, ProcessResult(status, stop, stdout.encode(), stderr.encode(), 0.1, 0.1))


RUNS = [(profile, run) for profile in (*ALL.own, GENERIC) for run in transcripts_of(profile)]


@pytest.mark.parametrize(
    ("profile", "run"), RUNS, ids=[f"{profile.product}-{run.release}-{run.about}" for profile, run in RUNS]
)
def test_transcript(profile: Profile, run: Transcript) -> None:
    said = run.answer(profile)
    assert tuple(map(str, said.verdicts)) == run.verdicts
    assert (said.ending.kind, said.ending.cause) == (run.ending, run.cause), said.ending
    assert (said.model, said.core) == (run.model, run.core)


@pytest.mark.parametrize("profile", [*ALL.own, GENERIC], ids=lambda profile: profile.product)
def test_every_profile_has_transcripts(profile: Profile) -> None:
    """Those of its own if it is read in a way of its own; then they are recorded from a release."""
    runs = list(transcripts_of(profile))
    said = {verdict for run in runs for verdict in run.verdicts}
    endings = {run.ending for run in runs}
    assert {"sat", "unsat"} <= said
    assert {"finished", "rejected"} <= endings
    assert any(run.model for run in runs)
    if has_own_reader(profile):
        assert {run.about for run in runs if run.release} == set(RECORDED)


@pytest.mark.parametrize(
    ("stop", "kind"),
    [
        (ProcessStop.TIME, TIMED_OUT),
        (ProcessStop.CPU, TIMED_OUT),
        (ProcessStop.MEMORY, MEMORY),
        (ProcessStop.OUTPUT, FLOODED),
    ],
)
def test_limits_decide_the_ending_whatever_was_said(stop: ProcessStop, kind: EndingKind) -> None:
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
        "(\n)\n(heap\n(pto 1 2)\n(= (as sep.nil Int) 0)\n)",
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
    said = read(BY_PRODUCT[product], ProcessResult(status, ProcessStop.NONE, output, output[::-1], 0.1, 0.1))
    assert said.ending.kind in EndingKind


def test_what_is_almost_a_core_is_read_at_once() -> None:
    """z3 puts a formula into the core where the script names only some; once this took forever."""
    names = " ".join(f"name!{number}" for number in range(200))
    assert answer("z3", f"unsat\n({names} (not (= x y)))\n").core is None
    assert answer("z3", f"unsat\n({names} |a b|)\n").core == f"({names} |a b|)"


@pytest.mark.parametrize("product", sorted(BY_PRODUCT))
@pytest.mark.parametrize(
    "text", ["unsupported\n; :no-such option\n", '(error "line 1: unsupported")\n', "unsupported\n", ""]
)
def test_a_signal_is_a_crash_whatever_was_printed_before(product: str, text: str) -> None:
    said = answer(product, text, status=-11)
    assert (said.ending.kind, said.ending.cause, said.ending.detail) == (CRASHED, Cause.SIGNAL, "SIGSEGV")
    assert answer(product, text, status=128 + 11).ending.kind in {CRASHED, REJECTED}


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (0, FINISHED),
        (-9, MEMORY),
        (-24, TIMED_OUT),
        (-6, CRASHED),
        (134, CRASHED),
        (137, MEMORY),
        (-13, ODD),
        (-14, ODD),
        (-15, ODD),
        (128 + 15, ODD),
        (1, ODD),
        (2, ODD),
        (77, ODD),
        (124, ODD),
        (128, ODD),
        (255, ODD),
    ],
)
def test_how_a_program_ends_without_a_word(status: int, kind: EndingKind) -> None:
    assert answer("none", "", status=status).ending.kind is kind


@pytest.mark.parametrize(
    ("status", "stderr", "kind"),
    [
        (0, "debug: Assertion x failed", FINISHED),
        (0, "a.cpp:3: f: Assertion `x' failed", CRASHED),
        (10, "debug: Assertion x failed", FINISHED),
        (10, "a.cpp:3: f: Assertion `x' failed", CRASHED),
        (3, "debug: no internal errors", FINISHED),
        (10, "debug: x", FINISHED),
    ],
)
def test_what_a_program_prints_counts_less_if_it_has_answered(
    status: int, stderr: str, kind: EndingKind
) -> None:
    assert answer("none", "sat\n", stderr, status).ending.kind is kind
    assert answer("none", "", "debug: Assertion x failed", 3).ending.kind is CRASHED


def test_what_follows_an_error_is_void() -> None:
    said = answer("z3", 'sat\n(error "line 3 column 4: unknown constant y")\nunsat\n', status=1)
    assert said.verdicts == (Verdict.SAT,)
    assert said.ending.kind is REJECTED
    assert said.ending.detail == "unknown constant y"
    assert answer("z3", "sat\n(a b)\nunsat\n(a b)\n").core == "(a b)"
    assert answer("z3", "unsat\n(a b)\nsat\n(c d)\n").core is None
    assert answer("z3", "((define-fun x () Int 1))\nsat\n").model is None


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("sat\n(heap (pto 1 2))\n", None),
        ("sat\n((define-fun x () Int 1))\n((x 4))\n", "((define-fun x () Int 1))"),
        (
            "sat\n((define-fun x () Int 1))\n(heap (pto 1 2))\n",
            "((define-fun x () Int 1))\n(heap (pto 1 2))",
        ),
        ("unknown\n((define-fun x () Int 1))\n", "((define-fun x () Int 1))"),
        ("unsat\n((define-fun x () Int 1))\n", None),
        ("sat\n((define-fun x () Int 1))\nsat\n((define-fun x () Int 2))\n", "((define-fun x () Int 2))"),
    ],
)
def test_a_model_is_what_follows_a_verdict_other_than_unsat(text: str, model: str | None) -> None:
    assert answer("z3", text).model == model


@pytest.mark.parametrize(
    ("printed", "verdicts", "check", "listed"),
    [
        (("(a b)",), "unsat", 0, "(a b)"),
        (("", "a remark\n(a b)"), "sat unsat", 1, "(a b)"),
        (("(a)", "(b)"), "unsat unsat", 0, "(a)"),
        (("(a)", "(b)"), "unsat unsat", 1, "(b)"),
        (("", "(b)"), "unsat unsat", 0, ""),
        (("(a)",), "sat", 0, ""),
        (("(a)",), "unsat", 1, ""),
        ((), "unsat", 0, ""),
    ],
)
def test_assumptions_are_the_list_after_their_verdict(
    printed: tuple[str, ...], verdicts: str, check: int, listed: str
) -> None:
    said = Answer(tuple(map(Verdict, verdicts.split())), ANY_ENDING, printed=printed)
    assert unsat_assumptions(said, check) == listed


@pytest.mark.parametrize(
    ("status", "kind", "cause", "detail"),
    [
        (-11, CRASHED, Cause.SIGNAL, "SIGSEGV"),
        (139, CRASHED, Cause.SIGNAL, "SIGSEGV"),
        (-8, CRASHED, Cause.SIGNAL, "SIGFPE"),
        (-99, ODD, Cause.SIGNAL, "99"),
        (128, ODD, Cause.EXIT, "128"),
        (129, ODD, Cause.SIGNAL, "SIGHUP"),
        (255, ODD, Cause.EXIT, "255"),
        (3, ODD, Cause.EXIT, "3"),
    ],
)
def test_a_status_is_a_signal_or_an_exit(status: int, kind: EndingKind, cause: Cause, detail: str) -> None:
    """A crash is only what a program brings upon itself."""
    ending = answer("none", "", status=status).ending
    assert (ending.kind, ending.cause, ending.detail) == (kind, cause, detail)


def test_z3_ends_with_a_status_of_its_own_where_something_in_it_has_failed() -> None:
    assert answer("z3", "", status=114).ending.kind is CRASHED
    assert answer("z3", "", status=103).ending.kind is ODD


@pytest.mark.parametrize("status", [1, 2, 3, 124, 255])
@pytest.mark.parametrize("product", ["none", "z3", "cvc5", "yices"])
def test_an_exit_status_is_no_crash(product: str, status: int) -> None:
    """After an answer it means nothing, after a refusal that it is one."""
    assert answer(product, "unsat\n", "some remark\n", status).ending.kind is FINISHED
    refused = answer(product, '(error "unknown constant y")\n', "", status)
    assert refused.ending.kind is REJECTED
    assert answer(product, "", "", status).ending.kind in {FINISHED, ODD}


@pytest.mark.parametrize(
    ("before", "after", "is_found"),
    [
        (0, 0, True),
        (0, 1 << 18, True),
        (1 << 18, 0, True),
        (1 << 15, 1 << 15, True),
        (1 << 18, 1 << 18, False),  # nobody reads megabytes of output for every script
    ],
)
def test_messages_are_looked_for_at_both_ends_of_a_long_output(
    before: int, after: int, *, is_found: bool
) -> None:
    stderr = "." * before + "\nAssertion `n > 0' failed.\n" + "." * after
    ending = answer("none", "", stderr, status=3).ending
    assert (ending.kind, ending.cause) == ((CRASHED, Cause.ASSERTION) if is_found else (ODD, Cause.EXIT))


@pytest.mark.parametrize("product", ["none", *sorted(BY_PRODUCT)])
@pytest.mark.parametrize("text", ["." * (1 << 17), "a:" * (1 << 16), "#0 in " * (1 << 14)])
def test_a_long_line_is_read_at_once(product: str, text: str) -> None:
    """A pattern that begins anew at every letter took minutes."""
    start = time.process_time()
    assert answer(product, text, text, status=3).ending.kind is ODD
    assert time.process_time() - start < 2.0


def test_a_leak_of_memory_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program ends with the status of the sanitizer, but it has answered."""
    stderr = "==1==ERROR: LeakSanitizer: detected memory leaks\n    #0 0x1 in f a.cpp:3\n"
    monkeypatch.setattr("falsum.solvers.output.leaks_are_crashes", lambda: False)
    assert answer("none", "sat\n", stderr, status=23).ending.kind is FINISHED
    monkeypatch.setattr("falsum.solvers.output.leaks_are_crashes", lambda: True)
    assert answer("none", "sat\n", stderr, status=23).ending.cause is Cause.SANITIZER


def test_a_sanitizer_without_memory_has_said_nothing() -> None:
    stderr = "==1==ERROR: AddressSanitizer failed to allocate 0xdfff0001000 bytes\n"
    assert answer("none", "", stderr, status=1).ending.kind is MEMORY


def test_an_abort_may_be_a_rejection_and_no_other_signal_is() -> None:
    message = '(error "line 1: unknown constant y")\n'
    assert answer("z3", message, status=-6).ending.kind in {REJECTED, CRASHED}
    for status in (-11, -8):
        said = answer("z3", message, status=status)
        assert (said.ending.kind, said.ending.cause) == (CRASHED, Cause.SIGNAL)
    assert answer("z3", message, status=1).ending.kind is REJECTED


# What releases of z3 print for one backslash, for a tab and é, and for what looks like an escape and is none.
STRINGS = "(declare-const s String)(declare-const t String)(check-sat)"


@pytest.mark.parametrize(
    ("release", "text", "model"),
    [
        ("4.8.7", r'(model (define-fun s () String "\\"))', r'(model (define-fun s () String "\u{5c}"))'),
        ("4.8.10", r'((define-fun s () String "\\"))', r'((define-fun s () String "\u{5c}"))'),
        ("4.8.10", r'((define-fun s () String "\\x41"))', r'((define-fun s () String "\u{5c}x41"))'),
        ("4.8.10", r'((define-fun s () String "\x09\xe9"))', r'((define-fun s () String "\u{9}\u{e9}"))'),
        ("4.8.12", r'((define-fun s () String "\"))', r'((define-fun s () String "\"))'),
        ("4.8.12", r'((define-fun s () String "\\"))', r'((define-fun s () String "\\"))'),
        ("4.8.12", r'((define-fun s () String "\x41"))', r'((define-fun s () String "\x41"))'),
        ("5.4.0", r'((define-fun s () String "\u{9}\u{e9}"))', r'((define-fun s () String "\u{9}\u{e9}"))'),
    ],
)
def test_strings_are_read_in_the_dialect_of_the_release(release: str, text: str, model: str) -> None:
    z3 = BY_PRODUCT["z3"]
    given_ = prepare(STRINGS, z3, release)
    outcome = ProcessResult(0, ProcessStop.NONE, f"sat\n{text}\n".encode(), b"", 0.1, 0.1)
    assert read(z3, outcome, "", given_).model == model


NAMED = "(declare-const |a\nb| Int)(declare-const UNREACHABLE Int)(check-sat)"


def test_names_are_put_back_in_what_is_read() -> None:
    z3 = BY_PRODUCT["z3"]
    given_ = prepare(NAMED, z3, "5.4.0")
    first, second = (name for name in given_.names if name in given_.text)
    stdout = f"sat\n((define-fun {first} () Int 1)(define-fun {second} () Int 2))\n(({first} 1))\n"
    outcome = ProcessResult(0, ProcessStop.NONE, stdout.encode(), b"", 0.1, 0.1)
    said = read(z3, outcome, "", given_)
    originals = [given_.names[first], given_.names[second]]
    assert sorted(originals) == ["UNREACHABLE", "|a\nb|"]
    assert said.model == f"((define-fun {originals[0]} () Int 1)(define-fun {originals[1]} () Int 2))"
    assert first not in said.stdout + said.printed[0]


SIGNS = '(assert (= "Fatal failure" "Assertion AddressSanitizer"))(check-sat)'


@pytest.mark.parametrize(
    ("stdout", "stderr", "status"),
    [
        ('sat\n(error "Sort mismatch: "Fatal failure within x"")\n', "", 1),
        ("sat\n", "a.cpp:3: f: Assertion `x' failed\n", 0),
        ("sat\n", "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n", 0),
        ("sat\n", "UNREACHABLE\n", 1),
    ],
)
def test_what_a_script_has_in_a_string_makes_no_crash_of_an_orderly_run(
    stdout: str, stderr: str, status: int
) -> None:
    z3 = BY_PRODUCT["z3"]
    outcome = ProcessResult(status, ProcessStop.NONE, stdout.encode(), stderr.encode(), 0.1, 0.1)
    assert not read(BY_PRODUCT["cvc5"], replace(outcome, status=1), "", prepare(SIGNS, z3, "5.4.0")).crashed
    with_signs = prepare(SIGNS, z3, "5.4.0")
    assert not read(z3, outcome, "", with_signs).crashed
    aborted = ProcessResult(-6, ProcessStop.NONE, stdout.encode(), stderr.encode(), 0.1, 0.1)
    assert read(z3, aborted, "", with_signs).crashed
