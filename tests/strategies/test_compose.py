"""Several strategies in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

import pytest

from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.compose import find_strategy
from falsum.strategies.mutant import Claim, Mutant, Seed, Strategy


@dataclass(frozen=True)
class Appending:
    """Adds a comment; says the verdict stays, if it `keeps`."""

    name: str
    arity: int = 1
    keeps: bool = False
    claim: Claim | None = None
    most: int = 3

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        for _ in range(self.most):
            text = f"{seeds[0].text};{self.name}{rng.randrange(100)}\n"
            yield Mutant(text, self.claim, seeds[0].text if self.keeps else None, (self.name,))


SAT = Claim((Verdict.SAT,), "()")
STRATEGIES: dict[str, Strategy] = {
    "a": Appending("a"),
    "claiming": Appending("claiming", claim=SAT),
    "keeping": Appending("keeping", keeps=True),
    "empty": Appending("empty", most=0),
}


def made(name: str, number: int = 1, text: str = "(check-sat)\n") -> list[Mutant]:
    strategy = find_strategy(name, STRATEGIES)
    assert strategy.name == name
    return list(islice(strategy.mutants((Seed("s", text),), Random(number), None), 3))


def test_each_further_one_mutates_the_mutant() -> None:
    for mutant in made("a+keeping+a"):
        assert mutant.lineage == ("a", "keeping", "a")
        assert mutant.text.count(";") == 3
    assert made("a+a", 5) == made("a+a", 5)
    assert made("a+a", 5) != made("a+a", 6)


def test_a_claim_survives_only_what_keeps_the_verdict() -> None:
    assert made("a+claiming")[0].claim == SAT
    assert made("claiming+a")[0].claim is None
    assert made("claiming+keeping")[0].claim == Claim((Verdict.SAT,))


def test_what_does_not_suit_or_is_long_enough_stays() -> None:
    assert made("a+empty")[0].lineage == ("a",)
    assert made("empty+a") == []
    assert made("a+a", text="; long\n" * 10_000)[0].lineage == ("a",)


def test_unknown_names_are_wrong_use() -> None:
    with pytest.raises(UsageError, match="frob"):
        find_strategy("a+frob", STRATEGIES)
