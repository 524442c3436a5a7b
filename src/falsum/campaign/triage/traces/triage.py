"""Triage of a finding in a library: its trace is judged, also as a script for other solvers.

Its trace was reduced during confirmation; what remains is to find who is wrong, and its fingerprint.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

import msgspec

from falsum.api.fuzzer import Fuzzer
from falsum.api.run_result import RunResult
from falsum.api.trace import Trace, read_trace
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.campaign.triage.ablation import TIMES, readers
from falsum.campaign.triage.bisection import bisect
from falsum.campaign.triage.result import (
    EvidenceRecord,
    JudgementRecord,
    OptionRecord,
    ReductionRecord,
    Reproduced,
    Triage,
)
from falsum.campaign.triage.traces.releases import TraceReleases, fuzzer_for
from falsum.defects.calls import defect_kind, finding_kind, target_of_run
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect, Evidence, Judgement
from falsum.defects.identity.fingerprint import Fingerprint
from falsum.defects.judge import judge
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.errors import FalsumError
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.messages import without_call_noise
from falsum.solvers.names import product_of
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve_received
from falsum.solvers.zoo import Origin, Zoo
from falsum.store.records import FindingRecord, TraceRecord
from falsum.trust import names_a_product

_JUDGE_SECONDS: Final = 10.0


def triage_trace(
    record: FindingRecord, trace: TraceRecord, limits: Limits, zoo: Zoo, *, bisects: bool = True
) -> Triage:
    """The judgement, how often the trace fails again, the options it needs, and the releases that show it."""
    start = time.monotonic()
    small = read_trace(trace.small)
    judgement = _judged(record, trace, small, limits, zoo)
    replays = _Replays(record, small)
    remarks: tuple[str, ...] = ()
    try:
        with fuzzer_for(resolve_received(trace.solver, zoo), limits, zoo) as fuzzer:
            replays.run(fuzzer)
    except FalsumError as error:  # its library is not here any more
        remarks = (f"not replayed: {error}",)
    bisection = None
    if bisects and replays.failure is not None and product_of(trace.solver) in BY_PRODUCT:
        releases = TraceReleases(product_of(trace.solver), small, replays.failure, limits, zoo)
        bisection = bisect(releases, 1)
    return Triage(
        digest=record.digest,
        judgement=judgement,
        script=trace.small,
        signature=_fingerprint(record, trace, judgement.defect, small).signature,
        suspect=trace.solver,
        product=product_of(trace.solver),
        release=trace.version,
        origin="" if names_a_product(trace.solver) else Origin.FILE,
        build=trace.build,
        is_library=True,
        command=("python3", "program.py") if trace.program else ("falsum", "replay", "small.trace"),
        target=None if replays.failure is None else target_of_run(replays.failure),
        reduction=ReductionRecord(
            len(trace.whole), len(trace.small), 0, 0.0, "", is_confirmed=True, flickers=False
        ),
        bisection=bisection,
        options=tuple(replays.options),
        cold=Reproduced(replays.reproduced, TIMES),
        readers=_readers(record, trace, limits, zoo),
        remarks=remarks,
        seconds=round(time.monotonic() - start, 1),
    )


class _Replays:
    """Replays of a small trace: as it is, and without each of its options.

    `failure` is the first one that is of the kind of the finding.
    """

    def __init__(self, record: FindingRecord, small: Trace) -> None:
        self._record = record
        self._small = small
        self.failure: RunResult | None = None
        self.reproduced = 0
        self.options: list[OptionRecord] = []

    def run(self, fuzzer: Fuzzer) -> None:
        for _ in range(TIMES):
            result = fuzzer.replay(self._small)
            if result.is_wrong and finding_kind(result) == self._record.kind:
                self.failure = self.failure or result
                self.reproduced += result.is_same_failure(self.failure)
        if self.failure is None:
            return
        for place, step in enumerate(self._small.steps):
            if step.line.word == "set-option":
                steps = (*self._small.steps[:place], *self._small.steps[place + 1 :])
                fewer = fuzzer.replay(Trace(steps, self._small.header), like=self.failure)
                without = " ".join((*fewer.verdicts, str(fewer.status)))
                is_needed = not fewer.is_same_failure(self.failure)
                self.options.append(OptionRecord("=".join(step.line.args), is_needed, without))


def _readers(record: FindingRecord, trace: TraceRecord, limits: Limits, zoo: Zoo) -> tuple[str, ...]:
    """The products that accept the finding's script, if it has one."""
    if not record.script:
        return ()
    others = [
        each for each in _solvers(trace.solver, zoo) if each.profile.product != product_of(trace.solver)
    ]
    with LiveLab(others, limits) as lab:
        return readers(lab, others, record.script)


def _judged(
    record: FindingRecord, trace: TraceRecord, small: Trace, limits: Limits, zoo: Zoo
) -> JudgementRecord:
    """The judgement by the kind of the finding; for a contradiction the judge says who is wrong."""
    evidence = EvidenceRecord(record.kind, record.evidence)
    kind = defect_kind(record.kind)
    # Which of two contradicting verdicts is wrong is for the judge.
    is_open = kind is None or kind.name == WRONG_VERDICT.name
    defect = str(Defect.UNDECIDED) if kind is None or is_open else kind.name
    try:
        judgement = _judged_as_script(record, trace, small, limits, zoo)
    except FalsumError as error:  # the finding is reported all the same
        failed = EvidenceRecord("judge", f"The judge could not ask the solvers: {error}", "")
        return JudgementRecord(defect, record.suspects, None, (evidence, failed))
    if judgement is None:
        return JudgementRecord(defect, record.suspects, None, (evidence,))
    judgement_record = JudgementRecord.of(judgement)
    return msgspec.structs.replace(judgement_record, evidence=(*judgement_record.evidence, evidence))


def _judged_as_script(
    record: FindingRecord, trace: TraceRecord, small: Trace, limits: Limits, zoo: Zoo
) -> Judgement | None:
    """The judgement on a contradiction; None if there is none, it has no script, or it is undecided.

    A library may answer calls differently from the same script: then the other solvers' answers, and its own
    to the script, are evidence against it.
    """
    kind = defect_kind(record.kind)
    if kind is None or kind.name != WRONG_VERDICT.name or not record.script:
        return None
    library = trace.solver
    solvers = _solvers(library, zoo)
    names = [solver.name for solver in solvers]
    with LiveLab(solvers, limits) as lab:
        judgement = judge(record.script, (), names, lab, about=WRONG_VERDICT, seconds=_JUDGE_SECONDS)
        if judgement.suspects:
            return judgement if library in judgement.suspects else None
        last = {name: lab.ask(Request(name, record.script, cold=True)).verdict for name in names}
    return _contradicted(
        library,
        _last_verdict(small),
        {name: verdict for name, verdict in last.items() if verdict is not None},
    )


def _solvers(library: str, zoo: Zoo) -> list[Solver]:
    """The product itself as a program, and the solvers that come with falsum."""
    solvers = []
    for name in dict.fromkeys((library, *DEFAULT_SOLVERS)):
        try:
            solver = resolve_received(name, zoo)
            solver.cold_program(solver.prepare(""))
        except FalsumError:  # a library that takes calls only, or a product that is not installed
            continue
        solvers.append(solver)
    return solvers


def _last_verdict(trace: Trace) -> str:
    return next((step.reply.text for step in reversed(trace.steps) if step.line.word == "check"), "")


def _contradicted(library: str, word: str, answers: dict[str, Verdict]) -> Judgement | None:
    """A judgement if all deciding solvers say the opposite, and one of them is another product."""
    verdicts = {name: verdict for name, verdict in answers.items() if verdict.decided}
    others = [name for name in verdicts if product_of(name) != product_of(library)]
    if word not in ("sat", "unsat") or not others or len(set(verdicts.values())) > 1:
        return None
    truth = verdicts[others[0]]
    if truth == word:
        return None
    text = f"{', '.join(verdicts)} say {truth} to the same assertions as a script, {library} {word} to calls."
    return Judgement(WRONG_VERDICTS[truth], (library,), truth, (Evidence("script", text),))


def _fingerprint(record: FindingRecord, trace: TraceRecord, defect: str, small: Trace) -> Fingerprint:
    """The fingerprint: crashes are told apart by their messages, everything else by the contents of the
    trace.
    """
    operators = Counter(
        line.args[0].partition("[")[0].partition("@")[0]
        for line in small.lines
        if line.word in ("term", "extra")
    )
    theories = {OPERATORS[name].theory for name in operators if name in OPERATORS}
    options = tuple(sorted(line.args[0] for line in small.lines if line.word == "set-option"))
    is_crash = defect == Defect.CRASH
    place = without_call_noise(record.evidence).replace("|", "/") if is_crash else record.kind
    counts = tuple(sorted(operators.items()))
    return Fingerprint(str(defect), product_of(trace.solver), place, tuple(sorted(theories)), counts, options)
