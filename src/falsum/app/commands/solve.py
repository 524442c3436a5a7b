"""`falsum solve`: runs several solvers on a script, compares their answers, and judges contradictions."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from falsum.app import exit_codes, options, script_files, status
from falsum.app.assessments import assess_answers, assess_optima, show_assessment, synthesise
from falsum.app.configuration import read_config
from falsum.app.terminal import echo, waiting
from falsum.defects import DefectKind, kind_of
from falsum.defects.evidence.assessment import evidence_for_verdict
from falsum.defects.evidence.evidence_session import EvidenceSession, open_sessions
from falsum.defects.evidence.judgement import BOUND, PROVEN
from falsum.defects.evidence.synthesis import asks_for_synthesis
from falsum.defects.judge import judge
from falsum.defects.kinds.wrong_core import WRONG_CORE
from falsum.errors import ScriptError, UsageError
from falsum.smtlib import Script, read_script
from falsum.smtlib.scripts import CheckSat, CheckSatAssuming
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.inputs.safe_script import missing_part
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import DeadlineLab
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

if TYPE_CHECKING:
    from falsum.defects.evidence.assessment import Assessment
    from falsum.defects.evidence.judgement import Evidence, Judgement
    from falsum.solvers.answer import Answer
    from falsum.solvers.limits import Limits

_SILENCE: Final = "no solver answers"
_RAW: Final = "falsum: the script was sent as it is; it may have printed these verdicts itself (--raw)"
# What becomes of solvers that took the script but did not get to an answer.
_TOOK_IT: Final = frozenset({EndingKind.TIMED_OUT, EndingKind.OUT_OF_MEMORY, EndingKind.CRASHED})
_NO_EVIDENCE = "falsum has only the solver's word. Other products may tell more: add --solver."


@click.command()
@click.argument("file", metavar="FILE")
@options.solver("Solver to run (default: those of the configuration)")
@options.timeout
@options.memory
@options.seconds("Time for judging the answers (default 60s).", "60s")
@click.option("--model", "want", flag_value=Want.MODEL, type=Want, help="Also ask for a model.")
@click.option("--core", "want", flag_value=Want.CORE, type=Want, help="Also ask for an unsat core.")
@click.option(
    "--raw", is_flag=True,
    help="Send the script as it is, not as falsum understands it; answers are compared but not judged.",
)  # fmt: skip
@options.config
@click.option(
    "--json", "as_json", is_flag=True, help="Write a JSON line per solver, then one with the result."
)
@options.input_limits
@options.trust
@options.fence
@options.build
@options.plugin
@click.pass_context
def command(
    context: click.Context,
    file: str,
    names: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    seconds: float,
    want: Want | None,
    config_file: Path | None,
    *,
    raw: bool,
    as_json: bool,
) -> None:
    """Run solvers on a script and judge their answers.

    Each solver runs in a fresh process. FILE may be - for standard input. If two solvers contradict each
    other, one crashes or prints a model that does not satisfy the script, the judge says which one is wrong
    and why. If nothing is wrong, it says for each check whether the verdict is known to be right, by a model
    that falsum evaluates, by evaluation, or by a proof. With --model or --core it also says of each model or
    core whether it is right: true, false, or cannot say and why; the same goes for the first optimum if the
    script minimises or maximises something.

    In a synthesis problem (SyGuS: synth-fun, constraint, check-synth), solvers with synthesis are asked for
    solutions, and all solvers are asked whether the solutions satisfy the constraints.

    Judging stops after --for; what is not judged by then is named, and held against no solver.

    A solver gets the commands that falsum understands, without options that name files. With --raw it gets
    the script as it is, which may then set any option, write where the fence allows it, and print verdicts.

    Exit code 1 if an answer is wrong, two solvers contradict each other, one crashes, or every solver that
    decides contradicts the status that the script gives, 2 if the script is wrong or has no check, 3 if no
    solver answers.
    """
    if Path(file).is_dir():
        raise UsageError(f"{file} is a directory; for all queries in it: falsum audit {file} --solver S")
    settings = read_config(config_file)
    script = script_files.read_text(file, lenient=True)
    unreadable = "" if raw else _unreadable(script, file)
    if raw and want:
        raise UsageError("--raw sends the script as it is, so --model and --core can add nothing to it")
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in dict.fromkeys(settings.solvers_with(names))]
    limits = settings.limits_with(timeout, memory)
    if not raw and not unreadable and asks_for_synthesis(problem := read_script(script)):
        context.exit(synthesise(file, problem, solvers, limits, as_json=as_json))
    with ThreadPoolExecutor(len(solvers)) as pool:
        pairs = pool.map(
            lambda solver: _ask(solver, script, limits, None if raw else want or Want.VERDICT), solvers
        )
        if unreadable:
            pairs = iter(_unless_refused(list(pairs), unreadable, file))
        elif not raw and _asks_nothing(read_script(script)):
            pairs = iter(_unless_none_crashes(list(pairs), file))
        answers: dict[str, Answer] = {}
        for solver, (answer, changes) in zip(solvers, pairs, strict=True):
            answers[solver.name] = answer
            _show(file, solver, answer, changes, as_json=as_json)
    if raw:
        echo(_RAW, err=True)
    is_open = not any(verdict.decided for answer in answers.values() for verdict in answer.verdicts)
    crashes = any(answer.crashed for answer in answers.values())
    if raw or unreadable or (is_open and not crashes):
        context.exit(_without_judge(file, answers, as_json=as_json))
    with LiveLab(solvers, limits) as lab:
        for name, answer in answers.items():
            lab.remember(Request(name, script, want or Want.VERDICT, cold=True), answer)
        limited = DeadlineLab(lab, time.monotonic() + seconds)
        sessions = open_sessions(script, lab.solvers, limited)
        with waiting("judging the answers"):
            assessed = [*assess_answers(sessions[-1], answers), *assess_optima(script, limited)]
            seconds_left = limited.until - time.monotonic()
            judgement = judge(script, (), lab.solvers, lab, about=_about(assessed), seconds=seconds_left)
        for name, what, assessment in assessed:
            show_assessment(file, name, what, assessment, as_json=as_json)
        is_found = _is_found(judgement, answers)
        if is_found or judgement.suspects:
            _show_judgement(file, judgement, as_json=as_json)
        remarks = [each.text for each in judgement.evidence if each.kind == BOUND]
        checks = []
        if not is_found:
            with waiting("looking for evidence"):
                checks = [_known(each, limited) for each in sessions]
            remarks += _out_of_time(checks)
        if limited.missed:
            remarks.append(f"{seconds:g} s were not enough to look at everything; --for gives more")
        if not is_found:
            _show_known(file, _agreement(answers), checks, remarks, as_json=as_json)
        for remark in remarks:
            echo(f"falsum: {remark}", err=True)
        refuted = status.refuted(read_script(script), answers)
        for each in refuted:
            echo(json.dumps({"file": file, **asdict(each)}) if as_json else str(each))
    wrong = bool(refuted) or any(each.holds is False for _name, _what, each in assessed)
    context.exit(exit_codes.FOUND if is_found or wrong else 0)


def _about(assessed: list[tuple[str, str, Assessment]]) -> DefectKind | None:
    """What the judge examines although the script does not ask for it: a wrong core."""
    wrong = any(what == "core" and assessment.holds is False for _name, what, assessment in assessed)
    return WRONG_CORE if wrong else None


def _is_found(judgement: Judgement, answers: dict[str, Answer]) -> bool:
    """Whether a judgement is a defect; being slower or less complete than an older release is none."""
    if _contradiction(answers) or any(answer.crashed for answer in answers.values()):
        return True
    kind = kind_of(judgement.defect)
    return bool(judgement.suspects) and kind is not None and not kind.is_minor


class _Known(NamedTuple):
    """The verdict at a check, and the evidence that it is right; `is_late` if the time was over before."""

    verdict: Verdict | None
    evidence: tuple[Evidence, ...]
    is_late: bool = False


def _known(session: EvidenceSession, limited: DeadlineLab) -> _Known:
    for verdict in (Verdict.SAT, Verdict.UNSAT):
        if session.answering(verdict):
            evidence = evidence_for_verdict(session, verdict)
            return _Known(verdict, evidence, not evidence and time.monotonic() > limited.until)
    return _Known(None, (), time.monotonic() > limited.until)


def _out_of_time(checks: Sequence[_Known]) -> list[str]:
    """The checks that the time did not suffice for; they are the last ones."""
    late = [number for number, known in enumerate(checks, start=1) if known.is_late]
    if not late:
        return []
    which = f"check {late[0]}" if len(late) == 1 else f"checks {late[0]} to {late[-1]}"
    return [f"The time was over before there was evidence for {which}."]


def _show_known(
    file: str,
    agreement: str,
    checks: Sequence[_Known],
    remarks: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Show what the solvers agree on, and for each check whether it is known to be right."""
    if as_json:
        fields = [
            {"check": number, "verdict": known.verdict, "evidence": [asdict(each) for each in known.evidence]}
            for number, known in enumerate(checks, start=1)
        ]
        echo(json.dumps({"file": file, "word": agreement, "checks": fields, "remarks": remarks}))
        return
    echo(agreement)
    for number, (verdict, evidence, is_late) in enumerate(checks, start=1):
        if verdict is None or is_late:
            continue
        which = f"check {number}: " if len(checks) > 1 else ""
        if not evidence:
            echo(f"{which}it is not known whether {verdict} is right: {_NO_EVIDENCE}")
        for each in evidence:
            echo(f"{which}{verdict} is {'right' if each.kind in PROVEN else 'confirmed'}. {each.text}")


def _agreement(answers: dict[str, Answer]) -> str:
    checks = zip_longest(*(answer.verdicts for answer in answers.values()))
    verdicts = [next((v for v in check if v is not None and v.decided), None) for check in checks]
    if any(verdicts):
        words = " ".join(verdict or Verdict.MISSING for verdict in verdicts)
        return f"all solvers that decide answer {words}"
    is_accepted = any(not answer.is_silent or answer.ending.kind in _TOOK_IT for answer in answers.values())
    return "no solver decides" if is_accepted else _SILENCE


def _unreadable(script: str, file: str) -> str:
    """Why falsum cannot read the script, or does not send all of it; "" if neither."""
    try:
        read_script(script, "<stdin>" if file == "-" else file)
    except ScriptError as error:
        return str(error)
    missing = missing_part(script)
    return f"{file}: solvers do not get all of it: {missing}" if missing else ""


def _asks_nothing(script: Script) -> bool:
    asks = any(isinstance(each, CheckSat | CheckSatAssuming) for each in script.commands)
    return not asks and not any("check" in each.text for each in script.not_understood)


def _unless_refused(
    answers: list[tuple[Answer, tuple[str, ...]]], unreadable: str, file: str
) -> list[tuple[Answer, tuple[str, ...]]]:
    """The answers to a script that falsum cannot read; raises an error if no solver accepts it either."""
    if not any(not answer.is_silent or answer.crashed for answer, _changes in answers):
        raise UsageError(f"{unreadable}\nno solver answers it either; correct it, then: falsum check {file}")
    echo(f"falsum: {unreadable}; so the answers are compared but not judged", err=True)
    return answers


def _unless_none_crashes(
    answers: list[tuple[Answer, tuple[str, ...]]], file: str
) -> list[tuple[Answer, tuple[str, ...]]]:
    """The answers to a script without a check; raises an error unless a solver crashes."""
    if not any(answer.crashed for answer, _changes in answers):
        raise UsageError(f"{file}: no (check-sat), so the solvers are asked nothing; add one at the end")
    return answers


def _without_judge(file: str, answers: dict[str, Answer], *, as_json: bool) -> int:
    """Compare the answers without judging them; return the exit code."""
    agreement = "the solvers contradict each other" if _contradiction(answers) else _agreement(answers)
    echo(json.dumps({"file": file, "word": agreement}) if as_json else agreement)
    if agreement == _SILENCE:
        echo(f"falsum: find out why: falsum solvers doctor {shlex.join(answers)}", err=True)
        return exit_codes.BROKEN_SURROUNDINGS
    is_found = _contradiction(answers) or any(answer.crashed for answer in answers.values())
    return exit_codes.FOUND if is_found else 0


def _show_judgement(file: str, judgement: Judgement, *, as_json: bool) -> None:
    """The defect and the suspects, then the evidence."""
    if as_json:
        line = {
            "file": file,
            "word": str(judgement.defect),
            "suspects": judgement.suspects,
            "truth": judgement.truth,
            "check": judgement.check + 1,
            "evidence": [asdict(each) for each in judgement.evidence],
        }
        echo(json.dumps(line))
        return
    whom = f": {', '.join(judgement.suspects)}" if judgement.suspects else ""
    truth = f" (check {judgement.check + 1} is {judgement.truth})" if judgement.truth else ""
    echo(f"{judgement.defect}{whom}{truth}")
    for each in judgement.evidence:
        echo(each.text)
        if each.details:
            echo(indent(each.details.rstrip(), "    "))


def _contradiction(answers: dict[str, Answer]) -> bool:
    """Whether at some check one solver says sat and another unsat."""
    rows = zip_longest(*(answer.verdicts for answer in answers.values()))
    return any({Verdict.SAT, Verdict.UNSAT} <= set(row) for row in rows)


def _ask(solver: Solver, script: str, limits: Limits, want: Want | None) -> tuple[Answer, tuple[str, ...]]:
    """The answer, and how the script that was sent differs; if nothing is wanted, the script is sent
    unchanged.
    """
    with LiveLab([solver], limits) as lab:
        if want is None:
            return lab.ask_raw(solver.name, script), ("sent as it is",)
        answer = lab.ask(Request(solver.name, script, want, cold=True))
    return answer, solver.prepare(script, want).changes


def _show(file: str, solver: Solver, answer: Answer, changes: tuple[str, ...], *, as_json: bool) -> None:
    if as_json:
        line = {"file": file, "solver": solver.name, "version": solver.version, **answer.plain()}
        echo(json.dumps(line | {"changes": changes}))
        return
    words = " ".join(answer.words) or "no answer"
    ending = "" if answer.finished else f"  {answer.ending}"
    echo(f"{solver.name}  {words}  {answer.seconds:.2f} s{ending}")
    for change in changes:
        echo(f"{solver.name}: {change}", err=True)
    for text in (answer.model, answer.core):
        if text is not None:
            echo(text)
