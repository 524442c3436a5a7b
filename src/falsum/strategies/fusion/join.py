"""Joins two flat seeds in one script: names of the second that clash are changed, one logic covers both.

A name is changed everywhere in its seed, as the name of a bound variable too, so that a term of one seed can
be put anywhere into the other without being captured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from falsum.smtlib import Script, print_script, read_script
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
from falsum.smtlib.text.lexer import chunks, is_symbol, quote, symbol_name
from falsum.smtlib.theories import OPERATORS, SORTS
from falsum.smtlib.walk import binders_at, children, subterms
from falsum.strategies.seeds import names_declared_by, print_declarations

_TOKEN: Final = re.compile(r'"(?:[^"]|"")*+"|\|[^|]*+\||[^\s()"|;]++')
_ELEMENT: Final = re.compile(r"^\(declare-fun (\|[^|]*\||[^\s()|]+) \(\) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class JoinedSeeds:
    """`declared` is the logic and all declarations as text; `sides` are the assertions of each seed.

    `constants` are the declared constants of each seed; `names` maps old names of the second to new ones;
    `taken` are all names in use.
    """

    script: Script
    declared: str
    sides: tuple[tuple[Term, ...], tuple[Term, ...]]
    constants: tuple[tuple[Function, ...], tuple[Function, ...]]
    names: Mapping[str, str]
    taken: frozenset[str]

    def witness(self, first: str, second: str) -> str:
        """A model of both, from models of each in its original names."""
        elements = {symbol_name(name) for name in _ELEMENT.findall(second)} & _tokens(first)
        # The reader recognises an element by the end of its name, which must stay.
        names = {**self.names, **{name: f"second!{name}" for name in elements}}
        return first + rename(second, names)


def join(first: Script, second: Script) -> JoinedSeeds | None:
    """Two flat scripts in one; None if a seed declares a symbol of some theory."""
    shared = _shared_datatypes(first, second)
    mine, others = _names(first, frozenset()), _names(second, shared)
    if any(name in OPERATORS or name in SORTS for name in (*mine, *others)):
        return None
    declarations = _declarations(first, frozenset()), _declarations(second, shared)
    if declarations[0] is None or declarations[1] is None:
        return None
    texts = declarations[0] + _asserted(first), declarations[1] + _asserted(second)
    tokens, used_names = _tokens(texts[0]), _tokens(texts[0]) | _tokens(texts[1])
    names: dict[str, str] = {}
    for name in others:
        if name in tokens and name not in names:
            names[name] = fresh(name, used_names | set(names.values()))
    _rename_testers(names, second)
    logic = covering(first.logic, second.logic)
    start = f"(set-logic {quote(logic)})\n" if logic else ""
    whole = start + declarations[0] + rename(declarations[1], names)
    text = whole + _asserted(first) + rename(_asserted(second), names)
    script = read_script(text)
    terms = script.assertions
    count = len(first.assertions)
    constants = tuple(
        c.function for c in script.commands if isinstance(c, DeclareFun) and not c.function.args
    )
    ours = sum(isinstance(c, DeclareFun) and not c.function.args for c in first.commands)
    return JoinedSeeds(
        script,
        whole,
        (terms[:count], terms[count:]),
        (constants[:ours], constants[ours:]),
        names,
        frozenset(used_names | set(names.values())),
    )


def rename(text: str, names: Mapping[str, str]) -> str:
    """The text with symbols renamed outside strings, and in comments, where models list their elements."""
    if not names:
        return text

    def change(token: re.Match[str]) -> str:
        if token[0][0] == '"':
            return token[0]
        name = names.get(symbol_name(token[0]))
        return token[0] if name is None else quote(name)

    return _TOKEN.sub(change, text)


def _declarations(script: Script, without: frozenset[str]) -> str | None:
    commands = [
        c for c in script.commands if not isinstance(c, SetLogic | Assert) and print_command(c) not in without
    ]
    return print_declarations(Script(tuple(commands)))


def _asserted(script: Script) -> str:
    return print_script(Script(tuple(c for c in script.commands if isinstance(c, Assert))))


def _tokens(text: str) -> set[str]:
    return {symbol_name(token) for chunk in chunks(text) for token in chunk.tokens if is_symbol(token)}


def _names(script: Script, without: frozenset[str]) -> list[str]:
    """The names a script introduces, in order: declared symbols and bound variables."""
    names: dict[str, None] = {}
    for command in script.commands:
        if isinstance(command, DeclareDatatypes) and print_command(command) in without:
            continue
        names.update(dict.fromkeys(names_declared_by(command)))
        for term in _terms(command):
            for part in subterms(term):
                for slot in range(len(children(part))):
                    names.update((binder.name, None) for binder in binders_at(part, slot))
        if isinstance(command, DefineFun):
            names.update((binder.name, None) for binder in command.binders)
        elif isinstance(command, DefineFunsRec):
            names.update((binder.name, None) for some in command.binders for binder in some)
    # The wildcard of a `match` pattern.
    names.pop("_", None)
    return list(names)


def _terms(command: Command) -> tuple[Term, ...]:
    if isinstance(command, Assert):
        return (command.term,)
    if isinstance(command, DefineFun):
        return (command.body,)
    return command.bodies if isinstance(command, DefineFunsRec) else ()


def _shared_datatypes(first: Script, second: Script) -> frozenset[str]:
    """Datatypes over theory sorts that both scripts declare identically: they are declared once."""
    texts = {print_command(c) for c in first.commands if isinstance(c, DeclareDatatypes)}
    datatypes = []
    for command in second.commands:
        if isinstance(command, DeclareDatatypes) and (text := print_command(command)) in texts:
            others = _names(first, frozenset([text])) + _names(second, frozenset([text]))
            if _tokens(text).isdisjoint(others):
                datatypes.append(text)
    return frozenset(datatypes)


def _rename_testers(names: dict[str, str], script: Script) -> None:
    """Renames `is-c`, the tester of a constructor `c`, along with the constructor."""
    for command in script.commands:
        if isinstance(command, DeclareDatatypes):
            for datatype in command.datatypes:
                for constructor in datatype.constructors:
                    names.pop(f"is-{constructor.name}", None)
                    if constructor.name in names:
                        names[f"is-{constructor.name}"] = f"is-{names[constructor.name]}"
