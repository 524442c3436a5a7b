"""The theory FloatingPoint, and extensions of solvers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from falsum.smtlib.operators import Meaning, aliases, merged, table
from falsum.smtlib.theories.float_sorts import kinds, triple
from falsum.smtlib.theories.laws import floats as laws
from falsum.smtlib.theories.meanings import chained_of_format, float_format, of_format, width
from falsum.smtlib.theories.theory import Theory
from falsum.smtlib.values import float_conversions as conversions
from falsum.smtlib.values import floats
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.rounding import Format, RoundingMode

if TYPE_CHECKING:
    from falsum.smtlib.terms import App

_FP = "(_ FloatingPoint e s)"
_RM = "RoundingMode"
_OK = ":where (< 1 e) :where (< 1 s)"


def _to_fp(app: App, args: Sequence[Any]) -> object:
    """The meaning of `to_fp` depends on the sorts of its arguments."""
    fmt, source = float_format(app.sort), app.args[-1].sort
    if len(args) == 1:
        return conversions.from_ieee_bv(fmt, args[0])
    if len(args) == 3:
        if source.name == "BitVec":
            return floats.triple(fmt, *args)
        return _scaled(fmt, *args)
    mode, value = args
    if source.name == "FloatingPoint":
        return conversions.from_float(fmt, mode, float_format(source), value)
    if source.name == "BitVec":
        return conversions.from_signed_bv(fmt, mode, width(source), value)
    if source.name == "Int":
        return conversions.from_int(fmt, mode, value)
    return conversions.from_real(fmt, mode, value)


def _scaled(fmt: Format, mode: RoundingMode, one: Any, other: Any) -> object:
    """z3's `to_fp` of a significand and an exponent of two, in either order."""
    significand, exponent = (one, other) if isinstance(other, int) else (other, one)
    if abs(exponent) > _MOST_SCALED or not isinstance(significand, Fraction):
        return CannotSay("to_fp of a large exponent or an irrational significand")
    return conversions.from_real(fmt, mode, significand * Fraction(2) ** exponent)


_MOST_SCALED = 1 << 14


def _to_bits(function: Callable[..., object]) -> Meaning:
    return lambda app, args: function(float_format(app.args[1].sort), args[0], width(app.sort), args[1])


_STANDARD = table(
    "FloatingPoint",
    f"""
    (fp (_ BitVec 1) (_ BitVec e) (_ BitVec i) (_ FloatingPoint e (+ i 1)) :where (< 1 e))
    (fp.abs {_FP} {_FP}) (fp.neg {_FP} {_FP})
    (fp.sqrt {_RM} {_FP} {_FP}) (fp.roundToIntegral {_RM} {_FP} {_FP})
    (fp.rem {_FP} {_FP} {_FP}) (fp.min {_FP} {_FP} {_FP}) (fp.max {_FP} {_FP} {_FP})
    (fp.fma {_RM} {_FP} {_FP} {_FP} {_FP})
    """
    + "".join(f"(fp.{n} {_RM} {_FP} {_FP} {_FP})" for n in ("add", "sub", "mul", "div"))
    + "".join(f"(fp.{n} {_FP} {_FP} Bool :chainable)" for n in ("leq", "lt", "geq", "gt", "eq"))
    + "".join(
        f"(fp.is{n} {_FP} Bool)"
        for n in ("Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative", "Positive")
    )
    + f"""
    ((_ to_fp e s) (_ BitVec (+ e s)) {_FP} {_OK})
    ((_ to_fp e s) {_RM} (_ FloatingPoint i j) {_FP} {_OK})
    ((_ to_fp e s) {_RM} Real {_FP} {_OK})
    ((_ to_fp e s) {_RM} (_ BitVec m) {_FP} {_OK})
    ((_ to_fp_unsigned e s) {_RM} (_ BitVec m) {_FP} {_OK})
    ((_ fp.to_ubv m) {_RM} {_FP} (_ BitVec m) :where (< 0 m))
    ((_ fp.to_sbv m) {_RM} {_FP} (_ BitVec m) :where (< 0 m))
    (fp.to_real {_FP} Real)
    """,
    {
        "fp": lambda app, args: floats.triple(float_format(app.sort), *args),
        "fp.abs": of_format(floats.abs_),
        "fp.neg": of_format(floats.neg),
        "fp.sqrt": of_format(floats.sqrt),
        "fp.roundToIntegral": of_format(floats.round_to_integral),
        "fp.rem": of_format(floats.rem),
        "fp.min": of_format(floats.min_),
        "fp.max": of_format(floats.max_),
        **{f"fp.{n}": of_format(getattr(floats, n)) for n in ("add", "sub", "mul", "div", "fma")},
        **{f"fp.{n}": chained_of_format(getattr(floats, n)) for n in ("leq", "lt", "geq", "gt", "eq")},
        "fp.isNormal": of_format(floats.is_normal),
        "fp.isSubnormal": of_format(floats.is_subnormal),
        "fp.isZero": of_format(floats.is_zero),
        "fp.isInfinite": of_format(floats.is_infinite),
        "fp.isNaN": of_format(floats.is_nan),
        "fp.isNegative": of_format(floats.is_negative),
        "fp.isPositive": of_format(floats.is_positive),
        "to_fp": _to_fp,
        "to_fp_unsigned": lambda app, args: conversions.from_unsigned_bv(
            float_format(app.sort), args[0], width(app.args[1].sort), args[1]
        ),
        "fp.to_ubv": _to_bits(conversions.to_unsigned_bv),
        "fp.to_sbv": _to_bits(conversions.to_signed_bv),
        "fp.to_real": of_format(conversions.to_real),
    },
)
_EXTENSIONS = table(
    "FloatingPoint",
    f"""
    (fp.to_ieee_bv {_FP} (_ BitVec (+ e s)))
    ((_ to_fp_bv e s) (_ BitVec (+ e s)) {_FP} {_OK})
    ((_ to_fp_fp e s) {_RM} (_ FloatingPoint i j) {_FP} {_OK})
    ((_ to_fp_real e s) {_RM} Real {_FP} {_OK})
    ((_ to_fp_signed e s) {_RM} (_ BitVec m) {_FP} {_OK})
    ((_ to_fp e s) {_RM} Int {_FP} {_OK})
    ((_ to_fp e s) {_RM} Real Int {_FP} {_OK}) ((_ to_fp e s) {_RM} Int Real {_FP} {_OK})
    ((_ to_fp e s) (_ BitVec 1) (_ BitVec e) (_ BitVec i) {_FP} {_OK})
    ((_ fp.to_ubv_I m) {_RM} {_FP} (_ BitVec m)) ((_ fp.to_sbv_I m) {_RM} {_FP} (_ BitVec m))
    ((_ fp.min_i e s) {_FP} {_FP} {_FP}) ((_ fp.max_i e s) {_FP} {_FP} {_FP})
    """,
    {
        "fp.to_ieee_bv": of_format(conversions.to_ieee_bv),
        "to_fp_bv": _to_fp,
        "to_fp_fp": _to_fp,
        "to_fp_real": _to_fp,
        "to_fp_signed": _to_fp,
    },
    is_standard=False,
)
_OPERATORS = [
    replace(operator, literal=triple) if operator.name == "fp" else operator
    for operator in merged(_STANDARD, _EXTENSIONS)
]

THEORY = Theory(
    "FloatingPoint",
    kinds({operator.name: operator for operator in _OPERATORS}),
    (
        *_OPERATORS,
        *aliases(_OPERATORS, {"to_ieee_bv": "fp.to_ieee_bv"}),
    ),
    (laws.LAWS,),
    adjective="floating-point",
)
