"""Writes payloads as terms: constants, and applications where SMT-LIB has no literal."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.printing.regexes_as_terms import regex_term
from falsum.smtlib.sorts import INT, REAL, Bindings, Sort, substitute
from falsum.smtlib.terms import Function, Head, Term, Value, app, sort_text, value
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.theories.meanings import float_format, width
from falsum.smtlib.values import integers, strings
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.elements import ArrayValue, Constructed, Element
from falsum.smtlib.values.regexes import Regex
from falsum.smtlib.values.rounding import RoundingMode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from falsum.smtlib.scripts import Datatype

_MINUS: Final = Head(OPERATORS["-"])
_DIVIDE: Final = Head(OPERATORS["/"])


def write_value(sort: Sort, payload: Any) -> Value:
    """The payload as one constant, written so that solvers read it back (composite ones for people)."""
    return value(sort, payload, value_text(sort, payload))


def value_text(sort: Sort, payload: Any) -> str:
    """How a payload of a basic sort is written."""
    if isinstance(payload, bool):
        return "true" if payload else "false"
    if isinstance(payload, Fraction):
        return _real_text(payload)
    if isinstance(payload, Algebraic):
        return _algebraic_text(payload)
    if isinstance(payload, RoundingMode):
        return payload.name
    if isinstance(payload, Element):
        return f"(as {payload.name} {sort_text(sort)})"
    if isinstance(payload, str):
        return strings.encode_literal(payload)
    if isinstance(payload, int):
        return _integer_text(sort, payload)
    if isinstance(payload, Regex):
        term = regex_term(payload)
        return print_term(term) if term is not None else "a regular expression"
    if isinstance(payload, frozenset):
        return f"{{{' '.join(sorted(map(repr, payload)))}}}"
    return repr(payload)


def _integer_text(sort: Sort, payload: int) -> str:
    if sort.name == "BitVec":
        return f"#b{payload:0{width(sort)}b}"
    if sort.name == "FloatingPoint":
        return _float_text(sort, payload)
    if sort.name == "FiniteField":
        return f"(as ff{payload} {sort})"
    if sort.name == "Char":
        return f"(_ Char {payload})"
    text = integers.to_decimal(abs(payload))
    return f"(- {text})" if payload < 0 else text


def _float_text(sort: Sort, payload: int) -> str:
    fmt = float_format(sort)
    bits = f"{payload:0{fmt.width}b}"
    return f"(fp #b{bits[0]} #b{bits[1 : fmt.eb + 1]} #b{bits[fmt.eb + 1 :]})"


def _real_text(payload: Fraction) -> str:
    number = f"{integers.to_decimal(abs(payload.numerator))}.0"
    if payload.denominator != 1:
        number = f"(/ {number} {integers.to_decimal(payload.denominator)}.0)"
    return f"(- {number})" if payload < 0 else number


def _algebraic_text(payload: Algebraic) -> str:
    terms = []
    for power, coefficient in enumerate(payload.polynomial):
        if coefficient:
            number = str(coefficient) if coefficient > 0 else f"(- {-coefficient})"
            terms.append(number if not power else f"(* {number} (^ x {power}))")
    return f"(root-obj (+ {' '.join(terms)}) {payload.index})"


def value_term(sort: Sort, payload: Any, datatypes: Mapping[str, Datatype], depth: int = 0) -> Term | None:
    """The payload as a term every reader takes; None where there is none (sets of functions and the like)."""
    if isinstance(payload, Regex):
        return regex_term(payload)
    if depth > _DEEPEST:
        return None
    return _value_term(sort, payload, datatypes, depth + 1)


# Payloads are written recursively; a deeper one has no term.
_DEEPEST: Final = 200


def _value_term(sort: Sort, payload: Any, datatypes: Mapping[str, Datatype], depth: int) -> Term | None:
    if isinstance(payload, ArrayValue):
        return _array_term(sort, payload, datatypes, depth)
    if isinstance(payload, Constructed):
        return _constructed_term(sort, payload, datatypes, depth)
    if isinstance(payload, tuple | frozenset):
        return _collection_term(sort, payload, datatypes, depth)
    if sort is INT and payload < 0:
        return app(_MINUS, (write_value(sort, -payload),))
    if sort is REAL and isinstance(payload, Fraction):
        return _real_term(payload)
    return write_value(sort, payload)


def _real_term(payload: Fraction) -> Term:
    term: Term = write_value(REAL, Fraction(abs(payload.numerator)))
    if payload.denominator != 1:
        term = app(_DIVIDE, (term, write_value(REAL, Fraction(payload.denominator))))
    return app(_MINUS, (term,)) if payload < 0 else term


def _array_term(
    sort: Sort, payload: ArrayValue, datatypes: Mapping[str, Datatype], depth: int
) -> Term | None:
    default = value_term(sort.args[-1], payload.default, datatypes, depth)
    if default is None:
        return None
    term: Term = app(Head(OPERATORS["const"], (), sort), (default,))
    for index, stored in sorted(payload.entries.items(), key=repr):
        keys = index if isinstance(index, tuple) and len(sort.args) > 2 else (index,)
        parts = [value_term(s, k, datatypes, depth) for s, k in zip(sort.args, (*keys, stored), strict=True)]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        term = app(Head(OPERATORS["store"]), (term, *known))
    return term


def _constructed_term(
    sort: Sort, payload: Constructed, datatypes: Mapping[str, Datatype], depth: int
) -> Term | None:
    datatype = datatypes.get(sort.name)
    if datatype is None:  # z3's lists, which no command declares
        return None
    bindings: Bindings = {p.name: a for p, a in zip(datatype.params, sort.args, strict=False)}
    selectors = next(c.selectors for c in datatype.constructors if c.name == payload.constructor)
    sorts = tuple(s for _, s in selectors)
    symbol = Function(payload.constructor, sorts, datatype.sort, datatype.params, "constructor")
    inner = [substitute(s, bindings) for s in sorts]
    parts = [value_term(s, p, datatypes, depth) for s, p in zip(inner, payload.args, strict=True)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return app(Head(symbol, (), sort if datatype.params else None), known)


def _collection_term(
    sort: Sort, payload: tuple[Any, ...] | frozenset[Any], datatypes: Mapping[str, Datatype], depth: int
) -> Term | None:
    ordered = payload if isinstance(payload, tuple) else tuple(sorted(payload, key=repr))
    sorts = sort.args if sort.name in ("Tuple", "UnitTuple") else sort.args * len(ordered)
    parts = [value_term(s, p, datatypes, depth) for s, p in zip(sorts, ordered, strict=True)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if sort.name == "Tuple":
        return app(Head(OPERATORS["tuple"]), known)
    if sort.name == "UnitTuple":
        return app(Head(OPERATORS["tuple.unit"]))
    empty, unit, join = _COLLECTIONS[sort.name]
    if not known:
        return app(Head(OPERATORS[empty], (), sort))
    units: list[Term] = [app(Head(OPERATORS[unit]), (part,)) for part in known]
    return units[0] if len(units) == 1 else app(Head(OPERATORS[join]), units)


_COLLECTIONS: Final = {
    "Seq": ("seq.empty", "seq.unit", "seq.++"),
    "Set": ("set.empty", "set.singleton", "set.union"),
}
