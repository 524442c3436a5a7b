"""Random claims about bit-vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.smtlib.values import samples
from tests.smtlib.values.claims import ALL, BOTH, Operator, shown
from tests.smtlib.values.samples import text_of_bits, text_of_bool, text_of_int

from falsum.smtlib.values import bitvectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.smtlib.values.claims import Claim, Named
    from tests.smtlib.values.samples import Source


def bitvector_cases() -> Iterator[Named]:
    def maker(name: str, meaning: Callable[..., object], arity: int,
              result: str) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            w = rng.choice(samples.WIDTHS)
            arguments = [samples.bits(rng, w) for _ in range(arity)]
            value = meaning(w, *arguments)
            term = f"({name} {' '.join(text_of_bits(w, x) for x in arguments)})"
            if result == "bool":
                return term, shown(text_of_bool, value)
            if result == "int":
                return term, shown(text_of_int, value)
            assert isinstance(value, int)
            return term, text_of_bits(1 if result == "bit" else w, value)

        return make

    v = bitvectors
    same: dict[str, Callable[..., object]] = {
        "bvand": v.and_, "bvor": v.or_, "bvxor": v.xor, "bvnand": v.nand, "bvnor": v.nor,
        "bvxnor": v.xnor, "bvadd": v.add, "bvsub": v.sub, "bvmul": v.mul, "bvudiv": v.udiv,
        "bvurem": v.urem, "bvsdiv": v.sdiv, "bvsrem": v.srem, "bvsmod": v.smod, "bvshl": v.shl,
        "bvlshr": v.lshr, "bvashr": v.ashr,
    }  # fmt: skip
    truth: dict[str, Callable[..., object]] = {
        "bvult": v.ult, "bvule": v.ule, "bvugt": v.ugt, "bvuge": v.uge, "bvslt": v.slt,
        "bvsle": v.sle, "bvsgt": v.sgt, "bvsge": v.sge, "bvuaddo": v.uaddo, "bvsaddo": v.saddo,
        "bvumulo": v.umulo, "bvsmulo": v.smulo, "bvusubo": v.usubo, "bvssubo": v.ssubo,
        "bvsdivo": v.sdivo,
    }  # fmt: skip
    for name, meaning in same.items():
        yield name, Operator(maker(name, meaning, 2, "same"), ALL)
    for name, meaning in truth.items():
        yield name, Operator(maker(name, meaning, 2, "bool"), ALL)
    yield "bvnot", Operator(maker("bvnot", v.not_, 1, "same"), ALL)
    yield "bvneg", Operator(maker("bvneg", v.neg, 1, "same"), ALL)
    yield "bvnego", Operator(maker("bvnego", v.nego, 1, "bool"), ALL)
    yield "bvcomp", Operator(maker("bvcomp", v.comp, 2, "bit"), ALL)
    yield "bvredor", Operator(maker("bvredor", v.redor, 1, "bit"), ALL)
    yield "bvredand", Operator(maker("bvredand", v.redand, 1, "bit"), ALL)
    for name, rotation in (
        ("ext_rotate_left", v.ext_rotate_left), ("ext_rotate_right", v.ext_rotate_right),
    ):  # fmt: skip
        yield name, Operator(maker(name, rotation, 2, "same"), ("z3",))
    for name, reading in (
        ("ubv_to_int", v.to_unsigned_int), ("sbv_to_int", v.to_signed_int),
    ):  # fmt: skip
        yield name, Operator(maker(name, reading, 1, "int"), BOTH)
    yield from _indexedbitvector_cases()


def _indexedbitvector_cases() -> Iterator[Named]:
    def extending(name: str, meaning: Callable[..., object]) -> Callable[[Source], Claim]:
        def make(rng: Source) -> Claim:
            w, index = rng.choice(samples.WIDTHS), rng.choice((0, 1, 2, 3, 9, 70))
            if name == "repeat":
                index += 1
            x = samples.bits(rng, w)
            width = {"repeat": w * index, "zero_extend": w + index, "sign_extend": w + index}
            value = meaning(w, index, x)
            assert isinstance(value, int)
            term = f"((_ {name} {index}) {text_of_bits(w, x)})"
            return term, text_of_bits(width.get(name, w), value)

        return make

    for name, meaning in (
        ("repeat", bitvectors.repeat), ("zero_extend", bitvectors.zero_extend),
        ("sign_extend", bitvectors.sign_extend), ("rotate_left", bitvectors.rotate_left),
        ("rotate_right", bitvectors.rotate_right),
    ):  # fmt: skip
        yield name, Operator(extending(name, meaning), ALL)

    def extract(rng: Source) -> Claim:
        w = rng.choice(samples.WIDTHS)
        high = rng.randrange(w)
        low = rng.randint(0, high)
        x = samples.bits(rng, w)
        value = text_of_bits(high - low + 1, bitvectors.extract(high, low, x))
        return f"((_ extract {high} {low}) {text_of_bits(w, x)})", value

    def concat(rng: Source) -> Claim:
        v, w = rng.choice(samples.WIDTHS), rng.choice(samples.WIDTHS)
        x, y = samples.bits(rng, v), samples.bits(rng, w)
        value = text_of_bits(v + w, bitvectors.concat(w, x, y))
        return f"(concat {text_of_bits(v, x)} {text_of_bits(w, y)})", value

    def from_int(rng: Source) -> Claim:
        w, x = rng.choice(samples.WIDTHS), samples.integer(rng)
        value = text_of_bits(w, bitvectors.from_int(w, x))
        return f"((_ int_to_bv {w}) {text_of_int(x)})", value

    yield "extract", Operator(extract, ALL)
    yield "concat", Operator(concat, ALL)
    yield "int_to_bv", Operator(from_int, BOTH)
