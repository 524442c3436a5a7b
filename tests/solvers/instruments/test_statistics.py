"""Statistics of real solvers: asked for in the same breath, and no part of the answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.instruments.statistics import buckets, question, split
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request, Want

SCRIPT = "(set-logic QF_BV)(declare-const x (_ BitVec 8))(assert (bvult (bvmul x x) #x07))(check-sat)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(:conflicts 7\n :max-memory 16.00\n :time 0.01\n :decisions 9)", {"conflicts 3", "decisions 4"}),
        ('((:all-statistics ("sat::conflicts" 2) ("sat::time" 3)))', {"sat::conflicts 2"}),
        (":rewrite::NORMALIZE_COMM 1\n:num_checks 0", {"rewrite::NORMALIZE_COMM 1", "num_checks 0"}),
        ("unsupported", set()),
    ],
)
def test_buckets(text: str, found: set[str]) -> None:
    assert buckets(text) == found


def test_the_answer_ends_where_the_statistics_begin() -> None:
    assert '(echo "s3cret statistics")' in question("s3cret")
    assert split(b'sat\n"s3cret statistics"\n:a 1', "s3cret") == (b"sat\n", '"\n:a 1')
    assert split(b"sat\ns3cret statistics\n:a 1", "s3cret") == (b"sat\n", "\n:a 1")
    assert split(b"sat\n", "s3cret") == (b"sat\n", "")


@pytest.mark.parametrize("name", ["z3", "z3@4.8.10", "cvc5", "cvc5@1.1.0", "bitwuzla"])
@pytest.mark.parametrize("want", [Want.VERDICT, Want.MODEL])
def test_solvers_tell_their_statistics(name: str, want: Want, lab_of: Callable[..., LiveLab]) -> None:
    lab = lab_of(name)
    told = lab.ask(Request(name, SCRIPT, want, statistics=True))
    silent = lab.ask(Request(name, SCRIPT, want, again=True))
    assert len(buckets(told.statistics)) > 5
    assert silent.statistics == ""
    assert (told.verdicts, told.ending, told.model, told.stdout) == (
        (Verdict.SAT,), silent.ending, silent.model, silent.stdout,
    )  # fmt: skip
    refused = lab.ask(Request(name, SCRIPT.replace("bvmul", "bvfoo"), statistics=True))
    assert refused.ending.kind is EndingKind.REJECTED
    assert refused.is_silent


@pytest.mark.parametrize("name", ["yices", "boolector"])
def test_solvers_that_have_none_are_not_asked(name: str, lab_of: Callable[..., LiveLab]) -> None:
    answer = lab_of(name).ask(Request(name, SCRIPT, statistics=True))
    assert (answer.verdicts, answer.statistics) == ((Verdict.SAT,), "")
