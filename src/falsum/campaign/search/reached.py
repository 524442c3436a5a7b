"""ReachedEdges: the edges of instrumented solvers that a campaign has reached, and how rare they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from falsum.campaign.search.focus import Focus, FocusReached
from falsum.solvers.instruments.edges import edge_of, filtered, packed_edges, unpacked

# A seed has more turns the fewer batches have reached its rarest edge, as in AFLFast (Böhme, Pham,
# Roychoudhury, CCS 2016): at most so many times as many as others. One that has only reached known edges in
# other numbers has so many times fewer.
_MOST_ENERGY: Final = 8.0
# Of each seed so many edges are watched.
_MOST_WATCHED: Final = 8

# By solver: edges with their classes of counts, packed.
Edges = Mapping[str, bytes]


def joined(lots: Iterable[Edges]) -> dict[str, bytes]:
    """The union of several sets of edges."""
    whole: dict[str, bytes] = {}
    for edges in lots:
        for solver, features in edges.items():
            whole[solver] = whole.get(solver, b"") + features
    return whole


class ReachedEdges:
    """The edges reached, by solver; variants of a solver share theirs. Those in `focus` count more."""

    def __init__(self, focus: Focus | None = None) -> None:
        self.focus = focus or Focus()
        self._features: dict[str, set[int]] = {}
        self._edges: dict[str, set[int]] = {}
        # In how many batches an edge was reached that a grown seed was the first to reach.
        self._batches: dict[tuple[str, int], int] = {}
        # Such edges, by the place of the seed.
        self._owned: dict[int, list[tuple[str, int]]] = {}
        # The most edges in focus that a batch of a seed has reached, by the place of the seed.
        self._in_focus: dict[int, int] = {}

    @property
    def count(self) -> int:
        """The number of edges reached, over all solvers."""
        return sum(map(len, self._edges.values()))

    @property
    def counts(self) -> dict[str, int]:
        """The number of edges reached, by solver."""
        return {solver: len(edges) for solver, edges in self._edges.items()}

    def new(self, lots: Sequence[Edges]) -> list[dict[str, bytes]]:
        """The edges of each set that are new to the campaign and to the sets before it."""
        before: dict[str, set[int]] = {}
        return [
            {
                solver: some
                for solver, features in edges.items()
                if (
                    some := self._new(
                        features, self._features.get(solver, set()), before.setdefault(solver, set())
                    )
                )
            }
            for edges in lots
        ]

    @staticmethod
    def _new(features: bytes, edges: set[int], before: set[int]) -> bytes:
        some = filtered(features, lambda feature: feature not in edges and feature not in before)
        before.update(unpacked(some))
        return some

    def first_of(self, edges: Edges) -> dict[str, bytes]:
        """The first few edges that no mutant had reached before; new counts of known edges do not matter."""
        some = {}
        for solver, features in edges.items():
            known_edges = self._edges.get(solver, set())
            first = dict.fromkeys(e for one in unpacked(features) if (e := edge_of(one)) not in known_edges)
            if first:
                some[solver] = packed_edges(islice(first, _MOST_WATCHED))
        return some

    def new_edges(self, lots: Sequence[Edges]) -> list[int]:
        """The number of edges of each set that are new to the campaign and to the sets before it, whatever
        their counts.
        """
        before: set[tuple[str, int]] = set()
        numbers = []
        for edges in lots:
            some = {
                (solver, edge_of(one)) for solver, features in edges.items() for one in unpacked(features)
            }
            first = {one for one in some - before if one[1] not in self._edges.get(one[0], ())}
            before |= first
            numbers.append(len(first))
        return numbers

    def add(self, edges: Edges) -> None:
        for solver, features in edges.items():
            numbers = unpacked(features)
            self._features.setdefault(solver, set()).update(numbers)
            self._edges.setdefault(solver, set()).update(map(edge_of, numbers))

    def add_seed(self, place: int, edges: Edges) -> None:
        """Add a seed: from now on, count the batches that reach the edges it was the first to reach."""
        self._owned[place] = [(solver, edge) for solver, some in edges.items() for edge in unpacked(some)]
        for edge in self._owned[place]:
            self._batches.setdefault(edge, 1)

    def let_go(self, place: int) -> None:
        self._owned.pop(place, None)
        self._in_focus.pop(place, None)

    @property
    def watched(self) -> dict[str, bytes]:
        """The edges that batches report on, without classes: those of seeds, and those in focus."""
        by_solver = self._edges_of_seeds()
        for solver, edges in self.focus.edges.items():
            by_solver.setdefault(solver, {}).update(dict.fromkeys(sorted(edges)))
        return {solver: packed_edges(edges) for solver, edges in by_solver.items()}

    def of_seeds(self, watched: Edges) -> dict[str, bytes]:
        """The watched edges that are those of seeds."""
        owned = self._edges_of_seeds()
        some = {
            solver: filtered(edges, owned.get(solver, {}).__contains__) for solver, edges in watched.items()
        }
        return {solver: edges for solver, edges in some.items() if edges}

    def _edges_of_seeds(self) -> dict[str, dict[int, None]]:
        by_solver: dict[str, dict[int, None]] = {}
        for owned in self._owned.values():
            for solver, edge in owned:
                by_solver.setdefault(solver, {})[edge] = None
        return by_solver

    def in_focus(self, features: Edges) -> int:
        """The number of edges in focus among new ones, which have classes."""
        return self.focus.count({solver: map(edge_of, unpacked(some)) for solver, some in features.items()})

    def add_focus(self, place: int, edges: int) -> None:
        """Add the number of edges in focus that a batch of a seed has reached."""
        self._in_focus[place] = max(edges, self._in_focus.get(place, 0))

    @property
    def focus_reached(self) -> dict[str, FocusReached]:
        """How much of the focus was reached, by solver."""
        return self.focus.reached(self._edges)

    def count_batch(self, watched: Edges) -> None:
        """Count a batch that has reached edges of seeds."""
        for solver, edges in watched.items():
            for edge in unpacked(edges):
                self._batches[solver, edge] = self._batches.get((solver, edge), 0) + 1

    def energies(self) -> dict[int, float]:
        """The number of turns of each seed relative to others: by the rarest edge it was the first to
        reach, and by the edges in focus that it reaches.
        """
        fewest = {
            place: min(self._batches[edge] for edge in owned) for place, owned in self._owned.items() if owned
        }
        usual = sum(fewest.values()) / len(fewest) if fewest else 1.0
        least = 1 / _MOST_ENERGY
        energies = {
            place: min(_MOST_ENERGY, max(least, usual / fewest[place])) if place in fewest else least
            for place in self._owned
        }
        most = max(self._in_focus.values(), default=0)
        for place, edges in self._in_focus.items():
            energies[place] = energies.get(place, 1.0) * (1 + (_MOST_ENERGY - 1) * edges / max(1, most))
        return energies
