"""Law: an exact fact about operators, read from SMT-LIB text.

    (law lt-weaker-le implies ((x Int) (y Int)) (< x y) (<= x y))
    (law bvadd-commutes equivalent ((x (_ BitVec m)) (y (_ BitVec m))) (bvadd x y) (bvadd y x))
    (par (X Y) (law select-const equivalent ((v Y) (i X)) (select ((as const (Array X Y)) v) i) v))

`docs/laws.md` explains the notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from falsum.errors import UsageError
from falsum.smtlib.signatures import read_pattern
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.text.lexer import chunks, quote, symbol_name
from falsum.smtlib.text.sexpr import SExpr, read, write

KINDS: Final = ("equivalent", "implies", "inverse")


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """A law. It holds for all values of its binders that satisfy the condition.

    equivalent  left = right
    implies     left => right
    inverse     left is (= z f), right are equations (= x g) that follow from it (used by fusion)

    `params` are sort parameters; `indices` are index variables (widths, formats, positions), restricted by
    `where`. A binder that occurs on one side only is *slack*: the law holds for any value of it.
    """

    name: str
    theory: str
    kind: str
    params: tuple[str, ...]
    binders: tuple[tuple[str, Sort], ...]
    left: SExpr
    right: SExpr
    condition: SExpr | None = None
    indices: tuple[str, ...] = ()
    where: tuple[Index, ...] = ()
    # Commands that declare the sorts and datatypes of the law.
    prelude: tuple[str, ...] = ()

    def side(self, name: str) -> SExpr:
        return self.left if name == "left" else self.right

    def __str__(self) -> str:
        binders = " ".join(f"({name} {_sort_text(sort)})" for name, sort in self.binders)
        parts = [self.name, self.kind, f"({binders})", write(self.left), write(self.right)]
        if self.condition is not None:
            parts += [":if", write(self.condition)]
        for condition in self.where:
            parts += [":where", _show(condition)]
        text = f"(law {' '.join(parts)})"
        return f"(par ({' '.join(self.params)}) {text})" if self.params else text

    def __repr__(self) -> str:
        return f"Law<{self.name}>"


class LawTable(NamedTuple):
    """Laws as text, parsed on demand, since most commands of falsum need none."""

    theory: str
    text: str
    params: tuple[str, ...] = ()

    def read(self) -> tuple[Law, ...]:
        return read_laws(self.theory, self.text, self.params)


def read_laws(
    theory: str, text: str, params: tuple[str, ...] = (), prelude: tuple[str, ...] = ()
) -> tuple[Law, ...]:
    """The laws of a table; `params` are sort parameters of all of them. Raises UsageError."""
    expressions = read(token for chunk in chunks(text) for token in chunk.tokens)
    return tuple(read_law(theory, expression, params, prelude) for expression in expressions)


def read_law(
    theory: str, expression: SExpr, params: tuple[str, ...] = (), prelude: tuple[str, ...] = ()
) -> Law:
    params = tuple(name for name in params if mentions(expression, name))
    if len(expression) == 3 and expression[0] == "par" and isinstance(expression[1], tuple):
        params = tuple(name for name in expression[1] if isinstance(name, str))
        expression = expression[2]
    if isinstance(expression, str) or len(expression) < 6 or expression[0] != "law":
        raise UsageError(f"(law name kind (binders) left right …) expected, not {write(expression)}")
    _, name, kind, binders, left, right, *rest = expression
    if not isinstance(name, str) or not isinstance(kind, str) or kind not in KINDS:
        raise UsageError(f"a name and one of {', '.join(KINDS)} expected: {write(expression)}")
    if isinstance(binders, str):
        raise UsageError(f"{name}: ((variable sort) …) expected")
    sorts = tuple(_read_binder(name, binder, frozenset(params)) for binder in binders)
    condition, where = _read_attributes(name, rest)
    names: dict[str, None] = {}
    for _, sort in sorts:
        names.update(dict.fromkeys(_variables_of_sort(sort)))
    for one in where:
        names.update(dict.fromkeys(_variables(one)))
    return Law(name, theory, kind, params, sorts, left, right, condition, tuple(names), where, prelude)


def _read_binder(law: str, binder: SExpr, params: frozenset[str]) -> tuple[str, Sort]:
    if isinstance(binder, str) or len(binder) != 2 or not isinstance(binder[0], str):
        raise UsageError(f"{law}: (variable sort) expected, not {write(binder)}")
    return binder[0], read_pattern(_unquoted(binder[1]), params)


def _unquoted(expression: SExpr) -> SExpr:
    """With names in place of quoted symbols: `|a b|` is `a b`."""
    return symbol_name(expression) if isinstance(expression, str) else tuple(map(_unquoted, expression))


def _read_attributes(law: str, rest: list[SExpr]) -> tuple[SExpr | None, tuple[Index, ...]]:
    condition: SExpr | None = None
    where: list[Index] = []
    for keyword, value in zip(rest[::2], rest[1::2], strict=False):
        if keyword == ":if" and condition is None:
            condition = value
        elif keyword == ":where":
            where.append(_index(value))
        else:
            raise UsageError(f"{law}: unexpected {write(keyword)}; a law may have one :if and several :where")
    if len(rest) % 2:
        raise UsageError(f"{law}: {write(rest[-1])} has no value")
    return condition, tuple(where)


def mentions(expression: SExpr, name: str) -> bool:
    if isinstance(expression, str):
        return expression == name
    return any(mentions(part, name) for part in expression)


def _index(expression: SExpr) -> Index:
    if isinstance(expression, str):
        return int(expression) if expression.isdecimal() else expression
    return tuple(map(_index, expression))


def _variables_of_sort(sort: Sort) -> Iterator[str]:
    for index in sort.indices:
        yield from _variables(index)
    for arg in sort.args:
        yield from _variables_of_sort(arg)


def _variables(index: Index) -> Iterator[str]:
    """The variables of an index expression; its first part is an operation."""
    if isinstance(index, str):
        yield index
    elif isinstance(index, tuple):
        for part in index[1:]:
            yield from _variables(part)


def _sort_text(sort: Sort) -> str:
    """Like `terms.sort_text`, for patterns."""
    head = quote(sort.name)
    if sort.indices:
        head = f"(_ {head} {' '.join(map(_show, sort.indices))})"
    return f"({head} {' '.join(map(_sort_text, sort.args))})" if sort.args else head


def _show(index: Index) -> str:
    return f"({' '.join(map(_show, index))})" if isinstance(index, tuple) else str(index)
