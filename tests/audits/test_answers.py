"""Real answers to queries: a check at a time, remembered, with steps and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from falsum.audits.answers import Respondents
from falsum.audits.journal import Journal
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

HARD = "(declare-const {0} Int)(assert (= (+ (* {0} {0} {0}) 3) (* 5 {0} {0} y y)))(assert (> {0} 4000))"
QUERY = f"""
(set-option :smt.random_seed 3)
(set-option :smt.no_such_option true)
(echo "unsat")
(declare-const y Int)
(assert (> y 1))
(check-sat)
(get-info :reason-unknown)
(push 1)
(assert (< y 0))
(check-sat)
(pop 1)
(push 1)
{HARD.format("x")}
(assert (forall ((z Int)) (=> (> z 0) (< (* z z z) (+ x (* y z))))))
(check-sat)
(pop 1)
(check-sat)
(reset)
(assert false)
(check-sat)
"""

# Eleven pigeons in ten holes: no solver without a trick for it is done in a second.
PIGEONS = (
    "".join(f"(declare-const p{n} Int)(assert (<= 0 p{n} 9))" for n in range(11))
    + f"(assert (distinct {' '.join(f'p{n}' for n in range(11))}))(check-sat)"
)


@pytest.fixture
def respondents(tmp_path: Path) -> Iterator[Respondents]:
    with Journal(tmp_path / "journal") as journal, Respondents(journal, 1.0, 1024) as asked:
        yield asked


def test_a_row_of_answers_although_one_check_hangs(respondents: Respondents) -> None:
    z3 = resolve("z3", Zoo())
    answer = respondents.ask(z3, QUERY)
    assert [check.verdict for check in answer.checks][:2] == ["sat", "unsat"]
    assert answer.checks[2].verdict in ("", "unknown", "unsat", "sat")
    assert [check.verdict for check in answer.checks][3:] == ["sat", "unsat"]
    assert all(check.effort is not None and check.effort >= 0 for check in answer.checks if check.verdict)
    assert "(echo …) left out" in answer.changes
    assert answer.errors == ("unknown parameter 'no_such_option' at module 'smt'",)
    runs = respondents.usage.runs
    assert respondents.ask(z3, QUERY) == answer
    assert respondents.usage.runs == runs
    respondents.ask(z3, QUERY, 1)
    assert respondents.usage.runs > runs


def test_options_of_one_product_are_left_out_for_another_on_request(respondents: Respondents) -> None:
    cvc5 = resolve("cvc5", Zoo())
    text = "(set-option :smt.mbqi false)(declare-const y Int)(assert (> y 1))(check-sat)(get-info :rlimit)"
    strict, lenient = respondents.ask(cvc5, text), respondents.ask(cvc5, text, lenient=True)
    assert strict.rejection
    assert not strict.is_plain
    assert (lenient.is_plain, lenient.checks[0].verdict) == (True, "sat")


def test_why_it_is_unknown_is_told(respondents: Respondents) -> None:
    text = (
        "(set-option :smt.mbqi false)(set-option :auto_config false)(declare-fun f (Int) Int)"
        "(assert (forall ((x Int)) (! (> (f (f x)) x) :pattern ((f (f x))))))(check-sat)"
    )
    (check,) = respondents.ask(resolve("z3", Zoo()), text).checks
    assert (check.verdict, check.decided) == ("unknown", None)
    assert "incomplete" in check.reason
    assert check.word.startswith("unknown (")


@pytest.mark.parametrize(
    ("option", "least", "most"), [("", 0.8, 2.0), ("(set-option :timeout 300)", 0.2, 0.75)]
)
def test_limits_of_wall_time_in_a_query_are_taken_as_cpu_time(
    respondents: Respondents, option: str, least: float, most: float
) -> None:
    answer = respondents.ask(resolve("z3", Zoo()), option + PIGEONS)
    assert answer.checks[0].ending == "timed out"
    assert least <= answer.cpu <= most
    assert any("limit of CPU time" in change for change in answer.changes) == bool(option)


def test_whoever_is_kept_from_the_cores_gets_more_time(
    respondents: Respondents, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wall time far too short for the CPU time stands for a machine on which others have the cores."""
    monkeypatch.setattr(respondents, "limits", Limits(seconds=0.8, cpu=1.0))
    answer = respondents.ask(resolve("z3", Zoo()), PIGEONS)
    assert answer.checks[0].ending == "timed out"
    assert answer.cpu > 0.8
    assert respondents.usage.runs == 1
