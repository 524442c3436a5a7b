"""The theory Core: Booleans, equality, `ite`; and functions as values."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib.operators import Operator, aliases, merged, table
from falsum.smtlib.sort_kinds import Difference, Domain, FiniteDomains, Literals, Payload, SortKind
from falsum.smtlib.sorts import BOOL, Index, Sort, applied
from falsum.smtlib.terms import Head, Term, Value, app, value
from falsum.smtlib.theories import arrays
from falsum.smtlib.theories.laws import core as laws
from falsum.smtlib.theories.meanings import plain
from falsum.smtlib.theories.theory import Theory

TRUE: Final[Value] = value(BOOL, True, "true")
FALSE: Final[Value] = value(BOOL, False, "false")


def _difference(sort: Sort, want: bool, have: bool, rng: Random) -> Difference:
    del sort
    operator = rng.choice(("xor", "="))
    return Difference(operator, (want is not have) if operator == "xor" else want is have)


def _itself(term: Term) -> Iterator[Term]:
    yield term


def _converted(old: Sort, new: Sort, payload: Payload) -> bool:
    del old, new
    return bool(payload)


_BOOLEANS: Final = SortKind(
    "Bool",
    is_reserved=True,
    family="core",
    letter="p",
    literals=Literals(names={"true": True, "false": False}),
    has_literals=True,
    text=lambda _, payload: "true" if payload else "false",
    corners=lambda _: (False, True),
    random=lambda _, rng: rng.random() < 0.5,
    uniform=lambda _, rng: rng.random() < 0.5,
    domain=lambda sort, domains: (False, True),
    convert=_converted,
    regions=_itself,
    difference=_difference,
)


def _function_sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    if len(args) < 2:
        raise UsageError("a function sort needs an argument sort and a result sort")
    return Sort("->", indices, args)


def _all_functions(sort: Sort, domains: FiniteDomains) -> Domain | None:
    """The tables of all functions: of several parameters, each maps the first to a table of the others."""
    rest = sort.args[1] if len(sort.args) == 2 else Sort("->", (), sort.args[1:])
    return arrays.domain(Sort("Array", (), (sort.args[0], rest)), domains)


# Functions may be represented by array values and are then written as arrays: `((as const (-> Int Int)) 0)`.
_FUNCTIONS: Final = SortKind(
    "->",
    arity=-1,
    make=_function_sort,
    is_reserved=True,
    is_function=True,
    family="uf",
    term=arrays.term,
    domain=_all_functions,
)

_STANDARD = table(
    "Core",
    """
    (not Bool Bool)
    (=> Bool Bool Bool :right-assoc)
    (and Bool Bool Bool :left-assoc)
    (or Bool Bool Bool :left-assoc)
    (xor Bool Bool Bool :left-assoc)
    (par (A) (= A A Bool :chainable))
    (par (A) (distinct A A Bool :pairwise))
    (par (A) (ite Bool A A A))
    """,
    # The evaluator implements `and`, `or`, `=>`, `ite`, `=` and `distinct` itself, since their value may be
    # known although an argument is not.
    {
        "not": plain(lambda p: not p),
        "xor": lambda app, args: sum(args) % 2 == 1,
    },
)
# Solvers accept (and) as true and (or) as false.
_EMPTY = table("Core", "(and Bool) (or Bool) (xor Bool)", is_standard=False)
_OPERATORS = merged(_STANDARD, _EMPTY)
_EQUALS, _AND = (
    Head(next(operator for operator in _OPERATORS if operator.name == name)) for name in ("=", "and")
)


def equation(left: Term, right: Term) -> Term:
    return app(_EQUALS, (left, right))


def conjunction(*terms: Term) -> Term:
    return app(_AND, terms)


def _apply(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    """`(@ f x …)` applies a function to some or all of its arguments."""
    return applied(sorts[0], sorts[1:]) if len(sorts) > 1 and not indices else None


def _cardinality(indices: tuple[Index, ...], sorts: tuple[Sort, ...]) -> Sort | None:
    return BOOL if len(indices) == 2 and not sorts else None


APPLY = Operator("@", "Core", rule=_apply, wants="a function and arguments of its sorts", is_standard=False)
# (f x) where f is a variable of a function sort: the operator is implicit.
IMPLICIT_APPLY = Operator(
    "@", "Core", rule=_apply, wants=APPLY.wants, is_standard=False, is_implicit=True, alias_of=APPLY
)

THEORY = Theory(
    "Core",
    (_BOOLEANS, _FUNCTIONS),
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"implies": "=>", "iff": "=", "if": "ite"}),
        APPLY,
        Operator("fmf.card", "Core", rule=_cardinality, wants="(_ fmf.card Sort n)", is_standard=False),
    ),
    (laws.BOOLEANS, laws.ANY_SORT),
)
