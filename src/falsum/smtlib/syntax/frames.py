"""Frames: the state of the parser in open binders, annotations and matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from falsum.smtlib.sorts import BOOL, Sort, function, match, substitute
from falsum.smtlib.terms import (
    Attribute,
    Function,
    Head,
    MatchCase,
    Term,
    annotated,
    lambda_,
    let,
    match_,
    quantifier,
    var,
)
from falsum.smtlib.text.lexer import quote

if TYPE_CHECKING:
    from falsum.smtlib.sorts import Bindings
    from falsum.smtlib.syntax.parser import Parser


class LetFrame:
    """`(let ((x t) …) body)`."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.values: list[Term] = []
        self.saved: list[Saved] = []

    def part(self, parser: Parser) -> PartFrame:
        self.names.append(parser.symbol())
        return PartFrame(self)

    def add(self, parser: Parser, term: Term) -> None:
        del parser
        self.values.append(term)

    def end_of_parts(self, parser: Parser) -> None:
        if len(set(self.names)) < len(self.names):
            parser.fail("let binds a variable twice")
        pairs = zip(self.names, self.values, strict=True)
        self.saved = parser.bind([(name, value.sort) for name, value in pairs])

    def close(self, parser: Parser, args: list[Term]) -> Term:
        body = parser.only(args, "let")
        parser.unbind(self.saved)
        pairs = zip(self.names, self.values, strict=True)
        return let(tuple(var(n, v.sort) for n, v in pairs), tuple(self.values), body)


class MatchFrame:
    """`(match t ((pattern body) …))`; the cases are read after the subject."""

    def __init__(self) -> None:
        self.subject: Term | None = None
        self.cases: list[MatchCase] = []
        self.pattern: tuple[Head | None, list[tuple[str, Sort]]] = (None, [])
        self.saved: list[Saved] = []
        self.is_complete = False

    def part(self, parser: Parser) -> PartFrame:
        self.pattern = self._read_pattern(parser)
        self.saved = parser.bind(self.pattern[1])
        return PartFrame(self)

    def _read_pattern(self, parser: Parser) -> tuple[Head | None, list[tuple[str, Sort]]]:
        assert self.subject is not None
        sort = self.subject.sort
        token = parser.next()
        is_list = token == "("
        name = parser.symbol() if is_list else parser.symbol(token)
        if not is_list and name in ("_", "case") and token == "case":
            parser.fail("the old form of match is not supported; write (match term ((pattern term) …))")
        constructor = _constructor(parser, name, sort)
        if constructor is None:
            if is_list:
                parser.fail(f"{quote(name)} is not a constructor of {sort}")
            return None, [(name, sort)]
        bindings: Bindings = {}
        match(constructor.result, sort, bindings)
        names: list[str] = []
        while is_list and (token := parser.next()) != ")":
            names.append(parser.symbol(token))
        if len(names) != len(constructor.args):
            parser.fail(f"constructor {quote(name)} takes {len(constructor.args)} arguments")
        # Only `_` may occur more than once.
        variables = [n for n in names if n != "_"]
        if len(set(variables)) < len(variables):
            parser.fail("a pattern names a variable twice")
        sorts = [substitute(arg, bindings) for arg in constructor.args]
        return Head(constructor), list(zip(names, sorts, strict=True))

    def add(self, parser: Parser, term: Term) -> None:
        parser.unbind(self.saved)
        head, names = self.pattern
        self.cases.append(MatchCase(head, tuple(var(n, s) for n, s in names), term))

    def end_of_parts(self, parser: Parser) -> None:
        del parser
        self.is_complete = True

    def close(self, parser: Parser, args: list[Term]) -> Term:
        if self.subject is None or not self.is_complete or args:
            parser.fail("expected (match term (cases …))")
        self._check_cases(parser, self.subject.sort)
        return match_(self.subject, tuple(self.cases))

    def _check_cases(self, parser: Parser, sort: Sort) -> None:
        datatype = parser.scope.datatypes.get(sort.name)
        if datatype is None:
            parser.fail(f"match expects a term of a datatype, not one of sort {sort}", opening=True)
        if not self.cases or any(case.constructor is None for case in self.cases):
            return
        covered = {case.constructor.name for case in self.cases if case.constructor is not None}
        missing = [name for name, _ in datatype.constructors if name not in covered]
        if missing:
            parser.fail(f"match has no case for {quote(missing[0])}", opening=True)


class PartFrame:
    """One binding of a let or one case of a match."""

    def __init__(self, owner: LetFrame | MatchFrame) -> None:
        self.owner = owner

    def close(self, parser: Parser, args: list[Term]) -> None:
        self.owner.add(parser, parser.only(args, "binding"))


class BinderFrame:
    """`forall`, `exists`, `lambda` and other binders of sorted variables."""

    def __init__(self, parser: Parser, kind: str) -> None:
        self.kind = kind
        self.names = parser.sorted_vars()
        if not self.names:
            parser.fail(f"{kind} binds no variable")
        self.saved = parser.bind(self.names)

    def close(self, parser: Parser, args: list[Term]) -> Term:
        parser.unbind(self.saved)
        binders = tuple(var(name, sort) for name, sort in self.names)
        if self.kind in ("forall", "exists"):
            return quantifier(self.kind, binders, parser.only(args, self.kind))
        if self.kind == "lambda":
            body = parser.only(args, self.kind)
            sorts = tuple(binder.sort for binder in binders)
            return lambda_(self.kind, binders, (body,), function(sorts, body.sort))
        if self.kind == "set.comprehension":
            if len(args) != 2 or args[0].sort is not BOOL:
                parser.fail("set.comprehension expects a Bool term and a term for the elements")
            return lambda_(self.kind, binders, tuple(args), Sort("Set", (), (args[1].sort,)))
        body = parser.only(args, self.kind)
        if body.sort is not BOOL:
            parser.fail(f"{self.kind} expects a Bool body, not one of sort {body.sort}", opening=True)
        return lambda_(self.kind, binders, (body,), binders[0].sort)


class AnnotationFrame:
    """`(! term :attribute value …)`."""

    def __init__(self) -> None:
        self.attributes: list[Attribute] = []

    def close(self, parser: Parser, args: list[Term]) -> Term:
        body = parser.only(args, "!")
        if not self.attributes:
            parser.fail("an annotation needs an attribute")
        for attribute in self.attributes:
            if attribute.keyword == ":named" and isinstance(attribute.value, str):
                name = parser.symbol(attribute.value)
                parser.declare(Function(name, (), body.sort, role="named"))
        return annotated(body, tuple(self.attributes))


class TermListFrame:
    """The terms of an attribute's value: `:pattern (t …)`."""

    def __init__(self, owner: AnnotationFrame, keyword: str) -> None:
        self.owner = owner
        self.keyword = keyword

    def close(self, parser: Parser, args: list[Term]) -> None:
        del parser
        self.owner.attributes.append(Attribute(self.keyword, tuple(args)))


def _constructor(parser: Parser, name: str, sort: Sort) -> Function | None:
    for function_ in parser.scope.functions(quote(name)):
        if function_.role == "constructor" and match(function_.result, sort, {}):
            return function_
    return None


# What a bound variable hides: its key, and the term and the function that the key meant.
Saved: TypeAlias = "tuple[str, Term | None, Head | tuple[Head, ...] | None]"
Special: TypeAlias = LetFrame | MatchFrame | PartFrame | BinderFrame | AnnotationFrame | TermListFrame
# What is open: nothing, an application (with one head, or several to choose from), or a special frame.
Frame: TypeAlias = Head | tuple[Head, ...] | Special | None
