"""Puts two flat seeds in one script: the second gets other names where they clash, one logic covers both.

What a name is changed to stands for the same thing everywhere in its seed, bound variables included, so that
a term of one seed may be put anywhere into the other: nothing in it is captured there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.lexer import chunks, is_symbol, quote, symbol_name
from falsum.smtlib.logics import covering
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    Assert,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DefineFun,
    DefineFunsRec,
    SetLogic,
)
from falsum.smtlib.substitution import fresh
from falsum.smtlib.terms import Function, Term
from falsum.smtlib.theories import OPERATORS, SORTS
from falsum.smtlib.walk import binders_at, children, subterms
from falsum.strategies.seeds import names_declared_by, print_declarations

_TOKEN: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[^\s()"|;]++')
_ELEMENT: Final = re.compile(r"^\(declare-fun (\|[^|]*\||[^\s()|]+) \(\) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Joined:
    """`opening` is the logic and all declarations, as text; `sides` the assertions of each seed.

    `constants` are the declared constants of each seed, `names` what the names of the second became.
    """

    script: Script
    opening: str
    sides: tuple[tuple[Term, ...], tuple[Term, ...]]
    constants: tuple[tuple[Function, ...], tuple[Function, ...]]
    names: Mapping[str, str]
    taken: frozenset[str]

    def witness(self, first: str, second: str) -> str:
        """A model of both, from models of each in its own names."""
        elements = {symbol_name(name) for name in _ELEMENT.findall(second)} & _tokens(first)
        # An element is known by its name's end, which stays.
        names = {**self.names, **{name: f"second!{name}" for name in elements}}
        return first + renamed(second, names)


def joined(first: Script, second: Script) -> Joined | None:
    """Two flat scripts in one; None where a seed gives a name of the theories another meaning."""
    shared = _shared_datatypes(first, second)
    mine, others = _names(first, frozenset()), _names(second, shared)
    if any(name in OPERATORS or name in SORTS for name in (*mine, *others)):
        return None
    openings = _opening(first, frozenset()), _opening(second, shared)
    if openings[0] is None or openings[1] is None:
        return None
    texts = openings[0] + _asserted(first), openings[1] + _asserted(second)
    known, taken = _tokens(texts[0]), _tokens(texts[0]) | _tokens(texts[1])
    names: dict[str, str] = {}
    for name in others:
        if name in known and name not in names:
            names[name] = fresh(name, taken | set(names.values()))
    _rename_testers(names, second)
    logic = covering(first.logic, second.logic)
    start = f"(set-logic {quote(logic)})\n" if logic else ""
    opening = start + openings[0] + renamed(openings[1], names)
    text = opening + _asserted(first) + renamed(_asserted(second), names)
    script = read_script(text)
    terms = script.assertions
    count = len(first.assertions)
    constants = tuple(
        c.function for c in script.commands if isinstance(c, DeclareFun) and not c.function.args
    )
    ours = sum(isinstance(c, DeclareFun) and not c.function.args for c in first.commands)
    return Joined(
        script,
        opening,
        (terms[:count], terms[count:]),
        (constants[:ours], constants[ours:]),
        names,
        frozenset(taken | set(names.values())),
    )


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with other names; strings stay, comments do not (a model has its elements there)."""
    if not names:
        return text

    def change(token: re.Match[str]) -> str:
        if token[0][0] == '"':
            return token[0]
        name = names.get(symbol_name(token[0]))
        return token[0] if name is None else quote(name)

    return _TOKEN.sub(change, text)


def _opening(script: Script, without: frozenset[str]) -> str | None:
    kept = [
        c for c in script.commands if not isinstance(c, SetLogic | Assert) and print_command(c) not in without
    ]
    return print_declarations(Script(tuple(kept)))


def _asserted(script: Script) -> str:
    return print_script(Script(tuple(c for c in script.commands if isinstance(c, Assert))))


def _tokens(text: str) -> set[str]:
    return {symbol_name(token) for chunk in chunks(text) for token in chunk.tokens if is_symbol(token)}


def _names(script: Script, without: frozenset[str]) -> list[str]:
    """The names a script gives, in order: what it declares, and its bound variables."""
    found: dict[str, None] = {}
    for command in script.commands:
        if isinstance(command, DeclareDatatypes) and print_command(command) in without:
            continue
        found.update(dict.fromkeys(names_declared_by(command)))
        for term in _terms(command):
            for part in subterms(term):
                for slot in range(len(children(part))):
                    found.update((binder.name, None) for binder in binders_at(part, slot))
        if isinstance(command, DefineFun):
            found.update((binder.name, None) for binder in command.binders)
        elif isinstance(command, DefineFunsRec):
            found.update((binder.name, None) for some in command.binders for binder in some)
    # What a pattern leaves unnamed is no name.
    found.pop("_", None)
    return list(found)


def _terms(command: Command) -> tuple[Term, ...]:
    if isinstance(command, Assert):
        return (command.term,)
    if isinstance(command, DefineFun):
        return (command.body,)
    return command.bodies if isinstance(command, DefineFunsRec) else ()


def _shared_datatypes(first: Script, second: Script) -> frozenset[str]:
    """Datatypes both declare in the same words, from the theories' sorts alone: they keep their names."""
    texts = {print_command(c) for c in first.commands if isinstance(c, DeclareDatatypes)}
    found = []
    for command in second.commands:
        if isinstance(command, DeclareDatatypes) and (text := print_command(command)) in texts:
            others = _names(first, frozenset([text])) + _names(second, frozenset([text]))
            if _tokens(text).isdisjoint(others):
                found.append(text)
    return frozenset(found)


def _rename_testers(names: dict[str, str], script: Script) -> None:
    """`is-c` is the tester of a constructor `c`, and follows its name."""
    for command in script.commands:
        if isinstance(command, DeclareDatatypes):
            for datatype in command.datatypes:
                for constructor in datatype.constructors:
                    names.pop(f"is-{constructor.name}", None)
                    if constructor.name in names:
                        names[f"is-{constructor.name}"] = f"is-{names[constructor.name]}"
