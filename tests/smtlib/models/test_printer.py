"""Models as text: how functions are written."""

from __future__ import annotations

from collections import UserDict
from collections.abc import ItemsView

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import Definition, Model, declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import Function

SCRIPT = """(declare-fun f ((_ BitVec 8)) (_ BitVec 3))
(assert (= (f #x00) #b001))(assert (= (f #x02) #b011))(assert (= (f #x03) #b000))
(assert (= (f #xff) #b000))"""


@pytest.mark.parametrize(
    "body",
    [
        "(ite (= x #x00) #b001 (ite (= x #x02) #b011 #b000))",
        "(ite (= x #x01) #b000 (ite (= x #x00) #b001 (ite (= x #x02) #b011 #b000)))",
    ],
)
def test_only_points_that_differ_have_conditions(body: str) -> None:
    script = read_script(SCRIPT)
    model = read_model(f"((define-fun f ((x (_ BitVec 8))) (_ BitVec 3) {body}))", script)
    text = print_model(model, declared_functions(script))
    assert text.count("ite") == 2, text
    assert truths(script, read_model(text, script)) == [True] * 4


class Walked(UserDict[Function, Definition]):
    """Definitions that count how often all of them are walked through."""

    walks = 0

    def items(self) -> ItemsView[Function, Definition]:
        self.walks += 1
        return super().items()


def test_a_model_of_many_symbols_is_not_walked_through_for_each_of_them() -> None:
    names = [f"c{number}" for number in range(50)]
    script = read_script("".join(f"(declare-const {name} Int)" for name in names))
    printed = "".join(f"(define-fun {name} () Int {place})" for place, name in enumerate(names))
    walked = Walked(read_model(f"({printed})", script).definitions)
    text = print_model(Model(walked), declared_functions(script))
    assert text.count("define-fun") == len(names)
    assert walked.walks == 1
