"""Floating-point formats, bit patterns, and the rounding at the end of every operation."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class RoundingMode(Enum):
    """The five rounding modes of IEEE 754."""

    RNE = "RNE"
    RNA = "RNA"
    RTP = "RTP"
    RTN = "RTN"
    RTZ = "RTZ"


class Format(NamedTuple):
    """`(_ FloatingPoint eb sb)`; `sb` includes the hidden bit, and both are at least 2."""

    eb: int
    sb: int

    @property
    def width(self) -> int:
        return self.eb + self.sb

    @property
    def lowest_exponent(self) -> int:
        """The exponent of the last bit of subnormal numbers."""
        return 3 - (1 << (self.eb - 1)) - self.sb

    @property
    def sign_bit(self) -> int:
        return 1 << (self.eb + self.sb - 1)

    @property
    def infinity(self) -> int:
        return ((1 << self.eb) - 1) << (self.sb - 1)

    @property
    def nan(self) -> int:
        """The pattern that represents NaN: positive and quiet, with no payload."""
        return self.infinity | 1 << (self.sb - 2)


class Scaled(NamedTuple):
    """The number `mantissa * 2^exponent` with a sign, which zero has as well."""

    negative: bool
    mantissa: int
    exponent: int


class Tail(Enum):
    """The part that rounding cuts off, in units of the last kept place."""

    NOTHING = 0
    BELOW_HALF = 1
    HALF = 2
    ABOVE_HALF = 3


def unpack(fmt: Format, x: int) -> Scaled:
    """The exact value of a finite pattern."""
    magnitude = x & (fmt.sign_bit - 1)
    biased = magnitude >> (fmt.sb - 1)
    negative = x >= fmt.sign_bit
    if biased == 0:
        return Scaled(negative, magnitude, fmt.lowest_exponent)
    hidden = 1 << (fmt.sb - 1)
    mantissa = magnitude & (hidden - 1) | hidden
    return Scaled(negative, mantissa, fmt.lowest_exponent + biased - 1)


def round_scaled(fmt: Format, rm: RoundingMode, value: Scaled) -> int:
    """The pattern to which `value` is rounded in mode `rm`; zeros keep their sign."""
    negative, mantissa, exponent = value
    lowest = fmt.lowest_exponent
    last = max(exponent + mantissa.bit_length() - fmt.sb, lowest)
    head, tail = cut(mantissa, last - exponent)
    if rounds_away(rm, negative, head & 1 == 1, tail):
        head += 1
    magnitude = head
    if head >> (fmt.sb - 1):
        # A carry out of the significand increments the exponent, as it should.
        magnitude += (last - lowest) << (fmt.sb - 1)
    if magnitude >= fmt.infinity:
        magnitude = fmt.infinity - (0 if _overflows_to_infinity(rm, negative) else 1)
    return fmt.sign_bit | magnitude if negative else magnitude


def round_(fmt: Format, rm: RoundingMode, value: Fraction | int, negative_if_zero: bool) -> int:
    """The pattern to which a rational number is rounded."""
    if value == 0:
        return fmt.sign_bit if negative_if_zero else 0
    scaled = quotient(abs(value.numerator), value.denominator, fmt.sb + 2)
    return round_scaled(fmt, rm, scaled._replace(negative=value < 0))


def quotient(dividend: int, divisor: int, bits: int) -> Scaled:
    """`dividend / divisor` with at least `bits` bits, and a last bit that is set if it is not exact."""
    shift = max(bits + divisor.bit_length() - dividend.bit_length(), 0)
    whole, rest = divmod(dividend << shift, divisor)
    return Scaled(False, whole << 1 | (rest != 0), -shift - 1)


def round_to_integer(rm: RoundingMode, value: Scaled) -> int:
    """The integer to which `value` is rounded; the caller limits the exponent."""
    head, tail = cut(value.mantissa, -value.exponent)
    if rounds_away(rm, value.negative, head & 1 == 1, tail):
        head += 1
    return -head if value.negative else head


def cut(mantissa: int, places: int) -> tuple[int, Tail]:
    """The number without its `places` low bits (or with zeros appended), and the part cut off."""
    if places <= 0:
        return mantissa << -places, Tail.NOTHING
    if mantissa == 0:
        return 0, Tail.NOTHING
    if places > mantissa.bit_length():
        return 0, Tail.BELOW_HALF
    half = 1 << (places - 1)
    remainder = mantissa & (half * 2 - 1)
    if remainder == 0:
        tail = Tail.NOTHING
    elif remainder == half:
        tail = Tail.HALF
    else:
        tail = Tail.BELOW_HALF if remainder < half else Tail.ABOVE_HALF
    return mantissa >> places, tail


def rounds_away(rm: RoundingMode, negative: bool, odd: bool, tail: Tail) -> bool:
    """Whether the magnitude grows by one unit in the last place."""
    if tail is Tail.NOTHING or rm is RoundingMode.RTZ:
        return False
    if rm is RoundingMode.RTP:
        return not negative
    if rm is RoundingMode.RTN:
        return negative
    if tail is Tail.HALF:
        return odd or rm is RoundingMode.RNA
    return tail is Tail.ABOVE_HALF


def _overflows_to_infinity(rm: RoundingMode, negative: bool) -> bool:
    if rm is RoundingMode.RTZ:
        return False
    if rm is RoundingMode.RTP:
        return not negative
    return negative or rm is not RoundingMode.RTN
