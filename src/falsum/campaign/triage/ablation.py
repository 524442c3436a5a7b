"""Ablation: which options of the solver and of the script a defect needs; each is left out in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from falsum.campaign.triage.result import OptionRecord, Reproduced
from falsum.defects.case import Case
from falsum.defects.kind import Sight
from falsum.defects.recheck import case_of_text, shows
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import FalsumError
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import SetOption
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver

TIMES: Final = 3
_SEEDS: Final = (1, 7, 42)


@dataclass(frozen=True, slots=True)
class Ablation:
    """Looks for the target in variants of a case and of a solver; `references` are the solvers compared
    with.
    """

    lab: LiveLab
    target: Target
    case: Case
    references: tuple[str, ...] = field(default=())

    def minimal_options(self, solver: Solver) -> tuple[Solver, tuple[OptionRecord, ...]]:
        """The solver with only the necessary settings, and the answer without each option.

        Settings are left out one by one, the last first; those that stay are tried again at the end.
        """
        records: list[OptionRecord] = []
        settings = list(solver.settings)
        for setting in reversed(solver.settings):
            fewer = tuple(one for one in settings if one != setting)
            sight = self.sight(solver.with_settings(fewer))
            if sight.standing is Standing.BAD:
                settings.remove(setting)
                records.append(OptionRecord("=".join(setting), is_needed=False, without=sight.text))
        least = solver.with_settings(tuple(settings))
        for setting in settings:
            fewer = tuple(one for one in settings if one != setting)
            sight = self.sight(solver.with_settings(fewer))
            records.append(OptionRecord("=".join(setting), is_needed=True, without=sight.text))
        return least, (*records, *self._options_of_script(least))

    def reproduced_cold(self, solver: Solver) -> tuple[Reproduced, Sight]:
        """How often the target shows in fresh processes, and the last answer that showed it."""
        sights = [self.sight(solver) for _ in range(TIMES)]
        bad = [sight for sight in sights if sight.standing is Standing.BAD]
        return Reproduced(len(bad), TIMES), bad[-1] if bad else sights[-1]

    def reproduced_with_seeds(self, solver: Solver) -> Reproduced:
        """How often the target shows with other random seeds; no attempts if the product has no random
        seed.
        """
        if not solver.profile.seed_options:
            return Reproduced(0, 0)
        sights = [self.sight(solver.seeded(number)) for number in _SEEDS]
        return Reproduced(sum(sight.standing is Standing.BAD for sight in sights), len(_SEEDS))

    def sight(self, solver: Solver, text: str = "") -> Sight:
        """Whether a solver shows the target, in the case or in a variant of its script."""
        self.lab.add(solver)
        others = tuple(name for name in self.references if name != solver.name)
        lab = ColdLab(SubsetLab(self.lab, (solver.name, *others)))
        if not text:
            return shows(self.target, self.case, solver.name, lab)
        return shows(self.target.on(text), case_of_text(self.case, text), solver.name, lab)

    def _options_of_script(self, solver: Solver) -> list[OptionRecord]:
        try:
            commands = read_script(self.case.text).commands
        except FalsumError:
            return []
        records = []
        for place, command in enumerate(commands):
            if isinstance(command, SetOption):
                fewer = print_script(Script((*commands[:place], *commands[place + 1 :])))
                sight = self.sight(solver, fewer)
                is_needed = sight.standing is not Standing.BAD
                records.append(OptionRecord(print_command(command).strip(), is_needed, sight.text))
        return records


def readers(lab: LiveLab, solvers: Sequence[Solver], script: str) -> tuple[str, ...]:
    """The products that accept a script: they read all of it and do not crash."""
    accepting: dict[str, None] = {}
    for solver in solvers:
        if solver.profile.product not in accepting:
            answer = lab.ask(Request(solver.name, script, cold=True))
            if answer.ending.kind not in {EndingKind.REJECTED, EndingKind.CRASHED}:
                accepting[solver.profile.product] = None
    return tuple(accepting)
