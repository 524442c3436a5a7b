"""Adds the sorts that z3 leaves out of constructors of parametric datatypes in models: `(cons 1 nil)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib.scripts import Datatype
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import sort_text
from falsum.smtlib.text.lexer import chunks, symbol_name
from falsum.smtlib.text.sexpr import SExpr, read, write

# Lets are written out in short models only, and only where the result is not too long: sharing may hide an
# exponential number of tokens.
_LONGEST: Final = 10_000
_MOST_TOKENS: Final = 100_000


def qualified(text: str, sort: Sort, binders: Mapping[str, Sort], datatypes: Mapping[str, Datatype]) -> str:
    """The body of a definition with the sorts that z3 leaves out: `(as nil (List Int))` for `nil`."""
    (body,) = read(token for chunk in chunks(text) for token in chunk.tokens)
    if "(let (" in text and len(text) <= _LONGEST:
        body = _without_lets(body)
    return write(_Qualifier(binders, datatypes).qualify(body, sort))


class _Sized(NamedTuple):
    expression: SExpr
    tokens: int


_Bound: TypeAlias = "dict[str, _Sized]"


class _Visit(NamedTuple):
    expression: SExpr
    bound: _Bound


class _Build(NamedTuple):
    """The last `length` results become one list."""

    length: int


class _Bind(NamedTuple):
    """The last results are the values of these names in the body."""

    names: tuple[str, ...]
    body: SExpr
    bound: _Bound


def _without_lets(expression: SExpr) -> SExpr:
    """Values in place of names bound by `let`, because only the place of a value tells its sort.

    The expression as it is if it would become too long.
    """
    results: list[_Sized] = []
    todo: list[_Visit | _Build | _Bind] = [_Visit(expression, {})]
    while todo:
        task = todo.pop()
        if isinstance(task, _Visit):
            body, bound = task
            if isinstance(body, str):
                results.append(bound.get(body, _Sized(body, 1)))
            elif body[:1] == ("let",) and len(body) == 3 and isinstance(body[1], tuple):
                pairs = [
                    (pair[0], pair[1])
                    for pair in body[1]
                    if isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str)
                ]
                todo.append(_Bind(tuple(name for name, _ in pairs), body[2], bound))
                todo.extend(_Visit(value, bound) for _, value in reversed(pairs))
            else:
                todo.append(_Build(len(body)))
                todo.extend(_Visit(part, bound) for part in reversed(body))
        elif isinstance(task, _Build):
            parts = _taken(results, task.length)
            tokens = 2 + sum(part.tokens for part in parts)
            if tokens > _MOST_TOKENS:
                return expression
            results.append(_Sized(tuple(part.expression for part in parts), tokens))
        else:
            values = dict(zip(task.names, _taken(results, len(task.names)), strict=True))
            todo.append(_Visit(task.body, {**task.bound, **values}))
    return results[0].expression


def _taken(results: list[_Sized], count: int) -> list[_Sized]:
    start = len(results) - count
    items = results[start:]
    del results[start:]
    return items


class _Parts(NamedTuple):
    """A list under construction: its head, and the parts that follow with their sorts; None for those of
    a condition.
    """

    head: tuple[SExpr, ...]
    parts: list[tuple[SExpr, Sort | None]]


class _Qualifier:
    def __init__(self, binders: Mapping[str, Sort], datatypes: Mapping[str, Datatype]) -> None:
        self.binders = binders
        self.datatypes = datatypes

    def qualify(self, body: SExpr, sort: Sort) -> SExpr:
        results: list[SExpr] = []
        todo: list[tuple[SExpr, Sort | None] | _Parts] = [(body, sort)]
        while todo:
            task = todo.pop()
            if isinstance(task, _Parts):
                start = len(results) - len(task.parts)
                results[start:] = [(*task.head, *results[start:])]
                continue
            part, target = task
            result = self._condition(part) if target is None else self._value(part, target)
            if isinstance(result, _Parts):
                todo.append(result)
                todo.extend(reversed(result.parts))
            else:
                results.append(result)
        return results[0]

    def _value(self, body: SExpr, sort: Sort) -> SExpr | _Parts:
        """A value of a sort as its parts, or as it is if nothing in it can be qualified."""
        datatype = self.datatypes.get(sort.name)
        if isinstance(body, str):
            is_constant = datatype is not None and datatype.params and self._sorts(body, sort) == []
            return ("as", body, sort_text(sort)) if is_constant else body
        if not body:
            return body
        head = body[0]
        if head == "ite" and len(body) == 4:
            return _Parts(("ite",), [(body[1], None), (body[2], sort), (body[3], sort)])
        if head == "let" and len(body) == 3:
            return _Parts(("let", body[1]), [(body[2], sort)])
        if head == "store" and sort.name == "Array":
            return _Parts(("store",), _sorted_parts(body, [sort, *sort.args]))
        if isinstance(head, tuple) and head[:2] == ("as", "const") and sort.name == "Array":
            return _Parts((head,), _sorted_parts(body, [sort.args[-1]]))
        if isinstance(head, str) and datatype is not None:
            sorts = self._sorts(head, sort)
            if sorts is not None:
                expression: SExpr = ("as", head, sort_text(sort)) if datatype.params else head
                return _Parts((expression,), _sorted_parts(body, sorts))
        return body

    def _condition(self, test: SExpr) -> SExpr | _Parts:
        """`(= x (cons 1 nil))`: the sort is that of the variable."""
        if isinstance(test, str):
            return test
        if test[:1] in (("and",), ("or",), ("not",)):
            return _Parts((test[0],), [(part, None) for part in test[1:]])
        if test[:1] == ("=",):
            for part in test[1:]:
                if isinstance(part, str) and part in self.binders:
                    return _Parts(("=",), [(each, self.binders[part]) for each in test[1:]])
        return test

    def _sorts(self, name: str, sort: Sort) -> list[Sort] | None:
        """The sorts of a constructor's arguments, if it makes values of this sort."""
        datatype = self.datatypes[sort.name]
        bindings: Bindings = {p.name: a for p, a in zip(datatype.params, sort.args, strict=False)}
        for constructor, selectors in datatype.constructors:
            if constructor == symbol_name(name):
                return [substitute(s, bindings) for _, s in selectors]
        return None


def _sorted_parts(body: tuple[SExpr, ...], sorts: list[Sort]) -> list[tuple[SExpr, Sort | None]]:
    return list(zip(body[1:], sorts, strict=False))
