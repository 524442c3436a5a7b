"""opfuzz: type-aware operator mutation (Winterer, Zhang, Su, OOPSLA 2020), over all theories.

Mutants are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from cachetools import LRUCache

from falsum.smtlib import read_script
from falsum.smtlib.logics import PRODUCTS, Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.sorts import Index, Sort
from falsum.smtlib.terms import App, Head, Quantifier, Term
from falsum.solvers.lab import Lab
from falsum.strategies.growth import portable_operators, portable_signatures
from falsum.strategies.mutant import KEPT_LENGTH, KEPT_SEEDS, Mutant, Seed
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import MIN_LENGTH, is_accepted, prepare

# Start, end and alternatives of operators' names in a text.
Occurrences = list[tuple[int, int, tuple[str, ...]]]

_FIRST: Final[LRUCache[tuple[str, tuple[Operator, ...]], tuple[Layout, Occurrences]]] = LRUCache(KEPT_SEEDS)


@dataclass(frozen=True, slots=True)
class OpFuzz:
    """Replaces operators by others of the same rank: same argument sorts, same result.

    With a `chain`, a mutant is made from the last one that the first solver accepted, as the original tool
    does, until it is longer than `growth` times the seed. `operators` restricts the operators (an operator
    file); empty means all that solvers read.
    """

    name: str = "opfuzz"
    arity: int = 1
    most: int = parameter(3, "operators replaced in a mutant, at most", least=1)
    chain: int = parameter(1, "mutants in a row, each made from the last accepted one", least=1)
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)
    operators: tuple[Operator, ...] = ()

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        first = self._first(seeds[0])
        if first is None:
            return
        longest = max(len(first[0].text) * self.growth, MIN_LENGTH)
        while first[1]:
            layout, occurrences = first
            lineage: tuple[str, ...] = ()
            for _ in range(self.chain):
                text, edits = self._step(layout, occurrences, rng)
                lineage = (*lineage, *edits)
                yield Mutant(text, lineage=lineage)
                if self.chain == 1 or len(text) > longest or not is_accepted(text, lab):
                    break
                mutated = read_script(text)
                layout = Layout.of(mutated)
                occurrences = self._occurrences(layout, logic_of(mutated.logic))
                if not occurrences:
                    break

    def _first(self, seed: Seed) -> tuple[Layout, Occurrences] | None:
        """The seed as mutants begin with it; None if it is not suitable."""
        key = seed.text, self.operators
        if key in _FIRST:
            return _FIRST[key]
        script = prepare(seed.script)
        if script is None:
            return None
        layout = Layout.of(script)
        first = layout, self._occurrences(layout, logic_of(script.logic))
        if len(seed.text) <= KEPT_LENGTH:
            _FIRST[key] = first
        return first

    def _step(self, layout: Layout, occurrences: Occurrences, rng: Random) -> tuple[str, list[str]]:
        """The text with one to `most` other operators, and a line for each."""
        count = min(rng.randint(1, self.most), len(occurrences))
        chosen = sorted({rng.randrange(len(occurrences)) for _ in range(count)})
        text, at = layout.text, 0
        pieces: list[str] = []
        lines: list[str] = []
        for which in chosen:
            start, end, alternatives = occurrences[which]
            new = alternatives[rng.randrange(len(alternatives))]
            pieces += (text[at:start], new)
            lines.append(f"opfuzz {start}: {text[start:end]} -> {new}")
            at = end
        return "".join((*pieces, text[at:])), lines

    def _occurrences(self, layout: Layout, logic: Logic) -> Occurrences:
        operators = self.operators or portable_operators(
            (place.term for place in layout.places), logic=logic, hard=True
        )
        return _occurrences(layout, logic, operators)


def _occurrences(layout: Layout, logic: Logic, operators: tuple[Operator, ...]) -> Occurrences:
    """Start, end and alternatives of every operator's name in the text that has alternatives, in order."""
    found = []
    for number, place in enumerate(layout.places):
        name = _operator_text(place.term)
        if name is None or not layout.is_replaceable(number):
            continue
        if logic.is_linear and any(_is_product(around) for around, _ in layout.around(number)):
            continue
        alternatives = _alternatives(place.term, operators, logic)
        if alternatives:
            start = place.start + 1
            found.append((start, start + len(name), alternatives))
    return found


def _is_product(term: Term) -> bool:
    return isinstance(term, App) and term.head.name in PRODUCTS


def _operator_text(term: Term) -> str | None:
    """The operator of an application as it is written after the opening parenthesis; None if it is not."""
    if isinstance(term, Quantifier):
        return term.kind
    if not isinstance(term, App) or not term.args or term.head.qualifier is not None:
        return None
    symbol = term.head.symbol
    return term.head.text if isinstance(symbol, Operator) and not symbol.is_implicit else None


def _alternatives(term: Term, operators: tuple[Operator, ...], logic: Logic) -> tuple[str, ...]:
    """The texts of other operators that may replace the term's."""
    if isinstance(term, Quantifier):
        return ("exists",) if term.kind == "forall" else ("forall",)
    assert isinstance(term, App)
    symbol = term.head.symbol
    assert isinstance(symbol, Operator)
    sorts = tuple(arg.sort for arg in term.args)
    fitting = _of_same_rank(term.sort, sorts, term.head.indices, operators)
    return tuple(
        Head(other, term.head.indices).text
        for other in fitting
        if other.canonical is not symbol.canonical and logic.allows(other, term.args)
    )


@lru_cache(maxsize=4096)
def _of_same_rank(
    result: Sort, sorts: tuple[Sort, ...], indices: tuple[Index, ...], operators: tuple[Operator, ...]
) -> tuple[Operator, ...]:
    """The operators that give the result sort from arguments of these sorts with these indices."""
    return tuple(
        operator
        for operator in operators
        if any(
            signature.takes(len(sorts)) and signature.rank(indices, sorts) is result
            for signature in portable_signatures(operator)
        )
    )
