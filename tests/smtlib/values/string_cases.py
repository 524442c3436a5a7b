"""Random claims about strings, regular expressions and sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.smtlib.values import samples
from tests.smtlib.values.claims import BOTH, Operator, shown
from tests.smtlib.values.samples import text_of_bits, text_of_bool, text_of_int, text_of_sequence

from falsum.smtlib.values import sequences, strings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.smtlib.values.claims import Claim, Named
    from tests.smtlib.values.samples import Source


def string_cases() -> Iterator[Named]:
    show, s = strings.encode_literal, strings
    shows: dict[type, Callable[..., str]] = {str: show, bool: text_of_bool, int: text_of_int}

    def maker(name: str, meaning: Callable[..., object],
              shape: str) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            first = samples.word(rng)
            arguments: list[object] = []
            texts = []
            for kind in shape:
                argument: object
                if kind == "r":
                    text, argument = samples.regex(rng, rng.randint(0, 3))
                    texts.append(text)
                else:
                    argument = {
                        "s": first,
                        "p": samples.part(rng, first),
                        "i": rng.randint(-2, len(first) + 2),
                        "n": rng.choice((samples.integer(rng), rng.randint(-2, 0x30002))),
                        "d": samples.digits(rng),
                    }[kind]  # fmt: skip
                    texts.append(shows[type(argument)](argument))
                arguments.append(argument)
            value = meaning(*arguments)
            assert isinstance(value, str | int)
            return f"({name} {' '.join(texts)})", shows[type(value)](value)

        return make

    standard: dict[str, tuple[Callable[..., object], str]] = {
        "str.++": (s.concat, "sp"), "str.len": (s.length, "s"), "str.<": (s.lt, "sp"),
        "str.<=": (s.leq, "sp"), "str.at": (s.at, "si"), "str.substr": (s.substr, "sii"),
        "str.prefixof": (s.prefixof, "ps"), "str.suffixof": (s.suffixof, "ps"),
        "str.contains": (s.contains, "sp"), "str.indexof": (s.indexof, "spi"),
        "str.replace": (s.replace, "spp"), "str.replace_all": (s.replace_all, "spp"),
        "str.in_re": (s.in_re, "sr"), "str.is_digit": (s.is_digit, "p"),
        "str.to_code": (s.to_code, "p"), "str.from_code": (s.from_code, "n"),
        "str.to_int": (s.to_int, "d"), "str.from_int": (s.from_int, "n"),
    }  # fmt: skip
    extensions: dict[str, tuple[Callable[..., object], str]] = {
        "str.rev": (s.rev, "s"), "str.to_lower": (s.to_lower, "s"),
        "str.to_upper": (s.to_upper, "s"), "str.update": (s.update, "sip"),
        "str.indexof_re": (s.indexof_re, "sri"),
        # Standard, but z3 does not decide them even on values.
        "str.replace_re": (s.replace_re, "srp"), "str.replace_re_all": (s.replace_re_all, "srp"),
    }  # fmt: skip

    def literal(rng: Source) -> Claim:
        raw = samples.raw_literal(rng)
        return f'(str.++ "{raw}" "")', show(strings.decode_literal(raw))

    yield "literal", Operator(literal, BOTH)
    for name, (meaning, shape) in standard.items():
        yield name, Operator(maker(name, meaning, shape), BOTH)
    for name, (meaning, shape) in extensions.items():
        yield name, Operator(maker(name, meaning, shape), ("cvc5",))

    def from_bits(name: str, meaning: Callable[[int, int], str]) -> Callable[[Source], Claim]:
        def make(rng: Source) -> Claim:
            w = rng.choice(samples.WIDTHS)
            x = samples.bits(rng, w)
            return f"({name} {text_of_bits(w, x)})", show(meaning(w, x))

        return make

    yield "str.from_ubv", Operator(from_bits("str.from_ubv", s.from_ubv), ("z3",))
    yield "str.from_sbv", Operator(from_bits("str.from_sbv", s.from_sbv), ("z3",))


def sequence_cases() -> Iterator[Named]:
    q = sequences

    def maker(name: str, meaning: Callable[..., object],
              shape: str) -> Callable[[Source], Claim]:  # fmt: skip
        def make(rng: Source) -> Claim:
            first = samples.sequence(rng)
            start = rng.randint(0, len(first))
            sampled: dict[str, Callable[[], object]] = {
                "s": lambda: first,
                "p": lambda: samples.sequence(rng, 2),
                "q": lambda: first[start : start + rng.randint(0, 3)],
                "i": lambda: rng.randint(-2, len(first) + 2),
            }
            arguments = [sampled[kind]() for kind in shape]
            texts = [_text(argument) for argument in arguments]
            return f"({name} {' '.join(texts)})", shown(_text, meaning(*arguments))

        return make

    def _text(value: object) -> str:
        if isinstance(value, tuple):
            return text_of_sequence(value)
        assert isinstance(value, int)
        return text_of_bool(value) if isinstance(value, bool) else text_of_int(value)

    table: dict[str, tuple[Callable[..., object], str, tuple[str, ...]]] = {
        "seq.++": (q.concat, "sp", BOTH), "seq.len": (q.length, "s", BOTH),
        "seq.at": (q.at, "si", BOTH), "seq.nth": (q.nth, "si", BOTH),
        "seq.extract": (q.extract, "sii", BOTH), "seq.update": (q.update, "sip", ("cvc5",)),
        "seq.prefixof": (q.prefixof, "qs", BOTH), "seq.suffixof": (q.suffixof, "qs", BOTH),
        "seq.contains": (q.contains, "sp", BOTH), "seq.indexof": (q.indexof, "sqi", BOTH),
        "seq.replace": (q.replace, "sqp", BOTH), "seq.replace_all": (q.replace_all, "sqp", BOTH),
        "seq.rev": (q.rev, "s", ("cvc5",)), "seq.last_indexof": (q.last_indexof, "sq", ("z3",)),
    }  # fmt: skip
    for name, (meaning, shape, solvers) in table.items():
        yield name, Operator(maker(name, meaning, shape), solvers)
