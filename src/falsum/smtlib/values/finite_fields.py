"""Finite fields of prime order; the first argument of a function is the order."""

from __future__ import annotations


def from_int(p: int, x: int) -> int:
    """`(as ffX (_ FiniteField p))`, where X may be negative."""
    return x % p


def add(p: int, *elements: int) -> int:
    return sum(elements) % p


def mul(p: int, *elements: int) -> int:
    product = 1
    for element in elements:
        product = product * element % p
    return product


def neg(p: int, x: int) -> int:
    return -x % p


def bitsum(p: int, *elements: int) -> int:
    """`x0 + 2 x1 + 4 x2 + …`."""
    total = 0
    for element in reversed(elements):
        total = (2 * total + element) % p
    return total
