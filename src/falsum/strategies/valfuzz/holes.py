"""Holes: the constants of a seed that can be replaced by variables, and the skeleton with them replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from falsum.smtlib.logics import PRODUCTS, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import CONSTANT_ARGUMENTS, Layout
from falsum.smtlib.printing.printer import print_command, print_term
from falsum.smtlib.scripts import (
    DeclareDatatypes,
    DeclareFun,
    Script,
    SetLogic,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Annotated, App, Function, Term, Value, constant
from falsum.smtlib.theories import kind_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.strategies.seeds import front_length, prepare

_WORD: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[^\s()"|]++')
_WRAPPED: Final = frozenset(["const", "seq.unit"])


class FreshNames:
    """Names that do not occur in a script: `h1`, `h2`, …"""

    def __init__(self, text: str) -> None:
        self._taken = {word.strip("|") for word in _WORD.findall(text)}
        self._last: dict[str, int] = {}

    def fresh(self, letter: str) -> str:
        number = self._last.get(letter, 0) + 1
        while f"{letter}{number}" in self._taken:
            number += 1
        self._last[letter] = number
        return f"{letter}{number}"


class Hole(NamedTuple):
    """A constant at its place, and the variable that replaces it in the skeleton."""

    place: int
    constant: Term
    function: Function

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def sort(self) -> Sort:
        return self.function.result

    @property
    def variable(self) -> Term:
        return constant(self.function)


class TextEdit(NamedTuple):
    """A new text for a range of the seed's text."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A prepared seed with its holes (Definitions III.1 and III.3).

    `body` is the offset in the text after logic, options and declarations, `check` that of the first check.
    """

    script: Script
    layout: Layout
    holes: tuple[Hole, ...]
    names: FreshNames
    body: int
    check: int

    @classmethod
    def of(cls, script: Script) -> Skeleton | None:
        """The skeleton of a seed; None if the seed cannot be mutated or has no constant."""
        ready = prepare(script)
        if ready is None:
            return None
        layout = Layout.of(ready)
        logic = logic_of(ready.logic)
        names = FreshNames(layout.text)
        holes = tuple(
            Hole(
                place,
                layout.places[place].term,
                Function(names.fresh("h"), (), layout.places[place].term.sort),
            )
            for place in _constants(layout, _datatypes(ready))
            if logic.may_declare(layout.places[place].term.sort)
        )
        if not holes:
            return None
        return cls(ready, layout, holes, names, front_length(ready), _first_check(ready, layout))

    def filled(self, values: Mapping[int, Term], further: Iterable[TextEdit] = ()) -> str:
        """The seed with other constants at some places, a value mutant (φ^sub), and further edits."""
        edits = [self._edit(place, print_term(term)) for place, term in values.items()]
        edits.extend(further)
        if self.is_linear and any(self._divides_by_zero(place, term) for place, term in values.items()):
            edits.extend(self.widening)
        return _edited(self.layout.text, edits)

    @property
    def opened(self) -> str:
        """The skeleton as a script (φ^skel), in which every hole is a variable."""
        edits = [self._edit(hole.place, hole.name) for hole in self.holes]
        declarations = "".join(declaration(hole.function) for hole in self.holes)
        edits.append(TextEdit(self.body, self.body, declarations))
        return _edited(self.layout.text, [*edits, *(self.widening if self.is_nonlinear_open else ())])

    def end_of(self, command: int) -> int:
        """The offset in the text after a command, by its number; 0 for none."""
        return sum(len(print_command(one)) + 1 for one in self.script.commands[: command + 1])

    @property
    def is_linear(self) -> bool:
        return logic_of(self.script.logic).is_linear

    @property
    def is_nonlinear_open(self) -> bool:
        """Whether a coefficient may have become a variable, which leaves a linear logic."""
        return self.is_linear and any(
            isinstance(place.term, App) and place.term.head.name in PRODUCTS for place in self.layout.places
        )

    @property
    def widening(self) -> tuple[TextEdit, ...]:
        """The edit that replaces the logic by ALL."""
        text = print_command(SetLogic(self.script.logic))
        start = self.layout.text.find(text)
        return (TextEdit(start, start + len(text), "(set-logic ALL)"),) if start >= 0 else ()

    def _edit(self, number: int, new: str) -> TextEdit:
        place = self.layout.places[number]
        return TextEdit(place.start, place.end, new)

    def _divides_by_zero(self, number: int, new: Term) -> bool:
        """Whether a new constant is a zero divisor, which a linear logic does not have."""
        place = self.layout.places[number]
        if place.parent < 0 or place.slot == 0 or not (isinstance(new, Value) and new.payload == 0):
            return False
        around = self.layout.places[place.parent].term
        return isinstance(around, App) and around.head.name in PRODUCTS - {"*"}


def declaration(function: Function) -> str:
    return print_command(DeclareFun(function)) + "\n"


def is_constant(term: Term, datatypes: frozenset[str] = frozenset()) -> bool:
    """Whether a term is one constant: a literal, a negated one, a fraction of two, a constructor, …"""
    while isinstance(term, App):
        name, args = term.head.name, term.args
        if not args:
            return _is_plain_constant(term, datatypes)
        if name == "/" and len(args) == 2 and all(isinstance(arg, Value) for arg in args):
            return bool(getattr(args[1], "payload", 0))
        if len(args) != 1 or not _may_wrap(term):
            return False
        term = args[0]
    # Elements of declared sorts and roots of polynomials cannot be written in a script.
    return (
        isinstance(term, Value)
        and not isinstance(term.payload, CannotSay)
        and kind_of(term.sort).has_literals
    )


def _may_wrap(term: App) -> bool:
    symbol = term.head.symbol
    if not isinstance(symbol, Operator):
        return False
    return symbol.name in _WRAPPED or symbol.is_implicit or (symbol.name == "-" and len(term.args) == 1)


def _is_plain_constant(term: App, datatypes: frozenset[str]) -> bool:
    """Whether a term is a constructor without arguments, or an empty sequence or set."""
    symbol = term.head.symbol
    if isinstance(symbol, Function):
        return symbol.role == "constructor" and term.sort.name in datatypes
    return term.sort.name in ("Seq", "Set") and symbol.name.endswith(".empty")


def _constants(layout: Layout, datatypes: frozenset[str]) -> list[int]:
    """The places of constants; of nested ones the outermost."""
    places: list[int] = []
    fixed_places = _fixed(layout)
    number = 0
    while number < len(layout.places):
        place = layout.places[number]
        if not fixed_places[number] and is_constant(place.term, datatypes):
            places.append(number)
            number += place.size
        else:
            number += 1
    return places


def _fixed(layout: Layout) -> list[bool]:
    """For every place, whether it must not be replaced (`Layout.is_replaceable`), in one linear walk."""
    out: list[bool] = []
    for place in layout.places:
        around = layout.places[place.parent].term if place.parent >= 0 else None
        wants = (isinstance(around, Annotated) and place.slot > 0) or (
            isinstance(around, App) and around.head.name in CONSTANT_ARGUMENTS
        )
        out.append(wants or (place.parent >= 0 and out[place.parent]))
    return out


def _datatypes(script: Script) -> frozenset[str]:
    groups = [c.datatypes for c in script.commands if isinstance(c, DeclareDatatypes)]
    return frozenset(datatype.name for some in groups for datatype in some)


def _first_check(script: Script, layout: Layout) -> int:
    """The offset of the first check in the text; the end of the text if there is none."""
    offset = 0
    for command in script.commands:
        text = print_command(command)
        if text.startswith("(check-sat"):
            return offset
        offset += len(text) + 1
    return len(layout.text)


def _edited(text: str, edits: Iterable[TextEdit]) -> str:
    """The text with all edits applied; of edits at one offset the shorter range comes first."""
    out: list[str] = []
    count = 0
    for edit in sorted(edits):
        out += (text[count : edit.start], edit.new)
        count = edit.end
    return "".join([*out, text[count:]])
