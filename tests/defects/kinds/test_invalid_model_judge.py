"""Invalid models: who refuses one, and whose are another finding."""

from __future__ import annotations

import pytest
from tests.defects.kinds.asked import judged
from tests.defects.test_judge import POSITIVE, STRANGE, X_IS_3, about, said
from tests.defects.test_judge_branches import solver

from falsum.defects.evidence.judgement import Defect
from falsum.solvers.answer import Answer
from falsum.solvers.request import Want


@pytest.mark.parametrize(
    ("first", "second", "is_refused"),
    [("unsat", "unsat", True), ("unsat", "unknown", False), ("unsat", "sat", False), ("sat", "sat", False)],
)
def test_two_products_refuse_a_model_that_falsum_cannot_evaluate(
    first: str, second: str, *, is_refused: bool
) -> None:
    others = {
        "b": solver("unknown", with_model=first),
        "c": solver("unknown", with_model=second),
    }
    judgement = judged(STRANGE, Defect.INVALID_MODEL, "s", s=solver("sat", X_IS_3), **others)
    assert judgement.defect is (Defect.INVALID_MODEL if is_refused else Defect.UNDECIDED)
    assert judgement.suspects == (("s",) if is_refused else ())
    if is_refused:
        assert [each.kind for each in judgement.evidence] == ["relayed model"]
        assert "b, c answer unsat, and no solver answers sat" in judgement.evidence[0].text


def test_a_model_is_not_refused_at_an_open_point() -> None:
    """Those who refuse it choose otherwise."""
    text = STRANGE.replace("(assert (< x 9))", "(assert (< (div x 0) 9))")

    def refuses(script: str, _want: Want) -> Answer:
        return said("unsat" if "(define-fun x" in script or "div" in script else "unknown")

    judgement = judged(text, Defect.INVALID_MODEL, s=solver("sat", X_IS_3, text=text), b=refuses, c=refuses)
    assert judgement.suspects == ()


ESCAPED = r'(declare-const t String)(assert (= (str.len t) 1))(assert (= t t "\x41"))(check-sat)'


def test_a_model_of_who_reads_strings_in_an_old_way_is_right() -> None:
    model = '((define-fun t () String "A"))'

    def old(script: str, _want: Want) -> Answer:
        return said("sat", model=model) if "declare-const t" in script else said("unsat")

    def new(script: str, _want: Want) -> Answer:
        return said("sat", model=model)

    assert judged(ESCAPED, Defect.INVALID_MODEL, s=old).suspects == ()
    assert judged(ESCAPED, Defect.INVALID_MODEL, s=new).suspects == ("s",)


def test_models_of_others_are_another_finding() -> None:
    wrong = about(POSITIVE, said("sat", model="((define-fun x () Int 12))"))
    right = about(POSITIVE, said("sat", model=X_IS_3))
    assert judged(POSITIVE, Defect.INVALID_MODEL, s=right, other=wrong).suspects == ()
    assert judged(POSITIVE, "", "other", s=right, other=wrong).suspects == ("other",)
