"""Layers: the edits of a pass in groups that are tried together, by rank."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator

from falsum.reducer.edits import Edit, ReplaceScript, spans
from falsum.reducer.outline import Outline

# Edits that overlap (a term and one inside it, two values for one place) go into different layers of a rank;
# an edit that fits into none of these is tried alone.
_MAX_LAYERS = 3
# Of a long chain of nested terms of similar size only so many are tried: the outermost, the innermost, the
# one in the middle, and so on by halving.
_MAX_OF_CHAIN = 48


class _Layer:
    """Edits that share no place."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._taken: list[tuple[int, int]] = []

    def accepts(self, ranges: list[tuple[int, int]]) -> bool:
        return all(self._is_free(start, end) for start, end in ranges)

    def _is_free(self, start: int, end: int) -> bool:
        at = bisect_left(self._taken, (start, end))
        before = at > 0 and self._taken[at - 1][1] > start
        return not before and not (at < len(self._taken) and self._taken[at][0] < end)

    def add(self, edit: Edit, ranges: list[tuple[int, int]]) -> None:
        self.edits.append(edit)
        for each in ranges:
            if self._taken and each < self._taken[-1]:
                insort(self._taken, each)
            else:
                self._taken.append(each)


def layers_of(outline: Outline, edits: Iterable[Edit]) -> Iterator[list[Edit]]:
    """Groups of edits that do not overlap, by rank; within a group in the order they were proposed."""
    ranks: dict[int, list[Edit]] = {}
    for edit in edits:
        ranks.setdefault(edit.rank, []).append(edit)
    for rank in sorted(ranks):
        yield from _apart(outline, ranks[rank])


def _apart(outline: Outline, edits: list[Edit]) -> Iterator[list[Edit]]:
    layers: list[_Layer] = []
    alone: list[Edit] = []
    for edit in edits:
        spans_ = spans(outline, edit)
        layer = next((some for some in layers if some.accepts(spans_)), None)
        if layer is None and len(layers) < _MAX_LAYERS:
            layer = _Layer()
            layers.append(layer)
        if layer is None or isinstance(edit, ReplaceScript):
            alone.append(edit)
        else:
            layer.add(edit, spans_)
    for layer in layers:
        if layer.edits:
            yield layer.edits
    for edit in _spread(alone) if len(alone) > _MAX_OF_CHAIN else alone:
        yield [edit]


def _spread(edits: list[Edit]) -> Iterator[Edit]:
    yield edits[0]
    yield edits[-1]
    parts = 2
    while parts <= _MAX_OF_CHAIN:
        yield from (edits[len(edits) * odd // parts] for odd in range(1, parts, 2))
        parts *= 2
