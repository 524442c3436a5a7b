"""Ablation: which options of the solver and of the script a symptom needs; each is left out once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from falsum.campaign.triage.release_answers import answer_text
from falsum.campaign.triage.result import OptionRecord, Reproduced
from falsum.campaign.triage.symptom import Standing, Symptom
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import SetOption
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver

TIMES: Final = 3
_SEEDS: Final = (1, 7, 42)


def minimal_options(
    lab: LiveLab, solver: Solver, script: str, symptom: Symptom
) -> tuple[Solver, tuple[OptionRecord, ...]]:
    """The solver with only the settings that are needed, and the answer without each option.

    Settings are left out one by one, the last first; those that stay are tried again at the end.
    """
    records: list[OptionRecord] = []
    settings = list(solver.settings)
    for setting in reversed(solver.settings):
        fewer = tuple(one for one in settings if one != setting)
        answer = _ask(lab, solver.with_settings(fewer), script, symptom)
        if symptom.standing(answer, script) is Standing.BAD:
            settings.remove(setting)
            records.append(OptionRecord("=".join(setting), is_needed=False, without=answer_text(answer)))
    least = solver.with_settings(tuple(settings))
    for setting in settings:
        fewer = tuple(one for one in settings if one != setting)
        answer = _ask(lab, solver.with_settings(fewer), script, symptom)
        records.append(OptionRecord("=".join(setting), is_needed=True, without=answer_text(answer)))
    records += _of_script(lab, least, script, symptom)
    return least, tuple(records)


def _of_script(lab: LiveLab, solver: Solver, script: str, symptom: Symptom) -> list[OptionRecord]:
    try:
        commands = read_script(script).commands
    except FalsumError:
        return []
    records = []
    for place, command in enumerate(commands):
        if isinstance(command, SetOption):
            fewer = print_script(Script((*commands[:place], *commands[place + 1 :])))
            answer = _ask(lab, solver, fewer, symptom)
            needed = symptom.standing(answer, fewer) is not Standing.BAD
            records.append(OptionRecord(print_command(command).strip(), needed, answer_text(answer)))
    return records


def reproduced_cold(lab: LiveLab, solver: Solver, script: str, symptom: Symptom) -> tuple[Reproduced, Answer]:
    """How often the symptom shows in fresh processes, and the last answer."""
    answers = [_ask(lab, solver, script, symptom) for _ in range(TIMES)]
    times = sum(symptom.standing(answer, script) is Standing.BAD for answer in answers)
    return Reproduced(times, TIMES), answers[-1]


def reproduced_with_seeds(lab: LiveLab, solver: Solver, script: str, symptom: Symptom) -> Reproduced:
    """How often the symptom shows with other random seeds; no attempts if the product has none."""
    if not solver.profile.seed_options:
        return Reproduced(0, 0)
    times = sum(
        symptom.standing(_ask(lab, solver.seeded(n), script, symptom), script) is Standing.BAD for n in _SEEDS
    )
    return Reproduced(times, len(_SEEDS))


def readers(lab: LiveLab, solvers: Sequence[Solver], script: str) -> tuple[str, ...]:
    """The products that accept a script, whatever they answer."""
    accepting: dict[str, None] = {}
    for solver in solvers:
        if solver.profile.product not in accepting:
            answer = lab.ask(Request(solver.name, script, cold=True))
            if answer.ending.kind is not EndingKind.REJECTED:
                accepting[solver.profile.product] = None
    return tuple(accepting)


def _ask(lab: LiveLab, solver: Solver, script: str, symptom: Symptom) -> Answer:
    lab.add(solver)
    return lab.ask(Request(solver.name, script, Want(symptom.want), cold=True, again=True))
