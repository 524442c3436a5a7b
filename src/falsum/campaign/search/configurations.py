"""Configurations: other engines, modes and options of the solvers of a campaign, compared with the solvers.

A configuration is a solver's name with settings: `z3:script=push`, `cvc5:nl-cov=true`. If options are drawn
for each batch, it is the solver's name and `options`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final

from falsum.smtlib.text.script_modes import MODES
from falsum.solvers.options import DrawRules, Option, Setting, draw
from falsum.solvers.solver import MODE, Solver
from falsum.solvers.supervision.process import ProcessRunner

# Which options are drawn: none, those whose use developers accept reports about, or any that are not unsafe.
OFF: Final = "off"
SAFE: Final = "safe"
ALL: Final = "all"
_CATEGORIES: Final = frozenset({"common", "regular", "expert"})
_MOST: Final = 3
_DRAWN: Final = " options"
_SEED: Final = 42
_DECIDED: Final = frozenset({"sat", "unsat"})
# A configuration or an option that has been asked in so many batches and decided nothing is given up.
_MAX_SILENT: Final = 3


class Configurations:
    """The configurations of a campaign's solvers, with other engines, options or both."""

    def __init__(self, solvers: Sequence[Solver], *, engines: bool, options: str = OFF) -> None:
        self._solvers = {solver.name: solver for solver in solvers if not solver.command}
        self._options: dict[str, tuple[Option, ...]] = {}
        self._level = options
        # By configuration, and by option as `name=value`: batches in a row without a verdict.
        self._silent: Counter[str] = Counter()
        self.names: list[str] = []
        if engines or options != OFF:
            with ProcessRunner() as runner:
                self._options = {name: one.options(runner) for name, one in self._solvers.items()}
        for solver in self._solvers.values():
            names = {option.name for option in self._options.get(solver.name, ())}
            if engines:
                self.names += [_with(solver, settings) for settings in _engines(solver, names)]
            if options != OFF and names and solver.profile.draw_rules is not None:
                self.names.append(f"{solver.name}{_DRAWN}")

    def variants(self, configuration: str, rng: str) -> dict[str, str]:
        """The names of the additional solvers of a batch, each with the one it is compared with."""
        if not configuration:
            return {}
        if not configuration.endswith(_DRAWN):
            return {configuration: self._base(configuration)}
        solver = self._solvers[configuration.removesuffix(_DRAWN)]
        settings = self._drawn(solver, Random(f"{rng}:options"))
        return {_with(solver, settings): solver.name} if settings else {}

    def refused(self, answers: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
        """Learn from the answers of variants; return the configurations that only reject."""
        for variant, words in answers.items():
            decides = any(word in _DECIDED for word in words)
            for key in self._keys(variant):
                self._silent[key] = 0 if decides else self._silent[key] + 1
                if key in self.names and self._silent[key] >= _MAX_SILENT:
                    yield key

    def _keys(self, variant: str) -> list[str]:
        """The settings that are at fault if a variant answers nothing."""
        return [variant, *variant.removeprefix(self._base(variant)).strip(":,").split(",")]

    def _base(self, variant: str) -> str:
        fitting = [name for name in self._solvers if variant.startswith((f"{name}:", f"{name},"))]
        return max(fitting, key=len, default=variant)

    def _drawn(self, solver: Solver, rng: Random) -> tuple[Setting, ...]:
        """Options that differ from the defaults, without rejected ones."""
        rules = solver.profile.draw_rules
        assert rules is not None
        if self._level == ALL:
            rules = DrawRules(_MOST, rules.never, _CATEGORIES)
        names = {name for name, _value in solver.settings}
        drawable = tuple(option for option in self._options[solver.name] if option.name not in names)
        settings = draw(drawable, rules, rng)
        return tuple(one for one in settings if self._silent["=".join(one)] < _MAX_SILENT)


def _with(solver: Solver, settings: tuple[Setting, ...]) -> str:
    return solver.with_settings((*solver.settings, *settings)).name


def _engines(solver: Solver, names: set[str]) -> list[tuple[Setting, ...]]:
    """The engines: modes, engines of the profile that the release supports, and another random seed."""
    distinct: list[tuple[Setting, ...]] = []
    if solver.profile.echoes:
        distinct += [((MODE, mode),) for mode in MODES]
    engines = solver.profile.engines
    distinct += [(setting,) for setting in engines if setting[0] in names]
    seeds = tuple((name, str(_SEED)) for name in solver.profile.seed_options if name in names)
    return [*distinct, seeds] if seeds else distinct
