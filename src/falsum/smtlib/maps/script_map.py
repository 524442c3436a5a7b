"""ScriptMap: rebuilds a whole script with other sorts, functions or names, consistently everywhere."""

from __future__ import annotations

from dataclasses import replace

from falsum.errors import SortError, UsageError
from falsum.smtlib.maps.command_terms import binders_of, terms_of, with_terms
from falsum.smtlib.scripts import (
    Command,
    Constructor,
    Datatype,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    Script,
    SynthFun,
)
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import (
    Annotated,
    App,
    Attribute,
    Function,
    Head,
    Lambda,
    Let,
    Match,
    MatchCase,
    Quantifier,
    Term,
    Value,
    Var,
    annotated,
    app,
    lambda_,
    let,
    match_,
    quantifier,
    var,
)
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.walk import children, rebuild


class UnmappableError(Exception):
    """The map cannot be applied to some term of the script."""


class ScriptMap:
    """The identity; subclasses override the methods for what they change."""

    def __init__(self) -> None:
        self._done: dict[Term, Term] = {}

    def sort(self, sort: Sort) -> Sort:
        return sort

    def value(self, term: Value) -> Term:
        return term

    def variable(self, name: str) -> str:
        return name

    def function_name(self, name: str) -> str:
        return name

    def arguments(self, symbol: Function, args: tuple[Term, ...]) -> tuple[Term, ...]:
        del symbol
        return args

    def function(self, symbol: Function) -> Function:
        args, result = tuple(map(self.sort, symbol.args)), self.sort(symbol.result)
        prefix = {"tester": "is-", "updater": "update-"}.get(symbol.role, "")
        subject = self.function_name(symbol.subject) if symbol.subject else ""
        name = f"{prefix}{subject}" if prefix else self.function_name(symbol.name)
        return Function(name, args, result, symbol.params, symbol.role, subject)

    def operator_head(self, term: App, args: tuple[Term, ...]) -> Head:
        """The new head of an application of an operator, given the new arguments."""
        del args
        head = term.head
        if head.qualifier is None:
            return head
        return Head(head.symbol, head.indices, self.sort(head.qualifier))

    def script(self, script: Script) -> Script | None:
        """The new script; None if it would not be well-sorted."""
        try:
            commands = (self.command(command) for command in script.commands)
            return Script(tuple(command for command in commands if command is not None))
        except (SortError, UsageError, UnmappableError):
            return None

    def command(self, command: Command) -> Command | None:
        """The new command; None drops it."""
        if isinstance(command, DeclareFun):
            return replace(command, function=self.function(command.function))
        if isinstance(command, DeclareSort | SynthFun | DefineSort):
            return command
        if isinstance(command, DeclareDatatypes):
            return replace(command, datatypes=tuple(map(self.datatype, command.datatypes)))
        terms = [self.term(term) for term in terms_of(command)]
        result = with_terms(command, terms)
        if isinstance(result, DefineFun):
            return replace(
                result, function=self.function(result.function), binders=self._binders(result.binders)
            )
        if isinstance(result, DefineFunsRec):
            binders = tuple(self._binders(binders_of(result, slot)) for slot in range(len(result.bodies)))
            return replace(result, functions=tuple(map(self.function, result.functions)), binders=binders)
        return result

    def datatype(self, datatype: Datatype) -> Datatype:
        constructors = [
            Constructor(
                self.function_name(name), tuple((self.function_name(n), self.sort(s)) for n, s in selectors)
            )
            for name, selectors in datatype.constructors
        ]
        return Datatype(datatype.name, datatype.params, tuple(constructors))

    def term(self, term: Term) -> Term:
        done = self._done
        todo = [term]
        while todo:
            current = todo[-1]
            if current in done:
                todo.pop()
                continue
            parts = children(current)
            waiting = [part for part in parts if part not in done]
            if waiting:
                todo.extend(waiting)
                continue
            todo.pop()
            done[current] = self._made(current, tuple(done[part] for part in parts))
        return done[term]

    def _made(self, term: Term, parts: tuple[Term, ...]) -> Term:
        match term:
            case Value():
                return self.value(term)
            case Var():
                return var(self.variable(term.name), self.sort(term.sort))
            case App():
                return self.applied(term, parts)
            case Quantifier():
                return quantifier(term.kind, self._binders(term.binders), parts[0])
            case Lambda():
                return lambda_(term.kind, self._binders(term.binders), parts, self.sort(term.sort))
            case Let():
                return let(self._binders(term.binders), parts[:-1], parts[-1])
            case Match():
                cases = zip(term.cases, parts[1:], strict=True)
                return match_(parts[0], tuple(self._case(case, body) for case, body in cases))
            case Annotated():
                return self._annotated(term, parts)

    def applied(self, term: App, parts: tuple[Term, ...]) -> Term:
        """The new application, given the new arguments."""
        symbol = term.head.symbol
        if not isinstance(symbol, Function):
            result = app(self.operator_head(term, parts), parts)
        else:
            result = app(self._function_head(term.head, symbol), self.arguments(symbol, parts))
        if result.sort is not self.sort(term.sort):
            raise UnmappableError
        return result

    def _function_head(self, head: Head, symbol: Function) -> Head:
        new = self.function(symbol)
        if new is symbol and head.qualifier is None:
            return head
        qualifier = None if head.qualifier is None else self.sort(head.qualifier)
        if symbol.role in ("tester", "updater"):
            # A tester is written `(_ is c)` or `is-c`: keep the spelling of the script.
            text = head.text.replace(symbol.subject, new.subject)
            return Head(new, head.indices, qualifier, text)
        return Head(new, head.indices, qualifier)

    def _case(self, case: MatchCase, body: Term) -> MatchCase:
        head = case.constructor
        if head is not None and isinstance(head.symbol, Function):
            head = self._function_head(head, head.symbol)
        return MatchCase(head, self._binders(case.binders), body)

    def _annotated(self, term: Annotated, parts: tuple[Term, ...]) -> Term:
        result = rebuild(term, parts)
        assert isinstance(result, Annotated)
        attributes = tuple(
            Attribute(a.keyword, self.function_name(symbol_name(a.value)))
            if a.keyword == ":named" and isinstance(a.value, str)
            else a
            for a in result.attributes
        )
        return annotated(result.body, attributes)

    def _binders(self, binders: tuple[Var, ...]) -> tuple[Var, ...]:
        return tuple(var(self.variable(b.name), self.sort(b.sort)) for b in binders)
