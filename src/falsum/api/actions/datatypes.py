"""The actions that declare datatypes, also mutually recursive ones, and codatatypes.

    s5 s6 = datatypes D!s5=c5a|c5b(f5b0:s1,f5b1:s6) D!s6=c6a|c6b(f6b0:s5)

Each word is a datatype: its name, its constructors, and their selectors with their sorts, which may be among
those that the line declares. Their terms are `make:c5b`, `get:f5b0`, `is:c5b` and `set:f5b0` with arguments.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final

from falsum.api.actions.action import Action, Call
from falsum.api.model.mirror import DATATYPE, Mirror
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import Constructor, Datatype, DeclareDatatypes
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax.identifiers import tester
from falsum.smtlib.terms import Function, Head
from falsum.smtlib.theories import kind_of

_CONSTRUCTOR: Final = re.compile(r"(\w+)(?:\(([\w:,%]+)\))?\Z")


class DatatypesAction(Action):
    name = word = "datatypes"
    call = Call("datatypes", "datatypes", "datatypes")
    feature = "datatypes"
    min_args = 1
    result_count = 1

    def is_ready(self, mirror: Mirror) -> bool:
        is_due = "datatypes" in mirror.theories and mirror.has("datatypes") and super().is_ready(mirror)
        return is_due and (len(mirror.sorts) < mirror.bounds.sorts or mirror.lacks_datatype)

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        fields = [name for name, sort in mirror.sorts.items() if kind_of(sort).may_be_declared]
        kind = rng.choice(("enumeration", "record", "recursive", "mutual")) if fields else "enumeration"
        first = int(mirror.next_sort()[1:])
        results = tuple(f"s{first + offset}" for offset in range(2 if kind == "mutual" else 1))
        words = []
        for name in results:
            inner = {"recursive": results, "mutual": results}.get(kind, ())
            words.append(f"{DATATYPE}{name}={draw_constructors(kind, name[1:], fields, inner, rng)}")
        return Line(self.word, tuple(words), results)

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        names = [word.partition("=")[0] for word in line.args]
        if len(names) != len(line.results) or not all(name.startswith(DATATYPE) for name in names):
            raise UsageError(f"each datatype needs a result and a name that begins with {DATATYPE}")
        sorts = {result: Sort(name) for result, name in zip(line.results, names, strict=True)}
        datatypes = tuple(_read(word, sorts, mirror) for word in line.args)
        if self.word == "datatypes" and not _are_well_founded(datatypes):
            raise UsageError("a datatype is not well-founded")
        for result, sort in sorts.items():
            mirror.add_sort(result, sort)
        for datatype in datatypes:
            mirror.datatypes[datatype.name] = datatype
            mirror.members.update(members(datatype, mirror))
        mirror.declarations.append(DeclareDatatypes(datatypes, f"declare-{self.word}"))


class CodatatypesAction(DatatypesAction):
    """Datatypes with infinite values, such as streams."""

    name = word = "codatatypes"
    call = Call("codatatypes", "datatypes", "datatypes")
    feature = "codatatypes"


def _are_well_founded(datatypes: tuple[Datatype, ...]) -> bool:
    """Whether each datatype has a finite value."""
    open_names = {datatype.name for datatype in datatypes}
    while True:
        closed = {
            datatype.name
            for datatype in datatypes
            if datatype.name in open_names
            and any(
                not any(sort.name in open_names for _, sort in constructor.selectors)
                for constructor in datatype.constructors
            )
        }
        if not closed:
            return not open_names
        open_names -= closed


def draw_constructors(kind: str, number: str, fields: list[str], inner: tuple[str, ...], rng: Random) -> str:
    """Draw constructors; the first has no field of the new sorts (`inner`), so there are finite values."""
    count = {"enumeration": rng.randint(2, 5), "record": 1}.get(kind) or rng.randint(2, 3)
    parts = []
    for index in range(count):
        name = f"c{number}{'abcde'[index]}"
        arity = 0 if kind == "enumeration" else rng.randint(1 if kind == "record" or index else 0, 3)
        choices = [*fields, *inner, *inner] if index else fields
        sort_names = [rng.choice(choices) for _ in range(arity)]
        if index == 1 and inner:
            sort_names[0] = inner[-1]  # at least one constructor is recursive
        fields_text = ",".join(f"f{name[1:]}{at}:{sort}" for at, sort in enumerate(sort_names))
        parts.append(f"{name}({fields_text})" if fields_text else name)
    return "|".join(parts)


def _read(word: str, sorts: dict[str, Sort], mirror: Mirror) -> Datatype:
    name, _, rest = word.partition("=")
    return Datatype(name, (), read_constructors(rest, sorts, mirror))


def read_constructors(fields_text: str, sorts: dict[str, Sort], mirror: Mirror) -> tuple[Constructor, ...]:
    """Parse constructors; `sorts` are the new sorts and the sort parameters."""
    constructors = []
    for text in fields_text.split("|"):
        match = _CONSTRUCTOR.match(text)
        if match is None:
            raise UsageError(f"invalid constructor {text!r}")
        pairs = [pair.split(":") for pair in match[2].split(",")] if match[2] else []
        if any(len(pair) != 2 for pair in pairs):
            raise UsageError(f"invalid constructor {text!r}")
        selectors = tuple((field, sorts.get(sort) or mirror.sort(sort)) for field, sort in pairs)
        constructors.append(Constructor(match[1], selectors))
    return tuple(constructors)


def members(datatype: Datatype, mirror: Mirror) -> dict[str, Head]:
    """The functions of a datatype by their operator names in traces."""
    sort, params, heads = datatype.sort, datatype.params, {}
    for name, selectors in datatype.constructors:
        constructor = Function(name, tuple(s for _, s in selectors), sort, params, "constructor")
        heads[f"make:{name}"] = Head(constructor)
        # Printed in the standard's form `(_ is c)`.
        heads[f"is:{name}"] = Head(tester(constructor), (), None, f"(_ is {name})")
        for field, result in selectors:
            heads[f"get:{field}"] = Head(Function(field, (sort,), result, params, "selector"))
            if mirror.has("updaters"):
                updater = Function(f"update-{field}", (sort, result), sort, params, "updater", field)
                heads[f"set:{field}"] = Head(updater, (), None, f"(_ update {field})")
    return heads
