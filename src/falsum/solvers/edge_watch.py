"""EdgeWatch: the edges that instrumented solvers reach while they run, and which of them are new."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from falsum.errors import SurroundingsError
from falsum.solvers.instruments.edges import SIZE_VARIABLE, EdgeMap, SeenEdges
from falsum.solvers.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from falsum.solvers.solver import Solver
    from falsum.solvers.supervision.process import ProcessRunner, Program

_LIMITS: Final = Limits(seconds=30.0)
_SIZE: Final = re.compile(rb"^(\d+)\s*$", re.MULTILINE)


def edge_count(runner: ProcessRunner, program: Program) -> int:
    """The number of edges of an instrumented program, as it reports itself."""
    result = runner.run(replace(program, env=(*program.env, (SIZE_VARIABLE, "1"))), _LIMITS)
    # What a library prints goes to the standard error of its host.
    size = _SIZE.search(result.stdout) or _SIZE.search(result.stderr)
    if size is None:
        command = " ".join(program.argv)
        raise SurroundingsError(
            f"{command}: it is built with AFL++, but does not say how many edges it has; "
            f"try: {SIZE_VARIABLE}=1 {command}"
        )
    return int(size[1])


def family(solver: Solver) -> str:
    """The name that a solver shares with its variants: an edge reached by one is not new in another."""
    return solver.with_settings(()).name


class EdgeWatch:
    """A map for each instrumented solver; the processes of one solver run one after the other."""

    def __init__(self, runner: ProcessRunner) -> None:
        self._runner = runner
        self._is_instrumented: dict[str, bool] = {}
        self._maps: dict[str, EdgeMap] = {}
        self._seen: dict[str, SeenEdges] = {}
        self._new: dict[str, bytes] = {}

    def watched(self, solver: Solver, program: Program) -> Program:
        """The program, with a map of its own if it is instrumented."""
        if not self._watches(solver):
            return program
        name = family(solver)
        if name not in self._maps:
            self._maps[name] = EdgeMap(edge_count(self._runner, program))
            self._seen[name] = SeenEdges()
        edges = self._maps[name]
        return replace(program, env=(*program.env, *edges.variables), segment=edges.segment)

    def clear(self, solver: Solver) -> None:
        """Clear the map of a solver before it runs."""
        if self._watches(solver):
            self._maps[family(solver)].clear()

    def read(self, solver: Solver) -> None:
        """Read the edges that a solver has reached since `clear`."""
        if self._watches(solver):
            name = family(solver)
            if new := self._seen[name].add(self._maps[name].counts()):
                self._new[name] = self._new.get(name, b"") + new

    def reached(self, solver: Solver) -> frozenset[int]:
        """The edges that a solver has reached since `clear`, whatever it reached before."""
        counts = self._maps[family(solver)].counts() if self._watches(solver) else b""
        return frozenset(edge for edge, count in enumerate(counts) if count)

    def take_new(self) -> dict[str, bytes]:
        """The new edges since the last call, packed, by solver."""
        new, self._new = self._new, {}
        for name in new:
            self._seen[name].forget_lately()
        return new

    def reached_again(self, edges: Mapping[str, bytes]) -> dict[str, bytes]:
        """The new edges that were reached again since `take_new`; others depend on chance."""
        some = {name: self._seen[name].lately(features) for name, features in edges.items()}
        self._new.clear()
        return {name: features for name, features in some.items() if features}

    def take_watched(self, watched: Mapping[str, bytes]) -> dict[str, bytes]:
        """The edges, among the watched ones, that were reached since the last call, packed, by solver."""
        some = {name: seen.take_since(watched.get(name, b"")) for name, seen in self._seen.items()}
        return {name: edges for name, edges in some.items() if edges}

    def close(self) -> None:
        for edges in self._maps.values():
            edges.close()
        self._maps.clear()

    def _watches(self, solver: Solver) -> bool:
        if solver.name not in self._is_instrumented:
            self._is_instrumented[solver.name] = solver.build.has_edges
        return self._is_instrumented[solver.name]
