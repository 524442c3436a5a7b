"""Signatures: the ranks of an operator, in the notation of SMT-LIB's theory declarations.

    (str.replace String String String String)
    (par (A) (= A A Bool :chainable))
    (concat (_ BitVec i) (_ BitVec j) (_ BitVec (+ i j)))
    ((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)) :where (<= 0 j i) :where (< i m))

The theories' tables and operator files use this notation. `:left-assoc`, `:right-assoc`, `:chainable` and
`:pairwise` are the standard's. `:nary` marks a binary operator that solvers, but not the standard, also apply
to more arguments (left-associative); `:many` one that takes any number of arguments and is not associative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL, MAX_WIDTH, Bindings, Index, Sort, compute, match, substitute
from falsum.smtlib.text.sexpr import SExpr

ASSOCIATIVITY: Final = ("left-assoc", "right-assoc", "chainable", "pairwise", "nary", "many")
_MAX_PATTERN_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Signature:
    """One rank: index variables, argument patterns, result pattern, and conditions on the indices."""

    name: str
    indices: tuple[Index, ...]
    args: tuple[Sort, ...]
    result: Sort
    associativity: str = ""
    where: tuple[Index, ...] = ()
    is_standard: bool = True

    def takes(self, count: int) -> bool:
        """Whether the standard allows this number of arguments."""
        return count == len(self.args) or (count > 2 and self.associativity not in ("", "nary"))

    def rank(
        self, indices: tuple[Index, ...], sorts: tuple[Sort, ...], qualifier: Sort | None = None
    ) -> Sort | None:
        """The result sort for these indices and argument sorts, or None if they do not match."""
        bindings: Bindings = {}
        if len(indices) != len(self.indices):
            return None
        for want, got in zip(self.indices, indices, strict=True):
            if isinstance(want, str):
                if not isinstance(got, int) or bindings.setdefault(want, got) != got:
                    return None
            elif want != got:
                return None
        if qualifier is not None and not match(self.result, qualifier, bindings):
            return None
        if self.associativity and len(sorts) != len(self.args):
            return self._rank_many(indices, sorts, bindings)
        return self._rank_once(sorts, bindings)

    def _rank_once(self, sorts: tuple[Sort, ...], bindings: Bindings) -> Sort | None:
        if len(sorts) != len(self.args):
            return None
        for pattern, sort in zip(self.args, sorts, strict=True):
            if not match(pattern, sort, bindings):
                return None
        for condition in self.where:
            if not compute(condition, bindings):
                return None
        result = substitute(self.result, bindings)
        if result.name == "BitVec" and any(isinstance(i, int) and i > MAX_WIDTH for i in result.indices):
            return None
        return None if result.is_pattern and not any(s.is_pattern for s in sorts) else result

    def _rank_many(
        self, indices: tuple[Index, ...], sorts: tuple[Sort, ...], bindings: Bindings
    ) -> Sort | None:
        if len(sorts) == 1:
            # Solvers accept (and p), (+ x) and (distinct x), but not (< x).
            same = self.associativity in ("left-assoc", "right-assoc", "pairwise", "many")
            alone = self._rank_once(sorts * 2, bindings) if same else None
            return alone if alone is BOOL or alone is sorts[0] else None
        if len(sorts) < 2:
            return None
        if self.associativity in ("chainable", "pairwise"):
            first = self.rank(indices, sorts[:2])
            alike = all(self.rank(indices, (sorts[0], sort)) is BOOL for sort in set(sorts[2:]))
            return BOOL if first is BOOL and alike else None
        if self.associativity == "right-assoc":
            result: Sort | None = sorts[-1]
            for sort in reversed(sorts[:-1]):
                result = self.rank(indices, (sort, result)) if result else None
            return result
        result = sorts[0]
        for sort in sorts[1:]:
            result = self.rank(indices, (result, sort)) if result else None
        return result

    def __str__(self) -> str:
        head = self.name
        if self.indices:
            head = f"(_ {head} {' '.join(map(_show, self.indices))})"
        parts = [head, *map(str, self.args), str(self.result)]
        if self.associativity:
            parts.append(f":{self.associativity}")
        parts += [f":where {_show(condition)}" for condition in self.where]
        return f"({' '.join(parts)})"


def read_signature(expression: SExpr) -> Signature:
    """The signature that an S-expression spells; raises UsageError if it is malformed."""
    parameters: frozenset[str] = frozenset()
    if isinstance(expression, tuple) and expression and expression[0] == "par":
        if len(expression) != 3 or isinstance(expression[1], str):
            raise UsageError("expected (par (A …) signature)")
        parameters = frozenset(name for name in expression[1] if isinstance(name, str))
        expression = expression[2]
    if isinstance(expression, str) or len(expression) < 2:
        raise UsageError("expected a signature (operator sort … result-sort)")
    name, indices = _read_head(expression[0])
    sorts: list[Sort] = []
    associativity, where = "", []
    rest = list(expression[1:])
    while rest:
        item = rest.pop(0)
        if item == ":where" and rest:
            where.append(_read_index(rest.pop(0)))
        elif isinstance(item, str) and item.startswith(":"):
            if item[1:] not in ASSOCIATIVITY:
                words = ", ".join(f":{word}" for word in ASSOCIATIVITY)
                raise UsageError(f"unknown attribute {item}; expected {words} or :where")
            associativity = item[1:]
        else:
            sorts.append(read_pattern(item, parameters))
    if not sorts:
        raise UsageError(f"{name} has no result sort")
    if associativity and len(sorts) != 3:
        raise UsageError(f"{name} is :{associativity}, so it takes two arguments")
    return Signature(name, indices, tuple(sorts[:-1]), sorts[-1], associativity, tuple(where))


def read_pattern(expression: SExpr, parameters: frozenset[str], depth: int = 0) -> Sort:
    """A sort pattern; names in `parameters` are sort parameters, and symbols as indices are variables."""
    if depth > _MAX_PATTERN_DEPTH:
        raise UsageError("the sort is nested too deeply for a signature")
    if isinstance(expression, str):
        if expression in parameters:
            return Sort.parameter(expression)
        return Sort(expression)
    if not expression:
        raise UsageError("() is not a sort")
    head, *rest = expression
    if head == "_":
        if not rest or not isinstance(rest[0], str):
            raise UsageError("expected (_ Name index …)")
        return Sort(rest[0], tuple(map(_read_index, rest[1:])))
    args = tuple(read_pattern(item, parameters, depth + 1) for item in rest)
    if isinstance(head, str):
        return Sort(head, (), args)
    pattern = read_pattern(head, parameters, depth + 1)
    return Sort(pattern.name, pattern.indices, args)


def _read_head(head: SExpr) -> tuple[str, tuple[Index, ...]]:
    if isinstance(head, str):
        return head, ()
    if len(head) >= 2 and head[0] == "_" and isinstance(head[1], str):
        return head[1], tuple(map(_read_index, head[2:]))
    raise UsageError("expected an operator: a symbol or (_ symbol index …)")


def _read_index(expression: SExpr) -> Index:
    if isinstance(expression, str):
        return int(expression) if expression.isdecimal() else expression
    return tuple(map(_read_index, expression))


def _show(index: Index) -> str:
    return f"({' '.join(map(_show, index))})" if isinstance(index, tuple) else str(index)
