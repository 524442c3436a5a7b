"""Sign: how `replay.sh` recognises a defect without falsum."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from falsum.printable import on_one_line
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import PLACELESS, Answer, Cause


class SignKind(StrEnum):
    """What replay.sh examines; the values are words of the shell script."""

    VERDICTS = "verdicts"  # it prints the same verdicts
    CHECK = "check"  # it prints a verdict at a check: `1 unsat`
    TEXT = "text"  # it prints a text
    SPACED = "spaced"  # it prints a text, whatever white space is in it
    SIGNAL = "signal"  # a signal ends it
    FAILURE = "failure"  # it ends with a status that is not 0
    MODEL = "model"  # `falsum eval` says that the model it prints is wrong
    FALSUM = "falsum"  # falsum itself is run, and tells by its exit code
    UNSEEN = "unseen"  # nothing that it prints tells


class Sign(NamedTuple):
    kind: SignKind
    text: str = ""


def of_crash(answer: Answer) -> Sign:
    """The message of a crash, if it fits on a line and is specific."""
    ending = answer.ending
    if ending.detail == on_one_line(ending.detail) != "" and ending.cause not in PLACELESS:
        # Evidence is kept without its layout.
        return Sign(SignKind.TEXT, re.sub(r"[ \t]+", " ", ending.detail))
    return Sign(SignKind.SIGNAL if ending.cause is Cause.SIGNAL else SignKind.FAILURE)


def of_verdict(answer: Answer, check: int, verdict: str) -> Sign:
    """A verdict at a check (from 0), by its position among the verdicts that the solver prints."""
    before = sum(each is not Verdict.MISSING for each in answer.verdicts[:check])
    return Sign(SignKind.CHECK, f"{before + 1} {verdict}")


def of_verdicts(answer: Answer) -> Sign:
    return Sign(SignKind.VERDICTS, " ".join(each for each in answer.verdicts if each is not Verdict.MISSING))


def of_answer(answer: Answer) -> Sign:
    """An answer as a whole: the same crash, or the same verdicts."""
    return of_crash(answer) if answer.crashed else of_verdicts(answer)


def of_text(text: str) -> Sign:
    return Sign(SignKind.SPACED, " ".join(text.split()))
