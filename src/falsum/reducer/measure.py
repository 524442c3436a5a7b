"""The measure: a total order on scripts. Only smaller scripts are accepted, so every reduction terminates.

    (weight, length of the text, text)

The weight counts what a reader has to understand: symbols, arguments, bindings, commands. It comes before the
length so that deep structure with short names does not win. A value weighs less than a name, so a variable
may always be replaced by a value; arguments have weight, so an asserted conjunction may be split; a `let` is
heavy, so small values are inlined. Among scripts of equal weight the shorter text is smaller, then the one
that comes first alphabetically: 0 before 1, `a` before `b`.
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

from falsum.smtlib.maps.command_terms import terms_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    NotUnderstood,
    Plain,
    Pop,
    Push,
    Script,
    SetInfo,
    SetLogic,
    SetOption,
    SynthFun,
    WithTerms,
)
from falsum.smtlib.terms import Annotated, App, Lambda, Let, Match, Quantifier, Term, Value, Var
from falsum.smtlib.walk import children

NAME: Final = 2
BINDING: Final = 3
LET_BINDING: Final = 10
DECLARATION: Final = 2
_MAX_CACHED: Final = 400_000
_MAX_CACHED_LENGTH: Final = 2_000


class Measure(NamedTuple):
    """The measure, compared from left to right."""

    weight: int
    length: int
    text: str


def own_weight(term: Term) -> int:
    """The weight of a term without its subterms."""
    if isinstance(term, Value):
        return 1
    if isinstance(term, Var):
        return NAME
    if isinstance(term, App):
        symbol, qualifier = term.head.symbol, term.head.qualifier
        extra = 0 if qualifier is None else qualifier.size
        if term.args:
            implicit = isinstance(symbol, Operator) and symbol.is_implicit
            return (0 if implicit else 1 + len(term.args)) + extra
        is_interpreted = isinstance(symbol, Operator) or symbol.role == "constructor"
        return (1 if is_interpreted else NAME) + extra
    if isinstance(term, Quantifier | Lambda):
        return 1 + sum(BINDING + binder.sort.size for binder in term.binders)
    if isinstance(term, Let):
        return 1 + LET_BINDING * len(term.binders)
    if isinstance(term, Match):
        return 1 + sum(2 + len(case.binders) for case in term.cases)
    if isinstance(term, Annotated):
        return 1 + 2 * len(term.attributes)
    assert_never(term)


def _command_weight(command: Command) -> int:
    """The weight of a command without its terms."""
    match command:
        case Assert() | CheckSat():
            return 1
        case DeclareFun():
            function = command.function
            return DECLARATION + function.result.size + sum(sort.size for sort in function.args)
        case DefineFun() | SynthFun():
            binders = sum(BINDING + binder.sort.size for binder in command.binders)
            return DECLARATION + 1 + command.function.result.size + binders
        case DefineFunsRec():
            binders = sum(BINDING + b.sort.size for some in command.binders for b in some)
            return 3 + binders + sum(3 + function.result.size for function in command.functions)
        case DefineSort():
            return 3 + command.body.size
        case DeclareDatatypes():
            every = [c for datatype in command.datatypes for c in datatype.constructors]
            fields = sum(2 + sort.size for c in every for _, sort in c.selectors)
            return 3 + 2 * len(command.datatypes) + 2 * len(every) + fields
        case CheckSatAssuming() | WithTerms():
            return 2 + len(terms_of(command))
        case SetLogic() | Push() | Pop() | Plain():
            return 2
        case SetOption() | SetInfo() | DeclareSort() | NotUnderstood():
            return 3


class Measurer:
    """Measures scripts; caches the weights of terms and the texts of commands."""

    def __init__(self) -> None:
        self._weights: dict[Term, int] = {}
        self._texts: dict[Command, str] = {}

    def measure(self, script: Script) -> Measure:
        text = self.text(script)
        return Measure(self.weight(script), len(text), text)

    def text(self, script: Script) -> str:
        # A script of many commands must fit, or each measurement would print all of it again.
        if len(self._texts) > max(_MAX_CACHED // 40, 2 * len(script.commands)):
            self._texts.clear()
        return "".join([self._command_text(command) for command in script.commands])

    def weight(self, script: Script) -> int:
        if len(self._weights) > _MAX_CACHED:
            self._weights.clear()
        return sum(self.command_weight(command) for command in script.commands)

    def command_weight(self, command: Command) -> int:
        return _command_weight(command) + sum(map(self.term_weight, terms_of(command)))

    def term_weight(self, term: Term) -> int:
        """The weight of a term as it is printed: a shared subterm counts every time it occurs."""
        weights = self._weights
        todo = [term]
        while todo:
            current = todo[-1]
            if current in weights:
                todo.pop()
                continue
            parts = children(current)
            waiting = [part for part in parts if part not in weights]
            if waiting:
                todo.extend(waiting)
                continue
            todo.pop()
            weights[current] = own_weight(current) + sum([weights[part] for part in parts])
        return weights[term]

    def _command_text(self, command: Command) -> str:
        text = self._texts.get(command)
        if text is None:
            text = print_command(command) + "\n"
            # A long command is rarely printed twice: it is where the edits are.
            if len(text) <= _MAX_CACHED_LENGTH:
                self._texts[command] = text
        return text
