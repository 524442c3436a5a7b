"""Recorded models of real solvers: every assertion is true under them, or it is known why nobody can say.

`tests/data/models/NAME.smt2` is the script, `NAME.SOLVER-RELEASE.txt` what the solver printed for it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.smtlib import read_file
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.values.cannot_say import CannotSay

_FOLDER = Path(__file__).parents[3] / "tests" / "data" / "models"
_TRANSCRIPTS = sorted(_FOLDER.glob("*.txt"))
# Why something cannot be said, by the beginning of the transcript's name.
_UNSAID = {
    "division_by_zero.cvc": "open here",  # neither prints what it chose
    "wrong_selector.": "open here",  # nobody prints it
    "roots.yices": "is an approximation",
    "uninterpreted.z3-4.8.12": "unknown sort T",  # it prints |T u| without the bars
    "universe.yices": "over an infinite or large domain",  # it does not list the elements
}


def _expected(name: str) -> str:
    return next((why for start, why in _UNSAID.items() if name.startswith(start)), "")


@pytest.mark.parametrize("transcript", _TRANSCRIPTS, ids=lambda path: path.stem)
def test_true_under_the_model(transcript: Path) -> None:
    script = read_file(_FOLDER / f"{transcript.name.split('.')[0]}.smt2")
    model = read_model(transcript.read_text(), script)
    expected = _expected(transcript.name)
    for answer in truths(script, model):
        assert answer is True or (isinstance(answer, CannotSay) and expected and expected in answer.reason)
    if not expected:
        assert model.unreadable == {}


@pytest.mark.parametrize("transcript", _TRANSCRIPTS, ids=lambda path: path.stem)
def test_printed_and_read_again(transcript: Path) -> None:
    script = read_file(_FOLDER / f"{transcript.name.split('.')[0]}.smt2")
    model = read_model(transcript.read_text(), script)
    if model.named or model.unreadable or _expected(transcript.name):
        pytest.skip("it says more than the script's own symbols")
    again = read_model(print_model(model, declared_functions(script)), script)
    assert truths(script, again) == truths(script, model)


def test_every_solver_and_theory_is_there() -> None:
    solvers = {path.name.split(".", 1)[1].split("-")[0] for path in _TRANSCRIPTS}
    assert solvers == {"bitwuzla", "boolector", "cvc4", "cvc5", "yices", "z3"}
    assert {path.name.split(".")[0] for path in _TRANSCRIPTS} == {
        path.stem for path in _FOLDER.glob("*.smt2")
    }
