"""Messages: what varies is dropped, what tells failures apart stays, and stored forms do not change."""

from __future__ import annotations

import pytest

from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.messages import (
    alike,
    comparable,
    comparable_detail,
    crash_place,
    evidence,
    has_frames,
    last_words,
    names_source_file,
    remark,
    same_place,
    without_call_noise,
    without_release_noise,
    without_run_noise,
)


def crashed(detail: str, cause: Cause = Cause.ASSERTION, stderr: str = "") -> Answer:
    return Answer((), Ending(EndingKind.CRASHED, cause, detail), stderr=stderr)


# The three forms that stores and lists of known findings hold, for messages solvers have printed.
STORED = [
    (
        "Assertion `n > 0' failed at /build/a7/src/rewriter.cpp:117",
        "Assertion `n > 0' failed at rewriter.cpp:117",
        "Assertion `n > 0' failed at rewriter.cpp",
        "Assertion `n > N' failed at rewriter.cpp:N",
    ),
    (
        "File: ../src/smt/theory.cpp Line: 1171 pid 77 at 0x7ffe12",
        "File: ..theory.cpp Line: 1171 at 0x",
        "File: theory.cpp at",
        "File: .theory.cpp Line: N pid N at Nx",
    ),
    (
        '(error "line 1 column 20: unknown constant k!12")\n(error "more")',
        '(error "line 1 column 20: unknown constant k!12") (error "more")',
        '(error " : unknown constant k!12") (error "more")',
        "line N column N: unknown constant N",
    ),
    (
        "b'cannot apply (bvadd x (_ bv3 8)) to |a b| #x0f'",
        "b'cannot apply (bvadd x (_ bv3 8)) to |a b| #x0f'",
        "b'cannot apply (bvadd x (_ bv3 8)) to /a b/ #x0f'",
        "cannot apply () to … N",
    ),
    ("thread 12345678  of\n 99999999", " of N", "of N", "thread N of N"),
]


@pytest.mark.parametrize(("message", "run", "release", "call"), STORED)
def test_stored_forms_do_not_change(message: str, run: str, release: str, call: str) -> None:
    assert without_run_noise(message) == run
    assert without_release_noise(message) == release
    assert without_call_noise(message) == call


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("failed at /project/src/bags_utils.cpp:148", "failed at /home/x/cvc5/src/bags_utils.cpp:151"),
        ("File: ../src/smt/theory.cpp Line: 117", "File: /build/smt/theory.cpp Line: 9"),
        ("node 0x55d0c0 is bad", "node 0x7f11 is bad"),
    ],
)
def test_releases_differ_in_folders_lines_and_addresses(one: str, other: str) -> None:
    assert without_release_noise(one) == without_release_noise(other)
    assert without_release_noise(one) != without_release_noise("another message")


def test_the_top_frames_without_machinery_and_addresses() -> None:
    stderr = """==12==ERROR: AddressSanitizer: SEGV on unknown address
    #0 0x7f1 in raise (/lib/libc.so.6+0x1)
    #1 0x7f2 in abort
    #2 0x55d in smt::context::propagate() /src/smt/smt_context.cpp:1234
    #3 0x55e in smt::theory_seq::check
    #4 0x55f in smt::context::search
    #5 0x560 in main
"""
    place = crash_place(crashed("heap-use-after-free 0x7ffe12", Cause.SANITIZER, stderr))
    assert place == (
        "sanitizer: AddressSanitizer: SEGV at smt_context.cpp:1234 in smt::context::propagate"
        " < smt::theory_seq::check < smt::context::search"
    )


def test_releases_may_word_one_failure_in_two_ways() -> None:
    one = "assertion: n > 0 failed in rewriter::visit at /a/rewriter.cpp:117"
    assert alike(one, "assertion: n > 0 failed in rewriter::visit_all at /b/c/rewriter.cpp:98")
    assert not alike(one, "assertion: unreachable code in the simplex tableau")
    assert not alike(one, one.replace("assertion", "internal error"))
    assert comparable(one) != comparable("assertion: n > 0 failed in rewriter::visit_all at rewriter.cpp:98")


def test_a_self_check_tells_how_far_it_has_read() -> None:
    def detail(text: str, cause: Cause) -> str:
        return comparable_detail(Ending(EndingKind.CRASHED, cause, text))

    assert detail("line 5: bad model", Cause.SELF_CHECK) == detail("line 7: bad model", Cause.SELF_CHECK)
    assert detail("case 5", Cause.ASSERTION) != detail("case 7", Cause.ASSERTION)
    assert detail("at /tmp/a/x.cpp 517", Cause.ASSERTION) == detail("at /tmp/b/x.cpp 98", Cause.ASSERTION)


def test_the_last_words_of_a_library_are_those_that_say_why() -> None:
    dying = "WARNING: old\nASSERTION VIOLATION\nFile: a.cpp\nLine: 3\nn > 0\n(C)ontinue, (A)bort?\n"
    assert last_words(dying) == "ASSERTION VIOLATION File: a.cpp Line: 3"
    assert last_words("one\ntwo\nWARNING: late\n\n") == "; last output: two"
    assert last_words("WARNING: alone") == ""


def test_evidence_is_one_short_line_without_positions() -> None:
    assert evidence("Parse Error: /tmp/x.smt2:3.14: no\n  such symbol") == "no such symbol"
    assert evidence("at line 3, column 4: undefined") == "undefined"
    assert len(evidence("x" * 500)) == 201
    assert remark("; no such option line: 3 position: 7") == "no such option"


def test_a_source_file_says_where() -> None:
    assert names_source_file("failed at rewriter.cpp:N")
    assert not names_source_file("cannot read x.smt2")


SIGNAL = crashed("SIGSEGV", Cause.SIGNAL)
BUILD = (
    "#0  0x0000000000448f54 in build_fun_value ()\n#1  0x50f8d6 in int_htbl_get_obj ()\n"
    "#2  0x44b822 in vtbl_mk_function ()\n#3  0x522c1b in uf_plugin_build_model ()\n"
    "#4  0x51bac9 in mcsat_build_model ()\n#5  0x42af19 in build_model ()\n"
)
PLUGIN = (
    "#0  0x522bc5 in uf_plugin_build_model ()\n#1  0x51bac9 in mcsat_build_model ()\n#2  0x1 in main ()\n"
)


def test_a_signal_gets_its_frames_from_a_debugger() -> None:
    place = crash_place(SIGNAL, BUILD)
    assert place == (
        "signal: SIGSEGV < build_fun_value < int_htbl_get_obj < vtbl_mk_function < uf_plugin_build_model "
        "< mcsat_build_model"
    )
    assert has_frames(place)
    assert not has_frames(crash_place(SIGNAL))
    assert not has_frames("assertion: a < b failed")
    assert crash_place(SIGNAL, "#0  0x1 in raise ()\n#1  0x2 in abort ()\n#2  0x3 in f ()\n") == (
        "signal: SIGSEGV < f"
    )
    printed = crashed("SIGSEGV", Cause.SIGNAL, "#0 0x1 in own ()\n")
    assert crash_place(printed, BUILD) == "signal: SIGSEGV < own"


@pytest.mark.parametrize("top", [0, 1, 2])
def test_a_stack_overflow_is_named_by_its_recursion(top: int) -> None:
    names = [("visit", "rewrite", "malloc_once")[(n + top) % 2] for n in range(98)]
    deep = "".join(f"#{n}  0x{n} in {name} ()\n" for n, name in enumerate(["grow", "copy"][:top] + names))
    assert crash_place(SIGNAL, deep) == "signal: SIGSEGV < recursion < rewrite < visit"
    shallow = "".join(f"#{n}  0x{n} in f{n} ()\n" for n in range(95))
    assert crash_place(SIGNAL, shallow) == "signal: SIGSEGV < f0 < f1 < f2 < f3 < f4"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("signal: SIGSEGV < a < b < c", "signal: SIGSEGV < a < x < y", True),
        ("signal: SIGSEGV < a < b < c", "signal: SIGBUS < a < b < c", False),
        ("signal: SIGSEGV < a < b < c < d < e", "signal: SIGSEGV < d < e", True),
        ("signal: SIGSEGV < d < e", "signal: SIGSEGV < a < b < c < d < e", True),
        ("signal: SIGSEGV < a < b < c < d < e", "signal: SIGSEGV < x < d < e", True),
        ("signal: SIGSEGV < a < b < c < d < e", "signal: SIGSEGV < x < y < d < e", False),
        ("signal: SIGSEGV < a < b < d", "signal: SIGSEGV < d < f < g", False),
        ("signal: SIGSEGV < a", "signal: SIGSEGV", False),
    ],
)
def test_crashes_are_one_if_two_frames_on_top_are(one: str, other: str, *, same: bool) -> None:
    assert same_place(one, other) is same_place(other, one) is same


def test_damage_done_in_one_function_is_one_place() -> None:
    assert same_place(crash_place(SIGNAL, BUILD), crash_place(SIGNAL, PLUGIN))
