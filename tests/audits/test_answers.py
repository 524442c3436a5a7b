"""Real answers to queries: a check at a time, remembered, with steps and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.audits.plants import Z3

from falsum.audits.answers import Respondents
from falsum.audits.journal import Journal
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

HARD = "(declare-const {0} Int)(assert (= (+ (* {0} {0} {0}) 3) (* 5 {0} {0} y y)))(assert (> {0} 4000))"
QUERY = f"""
(set-option :smt.random_seed 3)
(set-option :smt.no_such_option true)
(set-option :produce-interpolants true)
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

UNKNOWN = (
    "(set-option :smt.mbqi false)(set-option :auto_config false)(declare-fun f (Int) Int)"
    "(assert (forall ((x Int)) (! (> (f (f x)) x) :pattern ((f (f x))))))(check-sat)"
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
    assert "(set-option :smt.no_such_option …) left out" in answer.changes
    assert answer.errors == ("unknown parameter 'produce_interpolants'",)
    runs = respondents.usage.runs
    assert respondents.ask(z3, QUERY) == answer
    assert respondents.usage.runs == runs
    respondents.ask(z3, QUERY, 1)
    assert respondents.usage.runs > runs


# cvc5 has no option `smt.mbqi`, which is left out, and takes no question for `:rlimit`.
FOREIGN = "(set-option :smt.mbqi false)(declare-const y Int)(assert (> y 1))"


@pytest.mark.parametrize(
    ("commands", "strict", "lenient", "is_plain"),
    [
        ("(get-info :rlimit)(check-sat)", [""], ["sat"], True),
        ("(check-sat)(get-info :rlimit)(assert (< y 0))(check-sat)", ["sat", ""], ["sat", "unsat"], True),
        ("(check-sat)(get-info :rlimit)", ["sat"], ["sat"], False),
        (
            "(declare-sort T)(push)(assert (! (< y 0) :named @q))(check-sat)(pop)(check-sat)",
            ["", ""],
            ["unsat", "sat"],
            True,
        ),
    ],
)
def test_what_only_one_product_takes_is_left_out_for_another_on_request(
    respondents: Respondents, commands: str, strict: list[str], lenient: list[str], *, is_plain: bool
) -> None:
    cvc5 = resolve("cvc5", Zoo())
    answer = respondents.ask(cvc5, FOREIGN + commands)
    assert answer.rejection
    assert "(set-option :smt.mbqi …) left out" in answer.changes
    assert (answer.is_plain, [check.verdict for check in answer.checks]) == (False, strict)
    second = respondents.ask(cvc5, FOREIGN + commands, lenient=True)
    assert (second.is_plain, [check.verdict for check in second.checks]) == (is_plain, lenient)


def test_why_it_is_unknown_is_told(respondents: Respondents) -> None:
    (check,) = respondents.ask(resolve("z3", Zoo()), UNKNOWN).checks
    assert (check.verdict, check.decided) == ("unknown", None)
    assert "incomplete" in check.reason
    assert check.word.startswith("unknown (")


def test_a_check_without_an_answer_shifts_no_other(respondents: Respondents, tmp_path: Path) -> None:
    """A z3 that has no verdict where it gives up stands for one that a limit of its own cuts short."""
    program = tmp_path / "silent"
    program.write_text(f"#!/bin/sh\n{Z3} \"$@\" | sed 's/^unknown$/timeout/'\n")
    program.chmod(0o755)
    text = UNKNOWN.replace("(check-sat)", "(check-sat)(push 1)(assert false)(check-sat)(pop 1)(check-sat)")
    answer = respondents.ask(resolve(f"z3={program}", Zoo()), text)
    assert [check.word for check in answer.checks] == ["no answer", "unsat", "no answer"]


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
    # On a machine that is busier still, ten times the wall time is not enough either.
    assert answer.cpu > 0.8 or answer.seconds > 4
    assert respondents.usage.runs == 1
