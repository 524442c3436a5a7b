"""What a finding is examined for after reduction."""

from __future__ import annotations

from falsum.campaign.triage.scripts.examination import _printed
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def test_advice_about_the_script_is_no_part_of_a_report() -> None:
    cvc5 = resolve("cvc5", Zoo())
    with LiveLab([cvc5]) as lab:
        answer = lab.ask(Request("cvc5", "(declare-const x Int)(assert (> x 0))(check-sat)", cold=True))
    assert "No set-logic command was given" in answer.stdout + answer.stderr
    assert _printed(answer, cvc5) == "sat"
