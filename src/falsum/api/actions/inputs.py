"""Inputs: constants and functions, variables, values in every base, special values."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Call
from falsum.api.model.mirror import Known, Mirror
from falsum.api.model.values import draw_value, read_special, read_value
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import DeclareFun
from falsum.smtlib.terms import Function, constant, var

_FIRST_ORDER: Final = frozenset(["->", "RegLan"])


class Const(Call):
    """`t1 = const s1 x1`: a free constant, or a function if the sort is one."""

    name = word = "const"
    takes = 2
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return bool(mirror.sorts)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        sort, made = rng.choice(list(mirror.sorts)), mirror.next_term()
        letter = "f" if mirror.sorts[sort].name == "->" else "x"
        return Line(self.word, (sort, f"{letter}{made[1:]}"), (made,), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        sort, name = mirror.sort(line.args[0]), line.args[1]
        is_function = sort.name == "->"
        function = Function(name, sort.args[:-1], sort.args[-1]) if is_function else Function(name, (), sort)
        role = "function" if is_function else "input"
        mirror.declarations.append(DeclareFun(function))
        mirror.add(Known(line.made[0], constant(function), role, function=function))


class Variable(Call):
    """A variable, to be bound by a quantifier or a definition."""

    name = word = "var"
    takes = 2
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return bool(mirror.sorts) and (can_quantify(mirror) or can_define(mirror))

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        never = _FIRST_ORDER | {"Array"} if mirror.has("flat-functions") else _FIRST_ORDER
        sorts = [name for name, sort in mirror.sorts.items() if sort.name not in never]
        made = mirror.next_term()
        return Line(self.word, (rng.choice(sorts), f"v{made[1:]}"), (made,)) if sorts else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        variable = var(line.args[1], mirror.sort(line.args[0]))
        mirror.add(Known(line.made[0], variable, "variable", frozenset(line.made)))


def can_quantify(mirror: Mirror) -> bool:
    return "quantifiers" in mirror.theories and mirror.has("quantifiers")


def can_define(mirror: Mirror) -> bool:
    return "uf" in mirror.theories and mirror.has("functions")


class MakeValue(Call):
    """`t2 = value s1 #x0f`."""

    name = word = "value"
    takes = 2
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return bool(mirror.sorts)

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
        mirror.add(Known(line.made[0], term, "value", is_ground=True))


class Special(Call):
    """`t3 = special s1 ones`: a value the library has a call of its own for."""

    name = word = "special"
    takes = 2
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return any(sort.name in mirror.capabilities.special_values for sort in mirror.sorts.values())

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        specials = mirror.capabilities.special_values
        fitting = [name for name, sort in mirror.sorts.items() if sort.name in specials]
        sort = rng.choice(fitting)
        name = rng.choice(specials[mirror.sorts[sort].name])
        return Line(self.word, (sort, name), (mirror.next_term(),), rng.randrange(1, 100))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        sort, name = mirror.sort(line.args[0]), line.args[1]
        if name not in mirror.capabilities.special_values.get(sort.name, ()):
            raise UsageError(f"{mirror.capabilities.product} has no special value {name}")
        term = read_special(sort, name)
        mirror.add(Known(line.made[0], term, "value", is_ground=True))
