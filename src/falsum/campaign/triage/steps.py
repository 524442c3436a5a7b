"""Triage of a finding: judged, reduced, judged again; the options it needs and the releases that show it.

Every step leaves its file in the finding's folder before the next begins, so a triage that is killed goes on
where it was; `triage.json` comes last and says that triage is complete.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.triage import ablation, leak_history, result
from falsum.campaign.triage.bisection import Bisection, bisect
from falsum.campaign.triage.groups import known_in_store
from falsum.campaign.triage.job import Job, claim_of, command_line, resolved
from falsum.campaign.triage.predicate import Manner, Target
from falsum.campaign.triage.reduction import made_small
from falsum.campaign.triage.release_answers import Prober
from falsum.campaign.triage.result import JudgementRecord, ReductionRecord, Shown, Triage
from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind, of_judgement
from falsum.campaign.triage.traces import triage_trace
from falsum.errors import ScriptError, UsageError
from falsum.oracles import needs_history, oracle_named
from falsum.oracles.finding import FLAKY
from falsum.oracles.identity.fingerprint import Fingerprint, fingerprint
from falsum.oracles.identity.known import read_known, recognised
from falsum.oracles.judge.judge import judge
from falsum.oracles.judge.judgement import Defect, Evidence, Judgement
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import FindingRecord
from falsum.strategies.mutant import Claim

# Of the time for one finding, what the reduction may take.
_REDUCING: Final = 0.6
_MOST_REFERENCES: Final = 2


def triage(job: Job, zoo: Zoo | None = None) -> Triage:
    """Everything that can be found out about a finding in the time given; kept in its folder."""
    home = Path(job.home)
    record = finding_folder.read(home)
    if (complete := result.read(home)) is not None:
        return complete
    zoo = zoo or Zoo()
    limits = Limits(seconds=job.timeout, memory=job.memory)
    if record.trace is not None:
        made = triage_trace(record, record.trace, limits, zoo)
    else:
        solvers, remarks = resolved(record, job.solvers, zoo)
        with LiveLab(solvers, limits) as lab:
            made = _ScriptTriage(job, home, record, zoo, solvers, lab, limits, remarks).triage()
    known = recognised(made.signature, (*read_known(), *known_in_store(home, made.bisection)))
    made = msgspec.structs.replace(made, known=str(known or ""))
    result.keep(home, result.TRIAGE, made)
    return made


@dataclass(slots=True)
class _ScriptTriage:
    """A finding in a script under triage."""

    job: Job
    home: Path
    record: FindingRecord
    zoo: Zoo
    solvers: list[Solver]
    lab: LiveLab
    limits: Limits
    remarks: list[str]
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        return self.job.seconds - (time.monotonic() - self.started)

    def triage(self) -> Triage:
        record = self.record
        if record.kind == FLAKY:
            return self._told(self._plainly(record), record.script)
        if needs_history(record.kind):
            return self._leaked()
        before = self._judged(record.script, claim_of(record))
        script, reduction = self._reduced(before)
        after = before
        if script != record.script:
            after = self._judged(script, self._claim_left(reduction))
            if Defect.UNDECIDED is not before.defect is not after.defect:
                self.remarks.append("made small it is judged otherwise, so it is reported as it was found")
                script, after, reduction = record.script, before, None
        result.keep(self.home, result.REDUCED, script)
        result.keep(self.home, result.JUDGEMENT, JudgementRecord.of(after))
        symptom, suspect = self._symptom(after, script)
        if symptom is None or suspect is None:
            return self._told(after, script, reduction)
        return self._examined(after, script, reduction, symptom, suspect)

    def _plainly(self, record: FindingRecord) -> Judgement:
        """What cannot be judged from one script keeps the word of the oracle that spoke."""
        leaks = needs_history(record.kind)
        defect = Defect.STATE_LEAK if leaks else Defect.UNDECIDED
        return Judgement(defect, record.suspects, None, (Evidence(record.kind, record.evidence),))

    def _leaked(self) -> Triage:
        """What the same process was asked before, as little of it as will do."""
        record = self.record
        told = self._told(self._plainly(record), record.script)
        suspect = next(solver for solver in self.solvers if solver.name == told.suspect)
        posed = suspect.prepare(record.script, Want(record.want)).text
        whole = leak_history.of_process(record.history, posed, suspect)
        with leak_history.Player(suspect, self.limits) as player:
            history = leak_history.minimal(whole, player, max(1.0, _REDUCING * self.left)) if whole else ()
            shown = [player.shown(history) for _ in range(ablation.TIMES)] if history else []
        if not history:
            why = f"the {len(whole)} scripts the process was asked last do not show it again"
            return msgspec.structs.replace(told, remarks=(*self.remarks, why))
        leak_history.keep(self.home, suspect, history, shown[0])
        known_by = self._fingerprint(told.judgement.judgement, suspect, history[-1])
        signature = replace(known_by, place=shown[0]).signature
        return msgspec.structs.replace(
            told,
            signature=signature,
            script=history[-1],
            posed=leak_history.as_one(history),
            history=history,
            cold=Shown(sum(map(bool, shown)), len(shown)),
            seconds=round(time.monotonic() - self.started, 1),
        )

    def _judged(self, script: str, claim: Claim | None) -> Judgement:
        names = [solver.name for solver in self.solvers]
        return judge(
            script,
            self.record.suspects,
            names,
            self.lab,
            claim=claim,
            about=oracle_named(self.record.kind).subject,
        )

    def _claim_left(self, reduction: ReductionRecord | None) -> Claim | None:
        """A claim does not outlive reduction, but for a witness that was looked at again at every step."""
        if reduction is None or reduction.manner != Manner.WITNESS:
            return None
        return Claim((Verdict.SAT,), self.record.witness)

    def _symptom(self, judgement: Judgement, script: str) -> tuple[Symptom | None, Solver | None]:
        """What the newest of those who are wrong shows, asked as plainly as will do."""
        accused = [solver for solver in self.solvers if solver.name in judgement.suspects]
        accused.sort(key=lambda solver: parse_version(solver.version), reverse=True)
        for suspect in accused:
            for want in dict.fromkeys((Want.VERDICT, Want(self.record.want), Want.MODEL)):
                answer = self.lab.ask(Request(suspect.name, script, want, cold=True))
                symptom = of_judgement(judgement, want, {suspect.name: answer})
                if symptom is None:
                    continue
                asked = self.lab.ask(Request(suspect.name, script, Want(symptom.want), cold=True))
                if symptom.standing(asked, script) is Standing.BAD:
                    return symptom, suspect
        return None, None

    def _reduced(self, judgement: Judgement) -> tuple[str, ReductionRecord | None]:
        """The script made small, or as it was; what an earlier triage left is taken over."""
        script = self.record.script
        kept = result.load(self.home, result.REDUCTION, ReductionRecord)
        if kept is not None and (self.home / result.REDUCED).is_file():
            return (self.home / result.REDUCED).read_text(errors="surrogateescape"), kept
        symptom, suspect = self._symptom(judgement, script)
        if symptom is None and judgement.defect is Defect.UNDECIDED:
            symptom, suspect = self._taken_sides(judgement)
        if symptom is None or suspect is None:
            self.remarks.append("not made small: there is no answer to one script to hold on to")
            return script, None
        references = self._references(symptom, suspect) if symptom.truth is not None else []
        target = Target({suspect.name: symptom}, tuple(solver.name for solver in references))
        seconds = max(1.0, _REDUCING * self.left)
        try:
            small, reduction = made_small(
                self.record, target, (suspect, *references), self.limits, seconds, self.job.jobs
            )
        except (UsageError, ScriptError) as error:
            self.remarks.append(f"not made small: {error}")
            return script, None
        if not reduction.is_confirmed:
            self.remarks.append("made small it does not show in a fresh process, so it is left as it was")
            return script, reduction
        result.keep(self.home, result.REDUCED, small)
        result.keep(self.home, result.REDUCTION, reduction)
        return small, reduction

    def _taken_sides(self, judgement: Judgement) -> tuple[Symptom | None, Solver | None]:
        """For a disagreement nobody can decide: as if those not suspected were right. It stays undecided."""
        said = {s.name: self._said(s, judgement.check) for s in self.solvers}
        for suspect in self.solvers:
            verdict = said[suspect.name]
            if suspect.name not in self.record.suspects or verdict is None:
                continue
            against = [v for v in said.values() if v is not None and v.contradicts(verdict)]
            if against:
                return Symptom(SymptomKind.WRONG_VERDICT, check=judgement.check, truth=against[0]), suspect
        return None, None

    def _said(self, solver: Solver, check: int) -> Verdict | None:
        verdicts = self.lab.ask(Request(solver.name, self.record.script, cold=True)).verdicts
        return verdicts[check] if check < len(verdicts) and verdicts[check].decided else None

    def _references(self, symptom: Symptom, suspect: Solver) -> list[Solver]:
        """Who says the truth: other products first; one is enough where a model may show it."""
        right = [s for s in self.solvers if self._said(s, symptom.check) is symptom.truth]
        right.sort(key=lambda s: s.profile.product == suspect.profile.product)
        return right[: 1 if symptom.truth is Verdict.SAT else _MOST_REFERENCES]

    def _examined(
        self,
        judgement: Judgement,
        script: str,
        reduction: ReductionRecord | None,
        symptom: Symptom,
        suspect: Solver,
    ) -> Triage:
        """Options, random seeds, readers and releases, as far as there is time."""
        least, options = ablation.minimal_options(self.lab, suspect, script, symptom)
        cold, answer = ablation.shown_cold(self.lab, least, script, symptom)
        told = self._told(judgement, script, reduction)
        known_by = self._fingerprint(judgement, least, script)
        found = self._bisected(symptom, least, script)
        return msgspec.structs.replace(
            told,
            signature=known_by.signature,
            suspect=least.name,
            product=least.profile.product,
            release=least.version,
            is_library=least.is_library,
            command=command_line(least),
            posed=least.prepare(script, Want(symptom.want)).text,
            output=(answer.stdout + answer.stderr).strip(),
            symptom=symptom,
            options=options,
            cold=cold,
            other_seeds=ablation.shown_with_seeds(self.lab, least, script, symptom),
            readers=ablation.readers(self.lab, self.solvers, script),
            bisection=found,
            remarks=tuple(self.remarks),
            seconds=round(time.monotonic() - self.started, 1),
        )

    def _bisected(self, symptom: Symptom, suspect: Solver, script: str) -> Bisection | None:
        kept = result.load(self.home, result.BISECTION, Bisection)
        if kept is not None and kept.symptom == symptom:
            return kept
        if not self.job.bisects or suspect.release is None or self.left <= 0:
            return None
        product = suspect.profile.product
        with Prober(product, script, symptom, self.limits, settings=suspect.settings, zoo=self.zoo) as prober:
            found = bisect(prober, self.job.jobs)
        result.keep(self.home, result.BISECTION, found)
        return found

    def _fingerprint(self, judgement: Judgement, suspect: Solver, script: str) -> Fingerprint:
        """What it is known by: the one it is about, with the options it needs, stands for all suspects."""
        return fingerprint(script, replace(judgement, suspects=(suspect.name,)), self.lab)

    def _told(self, judgement: Judgement, script: str, reduction: ReductionRecord | None = None) -> Triage:
        whom = (*judgement.suspects, *self.record.suspects)
        about = next(solver for solver in self.solvers if solver.name in whom)
        return Triage(
            digest=self.record.digest,
            judgement=JudgementRecord.of(judgement),
            script=script,
            signature=self.record.signature,
            suspect=about.name,
            product=about.profile.product,
            release=about.version,
            is_library=about.is_library,
            command=command_line(about),
            reduction=reduction,
            remarks=tuple(self.remarks),
            seconds=round(time.monotonic() - self.started, 1),
        )
