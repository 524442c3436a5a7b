"""SmallEdits: edits of the operators, constants and expressions of a script, all well-sorted."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib import Script, print_term
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import Value
from falsum.strategies.growth.expressions import ExpressionPool
from falsum.strategies.growth.literals import random_constant
from falsum.strategies.growth.same_rank import OperatorPlace, operator_places

# How often an expression is replaced by a constant instead of another expression.
_CONSTANT_SHARE: Final = 0.25
_LONGEST_SHOWN: Final = 80


class SmallEdit(NamedTuple):
    """Another text from `start` to `end`."""

    start: int
    end: int
    text: str

    def overlaps(self, other: SmallEdit) -> bool:
        return self.start < other.end and other.start < self.end


class SmallEdits:
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

    @classmethod
    def of(cls, script: Script, operators: tuple[Operator, ...] = ()) -> SmallEdits:
        """The edits of a prepared script; without operators, all that solvers read are used."""
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
        return cls(layout, ExpressionPool(layout, script), places, constants)

    def changed(self, most: int, rng: Random) -> tuple[str, list[str]] | None:
        """The script with one to `most` edits, and a line about each; None if the draws change nothing."""
        edits: list[SmallEdit] = []
        for _ in range(rng.randint(1, most)):
            edit = self.edit(rng)
            if edit is not None and not any(edit.overlaps(other) for other in edits):
                edits.append(edit)
        text = self.layout.text
        pieces: list[str] = []
        lines: list[str] = []
        at = 0
        for start, end, new in sorted(edits):
            pieces += (text[at:start], new)
            lines.append(f"{start}: {_shown(text[start:end])} -> {_shown(new)}")
            at = end
        return ("".join((*pieces, text[at:])), lines) if edits else None

    def edit(self, rng: Random) -> SmallEdit | None:
        """A random edit; None if there is nothing to edit, or the draw changes nothing."""
        return self._kinds[rng.randrange(len(self._kinds))](rng) if self._kinds else None

    def _operator(self, rng: Random) -> SmallEdit | None:
        start, end, alternatives = self._operators[rng.randrange(len(self._operators))]
        return SmallEdit(start, end, alternatives[rng.randrange(len(alternatives))])

    def _constant(self, rng: Random) -> SmallEdit | None:
        return self._value_at(self._constants[rng.randrange(len(self._constants))], rng)

    def _expression(self, rng: Random) -> SmallEdit | None:
        number = self._pool.replaceable[rng.randrange(len(self._pool.replaceable))]
        if rng.random() < _CONSTANT_SHARE:
            return self._value_at(number, rng)
        place = self.layout.places[number]
        new = self._pool.pick(place.term.sort, self._pool.scope_at(self.layout, number), place.term, rng)
        return None if new is None else SmallEdit(place.start, place.end, print_term(new))

    def _value_at(self, number: int, rng: Random) -> SmallEdit | None:
        place = self.layout.places[number]
        new = random_constant(place.term.sort, rng)
        is_old = new == self.layout.text[place.start : place.end]
        return None if new is None or is_old else SmallEdit(place.start, place.end, new)


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."
