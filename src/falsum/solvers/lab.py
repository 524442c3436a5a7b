"""Lab: the solvers of a run behind one door."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from cachetools import LRUCache

from falsum.errors import UsageError
from falsum.solvers.answer import EndingKind, Exchange
from falsum.solvers.hosts.warm import Host
from falsum.solvers.limits import Limits
from falsum.solvers.options import Option
from falsum.solvers.output import read
from falsum.solvers.process import Program, Runner
from falsum.solvers.request import Request, Want

if TYPE_CHECKING:
    from collections.abc import Iterable

    from falsum.solvers.answer import Answer
    from falsum.solvers.question import Question
    from falsum.solvers.solver import Solver

_REMEMBERED_CHARACTERS = 8 << 20
_MET = 4096
_MOST_HOSTS = 12
# A rejection is an ordinary answer; anything else may leave a host in a state nobody knows.
_ORDINARY = frozenset({EndingKind.FINISHED, EndingKind.REJECTED})


# A program, and the settings that scripts have left in it for good.
HostKey = tuple[Program, tuple[str, ...]]
# A setting as a script has it, and the option it is about.
Stuck = tuple[str, Option]


class Lab(Protocol):
    """What strategies, oracles and reduction see of solvers."""

    @property
    def solvers(self) -> tuple[str, ...]:
        """The names of the solvers, in the order they were given."""
        ...

    def ask(self, request: Request) -> Answer:
        """The solver's answer to the script; the same request is asked once and remembered."""
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
        self._secret = f"falsum-{secrets.token_hex(6)}"
        self._hosts: OrderedDict[HostKey, Host] = OrderedDict()
        self._known_options: dict[str, dict[str, Option]] = {}
        self._met: set[HostKey] = set()
        self._memory = _Memory()
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

    def ask(self, request: Request) -> Answer:
        limits = self._limits if request.seconds is None else self._limits.within(request.seconds)
        known = None if request.again else self._memory.get(request)
        if known is not None and not _cut_short(known, limits):
            self.ledger.remembered += 1
            return known
        answer = self._ask(request, limits)
        self.ledger.cpu += answer.cpu
        self.ledger.seconds += answer.seconds
        self._memory.put(request, answer)
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

    def _ask(self, request: Request, limits: Limits) -> Answer:
        solver = self._solver(request.solver)
        question = solver.pose(request.script, request.want)
        program = None if request.cold else solver.warm(question)
        stuck = self._stuck(solver, question) if program else ()
        undoing = undo(stuck)
        key = (program, () if undoing else _settings(stuck)) if program else None
        if key is None or self._is_odd(key):
            self.ledger.cold += 1
            text = question.marked(self._secret).encode(errors="replace")
            outcome = self._runner.run(solver.cold(question), text, limits)
            return read(solver.profile, outcome, self._secret, question.checks)
        self.ledger.warm += 1
        host = self._host(key, library=solver.is_library)
        outcome = host.ask(question.marked(self._secret) + undoing, limits.seconds)
        answer = read(solver.profile, outcome, self._secret, question.checks)
        if answer.ending.kind not in _ORDINARY:
            host.close()
        return answer

    def _stuck(self, solver: Solver, question: Question) -> tuple[Stuck, ...]:
        """The script's settings that will stay in a host: those that the solver knows."""
        if not question.sticky:
            return ()
        if solver.name not in self._known_options:
            listed = solver.options(self._runner)
            self._known_options[solver.name] = {option.name: option for option in listed}
        known = self._known_options[solver.name]
        named = [(setting, setting.split()[0].lower().replace("-", "_")) for setting in question.sticky]
        return tuple((setting, known[name]) for setting, name in named if name in known)

    def _is_odd(self, key: HostKey) -> bool:
        """Whether settings that stay are met for the first time: not worth a host of their own yet."""
        if not key[1] or key in self._met:
            return False
        if len(self._met) >= _MET:
            self._met.clear()
        self._met.add(key)
        return True

    def _host(self, key: HostKey, *, library: bool) -> Host:
        host = self._hosts.get(key)
        if host is None or not host.alive:
            host = self._hosts[key] = Host(self._runner, key[0], self._limits, library=library)
        self._hosts.move_to_end(key)
        if len(self._hosts) > _MOST_HOSTS:
            self._hosts.popitem(last=False)[1].close()
        return host


def undo(stuck: tuple[Stuck, ...]) -> str:
    """Commands that give the options their defaults again; none if one cannot be given its default."""
    options = {option.name: option.default for _setting, option in stuck}
    if any(option.kind == "text" for _setting, option in stuck):
        return ""
    return "\n(reset)" * bool(options) + "".join(
        f"(set-option :{name} {value})" for name, value in options.items()
    )


def _settings(stuck: tuple[Stuck, ...]) -> tuple[str, ...]:
    return tuple(setting for setting, _option in stuck)


def _cut_short(answer: Answer, limits: Limits) -> bool:
    """Whether an answer ended at a shorter limit than these."""
    return answer.ending.kind is EndingKind.TIMED_OUT and answer.seconds < 0.9 * limits.seconds


class _Memory:
    """Answers by request; the least recently used are dropped when the texts together grow too long."""

    def __init__(self) -> None:
        self._exchanges: LRUCache[tuple[str, str, Want, bool], Exchange] = LRUCache(
            _REMEMBERED_CHARACTERS, getsizeof=_length
        )

    def __len__(self) -> int:
        return len(self._exchanges)

    def get(self, request: Request) -> Answer | None:
        known = self._exchanges.get(request.key)
        return known.answer if known else None

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
