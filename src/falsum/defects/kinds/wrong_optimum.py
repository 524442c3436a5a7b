"""optimum: an objective does not attain the optimum that a solver gives, or a better value exists.

Scripts with objectives of their own keep them; in others, numeric terms or soft constraints are drawn. Only
plain numbers and *unbounded* are judged, infinitesimals and intervals are not. Possible false alarms: values
that are read wrongly; solvers that do not optimise are recognised by trying, and left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Final

from falsum.defects.case import Case
from falsum.defects.contradiction import contradiction, last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.evidence.assessment import Assessment
from falsum.defects.evidence.evidence_for_unsat import by_evaluation
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import Defect, Judgement, clause
from falsum.defects.finding import Finding, shortened
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.defects.model_check import falsified, satisfies
from falsum.defects.objectives import (
    Objective,
    drawn_objectives,
    own_objectives,
    printed_objectives,
    printed_values,
)
from falsum.defects.open_points import reads_strings_as_standard
from falsum.defects.targets.recognition import Sign, of_text
from falsum.defects.targets.target import Target
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, print_term, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.consequences import relay
from falsum.smtlib.scripts import SetOption, WithTerms
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

_PROBE: Final = "(declare-const x Int)(assert (< x 3))(maximize x)(check-sat)(get-objectives)"
_PRIORITY: Final = ":opt.priority"
_LEXICOGRAPHIC: Final = "lex"
_BOX: Final = "box"
_PARETO: Final = "pareto"
_MOST_POINTS: Final = 4
# Part of a warning: what is optimised, or the constraints, are beyond what the solver can do.
_UNSUPPORTED: Final = "not supported"
_CHECK: Final = "(check-sat)\n(get-objectives)\n"


class WrongOptimum(DefectKind):
    words = (Defect.WRONG_OPTIMUM,)
    rank = 60
    library_checks = ("optimum",)
    headline = "Wrong optimum for"
    expectation = "An optimum that the model attains and that nothing exceeds."

    def is_asked_for(self, session: EvidenceSession) -> bool:
        return session.flat is not None and bool(own_objectives(session.flat))

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """The optimum of an objective of the script's own, at its last check."""
        del claim
        session = sessions[-1]
        if not self.is_asked_for(session):
            return None
        others = tuple(solver for solver in session.solvers if solver not in suspects)
        for suspect in suspects:
            lab = ColdLab(SubsetLab(session.lab, (suspect, *others)))
            finding = OptimumOracle().find(session.case, lab)
            if finding is not None and (judgement := self.judged_by(finding)) is not None:
                return replace(judgement, check=session.check)
        return None

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        """The values that the solver prints: an honest solver answers sat as well, with other values."""
        values = printed_objectives(answer.stdout)
        return of_text(values) if values else super().recognition(target, answer)


class OptimumOracle(Oracle):
    name = "optimum"
    defect = WrongOptimum()
    compares_solvers = True
    every = 64

    def find(self, case: Case, lab: Lab) -> Finding | None:
        flat = at_last_check(case.script) if case.script is not None and case.is_understood else None
        if flat is None:
            return None
        rng = Random(case.draw_number)
        own = own_objectives(flat)
        objectives = own if own or own is None else drawn_objectives(flat, rng)
        priority = _priority(flat) if own else rng.choice((_LEXICOGRAPHIC, _BOX, _PARETO))
        for solver in lab.solvers if objectives else ():
            if not own and last_verdict(solver, case, lab) is not Verdict.SAT:
                continue
            if _optimises(solver, lab):
                finding = _Optimisation(case, flat, tuple(objectives or ()), priority, solver, lab).wrong()
                if finding is not None:
                    return finding if own else _with_objectives(finding)
        return None


def assess_optimum(case: Case, solver: str, lab: Lab) -> Assessment | None:
    """Whether the optimum that a solver gives for a script's first objective is right.

    None if the script has no objective, or the solver gives no optimum.
    """
    flat = at_last_check(case.script) if case.script is not None and case.is_understood else None
    objectives = own_objectives(flat) if flat is not None else None
    if flat is None or not objectives or not _optimises(solver, lab):
        return None
    optimisation = _Optimisation(case, flat, tuple(objectives), _priority(flat), solver, lab)
    wrong = optimisation.wrong()
    if wrong is not None:
        is_shown = wrong.suspects == (solver,)  # not the word of another solver alone
        return Assessment(False if is_shown else None, wrong.evidence.removeprefix(f"{solver} "))
    assessment = optimisation.not_contradicted()
    if assessment is None or len(objectives) == 1:
        return assessment
    only = f"of the first of {len(objectives)} objectives, {shortened(objectives[0].term, 120)}, no more"
    return replace(assessment, reason=f"{assessment.reason}; this is known {only}")


def _optimises(solver: str, lab: Lab) -> bool:
    answer = lab.ask(Request(solver, _PROBE))
    return answer.verdict is Verdict.SAT and printed_values(answer.stdout) == [["2"]]


def _priority(flat: Script) -> str:
    priorities = [c.value for c in flat.commands if isinstance(c, SetOption) and c.keyword == _PRIORITY]
    return priorities[-1] if priorities else _LEXICOGRAPHIC


@dataclass(frozen=True, slots=True)
class _Optimisation:
    """The optima that one solver gives for the objectives of one script."""

    case: Case
    flat: Script
    objectives: tuple[Objective, ...]
    priority: str
    solver: str
    lab: Lab

    def wrong(self) -> Finding | None:
        first = self.objectives[:1]
        answer = self._ask(first, "", 1)
        values = printed_values(answer.stdout)
        if _UNSUPPORTED in answer.stderr:
            return None
        if answer.verdict is Verdict.UNSAT:
            return self._refuted((), "it answers unsat when something is optimised", first, "")
        if answer.verdict is not Verdict.SAT or len(values) != 1 or len(values[0]) != 1:
            return None
        single = values[0][0]
        finding = self._not_attained(answer, single) or self._improved(first, (single,), "")
        if finding is not None or len(self.objectives) < 2:
            return finding
        if self.priority == _PARETO:
            return self._wrong_front()
        return self._wrong_together(single)

    def not_contradicted(self) -> Assessment | None:
        """What is known of the first optimum, given that nothing contradicts it."""
        objective = self.objectives[0]
        answer = self._ask(self.objectives[:1], "", 1)
        values = printed_values(answer.stdout)
        if answer.verdict is not Verdict.SAT or len(values) != 1 or len(values[0]) != 1:
            return None
        optimum = values[0][0]
        value = objective.literal(optimum)
        if value is None or answer.model is None:
            return Assessment(None, f"it gives {optimum}, and no plain number with a model")
        better = self._script(objective.better(value))
        try:
            attained = satisfies(read_script(self._script(objective.equal(value))), answer.model)[0]
            evidence = by_evaluation(read_script(better))
        except FalsumError as error:
            return Assessment(None, f"it gives {optimum}, and falsum cannot put that as a script: {error}")
        if not attained:
            return Assessment(None, f"it is not known whether its model attains {optimum}")
        if evidence is not None:
            return Assessment(True, f"its model attains {optimum}, and nothing is better: {evidence.text}")
        unsat = [
            each for each in self.lab.solvers if self.lab.ask(Request(each, better)).verdict is Verdict.UNSAT
        ]
        contradicted_answer = (
            f"{clause(unsat, 'answer', 'unsat')} to anything better" if unsat else "no solver says more"
        )
        return Assessment(None, f"its model attains {optimum}; {contradicted_answer}; that is no proof")

    def _ask(self, objectives: Sequence[Objective], priority: str, checks: int) -> Answer:
        return self.lab.ask(self._request(objectives, priority, checks))

    def _request(self, objectives: Sequence[Objective], priority: str, checks: int) -> Request:
        option = f"(set-option {_PRIORITY} {priority})\n" if priority else ""
        stated = "".join(objective.commands for objective in objectives)
        text = option + print_script(_without_objectives(self.flat)) + stated + _CHECK * checks
        return Request(self.solver, text, Want.MODEL)

    def _not_attained(self, answer: Answer, optimum: str) -> Finding | None:
        """The finding if no model has the value given as the optimum."""
        objective = self.objectives[0]
        value = objective.literal(optimum)
        if value is None or answer.model is None:
            return None
        equation = objective.equal(value)
        try:
            script = read_script(self._script(equation))
        except FalsumError:
            return None
        false = falsified(script, answer.model)
        if false is not None and false is not script.assertions[-1]:
            return None  # the model is wrong, whatever the optimum is
        if false is None or not reads_strings_as_standard(self.case.text, self.solver, self.lab):
            return None
        text = shortened(print_term(false))
        claim = f"gives {optimum} as the optimum of {shortened(objective.term, 120)}, but under its own model"
        return self._finding(f"{claim} {text} evaluates to false", (self.solver,), self.objectives[:1], "", 1)

    def _improved(
        self, objectives: Sequence[Objective], optima: Sequence[str], priority: str
    ) -> Finding | None:
        """The finding if a better value than the last optimum exists, with the other optima unchanged."""
        *others, objective = objectives
        values = [each.literal(text) for each, text in zip(objectives, optima, strict=True)]
        if any(value is None for value in values[:-1]):
            return None
        equalities = [other.equal(value or "") for other, value in zip(others, values, strict=False)]
        if priority == _BOX:
            equalities = []
        term = shortened(objective.term, 120)
        if objective.is_unbounded(optima[-1]):
            return self._bounded(objective, equalities, priority, objectives)
        if values[-1] is None:
            return None
        better = objective.better(values[-1])
        claim = f"it gives {optima[-1]} as the optimum of {term}, but there is something better"
        return self._refuted((*equalities, better), claim, objectives, priority)

    def _bounded(
        self, objective: Objective, equalities: list[str], priority: str, objectives: Sequence[Objective]
    ) -> Finding | None:
        """The finding if an objective called unbounded is bounded."""
        script = self._script(*equalities, objective.far())
        own = self.lab.ask(Request(self.solver, script)).verdict
        if own is not Verdict.UNSAT:
            return None
        claim = f"gives {shortened(objective.term, 120)} as unbounded, but answers unsat to {objective.far()}"
        return self._finding(shortened(claim), (self.solver,), objectives, priority, 1)

    def _wrong_together(self, single: str) -> Finding | None:
        """Box and lexicographic runs have the same first optimum as a single run."""
        values = printed_values(self._ask(self.objectives, self.priority, 1).stdout)
        if len(values) != 1 or len(values[0]) != len(self.objectives):
            return None
        first, *_rest = values[0]
        objective = self.objectives[0]
        both = objective.literal(single), objective.literal(first)
        if None not in both and both[0] != both[1]:
            claim = f"gives {single} as the optimum of {shortened(objective.term, 120)} alone, but {first} "
            claim += f"together with another objective ({self.priority})"
            return self._finding(claim, (self.solver,), self.objectives, self.priority, 1)
        return self._improved(self.objectives, values[0], self.priority)

    def _wrong_front(self) -> Finding | None:
        """The finding if points of a Pareto front dominate each other, or a complete front lacks a point."""
        answer = self._ask(self.objectives, _PARETO, _MOST_POINTS)
        # After the last point the answer is unsat, and a solver may begin again.
        count = next((n for n, v in enumerate(answer.verdicts) if v is not Verdict.SAT), len(answer.verdicts))
        points = [
            [each.literal(text) for each, text in zip(self.objectives, values, strict=False)]
            for values in printed_values(answer.stdout)[:count]
        ]
        if not points or any(None in point or len(point) != len(self.objectives) for point in points):
            return None
        for one, other in combinations(points, 2):
            if self._dominates(one, other) or self._dominates(other, one):
                claim = (
                    f"gives the points {_shown(one)} and {_shown(other)} of one Pareto front, of which one "
                )
                claim += "is not better than the other in anything"
                return self._finding(claim, (self.solver,), self.objectives, _PARETO, _MOST_POINTS)
        if count == len(answer.verdicts) or answer.verdicts[count] is not Verdict.UNSAT:
            return None
        outside = [
            "(or " + " ".join(o.better(v or "") for o, v in zip(self.objectives, point, strict=True)) + ")"
            for point in points
        ]
        claim = f"it gives {len(points)} points as the whole Pareto front, but there is another one"
        return self._refuted(tuple(outside), claim, self.objectives, _PARETO)

    def _dominates(self, one: Sequence[str | None], other: Sequence[str | None]) -> bool:
        """Whether a point is at least as good as another in every objective, by our evaluator."""
        parts = []
        for objective, first, second in zip(self.objectives, one, other, strict=True):
            at_first = Objective("", first or "", objective.sort, objective.is_maximum)
            parts.append(f"(or {at_first.equal(second or '')} {at_first.better(second or '')})")
        script = read_script(f"(assert (not (and {' '.join(parts)})))(check-sat)")
        return falsified(script, "()") is not None

    def _script(self, *asserted: str) -> str:
        """The script's assertions and more, without objectives."""
        plain = relay.with_settings(_without_objectives(self.flat))
        more = "".join(f"(assert {each})\n" for each in asserted)
        return plain.removesuffix("(check-sat)\n") + more + "(check-sat)\n"

    def _refuted(
        self, assertions: tuple[str, ...], claim: str, objectives: Sequence[Objective], priority: str
    ) -> Finding | None:
        try:
            conflict = contradiction(self._script(*assertions), self.solver, self.case, self.lab)
        except FalsumError:
            return None
        if conflict is None:
            return None
        checks = _MOST_POINTS if priority == _PARETO else 1
        text = f"{claim.removeprefix('it ')}: {conflict}"
        return self._finding(text, conflict.suspects, objectives, priority, checks, self._script(*assertions))

    def _finding(
        self,
        claim: str,
        suspects: tuple[str, ...],
        objectives: Sequence[Objective],
        priority: str,
        checks: int,
        details: str = "",
    ) -> Finding:
        mode = priority if len(objectives) > 1 else "single"
        return Finding(
            kind=OptimumOracle.name,
            suspects=suspects,
            signature=signature.of_wrong_answer(OptimumOracle.name, suspects, self.case, detail=mode),
            evidence=f"{self.solver} {claim}",
            case=self.case,
            request=self._request(objectives, priority, checks),
            details=details,
        )


def _with_objectives(finding: Finding) -> Finding:
    """The finding with the drawn objectives written into its script, so that all later requests are the
    same.
    """
    assert finding.request is not None
    stated = replace(finding.case.mutant, text=finding.request.script, reference=None)
    return replace(finding, case=replace(finding.case, mutant=stated))


def _without_objectives(flat: Script) -> Script:
    return Script(
        tuple(
            c
            for c in flat.commands
            if not isinstance(c, WithTerms) and not (isinstance(c, SetOption) and c.keyword == _PRIORITY)
        )
    )


def _shown(point: Sequence[str | None]) -> str:
    return f"({', '.join(value or '' for value in point)})"
