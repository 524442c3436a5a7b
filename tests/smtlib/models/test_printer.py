"""Models as text: how functions are written."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model

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
