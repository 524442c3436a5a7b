"""The actions for datatypes with sort parameters: declaration and instantiation.

    s5 = template D!s5 1 c5a|c5b(f5b0:%0,f5b1:s5)
    s7 = instantiate s5 s1

`%0` is the first parameter, and the template's own name stands for the datatype with its own parameters. The
functions of an instance are marked with its name: `make:c5b@s7`, `get:f5b0@s7`.
"""

from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call
from falsum.api.actions.datatypes import draw_constructors, members, read_constructors
from falsum.api.model.mirror import DATATYPE, Mirror
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import Datatype, DeclareDatatypes
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import Function, Head
from falsum.smtlib.theories import kind_of

_MAX_PARAMETERS: Final = 2


class TemplateAction(Action):
    name = word = "template"
    call = Call("template", "word number constructors", "sort")
    feature = "parametric-datatypes"
    min_args = 3
    result_count = 1

    def is_ready(self, mirror: Mirror) -> bool:
        is_due = "datatypes" in mirror.theories and super().is_ready(mirror)
        return is_due and len(mirror.sorts) < mirror.bounds.sorts

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        result, count = mirror.next_sort(), rng.randint(1, _MAX_PARAMETERS)
        fields = [f"%{index}" for index in range(count)] * 2
        fields += [name for name, sort in mirror.sorts.items() if kind_of(sort).may_be_declared]
        kind = rng.choice(("record", "recursive"))
        inner = (result,) if kind == "recursive" else ()
        constructors = draw_constructors(kind, result[1:], fields, inner, rng)
        return Line(self.word, (f"{DATATYPE}{result}", str(count), constructors), (result,))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        name, count, constructors = line.args
        if not name.startswith(DATATYPE) or not count.isdigit():
            raise UsageError(
                f"a template needs a name that begins with {DATATYPE} and a number of parameters"
            )
        params = tuple(Sort.parameter(f"X{index}") for index in range(int(count)))
        inner = {f"%{index}": param for index, param in enumerate(params)}
        inner[line.results[0]] = Sort(name, (), params)
        datatype = Datatype(name, params, read_constructors(constructors, inner, mirror))
        mirror.add_template(line.results[0], datatype)
        mirror.declarations.append(DeclareDatatypes((datatype,)))


class InstantiateAction(Action):
    name = word = "instantiate"
    call = Call("instantiate", "instance", "sort")
    min_args = 1
    result_count = 1

    def is_ready(self, mirror: Mirror) -> bool:
        return bool(mirror.templates) and len(mirror.sorts) < mirror.bounds.sorts

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        template = rng.choice(list(mirror.templates))
        datatype = mirror.templates[template]
        sorts = [name for name, sort in mirror.sorts.items() if kind_of(sort).may_be_declared]
        if not sorts:
            return None
        args = tuple(rng.choice(sorts) for _ in datatype.params)
        instance = Sort(datatype.name, (), tuple(mirror.sorts[arg] for arg in args))
        if any(sort is instance for sort in mirror.sorts.values()):
            return None
        return Line(self.word, (template, *args), (mirror.next_sort(),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        datatype = mirror.templates.get(line.args[0])
        if datatype is None or len(line.args) - 1 != len(datatype.params):
            raise UsageError(f"{line.args[0]} is not a template with {len(line.args) - 1} parameters")
        args = tuple(mirror.sort(name) for name in line.args[1:])
        result = line.results[0]
        sort = Sort(datatype.name, (), args)
        mirror.add_sort(result, sort)
        mirror.datatypes[result] = datatype
        bindings: Bindings = {param.name: arg for param, arg in zip(datatype.params, args, strict=True)}
        for word, head in members(datatype, mirror).items():
            symbol = head.symbol
            assert isinstance(symbol, Function)
            mirror.instance_sorts[f"{word}@{result}"] = tuple(
                substitute(each, bindings) for each in symbol.args
            )
            mirror.members[f"{word}@{result}"] = _qualified(head, symbol, sort)


def _qualified(head: Head, symbol: Function, sort: Sort) -> Head:
    """A constructor whose arguments do not determine the sort is written `(as c sort)`."""
    if symbol.role != "constructor":
        return head
    parameters = set[str]().union(*map(_parameters, symbol.args))
    return head if {param.name for param in symbol.params} <= parameters else Head(symbol, (), sort)


def _parameters(sort: Sort) -> set[str]:
    if sort.is_parameter:
        return {sort.name}
    return set[str]().union(*map(_parameters, sort.args))
