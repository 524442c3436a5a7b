"""Smoke test: whether a solver answers at all, found out with a few scripts that any solver decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from falsum.errors import SurroundingsError
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver

# One per theory: a solver of a single theory decides one of them.
SCRIPTS: Final = (
    "(set-logic QF_UF)(declare-fun p () Bool)(assert (and p (not p)))(check-sat)",
    "(set-logic QF_BV)(declare-fun x () (_ BitVec 8))(assert (= x #x01))(check-sat)",
    "(set-logic QF_LIA)(declare-fun x () Int)(assert (> x 1))(check-sat)",
    "(set-logic QF_LRA)(declare-fun x () Real)(assert (> x 1.0))(check-sat)",
    '(set-logic QF_S)(declare-fun s () String)(assert (= s "a"))(check-sat)',
)
_SECONDS: Final = 10.0
# A solver that does not end on so many of them will not end on the others.
_MAX_TIMEOUTS: Final = 2
_MAX_LINES: Final = 5
_MAX_WIDTH: Final = 200


def smoke_test(solvers: Sequence[Solver], limits: Limits | None = None) -> None:
    """Raise SurroundingsError, with what it printed, for the first solver that decides none of the scripts.

    A wrong verdict passes: to find those is what a campaign is for.
    """
    for solver in solvers:
        with LiveLab([solver], limits or Limits(seconds=_SECONDS)) as lab:
            answers: list[Answer] = []
            for script in SCRIPTS:
                answers.append(lab.ask(Request(solver.name, script, cold=True)))
                if any(verdict.decided for verdict in answers[-1].verdicts):
                    break
                if sum(answer.ending.kind is EndingKind.TIMED_OUT for answer in answers) == _MAX_TIMEOUTS:
                    raise SurroundingsError(_refusal(solver, answers))
            else:
                raise SurroundingsError(_refusal(solver, answers))


def _refusal(solver: Solver, answers: Sequence[Answer]) -> str:
    last = answers[-1]
    printed = [line for line in f"{last.stdout}\n{last.stderr}".splitlines() if line.strip()]
    shown = "".join(f"\n    {line[:_MAX_WIDTH]}" for line in printed[:_MAX_LINES])
    scripts = "a simple script" if len(answers) == 1 else f"any of {len(answers)} simple scripts"
    return (
        f"{solver.name} does not decide {scripts}; on the last one it {_ended(last)} and printed"
        f"{f':{shown}' if printed else ' nothing'}\n"
        "A solver must read the SMT-LIB script in the file that is its last argument and print sat or unsat."
    )


def _ended(answer: Answer) -> str:
    words = {
        EndingKind.FINISHED: "ended",
        EndingKind.REJECTED: "gave an error",
        EndingKind.FLOODED: "flooded",
    }
    return words.get(answer.ending.kind, str(answer.ending.kind))
