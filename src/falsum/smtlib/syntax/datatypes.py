"""Reads declarations of datatypes, in the standard's form and in older ones, and declares their functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from falsum.smtlib.scripts import Constructor, Datatype
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.syntax.identifiers import tester
from falsum.smtlib.syntax.scope import SortName
from falsum.smtlib.terms import Function
from falsum.smtlib.text.lexer import Chunk, quote, token_text

if TYPE_CHECKING:
    from falsum.smtlib.syntax.parser import Parser


def read(parser: Parser, word: str) -> tuple[tuple[Datatype, ...], str]:
    """Reads from after `(declare-datatype` or `(declare-datatypes` to the closing parenthesis.

    Attributes may follow (z3's `:subterm name`, a predicate on two values); they are kept as text.
    """
    if not word.endswith("s"):
        name = parser.symbol()
        parser.expect("(")
        _announce(parser, name, None)
        datatypes = [_datatype(parser, name, None)]
    else:
        parser.expect("(")
        token = parser.next()
        datatypes = _standard(parser) if token == "(" else _older(parser, token)
    rest = parser.verbatim_rest()
    if rest and rest[0] != ":":
        parser.fail(f"expected ), found {token_text(rest)}")
    for datatype in datatypes:
        declare(parser, datatype)
    words = rest.split()
    if words[:1] == [":subterm"] and len(words) == 2:
        sort = datatypes[0].sort
        parser.declare(Function(parser.symbol(words[1]), (sort, sort), BOOL, datatypes[0].params, "subterm"))
    return tuple(datatypes), rest


def _standard(parser: Parser) -> list[Datatype]:
    """`((List 1)) ((par (X) ((nil) (cons …))))`."""
    names: list[tuple[str, int]] = []
    token = "("
    while token == "(":
        names.append((parser.symbol(), parser.numeral()))
        parser.expect(")")
        token = parser.next()
    if token != ")":
        parser.fail("expected (name arity) or )")
    for name, arity in names:
        _announce(parser, name, arity)
    parser.expect("(")
    out = []
    for name, arity in names:
        parser.expect("(")
        out.append(_datatype(parser, name, arity))
    parser.expect(")")
    return out


def _older(parser: Parser, token: str) -> list[Datatype]:
    """`(T …) ((List nil (cons (hd T) (tl List))))`: parameters for all, names with their constructors."""
    params = []
    while token != ")":
        params.append(Sort.parameter(parser.symbol(token)))
        token = parser.next()
    parser.expect("(")
    # All names must be known before the first constructor is read, so the constructors' tokens are kept.
    bodies: list[tuple[str, tuple[Chunk, int], list[str]]] = []
    while (token := parser.next()) == "(":
        bodies.append((parser.symbol(), parser.place(), _raw_items(parser)))
    if token != ")":
        parser.fail(f"expected (name constructors …) or ), found {token_text(token)}")
    parameters = tuple(params)
    # Inside, the name alone means the datatype with the same parameters.
    for name, _, _ in bodies:
        body = Sort(name, (), parameters)
        _announce(parser, name, 0)
        parser.scope.declare_sort(name, SortName(0, 0, (), body) if parameters else SortName(0, 0))
    out = []
    with sort_parameters(parser, parameters):
        for name, place, tokens in bodies:
            constructors = []
            if not tokens:
                parser.fail(f"datatype {quote(name)} has no constructor")
            with parser.replay(place, tokens):
                while (first := next(parser.tokens, None)) is not None:
                    constructors.append(_constructor(parser, first))
            out.append(Datatype(name, parameters, tuple(constructors)))
    for name, _, _ in bodies:
        parser.scope.declare_sort(name, SortName(0, len(parameters)))
    return out


def _raw_items(parser: Parser) -> list[str]:
    """All tokens up to the parenthesis that closes the current one."""
    out: list[str] = []
    depth = 1
    while True:
        token = parser.next()
        depth += (token == "(") - (token == ")")
        if not depth:
            return out
        out.append(token)


def _items(parser: Parser) -> Iterator[str]:
    while (token := parser.next()) != ")":
        yield token


def _announce(parser: Parser, name: str, arity: int | None) -> None:
    if not parser.scope.is_fresh_sort(name):
        parser.fail(f"sort {quote(name)} is already declared")
    parser.scope.declare_sort(name, SortName(0, -1 if arity is None else arity))


def _datatype(parser: Parser, name: str, arity: int | None) -> Datatype:
    """Reads from after the parenthesis in front of the constructors or of `par`."""
    token = parser.next()
    params: tuple[Sort, ...] = ()
    if token == "par":
        parser.expect("(")
        params = tuple(Sort.parameter(parser.symbol(t)) for t in _items(parser))
        parser.expect("(")
        token = parser.next()
    if arity is not None and arity != len(params):
        parser.fail(f"datatype {quote(name)} has arity {arity}, but {len(params)} parameters")
    parser.scope.declare_sort(name, SortName(0, len(params)))
    constructors = []
    with sort_parameters(parser, params):
        while token != ")":
            constructors.append(_constructor(parser, token))
            token = parser.next()
    if params:
        parser.expect(")")
    if not constructors:
        parser.fail(f"datatype {quote(name)} has no constructor")
    return Datatype(name, params, tuple(constructors))


def _constructor(parser: Parser, token: str) -> Constructor:
    """`(cons (head X) (tail (List X)))`, or a name alone."""
    if token != "(":
        return Constructor(parser.symbol(token), ())
    name = parser.symbol()
    selectors = []
    while (token := parser.next()) == "(":
        selector = parser.symbol()
        selectors.append((selector, parser.sort()))
        parser.expect(")")
    if token != ")":
        parser.fail("expected (selector sort) or )")
    return Constructor(name, tuple(selectors))


def declare(parser: Parser, datatype: Datatype) -> None:
    """Declares constructors, selectors and testers."""
    parser.scope.declare_datatype(datatype)
    sort, params = datatype.sort, datatype.params
    for name, selectors in datatype.constructors:
        sorts = tuple(sort_ for _, sort_ in selectors)
        constructor = Function(name, sorts, sort, params, "constructor")
        parser.declare(constructor)
        for selector, result in selectors:
            parser.declare(Function(selector, (sort,), result, params, "selector"))
        parser.scope.declare_quietly(tester(constructor))


@contextmanager
def sort_parameters(parser: Parser, params: tuple[Sort, ...]) -> Iterator[None]:
    """Makes sort parameters known while a declaration is read; two of one name are an error."""
    if len(set(params)) < len(params):
        parser.fail("duplicate sort parameter")
    sorts = parser.scope.sorts
    keys = [quote(param.name) for param in params]
    outer = {key: sorts.get(key) for key in keys}
    for key, param in zip(keys, params, strict=True):
        sorts[key] = SortName(0, 0, (), param)
    try:
        yield
    finally:
        for key, old in outer.items():
            if old is None:
                del sorts[key]
            else:
                sorts[key] = old


def declare_builtin_list(parser: Parser) -> None:
    """Declares z3's predefined lists, when a script first uses their sort."""
    element = Sort.parameter("T")
    this = Sort("List", (), (element,))
    parser.scope.declare_sort("List", SortName(0, 1))
    constructors = (
        Constructor("nil", ()),
        Constructor("insert", (("head", element), ("tail", this))),
    )
    declare(parser, Datatype("List", (element,), constructors))
