"""The choices of solvers at points the standard leaves open, as tested on the solvers themselves.

A contradiction between two solvers counts if they answer the probes of a point alike; otherwise a script that
touches the point proves nothing. So no product or release has to be known here. Probes have the options and
the logic of the script, because a solver may choose differently in others. With two open applications nothing
is tested: the relation of their values is open, too. A script that falsum cannot read in full may touch any
point, also one that is not listed: it proves nothing either.
"""

from __future__ import annotations

from collections.abc import Iterable

from falsum.defects.case import Case
from falsum.smtlib.evaluation.open_points import (
    CODES,
    ESCAPES,
    Underspecification,
    relates_choices,
    underspecified,
)
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


def touched(case: Case) -> tuple[Underspecification, ...]:
    """The open points that a case touches in its assertions, assumptions and definitions."""
    return underspecified(case.terms, case.text)


def has_choices(case: Case) -> bool:
    """Whether a case touches a point for which the standard has no value."""
    return any(not point.is_reading for point in touched(case))


def has_related_choices(case: Case) -> bool:
    """Whether a case may relate values that solvers choose."""
    return relates_choices(case.terms)


def differing_point(case: Case, solvers: Iterable[str], lab: Lab) -> Underspecification | None:
    """A point of the case at which the solvers choose differently; None if there is none."""
    names = tuple(solvers)
    return next((point for point in touched(case) if not _choose_alike(point, case, names, lab)), None)


def choose_alike(case: Case, solvers: Iterable[str], lab: Lab) -> bool:
    """Whether the solvers choose alike at every point that the case touches, all of which must be known."""
    if not case.is_understood or has_related_choices(case):
        return False
    return differing_point(case, solvers, lab) is None


def read_alike(case: Case, solvers: Iterable[str], lab: Lab) -> bool:
    """Whether the solvers read the case alike, whatever they choose at open points."""
    names = tuple(solvers)
    return case.is_understood and all(
        _choose_alike(point, case, names, lab) for point in touched(case) if point.is_reading
    )


def leaves_all_open(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver leaves every choice open at all points of the case: then it must accept every
    choice of others. Unknown for a case that cannot be read in full, or that relates choices.
    """
    if not case.is_understood or has_related_choices(case):
        return False
    return not any(
        _probed(point, (formula,), case, solver, lab) is Verdict.UNSAT
        for point in touched(case)
        if not _leave_open(point, case, (solver,), lab)
        for formula in point.places
    )


def is_held_to_its_word(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver must answer consistently to a case and to a script that follows from it.

    It need not make the same choices in both.
    """
    return not has_choices(case) or leaves_all_open(case, solver, lab)


def reads_strings_as_standard(text: str, solver: str, lab: Lab) -> bool:
    """Whether a solver reads the strings of a text (a script, or its own model) as the standard does."""
    assert ESCAPES.spelling is not None
    if ESCAPES.spelling.search(text) is None:
        return True
    return all(lab.ask(Request(solver, probe)).verdict is Verdict.SAT for probe in ESCAPES.probes)


def misreads_strings(case: Case, solver: str, lab: Lab) -> bool:
    """Whether a solver reads strings of the case, or their alphabet, differently from the standard."""
    if not reads_strings_as_standard(case.text, solver, lab):
        return True
    return CODES in touched(case) and any(
        lab.ask(Request(solver, probe)).verdict is Verdict.UNSAT for probe in CODES.probes
    )


def _choose_alike(point: Underspecification, case: Case, solvers: tuple[str, ...], lab: Lab) -> bool:
    return _leave_open(point, case, solvers, lab) or all(
        _answer_alike(point, formula, case, solvers, lab) for formula in point.places
    )


def _leave_open(point: Underspecification, case: Case, solvers: tuple[str, ...], lab: Lab) -> bool:
    """Whether the solvers leave every choice open: a few requests replace many."""
    return all(
        _probed(point, choice, case, solver, lab) is Verdict.SAT
        for choice in point.choices
        for solver in solvers
    )


def _answer_alike(
    point: Underspecification, formula: str, case: Case, solvers: tuple[str, ...], lab: Lab
) -> bool:
    """Whether no solver leaves open what another excludes; *unknown* may leave it open as well."""
    verdicts = {_probed(point, (formula,), case, solver, lab) for solver in solvers} - {None}
    return Verdict.UNSAT not in verdicts or len(verdicts) == 1


def _probed(
    point: Underspecification, formulas: tuple[str, ...], case: Case, solver: str, lab: Lab
) -> Verdict | None:
    """The answer of a solver to a probe with the settings of the case, or without them if it rejects them."""
    # The lab remembers: a probe costs something once per solver, settings and run.
    answer = lab.ask(Request(solver, point.probe(*formulas, settings=case.settings)))
    if answer.ending.kind is EndingKind.REJECTED:
        answer = lab.ask(Request(solver, point.probe(*formulas)))
    return answer.verdict
