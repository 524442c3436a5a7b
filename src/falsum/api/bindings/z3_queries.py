"""What can be asked about z3's terms, sorts, models and solvers; loaded by `z3_extras.py` in the child.

Everything that may be asked answers, and answers about one thing agree.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

z3: Any = importlib.import_module("z3")

# Every question of one argument about what a term is.
QUESTIONS = tuple(
    name
    for name in sorted(dir(z3))
    if name.startswith("is_") and len(inspect.signature(getattr(z3, name)).parameters) == 1
)
FLOAT = ("isNaN", "isInf", "isZero", "isNormal", "isSubnormal", "isPositive", "isNegative")
# Of numbers that are neither infinite nor NaN.
FINITE = (
    "sign", "significand", "significand_as_long", "exponent", "exponent_as_long", "sign_as_bv",
    "significand_as_bv", "exponent_as_bv",
)  # fmt: skip
QUANTIFIED = (
    "weight", "qid", "skolem_id", "num_vars", "num_patterns", "num_no_patterns", "is_forall", "is_exists",
    "is_lambda",
)  # fmt: skip


def inspected(term: Any) -> list[str]:
    """What can be asked about a term and its sort."""
    if not isinstance(term, z3.AstRef):
        return []  # a definition that is unfolded where it is used: nothing of z3's
    found = [str(term.hash() > 0), str(term.eq(term))]
    if not isinstance(term, z3.ExprRef):
        return found
    found += [name for name in QUESTIONS if getattr(z3, name)(term)]
    sort = term.sort()
    found += [sort.name(), str(sort.kind()), str(term.sort_kind()), str(sort.subsort(sort))]
    if term.sort_kind() != sort.kind():
        raise ValueError(f"{term.sort_kind()} is not {sort.kind()}")
    found += of_value(term)
    if z3.is_quantifier(term):
        found += [str(getattr(term, name)()) for name in QUANTIFIED if hasattr(term, name)]
        found += [term.var_name(place) for place in range(term.num_vars())]
        found += [term.pattern(place).sexpr() for place in range(term.num_patterns())]
        found += [term.no_pattern(place).sexpr() for place in range(term.num_no_patterns())]
    elif z3.is_app(term):
        declared = term.decl()
        found += [declared.name(), str(declared.kind()), str(declared.arity()), str(term.num_args())]
        found += [str(declared.params())]
        if not z3.is_app_of(term, declared.kind()):
            raise ValueError(f"{declared.name()} is not of its own kind")
        if declared.range() != sort:
            raise ValueError(f"{declared.range()} is not {sort}")
    return [" ".join(each.split()) for each in found]


def of_value(term: Any) -> list[str]:
    """What numbers, strings and bits are."""
    found: list[str] = []
    if z3.is_bv(term):
        found.append(str(term.size()))
    if z3.is_bv_value(term):
        found += [str(term.as_long()), str(term.as_signed_long()), term.as_string()]
        if hasattr(term, "as_binary_string"):
            found.append(term.as_binary_string())
            if term.as_long() != int(found[-1], 2):
                raise ValueError(f"{term.as_long()} is not {found[-1]}")
    if z3.is_int_value(term):
        found += [str(term.as_long()), term.as_string()]
    if z3.is_rational_value(term):
        found += [str(term.numerator()), str(term.denominator()), term.as_decimal(5), str(term.as_fraction())]
        found += [str(term.numerator_as_long()), str(term.denominator_as_long())]
        if term.as_fraction().denominator != term.denominator_as_long():
            raise ValueError(f"{term.as_fraction()} is not over {term.denominator_as_long()}")
    if z3.is_fp(term):
        found += [str(term.ebits()), str(term.sbits())]
    if z3.is_fp_value(term):
        found += [name for name in FLOAT if getattr(term, name)()]
        if not {"isNaN", "isInf"} & set(found):
            found += [str(getattr(term, name)()) for name in FINITE if hasattr(term, name)]
    if z3.is_string_value(term):
        found.append(term.as_string())
    return found


def of_model(model: Any) -> list[str]:
    """All that a model lists: what it declares, its sorts and their elements."""
    found = [str(model.sexpr().count("define-fun")), str(len(model))]
    found += [f"{declared.name()}/{declared.arity()}" for declared in model.decls()]
    sorts = [model.get_sort(place) for place in range(model.num_sorts())]
    if len(sorts) != len(model.sorts()):
        raise ValueError(f"{len(sorts)} sorts, and {len(model.sorts())} listed")
    for sort in sorts:
        universe = model.get_universe(sort)
        found.append(f"{sort.name()}:{0 if universe is None else len(universe)}")
    return found
