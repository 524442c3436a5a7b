"""Datatypes with parameters: a template, and sorts made of it.

    s5 = template D!s5 1 c5a|c5b(f5b0:%0,f5b1:s5)
    s7 = instantiate s5 s1

`%0` is the first parameter, the template's own name the datatype of its own parameters. The members of an
instance carry its name: `make:c5b@s7`, `get:f5b0@s7`.
"""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from random import Random
from typing import Final

from falsum.api.actions.action import Call
from falsum.api.actions.datatypes import draw_constructors, members, read_constructors
from falsum.api.model.mirror import DATATYPE, Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import Datatype, DeclareDatatypes
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import Function, Head

_MOST_PARAMETERS: Final = 2
_NO_ARGUMENT: Final = frozenset(["->", "RegLan"])


class Template(Call):
    name = word = "template"
    takes = 3
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        wanted = "datatypes" in mirror.theories and mirror.has("parametric-datatypes")
        return wanted and len(mirror.sorts) < mirror.bounds.sorts

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        made, count = mirror.next_sort(), rng.randint(1, _MOST_PARAMETERS)
        fields = [f"%{place}" for place in range(count)] * 2
        fields += [name for name, sort in mirror.sorts.items() if sort.name not in _NO_ARGUMENT]
        kind = rng.choice(("record", "recursive"))
        inner = (made,) if kind == "recursive" else ()
        constructors = draw_constructors(kind, made[1:], fields, inner, rng)
        return Line(self.word, (f"{DATATYPE}{made}", str(count), constructors), (made,))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        name, count, listed = line.args
        if not name.startswith(DATATYPE) or not count.isdigit():
            raise UsageError("a template is named D!… and has a number of parameters")
        params = tuple(Sort.parameter(f"X{place}") for place in range(int(count)))
        inner = {f"%{place}": param for place, param in enumerate(params)}
        inner[line.made[0]] = Sort(name, (), params)
        datatype = Datatype(name, params, read_constructors(listed, inner, mirror))
        mirror.add_template(line.made[0], datatype)
        mirror.declarations.append(DeclareDatatypes((datatype,)))


class Instantiate(Call):
    name = word = "instantiate"
    takes = 1
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        return bool(mirror.templates) and len(mirror.sorts) < mirror.bounds.sorts

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        template = rng.choice(list(mirror.templates))
        datatype = mirror.templates[template]
        there = [name for name, sort in mirror.sorts.items() if sort.name not in _NO_ARGUMENT]
        if not there:
            return None
        args = tuple(rng.choice(there) for _ in datatype.params)
        made = Sort(datatype.name, (), tuple(mirror.sorts[arg] for arg in args))
        if any(sort is made for sort in mirror.sorts.values()):
            return None
        return Line(self.word, (template, *args), (mirror.next_sort(),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        datatype = mirror.templates.get(line.args[0])
        if datatype is None or len(line.args) - 1 != len(datatype.params):
            raise UsageError(f"{line.args[0]} is no template of so many parameters")
        args = tuple(mirror.sort(name) for name in line.args[1:])
        made = line.made[0]
        sort = Sort(datatype.name, (), args)
        mirror.add_sort(made, sort)
        mirror.datatypes[made] = datatype
        bindings: Bindings = {param.name: arg for param, arg in zip(datatype.params, args, strict=True)}
        for word, head in members(datatype, mirror).items():
            symbol = head.symbol
            assert isinstance(symbol, Function)
            mirror.instance_sorts[f"{word}@{made}"] = tuple(
                substitute(each, bindings) for each in symbol.args
            )
            mirror.members[f"{word}@{made}"] = _qualified(head, symbol, sort)


def _qualified(head: Head, symbol: Function, sort: Sort) -> Head:
    """A constructor whose arguments do not tell the sort is written `(as c sort)`."""
    if symbol.role != "constructor":
        return head
    given = set[str]().union(*map(_parameters, symbol.args))
    return head if {param.name for param in symbol.params} <= given else Head(symbol, (), sort)


def _parameters(sort: Sort) -> set[str]:
    if sort.is_parameter:
        return {sort.name}
    return set[str]().union(*map(_parameters, sort.args))
