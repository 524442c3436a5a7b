"""Fuzzer: one library, many runs: keeps a child as long as it is well, and looks at trouble twice.

    with Fuzzer(resolve("bitwuzla", Zoo()), Settings()) as fuzzer:
        outcome = fuzzer.run(42)
        again = fuzzer.replay(outcome.trace)

What a run does follows from its number, the settings, the release and its answers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, Self

from falsum.api import checks as all_checks
from falsum.api.bindings import serving_program
from falsum.api.checks import Check
from falsum.api.child import Child
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Settings
from falsum.api.model.state_machine import Model, model_for
from falsum.api.model.theories import RARE, SORTS_OF, USUAL, around, fits
from falsum.api.model.walk import Machine, ways_of
from falsum.api.reference_solvers import LabOthers, Nobody, Others
from falsum.api.run import Ending, Outcome, Run
from falsum.api.traces.to_mirror import retell
from falsum.api.traces.trace import Line, Step, Trace
from falsum.errors import UsageError
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.process import Runner

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities
    from falsum.solvers.options import Option
    from falsum.solvers.solver import Solver

_WELL: Final = frozenset({Ending.DONE})
# Who replays many traces in one child has them replayed in a fresh one at the end.
_WELL_ENOUGH: Final = frozenset({Ending.DONE, Ending.REFUSED, Ending.RAISED, Ending.COMPLAINT})
# The share of runs about a theory few solvers have.
_RARELY: Final = 0.15
# What came to an end in time once shall do so again, if it takes a little longer this time.
_MORE_TIME: Final = 4
_OTHER_LIMITS: Final = Limits(seconds=2.0)


class Fuzzer:
    """`others` are solvers that are asked about what the library says; `binding` is another file than the
    product's; without `forks` every fresh child is a process of its own from the start.
    """

    def __init__(
        self,
        solver: Solver,
        settings: Settings | None = None,
        others: Sequence[Solver] = (),
        *,
        checks: Sequence[Check] = all_checks.ALL,
        binding: Path | None = None,
        forks: bool = True,
    ) -> None:
        if solver.release is None:
            raise UsageError(f"{solver.name} is no library")
        self.solver = solver
        self.settings = settings or Settings()
        self._checks = tuple(checks)
        self._forks = forks
        self._limits = Limits(seconds=self.settings.seconds, memory=self.settings.memory)
        self._program = serving_program(solver.release, binding, pipe=self.settings.pipe)
        self._runner = Runner()
        self._lab = LiveLab(others, _OTHER_LIMITS) if others else None
        self._child: Child | None = None
        self._options: tuple[Option, ...] | None = None
        try:
            self.model: Model = model_for(self._fresh_child().capabilities, self.settings.weights)
            self._ways = ways_of(self.model)
        except BaseException:
            self.close()
            raise

    # -- runs --------------------------------------------------------------------------------------

    def run(self, number: int) -> Outcome:
        """A generated run; the child stays for the next one."""
        child = self._well_child()
        rng = Random(number)
        theories = self._theories(child, rng)
        mirror = self._mirror(child, theories)
        if rng.random() < self.settings.options:
            mirror.drawable = self.drawable()
        machine = Machine(self._ways, rng)
        others = self._others(self.settings.compare, f"others of {number}")
        run = Run(child, mirror, self._checks, others, self.settings.seconds)
        header = {
            "solver": self.solver.name,
            "version": child.capabilities.version,
            "rng": str(number),
            "theories": " ".join(theories),
        }
        outcome = run.generate(machine, header)
        self._after(outcome)
        return outcome

    def replay(self, trace: Trace, *, cold: bool = True, like: Outcome | None = None) -> Outcome:
        """The lines of a trace again, by default in a fresh child; every question is put to others.

        What else there is to complain about on the way does not matter if it is to be `like` an outcome.
        """
        child = self._fresh_child() if cold else self._well_child()
        mirror = self.blank(trace)
        seconds = self.settings.seconds * (_MORE_TIME if cold else 1)
        heeded = None if like is None else like.kind
        checks = self._checks if like is None or like.ending is Ending.COMPLAINT else ()
        run = Run(child, mirror, checks, self._others(1.0), seconds, heeded)
        outcome = run.replay(trace.lines, trace.header | {"version": child.capabilities.version})
        self._after(outcome, _WELL if cold else _WELL_ENOUGH)
        return outcome

    def confirm(self, outcome: Outcome) -> bool:
        """Whether the same goes wrong in a fresh child; what only a used one shows is a leak of its state."""
        return outcome.agrees_with(self.replay(outcome.trace, like=outcome))

    def retold(self, trace: Trace) -> Mirror:
        """The mirror after a trace, by the replies in it; nothing is run."""
        mirror = self.blank(trace)
        for _step in retell(trace, mirror):
            pass
        return mirror

    def blank(self, trace: Trace) -> Mirror:
        """A mirror that knows nothing yet, for a trace that is to be retold."""
        theories = tuple(trace.header.get("theories", "").split()) or USUAL
        return self._mirror(self._well_child(), theories)

    @property
    def capabilities(self) -> Capabilities:
        return self._well_child().capabilities

    def requirements(self) -> tuple[Step, ...]:
        """The lines that set what every run of this library needs."""
        required = self._well_child().capabilities.required_options
        return tuple(Step(Line("set-option", (name, value))) for name, value in required)

    # -- what runs need ----------------------------------------------------------------------------

    def _mirror(self, child: Child, theories: tuple[str, ...]) -> Mirror:
        return Mirror(child.capabilities, self.settings.bounds, theories)

    def _others(self, share: float, key: str = "") -> Others:
        return LabOthers(self._lab, share, key) if self._lab is not None else Nobody()

    def _theories(self, child: Child, rng: Random) -> tuple[str, ...]:
        """All that are wanted, or some of them: fewer theories meet more often."""
        allowed = self.check_theories()
        fitting = [t for t in allowed if t != "core" and fits(t, child.capabilities)]
        rare = [t for t in RARE if not self.settings.theories and fits(t, child.capabilities)]
        if rare and rng.random() < _RARELY:
            return ("core", *around(rng.choice(rare), fitting, child.capabilities, rng))
        if len(fitting) > 1 and rng.random() < 0.7:
            chosen = rng.sample(fitting, rng.randint(1, min(3, len(fitting))))
            fitting = [theory for theory in fitting if theory in chosen]
        return ("core", *fitting)

    def check_theories(self) -> tuple[str, ...]:
        """The theories runs are drawn from; raises UsageError if there is no such theory."""
        allowed = self.settings.theories or USUAL
        for theory in allowed:
            if theory not in SORTS_OF:
                raise UsageError(f"unknown theory {theory}; there are {', '.join(SORTS_OF)}")
        return allowed

    def drawable(self) -> tuple[Option, ...]:
        if self._options is None:
            rules = self.solver.profile.draw_rules
            unwanted = self._well_child().capabilities.excluded_options
            listed = self.solver.options(self._runner) if rules is not None else ()
            self._options = tuple(
                o
                for o in listed
                if rules is not None and o.category in rules.classes and o.name not in unwanted
            )
        return self._options

    # -- children ----------------------------------------------------------------------------------

    def _well_child(self) -> Child:
        if self._child is None or not self._child.alive or self._child.runs >= self.settings.runs_per_child:
            return self._fresh_child()
        return self._child

    def _fresh_child(self) -> Child:
        if self._child is not None:
            if self._forks and self._child.again():
                return self._child
            self._child.close()
        self._child = Child(self._runner, self._program, self._limits)
        return self._child

    def _after(self, outcome: Outcome, well: frozenset[Ending] = _WELL) -> None:
        """A child in which something went wrong is not used again: a library that raised an exception may be
        left with half of something.
        """
        if outcome.ending not in well and self._child is not None:
            self._child.retire()

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
        if self._lab is not None:
            self._lab.close()
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
