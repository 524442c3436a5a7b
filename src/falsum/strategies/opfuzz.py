"""opfuzz: type-aware operator mutation (Winterer et al., OOPSLA 2020), for every theory.

Preserves: well-sortedness. Promises nothing about the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.terms import App, Head, Quantifier, Term
from falsum.solvers.lab import Lab
from falsum.strategies.growth.candidates import usual_operators
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.seeds.preparation import prepared


@dataclass(frozen=True, slots=True)
class OpFuzz:
    """Replaces one to `most` operators by others that take the same arguments and give the same sort."""

    name: str = "opfuzz"
    arity: int = 1
    most: int = 3

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepared(seeds[0].script)
        if script is None:
            return
        layout = Layout.of(script)
        spots = _spots(layout, logic_of(script.logic))
        while spots:
            count = min(rng.randint(1, self.most), len(spots))
            chosen = sorted({rng.randrange(len(spots)) for _ in range(count)})
            text, at = layout.text, 0
            pieces: list[str] = []
            lineage: list[str] = []
            for which in chosen:
                start, end, others = spots[which]
                new = others[rng.randrange(len(others))]
                pieces += (text[at:start], new)
                lineage.append(f"opfuzz {start}: {text[start:end]} -> {new}")
                at = end
            pieces.append(text[at:])
            yield Mutant("".join(pieces), lineage=tuple(lineage))


def _spots(layout: Layout, logic: Logic) -> list[tuple[int, int, tuple[str, ...]]]:
    """Where an operator's name stands in the text, and what may stand there instead; in the text's order."""
    operators = usual_operators(place.term for place in layout.places)
    spots = []
    for number, place in enumerate(layout.places):
        name = _written(place.term)
        if name is None or not layout.is_replaceable(number):
            continue
        others = _others(place.term, operators, logic)
        if others:
            start = place.start + 1
            spots.append((start, start + len(name), others))
    return spots


def _written(term: Term) -> str | None:
    """The text of the operator, if it is written behind an opening parenthesis."""
    if isinstance(term, Quantifier):
        return term.kind
    if not isinstance(term, App) or not term.args or term.head.qualifier is not None:
        return None
    symbol = term.head.symbol
    return term.head.text if isinstance(symbol, Operator) and not symbol.is_implicit else None


def _others(term: Term, operators: tuple[Operator, ...], logic: Logic) -> tuple[str, ...]:
    if isinstance(term, Quantifier):
        return ("exists",) if term.kind == "forall" else ("forall",)
    assert isinstance(term, App)
    symbol = term.head.symbol
    assert isinstance(symbol, Operator)
    sorts = tuple(arg.sort for arg in term.args)
    fitting = siblings(term.sort, sorts, term.head.indices, operators)
    return tuple(
        Head(other, term.head.indices).text
        for other in fitting
        if other is not symbol.canonical and logic.allows(other, term.args)
    )


@lru_cache(maxsize=4096)
def siblings(
    result: Sort, sorts: tuple[Sort, ...], indices: tuple[Index, ...], operators: tuple[Operator, ...]
) -> tuple[Operator, ...]:
    """The operators that give the result from these arguments with these indices."""
    return tuple(
        operator
        for operator in operators
        if any(
            (signature.is_standard or not operator.is_standard)
            and signature.takes(len(sorts))
            and signature.rank(indices, sorts) is result
            for signature in operator.signatures
        )
    )
