"""Literals: what the tokens of constants mean, and how constants are written."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from falsum.smtlib.sorts import BOOL, INT, REAL, ROUNDING_MODE, STRING, Sort, bitvec, floating_point
from falsum.smtlib.terms import Term, Value, value
from falsum.smtlib.values import floats
from falsum.smtlib.values.rounding import Format, RoundingMode
from falsum.smtlib.values.strings import decode_literal

_ROUNDING_NAMES = {
    "RNE": "roundNearestTiesToEven",
    "RNA": "roundNearestTiesToAway",
    "RTP": "roundTowardPositive",
    "RTN": "roundTowardNegative",
    "RTZ": "roundTowardZero",
}
_ROUNDING_VALUES: Final = {
    spelling: value(ROUNDING_MODE, RoundingMode[short], spelling)
    for short, long in _ROUNDING_NAMES.items()
    for spelling in (short, long)
}
NAMED_VALUES: Final[dict[str, Term]] = {
    "true": value(BOOL, True, "true"),
    "false": value(BOOL, False, "false"),
    **_ROUNDING_VALUES,
}
_SPECIAL_FLOATS: Final = {
    "+oo": floats.plus_infinity,
    "-oo": floats.minus_infinity,
    "NaN": floats.nan,
    "+zero": floats.plus_zero,
    "-zero": floats.minus_zero,
}
MAX_CODE: Final = 0x2FFFF
# Longer numerals would take the reader quadratic time; no solver is tested by them.
MAX_DIGITS: Final = 100_000
# The bits of a floating-point constant are a number of that many bits; no solver goes so far.
MAX_FLOAT_BITS: Final = 1 << 16
_FIELD = re.compile(r"#f(-?[0-9]+)m([0-9]+)\Z")
_DECIMAL = re.compile(r"[0-9]+\.[0-9]+\Z")
# Solvers also take -1, -1.5, 1. and 1/3 as numbers.
_LENIENT = re.compile(r"-?([0-9]+)(?:(\.[0-9]*)|/([0-9]+))?\Z")
_BINARY = re.compile(r"#b[01]+\Z")
_HEXADECIMAL = re.compile(r"#x[0-9a-fA-F]+\Z")


def read_literal(token: str, *, reals_only: bool = False) -> Value | None:
    """The constant a token is, or None if it is none."""
    first = token[0]
    if len(token) > MAX_DIGITS and first != '"':
        return None
    if token.isdecimal() and token.isascii():
        number = int(token)
        return value(REAL, Fraction(number), token) if reals_only else value(INT, number, token)
    if first == "#":
        if _BINARY.match(token):
            return value(bitvec(len(token) - 2), int(token[2:], 2), token)
        if _HEXADECIMAL.match(token):
            return value(bitvec(4 * (len(token) - 2)), int(token[2:], 16), token)
        field = _FIELD.match(token)
        if field and int(field[2]) > 1:
            return field_element(int(field[1]), int(field[2]), token)
        return None
    if first == '"' and len(token) > 1:
        return value(STRING, decode_literal(token[1:-1]), token)
    if _DECIMAL.match(token):
        return value(REAL, Fraction(token), token)
    lenient = _LENIENT.match(token)
    if lenient is None or (lenient[3] and not int(lenient[3])):
        return None
    if lenient[2] is None and lenient[3] is None and not reals_only:
        return value(INT, int(token), token)
    return value(REAL, Fraction(token.rstrip(".")), token)


def field_element(number: int, order: int, text: str) -> Value:
    return value(Sort("FiniteField", (order,)), number % order, text)


def indexed_literal(name: str, indices: tuple[object, ...]) -> Value | None:
    """`(_ bv5 8)`, `(_ +oo 5 11)`, `(_ char #x41)` and their like; None if it is no constant."""
    text = f"(_ {name} {' '.join(map(str, indices))})"
    if is_bitvector_name(name) and len(indices) == 1:
        width, number = indices[0], int(name[2:])
        if isinstance(width, int) and width > 0 and number.bit_length() <= width:
            return value(bitvec(width), number, text)
        return None
    if name in _SPECIAL_FLOATS and len(indices) == 2:
        eb, sb = indices
        if isinstance(eb, int) and isinstance(sb, int) and min(eb, sb) > 1 and eb + sb <= MAX_FLOAT_BITS:
            return value(floating_point(eb, sb), _SPECIAL_FLOATS[name](Format(eb, sb)), text)
        return None
    if name == "char" and len(indices) == 1 and isinstance(indices[0], str):
        code = indices[0]
        if _HEXADECIMAL.match(code) and int(code[2:], 16) <= MAX_CODE:
            return value(STRING, chr(int(code[2:], 16)), text)
    if name in ("Char", "char") and len(indices) == 1 and isinstance(indices[0], int):
        return value(Sort("Char"), indices[0], text)
    return None


def is_bitvector_name(name: str) -> bool:
    """Whether it is the `bv5` of `(_ bv5 8)`."""
    digits = name[2:]
    return name[:2] == "bv" and digits.isdecimal() and digits.isascii() and len(digits) <= MAX_DIGITS


def float_triple(parts: tuple[Term, ...], sort: Sort) -> Value | None:
    """`(fp #b0 #b101 #b01)` as one constant, if its parts are constants."""
    if not all(isinstance(part, Value) for part in parts):
        return None
    sign, exponent, significand = (part.payload for part in parts if isinstance(part, Value))
    eb, sb = sort.indices
    assert isinstance(eb, int)
    assert isinstance(sb, int)
    bits = (sign << (eb + sb - 1)) | (exponent << (sb - 1)) | significand
    text = " ".join(part.text for part in parts if isinstance(part, Value))
    return value(sort, floats.canonical(Format(eb, sb), bits), f"(fp {text})")
