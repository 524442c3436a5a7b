"""Sorts: shared, immutable, compared by identity.

A sort may also be a *pattern*: it then contains sort parameters (`Sort.parameter`) and index variables
(strings) or index expressions (tuples), and `match` binds them. Signatures are made of patterns.
"""

from __future__ import annotations

import weakref
from itertools import pairwise
from typing import Final, TypeAlias

from falsum.errors import UsageError

# The index of a sort is an int; in a pattern it may be a variable or an expression such as ("+", "i", "j").
Index: TypeAlias = "int | str | tuple[Index, ...]"
Bindings: TypeAlias = "dict[str, Sort | int]"

# Sorts are matched and substituted recursively; real scripts are far below this limit.
MAX_DEPTH: Final = 200
# Each definition of a sort may double the size, so the size is limited as well.
MAX_SIZE: Final = 10_000


class Sort:
    """`(name indices… args…)`: `Int`, `(_ BitVec 8)`, `(Array Int Bool)`, `(-> Int Int Bool)`."""

    __slots__ = ("__weakref__", "args", "depth", "indices", "is_parameter", "is_pattern", "name", "size")

    name: str
    indices: tuple[Index, ...]
    args: tuple[Sort, ...]
    is_parameter: bool
    is_pattern: bool
    depth: int
    size: int

    def __new__(
        cls,
        name: str,
        indices: tuple[Index, ...] = (),
        args: tuple[Sort, ...] = (),
        *,
        is_parameter: bool = False,
    ) -> Sort:
        key = (name, indices, args, is_parameter)
        sort = _known.get(key)
        if sort is not None:
            return sort
        self = super().__new__(cls)
        self.name = name
        self.indices = indices
        self.args = args
        self.is_parameter = is_parameter
        self.is_pattern = (
            is_parameter
            or any(arg.is_pattern for arg in args)
            or any(not isinstance(index, int) for index in indices)
        )
        self.depth = 1 + max((arg.depth for arg in args), default=0)
        if self.depth > MAX_DEPTH:
            raise UsageError(f"the sort is nested more than {MAX_DEPTH} levels deep")
        self.size = 1 + sum([arg.size for arg in args])
        if self.size > MAX_SIZE:
            raise UsageError(f"the sort has more than {MAX_SIZE} parts")
        _known[key] = self
        return self

    @classmethod
    def parameter(cls, name: str) -> Sort:
        return cls(name, is_parameter=True)

    def __str__(self) -> str:
        # Without quoting, which messages and the theories' sorts do not need.
        head = self.name
        if self.indices:
            head = f"(_ {head} {' '.join(_show_index(index) for index in self.indices)})"
        if self.args:
            return f"({head} {' '.join(map(str, self.args))})"
        return head

    def __repr__(self) -> str:
        return f"Sort<{self}>"

    def __reduce__(self) -> str | tuple[object, ...]:
        return Sort, (self.name, self.indices, self.args)


_known: weakref.WeakValueDictionary[tuple[object, ...], Sort] = weakref.WeakValueDictionary()

BOOL: Final = Sort("Bool")
INT: Final = Sort("Int")
REAL: Final = Sort("Real")
STRING: Final = Sort("String")
REGLAN: Final = Sort("RegLan")
ROUNDING_MODE: Final = Sort("RoundingMode")


# Wider bit-vectors are refused: a script of one line could fill the memory with a single value.
MAX_WIDTH: Final = 1 << 20


def bitvec(width: int) -> Sort:
    return Sort("BitVec", (width,))


def floating_point(exponent: int, significand: int) -> Sort:
    return Sort("FloatingPoint", (exponent, significand))


def array(index: Sort, element: Sort) -> Sort:
    return Sort("Array", (), (index, element))


def function(args: tuple[Sort, ...], result: Sort) -> Sort:
    """`(-> args… result)`."""
    return Sort("->", (), (*args, result))


def flat(sort: Sort) -> Sort:
    """A function sort with all its arguments at one level: cvc5 knows no difference, z3 does."""
    while sort.name == "->" and sort.args[-1].name == "->":
        sort = Sort("->", (), (*sort.args[:-1], *sort.args[-1].args))
    return sort


def applied(sort: Sort, args: tuple[Sort, ...]) -> Sort | None:
    """What is left of a function sort after arguments of these sorts; None if they do not fit."""
    for one in args:
        if sort.name != "->" or sort.args[0] is not one:
            return None
        sort = sort.args[1] if len(sort.args) == 2 else Sort("->", (), sort.args[1:])
    return sort


def match(pattern: Sort, sort: Sort, bindings: Bindings) -> bool:
    """Whether the sort is an instance of the pattern; binds what the pattern leaves open."""
    if not pattern.is_pattern:
        return pattern is sort
    if pattern.is_parameter:
        bound = bindings.setdefault(pattern.name, sort)
        return bound is sort
    if (
        pattern.name != sort.name
        or len(pattern.args) != len(sort.args)
        or len(pattern.indices) != len(sort.indices)
    ):
        return False
    for want, got in zip(pattern.indices, sort.indices, strict=True):
        if isinstance(want, str):
            if not isinstance(got, int) or bindings.setdefault(want, got) != got:
                return False
        elif compute(want, bindings) != got:
            return False
    return all(map(match, pattern.args, sort.args, [bindings] * len(sort.args)))


def substitute(pattern: Sort, bindings: Bindings) -> Sort:
    """The pattern with the bindings applied; variables without a binding stay."""
    if not pattern.is_pattern:
        return pattern
    if pattern.is_parameter:
        bound = bindings.get(pattern.name, pattern)
        return bound if isinstance(bound, Sort) else pattern
    indices = tuple(
        index if isinstance(index, int) else _resolved(index, bindings) for index in pattern.indices
    )
    return Sort(pattern.name, indices, tuple(substitute(arg, bindings) for arg in pattern.args))


def compute(expression: Index, bindings: Bindings) -> int | None:
    """The value of an index expression, or None if one of its variables has no binding."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        bound = bindings.get(expression)
        return bound if isinstance(bound, int) else None
    operator, *operands = expression
    numbers = [compute(operand, bindings) for operand in operands]
    values = [number for number in numbers if number is not None]
    if len(values) != len(numbers):
        return None
    if operator == "+":
        return sum(values)
    if operator == "-" and values:
        return values[0] - sum(values[1:])
    if operator == "*":
        product = 1
        for number in values:
            product *= number
        return product
    if operator == "<=":
        return int(all(a <= b for a, b in pairwise(values)))
    if operator == "<":
        return int(all(a < b for a, b in pairwise(values)))
    raise UsageError(f"unknown operation in an index: {operator}")


def _resolved(index: Index, bindings: Bindings) -> Index:
    number = compute(index, bindings)
    return index if number is None else number


def _show_index(index: Index) -> str:
    if isinstance(index, tuple):
        return f"({' '.join(map(_show_index, index))})"
    return str(index)
