"""Questions: dialects, models, cores, incremental scripts."""

from __future__ import annotations

from falsum.solvers.profiles import ALL, BY_PRODUCT
from falsum.solvers.request import Want
from falsum.solvers.solver_input import prepare

Z3, CVC5, YICES = BY_PRODUCT["z3"], BY_PRODUCT["cvc5"], BY_PRODUCT["yices"]


def test_old_releases_get_old_string_names_outside_strings_and_quotes() -> None:
    script = '(assert (= (str.to_int s) 1 |str.to_int|))\n(assert (= s "str.to_int"))\n'
    assert prepare(script, Z3, "4.8.9.0").text == script
    assert prepare(script, Z3, "").text == script
    old = prepare(script, Z3, "4.8.8.0")
    assert old.text == script.replace("(str.to_int", "(str.to.int")
    assert old.changes


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
