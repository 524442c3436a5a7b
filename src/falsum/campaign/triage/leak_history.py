"""Leaks: what a process must have been asked before, so that it answers a script otherwise than a fresh one.

A history is the texts one process was asked, one after the other, the script of the finding last.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Self

from falsum.campaign.triage import result as triaged
from falsum.ddmin import ddmin
from falsum.errors import FalsumError
from falsum.oracles.leak import differ
from falsum.oracles.model_check import falsified
from falsum.reducer import Budget, StopReason, reduce
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.hosts.host import Host
from falsum.solvers.limits import Limits
from falsum.solvers.output import read
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner
from falsum.store import atomic, finding_folder

_ASKED: Final = "asked.txt"
_REPLAY_SECONDS: Final = 60
_GONE: Final = Answer((), Ending(EndingKind.TIMED_OUT))
_WRONG_MODEL: Final = "its model satisfies everything only when cold"


def of_process(history: Sequence[str], script: str, solver: Solver) -> tuple[str, ...]:
    """What the process that was asked a script had been asked: nothing that came after it, and nothing that
    another process of the solver answers, for settings that would stay.
    """
    last = max((place for place, text in enumerate(history) if text == script), default=len(history) - 1)
    mine = _process(solver, history[last]) if history else None
    return tuple(text for text in history[: last + 1] if _process(solver, text) == mine)


def _process(solver: Solver, text: str) -> object:
    question = solver.prepare(text)
    return solver.warm_program(question), question.persistent_settings


def difference(warm: Answer, cold: Answer, script: str) -> str:
    """How a process that stays differs from a fresh one, in words that are the same for one leak; or ""."""
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


class Player:
    """Asks a new process a whole history each time; what fresh ones say is remembered."""

    def __init__(self, solver: Solver, limits: Limits) -> None:
        self.solver = solver
        self.limits = limits
        self._runner = ProcessRunner()
        self._cold: dict[str, Answer] = {}

    def answers(self, history: Sequence[str]) -> tuple[Answer, Answer]:
        """What a process says to the last script after all others, and what a fresh one says."""
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
                    return _GONE
            return read(self.solver.profile, host.ask(questions[-1].text))
        finally:
            host.close()

    def _alone(self, script: str) -> Answer:
        if script not in self._cold:
            question = self.solver.prepare(script)
            text = question.text.encode(errors="replace")
            result = self._runner.run(self.solver.cold_program(question), self.limits, text)
            self._cold[script] = read(self.solver.profile, result)
        return self._cold[script]

    def close(self) -> None:
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def shown(self, history: Sequence[str]) -> str:
        """The difference, or "" if there is none."""
        return difference(*self.answers(history), history[-1])


def minimal(history: Sequence[str], player: Player, seconds: float) -> tuple[str, ...]:
    """The shortest history found in the time given that shows the same, its scripts made small as well.

    Empty if the whole of it shows nothing: then what matters was asked earlier, or by chance.
    """
    until = time.monotonic() + seconds
    wanted = player.shown(history)
    if not wanted:
        return ()
    needed = _needed(history, wanted, player, until)
    for place in reversed(range(len(needed))):
        left = until - time.monotonic()
        if left > 0:
            needed[place] = _small(needed, place, wanted, player, left / (place + 1))
    return tuple(needed)


def _needed(history: Sequence[str], wanted: str, player: Player, until: float) -> list[str]:
    """What is left of a history when all is left out that can be; the script itself stays."""
    kept = dict(enumerate(history))

    def attempt(places: Sequence[int], _ahead: Iterator[Sequence[int]]) -> bool:
        fewer = [text for place, text in kept.items() if place not in places]
        if time.monotonic() > until or player.shown(fewer) != wanted:
            return False
        for place in places:
            del kept[place]
        return True

    ddmin(range(len(history) - 1), attempt, lambda _place, _good: None)
    return list(kept.values())


def _small(history: list[str], place: int, wanted: str, player: Player, seconds: float) -> str:
    """One script of a history made small; as it was if we cannot read it."""

    def holds(text: str) -> bool:
        return player.shown([*history[:place], text, *history[place + 1 :]]) == wanted

    try:
        result = reduce(read_script(history[place]), holds, budget=Budget(seconds=seconds), confirm=holds)
    except FalsumError:
        return history[place]
    if result.stop is StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return result.text if result.is_confirmed else history[place]


def as_one(history: Sequence[str]) -> str:
    """A history as one script for a process that knows `(reset)`."""
    return "(reset)\n".join(text.strip() + "\n" for text in history)


def history_of(home: Path) -> tuple[str, ...]:
    """The history in the folder of a finding: what triage left of it, or all of it."""
    made = triaged.read(home)
    return made.history if made is not None and made.history else finding_folder.read(home).history


def keep(home: Path, solver: Solver, history: Sequence[str], shown: str) -> None:
    """A history in the folder of a finding, and a `replay.sh` that needs only the solver."""
    (home / triaged.LEAK).mkdir(exist_ok=True)
    for number, text in enumerate(history, 1):
        triaged.keep(home, f"{triaged.LEAK}/{number:02}.smt2", text)
    question = solver.prepare(history[-1])
    staying = solver.warm_program(question)
    if staying is None:  # it has never been asked warm
        return
    triaged.keep(
        home,
        f"{triaged.LEAK}/{_ASKED}",
        _requests([solver.prepare(text).text for text in history], library=solver.is_library),
    )
    last = f"{triaged.LEAK}/{len(history):02}.smt2"
    program, *arguments = (finding_folder.brought(home, word) for word in staying.argv)
    _program, *alone = (finding_folder.brought(home, word) for word in solver.cold_program(question).argv)
    lines = [
        "#!/bin/sh",
        f"# Asks one process of {solver.name} {solver.version} the scripts in {triaged.LEAK}/ in turn, then",
        "# a fresh one the last of them. Needs only the solver; say where it is with SOLVER.",
        'cd "$(dirname "$0")" || exit 3',
        f': "${{SOLVER:={program}}}"',
        f"echo {shlex.quote(f'== {shown}')}",
        f"echo '== one process, {len(history)} scripts'",
        f'timeout {_REPLAY_SECONDS} "$SOLVER" {shlex.join(arguments)} < {triaged.LEAK}/{_ASKED}',
        "echo '== a fresh process, the last script alone'",
        f'timeout {_REPLAY_SECONDS} "$SOLVER" {shlex.join((*alone, last))}',
    ]
    atomic.write_file(home / "replay.sh", "\n".join(lines) + "\n", 0o755)


def _requests(history: Sequence[str], *, library: bool) -> str:
    """What goes to the standard input of a process that stays: see `hosts`."""
    made = []
    for number, text in enumerate(history, 1):
        mark = f"== script {number} is answered"
        if library:
            made.append(f"{len(text.encode(errors='surrogateescape'))} {mark}\n{text}")
        else:
            made.append(f'(reset)\n{text}\n(echo "{mark}")\n')
    return "".join(made)
