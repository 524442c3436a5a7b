"""Turns a script into the lines of a trace, so that a run can go on from where the script ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from falsum.api.actions.claims import claim_line
from falsum.api.model.mirror import DECLARED
from falsum.api.model.values import written_value
from falsum.api.trace import Line
from falsum.errors import UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    DeclareFun,
    DeclareSort,
    DefineFun,
    Plain,
    Pop,
    Push,
    Script,
    SetInfo,
    SetLogic,
    SetOption,
    WithTerms,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import Annotated, App, Function, Head, Let, Quantifier, Term, Value, Var
from falsum.smtlib.theories import SORTS, kind_of
from falsum.smtlib.walk import children, subterms, transform

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror

# What a run does by itself, in its own way.
_LEFT_OUT = (SetLogic, SetOption, SetInfo, Plain, WithTerms)
_NUMBERS = frozenset(["Int", "Real"])


def theories_of(script: Script) -> tuple[str, ...]:
    """The theories that the terms of a script need."""
    theories: dict[str, None] = {}
    for command in script.commands:
        if isinstance(command, DeclareSort) or (isinstance(command, DeclareFun) and command.function.args):
            theories["uf"] = None
        for term in command.terms if isinstance(command, CheckSatAssuming) else _terms(command):
            for part in subterms(term):
                theories.update(dict.fromkeys(_families(part.sort)))
                if isinstance(part, Quantifier):
                    theories["quantifiers"] = None
    return tuple(theories)


def _terms(command: object) -> tuple[Term, ...]:
    if isinstance(command, Assert):
        return (command.term,)
    return (command.body,) if isinstance(command, DefineFun) else ()


def _families(sort: Sort) -> Iterator[str]:
    todo = [sort]
    while todo:
        part = todo.pop()
        if part.name in SORTS and SORTS[part.name].family:
            yield SORTS[part.name].family
        todo += part.args


class ScriptLines:
    """The lines of one script; each must be applied to the mirror before the next one is drawn.

    Raises UsageError for what has no call, or what the library does not have.
    """

    def __init__(self, script: Script, mirror: Mirror) -> None:
        self._script = script
        self._mirror = mirror
        self._names: dict[Term, str] = {}
        self._functions: dict[Function, str] = {}
        self._sorts: dict[Sort, str] = {}
        self._definitions: dict[Function, DefineFun] = {}

    def __iter__(self) -> Iterator[Line]:
        status = ""
        for command in self._script.commands:
            if isinstance(command, SetInfo) and command.keyword == ":status":
                status = command.value
            elif isinstance(command, DefineFun):
                self._definitions[command.function] = command
            elif isinstance(command, CheckSat):
                if status in ("sat", "unsat"):
                    yield claim_line(self._mirror, status)
                yield Line("check")
            elif not isinstance(command, _LEFT_OUT):
                yield from self._lines(command)

    def _lines(self, command: object) -> Iterator[Line]:
        if isinstance(command, DeclareSort) and not command.arity:
            result = self._mirror.next_sort()
            self._sorts[Sort(command.name)] = result
            yield Line("declare-sort", (f"{DECLARED}{result}",), (result,))
        elif isinstance(command, DeclareFun):
            yield from self._constant(command.function)
        elif isinstance(command, Assert):
            yield from self._term(command.term)
            yield Line("assert", (self._name(command.term),))
        elif isinstance(command, CheckSatAssuming):
            for term in command.terms:
                yield from self._term(term)
            yield Line("check", tuple(map(self._name, command.terms)))
        elif isinstance(command, (Push, Pop)):
            if command.levels:
                yield Line("push" if isinstance(command, Push) else "pop", (str(command.levels),))
        else:
            raise UsageError(f"no call does what {type(command).__name__} does")

    def _constant(self, function: Function) -> Iterator[Line]:
        if not all(kind_of(each).may_be_declared for each in (*function.args, function.result)):
            raise UsageError(f"no call declares {function.name}, because of its sort")
        sort = Sort("->", (), (*function.args, function.result)) if function.args else function.result
        yield from self._sort(sort)
        result = self._mirror.next_term()
        self._functions[function] = result
        letter = "f" if function.args else "x"  # other names might be those of later terms
        yield Line("const", (self._sorts[sort], f"{letter}{result[1:]}"), (result,))

    def _sort(self, sort: Sort) -> Iterator[Line]:
        todo = [sort]
        while todo:
            part = todo.pop()
            if part in self._sorts:
                continue
            missing = [arg for arg in part.args if arg not in self._sorts]
            if missing:
                todo += [part, *missing]
                continue
            if (there := self._mirror.name_of(part)) is not None:
                self._sorts[part] = there
                continue
            words = (*map(str, part.indices), *(self._sorts[arg] for arg in part.args))
            self._sorts[part] = self._mirror.next_sort()
            yield Line("sort", (part.name, *words), (self._sorts[part],))

    # -- terms -------------------------------------------------------------------------------------

    def _name(self, term: Term) -> str:
        return self._names[self._plain(term)]

    def _plain(self, term: Term) -> Term:
        """The term without names, `let` and defined functions."""

        def expanded(part: Term) -> Term | None:
            if isinstance(part, Annotated):
                return part.body
            if isinstance(part, Let):
                return substitute(part.body, dict(zip(part.binders, part.values, strict=True)))
            symbol = part.head.symbol if isinstance(part, App) else None
            if not isinstance(part, App) or not isinstance(symbol, Function):
                return None
            if symbol not in self._definitions:
                return None
            definition = self._definitions[symbol]
            body = self._plain(definition.body)
            return substitute(body, dict(zip(definition.binders, part.args, strict=True)))

        return transform(term, expanded)

    def _term(self, term: Term) -> Iterator[Line]:
        for part in _parts_first(self._plain(term)):
            if part not in self._names:
                if isinstance(part, (Value, Var)) or (
                    isinstance(part, App) and part.head.qualifier is not None
                ):
                    yield from self._sort(part.sort)
                line = self._line_of(part)
                if line is not None:
                    yield line

    def _line_of(self, part: Term) -> Line | None:
        """The line that makes a term of parts that are made; None if it has been declared."""
        if isinstance(part, App) and isinstance(part.head.symbol, Function) and not part.args:
            self._names[part] = self._function(part.head.symbol)
            return None
        result = self._mirror.next_term()
        self._names[part] = result
        if isinstance(part, Value):
            text = written_value(part.sort, part.payload)
            if text is None:
                raise UsageError(f"the value {part} cannot be written in a trace")
            return Line("value", (self._sorts[part.sort], text), (result,))
        if isinstance(part, Var):
            return Line("var", (self._sorts[part.sort], f"v{result[1:]}"), (result,))
        if isinstance(part, Quantifier):
            return Line("term", (part.kind, *self._all((*part.binders, part.body))), (result,))
        if not isinstance(part, App):
            raise UsageError(f"no call makes a {type(part).__name__.lower()}")
        return Line("term", self._application(part), (result,))

    def _application(self, part: App) -> tuple[str, ...]:
        symbol, args = part.head.symbol, self._all(part.args)
        if isinstance(symbol, Function):
            return ("apply", self._function(symbol), *args)
        if symbol.name not in self._mirror.operators or _mixes_kinds(part):
            raise UsageError(f"{self._mirror.capabilities.product} has no call for {symbol.name}")
        qualifier = ("as", self._sorts[part.sort]) if part.head.qualifier is not None else ()
        return (_head_text(part.head, symbol), *args, *qualifier)

    def _function(self, symbol: Function) -> str:
        if symbol not in self._functions:
            raise UsageError(f"no call declares {symbol.name}")
        return self._functions[symbol]

    def _all(self, terms: tuple[Term, ...]) -> tuple[str, ...]:
        return tuple(self._names[term] for term in terms)


def _parts_first(term: Term) -> Iterator[Term]:
    """Every distinct subterm and bound variable once, after its parts."""
    todo, seen = [(term, False)], set[Term]()
    while todo:
        part, is_complete = todo.pop()
        if is_complete:
            yield part
        elif part not in seen:
            seen.add(part)
            todo.append((part, True))
            bound = part.binders if isinstance(part, Quantifier) else ()
            todo += [(child, False) for child in reversed((*bound, *children(part)))]


def _head_text(head: Head, symbol: Operator) -> str:
    return f"{symbol.name}[{','.join(map(str, head.indices))}]" if head.indices else symbol.name


def _mixes_kinds(part: App) -> bool:
    """Whether integers stand for reals, or functions for terms, which some libraries refuse."""
    names = {arg.sort.name for arg in part.args}
    return names >= _NUMBERS or "->" in names
