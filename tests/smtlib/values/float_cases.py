"""Random claims about floating-point numbers and their conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.smtlib.values import samples
from tests.smtlib.values.claims import ALL, BOTH, Operator, shown
from tests.smtlib.values.samples import text_of_bits, text_of_bool, text_of_float, text_of_real

from falsum.smtlib.values import float_conversions, floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.smtlib.values.claims import Claim, Named
    from tests.smtlib.values.samples import Source


def float_cases() -> Iterator[Named]:
    def maker(name: str, meaning: Callable[..., object], arity: int, rounds: bool,
              result: str) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            fmt, rm = rng.choice(rng.formats), samples.mode(rng)
            arguments = [samples.pattern(rng, fmt) for _ in range(arity)]
            if rng.random() < 0.1:
                arguments[-1] = arguments[0] ^ (fmt.sign_bit * (arguments[0] != fmt.nan))
            texts = " ".join(text_of_float(fmt, x) for x in arguments)
            if rounds:
                value = meaning(fmt, rm, *arguments)
                term = f"({name} {rm.value} {texts})"
            else:
                value = meaning(fmt, *arguments)
                term = f"({name} {texts})"
            if result == "bool":
                return term, shown(text_of_bool, value)
            return term, shown(lambda x: text_of_float(fmt, x), value)

        return make

    f = floats
    rounding: dict[str, tuple[Callable[..., object], int]] = {
        "fp.add": (f.add, 2), "fp.sub": (f.sub, 2), "fp.mul": (f.mul, 2), "fp.div": (f.div, 2),
        "fp.fma": (f.fma, 3), "fp.sqrt": (f.sqrt, 1),
        "fp.roundToIntegral": (f.round_to_integral, 1),
    }  # fmt: skip
    exact: dict[str, tuple[Callable[..., object], int]] = {
        "fp.rem": (f.rem, 2), "fp.min": (f.min_, 2), "fp.max": (f.max_, 2), "fp.abs": (f.abs_, 1),
        "fp.neg": (f.neg, 1),
    }  # fmt: skip
    truth: dict[str, tuple[Callable[..., object], int]] = {
        "fp.leq": (f.leq, 2), "fp.lt": (f.lt, 2), "fp.geq": (f.geq, 2), "fp.gt": (f.gt, 2),
        "fp.eq": (f.eq, 2), "fp.isNormal": (f.is_normal, 1),
        "fp.isSubnormal": (f.is_subnormal, 1), "fp.isZero": (f.is_zero, 1),
        "fp.isInfinite": (f.is_infinite, 1), "fp.isNaN": (f.is_nan, 1),
        "fp.isNegative": (f.is_negative, 1), "fp.isPositive": (f.is_positive, 1),
    }  # fmt: skip
    for name, (meaning, arity) in rounding.items():
        yield name, Operator(maker(name, meaning, arity, True, "float"), ALL)
    for name, (meaning, arity) in exact.items():
        yield name, Operator(maker(name, meaning, arity, False, "float"), ALL)
    for name, (meaning, arity) in truth.items():
        yield name, Operator(maker(name, meaning, arity, False, "bool"), ALL)


def conversion_cases() -> Iterator[Named]:
    def from_real(rng: Source) -> Claim:
        fmt, rm, x = rng.choice(rng.formats), samples.mode(rng), samples.rational(rng)
        rounded = float_conversions.from_real(fmt, rm, x)
        assert isinstance(rounded, int)
        value = text_of_float(fmt, rounded)
        return f"((_ to_fp {fmt.eb} {fmt.sb}) {rm.value} {text_of_real(x)})", value

    def from_bits(signed: bool) -> Callable[[Source], Claim]:
        name = "to_fp" if signed else "to_fp_unsigned"
        convert = float_conversions.from_signed_bv if signed else float_conversions.from_unsigned_bv

        def make(rng: Source) -> Claim:
            fmt, rm, w = rng.choice(rng.formats), samples.mode(rng), rng.choice(samples.WIDTHS)
            x = samples.bits(rng, w)
            value = text_of_float(fmt, convert(fmt, rm, w, x))
            return f"((_ {name} {fmt.eb} {fmt.sb}) {rm.value} {text_of_bits(w, x)})", value

        return make

    def from_float(rng: Source) -> Claim:
        fmt, source = rng.choice(rng.formats), rng.choice(rng.formats)
        rm, x = samples.mode(rng), samples.pattern(rng, source)
        value = text_of_float(fmt, float_conversions.from_float(fmt, rm, source, x))
        term = f"((_ to_fp {fmt.eb} {fmt.sb}) {rm.value} {text_of_float(source, x)})"
        return term, value

    def from_ieee(rng: Source) -> Claim:
        fmt = rng.choice(rng.formats)
        x = rng.choice((samples.pattern(rng, fmt), samples.bits(rng, fmt.width)))
        value = text_of_float(fmt, float_conversions.from_ieee_bv(fmt, x))
        return f"((_ to_fp {fmt.eb} {fmt.sb}) {text_of_bits(fmt.width, x)})", value

    def to_ieee(rng: Source) -> Claim:
        fmt = rng.choice(rng.formats)
        x = samples.pattern(rng, fmt)
        value = float_conversions.to_ieee_bv(fmt, x)
        text = shown(lambda bits: text_of_bits(fmt.width, bits), value)
        return f"(fp.to_ieee_bv {text_of_float(fmt, x)})", text

    def to_real(rng: Source) -> Claim:
        fmt = rng.choice(rng.formats)
        x = samples.pattern(rng, fmt)
        value = float_conversions.to_real(fmt, x)
        return f"(fp.to_real {text_of_float(fmt, x)})", shown(text_of_real, value)

    def to_bits(signed: bool) -> Callable[[Source], Claim]:
        name = "fp.to_sbv" if signed else "fp.to_ubv"
        convert = float_conversions.to_signed_bv if signed else float_conversions.to_unsigned_bv

        def make(rng: Source) -> Claim:
            fmt, rm, w = rng.choice(rng.formats), samples.mode(rng), rng.choice(samples.WIDTHS)
            x = samples.pattern(rng, fmt)
            value = shown(lambda bits: text_of_bits(w, bits), convert(fmt, rm, w, x))
            return f"((_ {name} {w}) {rm.value} {text_of_float(fmt, x)})", value

        return make

    yield "to_fp real", Operator(from_real, BOTH)
    yield "to_fp signed", Operator(from_bits(True), ALL)
    yield "to_fp_unsigned", Operator(from_bits(False), ALL)
    yield "to_fp float", Operator(from_float, ALL)
    yield "to_fp ieee", Operator(from_ieee, ALL)
    yield "fp.to_ieee_bv", Operator(to_ieee, ("z3",))
    yield "fp.to_real", Operator(to_real, BOTH)
    yield "fp.to_ubv", Operator(to_bits(False), ALL)
    yield "fp.to_sbv", Operator(to_bits(True), ALL)
