"""Formats of floating-point numbers, with the weights by which runs draw them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

from falsum.errors import UsageError

FloatFormat: TypeAlias = tuple[int, int]  # bits of the exponent and of the significand, as in SMT-LIB

_FORMAT: Final = re.compile(r"(\d+) (\d+)\Z")
_MIN_EXPONENT: Final = 2
_MIN_SIGNIFICAND: Final = 3
# The standard formats, then odd ones: tiny, those of graphics and learning hardware, and lopsided ones. Wide
# ones are rare, because few of their checks end in time.
_WEIGHTS: Final[Mapping[FloatFormat, float]] = {
    (5, 11): 25, (8, 24): 25, (11, 53): 10, (15, 113): 3,
    (3, 5): 12, (2, 3): 6, (2, 6): 3, (4, 4): 4, (5, 3): 4, (8, 8): 4, (8, 11): 2, (3, 12): 2, (7, 3): 2,
    (11, 5): 1, (15, 64): 1,
}  # fmt: skip


def format_weights(chosen_weights: Mapping[str, float]) -> Mapping[FloatFormat, float]:
    """The weights by format, with those of `[api.floats]` ("8 24" → weight); raises UsageError."""
    weights = dict(_WEIGHTS)
    for text, weight in chosen_weights.items():
        match = _FORMAT.match(text)
        if match is None or not is_float_format((int(match[1]), int(match[2]))) or weight < 0:
            raise UsageError(
                f'invalid float format "{text}" = {weight}; use the bits of exponent (at least '
                f'{_MIN_EXPONENT}) and significand (at least {_MIN_SIGNIFICAND}), as in "8 24" = 1'
            )
        weights[int(match[1]), int(match[2])] = weight
    return {key: weight for key, weight in weights.items() if weight}


def is_float_format(float_format: FloatFormat) -> bool:
    """Whether solvers support the format: SMT-LIB allows smaller significands, but z3 does not."""
    return float_format[0] >= _MIN_EXPONENT and float_format[1] >= _MIN_SIGNIFICAND
