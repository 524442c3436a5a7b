"""Relays: models and cores written as scripts of their own, which solvers read."""

from __future__ import annotations

import pytest
from tests.labs import live_lab

from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.consequences import relay
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request, Want

INCREMENTAL = """(set-logic QF_UFLIA)(set-option :smt.threads 2)(set-info :status sat)
(declare-fun f (Int) Int)(declare-const x Int)
(push 1)(assert (> x 5))(check-sat)(pop 1)
(assert (! (> (f x) x) :named own))(assert (< x 3))(assert (= x 1))(check-sat)(get-model)
"""


def flat(text: str, check: int = 0) -> Script:
    script = at_check(read_script(text), check)
    assert script is not None
    return script


def test_a_plain_question_has_no_options_and_only_what_is_in_force() -> None:
    assert relay.plain(flat(INCREMENTAL, 1)).splitlines() == [
        "(set-logic QF_UFLIA)",
        "(declare-fun f (Int) Int)",
        "(declare-const x Int)",
        "(assert (! (> (f x) x) :named own))",
        "(assert (< x 3))",
        "(assert (= x 1))",
        "(check-sat)",
    ]
    assert relay.plain(flat(INCREMENTAL, 1), "ALL").startswith("(set-logic ALL)")


def test_what_follows_from_a_script_has_its_logic_and_options() -> None:
    """A solver is held to its word for these alone; others may be asked in any logic."""
    script = flat(INCREMENTAL, 1)
    texts = [
        relay.with_settings(script),
        relay.with_model(script, "((define-fun x () Int 1))"),
        relay.with_core(script, "(own falsum!3)"),
        relay.core_of(relay.with_settings(script), "(own falsum!3)", 3),
        relay.with_indicators(read_script(INCREMENTAL)),
        relay.with_assumptions(relay.with_indicators(read_script(INCREMENTAL)) or "", 0, "(falsum!a1)"),
    ]
    for text in texts:
        assert text is not None
        assert text.splitlines()[:2] == ["(set-logic QF_UFLIA)", "(set-option :smt.threads 2)"]
        wide = relay.widened(text).splitlines()
        assert wide == ["(set-logic ALL)", *text.splitlines()[2:]]


def test_definitions_take_the_place_of_declarations() -> None:
    model = "((define-fun x () Int 1) (define-fun f ((y Int)) Int 7))"
    made = relay.with_model(flat(INCREMENTAL, 1), model)
    assert made is not None
    assert "declare" not in made
    assert made.index("(define-fun x () Int 1)") < made.index("(assert")


def test_what_a_model_does_not_say_readably_stays_declared() -> None:
    made = relay.with_model(flat("(declare-const x Int)(declare-const y Int)(assert (< x y))(check-sat)"),
                            "((define-fun x () Int 1) (define-fun y () Int (frob 2)))")  # fmt: skip
    assert made is not None
    assert "(define-fun x () Int 1)" in made
    assert "(declare-const y Int)" in made


@pytest.mark.parametrize("model", ["garbage", "()", "((define-fun x () Int (frob)))"])
def test_no_model_no_relay(model: str) -> None:
    assert relay.with_model(flat("(declare-const x Int)(assert (< x 3))(check-sat)"), model) is None


def test_a_core_is_the_script_with_fewer_assertions() -> None:
    made = relay.with_core(flat(INCREMENTAL, 1), "(own falsum!3)")
    assert made is not None
    assert "(= x 1)" in made
    assert "own" in made
    assert "(< x 3)" not in made


@pytest.mark.parametrize("core", ["()", "(other)", "(own falsum!2 falsum!3)"])
def test_a_core_of_nothing_or_everything_is_none(core: str) -> None:
    assert relay.with_core(flat(INCREMENTAL, 1), core) is None


def test_names_that_the_rest_uses_stay() -> None:
    text = """(declare-const x Int)(assert (! (> x 3) :named |big|))(assert (! (not big) :named nb))
    (assert (! (< x 1) :named small))(assert (! (> x 2) :named two))(check-sat)"""
    core = relay.with_core(flat(text), "(nb two small)")
    assert core is not None
    assert [print_term(term) for term in read_script(core).assertions] == [
        "(or true (! (> x 3) :named |big|))",
        "(! (not big) :named nb)",
        "(! (< x 1) :named small)",
        "(! (> x 2) :named two)",
    ]
    fewer = relay.with_core(flat(text), "(small two)")
    assert fewer is not None
    assert len(read_script(fewer).assertions) == 3  # the name is used by another that is left out


@pytest.mark.parametrize(("elements", "distinct"), [(1, False), (2, True)])
def test_elements_of_a_declared_sort_are_distinct(elements: int, *, distinct: bool) -> None:
    names = [f"S!{number}" for number in range(elements)]
    declared = " ".join(f"(declare-fun {name} () S)" for name in names)
    script = "(declare-sort S 0)(declare-const a S)(declare-const b S)(assert (= a a))(check-sat)"
    model = f"({declared} (define-fun a () S S!0) (define-fun b () S {names[-1]}))"
    made = relay.with_model(flat(script), model)
    assert made is not None
    assert ("(assert (distinct" in made) is distinct
    read_script(made)


def test_only_named_assumptions_stay() -> None:
    text = "(declare-const a Bool)(declare-const b Bool)(assert (or a b))(check-sat-assuming ((not a) b))"
    made = relay.with_assumptions(text, 0, "((not  a))")
    assert made is not None
    assert "(assert (or a b))" in made
    assert "(assert (not a))" in made
    assert "(assert b)" not in made
    assert relay.with_assumptions("(check-sat)", 0, "(a)") is None
    assert relay.with_assumptions(text, 1, "((not a))") is None
    assert relay.with_assumptions(text, 0, "((not a) b)") is None
    assert relay.with_assumptions(text, 0, "()") is None


@pytest.mark.parametrize(
    "text",
    [
        "(declare-sort S 0)(declare-const a S)(declare-const b S)(assert (distinct a b))(check-sat)",
        "(declare-const m (Array Int Int))(assert (= (select m 1) 2))(assert (= (select m 4) 3))(check-sat)",
        "(declare-datatype L ((nil) (cons (hd Int))))(declare-const l L)(assert ((_ is cons) l))(check-sat)",
        "(declare-const f (_ FloatingPoint 5 11))(assert (fp.isSubnormal f))(check-sat)",
        '(declare-const s String)(assert (= (str.++ s "\\u{41}") "xA"))(check-sat)',
        "(declare-fun g (Int Bool) Real)(assert (> (g 1 true) 0.5))(assert (< (g 2 false) 0.5))(check-sat)",
    ],
)
def test_solvers_take_their_models_back(text: str) -> None:
    with live_lab("z3", seconds=20) as lab:
        model = lab.ask(Request("z3", text, Want.MODEL)).model
        assert model is not None
        made = relay.with_model(flat(text), model)
        assert made is not None
        assert lab.ask(Request("z3", made)).verdict is Verdict.SAT


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("(declare-const a Bool)(assert a)", None),
        ("(declare-const a Bool)(check-sat)", None),
        ("(declare-const a Bool)(check-sat-assuming ())", None),
        ("(declare-const a Bool)(assert a)(check-sat-assuming (a))", "(check-sat-assuming (a))"),
        (
            "(declare-const a Bool)(assert a)(assert a)(check-sat)",
            "(check-sat-assuming (falsum!a1 falsum!a2))",
        ),
    ],
)
def test_what_there_is_to_assume(text: str, made: str | None) -> None:
    script = relay.with_indicators(read_script(text))
    assert (script is None) is (made is None)
    if script is not None:
        assert script.rstrip().endswith(made or "")
        assert relay.last_check(script) == 0
    assert relay.last_check("(declare-const a Bool)") == -1


@pytest.mark.parametrize(
    ("text", "core", "asserted"),
    [
        ("(assert a)(assert b)(check-sat)", "(falsum!1)", ["a"]),
        ("(assert a)(assert b)(check-sat)", "(falsum!1 falsum!2)", None),
        ("(assert a)(assert b)(check-sat)", "()", None),
        # Popped assertions have a number, too.
        ("(push 1)(assert a)(pop 1)(assert b)(assert (not b))(check-sat)", "(falsum!3)", ["(not b)"]),
        ("(push 1)(assert a)(pop 1)(assert b)(assert (not b))(check-sat)", "(falsum!2 falsum!3)", None),
        # Assumptions, and what has annotations without a name, belong to every core.
        ("(assert a)(assert b)(check-sat-assuming ((not a)))", "(falsum!1)", ["a", "(not a)"]),
        (
            "(assert (! a :weight 1))(assert b)(assert (or a b))(check-sat)",
            "(falsum!2)",
            ["(! a :weight 1)", "b"],
        ),
        ("(assert a)(assert b)", "(falsum!1)", None),
    ],
)
def test_what_a_core_names(text: str, core: str, asserted: list[str] | None) -> None:
    whole = f"(declare-const a Bool)(declare-const b Bool){text}"
    made = relay.core_of(whole, core, text.count("(assert "))
    script = [print_term(term) for term in read_script(made).assertions] if made is not None else None
    assert script == asserted
