"""LawIndex: laws by operator, and related operators: weaker, stronger, negated, converse, similar ones.

All of it is derived from the laws and the signatures.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from falsum.smtlib.laws.match import Side
from falsum.smtlib.operators import Operator
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import BOOL, Index, Sort
from falsum.smtlib.terms import App, Term
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.text.sexpr import SExpr
from falsum.smtlib.theories import OPERATORS, theory_cache
from falsum.smtlib.theories.law import Law

_NOTHING: Final[tuple[str, ...]] = ()
# An operator, and the name of the sort of its first argument, or "" for any sort.
_Key = tuple[str, str]


class LawIndex:
    """An index of laws by operator name, and of operators by shape.

    `sort` restricts the result for operators that several sorts share: `weaker("=", INT)` is `<=` and `>=`.
    """

    def __init__(self, laws: Iterable[Law]) -> None:
        self._weaker: dict[_Key, dict[str, None]] = {}
        self._stronger: dict[_Key, dict[str, None]] = {}
        self._negation: dict[_Key, str] = {}
        self._swapped: dict[_Key, str] = {}
        self._commutative: dict[_Key, None] = {}
        self._by_head: dict[str, list[tuple[Law, Side]]] = {}
        for law in laws:
            self._add(law)

    # -- queries -----------------------------------------------------------------------------------

    def weaker(self, operator: str, sort: Sort | None = None) -> tuple[str, ...]:
        """Operators that are implied by this one, for the same arguments."""
        return self._reached(self._weaker, operator, sort)

    def stronger(self, operator: str, sort: Sort | None = None) -> tuple[str, ...]:
        """Operators that imply this one, for the same arguments."""
        return self._reached(self._stronger, operator, sort)

    def negation(self, operator: str, sort: Sort | None = None) -> str | None:
        """The operator that is the negation of this one, for the same arguments."""
        return self._one(self._negation, operator, sort)

    def swapped(self, operator: str, sort: Sort | None = None) -> str | None:
        """The converse: the operator that is equivalent to this one with the arguments swapped."""
        return self._one(self._swapped, operator, sort)

    def is_commutative(self, operator: str) -> bool:
        """Whether the two operands may be swapped; a rounding mode is not an operand."""
        return any(name == operator for name, _ in self._commutative)

    def siblings(self, operator: str, sorts: tuple[Sort, ...] | None = None) -> tuple[str, ...]:
        """Operators that may replace it: of the same shape, or for the given argument sorts.

        Standard operators have only standard siblings; for given sorts, operators with indices have none.
        """
        record = OPERATORS[operator].canonical
        if sorts is None:
            return _of_same_shape(record.name)
        result = record.rank((), sorts)
        if result is None:
            return ()
        found = (o for o in _candidates(record) if o.rank((), sorts) is result)
        return tuple(o.name for o in found if o is not record)

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
        if law.condition is not None or law.kind == "inverse" or not law.binders:
            return
        left, right = _atom(law.left, law), _atom(law.right, law)
        if law.kind == "implies" and left and right and left[1] == right[1]:
            self._link(left[0], right[0], _key_sort(law, left[1]))
        if law.kind != "equivalent":
            return
        if left and right and left[1] == right[1] and _is_predicate(left[0]):
            self._link(left[0], right[0], _key_sort(law, left[1]))
            self._link(right[0], left[0], _key_sort(law, left[1]))
        elif left and right and left[1] == right[1][::-1] and len(left[1]) > 1:
            self._swap(left[0], right[0], left[1], law)
        elif left and right and left[0] == right[0] and left[1] != right[1]:
            self._swap_behind_mode(left[0], left[1], right[1], law)
        denied = law.left[1] if len(law.left) == 2 and law.left[0] == "not" else None
        inner = _atom(denied, law) if denied is not None else None
        if inner and right and inner[1] == right[1]:
            sort = _key_sort(law, inner[1])
            self._negation[inner[0], sort] = right[0]
            self._negation.setdefault((right[0], sort), inner[0])

    def _link(self, strong: str, weak: str, sort: str) -> None:
        self._weaker.setdefault((strong, sort), {})[weak] = None
        self._stronger.setdefault((weak, sort), {})[strong] = None

    def _swap(self, left: str, right: str, args: tuple[str, ...], law: Law) -> None:
        sort = _key_sort(law, args)
        if left == right:
            self._commutative[left, sort] = None
        self._swapped.setdefault((left, sort), right)
        self._swapped.setdefault((right, sort), left)

    def _swap_behind_mode(self, name: str, left: tuple[str, ...], right: tuple[str, ...], law: Law) -> None:
        sorts = dict(law.binders)
        operands = [tuple(a for a in args if sorts[a].name != "RoundingMode") for args in (left, right)]
        if len(operands[0]) == 2 and operands[0] == operands[1][::-1]:
            self._commutative[name, _key_sort(law, left)] = None

    # -- looking up ----------------------------------------------------------------------------------

    def _reached(self, graph: dict[_Key, dict[str, None]], start: str, sort: Sort | None) -> tuple[str, ...]:
        """The operators reachable from one, since implication is transitive at one sort."""
        found: dict[str, None] = {}
        sorts = [sort.name] if sort is not None else list(dict.fromkeys(key[1] for key in graph))
        for at in sorts:
            seen = {start: None}
            todo = [start]
            while todo:
                name = todo.pop(0)
                for key in ((name, at), (name, "")):
                    for other in graph.get(key, ()):
                        if other not in seen:
                            seen[other] = None
                            todo.append(other)
            found.update(seen)
        return tuple(name for name in found if name != start)

    def _one(self, table: dict[_Key, str], operator: str, sort: Sort | None) -> str | None:
        if sort is not None:
            return table.get((operator, sort.name)) or table.get((operator, ""))
        return next((other for (name, _), other in table.items() if name == operator), None)


def _atom(side: SExpr | None, law: Law) -> tuple[str, tuple[str, ...]] | None:
    """The operator and the variables of `(op x y)`, if the arguments are distinct variables."""
    if side is None or isinstance(side, str) or not isinstance(side[0], str) or side[0] in ("_", "as", "#"):
        return None
    names = {name for name, _ in law.binders}
    args = tuple(arg for arg in side[1:] if isinstance(arg, str) and arg in names)
    if not args or len(args) != len(side) - 1 or len(set(args)) != len(args):
        return None
    return side[0], args


def _is_predicate(name: str) -> bool:
    return any(signature.result is BOOL for signature in OPERATORS[name].signatures)


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


def _candidates(record: Operator) -> tuple[Operator, ...]:
    """The operators that may replace this one: neither aliases nor implicit ones."""
    return tuple(
        o
        for o in OPERATORS.values()
        if o.alias_of is None and not o.is_implicit and (o.is_standard or not record.is_standard)
    )


@theory_cache()
def _of_same_shape(name: str) -> tuple[str, ...]:
    record = OPERATORS[name]
    shapes = {_shape(signature) for signature in record.signatures}
    return tuple(
        o.name
        for o in _candidates(record)
        if o is not record and any(_shape(s) in shapes for s in o.signatures)
    )


def _shape(signature: Signature) -> tuple[object, ...]:
    """Argument and result sorts, with variables numbered in order of appearance."""
    numbers: dict[str, int] = {}

    def of_index(index: Index) -> object:
        if isinstance(index, str):
            return "#", numbers.setdefault(index, len(numbers))
        return tuple(map(of_index, index)) if isinstance(index, tuple) else index

    def of_sort(sort: Sort) -> object:
        if sort.is_parameter:
            return "?", numbers.setdefault(sort.name, len(numbers))
        return sort.name, tuple(map(of_index, sort.indices)), tuple(map(of_sort, sort.args))

    sorts = tuple(map(of_sort, (*signature.args, signature.result)))
    return tuple(map(of_index, signature.indices)), sorts
