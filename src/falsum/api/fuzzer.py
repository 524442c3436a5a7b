"""Fuzzer: many runs of one library, in a child that is kept as long as nothing goes wrong.

    with Fuzzer(resolve("bitwuzla", Zoo()), Settings()) as fuzzer:
        result = fuzzer.run(42)
        again = fuzzer.replay(result.trace)

A run is determined by its number, the settings, the release and its replies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, Self

from falsum.api import checks as all_checks
from falsum.api.actions import action_of
from falsum.api.bindings import PipeUse, serving_program
from falsum.api.checks import RunCheck
from falsum.api.child import Child
from falsum.api.known_errors import KnownErrors
from falsum.api.model.float_formats import format_weights
from falsum.api.model.guidance import Guidance, words_of
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Settings
from falsum.api.model.state_machine import StateMachine, machine_for
from falsum.api.model.theories import COMMON, draw_theories, rare_theories, sorts_of, supports
from falsum.api.reference_solvers import LabReferenceSolvers, NoReferenceSolvers, ReferenceSolvers
from falsum.api.run import Run
from falsum.api.run_options import CLASSES, RunOptions
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import OK, Line, Step, Trace
from falsum.api.traces.from_script import ScriptLines, theories_of
from falsum.api.traces.to_mirror import apply_trace
from falsum.api.walk import Walk, resolve_transitions
from falsum.errors import FalsumError, UsageError
from falsum.smtlib.syntax.reader import read_script
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.client import SupervisorLostError
from falsum.solvers.supervision.process import ProcessRunner

if TYPE_CHECKING:
    from falsum.api.model.capabilities import Capabilities
    from falsum.smtlib.scripts import Script
    from falsum.solvers.options import Option, Setting
    from falsum.solvers.solver import Solver
    from falsum.solvers.supervision.process import Program

# After other statuses a child is not used again.
_REUSABLE: Final = frozenset({RunStatus.DONE, RunStatus.EMPTY})
# While a trace is being reduced: its result is replayed in a fresh child anyway.
_REUSABLE_FOR_REPLAYS: Final = frozenset(
    {RunStatus.DONE, RunStatus.REFUSED, RunStatus.RAISED, RunStatus.CHECK_FAILED}
)
# The share of runs in which products and quotients are linear.
_LINEAR_SHARE: Final = 0.3
# A replay in a fresh child has so many times the time of a run, so that it does not time out by chance.
_REPLAY_TIME_FACTOR: Final = 4
# Of a run whose child, or its supervisor, is killed from outside.
_TRIES: Final = 3
_SMALLEST_RUN: Final = (
    Line("sort", ("Bool",), ("s1",)),
    Line("const", ("s1", "x1"), ("t1",)),
    Line("assert", ("t1",)),
    Line("check"),
)
_REFERENCE_LIMITS: Final = Limits(seconds=2.0)


class Fuzzer:
    """Runs one library.

    `references` are solvers that its answers are compared with; `binding` is a file that replaces the
    product's binding; without `forks` every fresh child is a newly started process. `edges` are those that a
    library built with AFL++ reaches, if it `watches_edges`.
    """

    def __init__(
        self,
        solver: Solver,
        settings: Settings | None = None,
        references: Sequence[Solver] = (),
        *,
        checks: Sequence[RunCheck] = all_checks.ALL,
        binding: Path | None = None,
        forks: bool = True,
        watches_edges: bool = False,
    ) -> None:
        self.solver = solver
        self.settings = settings or Settings()
        self._checks = tuple(checks)
        self._forks = forks
        self._limits = Limits(seconds=self.settings.seconds, memory=self.settings.memory)
        self.runner = ProcessRunner()
        self.edges = EdgeWatch(self.runner)
        self._program = _served(solver, self.settings, binding)
        self._watches_edges = watches_edges and solver.build.has_edges
        if self._watches_edges:
            self._program = self.edges.watched(solver, self._program)
        self._lab = LiveLab(references, _REFERENCE_LIMITS) if references else None
        self._child: Child | None = None
        # The runs that the last child has made: their numbers, and what guided them.
        self.runs_of_child: list[tuple[int, Guidance]] = []
        self._guidance = Guidance()
        # The words of the last run (see `guidance`).
        self.words: set[str] = set()
        self.visits: Counter[tuple[str, str]] = Counter()  # lines of all runs by state and action
        self._drawable: tuple[Option, ...] | None = None
        self.refused_scripts: tuple[str, ...] = ()
        self._float_weights = format_weights(self.settings.floats)
        self._known = KnownErrors(self.settings.known, solver.profile.product)
        try:
            capabilities = self._new_child().capabilities
            self.machine: StateMachine = machine_for(capabilities, self.settings.weights)
            self._transitions = resolve_transitions(self.machine)
            self._options = RunOptions(solver, self.settings, capabilities, self._refusal)
            self._scripts = self._usable_scripts()
        except BaseException:
            self.close()
            raise

    # -- runs --------------------------------------------------------------------------------------

    def run(self, number: int, guidance: Guidance | None = None) -> RunResult:
        """Generate and execute a run, again if somebody kills the child or its supervisor meanwhile."""
        if guidance is not None and guidance is not self._guidance:
            self._guidance = guidance
            self._transitions = resolve_transitions(self.machine, guidance)
        return self._unless_killed(lambda: self._run(number))

    def _unless_killed(self, attempt: Callable[[], RunResult]) -> RunResult:
        for _ in range(_TRIES - 1):
            try:
                result = attempt()
            except SupervisorLostError:
                self._drop_child()
                continue
            if result.status is not RunStatus.KILLED:
                return result
        return attempt()

    def _run(self, number: int) -> RunResult:
        rng = Random(number)
        script = rng.choice(self._scripts) if self._scripts else None
        theories = self._theories(self.capabilities, rng, script)
        options = self._options.draw(theories, self.drawable_options, rng, self._guidance)
        child = self._usable_child()
        if child.runs == 0:
            self.runs_of_child = []
        self.runs_of_child.append((number, self._guidance))
        capabilities = child.capabilities.without_operators(self.settings.without_operators)
        capabilities = capabilities.with_options(dict((*options.required, *options.drawn)))
        if not all(supports(capabilities, theory) for theory in theories):
            theories = self._theories(capabilities, rng, script)
        mirror = self._mirror(capabilities, theories)
        mirror.required_options, mirror.drawn_options = options
        mirror.has_random_symbols = self.settings.random_symbols
        mirror.guidance = self._guidance
        mirror.is_linear = self.settings.linear or (rng.random() < _LINEAR_SHARE and script is None)
        visits = Counter[tuple[str, str]]()
        walk = Walk(self._transitions, rng, visits)
        references = self._references(self.settings.compare, f"others of {number}")
        run = Run(child, mirror, self._checks, references, self.settings.seconds)
        header = {
            "solver": self.solver.name,
            "version": child.capabilities.version,
            "rng": str(number),
            "theories": " ".join(theories),
        }
        if self._watches_edges:
            self.edges.clear(self.solver)
        result = run.generate(walk, header, None if script is None else ScriptLines(script, mirror))
        if self._watches_edges:
            self.edges.read(self.solver)
        self.visits.update(visits)
        self.words = words_of(result.trace, (action for _state, action in visits))
        self._retire_child(result)
        return self.muted(result)

    def replay(self, trace: Trace, *, cold: bool = True, like: RunResult | None = None) -> RunResult:
        """Execute the lines of a trace again, in a fresh child by default; references are asked every time.

        With `like`, only a failure of the same kind as in that result counts.
        """
        return self._unless_killed(lambda: self._replay(trace, cold=cold, like=like))

    def _replay(self, trace: Trace, *, cold: bool, like: RunResult | None) -> RunResult:
        child = self._new_child() if cold else self._usable_child()
        mirror = self.new_mirror(trace)
        seconds = self.settings.seconds * (_REPLAY_TIME_FACTOR if cold else 1)
        failure_kind = None if like is None else like.kind
        checks = self._checks if like is None or like.status is RunStatus.CHECK_FAILED else ()
        run = Run(child, mirror, checks, self._references(1.0), seconds, failure_kind)
        result = run.replay(trace.lines, trace.header | {"version": child.capabilities.version})
        self._retire_child(result, _REUSABLE if cold else _REUSABLE_FOR_REPLAYS)
        return result

    def muted(self, result: RunResult) -> RunResult:
        """The result, which is no failure if the settings say that it is a known one."""
        return replace(result, status=RunStatus.KNOWN) if self._known.match(result) else result

    def confirm(self, result: RunResult) -> bool:
        """Whether the same failure shows in a fresh child; otherwise it depends on state of earlier runs."""
        return result.is_same_failure(self.replay(result.trace, like=result))

    def confirm_after(self, runs: Sequence[tuple[int, Guidance]], result: RunResult) -> bool:
        """Whether the same failure shows in a fresh child that has made the same runs before."""
        self._new_child()
        again = [self.run(number, guidance) for number, guidance in runs]
        return bool(again) and result.is_same_failure(again[-1])

    def mirror_after(self, trace: Trace) -> Mirror:
        """The mirror after a trace, by its recorded replies; nothing is executed."""
        mirror = self.new_mirror(trace)
        for _step in apply_trace(trace, mirror):
            pass
        return mirror

    def new_mirror(self, trace: Trace) -> Mirror:
        """An empty mirror for a trace."""
        capabilities = self.capabilities
        theories = tuple(trace.header.get("theories", "").split())
        return self._mirror(
            capabilities, theories or tuple(t for t in sorts_of() if supports(capabilities, t))
        )

    @property
    def capabilities(self) -> Capabilities:
        return self._usable_child().capabilities

    def required_steps(self, theories: tuple[str, ...]) -> tuple[Step, ...]:
        """The lines that set the required options, and those of all features."""
        steps = self._options.required(theories)
        return tuple(Step(Line("set-option", setting)) for setting in steps)

    # -- parts of runs -----------------------------------------------------------------------------

    def _mirror(self, capabilities: Capabilities, theories: tuple[str, ...]) -> Mirror:
        return Mirror(capabilities, self.settings.bounds, theories, float_weights=self._float_weights)

    def _references(self, share: float, key: str = "") -> ReferenceSolvers:
        return LabReferenceSolvers(self._lab, share, key) if self._lab is not None else NoReferenceSolvers()

    def _theories(
        self, capabilities: Capabilities, rng: Random, script: Script | None = None
    ) -> tuple[str, ...]:
        if script is not None:
            return theories_of(script)
        theories = self.allowed_theories()
        if "datatypes" not in self.machine.reachable_actions:  # by the weights
            theories = tuple(theory for theory in theories if theory != "datatypes")
        return draw_theories(theories, capabilities, rng, self._guidance)

    def check_settings(self) -> Iterator[str]:
        """Raises UsageError for wrong settings; gives notes about scripts for which there are no calls."""
        self.allowed_theories()
        self.capabilities.without_operators(self.settings.without_operators)
        for refusal in self.refused_scripts:
            yield f"{self.solver.name}: left out, since there are no calls for it: {refusal}"

    def allowed_theories(self) -> tuple[str, ...]:
        """The theories that runs may have; raises UsageError for an unknown one in the settings."""
        theories = self.settings.theories or (*COMMON, *rare_theories())
        for theory in (*theories, *self.settings.without):
            if theory not in sorts_of():
                raise UsageError(f"unknown theory {theory}; the theories are {', '.join(sorts_of())}")
        return tuple(theory for theory in theories if theory not in self.settings.without)

    def _usable_scripts(self) -> tuple[Script, ...]:
        """The scripts that can be turned into calls; raises UsageError if none can."""
        usable, refusals = [], []
        for file in self.settings.scripts:
            try:
                script = read_script(Path(file).read_text(encoding="utf-8"), file)
                mirror = self._mirror(self.capabilities, theories_of(script))
                for line in ScriptLines(script, mirror):
                    action_of(line).apply(mirror, line, OK)
            except FalsumError as error:
                refusals.append(f"{file}: {error}")
            else:
                usable.append(script)
        if refusals and not usable:
            raise UsageError(f"no script can be turned into calls of {self.solver.name}: {refusals[-1]}")
        self.refused_scripts = tuple(refusals)
        return tuple(usable)

    def drawable_options(self) -> tuple[Option, ...]:
        """The options that runs may set."""
        if self._drawable is None:
            rules = self.solver.profile.draw_rules
            excluded = self.capabilities.excluded_options
            options = self.capabilities.options
            if not options and rules is not None:
                options = self.solver.options(self.runner)
            categories = frozenset().union(*(CLASSES[name] for name in self.settings.option_classes))
            patterns = self.settings.option_names or ("*",)
            self._drawable = tuple(
                option
                for option in options
                if option.category in categories
                and option.name not in excluded
                and any(fnmatchcase(option.name, pattern) for pattern in patterns)
            )
            if self.settings.option_names and not self._drawable:
                raise UsageError(f"{self.solver.name} has no option like {', '.join(patterns)}")
        return self._drawable

    def _refusal(self, settings: tuple[Setting, ...], logic: str) -> str:
        """The message by which the library refuses options, on the smallest run there is; "" if it does not.

        A crash is no refusal: a run with these options will show it.
        """
        child = self._usable_child()
        child.set_time_limit(self.settings.seconds * _REPLAY_TIME_FACTOR)
        lines = [Line("new"), *([Line("set-logic", (logic,))] if logic else [])]
        lines += [Line("set-option", setting) for setting in settings]
        if child.capabilities.late_option_errors:
            lines += _SMALLEST_RUN
        for line in (*lines, Line("delete")):
            child.send(line)
        message = next((reply.text for reply in child.receive() if reply.is_error), "")
        if message or not child.is_alive:
            child.retire()
        return message

    # -- children ----------------------------------------------------------------------------------

    def _usable_child(self) -> Child:
        if (
            self._child is None
            or not self._child.is_alive
            or self._child.runs >= self.settings.runs_per_child
        ):
            return self._new_child()
        return self._child

    def _new_child(self) -> Child:
        if self._child is not None:
            if self._forks and self._child.restart():
                return self._child
            self._child.close()
        self._child = Child(self.runner, self._program, self._limits)
        return self._child

    def _drop_child(self) -> None:
        """Close a child whose state is unknown; the next run starts another one."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _retire_child(self, result: RunResult, reusable: frozenset[RunStatus] = _REUSABLE) -> None:
        """End the child unless it may be used again: after an exception its state may be inconsistent."""
        if result.status not in reusable and self._child is not None:
            self._child.retire()

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
        if self._lab is not None:
            self._lab.close()
        self.runner.close()
        self.edges.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _served(solver: Solver, settings: Settings, binding: Path | None) -> Program:
    """The process that serves the solver's library, or its program if that is what is tested."""
    if not settings.pipe and solver.release is None:
        raise UsageError(f"{solver.name} is a command line, not a library; test it with --pipe")
    use = PipeUse(solver.command[1:], settings.theories, settings.logic)
    return serving_program(solver.served_release, binding, pipe=settings.pipe, use=use)
