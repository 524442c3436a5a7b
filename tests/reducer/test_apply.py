"""Edits: any set of them gives a well-sorted script or nothing; names are never captured."""

from __future__ import annotations

import pytest
from tests.reducer.scripts import SCRIPTS

from falsum.reducer.apply import apply
from falsum.reducer.edits import (
    Compound,
    Edit,
    Hoist,
    Omit,
    ReplaceCommand,
    ReplaceScript,
    ReplaceTerm,
    Splice,
    Unbind,
)
from falsum.reducer.outline import Outline
from falsum.reducer.passes import ALL
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Definition, Model, bare_model, declared_functions
from falsum.smtlib.printing.values_as_terms import write_value
from falsum.smtlib.scripts import CheckSat
from falsum.smtlib.sorts import BOOL, INT
from falsum.smtlib.terms import Let, Quantifier, Term, Value, var

ZERO = write_value(INT, 0)
TRUE = write_value(BOOL, True)


def outline_of(text: str) -> Outline:
    return Outline(read_script(text))


def done(text: str, *edits: Edit) -> str | None:
    made = apply(outline_of(text), edits)
    return None if made is None else " ".join(print_script(made).split())


def test_places_are_numbered_as_written() -> None:
    outline = outline_of("(assert (and true (= 1 (+ 2 3))))(check-sat)")
    assert [type(node).__name__ for node in outline.nodes][:2] == ["Assert", "App"]
    assert outline.parts(1) == [2, 3]
    assert outline.sizes == [8, 7, 1, 5, 1, 3, 1, 1, 1]
    assert outline.commands == [0, 8]
    assert outline.command_of(7) == 0


def test_the_outermost_edit_wins() -> None:
    text = "(assert (= 1 (+ 2 3)))"
    assert done(text, ReplaceTerm(3, ZERO), ReplaceTerm(4, ZERO)) == "(assert (= 1 0))"
    assert done(text, ReplaceTerm(4, ZERO), ReplaceTerm(3, ZERO)) == "(assert (= 1 0))"


def test_inside_a_hoisted_term_edits_go_on() -> None:
    text = "(assert (not (= 1 (+ 2 3))))"
    assert done(text, Hoist(1, 2), ReplaceTerm(4, ZERO)) == "(assert (= 1 0))"
    assert done(text, Hoist(1, 2), ReplaceTerm(2, TRUE)) == "(assert true)"


def test_wrong_sorts_are_refused() -> None:
    assert done("(assert (= 1 2))", ReplaceTerm(2, TRUE)) is None
    assert done("(assert (not true))", Omit(2)) is None
    assert done("(assert true)", Omit(1)) is None


def test_omitting() -> None:
    assert done("(assert (and true false true))", Omit(2), Omit(3)) == "(assert true)"
    assert done("(assert (or true false))", Omit(2), Omit(3)) == "(assert false)"
    assert done("(assert (= (- 3 1) 2))", Omit(4)) == "(assert (= 3 2))"
    assert done("(assert (let ((x 1) (y 2)) (= x 0)))", Omit(3)) == "(assert (let ((x 1)) (= x 0)))"
    assert done("(assert (let ((x 1) (y 2)) (= x 0)))", Omit(2)) is None


def test_splicing_a_deep_chain() -> None:
    text = "(assert (and true (and (and false true) false)))"
    assert done(text, Splice(3), Splice(4)) == "(assert (and true false true false))"


def test_declarations_in_use_stay() -> None:
    text = "(declare-fun x () Int)(assert (= x 0))"
    assert done(text, ReplaceCommand(0)) is None
    assert done(text, ReplaceCommand(0), ReplaceCommand(1)) == ""
    assert done("(assert (! true :named n))(assert n)", ReplaceCommand(0)) is None
    assert done("(push 1)(declare-fun x () Int)(pop 1)", ReplaceCommand(2)) is not None


def test_pop_needs_its_push() -> None:
    text = "(declare-fun x () Int)(push 1)(pop 1)"
    assert done(text, Compound((ReplaceCommand(0), ReplaceCommand(1)))) is None
    assert done(text, Compound((ReplaceCommand(0), ReplaceCommand(1), ReplaceCommand(2)))) == ""


def test_a_replaced_script_excludes_other_edits() -> None:
    script = Script((CheckSat(),))
    assert done("(assert true)", ReplaceScript(script)) == "(check-sat)"
    assert done("(assert true)", ReplaceScript(script), ReplaceCommand(0)) is None


def test_a_binding_is_not_captured_by_its_neighbours() -> None:
    """In `(let ((x y) (y 1)) …)` x is the outer y."""
    text = "(declare-fun y () Int)(assert (let ((x y) (y 1)) (= x y)))"
    outline = outline_of(text)
    place = next(n for n, node in enumerate(outline.nodes) if isinstance(node, Let))
    assert done(text, Unbind(place, var("x", INT))) is None
    both = done(text, Unbind(place, var("x", INT)), Unbind(place, var("y", INT)))
    assert both == "(declare-fun y () Int) (assert (= y 1))"


def test_unbinding_a_shadowed_variable() -> None:
    text = "(assert (forall ((x Int)) (or (= x 1) (forall ((x Int)) (= x 2)))))"
    outline = outline_of(text)
    outer = next(n for n, node in enumerate(outline.nodes) if isinstance(node, Quantifier))
    made = done(text, Unbind(outer, var("x", INT), ZERO))
    assert made == "(assert (or (= 0 1) (forall ((x Int)) (= x 2))))"


EQUIVALENT = [
    "inline-lets",
    "flatten",
    "split-conjunctions",
    "short-names",
    "inline-definitions",
    "drop-unused",
]
GROUND = {
    "shadows": """
        (declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
        (assert (let ((x y) (y x)) (let ((x (+ x 1)) (z y)) (< x z (ite (= x y) x 7)))))
        (assert (let ((a (let ((y (+ x 1))) (* y y))) (y 2)) (and (and (= a y) (< a 100)) (= z x))))
        (assert (let ((x (+ y y)) (u x)) (let ((y (* x 2))) (let ((x y) (y x)) (= (- x y) (+ (+ x z) y))))))
        (check-sat)
    """,
    "definitions": """
        (declare-fun x () Int) (declare-fun y () Int)
        (define-fun f ((y Int)) Int (+ x y))
        (define-fun g ((x Int)) Bool (and (= x 0) (= (f x) 0)))
        (assert (let ((x 5)) (= (f x) (+ 2 x))))
        (assert (or (g y) (= y 3)))
        (check-sat)
    """,
}


@pytest.mark.parametrize("name", GROUND)
@pytest.mark.parametrize("number", range(4))
def test_what_should_mean_the_same_does(name: str, number: int) -> None:
    """Under many models the conjunction of all assertions keeps its truth."""
    script = read_script(GROUND[name])
    outline = Outline(script)
    for one in ALL:
        if one.name not in EQUIVALENT:
            continue
        for edit in one.edits(outline):
            if isinstance(edit, Compound) or edit.rank == -1:
                continue  # these change the meaning
            made = apply(outline, [edit])
            if made is not None:
                again = read_script(print_script(made))
                assert holds(again, number) == holds(script, number), print_script(made)


def holds(script: Script, number: int) -> bool:
    """Whether all assertions hold if the n-th constant is a number that depends on n."""
    functions = declared_functions(script)
    bare = bare_model(script)
    values: list[Term] = [write_value(INT, (number + 1) * (n + 2) % 5) for n in range(len(functions))]
    chosen = {f: Definition((), v) for f, v in zip(functions, values, strict=True)}
    found = truths(script, Model({**chosen, **bare.definitions}, {}, bare.datatypes))
    assert all(isinstance(truth, bool) for truth in found)
    return all(found)


def test_scripts_print_and_read_the_same() -> None:
    for text in SCRIPTS.values():
        script = read_script(text)
        assert apply(Outline(script), []) == script
        assert isinstance(ZERO, Value)
