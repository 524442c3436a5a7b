"""Small edits of several kinds: another operator, another constant, another expression, well-sorted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib import print_term
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import Value
from falsum.strategies.growth import ExpressionPool, OperatorPlace, operator_places, random_constant
from falsum.strategies.mutant import Seed
from falsum.strategies.seeds import kept, prepare

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 50
# How often an expression is replaced by a constant instead of another expression.
_CONSTANT_SHARE: Final = 0.25
_LONGEST_SHOWN: Final = 80


class EditedText(NamedTuple):
    """The text of a seed with some edits, and a line for each: its place, the old text, the new one."""

    text: str
    lines: tuple[str, ...]


def edited_texts(
    seed: Seed, rng: Random, most: int, operators: tuple[Operator, ...] = ()
) -> Iterator[EditedText]:
    """The seed with one to `most` edits, without end; none if it is not suitable.

    `operators` restricts the operators; empty means all that solvers read.
    """
    source = _source(seed, operators)
    failures = 0
    while source is not None and failures < _MAX_FAILURES:
        edits: list[_Edit] = []
        for _ in range(rng.randint(1, most)):
            edit = source.edit(rng)
            if edit is not None and not any(edit.overlaps(other) for other in edits):
                edits.append(edit)
        failures = 0 if edits else failures + 1
        if edits:
            yield _edited(source.layout.text, sorted(edits))


class _Edit(NamedTuple):
    """Another text from `start` to `end`."""

    start: int
    end: int
    text: str

    def overlaps(self, other: _Edit) -> bool:
        return self.start < other.end and other.start < self.end


def _edited(text: str, edits: Sequence[_Edit]) -> EditedText:
    pieces: list[str] = []
    lines: list[str] = []
    at = 0
    for start, end, new in edits:
        pieces += (text[at:start], new)
        lines.append(f"{start}: {_shown(text[start:end])} -> {_shown(new)}")
        at = end
    return EditedText("".join((*pieces, text[at:])), tuple(lines))


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


class _Source:
    """A script to edit: its operators, its constants, its expressions."""

    def __init__(
        self,
        layout: Layout,
        pool: ExpressionPool,
        operators: Sequence[OperatorPlace],
        constants: Sequence[int],
    ) -> None:
        self.layout = layout
        self._pool = pool
        self._operators = operators
        self._constants = constants
        # Operators are twice as likely: they have the most alternatives.
        some = (
            (self._operator, operators),
            (self._operator, operators),
            (self._constant, constants),
            (self._expression, pool.replaceable),
        )
        self._kinds = [kind for kind, places in some if places]

    def edit(self, rng: Random) -> _Edit | None:
        """A random edit; None if there is nothing to edit, or the draw changes nothing."""
        return self._kinds[rng.randrange(len(self._kinds))](rng) if self._kinds else None

    def _operator(self, rng: Random) -> _Edit | None:
        start, end, alternatives = self._operators[rng.randrange(len(self._operators))]
        return _Edit(start, end, alternatives[rng.randrange(len(alternatives))])

    def _constant(self, rng: Random) -> _Edit | None:
        return self._value_at(self._constants[rng.randrange(len(self._constants))], rng)

    def _expression(self, rng: Random) -> _Edit | None:
        number = self._pool.replaceable[rng.randrange(len(self._pool.replaceable))]
        if rng.random() < _CONSTANT_SHARE:
            return self._value_at(number, rng)
        place = self.layout.places[number]
        new = self._pool.pick(place.term.sort, self._pool.scope_at(self.layout, number), place.term, rng)
        return None if new is None else _Edit(place.start, place.end, print_term(new))

    def _value_at(self, number: int, rng: Random) -> _Edit | None:
        place = self.layout.places[number]
        new = random_constant(place.term.sort, rng)
        is_old = new == self.layout.text[place.start : place.end]
        return None if new is None or is_old else _Edit(place.start, place.end, new)


@kept
def _source(seed: Seed, operators: tuple[Operator, ...]) -> _Source | None:
    """The prepared seed; None if it is not suitable."""
    script = prepare(seed.script)
    if script is None:
        return None
    layout = Layout.of(script)
    logic = logic_of(script.logic)
    constants = [
        number
        for number, place in enumerate(layout.places)
        if isinstance(place.term, Value)
        and layout.is_replaceable(number)
        and not logic.lacks_numbers(place.term.sort)
    ]
    places = operator_places(layout, logic, operators)
    return _Source(layout, ExpressionPool(layout, script), places, constants)
