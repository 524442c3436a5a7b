"""Questions: dialects, models, cores, incremental scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.labs import live_lab

from falsum.smtlib import read_script
from falsum.smtlib.term_names import assertions_in_core
from falsum.smtlib.verdict import Verdict
from falsum.solvers.inputs.solver_input import prepare
from falsum.solvers.lab import LiveLab
from falsum.solvers.profiles import ALL, BY_PRODUCT
from falsum.solvers.profiles.profile import Profile
from falsum.solvers.request import Request, Want

Z3, CVC5, CVC4, YICES = (BY_PRODUCT[name] for name in ("z3", "cvc5", "cvc4", "yices"))


def test_old_releases_get_old_string_names_outside_strings_and_quotes() -> None:
    script = '(assert (= (str.to_int s) 1 |str.to_int|))\n(assert (= s "str.to_int"))\n'
    assert prepare(script, Z3, "4.8.9.0").text == script
    assert prepare(script, Z3, "").text == script
    old = prepare(script, Z3, "4.8.8.0")
    assert old.text == script.replace("(str.to_int", "(str.to.int")
    assert old.changes


@pytest.mark.parametrize(
    ("profile", "release", "new", "old"),
    [
        (Z3, "4.8.8.0", "(define-fun r () RegLan re.all)", "(define-fun r () (RegEx String) re.all)"),
        (Z3, "4.8.8.0", "(assert (f (re.comp r)))", "(assert (f (re.complement r)))"),
        (Z3, "4.13.0.0", "(assert (f (ubv_to_int x)))", "(assert (f (bv2nat x)))"),
        (Z3, "4.13.0.0", "(assert (f ((_ int_to_bv 8) i)))", "(assert (f ((_ int2bv 8) i)))"),
        (Z3, "4.5.1.0.post2", "(assert (f (bv2nat x)))", "(assert (f (bv2int x)))"),
        (CVC5, "1.2.1", "(assert (f (ubv_to_int x)))", "(assert (f (bv2nat x)))"),
        (CVC4, "1.8", "(assert (f (ubv_to_int x)))", "(assert (f (bv2nat x)))"),
    ],
)
def test_old_releases_get_the_names_they_know(profile: Profile, release: str, new: str, old: str) -> None:
    assert prepare(new, profile, release).text.strip() == old


@pytest.mark.parametrize(
    "script",
    [
        "(define-sort RegLan () (RegEx String))\n(declare-const r RegLan)\n",
        "(define-fun ubv_to_int ((x (_ BitVec 8))) Int 1)\n(assert (= 1 (ubv_to_int #x02)))\n",
    ],
)
def test_names_that_a_script_declares_itself_are_kept(script: str) -> None:
    assert prepare(script, Z3, "4.8.8.0").text == script


@pytest.mark.parametrize("solver", ["z3@4.8.7", "z3@4.8.10", "cvc4", "cvc5@1.1.0"])
@pytest.mark.parametrize(
    "script",
    [
        '(define-fun r () RegLan (re.range "5" "9"))(assert (str.in_re "7" r))',
        '(assert (str.in_re "ab" re.all))',
        '(assert (not (str.in_re "ab" re.none)))',
        '(assert (str.in_re "ab" (re.comp (str.to_re "a"))))',
        '(assert (= (str.to_int "7") 7))(assert (= (str.from_int 7) "7"))',
        "(assert (= 7 (ubv_to_int ((_ int_to_bv 8) 7))))",
    ],
)
def test_old_releases_accept_them(solver: str, script: str, lab_of: Callable[..., LiveLab]) -> None:
    asked = f"(set-logic ALL){script}(check-sat)"
    assert lab_of(solver).ask(Request(solver, asked)).verdicts == (Verdict.SAT,)


def test_status_lines_are_removed() -> None:
    question = prepare("(set-info :status sat)(set-info :source x)(check-sat)", CVC5, "1.4.2")
    assert question.text == "(check-sat)\n"


def test_incremental_scripts_are_noticed() -> None:
    assert prepare("(push 1)(check-sat)", CVC5, "").text.startswith("(set-option :incremental true)")
    assert prepare("(check-sat)(check-sat)", YICES, "").incremental
    assert prepare("(check-sat-assuming (a))", YICES, "").incremental
    assert not prepare("(assert a)(check-sat)", YICES, "").incremental


def test_a_model_is_asked_for_after_the_last_check() -> None:
    script = "(set-option :produce-models false)(assert a)(check-sat)(assert b)(check-sat)(pop 1)"
    assert prepare(script, Z3, "", Want.MODEL).text == (
        "(set-option :produce-models true)\n(assert a)\n(check-sat)\n(assert b)\n(check-sat)\n"
        "(get-model)\n(pop 1)\n"
    )


def test_assertions_get_names_when_a_core_is_wanted() -> None:
    script = "(assert (= a b))(assert (! c :named n))(check-sat)"
    assert prepare(script, Z3, "", Want.CORE).text == (
        "(set-option :produce-unsat-cores true)\n(assert (! (= a b)\n :named falsum!1))\n"
        "(assert (! c :named n))\n(check-sat)\n(get-unsat-core)\n"
    )


def test_options_that_outlive_a_reset_are_named() -> None:
    question = prepare("(set-option :produce-models true)(set-option :smt.arith.solver 2)", Z3, "")
    assert question.persistent_settings == ("smt.arith.solver 2",)
    assert prepare("(set-option :smt.arith.solver 2)", CVC5, "").persistent_settings == ()


def test_a_program_that_reads_line_by_line_gets_a_command_a_line() -> None:
    script = """(set-info :source |two
lines|)(assert ; why (not
  (= s "a;b" |;c|))
(check-sat)"""
    question = prepare(script, CVC5, "1.0.3")
    assert question.text.split() == ["(assert", "(=", "s", '"a;b"', "|;c|))", "(check-sat)"]
    assert [line for line in question.text.splitlines() if line][1] == "(check-sat)"
    assert question.allows_warm
    assert not prepare('(assert (= s "a\nb"))', CVC5, "1.0.3").allows_warm
    assert prepare("(assert\n p)", CVC5, "1.4.2").text == "(assert\n p)\n"


def test_a_script_with_proofs_would_spoil_a_host_of_z3() -> None:
    for setting in (":produce-proofs", ":proof", ":global-declarations"):
        assert not prepare(f"(set-option {setting} true)(check-sat)", Z3, "").allows_warm
    assert prepare("(set-option :produce-proofs false)(check-sat)", Z3, "").allows_warm


def test_logics_tell_who_can_be_asked() -> None:
    assert BY_PRODUCT["bitwuzla"].claims("QF_ABVFP")
    assert not BY_PRODUCT["bitwuzla"].claims("QF_LIA")
    assert all(profile.claims("ALL") for profile in ALL)


def test_names_for_cores_do_not_clash_with_those_of_the_script() -> None:
    script = "(declare-const falsum!1 Bool)(assert falsum!1)(assert (! (not falsum!1) :named n))(check-sat)"
    sent = prepare(script, Z3, "", Want.CORE).text
    assert ":named falsum!!1)" in sent
    with live_lab("z3", "cvc5", seconds=20) as lab:
        for solver in lab.solvers:
            answer = lab.ask(Request(solver, script, Want.CORE, cold=True))
            assert answer.core is not None
            assert assertions_in_core(answer.core, read_script(script).assertions) == {0, 1}
