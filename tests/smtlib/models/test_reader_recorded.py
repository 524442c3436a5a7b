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
    "roots.yices": "is only an approximation",
    "uninterpreted.z3-4.8.12": "unknown sort T",  # it prints |T u| without the bars
    "universe.yices": "over an infinite or large domain",  # it does not list the elements
}


def _expected(name: str) -> str:
    return next((why for start, why in _UNSAID.items() if name.startswith(start)), "")


def _is_known(answer: object, why: str) -> bool:
    return isinstance(answer, CannotSay) and why != "" and why in answer.reason


@pytest.mark.parametrize("transcript", _TRANSCRIPTS, ids=lambda path: path.stem)
def test_true_under_the_model(transcript: Path) -> None:
    script = read_file(_FOLDER / f"{transcript.name.split('.')[0]}.smt2")
    model = read_model(transcript.read_text(), script)
    why = _expected(transcript.name)
    unsaid = [answer for answer in truths(script, model) if answer is not True]
    assert bool(unsaid) == bool(why)
    assert all(_is_known(answer, why) for answer in unsaid)
    if not why:
        assert model.unreadable == {}


@pytest.mark.parametrize("transcript", _TRANSCRIPTS, ids=lambda path: path.stem)
def test_printed_and_read_again(transcript: Path) -> None:
    """What is true stays so, unless it is open and was not printed; what could not be read is left out."""
    script = read_file(_FOLDER / f"{transcript.name.split('.')[0]}.smt2")
    model = read_model(transcript.read_text(), script)
    printed = print_model(model, (*declared_functions(script), *(f for f, _ in model.named.values())))
    again = read_model(printed, script)
    assert again.unreadable == {}
    assert not [name for name in model.unreadable if f"(define-fun {name} " in printed]
    why = _expected(transcript.name)
    for before, after in zip(truths(script, model), truths(script, again), strict=True):
        assert after is before or _is_known(before, why) or _is_known(after, why)


def test_every_solver_and_theory_is_there() -> None:
    solvers = {path.name.split(".", 1)[1].split("-")[0] for path in _TRANSCRIPTS}
    assert solvers == {"bitwuzla", "boolector", "cvc4", "cvc5", "yices", "z3"}
    assert {path.name.split(".")[0] for path in _TRANSCRIPTS} == {
        path.stem for path in _FOLDER.glob("*.smt2")
    }
