"""Drops parameters of declared functions, and constructors and fields of datatypes."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, ReplaceScript
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.smtlib.maps.script_map import ScriptMap
from falsum.smtlib.scripts import Constructor, Datatype, DeclareDatatypes, DeclareFun
from falsum.smtlib.terms import App, Function, Match, Term


class DropParameters:
    """`(declare-fun f (Int Int) Int) (assert (= (f x y) 0))`
    → `(declare-fun f (Int) Int) (assert (= (f y) 0))`.
    """

    name = "drop-parameters"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for command in outline.script.commands:
            if not isinstance(command, DeclareFun) or not command.function.args or command.rest:
                continue
            if command.word not in ("declare-fun", "declare-const"):
                continue
            count = len(command.function.args)
            every = [frozenset(range(count)), *(frozenset([n]) for n in range(count) if count > 1)]
            for rank, dropped in enumerate(every):
                script = _FewerParameters(command.function, dropped).script(outline.script)
                if script is not None:
                    yield ReplaceScript(script, rank)


class _FewerParameters(ScriptMap):
    """Removes parameters of a function, and the arguments of its applications."""

    def __init__(self, function: Function, dropped: frozenset[int]) -> None:
        super().__init__()
        self._function = function
        self._dropped = dropped

    def function(self, symbol: Function) -> Function:
        if symbol is not self._function:
            return symbol
        args = tuple(sort for n, sort in enumerate(symbol.args) if n not in self._dropped)
        return Function(symbol.name, args, symbol.result, symbol.params, symbol.role, symbol.subject)

    def arguments(self, symbol: Function, args: tuple[Term, ...]) -> tuple[Term, ...]:
        if symbol is not self._function:
            return args
        return tuple(arg for n, arg in enumerate(args) if n not in self._dropped)


class ShrinkDatatypes:
    """`((nil) (cons (head Int) (tail L)) (leaf))` → `((nil) (cons (tail L)))`.

    Drops constructors that do not occur, and fields whose selector does not occur.
    """

    name = "shrink-datatypes"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        names = _mentioned(outline)
        if names is None:
            return
        now = Measurer().weight(outline.script)
        for command in outline.script.commands:
            if not isinstance(command, DeclareDatatypes) or command.rest:
                continue
            for datatype in command.datatypes:
                for rank, other in enumerate(_smaller(datatype, names)):
                    script = _OtherDatatype(datatype, other).script(outline.script)
                    if script is not None and Measurer().weight(script) < now:
                        yield ReplaceScript(script, rank)


def _mentioned(outline: Outline) -> set[str] | None:
    """Names of constructors, selectors, testers and updaters that occur; None if the script has a `match`."""
    names: set[str] = set()
    for node in outline.nodes:
        if isinstance(node, Match):
            return None
        if isinstance(node, App) and isinstance(node.head.symbol, Function):
            names.update((node.head.symbol.name, node.head.symbol.subject))
    return names


def _smaller(datatype: Datatype, used: set[str]) -> Iterator[Datatype]:
    constructors = datatype.constructors
    for dropped in constructors:
        names = [dropped.name, *(name for name, _ in dropped.selectors)]
        if len(constructors) > 1 and not any(name in used for name in names):
            yield datatype._replace(constructors=tuple(c for c in constructors if c is not dropped))
    for number, constructor in enumerate(constructors):
        for name, _ in constructor.selectors:
            if name not in used:
                selectors = tuple(field for field in constructor.selectors if field[0] != name)
                others = (*constructors[:number], Constructor(constructor.name, selectors))
                yield datatype._replace(constructors=(*others, *constructors[number + 1 :]))


class _OtherDatatype(ScriptMap):
    """Replaces a datatype by one with fewer constructors or fields."""

    def __init__(self, old: Datatype, new: Datatype) -> None:
        super().__init__()
        self._old, self._new = old, new
        fields = {c.name: [name for name, _ in c.selectors] for c in new.constructors}
        self._kept = {
            c.name: [n for n, (name, _) in enumerate(c.selectors) if name in fields[c.name]]
            for c in old.constructors
            if c.name in fields
        }

    def datatype(self, datatype: Datatype) -> Datatype:
        return self._new if datatype is self._old else datatype

    def function(self, symbol: Function) -> Function:
        if not self._is_constructor(symbol):
            return symbol
        args = tuple(symbol.args[n] for n in self._kept[symbol.name])
        return Function(symbol.name, args, symbol.result, symbol.params, symbol.role, symbol.subject)

    def arguments(self, symbol: Function, args: tuple[Term, ...]) -> tuple[Term, ...]:
        if not self._is_constructor(symbol):
            return args
        return tuple(args[n] for n in self._kept[symbol.name])

    def _is_constructor(self, symbol: Function) -> bool:
        return (
            symbol.role == "constructor"
            and symbol.result.name == self._old.name
            and symbol.name in self._kept
        )
