"""What solvers accept beyond the standard: overloading, implicit conversions, integer literals as reals.

Every conversion is an operator that is not printed, so terms stay well-sorted and print as they were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from falsum.smtlib.operators import Operator, Rule, table
from falsum.smtlib.sorts import BOOL, INT, REAL, Index, Sort, array, flat, function
from falsum.smtlib.terms import App, Function, Head, Term, Value, app, value
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.arithmetic import IMPLICIT_TO_INT, IMPLICIT_TO_REAL
from falsum.smtlib.theories.core import IMPLICIT_APPLY as _APPLY

IMPLICIT_APPLY: Final = Head(_APPLY)
# The head of `((t …) …)`: a term in front of arguments.
TERM_IN_FRONT: Final = (IMPLICIT_APPLY,)
_TO_REAL: Final = Head(IMPLICIT_TO_REAL)
_TO_INT: Final = Head(IMPLICIT_TO_INT)
_SELECT: Final = Head(OPERATORS["select"])
# The choices of arguments to convert are exponentially many; beyond this all are converted or none.
_MOST_CHOICES: Final = 5


def _to_array(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """z3 accepts a function or a set where it needs an array."""
    if indices or len(sorts) != 1:
        return None
    if sorts[0].name == "->":
        return Sort("Array", (), sorts[0].args)
    is_set = sorts[0].name == "Set" and len(sorts[0].args) == 1
    return array(sorts[0].args[0], BOOL) if is_set else None


def _to_function(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if indices or len(sorts) != 1 or sorts[0].name != "Array":
        return None
    return function(sorts[0].args[:-1], sorts[0].args[-1])


def _to_set(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    if indices or len(sorts) != 1 or sorts[0].name != "Array" or sorts[0].args[-1] is not BOOL:
        return None
    return Sort("Set", (), sorts[0].args[:-1])


def _to_integer(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return INT if not indices and sorts == (BOOL,) else None


def _implicit(name: str, rule: Rule) -> Head:
    return Head(Operator(name, "Core", rule=rule, is_standard=False, is_implicit=True))


# The same function with its sort spelled otherwise: (-> A (-> B C)) and (-> A B C).
_ARROW: Final = replace(table("Core", "(par (A B) (arrow-of A B))", is_standard=False)[0], is_implicit=True)
_TO_ARRAY: Final = _implicit("array-of", _to_array)
_TO_FUNCTION: Final = _implicit("function-of", _to_function)
_TO_SET: Final = _implicit("set-of", _to_set)
_BOOL_TO_INT: Final = _implicit("int-of", _to_integer)


def apply(head: Head | tuple[Head, ...], args: Sequence[Term]) -> Term | None:
    """The application, with conversions if it needs them; None if no head can be applied."""
    heads = (
        tuple(sorted(head, key=lambda one: _is_partial(one, args))) if isinstance(head, tuple) else (head,)
    )
    for one in heads:
        if one is IMPLICIT_APPLY:
            return _apply_term(args)
        if one.rank(tuple(arg.sort for arg in args)) is not None:
            term = app(one, args)
            literal = one.symbol.literal if isinstance(one.symbol, Operator) else None
            return (literal and literal(term)) or term
    for one in heads:
        converted = _apply_converted(one, args)
        if converted is not None:
            return converted
    if any(arg.sort is BOOL for arg in args):
        numbers = [app(_BOOL_TO_INT, (arg,)) if arg.sort is BOOL else arg for arg in args]
        for one in heads:
            if isinstance(one.symbol, Operator) and one.symbol.theory == "Arithmetic":
                return apply(head, numbers)
    return None


def _is_partial(head: Head, args: Sequence[Term]) -> bool:
    """Whether a function takes more arguments, so that another one of the same name is meant."""
    return isinstance(head.symbol, Function) and len(args) < len(head.symbol.args)


def _apply_converted(head: Head, args: Sequence[Term]) -> Term | None:
    if isinstance(head.symbol, Function) and not head.symbol.params:
        return _apply_function(head, head.symbol, args)
    for choice in _choices(args):
        if head.rank(tuple(arg.sort for arg in choice)) is not None:
            return app(head, choice)
    return None


def _apply_function(head: Head, symbol: Function, args: Sequence[Term]) -> Term | None:
    """A declared function: each argument is converted to the declared sort."""
    if not symbol.args and symbol.result.name == "Array" and args:
        return _apply_term([app(head), *args])
    sorts = (*symbol.args, *(flat(symbol.result).args[:-1] if symbol.result.name == "->" else ()))
    if not len(symbol.args) <= len(args) <= len(sorts):
        return None
    converted = [convert(arg, sort) for arg, sort in zip(args, sorts, strict=False)]
    fitting = [arg for arg in converted if arg is not None]
    return app(head, fitting) if len(fitting) == len(args) else None


def _apply_term(args: Sequence[Term]) -> Term | None:
    """`(t x …)` with a term t: a constant in parentheses, an array or a function."""
    first, *rest = args
    if not rest:
        return first
    if (
        isinstance(first, App)
        and not first.args
        and isinstance(first.head.symbol, Function)
        and (first.head.symbol.args or first.sort.name == "->")
    ):
        # `((f) x)` is read and printed as `(f x)`.
        return apply(first.head, rest)
    if first.sort.name == "Array" and _SELECT.rank(tuple(arg.sort for arg in args)) is not None:
        return app(_SELECT_APPLY, args)
    sorts = flat(first.sort).args[:-1] if first.sort.name == "->" else ()
    if len(rest) > len(sorts):
        return None
    converted = [convert(arg, sort) for arg, sort in zip(rest, sorts, strict=False)]
    fitting = [arg for arg in converted if arg is not None]
    return app(IMPLICIT_APPLY, (first, *fitting)) if len(fitting) == len(rest) else None


_SELECT_APPLY: Final = Head(
    Operator(
        "select",
        "ArraysEx",
        OPERATORS["select"].signatures,
        OPERATORS["select"].rule,
        is_standard=False,
        alias_of=OPERATORS["select"],
        is_implicit=True,
    )
)


def convert(term: Term, sort: Sort) -> Term | None:
    """The term as one of this sort, if solvers convert it implicitly; else None."""
    if term.sort is sort:
        return term
    if term.sort.name == sort.name == "->" and flat(term.sort) is flat(sort):
        return app(Head(_ARROW, (), sort), (term,))
    return next((other for other in _conversions(term) if other.sort is sort), None)


def _conversions(term: Term) -> Iterator[Term]:
    if term.sort is INT:
        if isinstance(term, Value):
            yield value(REAL, Fraction(term.payload), term.text)
        else:
            yield app(_TO_REAL, (term,))
    elif term.sort is REAL:
        yield app(_TO_INT, (term,))
    if flat(term.sort) is not term.sort:
        yield app(Head(_ARROW, (), flat(term.sort)), (term,))
    for head in (_TO_ARRAY, _TO_FUNCTION, _TO_SET):
        if head.rank((term.sort,)) is not None:
            yield app(head, (term,))


def _choices(args: Sequence[Term]) -> Iterator[list[Term]]:
    """The arguments with some of them converted: integers to reals first, many before few."""
    for sort in (INT, None, REAL):
        convertible = [
            (place, other)
            for place, arg in enumerate(args)
            if (arg.sort is sort if sort else arg.sort not in (INT, REAL))
            for other in _conversions(arg)
        ]
        sizes = range(len(convertible), 0, -1)
        if len(convertible) > _MOST_CHOICES:
            sizes = range(len(convertible), len(convertible) - 1, -1)
        for size in sizes:
            for some in combinations(convertible, size):
                new_args = list(args)
                for place, other in some:
                    new_args[place] = other
                yield new_args
