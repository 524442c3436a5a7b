"""Leak histories: the scripts that a process must run first to answer differently from a fresh one.

A history is the texts run by one process, one after the other, with the script of the finding last.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from falsum.campaign.triage import result
from falsum.ddmin import ddmin
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.kinds.state_leak import differ
from falsum.defects.model_check import falsified
from falsum.errors import FalsumError
from falsum.reducer import Budget, StopReason, reduce
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.hosts.host import Host
from falsum.solvers.limits import Limits
from falsum.solvers.messages import alike, crash_place
from falsum.solvers.output import read
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner
from falsum.store import atomic, finding_folder, replay_script
from falsum.store.records import FindingRecord, answer_of

_ASKED: Final = "asked.txt"
_NO_ANSWER: Final = Answer((), Ending(EndingKind.TIMED_OUT))
_WRONG_MODEL: Final = "its model satisfies everything only when cold"


def history_of_process(history: Sequence[str], script: str, solver: Solver) -> tuple[str, ...]:
    """The texts run by one process up to a script. Scripts with settings that would persist run in
    processes of their own, so they are left out.
    """
    last = max((place for place, text in enumerate(history) if text == script), default=len(history) - 1)
    mine = _process(solver, history[last]) if history else None
    return tuple(text for text in history[: last + 1] if _process(solver, text) == mine)


def _process(solver: Solver, text: str) -> object:
    question = solver.prepare(text)
    return solver.warm_program(question), question.persistent_settings


def difference_of(warm: Answer, cold: Answer, script: str) -> str:
    """How a warm answer differs from a cold one, in words that are equal for one leak; "" if it does not."""
    if differ(warm, cold):
        if warm.crashed or cold.crashed:
            return f"{warm.ending.kind} {warm.ending.cause} when warm, {cold.ending.kind} when cold"
        pairs = zip(warm.verdicts, cold.verdicts, strict=False)
        return next(f"{one} when warm, {other} when cold" for one, other in pairs if one.contradicts(other))
    if warm.model is None or cold.model is None or cold.crashed:
        return ""
    try:
        flats = list(at_each_check(read_script(script)))
    except FalsumError:
        return ""
    wrong = bool(flats) and falsified(flats[-1], warm.model) is not None
    return _WRONG_MODEL if wrong and falsified(flats[-1], cold.model) is None else ""


def recorded_answers(record: FindingRecord, solver: str) -> tuple[Answer, Answer]:
    """The warm crash and the last cold answer recorded in a finding; time-outs in place of missing ones."""
    warm = cold = _NO_ANSWER
    for exchange in record.exchanges:
        if exchange.solver == solver:
            answer = answer_of(exchange)
            if exchange.cold:
                cold = answer
            elif answer.crashed and not warm.crashed:
                warm = answer
    return warm, cold


def judgement(record: FindingRecord, solver: str, warm: Answer, cold: Answer) -> Judgement:
    """The judgement: a crash that needs a history is a crash; anything else is a state leak."""
    if not warm.crashed:
        return Judgement(Defect.STATE_LEAK, record.suspects, None, (Evidence(record.kind, record.evidence),))
    alone = " ".join(cold.words) if cold.finished and not cold.is_silent else str(cold.ending)
    text = (
        f"{solver} {warm.ending}, in a process that had answered other scripts before. A fresh process that "
        f"is given the last script alone does not crash ({alone}), so the crash depends on state that the "
        "earlier scripts left behind."
    )
    return Judgement(Defect.CRASH, (solver,), None, (Evidence("history", text, warm.ending.message),))


def place_of(warm: Answer, difference: str) -> str:
    """What identifies a leak besides the scripts: the message of a crash, or how the answers differ."""
    return f"{crash_place(warm)} after other scripts" if warm.crashed else difference


class HistoryReplay:
    """Runs a whole history in a new process each time; cold answers are cached."""

    def __init__(self, solver: Solver, limits: Limits) -> None:
        self.solver = solver
        self.limits = limits
        self._runner = ProcessRunner()
        self._secret = f"falsum-{secrets.token_hex(6)}"
        self._cold: dict[str, Answer] = {}

    def answers(self, history: Sequence[str]) -> tuple[Answer, Answer]:
        """The answers to the last script: of a process that has run all others, and of a fresh one."""
        return self._after(history), self._alone(history[-1])

    def _after(self, history: Sequence[str]) -> Answer:
        questions = [self.solver.prepare(text) for text in history]
        program = self.solver.warm_program(questions[-1])
        if program is None:
            return self._alone(history[-1])
        host = Host(self._runner, program, self.limits, library=self.solver.is_library)
        try:
            for question in questions[:-1]:
                host.ask(question.text)
                if not host.alive:
                    return _NO_ANSWER
            last = questions[-1]
            return read(self.solver.profile, host.ask(last.marked(self._secret)), self._secret, last)
        finally:
            host.close()

    def crashes_in_one_script(self, history: Sequence[str], crash: Answer) -> bool:
        """Whether a fresh process crashes in the same way on one file with all scripts, separated by
        `(reset)`.
        """
        if self.solver.is_library:
            return False
        question = self.solver.prepare(history[-1])
        text = joined([self.solver.prepare(script).text for script in history])
        result = self._runner.run(
            self.solver.cold_program(question), self.limits, text.encode(errors="replace")
        )
        answer = read(self.solver.profile, result)
        return answer.crashed and alike(answer.ending.message, crash.ending.message)

    def _alone(self, script: str) -> Answer:
        if script not in self._cold:
            question = self.solver.prepare(script)
            text = question.marked(self._secret).encode(errors="replace")
            result = self._runner.run(self.solver.cold_program(question), self.limits, text)
            self._cold[script] = read(self.solver.profile, result, self._secret, question)
        return self._cold[script]

    def close(self) -> None:
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def difference(self, history: Sequence[str]) -> str:
        """How the answers to the last script differ; "" if they do not."""
        return difference_of(*self.answers(history), history[-1])


def minimal_history(history: Sequence[str], replay: HistoryReplay, seconds: float) -> tuple[str, ...]:
    """The shortest history with the same difference that is found in the given time, its scripts reduced.

    Empty if the whole history shows no difference: then an earlier script mattered, or it was chance.
    """
    until = time.monotonic() + seconds
    difference = replay.difference(history)
    if not difference:
        return ()
    steps = _needed(history, difference, replay, until)
    for place in reversed(range(len(steps))):
        seconds_left = until - time.monotonic()
        if seconds_left > 0:
            steps[place] = _small(steps, place, difference, replay, seconds_left / (place + 1))
    return tuple(steps)


def _needed(history: Sequence[str], difference: str, replay: HistoryReplay, until: float) -> list[str]:
    """The necessary scripts of a history; the last one always is."""
    remaining = dict(enumerate(history))

    def attempt(places: Sequence[int], _ahead: Iterator[Sequence[int]]) -> bool:
        fewer = [text for place, text in remaining.items() if place not in places]
        if time.monotonic() > until or replay.difference(fewer) != difference:
            return False
        for place in places:
            del remaining[place]
        return True

    ddmin(range(len(history) - 1), attempt, lambda _place, _good: None)
    return list(remaining.values())


def _small(history: list[str], place: int, difference: str, replay: HistoryReplay, seconds: float) -> str:
    """One script of a history, reduced; unchanged if falsum cannot read it."""

    def holds(text: str) -> bool:
        return replay.difference([*history[:place], text, *history[place + 1 :]]) == difference

    try:
        result = reduce(read_script(history[place]), holds, budget=Budget(seconds=seconds), confirm=holds)
    except FalsumError:
        return history[place]
    if result.stop is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return result.text if result.is_confirmed else history[place]


def joined(history: Sequence[str]) -> str:
    """A history as one script, for solvers that support `(reset)`."""
    return "(reset)\n".join(text.strip() + "\n" for text in history)


def history_of(folder: Path) -> tuple[str, ...]:
    """The history in the folder of a finding, minimised if it is triaged."""
    triage = result.read(folder)
    return triage.history if triage is not None and triage.history else finding_folder.read(folder).history


def write(folder: Path, solver: Solver, history: Sequence[str], difference: str) -> None:
    """Write a history to the folder of a finding, and a `replay.sh` that needs only the solver."""
    (folder / result.LEAK).mkdir(exist_ok=True)
    for number, text in enumerate(history, 1):
        result.write(folder, f"{result.LEAK}/{number:02}.smt2", text)
    question = solver.prepare(history[-1])
    warm = solver.warm_program(question)
    if warm is None:  # this solver is never asked warm
        return
    result.write(
        folder,
        f"{result.LEAK}/{_ASKED}",
        _requests([solver.prepare(text).text for text in history], library=solver.is_library),
    )
    last = f"{result.LEAK}/{len(history):02}.smt2"
    program, *arguments = (replay_script.copied(folder, word) for word in warm.argv)
    _program, *alone = (replay_script.copied(folder, word) for word in solver.cold_program(question).argv)
    text = replay_script.history_replay_script(
        f"{solver.name} {solver.version}, {len(history)} scripts: {difference}",
        program,
        arguments,
        f"{result.LEAK}/{_ASKED}",
        (*alone, last),
        is_visible=difference != _WRONG_MODEL,
    )
    atomic.write_file(folder / replay_script.NAME, text, 0o755)


def _requests(history: Sequence[str], *, library: bool) -> str:
    """The standard input of a warm process: see `hosts`."""
    requests = []
    for number, text in enumerate(history, 1):
        mark = f"== script {number} is answered"
        if library:
            requests.append(f"{len(text.encode(errors='surrogateescape'))} {mark}\n{text}")
        else:
            requests.append(f'(reset)\n{text}\n(echo "{mark}")\n')
    return "".join(requests)
