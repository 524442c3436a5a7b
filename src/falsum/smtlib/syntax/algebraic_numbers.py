"""Reads real algebraic numbers as solvers print them in models."""

from __future__ import annotations

import re
from fractions import Fraction

from falsum.smtlib.text.lexer import MAX_DIGITS, chunks
from falsum.smtlib.text.sexpr import SExpr, read
from falsum.smtlib.values.algebraic import Algebraic, root_between, root_of
from falsum.smtlib.values.cannot_say import CannotSay

_MOST_NESTED = 100
# Roots are isolated exactly, which takes too long for higher degrees.
_HIGHEST_DEGREE = 1000


def read_root(polynomial: str, index: int) -> Fraction | Algebraic | CannotSay | None:
    """A root of a polynomial in one variable, as z3 writes it; None if the text is not such a polynomial."""
    expressions = read(token for chunk in chunks(polynomial) for token in chunk.tokens)
    coefficients = _coefficients(expressions[0], 0)
    if coefficients is None or not any(coefficients[1:]):
        return None
    root = root_of(coefficients, index)
    return Fraction(root) if isinstance(root, int) else root


_POWER = re.compile(r"(?P<number>-?\d+)?(?:\*?(?P<variable>x)(?:\^(?P<power>\d+))?)?\Z")
_BETWEEN = re.compile(r"<(?P<polynomial>.*),\((?P<low>-?\d+(?:/\d+)?),(?P<high>-?\d+(?:/\d+)?)\)>\Z")


def read_isolated(text: str) -> Fraction | Algebraic | CannotSay | None:
    """cvc5's `<1*x^2 + (-2), (5/4, 3/2)>`: a polynomial and an interval with one of its roots."""
    # The reader takes the commas for symbols and quotes them.
    match = _BETWEEN.match("".join(text.replace("|", "").split()))
    if match is None:
        return None
    coefficients: dict[int, int] = {}
    for part in match["polynomial"].split("+"):
        monomial = _POWER.match(part.strip("()"))
        if monomial is None or not monomial[0]:
            return None
        power = int(monomial["power"] or 1) if monomial["variable"] else 0
        number = int(monomial["number"] or 1)
        coefficients[power] = coefficients.get(power, 0) + number
    if max(coefficients) > _HIGHEST_DEGREE or not max(coefficients):
        return None
    coefficient_list = [coefficients.get(power, 0) for power in range(max(coefficients) + 1)]
    root = root_between(coefficient_list, Fraction(match["low"]), Fraction(match["high"]))
    return Fraction(root) if isinstance(root, int) else root


def _coefficients(expression: SExpr, depth: int) -> list[int] | None:
    """Integer coefficients, the constant first."""
    if isinstance(expression, str):
        digits = expression.removeprefix("-")
        return [int(expression)] if digits.isdecimal() and len(digits) <= MAX_DIGITS else [0, 1]
    if depth > _MOST_NESTED or len(expression) < 2:
        return None
    head, *rest = expression
    if head == "^" and len(rest) == 2 and isinstance(rest[1], str) and rest[1].isdecimal():
        degree = int(rest[1]) if len(rest[1]) < 9 else _HIGHEST_DEGREE + 1
        return [0] * degree + [1] if degree <= _HIGHEST_DEGREE else None
    parts = [_coefficients(part, depth + 1) for part in rest]
    numbers = [part for part in parts if part is not None]
    if len(numbers) < len(parts):
        return None
    if head == "+":
        return _sum(numbers)
    if head == "-":
        negated = [[-c for c in part] for part in numbers]
        return negated[0] if len(numbers) == 1 else _sum([numbers[0], *negated[1:]])
    if head == "*":
        if sum(map(len, numbers)) > _HIGHEST_DEGREE:
            return None
        product = [1]
        for part in numbers:
            product = _product(product, part)
        return product
    return None


def _sum(parts: list[list[int]]) -> list[int]:
    length = max(map(len, parts))
    return [sum(part[i] for part in parts if i < len(part)) for i in range(length)]


def _product(left: list[int], right: list[int]) -> list[int]:
    out = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            out[i + j] += a * b
    return out
