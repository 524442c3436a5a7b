from __future__ import annotations

import pytest

from falsum.errors import UsageError
from falsum.smtlib.laws import (
    LawIndex,
    LawMatch,
    all_laws,
    apply,
    binary,
    datatype_laws,
    instances,
    match,
    matches,
)
from falsum.smtlib.laws.match import Side
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import Assert
from falsum.smtlib.syntax.reader import read_script
from falsum.smtlib.terms import App, Term

BY_NAME = {law.name: law for law in all_laws()}
DECLARATIONS = """
(declare-const p Bool) (declare-const q Bool)
(declare-const i Int) (declare-const j Int) (declare-const k Int)
(declare-const b (_ BitVec 8)) (declare-const c (_ BitVec 8)) (declare-const d (_ BitVec 4))
(declare-const f (_ FloatingPoint 8 24)) (declare-const g (_ FloatingPoint 8 24))
(declare-const h (_ FloatingPoint 8 24)) (declare-const r RoundingMode)
(declare-const s String) (declare-const t String)
(declare-const a (Array Int Bool))
(declare-datatypes ((Lst 0)) (((nil) (cons (head Int) (tail Lst)))))
(declare-const l Lst)
"""


def term(text: str) -> Term:
    """A term over the declarations, as an argument of an equation with itself."""
    script = read_script(f"{DECLARATIONS} (assert (= {text} {text}))")
    last = script.commands[-1]
    assert isinstance(last, Assert)
    assert isinstance(last.term, App)
    return last.term.args[0]


def become(law: str, text: str, side: Side = "left", **slack: str) -> str:
    found = match(BY_NAME[law], term(text), side)
    assert found is not None
    return print_term(apply(found, {name: term(given) for name, given in slack.items()}))


@pytest.mark.parametrize(
    ("law", "text", "expected"),
    [
        ("int-lt-weaker-le", "(< i (+ j 1))", "(<= i (+ j 1))"),
        ("bvadd-commutes", "(bvadd b (bvnot c))", "(bvadd (bvnot c) b)"),
        ("bvadd-zero", "(bvadd b #x00)", "b"),
        ("bvneg-as-bvnot", "(bvneg d)", "(bvadd (bvnot d) (_ bv1 4))"),
        ("extract-extract", "((_ extract 2 1) ((_ extract 6 3) b))", "((_ extract 5 4) b)"),
        ("zero-extend-as-concat", "((_ zero_extend 4) d)", "(concat (_ bv0 4) d)"),
        ("repeat-as-concat", "((_ repeat 3) d)", "(concat d ((_ repeat 2) d))"),
        ("bvshl-constant", "(bvshl b #x02)", "(concat ((_ extract 5 0) b) (_ bv0 2))"),
        ("fp-mul-one", "(fp.mul r f (fp #b0 #b01111111 #b00000000000000000000000))", "f"),
        ("select-store", "(select (store a i p) j)", "(ite (= i j) p (select a j))"),
        ("select-const", "(select ((as const (Array Int Bool)) p) i)", "p"),
        ("str.replace-empty", '(str.replace s "" t)', "(str.++ t s)"),
        ("mod-by-constant", "(mod i 7)", "(- i (* 7 (div i 7)))"),
        ("re.loop-same", "((_ re.loop 3 3) (str.to_re s))", "((_ re.^ 3) (str.to_re s))"),
        ("and-same", "(and p p)", "p"),
    ],
)
def test_what_a_term_becomes(law: str, text: str, expected: str) -> None:
    assert become(law, text) == expected


def test_a_law_works_from_right_to_left() -> None:
    assert become("not-and", "(or (not p) (not q))", "right") == "(not (and p q))"


@pytest.mark.parametrize(
    ("law", "text"),
    [
        ("and-same", "(and p q)"),
        ("bvadd-zero", "(bvadd b #x01)"),
        ("bvadd-zero", "(bvor b #x00)"),
        ("int-add-zero", "(+ i 0 j)"),
        ("real-lt-weaker-le", "(< i j)"),
        ("concat-extracts", "(concat ((_ extract 7 4) b) ((_ extract 2 0) b))"),
        ("rotate-left-as-concat", "((_ rotate_left 8) b)"),
    ],
)
def test_what_does_not_match(law: str, text: str) -> None:
    assert match(BY_NAME[law], term(text)) is None


def test_slack_is_asked_for_and_its_condition_is_looked_at() -> None:
    law = BY_NAME["int-lt-weaker-slack"]
    found = match(law, term("(< i j)"))
    assert found is not None
    assert found.slack == ("a",)
    assert print_term(apply(found, {"a": term("5")})) == "(< i (+ j 5))"
    assert print_term(apply(found, {"a": term("(- 5)")})) == "(=> (>= (- 5) 0) (< i (+ j (- 5))))"
    assert print_term(apply(found, {"a": term("k")})) == "(=> (>= k 0) (< i (+ j k)))"
    with pytest.raises(UsageError):
        apply(found)
    with pytest.raises(UsageError):
        apply(found, {"a": term("p")})


def test_an_unknown_condition_guards_what_is_equal_and_what_is_stronger() -> None:
    assert become("div-same", "(div i i)") == "(ite (distinct i 0) 1 (div i i))"
    guarded = become("int-lt-stronger-slack", "(< i j)", "right", a="k")
    assert guarded == "(and (> k 0) (<= (+ i k) j))"


def test_an_index_only_the_other_side_has_is_asked_for() -> None:
    found = match(BY_NAME["divisible-weaker-factor"], term("((_ divisible 3) i)"), "right")
    assert found is not None
    assert found.open_indices == ("i",)
    assert print_term(apply(found, indices={"i": 2})) == "((_ divisible 6) i)"


def test_an_index_in_an_expression_is_found() -> None:
    found = match(BY_NAME["divisible-weaker-factor"], term("((_ divisible 6) i)"))
    assert found is not None
    assert found.bindings["i"] * found.bindings["n"] == 6  # type: ignore[operator]  # both are numbers


def test_datatypes_of_a_script() -> None:
    script = read_script(DECLARATIONS)
    by_name = {law.name: law for law in datatype_laws(script)}
    found = match(by_name["tail.selector"], term("(tail (cons i l))"))
    assert found is not None
    assert print_term(apply(found)) == "l"
    tested = match(by_name["cons.tester-as-eq"], term("((_ is cons) l)"))
    assert tested is not None
    assert print_term(apply(tested)) == "(= l (cons (head l) (tail l)))"


def test_bound_variables_are_terms_like_others() -> None:
    script = read_script("(assert (forall ((x Int) (y Int)) (< y x)))")
    last = script.commands[-1]
    assert isinstance(last, Assert)
    body = getattr(last.term, "body")  # noqa: B009
    found = match(BY_NAME["int-lt-swapped"], body)
    assert found is not None
    assert print_term(apply(found)) == "(> x y)"


def test_deep_terms_match() -> None:
    text = "(+ i " * 5_000 + "j" + ")" * 5_000
    deep = term(text)
    found = match(BY_NAME["int-add-commutes"], deep)
    assert found is not None
    assert isinstance(apply(found), App)


def test_every_side_matches_itself() -> None:
    missed = [
        f"{law.name} {side}"
        for law in all_laws()
        for side in ("left", "right")
        for instance in list(instances(law))[-1:]
        if not _matches_itself(match(law, instance.side(side), side))
    ]
    assert not missed


def _matches_itself(found: LawMatch | None) -> bool:
    return found is not None and all(name == print_term(t) for name, t in found.substitution.items())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(< i j k)", "(and (< i j) (< j k))"),
        ("(distinct i j k)", "(and (distinct i j) (distinct i k) (distinct j k))"),
        ("(+ i j k)", "(+ (+ i j) k)"),
        ("(=> p q p)", "(=> p (=> q p))"),
        ("(and p q)", "(and p q)"),
        ("(ite p i j)", "(ite p i j)"),
    ],
)
def test_many_arguments_with_two(text: str, expected: str) -> None:
    assert print_term(binary(term(text))) == expected


def test_a_pattern_is_met_by_terms_of_its_sort_only() -> None:
    (instance,) = instances(BY_NAME["int-add-commutes"])
    assert matches(instance.left, term("(+ i j)")) is not None
    assert matches(instance.left, term("(- i j)")) is None


def test_quoted_names_in_datatypes() -> None:
    text = """(declare-datatypes ((|a list| 0)) (
        ((|no thing|) (|some thing| (|the head| Int) (|the tail| |a list|)))))"""
    script = read_script(f"{text} (declare-const x |a list|) (assert ((_ is |some thing|) (|the tail| x)))")
    law_index = LawIndex(datatype_laws(script)).laws_at(script.assertions[0])
    assert "some thing.tester-as-eq" in {law.name.strip("|") for law, _ in law_index}
    for law, side in law_index:
        if law.name.strip("|") == "some thing.tester-as-eq" and side == "left":
            at = match(law, script.assertions[0], side)
            assert at is not None
            assert print_term(apply(at)).startswith("(= (|the tail| x) (|some thing| (|the head|")
