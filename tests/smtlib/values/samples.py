"""Random payloads with a bias to corners, and payloads as SMT-LIB text."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from falsum.smtlib.values import regexes
from falsum.smtlib.values.algebraic import Real, root_of
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.integers import to_decimal
from falsum.smtlib.values.rounding import Format, RoundingMode
from falsum.smtlib.values.strings import encode_literal

if TYPE_CHECKING:
    from falsum.smtlib.values.regexes import Regex

WIDTHS = (1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 64, 65)
FORMATS = (
    Format(2, 2), Format(2, 3), Format(2, 5), Format(3, 3), Format(3, 5), Format(4, 4), Format(5, 3),
    Format(5, 11), Format(8, 24), Format(11, 53), Format(6, 9), Format(4, 20), Format(15, 113),
)  # fmt: skip
STANDARD = (Format(5, 11), Format(8, 24), Format(11, 53), Format(15, 113))

_CHARS = ("a", "b", "c", "A", "Z", "z", "0", "1", "9", '"', "\\", "u", "{", "}", "-", " ", "\x7f",
          "\x00", "\n", "é", "\u0660", "\ud800", "\U0001f600", "\U0002ffff")  # fmt: skip


class Source(Random):
    """Random numbers, and the floating-point formats that the solver in question takes."""

    def __init__(self, seed: str, formats: tuple[Format, ...] = FORMATS) -> None:
        super().__init__(seed)
        self.formats = formats


def integer(rng: Random) -> int:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.randint(-5, 5)
    if kind == 1:
        return rng.choice((-1, 1)) * ((1 << rng.randrange(70)) + rng.randint(-1, 1))
    return rng.randint(-100, 100) if kind == 2 else rng.getrandbits(80) - (1 << 79)


def rational(rng: Random) -> Fraction:
    return Fraction(integer(rng), rng.choice((1, 1, 2, 3, 10, abs(integer(rng)) or 1)))


def root(rng: Random) -> Real:
    """A root of a small polynomial, irrational more often than not."""
    while True:
        coefficients = [rng.randint(-5, 5) for _ in range(rng.randint(2, 3))] + [rng.randint(1, 3)]
        number = root_of(coefficients, rng.randint(1, 3))
        if not isinstance(number, CannotSay):
            return number


def bits(rng: Random, w: int) -> int:
    corner = rng.choice((0, 1, 2, (1 << w) - 1, 1 << (w - 1), (1 << (w - 1)) - 1, (1 << w) - 2, w))
    return (corner if rng.random() < 0.4 else rng.getrandbits(w)) % (1 << w)


def mode(rng: Random) -> RoundingMode:
    return rng.choice(tuple(RoundingMode))


def pattern(rng: Random, fmt: Format) -> int:
    """A float: a corner, or random bits with an exponent that is often near that of one."""
    hidden = 1 << (fmt.sb - 1)
    one = ((1 << (fmt.eb - 1)) - 1) << (fmt.sb - 1)
    kind = rng.random()
    if kind < 0.4:
        corners = (0, 1, 2, hidden - 1, hidden, hidden + 1, fmt.infinity, fmt.infinity - 1,
                   fmt.nan, one, one + 1, one - 1, one + hidden, one - hidden)  # fmt: skip
        magnitude = rng.choice(corners)
    elif kind < 0.7:
        near = rng.randint(-3 - fmt.sb // 2, fmt.sb + 3) * hidden
        magnitude = min(max(one + near, 0), fmt.infinity - hidden) + rng.randrange(hidden)
    else:
        magnitude = rng.randrange(fmt.infinity)
    return magnitude | (0 if magnitude == fmt.nan else fmt.sign_bit * rng.randrange(2))


def word(rng: Random, longest: int = 6) -> str:
    chars = _CHARS if rng.random() < 0.3 else _CHARS[: rng.choice((1, 2, 3, 9, 13))]
    return "".join(rng.choice(chars) for _ in range(rng.randint(0, longest)))


def digits(rng: Random) -> str:
    """What looks like a number, most of the time."""
    return "".join(rng.choice("0123456789" * 4 + "a\u0660-") for _ in range(rng.randint(0, 6)))


def raw_literal(rng: Random) -> str:
    """The text between the quotes of a literal, full of escapes and of what only looks like one."""
    pieces = (
        r"\u{41}", r"\u0041", r"\u{2ffff}", r"\u{30000}", r"\u{000041}", r"\u{}", r"\u", r"\x41",
        r"\n", r"\\", "\\", "{", "}", "41", "u", '""', "a", r"\ud800", r"\u004", "g", r"\u{4",
    )  # fmt: skip
    return "".join(rng.choices(pieces, k=rng.randint(0, 4)))


def part(rng: Random, s: str) -> str:
    """A piece of `s` most of the time, so that searches find something."""
    if rng.random() < 0.3:
        return word(rng, 3)
    start = rng.randint(0, len(s))
    return s[start : start + rng.randint(0, 3)]


def sequence(rng: Random, longest: int = 5) -> tuple[int, ...]:
    return tuple(rng.randint(0, 1) for _ in range(rng.randint(0, longest)))


def regex(rng: Random, depth: int) -> tuple[str, Regex]:
    """The same random language as text and as a node."""
    if depth == 0 or rng.random() < 0.1:
        kind = rng.randrange(8)
        if kind == 0:
            return rng.choice((("re.none", regexes.NONE), ("re.all", regexes.ALL)))
        if kind == 1:
            return "re.allchar", regexes.ALLCHAR
        if kind in (2, 3):
            first, last = word(rng, 1), word(rng, 1)
            text = f"(re.range {encode_literal(first)} {encode_literal(last)})"
            return text, regexes.range_(first, last)
        literal = word(rng, 2) if kind == 4 else rng.choice("abc")
        return f"(str.to_re {encode_literal(literal)})", regexes.literal(literal)
    (one, a), (two, b) = regex(rng, depth - 1), regex(rng, depth - 1)
    low, high = rng.randint(0, 3), rng.randint(0, 4)
    return rng.choice((
        (f"(re.++ {one} {two})", regexes.concat(a, b)),
        (f"(re.++ {two} {one})", regexes.concat(b, a)),
        (f"(re.union {one} {two})", regexes.union(a, b)),
        (f"(re.inter {one} {two})", regexes.inter(a, b)),
        (f"(re.diff {one} {two})", regexes.diff(a, b)),
        (f"(re.comp {one})", regexes.comp(a)),
        (f"(re.* {one})", regexes.star(a)),
        (f"(re.+ {one})", regexes.plus(a)),
        (f"(re.opt {one})", regexes.opt(a)),
        (f"((_ re.^ {low}) {one})", regexes.power(a, low)),
        (f"((_ re.loop {low} {high}) {one})", regexes.loop(a, low, high)),
    ))  # fmt: skip


def text_of_bool(value: bool) -> str:
    return "true" if value else "false"


def text_of_int(value: int) -> str:
    return to_decimal(value) if value >= 0 else f"(- {to_decimal(-value)})"


def text_of_real(value: Fraction) -> str:
    magnitude = f"{to_decimal(abs(value.numerator))}.0"
    if value.denominator != 1:
        magnitude = f"(/ {magnitude} {to_decimal(value.denominator)}.0)"
    return magnitude if value >= 0 else f"(- {magnitude})"


def text_of_root(value: Real) -> str:
    """A real as z3 prints it."""
    if isinstance(value, Fraction):
        return text_of_real(value)
    powers = (f"(* {text_of_int(c)} (^ x {i}))" for i, c in enumerate(value.polynomial) if i)
    return f"(root-obj (+ {' '.join(powers)} {text_of_int(value.polynomial[0])}) {value.index})"


def text_of_bits(w: int, value: int) -> str:
    return f"#b{value:0{w}b}"


def text_of_float(fmt: Format, value: int) -> str:
    digits = f"{value:0{fmt.width}b}"
    return f"(fp #b{digits[0]} #b{digits[1 : fmt.eb + 1]} #b{digits[fmt.eb + 1 :]})"


def text_of_sequence(value: tuple[int, ...]) -> str:
    units = [f"(seq.unit {element})" for element in value]
    if not units:
        return "(as seq.empty (Seq Int))"
    return units[0] if len(units) == 1 else f"(seq.++ {' '.join(units)})"


def text_of_set(value: frozenset[int]) -> str:
    result = "(as set.empty (Set Int))"
    for element in sorted(value):
        result = f"(set.union (set.singleton {text_of_int(element)}) {result})"
    return result
