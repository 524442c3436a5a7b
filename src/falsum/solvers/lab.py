"""Lab: the solvers of a run behind one door."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from falsum.errors import UsageError
from falsum.solvers.answer import EndingKind
from falsum.solvers.hosts.warm import Host
from falsum.solvers.limits import Limits
from falsum.solvers.process import Program, Runner
from falsum.solvers.question import Want
from falsum.solvers.reading import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from falsum.solvers.answer import Answer
    from falsum.solvers.question import Question
    from falsum.solvers.solver import Solver

_REMEMBERED = 4096
_MOST_HOSTS = 12
# A rejection is an ordinary answer; anything else may leave a host in a state nobody knows.
_ORDINARY = frozenset({EndingKind.FINISHED, EndingKind.REJECTED})


# A program, and the settings that scripts have left in it for good.
HostKey = tuple[Program, tuple[str, ...]]


class Lab(Protocol):
    """What strategies, oracles and reduction see of solvers."""

    @property
    def solvers(self) -> tuple[str, ...]:
        """The names of the solvers, in the order they were given."""
        ...

    def ask(
        self,
        solver: str,
        script: str,
        want: Want = Want.VERDICT,
        *,
        cold: bool = False,
        again: bool = False,
    ) -> Answer:
        """A solver's answer to a script.

        The same question is asked once and remembered, unless it shall be asked `again`. `cold`
        means a fresh process for this script alone; otherwise a host that stays may answer.
        """
        ...


@dataclass(slots=True)
class Ledger:
    """What a lab has spent: solver CPU seconds, wall seconds, and how often it asked."""

    cpu: float = 0.0
    seconds: float = 0.0
    cold: int = 0
    warm: int = 0
    remembered: int = 0


class LiveLab:
    """Asks real solvers, warm where it can."""

    def __init__(self, solvers: Iterable[Solver], limits: Limits | None = None) -> None:
        self._solvers = {solver.name: solver for solver in solvers}
        self._limits = limits or Limits()
        self._runner = Runner()
        self._hosts: OrderedDict[HostKey, Host] = OrderedDict()
        self._memory: OrderedDict[tuple[str, str, Want, bool], Answer] = OrderedDict()
        self.ledger = Ledger()

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(self._solvers)

    @property
    def runner(self) -> Runner:
        return self._runner

    def add(self, solver: Solver) -> None:
        """One more solver, for example one with drawn options."""
        self._solvers[solver.name] = solver

    def question(self, solver: str, script: str, want: Want = Want.VERDICT) -> Question:
        """The script as this solver is asked it, with what was changed."""
        return self._solver(solver).pose(script, want)

    def ask(
        self,
        solver: str,
        script: str,
        want: Want = Want.VERDICT,
        *,
        cold: bool = False,
        again: bool = False,
    ) -> Answer:
        key = (solver, script, want, cold)
        if not again and (known := self._memory.get(key)) is not None:
            self._memory.move_to_end(key)
            self.ledger.remembered += 1
            return known
        answer = self._ask(self._solver(solver), script, want, cold=cold)
        self.ledger.cpu += answer.cpu
        self.ledger.seconds += answer.seconds
        self._memory[key] = answer
        if len(self._memory) > _REMEMBERED:
            self._memory.popitem(last=False)
        return answer

    def close(self) -> None:
        for host in self._hosts.values():
            host.close()
        self._hosts.clear()
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _solver(self, name: str) -> Solver:
        try:
            return self._solvers[name]
        except KeyError:
            raise UsageError(f"there is no solver {name!r} in this lab") from None

    def _ask(self, solver: Solver, script: str, want: Want, *, cold: bool) -> Answer:
        question = solver.pose(script, want)
        program = None if cold else solver.warm(question)
        if program is None:
            self.ledger.cold += 1
            text = question.text.encode(errors="replace")
            return read(solver.profile, self._runner.run(solver.cold(question), text, self._limits))
        self.ledger.warm += 1
        host = self._host(program, question.sticky, library=solver.is_library)
        answer = read(solver.profile, host.ask(question.text))
        if answer.ending.kind not in _ORDINARY:
            host.close()
        else:
            self._keep(host, (program, solver.profile.stuck(question.sticky, answer.stdout)))
        return answer

    def _host(self, program: Program, sticky: tuple[str, ...], *, library: bool) -> Host:
        """A host for a script: one in which the same settings stuck, else one without any, else new.

        It is taken out of the shelf: which settings stick in it is known after the script only.
        """
        for key in ((program, sticky), (program, ())):
            host = self._hosts.pop(key, None)
            if host is not None and host.alive:
                return host
        return Host(self._runner, program, self._limits, library=library)

    def _keep(self, host: Host, key: HostKey) -> None:
        previous = self._hosts.pop(key, None)
        if previous is not None:
            previous.close()
        self._hosts[key] = host
        if len(self._hosts) > _MOST_HOSTS:
            self._hosts.popitem(last=False)[1].close()
