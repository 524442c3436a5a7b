"""Mutant: a script made by a strategy, and how; Seed: its origin; Claim: its verdicts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, wraps
from random import Random
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

from cachetools import LRUCache

from falsum.smtlib import Script, print_script, print_term, read_script
from falsum.smtlib.terms import Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab

# How a memory begins if the strategy has no more mutants of the seed.
SATURATED: Final = "saturated"
# Campaigns come back to a seed after a few others: what is found out about so many short ones is kept.
KEPT_SEEDS: Final = 128
KEPT_LENGTH: Final = 4096
_LONGEST: Final = 80
# How the last line of a lineage begins if the strategy has other parameters than the default ones.
PARAMETERS: Final = "parameters: "

_T = TypeVar("_T")
_P = ParamSpec("_P")


@dataclass(frozen=True)
class Seed:
    """A script to start from; `name` identifies it in lineages and findings.

    `memory`, if there is one, holds notes of strategies for their next visit, by the name of the strategy;
    without it every visit is the first.
    """

    name: str
    text: str
    memory: dict[str, str] | None = field(default=None, compare=False)

    @cached_property
    def script(self) -> Script:
        read = _read if len(self.text) <= KEPT_LENGTH else read_script
        return read(self.text, self.name)

    @classmethod
    def of(cls, name: str, script: Script) -> Seed:
        seed = cls(name, print_script(script))
        seed.__dict__["script"] = script
        return seed


@lru_cache(maxsize=KEPT_SEEDS)
def _read(text: str, name: str) -> Script:
    return read_script(text, name)


@dataclass(frozen=True, slots=True)
class Claim:
    """The verdict of every check in order, true by construction; None for a check that is not claimed.

    `witness` is a model, as SMT-LIB definitions, that satisfies the assertions at every check claimed sat.
    Without one ("") the claim rests on the relation of the mutant to the seed.
    """

    verdicts: tuple[Verdict | None, ...]
    witness: str = ""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A script to test solvers with, what is known about it, and how it was made.

    `claim` holds by construction; `reference` is a script that must have the same verdicts; `lineage` are the
    edits that made the mutant, one line each, in order.
    """

    text: str
    claim: Claim | None = None
    reference: str | None = None
    lineage: tuple[str, ...] = field(default=())


class Strategy(Protocol):
    """A way to make mutants. Equal seeds and equal Random states give equal mutants, in any process."""

    @property
    def name(self) -> str: ...

    @property
    def arity(self) -> int:
        """The number of seeds it takes: 0 to generate, 1 to mutate, 2 to fuse."""
        ...

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """Mutants, usually without end; none if the seeds are not suitable.

        `lab` gives models and verdicts. It is None if there is no solver; a strategy that needs one then
        makes no mutants.
        """
        ...


def replacement(what: str, old: Term, new: Term) -> str:
    """A lineage line for a replaced term; `what` names the strategy and the place."""
    return f"{what}: {abbreviated(old)} -> {abbreviated(new)}"


def abbreviated(term: Term) -> str:
    """The text of a term, cut if it is long."""
    text = print_term(term)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def kept(find: Callable[Concatenate[Seed, _P], _T]) -> Callable[Concatenate[Seed, _P], _T]:
    """Decorates a function: its results are cached for the short seeds it was last called with.

    Results are shared, so they must not be changed. Further arguments must be hashable.
    """
    cache: LRUCache[Hashable, _T] = LRUCache(KEPT_SEEDS)

    @wraps(find)
    def found(seed: Seed, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        key = seed.text, args, tuple(kwargs.items())
        if key in cache:
            return cache[key]
        cached = find(seed, *args, **kwargs)
        if len(seed.text) <= KEPT_LENGTH:
            cache[key] = cached
        return cached

    return found
