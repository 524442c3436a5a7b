"""Random claims about integers, reals, sets and finite fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.smtlib.values import samples
from tests.smtlib.values.claims import BOTH, Operator, shown
from tests.smtlib.values.samples import (
    text_of_bool,
    text_of_int,
    text_of_real,
    text_of_root,
    text_of_set,
)

from falsum.smtlib.values import finite_fields, integers, reals, sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.smtlib.values.claims import Claim, Named
    from tests.smtlib.values.samples import Source


def integer_cases() -> Iterator[Named]:
    def maker(name: str, meaning: Callable[..., object], arity: int,
              show: Callable[..., str]) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            arguments = [samples.integer(rng) for _ in range(arity)]
            if name == "**":
                arguments = [rng.randint(-6, 6), rng.randint(-4, 9)]
            if name == "int.pow2":
                arguments = [rng.randint(-3, 80)]
            term = f"({name} {' '.join(map(text_of_int, arguments))})"
            return term, shown(show, meaning(*arguments))

        return make

    for name, meaning, arity in (
        ("+", integers.add, 2), ("-", integers.sub, 2), ("*", integers.mul, 2),
        ("div", integers.div, 2), ("mod", integers.mod, 2), ("abs", integers.abs_, 1),
        ("**", integers.power, 2),
    ):  # fmt: skip
        solvers = ("z3",) if name == "**" else BOTH
        yield name, Operator(maker(name, meaning, arity, text_of_int), solvers)
    for name, unary in (("int.pow2", integers.pow2), ("int.log2", integers.log2)):
        yield name, Operator(maker(name, unary, 1, text_of_int), ("cvc5",))

    def divisible(rng: Source) -> Claim:
        n, x = rng.randint(1, 9), samples.integer(rng)
        return f"((_ divisible {n}) {text_of_int(x)})", text_of_bool(integers.divisible(n, x))

    def iand(rng: Source) -> Claim:
        k, x, y = rng.randint(1, 70), samples.integer(rng), samples.integer(rng)
        term = f"((_ iand {k}) {text_of_int(x)} {text_of_int(y)})"
        return term, shown(text_of_int, integers.iand(k, x, y))

    # z3 5.4.0 does not know this name, though the standard has it.
    yield "divisible", Operator(divisible, ("cvc5",))
    yield "iand", Operator(iand, ("cvc5",))


def real_cases() -> Iterator[Named]:
    def maker(name: str, meaning: Callable[..., object], arity: int,
              show: Callable[..., str]) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            arguments = [samples.rational(rng) for _ in range(arity)]
            if rng.random() < 0.2:
                arguments[-1] = arguments[0]
            term = f"({name} {' '.join(map(text_of_real, arguments))})"
            return term, shown(show, meaning(*arguments))

        return make

    for name, meaning in (
        ("+", reals.add), ("-", reals.sub), ("*", reals.mul), ("/", reals.div),
    ):  # fmt: skip
        yield f"real {name}", Operator(maker(name, meaning, 2, text_of_real), BOTH)
    for name, comparison in (
        ("<", reals.lt), ("<=", reals.leq), (">", reals.gt), (">=", reals.geq),
    ):  # fmt: skip
        yield f"real {name}", Operator(maker(name, comparison, 2, text_of_bool), BOTH)
    yield "to_int", Operator(maker("to_int", reals.to_int, 1, text_of_int), BOTH)
    yield "is_int", Operator(maker("is_int", reals.is_int, 1, text_of_bool), BOTH)


def root_cases() -> Iterator[Named]:
    def maker(
        name: str, meaning: Callable[..., object], show: Callable[..., str]
    ) -> Callable[[Source], Claim]:
        def make(rng: Source) -> Claim:
            arguments = [samples.root(rng), rng.choice((samples.root, samples.rational))(rng)]
            if rng.random() < 0.1:
                arguments[1] = arguments[0]
            if rng.random() < 0.5:
                arguments.reverse()
            term = f"({name} {' '.join(map(text_of_root, arguments))})"
            return term, shown(show, meaning(*arguments))

        return make

    for name, meaning in (
        ("+", reals.add), ("-", reals.sub), ("*", reals.mul), ("/", reals.div),
    ):  # fmt: skip
        yield f"root {name}", Operator(maker(name, meaning, text_of_root), ("z3",))
    for name, comparison in (("<", reals.lt), ("<=", reals.leq), (">=", reals.geq)):
        yield f"root {name}", Operator(maker(name, comparison, text_of_bool), ("z3",))


def set_cases() -> Iterator[Named]:
    def some(rng: Source) -> frozenset[int]:
        return frozenset(rng.randint(-2, 3) for _ in range(rng.randint(0, 4)))

    def maker(name: str, meaning: Callable[..., object],
              shape: str) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            arguments = [some(rng) if kind == "s" else rng.randint(-2, 3) for kind in shape]
            texts = [_text(argument) for argument in arguments]
            return f"({name} {' '.join(texts)})", shown(_text, meaning(*arguments))

        return make

    def _text(value: object) -> str:
        if isinstance(value, frozenset):
            return text_of_set(value)
        assert isinstance(value, int)
        return text_of_bool(value) if isinstance(value, bool) else text_of_int(value)

    table: dict[str, tuple[Callable[..., object], str]] = {
        "set.union": (sets.union, "ss"), "set.inter": (sets.inter, "ss"),
        "set.minus": (sets.minus, "ss"), "set.member": (sets.member, "es"),
        "set.subset": (sets.subset, "ss"), "set.card": (sets.card, "s"),
        "set.insert": (lambda *given: sets.insert(given[:-1], given[-1]), "ees"),
        "set.singleton": (sets.singleton, "e"),
        "set.is_empty": (sets.is_empty, "s"), "set.is_singleton": (sets.is_singleton, "s"),
    }  # fmt: skip
    for name, (meaning, shape) in table.items():
        yield name, Operator(maker(name, meaning, shape), ("cvc5",))

    def field(name: str, meaning: Callable[..., int]) -> Callable[[Source], Claim]:
        def make(rng: Source) -> Claim:
            p = rng.choice((2, 3, 5, 7, 65537))
            arguments = [rng.randrange(p) for _ in range(1 if name == "ff.neg" else 3)]
            sort = f"(_ FiniteField {p})"
            texts = (f"(as ff{x} {sort})" for x in arguments)
            return f"({name} {' '.join(texts)})", f"(as ff{meaning(p, *arguments)} {sort})"

        return make

    for name, operation in (
        ("ff.add", finite_fields.add), ("ff.mul", finite_fields.mul),
        ("ff.neg", finite_fields.neg), ("ff.bitsum", finite_fields.bitsum),
    ):  # fmt: skip
        yield name, Operator(field(name, operation), ("cvc5",))
