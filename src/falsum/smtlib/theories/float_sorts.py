"""The sorts FloatingPoint and RoundingMode: constants, formats, corner cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from falsum.errors import UsageError
from falsum.smtlib.operators import Operator
from falsum.smtlib.sort_kinds import Domain, FiniteDomains, Literals, Notation, Payload, SortKind
from falsum.smtlib.sorts import Sort, floating_point
from falsum.smtlib.terms import Head, Term, Value, app, value
from falsum.smtlib.theories.core import conjunction, equation
from falsum.smtlib.theories.meanings import float_format
from falsum.smtlib.values import floats
from falsum.smtlib.values.rounding import Format, RoundingMode

if TYPE_CHECKING:
    from falsum.smtlib.terms import App

# Formats beyond this are not read; no solver supports them.
_MOST_BITS: Final = 1 << 16
_SMALL_FORMATS: Final = ((2, 3), (3, 5), (5, 11))
_SPECIAL: Final = {
    "+oo": floats.plus_infinity,
    "-oo": floats.minus_infinity,
    "NaN": floats.nan,
    "+zero": floats.plus_zero,
    "-zero": floats.minus_zero,
}
_ROUNDING_NAMES: Final = {
    "RNE": "roundNearestTiesToEven",
    "RNA": "roundNearestTiesToAway",
    "RTP": "roundTowardPositive",
    "RTN": "roundTowardNegative",
    "RTZ": "roundTowardZero",
}
_MODES: Final = tuple(RoundingMode)


def _sort(indices: tuple[int, ...], args: tuple[Sort, ...]) -> Sort:
    if min(indices) < 2:
        raise UsageError("a floating-point format needs two bits for each part")
    return Sort("FloatingPoint", indices, args)


def _indexed(name: str, indices: tuple[object, ...]) -> Value | None:
    """`(_ +oo 5 11)`."""
    if name not in _SPECIAL or len(indices) != 2:
        return None
    eb, sb = indices
    if isinstance(eb, int) and isinstance(sb, int) and min(eb, sb) > 1 and eb + sb <= _MOST_BITS:
        return value(floating_point(eb, sb), _SPECIAL[name](Format(eb, sb)), f"(_ {name} {eb} {sb})")
    return None


def triple(term: App) -> Value | None:
    """The constant that `(fp #b0 #b101 #b01)` denotes, if all arguments are constants."""
    parts = [part for part in term.args if isinstance(part, Value)]
    if len(parts) < len(term.args):
        return None
    payload = floats.triple(float_format(term.sort), *(part.payload for part in parts))
    return value(term.sort, payload, f"(fp {' '.join(part.text for part in parts)})")


def _text(sort: Sort, payload: int) -> str:
    fmt = float_format(sort)
    bits = f"{payload:0{fmt.width}b}"
    return f"(fp #b{bits[0]} #b{bits[1 : fmt.eb + 1]} #b{bits[fmt.eb + 1 :]})"


def _read(sort: Sort, text: str) -> int:
    parts = [word[2:] for word in text.strip("()").split()[1:]]
    fmt = float_format(sort)
    if [*map(len, parts)] != [1, fmt.eb, fmt.sb - 1]:
        raise ValueError(text)
    return floats.canonical(fmt, int("".join(parts), 2))


def _special(sort: Sort, name: str) -> int | None:
    return _SPECIAL[name](float_format(sort)) if name in _SPECIAL else None


def _corners(sort: Sort) -> tuple[int, ...]:
    fmt = float_format(sort)
    infinity = floats.plus_infinity(fmt)
    one = floats.canonical(fmt, ((1 << (fmt.eb - 1)) - 1) << (fmt.sb - 1))
    some = (
        floats.plus_zero(fmt),
        floats.minus_zero(fmt),
        one,
        floats.nan(fmt),
        infinity,
        floats.minus_infinity(fmt),
        1,  # the smallest subnormal number
        (1 << (fmt.sb - 1)) - 1,  # the largest subnormal number
        1 << (fmt.sb - 1),  # the smallest normal number
        infinity - 1,  # the largest number
        floats.neg(fmt, one),
        floats.neg(fmt, 1),
    )
    return tuple(dict.fromkeys(some))


def _random(sort: Sort, rng: Random) -> int:
    fmt = float_format(sort)
    return floats.canonical(fmt, rng.getrandbits(fmt.width))


def _domain(sort: Sort, domains: FiniteDomains) -> Domain | None:
    fmt = float_format(sort)
    if fmt.width > domains.limit.bit_length() - 1:
        return None
    return tuple(sorted({floats.canonical(fmt, bits) for bits in range(1 << fmt.width)}))


def _smaller_sorts(sorts: Sequence[Sort]) -> Iterator[dict[Sort, Sort]]:
    for sort in sorts:
        size = float_format(sort).width
        yield from ({sort: floating_point(*new)} for new in _SMALL_FORMATS if sum(new) < size)


def _converted(old: Sort, new: Sort, payload: Payload) -> Payload:
    """The corresponding corner case of another format; any other value becomes zero."""
    corners = _corners(new)
    pairs = zip(_corners(old), corners, strict=False) if old.name == new.name else ()
    return next((b for a, b in pairs if a == payload), corners[0])


def _generated_constants(sort: Sort) -> tuple[str, ...]:
    size = " ".join(map(str, sort.indices))
    special = tuple(f"(_ {name} {size})" for name in ("NaN", "-zero", "+oo", "+zero", "-oo"))
    return special + tuple(_text(sort, payload) for payload in _corners(sort))


def kinds(operators: Mapping[str, Operator]) -> tuple[SortKind, ...]:
    """The sorts of the theory, and the abbreviations for common formats."""
    less = Head(operators["fp.lt"])

    def regions(term: Term) -> Iterator[Term]:
        sort, fmt = term.sort, float_format(term.sort)
        nan, least, minus, plus, most = (
            value(sort, payload, _text(sort, payload))
            for payload in (_SPECIAL[name](fmt) for name in ("NaN", "-oo", "-zero", "+zero", "+oo"))
        )
        yield equation(term, nan)
        yield equation(term, least)
        yield conjunction(app(less, (least, term)), app(less, (term, minus)))
        yield equation(term, minus)
        yield equation(term, plus)
        yield conjunction(app(less, (plus, term)), app(less, (term, most)))
        yield equation(term, most)

    numbers = SortKind(
        "FloatingPoint",
        indices=2,
        make=_sort,
        is_hard=True,
        small_indices=_SMALL_FORMATS[:2],
        family="floats",
        letter="x",
        literals=Literals(indexed=_indexed),
        has_literals=True,
        text=_text,
        notation=Notation(write=_text, read=_read, special=_special),
        corners=_corners,
        random=_random,
        uniform=_random,
        domain=_domain,
        smaller_sorts=_smaller_sorts,
        convert=_converted,
        generated_constants=_generated_constants,
        regions=regions,
        relations=("=", "fp.lt", "fp.gt", "fp.leq", "fp.geq"),
    )
    modes = SortKind(
        "RoundingMode",
        is_hard=True,
        family="floats",
        letter="m",
        literals=Literals(
            names={
                spelling: RoundingMode[short]
                for short, long in _ROUNDING_NAMES.items()
                for spelling in (short, long)
            }
        ),
        has_literals=True,
        text=lambda _, payload: str(payload.name),
        corners=lambda _: _MODES,
        random=lambda _, rng: rng.choice(_MODES),
        uniform=lambda _, rng: rng.choice(_MODES),
        domain=lambda sort, domains: _MODES,
    )
    return (numbers, modes, *map(_abbreviation, (16, 32, 64, 128), ((5, 11), (8, 24), (11, 53), (15, 113))))


def _abbreviation(bits: int, size: tuple[int, int]) -> SortKind:
    return SortKind(f"Float{bits}", make=lambda indices, args: floating_point(*size))
