"""Datatypes: enumerations, records, recursive and mutually recursive ones, and codatatypes.

    s5 s6 = datatypes D!s5=c5a|c5b(f5b0:s1,f5b1:s6) D!s6=c6a|c6b(f6b0:s5)

A word a datatype: its name, its constructors, of each the selectors with their sorts, which may be among
those being made. Terms then are `make:c5b`, `get:f5b0`, `is:c5b` and `set:f5b0` with their arguments.
"""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

import re
from random import Random
from typing import Final

from falsum.api.actions.action import Call
from falsum.api.model.mirror import DATATYPE, Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.scripts import Constructor, Datatype, DeclareDatatypes
from falsum.smtlib.sorts import Sort
from falsum.smtlib.syntax.identifiers import tester
from falsum.smtlib.terms import Function, Head

_CONSTRUCTOR: Final = re.compile(r"(\w+)(?:\(([\w:,%]+)\))?\Z")
_NO_FIELDS: Final = frozenset(["->", "RegLan"])


class Datatypes(Call):
    name = word = "datatypes"
    takes = 1
    makes = 1

    def ready(self, mirror: Mirror) -> bool:
        wanted = "datatypes" in mirror.theories and mirror.has("datatypes")
        return wanted and len(mirror.sorts) < mirror.bounds.sorts

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        fields = [name for name, sort in mirror.sorts.items() if sort.name not in _NO_FIELDS]
        kind = rng.choice(("enumeration", "record", "recursive", "mutual")) if fields else "enumeration"
        first = int(mirror.next_sort()[1:])
        made = tuple(f"s{first + place}" for place in range(2 if kind == "mutual" else 1))
        words = []
        for name in made:
            inner = {"recursive": made, "mutual": made}.get(kind, ())
            words.append(f"{DATATYPE}{name}={draw_constructors(kind, name[1:], fields, inner, rng)}")
        return Line(self.word, tuple(words), made)

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        names = [word.partition("=")[0] for word in line.args]
        if len(names) != len(line.made) or not all(name.startswith(DATATYPE) for name in names):
            raise UsageError("datatypes are named D!…, and each makes a sort")
        sorts = {made: Sort(name) for made, name in zip(line.made, names, strict=True)}
        found = tuple(_read(word, sorts, mirror) for word in line.args)
        if self.word == "datatypes" and not _are_founded(found):
            raise UsageError("a datatype has no value")
        for made, sort in sorts.items():
            mirror.add_sort(made, sort)
        for datatype in found:
            mirror.datatypes[datatype.name] = datatype
            mirror.members.update(members(datatype, mirror))
        mirror.declarations.append(DeclareDatatypes(found, f"declare-{self.word}"))


class Codatatypes(Datatypes):
    """The same of infinite values: streams, and trees that need not end."""

    name = word = "codatatypes"

    def ready(self, mirror: Mirror) -> bool:
        return super().ready(mirror) and mirror.has("codatatypes")


def _are_founded(found: tuple[Datatype, ...]) -> bool:
    """Whether each has a value: a constructor whose fields have values without it."""
    open_names = {datatype.name for datatype in found}
    while True:
        closed = {
            datatype.name
            for datatype in found
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
    """The first constructor needs none of the sorts being made, so there are values."""
    count = {"enumeration": rng.randint(2, 5), "record": 1}.get(kind) or rng.randint(2, 3)
    parts = []
    for place in range(count):
        name = f"c{number}{'abcde'[place]}"
        most = 0 if kind == "enumeration" else rng.randint(1 if kind == "record" or place else 0, 3)
        choices = [*fields, *inner, *inner] if place else fields
        chosen = [rng.choice(choices) for _ in range(most)]
        if place == 1 and inner:
            chosen[0] = inner[-1]  # so that it recurs for sure
        listed = ",".join(f"f{name[1:]}{at}:{sort}" for at, sort in enumerate(chosen))
        parts.append(f"{name}({listed})" if listed else name)
    return "|".join(parts)


def _read(word: str, sorts: dict[str, Sort], mirror: Mirror) -> Datatype:
    name, _, rest = word.partition("=")
    return Datatype(name, (), read_constructors(rest, sorts, mirror))


def read_constructors(listed: str, sorts: dict[str, Sort], mirror: Mirror) -> tuple[Constructor, ...]:
    """Constructors as a line has them; `sorts` are those being made, and parameters."""
    constructors = []
    for text in listed.split("|"):
        found = _CONSTRUCTOR.match(text)
        if found is None:
            raise UsageError(f"no constructor: {text}")
        pairs = [pair.split(":") for pair in found[2].split(",")] if found[2] else []
        if any(len(pair) != 2 for pair in pairs):
            raise UsageError(f"no constructor: {text}")
        selectors = tuple((field, sorts.get(sort) or mirror.sort(sort)) for field, sort in pairs)
        constructors.append(Constructor(found[1], selectors))
    return tuple(constructors)


def members(datatype: Datatype, mirror: Mirror) -> dict[str, Head]:
    """What makes terms of it and asks about them, by the words of lines."""
    sort, params, found = datatype.sort, datatype.params, {}
    for name, selectors in datatype.constructors:
        constructor = Function(name, tuple(s for _, s in selectors), sort, params, "constructor")
        found[f"make:{name}"] = Head(constructor)
        # The standard's form; what the scope declares is the other one, with the same meaning.
        found[f"is:{name}"] = Head(tester(constructor), (), None, f"(_ is {name})")
        for field, result in selectors:
            found[f"get:{field}"] = Head(Function(field, (sort,), result, params, "selector"))
            if mirror.has("updaters"):
                updater = Function(f"update-{field}", (sort, result), sort, params, "updater", field)
                found[f"set:{field}"] = Head(updater, (), None, f"(_ update {field})")
    return found
