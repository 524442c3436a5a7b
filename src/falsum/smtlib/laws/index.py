"""LawIndex: laws by operator; negated and commutative operators, which are derived from the laws."""

from __future__ import annotations

from collections.abc import Iterable

from falsum.smtlib.laws.match import Side
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Term
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.text.sexpr import SExpr
from falsum.smtlib.theories.law import Law

# An operator, and the name of the sort of its first argument, or "" for any sort.
_Key = tuple[str, str]


class LawIndex:
    """An index of laws by operator name."""

    def __init__(self, laws: Iterable[Law]) -> None:
        self._negation: dict[_Key, str] = {}
        self._commutative: set[str] = set()
        self._by_head: dict[str, list[tuple[Law, Side]]] = {}
        for law in laws:
            self._add(law)

    # -- queries -----------------------------------------------------------------------------------

    def negation(self, operator: str, sort: Sort | None = None) -> str | None:
        """The operator that is the negation of this one, for the same arguments.

        `sort` restricts the result for operators that several sorts share, such as `=`.
        """
        if sort is not None:
            return self._negation.get((operator, sort.name)) or self._negation.get((operator, ""))
        return next((other for (name, _), other in self._negation.items() if name == operator), None)

    def is_commutative(self, operator: str) -> bool:
        """Whether the two operands may be swapped; a rounding mode is not an operand."""
        return operator in self._commutative

    def laws_at(self, term: Term) -> tuple[tuple[Law, Side], ...]:
        """The laws with a side that may match the term: those of its operator and general ones."""
        name = term.head.symbol.name if isinstance(term, App) else ""
        if isinstance(term, App) and isinstance(term.head.symbol, Operator):
            name = term.head.symbol.canonical.name
        at = self._by_head.get(name, []) if name else []
        return (*at, *self._by_head.get("", []))

    # -- building ------------------------------------------------------------------------------------

    def _add(self, law: Law) -> None:
        for side in ("left", "right"):
            name = _head_name(law.side(side), {n for n, _ in law.binders})
            if name is not None:
                self._by_head.setdefault(name, []).append((law, side))
        if law.condition is not None or law.kind != "equivalent" or not law.binders:
            return
        left, right = _atom(law.left, law), _atom(law.right, law)
        if left and right and left[0] == right[0]:
            sorts = dict(law.binders)
            operands = [[a for a in args if sorts[a].name != "RoundingMode"] for _, args in (left, right)]
            if len(operands[0]) == 2 and operands[0] == operands[1][::-1]:
                self._commutative.add(left[0])
        denied = law.left[1] if len(law.left) == 2 and law.left[0] == "not" else None
        inner = _atom(denied, law) if denied is not None else None
        if inner and right and inner[1] == right[1]:
            sort = _key_sort(law, inner[1])
            self._negation[inner[0], sort] = right[0]
            self._negation.setdefault((right[0], sort), inner[0])


def _atom(side: SExpr | None, law: Law) -> tuple[str, tuple[str, ...]] | None:
    """The operator and the variables of `(op x y)`, if the arguments are distinct variables."""
    if side is None or isinstance(side, str) or not isinstance(side[0], str) or side[0] in ("_", "as", "#"):
        return None
    names = {name for name, _ in law.binders}
    args = tuple(arg for arg in side[1:] if isinstance(arg, str) and arg in names)
    if not args or len(args) != len(side) - 1 or len(set(args)) != len(args):
        return None
    return side[0], args


def _key_sort(law: Law, args: tuple[str, ...]) -> str:
    sort = dict(law.binders)[args[0]]
    return "" if sort.is_parameter else sort.name


def _head_name(side: SExpr, holes: set[str]) -> str | None:
    """The operator at the root of a side; "" for a variable, None for a constant."""
    if isinstance(side, str):
        return "" if side in holes else None
    head = side[0]
    if isinstance(head, tuple):
        # (_ name …) or (as name …) in front of arguments.
        inner = head[1]
        if inner == "is" and isinstance(head[2], str):
            return f"is-{symbol_name(head[2])}"
        return symbol_name(inner) if isinstance(inner, str) else None
    return None if head in ("_", "as", "#") else symbol_name(head)
