"""Floating-point values as exact ratios of integers."""

from __future__ import annotations

# Longer exponents give integers of thousands of digits.
LONGEST_EXPONENT = 11


def as_ratio(parts: list[str]) -> tuple[int, int] | None:
    """The value with these bits of sign, exponent and significand; None for zeros, infinities, NaN and wide
    formats.
    """
    sign, exponent, significand = parts
    if len(exponent) > LONGEST_EXPONENT or "0" not in exponent or "1" not in exponent + significand:
        return None
    is_normal = "1" in exponent
    number = int(f"{is_normal:d}{significand}", 2) * (-1 if sign == "1" else 1)
    bias = (1 << (len(exponent) - 1)) - 1
    shift = max(int(exponent, 2), 1) - bias - len(significand)
    return (number << shift, 1) if shift >= 0 else (number, 1 << -shift)
