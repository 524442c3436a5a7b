"""Reads commands: one function for each kind, called after the command's name is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

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
    SetInfo,
    SetLogic,
    SetOption,
    SynthFun,
)
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.syntax import datatypes
from falsum.smtlib.syntax.lenience import convert
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.syntax.scope import SortName
from falsum.smtlib.terms import Function, Term, Var, var
from falsum.smtlib.text.lexer import quote, token_text


def _set_logic(parser: Parser, word: str) -> Command:
    del word
    name = parser.symbol()
    parser.scope.set_logic(name)
    parser.expect(")")
    return SetLogic(name)


def _set_option(parser: Parser, word: str) -> Command:
    keyword, value = _attribute(parser)
    if keyword == ":global-declarations":
        parser.scope.is_global = value == "true"
    if keyword == ":fresh-declarations":
        parser.scope.may_redeclare = value == "false"
    return SetOption(keyword, value) if word == "set-option" else SetInfo(keyword, value)


def _attribute(parser: Parser) -> tuple[str, str]:
    keyword = parser.next()
    if keyword[0] != ":":
        parser.fail(f"expected a :keyword, found {token_text(keyword)}")
    return keyword, parser.verbatim_rest()


def _declare_sort(parser: Parser, word: str) -> Command:
    name = parser.symbol()
    if word in ("declare-sort-parameter", "declare-type-var"):
        parser.expect(")")
        parser.scope.declare_sort(name, SortName(0, 0, (), Sort.parameter(name)))
        return DeclareSort(name, None, word)
    token = parser.next()
    arity = 0
    if token != ")":
        arity = parser.numeral(token)
        parser.expect(")")
    _new_sort(parser, name, SortName(0, arity))
    return DeclareSort(name, arity)


def _new_sort(parser: Parser, name: str, new: SortName) -> None:
    if not parser.scope.is_fresh_sort(name):
        parser.fail(f"sort {quote(name)} is already declared", opening=True)
    parser.scope.declare_sort(name, new)


def _define_sort(parser: Parser, word: str) -> Command:
    del word
    name = parser.symbol()
    parser.expect("(")
    names = _symbols(parser)
    params = tuple(map(Sort.parameter, names))
    with datatypes.sort_parameters(parser, params):
        body = parser.sort()
    parser.expect(")")
    _new_sort(parser, name, SortName(0, len(params), params, body))
    return DefineSort(name, params, body)


def _symbols(parser: Parser) -> list[str]:
    names = []
    while (token := parser.next()) != ")":
        names.append(parser.symbol(token))
    return names


def sorts_until_close(parser: Parser) -> tuple[Sort, ...]:
    sorts = []
    while (token := parser.next()) != ")":
        sorts.append(parser.sort(token))
    return tuple(sorts)


def new_function(name: str, args: tuple[Sort, ...], result: Sort, role: str = "declared") -> Function:
    """A function of the script; it is polymorphic if its rank has sort parameters."""
    params: dict[Sort, None] = {}
    todo = [*args, result]
    while todo:
        sort = todo.pop()
        if sort.is_parameter:
            params[sort] = None
        todo.extend(sort.args)
    return Function(name, args, result, tuple(sorted(params, key=lambda p: p.name)), role)


def _declare_fun(parser: Parser, word: str) -> Command:
    name = parser.symbol()
    args: tuple[Sort, ...] = ()
    if word in ("declare-fun", "declare-oracle-fun", "declare-rel"):
        parser.expect("(")
        args = sorts_until_close(parser)
    result = BOOL if word == "declare-rel" else parser.sort()
    rest = parser.verbatim_rest()
    if rest and word in ("declare-fun", "declare-const", "declare-var"):
        parser.fail(f"expected ), found {token_text(rest)}")
    symbol = new_function(name, args, result)
    parser.declare(symbol)
    return DeclareFun(symbol, word, rest)


def _synth_fun(parser: Parser, word: str) -> Command:
    name = parser.symbol()
    names = _parameters(parser)
    result = BOOL if word == "synth-inv" else parser.sort()
    outer_bindings = parser.bind(names)
    rest = parser.verbatim_rest()
    parser.unbind(outer_bindings)
    symbol = new_function(name, tuple(sort for _, sort in names), result)
    parser.declare(symbol)
    return SynthFun(symbol, _vars(names), word, rest)


def _parameters(parser: Parser) -> list[tuple[str, Sort]]:
    names = parser.sorted_vars()
    if len({name for name, _ in names}) < len(names):
        parser.fail("duplicate parameter")
    return names


def _vars(names: list[tuple[str, Sort]]) -> tuple[Var, ...]:
    return tuple(var(name, sort) for name, sort in names)


def _body(parser: Parser, names: list[tuple[str, Sort]], result: Sort) -> Term:
    """The body of a definition, converted to the declared result sort if solvers do so."""
    outer_bindings = parser.bind(names)
    body = parser.term()
    parser.unbind(outer_bindings)
    converted = convert(body, result)
    if converted is None:
        parser.fail(f"the body has sort {body.sort}, not {result}", opening=True)
    return converted


def _define_fun(parser: Parser, word: str) -> Command:
    name = parser.symbol()
    names = [] if word in ("define-const", "define") else _parameters(parser)
    if word == "define":
        return _define(parser, name)
    result = parser.sort()
    symbol = new_function(name, tuple(sort for _, sort in names), result, "defined")
    if word == "define-fun-rec":
        parser.declare(symbol)
    body = _body(parser, names, result)
    parser.expect(")")
    if word != "define-fun-rec":
        parser.declare(symbol)
    return DefineFun(symbol, _vars(names), body, word)


def _define(parser: Parser, name: str) -> Command:
    """cvc5's `(define f term)`: f has the sort of the term."""
    body = parser.term()
    parser.expect(")")
    symbol = new_function(name, (), body.sort, "defined")
    parser.declare(symbol)
    return DefineFun(symbol, (), body, "define")


def _define_funs_rec(parser: Parser, word: str) -> Command:
    del word
    parser.expect("(")
    functions, binders, results = [], [], []
    while (token := parser.next()) == "(":
        name = parser.symbol()
        names = _parameters(parser)
        result = parser.sort()
        parser.expect(")")
        functions.append(new_function(name, tuple(s for _, s in names), result, "defined"))
        binders.append(names)
        results.append(result)
    if token != ")":
        parser.fail(f"expected a function or ), found {token_text(token)}")
    for function in functions:
        parser.declare(function)
    parser.expect("(")
    bodies = [_body(parser, n, r) for n, r in zip(binders, results, strict=True)]
    parser.expect(")")
    parser.expect(")")
    return DefineFunsRec(tuple(functions), tuple(map(_vars, binders)), tuple(bodies))


def _declare_datatypes(parser: Parser, word: str) -> Command:
    declarations, rest = datatypes.read(parser, word)
    return DeclareDatatypes(declarations, word, rest)


def _assert(parser: Parser, word: str) -> Command:
    del word
    term = _formula(parser)
    parser.expect(")")
    return Assert(term)


def _formula(parser: Parser, token: str | None = None) -> Term:
    term = parser.term(token)
    if term.sort is not BOOL:
        parser.fail(f"expected a Bool term, found one of sort {term.sort}", opening=True)
    return term


def _check_sat(parser: Parser, word: str) -> Command:
    """`(check-sat)`, also with assumptions, as z3 takes it, and `(check-sat-assuming …)`."""
    token = parser.next()
    if token == ")" and word == "check-sat":
        return CheckSat()
    if word == "check-sat-assuming":
        if token != "(":
            parser.fail(f"expected (, found {token_text(token)}")
        terms = _formulas_until_close(parser)
        parser.expect(")")
        return CheckSatAssuming(terms)
    if token[0] == ":":
        parser.verbatim_rest()
        return CheckSat()
    return CheckSatAssuming(_formulas_until_close(parser, token))


def _formulas_until_close(parser: Parser, token: str | None = None) -> tuple[Term, ...]:
    terms = []
    token = parser.next() if token is None else token
    while token != ")":
        terms.append(_formula(parser, token))
        token = parser.next()
    return tuple(terms)


def _push_pop(parser: Parser, word: str) -> Command:
    token = parser.next()
    levels = 1
    if token != ")":
        levels = parser.numeral(token)
        if levels > _MOST_LEVELS:
            parser.fail(f"cannot push or pop more than {_MOST_LEVELS} levels at once")
        parser.expect(")")
    if word == "push":
        parser.scope.push(levels)
        return Push(levels)
    if not parser.scope.pop(levels):
        parser.fail("pop without push", opening=True)
    return Pop(levels)


_MOST_LEVELS: Final = 100_000


def _reset(parser: Parser, word: str) -> Command:
    rest = parser.verbatim_rest()
    if word == "reset":
        parser.reset()
    elif not parser.scope.is_global:
        parser.reset(keep_logic=True)
    return Plain(word, rest)


def _plain(parser: Parser, word: str) -> Command:
    return Plain(word, parser.verbatim_rest())


def not_understood(parser: Parser, word: str, reason: str) -> NotUnderstood:
    rest = parser.verbatim_rest()
    return NotUnderstood(f"({word}{' ' + rest if rest else ''})", reason)


def _not_followed(parser: Parser, word: str) -> Command:
    return not_understood(parser, word, f"what {word} asserts is not followed")


_Reader: TypeAlias = Callable[[Parser, str], Command]
_BY_WORD: Final[dict[str, _Reader]] = {
    "set-logic": _set_logic,
    "set-option": _set_option,
    "set-info": _set_option,
    "declare-sort": _declare_sort,
    "declare-sort-parameter": _declare_sort,
    "declare-type-var": _declare_sort,
    "define-sort": _define_sort,
    "declare-fun": _declare_fun,
    "declare-const": _declare_fun,
    "declare-var": _declare_fun,
    "declare-rel": _declare_fun,
    "declare-oracle-fun": _declare_fun,
    "synth-fun": _synth_fun,
    "synth-inv": _synth_fun,
    "define-fun": _define_fun,
    "define-const": _define_fun,
    "define": _define_fun,
    "define-fun-rec": _define_fun,
    "define-funs-rec": _define_funs_rec,
    "declare-datatype": _declare_datatypes,
    "declare-datatypes": _declare_datatypes,
    "declare-codatatype": _declare_datatypes,
    "declare-codatatypes": _declare_datatypes,
    "assert": _assert,
    "check-sat": _check_sat,
    "check-sat-assuming": _check_sat,
    "push": _push_pop,
    "pop": _push_pop,
    "reset": _reset,
    "reset-assertions": _reset,
}
_PLAIN_WORDS: Final = """
    echo exit get-assertions get-assignment get-difficulty get-info get-learned-literals get-model
    get-objectives get-option get-proof get-timeout-core get-unsat-assumptions get-unsat-core
    get-unsat-core-lemmas check-synth check-synth-next declare-heap find-synth
    find-synth-next get-abduct-next get-interpolant-next help include inv-constraint set-feature
    get-model-domain-elements declare-tactic get-user-tactics help-tactic set-info-logic
"""
_PLAIN: Final[dict[str, _Reader]] = dict.fromkeys(_PLAIN_WORDS.split(), _plain)
# These assert something by another word, or what depends on a model.
_NOT_FOLLOWED: Final[dict[str, _Reader]] = dict.fromkeys(
    ("assert-not", "block-model", "block-model-values"), _not_followed
)
READERS: Final[dict[str, _Reader]] = _BY_WORD | _PLAIN | _NOT_FOLLOWED
