"""What solvers choose at points the standard leaves open, tried out on the solvers themselves.

A contradiction between two solvers counts where they answer the probes of a point alike; where they do not, a
script that touches the point proves nothing. So no product or release has to be known here. A script that
falsum cannot read in full may touch any point, also one that is not listed: it proves nothing either.
"""

from __future__ import annotations

from collections.abc import Iterable

from falsum.defects.case import Case
from falsum.smtlib.evaluation.open_points import CODES, ESCAPES, Underspecification, underspecified
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


def touched(case: Case) -> tuple[Underspecification, ...]:
    """The open points that a case touches, in what it asserts, assumes or defines."""
    return underspecified(case.terms, case.text)


def differing_point(case: Case, solvers: Iterable[str], lab: Lab) -> Underspecification | None:
    """A point that the case touches and at which the solvers choose differently; None if there is none."""
    named = tuple(solvers)
    return next((point for point in touched(case) if not _choose_alike(point, named, lab)), None)


def choose_alike(case: Case, solvers: Iterable[str], lab: Lab) -> bool:
    """Whether the solvers choose alike at every point that the case touches, which must be known."""
    return case.is_understood and differing_point(case, solvers, lab) is None


def leaves_all_open(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver leaves every choice open at all points the case touches: then it must find satisfiable
    what is so for any choice of anybody else. Not known of a case that cannot be read in full.
    """
    return case.is_understood and not any(
        lab.ask(Request(solver, probe)).verdict is Verdict.UNSAT
        for point in touched(case)
        if not _leave_open(point, (solver,), lab)
        for probe in point.probes
    )


def reads_strings_as_standard(text: str, solver: str, lab: Lab) -> bool:
    """Whether a solver reads the strings of a text (a script, a model of its own) as the standard does."""
    assert ESCAPES.spelling is not None
    if ESCAPES.spelling.search(text) is None:
        return True
    return all(lab.ask(Request(solver, probe)).verdict is Verdict.SAT for probe in ESCAPES.probes)


def misreads_strings(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver reads strings of the case, or their alphabet, in another way than the standard."""
    if not reads_strings_as_standard(case.text, solver, lab):
        return True
    return CODES in touched(case) and any(
        lab.ask(Request(solver, probe)).verdict is Verdict.UNSAT for probe in CODES.probes
    )


def _choose_alike(point: Underspecification, solvers: tuple[str, ...], lab: Lab) -> bool:
    return _leave_open(point, solvers, lab) or all(
        _answer_alike(probe, solvers, lab) for probe in point.probes
    )


def _leave_open(point: Underspecification, solvers: tuple[str, ...], lab: Lab) -> bool:
    """Whether the solvers leave every choice open: a few requests instead of many."""
    return all(
        lab.ask(Request(solver, point.probe(*choice))).verdict is Verdict.SAT
        for choice in point.choices
        for solver in solvers
    )


def _answer_alike(probe: str, solvers: tuple[str, ...], lab: Lab) -> bool:
    """Whether none of the solvers leaves open what another excludes; *unknown* may leave it open as well."""
    # The lab remembers: a probe costs something once per solver and run.
    verdicts = {lab.ask(Request(solver, probe)).verdict for solver in solvers} - {None}
    return Verdict.UNSAT not in verdicts or len(verdicts) == 1
