"""Constructors of parametric datatypes as z3 prints them in models, without their sort: `(cons 1 nil)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from falsum.smtlib.lexer import chunks, symbol_name
from falsum.smtlib.scripts import Datatype
from falsum.smtlib.sexpr import SExpr, read, write
from falsum.smtlib.sorts import Bindings, Sort, substitute
from falsum.smtlib.terms import sort_text

# Values are walked recursively; a deeper one stays as it is (and is then refused by the reader).
_DEEPEST: Final = 300


def qualified(text: str, sort: Sort, binders: Mapping[str, Sort], datatypes: Mapping[str, Datatype]) -> str:
    """The text of a body of this sort, with `(as nil (List Int))` where it has `nil`."""
    (body,) = read(token for chunk in chunks(text) for token in chunk.tokens)
    if "(let (" in text and len(text) <= _LONGEST:
        body = _inlined(body, {}, 0)
    return write(_Qualifying(binders, datatypes).of_sort(body, sort, 0))


def _inlined(body: SExpr, names: Mapping[str, SExpr], depth: int) -> SExpr:
    """Without lets: only where a value stands says of which sort it is."""
    if isinstance(body, str):
        return names.get(body, body)
    if depth > _DEEPEST:
        return body
    if body[:1] == ("let",) and len(body) == 3 and isinstance(body[1], tuple):
        pairs = [pair for pair in body[1] if isinstance(pair, tuple) and len(pair) == 2]
        bound = {pair[0]: _inlined(pair[1], names, depth + 1) for pair in pairs if isinstance(pair[0], str)}
        return _inlined(body[2], {**names, **bound}, depth + 1)
    return tuple([_inlined(part, names, depth + 1) for part in body])


# Lets are written out in short models only: in long ones that might never end.
_LONGEST: Final = 10_000


class _Qualifying:
    def __init__(self, binders: Mapping[str, Sort], datatypes: Mapping[str, Datatype]) -> None:
        self.binders = binders
        self.datatypes = datatypes

    def of_sort(self, body: SExpr, sort: Sort, depth: int) -> SExpr:
        if depth > _DEEPEST:
            return body
        datatype = self.datatypes.get(sort.name)
        if isinstance(body, str):
            is_ours = datatype is not None and datatype.params and self._sorts(body, sort) == []
            return ("as", body, sort_text(sort)) if is_ours else body
        if not body:
            return body
        head = body[0]
        if head == "ite" and len(body) == 4:
            return ("ite", self._test(body[1], depth + 1), *self._all(body[2:], [sort, sort], depth))
        if head == "let" and len(body) == 3:
            return ("let", body[1], self.of_sort(body[2], sort, depth + 1))
        if head == "store" and sort.name == "Array":
            return ("store", *self._all(body[1:], [sort, *sort.args], depth))
        if isinstance(head, tuple) and head[:2] == ("as", "const") and sort.name == "Array":
            return (head, *self._all(body[1:], [sort.args[-1]], depth))
        if isinstance(head, str) and datatype is not None:
            sorts = self._sorts(head, sort)
            if sorts is not None:
                named: SExpr = ("as", head, sort_text(sort)) if datatype.params else head
                return (named, *self._all(body[1:], sorts, depth))
        return body

    def _all(self, parts: tuple[SExpr, ...], sorts: list[Sort], depth: int) -> list[SExpr]:
        return [self.of_sort(part, sort, depth + 1) for part, sort in zip(parts, sorts, strict=False)]

    def _test(self, test: SExpr, depth: int) -> SExpr:
        """`(= x (cons 1 nil))`: the sort is that of the variable."""
        if not isinstance(test, tuple) or depth > _DEEPEST:
            return test
        if test[:1] in (("and",), ("or",), ("not",)):
            return (test[0], *[self._test(part, depth + 1) for part in test[1:]])
        if test[:1] == ("=",):
            known = [
                self.binders[part] for part in test[1:] if isinstance(part, str) and part in self.binders
            ]
            if known:
                return ("=", *[self.of_sort(part, known[0], depth + 1) for part in test[1:]])
        return test

    def _sorts(self, name: str, sort: Sort) -> list[Sort] | None:
        """The sorts of a constructor's arguments, if it makes values of this sort."""
        datatype = self.datatypes[sort.name]
        bindings: Bindings = {p.name: a for p, a in zip(datatype.params, sort.args, strict=False)}
        for constructor, selectors in datatype.constructors:
            if constructor == symbol_name(name):
                return [substitute(s, bindings) for _, s in selectors]
        return None
