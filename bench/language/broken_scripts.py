"""Broken scripts made from valid ones, for `bench.language.reader_robustness`."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

TOKEN: Final = re.compile(r'\s+|;[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')
EMBEDDED: Final = (
    """(set-logic QF_UFLIA)(declare-sort U 1)(define-sort V (A) (U A))
(declare-fun f (Int (V Int)) Bool)
(declare-const x Int)(declare-const u (U Int))(assert (! (and (f x u) (< 1 x (- 7))) :named a))
(push 1)(check-sat-assuming (a (not a)))(get-value (x (+ x 1)))(pop 1)(exit)""",
    """(declare-datatypes ((L 1) (T 0))
  ((par (X) ((nil) (cons (hd X) (tl (L X))))) ((leaf (l (L Int))))))
(define-fun-rec len ((v (L Int))) Int (match v ((nil 0) ((cons h t) (+ 1 (len t))))))
(assert (forall ((v (L Int))) (! (>= (len v) 0) :pattern ((len v)))))
(assert (exists ((y T)) (= y (leaf (cons 1 (as nil (L Int)))))))(check-sat)(get-model)""",
    """(set-info :status sat)(declare-const b (_ BitVec 8))(declare-const g (_ FloatingPoint 5 11))
(assert (let ((y (bvadd b #xff)) (z #b1)) (= ((_ extract 7 7) y) (bvnot z))))
(assert (fp.lt ((_ to_fp 5 11) RNE 1.5) (fp.add RTZ g (fp #b0 #b10000 #b0000000000)) (_ +oo 5 11)))
(assert (= (concat b (_ bv3 4)) ((_ zero_extend 4) (bvurem b ((_ repeat 2) #xA)))))(check-sat)""",
    """(declare-const s String)(declare-const a (Array Int (Array Int Real)))
(declare-const q (Seq Int))
(assert (str.in_re s (re.+ (re.union (str.to_re "a""\\u{62}")
  ((_ re.loop 1 3) (re.range "0" "9"))))))
(assert (= (select (store (select a 1) 2 3.5) 2) (/ 1 (to_real (str.len s)))))
(assert (= (seq.len q) (ite (str.< s "b") 1 2)))(define-fun k ((x!1 Int)) Int (* x!1 2))
(assert (= ((lambda ((x Int)) (k x)) 2) (k 3)))(set-option :produce-models true)(check-sat)""",
)
ODD_WORDS: Final = (
    "_", "as", "!", "let", "par", "match", "|", '"', "||", '""', ":", ":named", "#x", "#b", "#b2",
    "#f1m5", "0", "00", "1.", ".5", "1.50", "-1", "99999999999999999999", "(_ BitVec 0)", "\x00",
    "(_ BitVec 99999999999999999999)", "(_ bv7 2)", "(_ char #x110000)", "\ufeff", "é",
    "(as x Int)", "(_ extract 0 7)", "(_ FloatingPoint 1 1)", "(_ repeat 0)", "(_ divisible 0)",
    "(Array Int)",
    "(_ to_fp 2)", "(_ is cons)", "(par (X) X)", "(-> Int)", "((", "))", "()", ";", "Bool", "=",
)  # fmt: skip


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


class Mutator:
    """Mutates valid scripts; all random choices come from the given Random."""

    def __init__(self, seeds: list[str]) -> None:
        self.seeds = seeds
        words = {word for seed in seeds for word in tokens(seed) if not word.isspace()}
        self.words = [*sorted(words), *ODD_WORDS, *(["(", ")"] * (len(words) // 4))]
        self.mutations: list[Callable[[Random, str], str]] = [
            self.random_words, self.truncate, self.change_tokens, self.change_tokens, self.change_words,
            self.change_words, self.splice, self.change_bytes, self.nest, self.change_commands,
        ]  # fmt: skip

    def draw(self, rng: Random) -> str:
        return rng.choice(self.mutations)(rng, rng.choice(self.seeds))

    def random_words(self, rng: Random, _: str) -> str:
        return " ".join(rng.choice(self.words) for _ in range(rng.randrange(1, 60)))

    def truncate(self, rng: Random, seed: str) -> str:
        start = rng.randrange(len(seed) + 1) if rng.randrange(4) == 0 else 0
        return seed[start : rng.randrange(start, len(seed) + 1)]

    def change_tokens(self, rng: Random, seed: str) -> str:
        """Delete, duplicate, swap or insert tokens."""
        parts = tokens(seed)
        for _ in range(rng.randrange(1, 4)):
            at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
            way = rng.randrange(4)
            if way == 0 and len(parts) > 1:
                del parts[at]
            elif way == 1:
                parts.insert(other, parts[at])
            elif way == 2:
                parts[at], parts[other] = parts[other], parts[at]
            else:
                parts.insert(at, f" {rng.choice(self.words)} ")
        return "".join(parts)

    def change_words(self, rng: Random, seed: str) -> str:
        """Replace words but not parentheses, so that sort rules see wrong arguments."""
        parts = tokens(seed)
        places = [i for i, part in enumerate(parts) if part not in "()" and not part.isspace()]
        for _ in range(rng.randrange(1, 4)):
            if places:
                parts[rng.choice(places)] = rng.choice(self.words)
        return "".join(parts)

    def splice(self, rng: Random, seed: str) -> str:
        """Replace a balanced piece by one of another script."""
        parts, donor = tokens(seed), tokens(rng.choice(self.seeds))
        start, end = piece(rng, parts)
        first, last = piece(rng, donor)
        return "".join(parts[:start] + donor[first:last] + parts[end:])

    def change_commands(self, rng: Random, seed: str) -> str:
        """Reorder, duplicate or remove commands."""
        lines = re.split(r"(?<=\))\s*(?=\((?:assert|declare|define|check|push|pop|set|get))", seed)
        rng.shuffle(lines)
        return "\n".join([*lines[: rng.randrange(1, len(lines) + 1)], rng.choice(lines)])

    def change_bytes(self, rng: Random, seed: str) -> str:
        data = bytearray(seed.encode())
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return data.decode(errors="surrogateescape" if rng.randrange(2) else "replace")

    def nest(self, rng: Random, seed: str) -> str:
        depth = rng.choice((3, 30, 300, 3_000))
        start, end = piece(rng, parts := tokens(seed))
        before = rng.choice(("(not ", "(- ", "(! ", "(let ((y 1)) ", "(", "(par (A) ", "(_ "))
        after = ")" * (depth if rng.randrange(4) else rng.randrange(depth))
        return "".join([*parts[:start], before * depth, *parts[start:end], after, *parts[end:]])


def piece(rng: Random, parts: list[str]) -> tuple[int, int]:
    """The bounds of a balanced piece: a word, or an S-expression."""
    start = end = rng.randrange(len(parts))
    depth = 0
    while end < len(parts):
        depth += (parts[end] == "(") - (parts[end] == ")")
        end += 1
        if depth <= 0:
            break
    return start, end


def fixed_inputs(seeds: list[str]) -> list[str]:
    """Inputs of every run: all prefixes of a few scripts, and extreme texts."""
    cut = [seed[:size] for seed in [*EMBEDDED, *seeds[:4]] for size in range(len(seed) + 1)]
    extremes = ["(" * 10**6, ")" * 10**6, "(assert " + "(not " * 10**5, "|" * 10**5, '"' * 99_999]
    return [*cut, *extremes, "", "\n", "\x00", "\ufeff", "(assert true)" * 10**4]


def shrink(text: str, fails: Callable[[str], bool], seconds: float = 5.0) -> str:
    """Remove sequences of tokens, ever shorter ones, as long as the failure stays the same."""
    parts, end = tokens(text), time.monotonic() + seconds
    size = len(parts) // 2
    while size:
        start = 0
        while start < len(parts) and time.monotonic() < end:
            shorter = parts[:start] + parts[start + size :]
            if fails("".join(shorter)):
                parts = shorter
            else:
                start += size
        size //= 2
    return "".join(parts)
