"""Contract of every pass: each edit by itself makes the measure smaller, and what is left reads back."""

from __future__ import annotations

import pytest
from tests.reducer.scripts import SCRIPTS

from falsum.reducer.apply import apply
from falsum.reducer.edits import Edit, ReplaceScript
from falsum.reducer.layers import layers_of
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL, Pass
from falsum.smtlib import print_script, read_script
from falsum.smtlib.logic_coverage import keeps_to_logic

PASSES = {one.name: one for one in ALL}


def outline_of(text: str) -> Outline:
    return Outline(read_script(text))


def results(name: str, text: str) -> list[str]:
    """What a pass makes of a script, one edit at a time."""
    outline = outline_of(text)
    found = [apply(outline, [edit]) for edit in PASSES[name].edits(outline)]
    return [" ".join(print_script(script).split()) for script in found if script is not None]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
@pytest.mark.parametrize("name", SCRIPTS)
def test_every_edit_is_smaller_and_well_sorted(one: Pass, name: str) -> None:
    outline = outline_of(SCRIPTS[name])
    measurer = Measurer()
    before = measurer.measure(outline.script)
    for edit in one.edits(outline):
        made = apply(outline, [edit])
        if made is None:
            continue
        after = measurer.measure(made)
        assert after < before, edit
        assert print_script(read_script(after.text)) == after.text


LEGAL = {
    **{name: text for name, text in SCRIPTS.items() if keeps_to_logic(read_script(text))},
    "declared sorts": "(set-logic QF_UF)(declare-sort U 0)(declare-const u U)(assert (= u u))(check-sat)",
    "functions": (
        "(set-logic QF_UFNRA)(declare-fun f (Real) Real)(declare-const x Real)(assert (> (* x (f x)) 1.0))"
        "(check-sat)"
    ),
    "reals": "(set-logic QF_LRA)(declare-const x Real)(assert (> x 1.0))(check-sat)",
}


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
@pytest.mark.parametrize("name", LEGAL)
def test_a_script_that_is_legal_in_its_logic_stays_so(one: Pass, name: str) -> None:
    outline = outline_of(LEGAL[name])
    for edit in one.edits(outline):
        made = apply(outline, [edit])
        assert made is None or keeps_to_logic(made), print_script(made)


def test_an_illegal_logic_becomes_a_legal_one_or_none() -> None:
    text = "(set-logic QF_NRA)(declare-fun f (Real) Real)(assert (= (f 1.0) 2.0))"
    assert results("minimal-logic", text) == [
        "(declare-fun f (Real) Real) (assert (= (f 1.0) 2.0))",
        "(set-logic ALL) (declare-fun f (Real) Real) (assert (= (f 1.0) 2.0))",
    ]


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
@pytest.mark.parametrize("name", SCRIPTS)
def test_edits_of_a_layer_go_together(one: Pass, name: str) -> None:
    outline = outline_of(SCRIPTS[name])
    for layer in layers_of(outline, one.edits(outline)):
        made = apply(outline, layer)
        assert made is None or read_script(print_script(made))
        assert len(layer) == 1 or not any(isinstance(edit, ReplaceScript) for edit in layer)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_the_same_script_gives_the_same_edits(one: Pass) -> None:
    def proposed() -> list[Edit]:
        return [edit for text in SCRIPTS.values() for edit in one.edits(outline_of(text))]

    assert proposed() == proposed()


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_every_pass_proposes_edits(one: Pass) -> None:
    assert any(list(one.edits(outline_of(text))) for text in SCRIPTS.values())


def test_names_follow_from_class_names() -> None:
    for one in ALL:
        assert one.name == "".join(f"-{c.lower()}" if c.isupper() else c for c in type(one).__name__)[1:]
        assert "→" in (type(one).__doc__ or "")


CASES = [
    ("drop-commands", "(set-info :status sat)(check-sat)", "(check-sat)"),
    ("drop-assertions", "(assert true)(check-sat)", "(check-sat)"),
    ("single-check", "(push 1)(assert false)(pop 1)(assert true)(check-sat)", "(assert true) (check-sat)"),
    ("drop-unused", "(declare-fun x () Int)(check-sat)", "(check-sat)"),
    ("drop-unused", "(assert (let ((x 1)) true))", "(assert true)"),
    ("drop-unused", "(assert (forall ((x Int)) true))", "(assert true)"),
    (
        "split-conjunctions",
        "(assert (and true (and false true)))",
        "(assert true) (assert false) (assert true)",
    ),
    ("flatten", "(assert (= 1 (+ (+ 1 2) 3)))", "(assert (= 1 (+ 1 2 3)))"),
    ("weaken", "(declare-fun p () Bool)(assert (not (or p p)))", "(declare-fun p () Bool) (assert (not p))"),
    ("strengthen", "(declare-fun p () Bool)(assert (or p p))", "(declare-fun p () Bool) (assert p)"),
    ("replace-by-value", "(assert (= 1 (+ 1 2)))", "(assert (= 1 0))"),
    ("replace-by-child", "(assert (not (= (ite true 1 2) 2)))", "(assert (= (ite true 1 2) 2))"),
    ("replace-by-child", "(assert (exists ((x Int)) (< x 3)))", "(assert (< 0 3))"),
    (
        "replace-by-variable",
        "(declare-fun x () Int)(assert (= 1 (+ x 2)))",
        "(declare-fun x () Int) (assert (= 1 x))",
    ),
    ("drop-arguments", "(assert (distinct 1 2 3))", "(assert (distinct 1 3))"),
    ("inline-lets", "(assert (let ((x (+ 1 2))) (= x 3)))", "(assert (= (+ 1 2) 3))"),
    ("inline-lets", "(assert (let ((x (+ 1 2))) (= 0 3)))", "(assert (= (+ 1 2) 3))"),
    (
        "inline-definitions",
        "(define-fun f ((x Int)) Int (+ x 1))(assert (= (f 0) 1))",
        "(assert (= (+ 0 1) 1))",
    ),
    (
        "inline-equations",
        "(declare-fun x () Int)(assert (= x (+ 1 2)))(assert (< x 5))",
        "(assert (< (+ 1 2) 5))",
    ),
    ("drop-quantifiers", "(assert (forall ((x Int)) (= x 0)))", "(assert (= 0 0))"),
    (
        "drop-quantifiers",
        "(declare-sort U 0)(assert (forall ((x U)) (= x x)))",
        "(declare-sort U 0) (declare-const v2 U) (assert (= v2 v2))",
    ),
    ("drop-annotations", "(assert (! true :foo bar))", "(assert true)"),
    (
        "merge-symbols",
        "(declare-fun x () Int)(declare-fun y () Int)(assert (< x y))",
        "(declare-fun x () Int) (assert (< x x))",
    ),
    (
        "shrink-sorts",
        "(declare-fun x () (_ BitVec 8))(assert (= x #x01))",
        "(declare-fun x () (_ BitVec 1)) (assert (= x #b1))",
    ),
    (
        "shrink-sorts",
        "(declare-sort U 0)(declare-datatype T ((a (b U))))",
        "(declare-datatype T ((a (b Int))))",
    ),
    (
        "drop-parameters",
        "(declare-fun f (Int Int) Int)(assert (= (f 1 2) 0))",
        "(declare-fun f (Int) Int) (assert (= (f 2) 0))",
    ),
    ("shrink-datatypes", "(declare-datatype T ((a) (b (c Int))))", "(declare-datatype T ((a)))"),
    (
        "shrink-indices",
        "(assert (= #b1 ((_ extract 3 3) #b0110)))",
        "(assert (= #b1 ((_ extract 0 0) #b0110)))",
    ),
    ("minimal-logic", "(set-logic QF_LRA)(assert (= 1 2))", "(assert (= 1.0 2.0))"),
    ("shrink-values", "(assert (= 4711 0))", "(assert (= 47 0))"),
    (
        "short-names",
        "(declare-fun counter () Int)(assert (= counter 0))",
        "(declare-const a Int) (assert (= a 0))",
    ),
]


def test_every_pass_has_an_example() -> None:
    assert {name for name, _, _ in CASES} == {one.name for one in ALL}


@pytest.mark.parametrize(("name", "before", "after"), CASES)
def test_before_and_after(name: str, before: str, after: str) -> None:
    assert after in results(name, before)


REFUSED = [
    ("drop-unused", "(declare-fun x () Int)(assert (= x 0))"),
    ("flatten", "(assert (= 1 (- (- 1 2) 3)))"),
    ("drop-arguments", "(assert (= 1 (ite true 1 2)))"),
    ("inline-lets", "(assert (let ((x (+ 1 2 3 4 5 6 7 8 9))) (= x x x x x x x)))"),
    ("drop-quantifiers", "(assert (= 1 2))"),
    ("shrink-values", "(assert (= 0 0))"),
    ("split-conjunctions", "(assert (or true false))"),
    ("shrink-datatypes", "(declare-datatype T ((a)))(declare-fun t () T)(assert ((_ is a) t))"),
    ("short-names", "(declare-const a Int)(assert (= a 0))"),
]


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_nothing_to_do(name: str, text: str) -> None:
    assert results(name, text) == []
