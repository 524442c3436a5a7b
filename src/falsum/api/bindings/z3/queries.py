"""Calls all queries of z3's terms, sorts and models that are allowed, and compares their answers."""

from __future__ import annotations

import inspect
from typing import Any

from .library import z3

# Predicates on a term.
PREDICATES = tuple(
    name
    for name in sorted(dir(z3))
    if name.startswith("is_") and len(inspect.signature(getattr(z3, name)).parameters) == 1
)
FLOAT = ("isNaN", "isInf", "isZero", "isNormal", "isSubnormal", "isPositive", "isNegative")
# Only for numbers that are neither infinite nor NaN.
FINITE = (
    "sign", "significand", "significand_as_long", "exponent", "exponent_as_long", "sign_as_bv",
    "significand_as_bv", "exponent_as_bv",
)  # fmt: skip
QUANTIFIED = (
    "weight", "qid", "skolem_id", "num_vars", "num_patterns", "num_no_patterns", "is_forall", "is_exists",
    "is_lambda",
)  # fmt: skip


def query_term(term: Any) -> list[str]:
    """The answers to all queries of a term and its sort; raises ValueError if two of them disagree."""
    if not isinstance(term, z3.AstRef):
        return []  # an inline definition, which z3 does not know
    parts = [str(term.hash() > 0), str(term.eq(term))]
    if not isinstance(term, z3.ExprRef):
        return parts
    parts += [name for name in PREDICATES if getattr(z3, name)(term)]
    sort = term.sort()
    parts += [sort.name(), str(sort.kind()), str(term.sort_kind()), str(sort.subsort(sort))]
    if term.sort_kind() != sort.kind():
        raise ValueError(f"sort_kind() is {term.sort_kind()}, but sort().kind() is {sort.kind()}")
    parts += query_value(term)
    if z3.is_quantifier(term):
        parts += [str(getattr(term, name)()) for name in QUANTIFIED if hasattr(term, name)]
        parts += [term.var_name(index) for index in range(term.num_vars())]
        parts += [term.pattern(index).sexpr() for index in range(term.num_patterns())]
        parts += [term.no_pattern(index).sexpr() for index in range(term.num_no_patterns())]
    elif z3.is_app(term):
        declaration = term.decl()
        parts += [declaration.name(), str(declaration.kind()), str(declaration.arity()), str(term.num_args())]
        parts += [str(declaration.params())]
        if not z3.is_app_of(term, declaration.kind()):
            raise ValueError(f"is_app_of is false for {declaration.name()} and its own kind")
        if declaration.range() != sort:
            raise ValueError(f"decl().range() is {declaration.range()}, but sort() is {sort}")
    return [" ".join(each.split()) for each in parts]


def query_value(term: Any) -> list[str]:
    """The queries of numbers, strings and bit-vectors."""
    parts: list[str] = []
    if z3.is_bv(term):
        parts.append(str(term.size()))
    if z3.is_bv_value(term):
        parts += [str(term.as_long()), str(term.as_signed_long()), term.as_string()]
        if hasattr(term, "as_binary_string"):
            parts.append(term.as_binary_string())
            if term.as_long() != int(parts[-1], 2):
                raise ValueError(f"as_long() is {term.as_long()}, but as_binary_string() is {parts[-1]}")
    if z3.is_int_value(term):
        parts += [str(term.as_long()), term.as_string()]
    if z3.is_rational_value(term):
        parts += [str(term.numerator()), str(term.denominator()), term.as_decimal(5), str(term.as_fraction())]
        parts += [str(term.numerator_as_long()), str(term.denominator_as_long())]
        if term.as_fraction().denominator != term.denominator_as_long():
            raise ValueError(f"as_fraction() is {term.as_fraction()}, not over {term.denominator_as_long()}")
    if z3.is_fp(term):
        parts += [str(term.ebits()), str(term.sbits())]
    if z3.is_fp_value(term):
        parts += [name for name in FLOAT if getattr(term, name)()]
        if not {"isNaN", "isInf"} & set(parts):
            parts += [str(getattr(term, name)()) for name in FINITE if hasattr(term, name)]
    if z3.is_string_value(term):
        parts.append(term.as_string())
    return parts


def query_model(model: Any) -> list[str]:
    """The symbols a model declares, its sorts and their universes."""
    parts = [str(model.sexpr().count("define-fun")), str(len(model))]
    parts += [f"{declaration.name()}/{declaration.arity()}" for declaration in model.decls()]
    sorts = [model.get_sort(index) for index in range(model.num_sorts())]
    if len(sorts) != len(model.sorts()):
        raise ValueError(f"num_sorts() is {len(sorts)}, but sorts() has {len(model.sorts())}")
    for sort in sorts:
        universe = model.get_universe(sort)
        parts.append(f"{sort.name()}:{0 if universe is None else len(universe)}")
    return parts
