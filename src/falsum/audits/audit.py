"""Whether answers to queries are right, and how that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import structs

from falsum.atlas.collection import digest
from falsum.audits.answers import QueryAnswer, Respondents
from falsum.audits.evidence import confirm_check, judge_check
from falsum.audits.exposure import Exposure
from falsum.audits.query.features import features_of
from falsum.audits.query.queries import Query
from falsum.audits.rows import AuditRow, Word
from falsum.audits.run import Examined, Note, notes_of
from falsum.smtlib.verdict import Verdict
from falsum.solvers.names import families
from falsum.solvers.solver import Solver


@dataclass(frozen=True, slots=True)
class AuditPlan:
    """What to audit; with `evidence`, models, cores and proofs are examined, otherwise answers are only
    compared.
    """

    solvers: tuple[Solver, ...]
    evidence: bool = True


class Audit:
    """Asks all solvers about queries."""

    kind = AuditRow

    def __init__(self, plan: AuditPlan, respondents: Respondents) -> None:
        self.solvers = plan.solvers
        self.words = (str(plan.evidence), digest())
        self._plan = plan
        self._respondents = respondents
        self._exposure = Exposure(plan.solvers)

    def examine(self, query: Query, text: str) -> Examined[AuditRow]:
        """A row for each check of a query."""
        answers: dict[str, QueryAnswer] = {}
        notes: list[Note] = []
        for solver in self._plan.solvers:
            answer = answers[solver.name] = self._respondents.ask(solver, text, lenient=True)
            notes += notes_of(solver, answer)
        exposed = self._exposure.bugs(features_of(text))
        count = max(len(answer.checks) for answer in answers.values())
        rows = [self._row(query, text, answers, number, exposed) for number in range(count)]
        return Examined(tuple(rows), tuple(notes))

    def _row(
        self, query: Query, text: str, answers: dict[str, QueryAnswer], number: int, exposed: Sequence[str]
    ) -> AuditRow:
        checks = {s: each.checks[number] for s, each in answers.items() if number < len(each.checks)}
        verdicts = {name: each.decided for name, each in checks.items()}
        row = AuditRow(
            query=query.name, check=number + 1, word=Word.UNDECIDED,
            answers={name: each.word for name, each in checks.items()}, exposed=tuple(exposed),
            cpu={name: round(each.cpu, 3) for name, each in answers.items()},
        )  # fmt: skip
        sides = {v: [s for s, each in verdicts.items() if each is v] for v in (Verdict.SAT, Verdict.UNSAT)}
        if sides[Verdict.SAT] and sides[Verdict.UNSAT]:
            with self._respondents.lab(self._plan.solvers) as lab:
                judgement = judge_check(text, number, lab, self._respondents.limits.seconds)
            return structs.replace(
                row, word=Word.CONTRADICTED, evidence=judgement.reason, suspects=judgement.suspects
            )
        for verdict, solvers in sides.items():
            if solvers:
                return self._agreed(row, text, number, verdict, solvers)
        return row

    def _agreed(
        self, row: AuditRow, text: str, number: int, verdict: Verdict, solvers: list[str]
    ) -> AuditRow:
        """The row of a check whose verdict no solver contradicts."""
        products = len(families(solvers))
        word = Word.AGREED if products > 1 else Word.CLAIMED
        row = structs.replace(row, word=word, verdict=str(verdict), products=products)
        if not self._plan.evidence:
            return row
        solvers_agreed = [each for each in self._plan.solvers if each.name in solvers]
        with self._respondents.lab(solvers_agreed) as lab:
            confirmation = confirm_check(text, number, verdict, lab)
        if confirmation.wrong_model:
            return structs.replace(
                row, word=Word.CONTRADICTED, evidence=confirmation.wrong_model, suspects=confirmation.suspects
            )
        return (
            structs.replace(row, word=Word.CONFIRMED, evidence=confirmation.evidence)
            if confirmation.evidence
            else row
        )
