"""Lab: the solvers of a run, called by name."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from cachetools import LRUCache

from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.text.lexer import one_line
from falsum.solvers.answer import EndingKind, Exchange
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.hosts.host import Host, cannot_load
from falsum.solvers.instruments import statistics
from falsum.solvers.limits import Limits, waiting_for_solver
from falsum.solvers.options import Option
from falsum.solvers.output import read
from falsum.solvers.request import Request, Want
from falsum.solvers.supervision.client import SupervisorLostError
from falsum.solvers.supervision.debugger import backtrace
from falsum.solvers.supervision.process import ProcessRunner, Program

if TYPE_CHECKING:
    from collections.abc import Iterable

    from falsum.solvers.answer import Answer
    from falsum.solvers.inputs.solver_input import SolverInput
    from falsum.solvers.solver import Solver
    from falsum.solvers.supervision.process import ProcessResult

_REMEMBERED_CHARACTERS = 8 << 20
_MOST_SEEN_SETTINGS = 4096
_MOST_HOSTS = 12
# A rejection is an ordinary answer; anything else may leave a host in an unknown state.
_ORDINARY = frozenset({EndingKind.FINISHED, EndingKind.REJECTED})


class _Warm(NamedTuple):
    """A program for hosts, with a number, because hashing its whole environment takes long."""

    number: int
    program: Program


# The number of a program, and the settings that scripts have left in it for good.
HostKey = tuple[int, tuple[str, ...]]
# A setting as a script has it, and the option it sets.
PersistentSetting = tuple[str, Option]


class Lab(Protocol):
    """What strategies, oracles and reduction see of solvers."""

    @property
    def solvers(self) -> tuple[str, ...]:
        """The names of the solvers, in the order they were given."""
        ...

    def ask(self, request: Request) -> Answer:
        """The solver's answer to the script; the same request is run once and remembered."""
        ...


@dataclass(slots=True)
class LabUsage:
    """What a lab has used: solver CPU seconds, wall seconds, and the number of runs of each kind."""

    cpu: float = 0.0
    seconds: float = 0.0
    cold: int = 0
    warm: int = 0
    remembered: int = 0


class LiveLab:
    """A lab of real solvers, run in hosts if possible; `edges` are those that instrumented solvers reach.

    A lab closes its runner, but not one that it is given.
    """

    def __init__(
        self,
        solvers: Iterable[Solver],
        limits: Limits | None = None,
        *,
        watches_edges: bool = False,
        runner: ProcessRunner | None = None,
    ) -> None:
        self._solvers = {solver.name: solver for solver in solvers}
        self._limits = limits or Limits()
        self._runner = runner or ProcessRunner()
        self._owns_runner = runner is None
        self.edges = EdgeWatch(self._runner) if watches_edges else None
        self._secret = f"falsum-{secrets.token_hex(6)}"
        self._hosts: OrderedDict[HostKey, Host] = OrderedDict()
        self._options: dict[str, dict[str, Option]] = {}
        # By the name of a solver, and whether scripts are incremental.
        self._programs: dict[tuple[str, bool], _Warm | None] = {}
        self._numbers: dict[Program, int] = {}
        self._seen_settings: set[HostKey] = set()
        self._memory = _Memory()
        self.usage = LabUsage()

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(self._solvers)

    @property
    def runner(self) -> ProcessRunner:
        return self._runner

    def add(self, solver: Solver) -> None:
        """Add a solver, for example one with drawn options."""
        self._solvers[solver.name] = solver
        for incremental in (False, True):
            self._programs.pop((solver.name, incremental), None)

    def ask(self, request: Request) -> Answer:
        limits = self._limits if request.seconds is None else self._limits.within(request.seconds)
        remembered = None if request.again else self._memory.get(request)
        if remembered is not None and not _cut_short(remembered, limits):
            self.usage.remembered += 1
            return remembered
        answer = self._run(request, limits)
        if self.edges is not None:
            self.edges.read(self._solver(request.solver))
        self.usage.cpu += answer.cpu
        self.usage.seconds += answer.seconds
        self._memory.put(request, answer)
        return answer

    def ask_raw(self, solver: str, text: str) -> Answer:
        """The answer to a text that is sent unchanged, in a fresh process.

        It may set any option and print anything, so its answers prove nothing.
        """
        asked_solver = self._solver(solver)
        with waiting_for_solver():
            program = asked_solver.cold_program(asked_solver.prepare(text))
            result = self._runner.run(program, self._limits, text.encode(errors="surrogateescape"))
        return read(asked_solver.profile, result)

    def backtrace(self, request: Request) -> str:
        """The frames of a solver that ends with a signal, in a fresh process; "" if there is no debugger."""
        solver = self._solver(request.solver)
        solver_input = solver.prepare(request.script, request.want, request.limit)
        text = solver_input.text.encode(errors="replace")
        return backtrace(self._runner, solver.cold_program(solver_input), self._limits, text)

    def remember(self, request: Request, answer: Answer) -> None:
        """Take over an answer from another lab of the same solvers and limits."""
        self._memory.put(request, answer)

    def close(self) -> None:
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()
        if self._owns_runner:
            self._runner.close()
        if self.edges is not None:
            self.edges.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _solver(self, name: str) -> Solver:
        try:
            return self._solvers[name]
        except KeyError:
            raise UsageError(f"there is no solver {name!r} in this lab") from None

    def _run(self, request: Request, limits: Limits) -> Answer:
        solver = self._solver(request.solver)
        solver_input = solver.prepare(request.script, request.want, request.limit)
        warm = None if request.cold else self._warm_program(solver, solver_input)
        if warm is None:
            return self._run_cold(solver, solver_input, limits)
        persistent = self._persistent_settings(solver, solver_input)
        undoing = undo(persistent) if persistent else ""
        key = (warm.number, () if undoing else _texts(persistent))
        if self._is_first_with_settings(key):
            return self._run_cold(solver, solver_input, limits)
        self.usage.warm += 1
        wants_statistics = request.statistics and solver.profile.has_statistics
        question = statistics.question(self._secret) if wants_statistics else ""
        host = self._host(key, warm.program, library=solver.is_library)
        try:
            if self.edges is not None:
                self.edges.clear(solver)
            with waiting_for_solver():
                result = host.ask(f"{solver_input.marked(self._secret)}{question}{undoing}", limits.seconds)
            _require_start(solver, result)
        except SupervisorLostError:  # nobody knows whether the script had to do with it
            host.close()
            return self._run_cold(solver, solver_input, limits)
        if result.is_killed:
            return self._run_cold(solver, solver_input, limits)
        reply = ""
        if question:
            stdout, reply = statistics.split(result.stdout, self._secret)
            result = replace(result, stdout=stdout)
        answer = read(solver.profile, result, self._secret, solver_input)
        if answer.ending.kind not in _ORDINARY:
            host.close()
        return replace(answer, statistics=reply) if reply else answer

    def _warm_program(self, solver: Solver, solver_input: SolverInput) -> _Warm | None:
        """The host program for this input, looked up once."""
        if not solver_input.allows_warm:
            return None
        key = solver.name, solver_input.incremental
        if key not in self._programs:
            program = solver.warm_program(solver_input)
            watched = None if program is None else self._watched(solver, program)
            self._programs[key] = None if watched is None else _Warm(self._number(watched), watched)
        return self._programs[key]

    def _watched(self, solver: Solver, program: Program) -> Program:
        return program if self.edges is None else self.edges.watched(solver, program)

    def _number(self, program: Program) -> int:
        return self._numbers.setdefault(program, len(self._numbers))

    def _run_cold(self, solver: Solver, solver_input: SolverInput, limits: Limits) -> Answer:
        self.usage.cold += 1
        text = solver_input.marked(self._secret).encode(errors="replace")
        program = self._watched(solver, solver.cold_program(solver_input))
        if self.edges is not None:
            self.edges.clear(solver)
        with waiting_for_solver():
            result = self._runner.run(program, limits, text)
        _require_start(solver, result)
        return read(solver.profile, result, self._secret, solver_input)

    def _persistent_settings(
        self, solver: Solver, solver_input: SolverInput
    ) -> tuple[PersistentSetting, ...]:
        """The settings of the input that a host would keep, limited to options that the solver knows."""
        if not solver_input.persistent_settings:
            return ()
        if solver.name not in self._options:
            known_options = solver.options(self._runner)
            self._options[solver.name] = {option.name: option for option in known_options}
        options = self._options[solver.name]
        names = [
            (setting, setting.split()[0].lower().replace("-", "_"))
            for setting in solver_input.persistent_settings
        ]
        return tuple((setting, options[name]) for setting, name in names if name in options)

    def _is_first_with_settings(self, key: HostKey) -> bool:
        """Whether these settings are new, and so not worth a host of their own yet."""
        if not key[1] or key in self._seen_settings:
            return False
        if len(self._seen_settings) >= _MOST_SEEN_SETTINGS:
            self._seen_settings.clear()
        self._seen_settings.add(key)
        return True

    def _host(self, key: HostKey, program: Program, *, library: bool) -> Host:
        host = self._hosts.get(key)
        if host is None or not host.alive:
            host = self._hosts[key] = Host(self._runner, program, self._limits, library=library)
        self._hosts.move_to_end(key)
        if len(self._hosts) > _MOST_HOSTS:
            self._hosts.popitem(last=False)[1].close()
        return host


def _require_start(solver: Solver, result: ProcessResult) -> None:
    """Raise SurroundingsError if our own host of a library could not start, which is not the solver's
    fault.
    """
    if result.status > 0 and solver.is_library and cannot_load(result.status, result.stderr):
        why = (result.stderr.decode(errors="replace").strip().splitlines() or [""])[-1]
        raise SurroundingsError(
            f"the library of {solver.name} cannot be loaded: {one_line(why)}; "
            "was it removed or replaced? see: falsum solvers doctor"
        )


def undo(persistent: tuple[PersistentSetting, ...]) -> str:
    """Commands that restore the defaults of the options; none if one default cannot be set."""
    options = {option.name: option.default for _setting, option in persistent}
    if any(option.kind == "text" for _setting, option in persistent):
        return ""
    return "\n(reset)" * bool(options) + "".join(
        f"(set-option :{name} {value})" for name, value in options.items()
    )


def _texts(persistent: tuple[PersistentSetting, ...]) -> tuple[str, ...]:
    return tuple(setting for setting, _option in persistent)


def _cut_short(answer: Answer, limits: Limits) -> bool:
    """Whether an answer is a time-out at a shorter limit than these."""
    if answer.ending.kind is not EndingKind.TIMED_OUT:
        return False
    return answer.seconds < 0.9 * limits.seconds and answer.cpu < 0.9 * limits.cpu_seconds


class _Memory:
    """Answers by request; the least recently used are dropped when the texts together grow too long."""

    def __init__(self) -> None:
        self._exchanges: LRUCache[tuple[str, str, Want, bool, str], Exchange] = LRUCache(
            _REMEMBERED_CHARACTERS, getsizeof=_length
        )

    def __len__(self) -> int:
        return len(self._exchanges)

    def get(self, request: Request) -> Answer | None:
        try:
            return self._exchanges[request.key].answer
        except KeyError:
            return None

    def put(self, request: Request, answer: Answer) -> None:
        exchange = Exchange(request, answer)
        if _length(exchange) <= _REMEMBERED_CHARACTERS:
            self._exchanges[request.key] = exchange
        else:
            self._exchanges.pop(request.key, None)


def _length(exchange: Exchange) -> int:
    # Small records count too: a thousand characters for the objects around the texts.
    answer = exchange.answer
    return len(exchange.request.script) + len(answer.stdout) + len(answer.stderr) + 1000
