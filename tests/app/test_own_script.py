"""One script: the first finding about the solvers that are suspected."""

from __future__ import annotations

import pytest
from tests.campaign.places import HONEST, liar

from falsum.app.own_script import record_in
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

SCRIPT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> (abs x) 3))\n(check-sat)\n"


@pytest.mark.parametrize(
    ("mode", "kind"), [("abort", "crash"), ("model", "model"), ("verdict", "disagreement"), ("unknown", "")]
)
def test_what_is_wrong(mode: str, kind: str) -> None:
    names = (liar(mode), HONEST)
    solvers = [resolve(name, Zoo()) for name in names]
    record, answers = record_in("a.smt2", SCRIPT, names[:1], solvers, Limits(seconds=10.0))
    assert (record.kind if record else "") == kind
    assert list(answers) == list(names)
    if record is not None:
        assert names[0] in record.suspects
        assert all(exchange.command and exchange.posed for exchange in record.exchanges)


def test_others_are_only_compared_with() -> None:
    names = (HONEST, liar("abort"))
    solvers = [resolve(name, Zoo()) for name in names]
    record, _answers = record_in("a.smt2", SCRIPT, names[:1], solvers, Limits(seconds=10.0))
    assert record is None
