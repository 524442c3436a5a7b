"""Triage of a finding: judged, reduced, judged again; the options it needs and the releases that show it.

Every step leaves its file in the finding's folder before the next begins, so a triage that is killed goes on
where it was; `triage.json` comes last and says that triage is complete.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.triage import ablation, leak_history, oracle_predicate, result
from falsum.campaign.triage.bisection import Bisection, bisect
from falsum.campaign.triage.groups import known_in_store
from falsum.campaign.triage.job import (
    Job,
    build_identity,
    case_of,
    claim_of,
    command_line,
    origin_of,
    resolved,
)
from falsum.campaign.triage.oracle_predicate import OracleTarget
from falsum.campaign.triage.predicate import Manner, ReductionTarget
from falsum.campaign.triage.reduction import may_replace, reduce_by_oracle, reduce_finding
from falsum.campaign.triage.release_answers import ReleaseAnswers
from falsum.campaign.triage.result import JudgementRecord, ReductionRecord, Reproduced, Triage
from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind, symptom_of
from falsum.campaign.triage.traces.triage import triage_trace
from falsum.errors import ScriptError, UsageError
from falsum.oracles import Oracle, needs_history, oracle_named
from falsum.oracles.finding import FLAKY, Finding, Subject
from falsum.oracles.identity.fingerprint import Fingerprint, fingerprint
from falsum.oracles.identity.known import read_known, recognised
from falsum.oracles.judge.judge import judge
from falsum.oracles.judge.judgement import Defect, Evidence, Judgement
from falsum.oracles.judge.reference_pair import refuted_script
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.solvers.versions import parse_version
from falsum.solvers.zoo import Zoo
from falsum.store import atomic, finding_folder
from falsum.store.records import FindingRecord
from falsum.store.replay_script import NAME as REPLAY
from falsum.store.replay_script import ReplayRun, replay_script
from falsum.strategies.mutant import Claim

# The share of the time for one finding that its reduction may take.
_REDUCTION_SHARE: Final = 0.6
_MAX_REFERENCES: Final = 2
# Symptoms that mean nothing without what the solver is compared with.
_BY_ORACLE: Final = frozenset({SymptomKind.UNKNOWN, SymptomKind.SLOW})


def triage(job: Job, zoo: Zoo | None = None) -> Triage:
    """Everything that can be found out about a finding in the time given; kept in its folder."""
    folder = Path(job.folder)
    record = finding_folder.read(folder)
    if (complete := result.read(folder)) is not None:
        return complete
    zoo = zoo or Zoo()
    limits = Limits(seconds=job.timeout, memory=job.memory)
    if record.trace is not None:
        made = triage_trace(record, record.trace, limits, zoo, bisects=job.bisects)
    else:
        solvers, remarks = resolved(record, job.solvers, zoo)
        with LiveLab(solvers, limits) as lab:
            made = _ScriptTriage(job, folder, record, zoo, solvers, lab, limits, remarks).triage()
    made = _recognised(folder, made)
    result.write(folder, result.TRIAGE, made)
    return made


def recognise(folder: Path) -> None:
    """Look again whether a finding that was triaged elsewhere is known in this store."""
    if (made := result.read(folder)) is not None:
        result.write(folder, result.TRIAGE, _recognised(folder, made))


def _recognised(folder: Path, made: Triage) -> Triage:
    known = recognised(made.signature, (*read_known(), *known_in_store(folder, made.bisection)))
    return msgspec.structs.replace(made, known=str(known or ""))


@dataclass(slots=True)
class _ScriptTriage:
    """A finding in a script under triage."""

    job: Job
    folder: Path
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

    @property
    def _oracle(self) -> Oracle:
        return oracle_named(self.record.kind)

    def triage(self) -> Triage:
        record = self.record
        if record.kind == FLAKY:
            return self._summary(self._oracle_judgement(), record.script)
        if record.history or needs_history(record.kind):
            return self._triage_leak()
        record = self.record = self._about_wrong_script()
        before = self._judge(record.script, claim_of(record))
        if before.defect is Defect.INVALID_MODEL:
            # Solvers print the model of the last check, so the check in question has to be the last.
            cut = until_check(record.script, before.check)
            record = self.record = msgspec.structs.replace(record, script=cut)
        script, reduction = self._reduce(before)
        after = before
        if script != record.script:
            after = self._judge(script, self._claim_left(reduction))
            if not may_replace(after, before):
                self.remarks.append("the reduced script is judged differently; the original is reported")
                script, after, reduction = record.script, before, None
        result.write(self.folder, result.REDUCED, script)
        result.write(self.folder, result.JUDGEMENT, JudgementRecord.of(after))
        symptom, suspect = self._symptom(after, script)
        if symptom is None or suspect is None:
            return self._examine_by_oracle(after, script, reduction)
        return self._examine(after, script, reduction, symptom, suspect)

    def _about_wrong_script(self) -> FindingRecord:
        """The finding, about its reference if that is the one which is wrongly called unsat.

        If a law is broken, about the script of those asked that is answered wrongly.
        """
        record = self.record
        if self._oracle.subject is Subject.LAW:
            return oracle_predicate.wrong_member(record, self.solvers, self.lab)
        if record.reference is None or record.claim is not None:
            return record
        wrong = refuted_script(record.script, record.reference, record.suspects, self.lab)
        if wrong is None:
            return record
        return msgspec.structs.replace(
            record, script=wrong.script, claim=(Verdict.SAT,), witness=wrong.witness
        )

    def _oracle_judgement(self) -> Judgement:
        """What cannot be judged by one script is what the oracle says."""
        record = self.record
        return Judgement(Defect.UNDECIDED, record.suspects, None, (Evidence(record.kind, record.evidence),))

    def _triage_leak(self) -> Triage:
        """Minimise what the same process was asked before."""
        record = self.record
        summary = self._summary(self._oracle_judgement(), record.script)
        suspect = next(solver for solver in self.solvers if solver.name == summary.suspect)
        posed = suspect.prepare(record.script, Want(record.want)).text
        whole = leak_history.history_of_process(record.history, posed, suspect)
        with leak_history.HistoryReplay(suspect, self.limits) as replay:
            seconds = max(1.0, _REDUCTION_SHARE * self.left)
            history = leak_history.minimal_history(whole, replay, seconds) if whole else ()
            differences = [replay.difference(history) for _ in range(ablation.TIMES)] if history else []
            answers = (
                replay.answers(history) if history else leak_history.recorded_answers(record, suspect.name)
            )
            resets = (
                bool(history) and answers[0].crashed and replay.crashes_in_one_script(history, answers[0])
            )
        judged = leak_history.judgement(record, suspect.name, *answers)
        summary = msgspec.structs.replace(summary, judgement=JudgementRecord.of(judged))
        if not history:
            why = f"not reproduced by the last {len(whole)} scripts that the process was asked"
            return msgspec.structs.replace(summary, remarks=(*self.remarks, why))
        leak_history.write(self.folder, suspect, history, differences[0])
        known_by = self._fingerprint(judged, suspect, history[-1])
        place = leak_history.place_of(answers[0], differences[0])
        return msgspec.structs.replace(
            summary,
            signature=replace(known_by, place=place).signature,
            output=(answers[0].stdout + answers[0].stderr).strip() if answers[0].crashed else "",
            script=history[-1],
            posed=leak_history.joined(history),
            history=history,
            resets=resets,
            cold=Reproduced(sum(map(bool, differences)), len(differences)),
            seconds=round(time.monotonic() - self.started, 1),
        )

    def _judge(self, script: str, claim: Claim | None) -> Judgement:
        names = [solver.name for solver in self.solvers]
        judged = judge(
            script,
            self.record.suspects,
            names,
            self.lab,
            claim=claim,
            about=self._oracle.subject,
        )
        if judged.defect is Defect.UNDECIDED and self._oracle.subject.needs_oracle:
            found = self._shown(script)
            by_oracle = oracle_predicate.judgement_of(found, self._oracle.subject) if found else None
            return by_oracle or judged
        if judged.defect is Defect.UNDECIDED and self.record.reference is not None:
            # The solver contradicts itself, and nothing shows which of its answers is the wrong one.
            own = self._oracle_judgement()
            return replace(judged, suspects=own.suspects, evidence=(*own.evidence, *judged.evidence))
        return judged

    def _shown(self, script: str) -> Finding | None:
        """What the oracle finds in a script, in fresh processes, if it is the same as before."""
        lab = SubsetLab(self.lab, tuple(solver.name for solver in self._compared()))
        return self._oracle_target().shown(script, lab, cold=True)

    def _claim_left(self, reduction: ReductionRecord | None) -> Claim | None:
        """A claim does not survive reduction, except for a witness that was checked again at every step."""
        if reduction is None or reduction.manner != Manner.WITNESS:
            return None
        return Claim((Verdict.SAT,), self.record.witness)

    def _symptom(self, judgement: Judgement, script: str) -> tuple[Symptom | None, Solver | None]:
        """The symptom of the newest suspect, with the plainest request that shows it."""
        suspects = [solver for solver in self.solvers if solver.name in judgement.suspects]
        suspects.sort(key=lambda solver: parse_version(solver.version), reverse=True)
        for suspect in suspects:
            for want in dict.fromkeys((Want.VERDICT, Want(self.record.want), Want.MODEL)):
                answer = self.lab.ask(Request(suspect.name, script, want, cold=True))
                symptom = symptom_of(judgement, want, {suspect.name: answer})
                if symptom is None:
                    continue
                asked = self.lab.ask(Request(suspect.name, script, Want(symptom.want), cold=True))
                if symptom.standing(asked, script) is Standing.BAD:
                    return symptom, suspect
        return None, None

    def _reduce(self, judgement: Judgement) -> tuple[str, ReductionRecord | None]:
        """The script, reduced if possible; what an earlier triage has kept is used again."""
        script = self.record.script
        kept = result.load(self.folder, result.REDUCTION, ReductionRecord)
        if kept is not None and (self.folder / result.REDUCED).is_file():
            return (self.folder / result.REDUCED).read_text(errors="surrogateescape"), kept
        symptom, suspect = self._symptom(judgement, script)
        if symptom is None and judgement.defect is Defect.UNDECIDED:
            symptom, suspect = self._presumed_symptom(judgement)
        seconds = max(1.0, _REDUCTION_SHARE * self.left)
        if self._oracle.subject.needs_oracle and (symptom is None or symptom.kind in _BY_ORACLE):
            return self._reduced(
                lambda: reduce_by_oracle(
                    self.record, self._oracle_target(), self._compared(), self.limits, seconds, self.job.jobs
                )
            )
        if symptom is None or suspect is None:
            self.remarks.append("not reduced: no answer to a single script is wrong")
            return script, None
        references = self._references(symptom, suspect) if symptom.truth is not None else []
        target = ReductionTarget({suspect.name: symptom}, tuple(solver.name for solver in references))
        return self._reduced(
            lambda: reduce_finding(
                self.record, target, (suspect, *references), self.limits, seconds, self.job.jobs
            )
        )

    def _reduced(
        self, attempt: Callable[[], tuple[str, ReductionRecord]]
    ) -> tuple[str, ReductionRecord | None]:
        """The outcome of a reduction, kept if it is confirmed."""
        script = self.record.script
        try:
            small, reduction = attempt()
        except (UsageError, ScriptError) as error:
            self.remarks.append(f"not reduced: {error}")
            return script, None
        if not reduction.is_confirmed:
            self.remarks.append("not reduced: the small script does not show it in a fresh process")
            return script, reduction
        result.write(self.folder, result.REDUCED, small)
        result.write(self.folder, result.REDUCTION, reduction)
        return small, reduction

    def _oracle_target(self) -> OracleTarget:
        """What the oracle found, for it to find again."""
        return OracleTarget(self._oracle, case_of(self.record), self.record.suspects)

    def _compared(self) -> list[Solver]:
        """The solvers that the oracle has compared."""
        own = {exchange.solver for exchange in self.record.exchanges}
        return [s for s in self.solvers if s.name in own or s.name in self.record.suspects]

    def _examine_by_oracle(
        self, judgement: Judgement, script: str, reduction: ReductionRecord | None
    ) -> Triage:
        """Reproduce what only the oracle can tell, and keep the answers it rests on."""
        summary = self._summary(judgement, script, reduction)
        if not self._oracle.subject.needs_oracle:
            return summary
        found = [self._shown(script) for _ in range(ablation.TIMES)]
        shown = [each for each in found if each is not None]
        if not shown:
            return summary
        asked = oracle_predicate.exchanges_of(shown[-1], self.solvers)
        oracle_predicate.write_replay(self.folder, self.record, asked)
        wrong = oracle_predicate.wrong_exchange(shown[-1], asked)
        return msgspec.structs.replace(
            summary,
            signature=fingerprint(script, judgement, self.lab, self.record.suspects).signature,
            posed=wrong.posed,
            output=(wrong.answer.stdout + wrong.answer.stderr).strip(),
            evidence=shown[-1].evidence,
            cold=Reproduced(len(shown), len(found)),
            readers=ablation.readers(self.lab, self.solvers, script),
            remarks=tuple(self.remarks),
            seconds=round(time.monotonic() - self.started, 1),
        )

    def _presumed_symptom(self, judgement: Judgement) -> tuple[Symptom | None, Solver | None]:
        """For a disagreement that stays undecided: as if the solvers that are not suspected were right."""
        said = {s.name: self._verdict(s, judgement.check) for s in self.solvers}
        for suspect in self.solvers:
            verdict = said[suspect.name]
            if suspect.name not in self.record.suspects or verdict is None:
                continue
            against = [v for v in said.values() if v is not None and v.contradicts(verdict)]
            if against:
                return Symptom(SymptomKind.WRONG_VERDICT, check=judgement.check, truth=against[0]), suspect
        return None, None

    def _verdict(self, solver: Solver, check: int) -> Verdict | None:
        verdicts = self.lab.ask(Request(solver.name, self.record.script, cold=True)).verdicts
        return verdicts[check] if check < len(verdicts) and verdicts[check].decided else None

    def _references(self, symptom: Symptom, suspect: Solver) -> list[Solver]:
        """Solvers that are right, other products first; one is enough if a model may show the truth."""
        right = [s for s in self.solvers if self._verdict(s, symptom.check) is symptom.truth]
        right.sort(key=lambda s: s.profile.product == suspect.profile.product)
        return right[: 1 if symptom.truth is Verdict.SAT else _MAX_REFERENCES]

    def _examine(
        self,
        judgement: Judgement,
        script: str,
        reduction: ReductionRecord | None,
        symptom: Symptom,
        suspect: Solver,
    ) -> Triage:
        """Examine options, random seeds, parsers and releases, as far as there is time."""
        least, options = ablation.minimal_options(self.lab, suspect, script, symptom)
        cold, answer = ablation.reproduced_cold(self.lab, least, script, symptom)
        summary = self._summary(judgement, script, reduction)
        self._write_replay(symptom, least, script, answer)
        known_by = self._fingerprint(judgement, least, script)
        found = self._bisected(symptom, least, script)
        return msgspec.structs.replace(
            summary,
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
            other_seeds=ablation.reproduced_with_seeds(self.lab, least, script, symptom),
            readers=ablation.readers(self.lab, self.solvers, script),
            bisection=found,
            remarks=tuple(self.remarks),
            seconds=round(time.monotonic() - self.started, 1),
        )

    def _write_replay(self, symptom: Symptom, suspect: Solver, script: str, answer: Answer) -> None:
        """Make `replay.sh` ask the suspect the reduced script."""
        posed = suspect.prepare(script, Want(symptom.want))
        result.write(self.folder, result.POSED, posed.text)
        seen, wanted = symptom.seen(answer)
        command = suspect.cold_program(posed).argv
        run = ReplayRun(
            suspect.name, suspect.version, command, result.POSED, symptom.observed, seen, wanted
        )  # fmt: skip
        text = replay_script(self.folder, finding_folder.original_runs(self.record), [run])
        atomic.write_file(self.folder / REPLAY, text, 0o755)

    def _bisected(self, symptom: Symptom, suspect: Solver, script: str) -> Bisection | None:
        kept = result.load(self.folder, result.BISECTION, Bisection)
        if kept is not None and kept.symptom == symptom:
            return kept
        product = suspect.profile.product
        is_known = suspect.release is not None and product in BY_PRODUCT
        if not self.job.bisects or not is_known or self.left <= 0:
            return None
        with ReleaseAnswers(
            product, script, symptom, self.limits, settings=suspect.settings, zoo=self.zoo
        ) as answers:
            found = bisect(answers, self.job.jobs)
        result.write(self.folder, result.BISECTION, found)
        return found

    def _fingerprint(self, judgement: Judgement, suspect: Solver, script: str) -> Fingerprint:
        """The fingerprint; the suspect that is reported, with the options it needs, stands for all."""
        named = replace(judgement, suspects=(suspect.name,))
        return fingerprint(script, named, self.lab, backtrace=self.lab.backtrace)

    def _summary(self, judgement: Judgement, script: str, reduction: ReductionRecord | None = None) -> Triage:
        named = (*judgement.suspects, *self.record.suspects)
        about = next(solver for solver in self.solvers if solver.name in named)
        return Triage(
            digest=self.record.digest,
            judgement=JudgementRecord.of(judgement),
            script=script,
            signature=self.record.signature,
            suspect=about.name,
            product=about.profile.product,
            release=about.version,
            origin=origin_of(about),
            build=build_identity(about),
            is_library=about.is_library,
            command=command_line(about),
            reduction=reduction,
            remarks=tuple(self.remarks),
            seconds=round(time.monotonic() - self.started, 1),
        )
