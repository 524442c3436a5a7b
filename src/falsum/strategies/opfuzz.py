"""opfuzz: type-aware operator mutation (Winterer, Zhang, Su, OOPSLA 2020), over all theories.

Mutants are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from falsum.smtlib import Script, read_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.solvers.lab import Lab
from falsum.strategies.growth import OperatorPlace, operator_places
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import MIN_LENGTH, is_accepted, kept, prepare


@dataclass(frozen=True, slots=True)
class OpFuzz:
    """Replaces operators by others of the same rank: same argument sorts, same result.

    With a `chain`, a mutant is made from the last one that the first solver accepted, as the original tool
    does, until it is longer than `growth` times the seed. `operators` restricts the operators (an operator
    file); empty means all that solvers read.
    """

    name: str = "opfuzz"
    arity: int = 1
    most: int = parameter(2, "operators replaced in a mutant, at most", least=1)
    chain: int = parameter(1, "mutants in a row, each made from the last accepted one", least=1)
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)
    operators: tuple[Operator, ...] = ()

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        first = _first(seeds[0], self.operators)
        if first is None:
            return
        longest = max(len(first[0].text) * self.growth, MIN_LENGTH)
        while first[1]:
            layout, places = first
            lineage: tuple[str, ...] = ()
            for _ in range(self.chain):
                text, edits = self._step(layout, places, rng)
                lineage = (*lineage, *edits)
                yield Mutant(text, lineage=lineage)
                if self.chain == 1 or len(text) > longest or not is_accepted(text, lab):
                    break
                layout, places = _with_places(read_script(text), self.operators)
                if not places:
                    break

    def _step(self, layout: Layout, places: list[OperatorPlace], rng: Random) -> tuple[str, list[str]]:
        """The text with one to `most` other operators, and a line for each."""
        count = min(rng.randint(1, self.most), len(places))
        places_chosen = sorted({rng.randrange(len(places)) for _ in range(count)})
        text, at = layout.text, 0
        pieces: list[str] = []
        lines: list[str] = []
        for which in places_chosen:
            start, end, alternatives = places[which]
            new = alternatives[rng.randrange(len(alternatives))]
            pieces += (text[at:start], new)
            lines.append(f"opfuzz {start}: {text[start:end]} -> {new}")
            at = end
        return "".join((*pieces, text[at:])), lines


@kept
def _first(seed: Seed, operators: tuple[Operator, ...]) -> tuple[Layout, list[OperatorPlace]] | None:
    """The prepared seed with its operators; None if it is not suitable."""
    script = prepare(seed.script)
    return None if script is None else _with_places(script, operators)


def _with_places(script: Script, operators: tuple[Operator, ...]) -> tuple[Layout, list[OperatorPlace]]:
    layout = Layout.of(script)
    return layout, operator_places(layout, logic_of(script.logic), operators)
