"""The actions that make inputs: constants and functions, variables, values, special values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call, Purpose
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.model.values import draw_value, read_special, read_value, small_values
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import DeclareFun
from falsum.smtlib.terms import Function, constant, var
from falsum.smtlib.theories import kind_of

# How random symbols begin; a number follows.
_SYMBOLS: Final = (
    "x",
    "let",
    "a b",
    "é",
    "変",
    "(",
    ")",
    "; ",
    '"',
    ":k",
    "@",
    ".",
    "_ ",
    "0x",
    "check-sat ",
)


class _InputAction(Action):
    """Makes an input of a sort."""

    min_args = 2
    result_count = 1
    purpose = Purpose.MAKER

    def is_ready(self, mirror: Mirror) -> bool:
        return bool(mirror.sorts)


class _ReducibleInput(_InputAction):
    """An input that reduction may replace by a small value."""

    def simpler(self, line: Line, mirror: Mirror) -> Iterator[Line]:
        sort = mirror.sorts.get(line.args[0])
        for text in small_values(sort) if sort is not None else ():
            if text != line.args[1]:
                yield Line("value", (line.args[0], text), line.results)
        yield from super().simpler(line, mirror)


class ConstAction(_ReducibleInput):
    """`t1 = const s1 x1`: a constant, or a function if the sort is `->`."""

    name = word = "const"
    call = Call("const", "sort text", "term")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        sort, result = rng.choice(list(mirror.sorts)), mirror.next_term()
        letter = "f" if mirror.sorts[sort].name == "->" else "x"
        if mirror.has_random_symbols:
            letter = rng.choice(_SYMBOLS)
        return Line(self.word, (sort, f"{letter}{result[1:]}"), (result,), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        sort, name = mirror.sort(line.args[0]), line.args[1]
        is_function = sort.name == "->"
        function = Function(name, sort.args[:-1], sort.args[-1]) if is_function else Function(name, (), sort)
        role = "function" if is_function else "input"
        mirror.declarations.append(DeclareFun(function))
        entry = TermEntry(line.results[0], constant(function), role, function=function, has_symbol=True)
        mirror.add(entry)


class VariableAction(_InputAction):
    """`t2 = var s1 v2`: a variable that a quantifier or a definition will bind."""

    name = word = "var"
    call = Call("var", "sort word", "term")

    def is_ready(self, mirror: Mirror) -> bool:
        is_bound = can_quantify(mirror) or can_define(mirror) or can_comprehend(mirror)
        return super().is_ready(mirror) and is_bound

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        binds_arrays = not mirror.has("flat-functions")
        sorts = [
            name
            for name, sort in mirror.sorts.items()
            if kind_of(sort).may_be_declared and (binds_arrays or sort.name != "Array")
        ]
        result = mirror.next_term()
        return Line(self.word, (rng.choice(sorts), f"v{result[1:]}"), (result,)) if sorts else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        sort = mirror.sort(line.args[0])
        if sort.name == "Array" and mirror.has("flat-functions"):
            raise UsageError("no array can be bound in this library")
        variable = var(line.args[1], sort)
        mirror.add(TermEntry(line.results[0], variable, "variable", frozenset(line.results)))


def can_quantify(mirror: Mirror) -> bool:
    return "quantifiers" in mirror.theories and mirror.has("quantifiers")


def can_define(mirror: Mirror) -> bool:
    return "uf" in mirror.theories and mirror.has("functions")


def can_comprehend(mirror: Mirror) -> bool:
    return "sets" in mirror.theories and mirror.has("set-comprehensions")


class ValueAction(_ReducibleInput):
    """`t2 = value s1 #x0f`."""

    name = word = "value"
    call = Call("value", "sort text", "term")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        sort = rng.choice(list(mirror.sorts))
        if mirror.sorts[sort].name == "->":
            return None
        text = draw_value(mirror.sorts[sort], rng)
        if text is None:
            return None
        return Line(self.word, (sort, text), (mirror.next_term(),), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        term = read_value(mirror.sort(line.args[0]), line.args[1])
        mirror.add(TermEntry(line.results[0], term, "value"))

    def simpler(self, line: Line, mirror: Mirror) -> Iterator[Line]:
        """The line with simpler values; bit-vectors also as decimal numbers, which are valid for
        any width.
        """
        yield from super().simpler(line, mirror)
        sort, text = line.args
        if text.startswith("#"):
            with suppress(UsageError):
                read_value(mirror.sort(sort), text)
                yield line._replace(args=(sort, str(int(text[2:], 2 if text[1] == "b" else 16))))


class SpecialValueAction(_ReducibleInput):
    """`t3 = special s1 ones`: a value for which the library has a call."""

    name = word = "special"
    call = Call("special", "sort word", "term")

    def is_ready(self, mirror: Mirror) -> bool:
        return any(sort.name in mirror.capabilities.special_values for sort in mirror.sorts.values())

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        special_values = mirror.capabilities.special_values
        fitting = [name for name, sort in mirror.sorts.items() if sort.name in special_values]
        sort = rng.choice(fitting)
        name = rng.choice(special_values[mirror.sorts[sort].name])
        return Line(self.word, (sort, name), (mirror.next_term(),), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        sort, name = mirror.sort(line.args[0]), line.args[1]
        if name not in mirror.capabilities.special_values.get(sort.name, ()):
            raise UsageError(f"unknown special value {name} of {mirror.capabilities.product}")
        term = read_special(sort, name)
        mirror.add(TermEntry(line.results[0], term, "value"))
