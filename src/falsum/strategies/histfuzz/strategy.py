"""histfuzz: skeletons and atoms of scripts recombined (Sun, Yang, Wen, Wang, Zhou, Jin, ICSE 2023).

The Boolean structure of the seed is the skeleton; some of its atoms are replaced by atoms of other scripts.
Scripts that once triggered bugs are the best source. Nothing is known about the verdicts of mutants.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from falsum.errors import UsageError
from falsum.smtlib import Script, print_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Assert, CheckSat, Command, DeclareFun
from falsum.smtlib.substitution import fresh, rename_binders
from falsum.smtlib.terms import App, Function, Head, Term, app
from falsum.smtlib.walk import subterms, transform
from falsum.solvers.lab import Lab
from falsum.strategies.histfuzz.atoms import MinedAtom, atoms_of, rarities, with_atoms
from falsum.strategies.histfuzz.corpus import Corpus, corpus_at
from falsum.strategies.mutant import Mutant, Seed, replacement
from falsum.strategies.parameters import parameter, share
from falsum.strategies.seeds import declared_names, flatten

# A seed for which so many mutants in a row cannot be made is given up.
_MAX_FAILURES: Final = 30
# Atoms that are compared by the rules for one hole.
_COMPARED: Final = 6
_LEAST_WEIGHT: Final = 0.05


@dataclass(frozen=True, slots=True)
class SeedSkeleton:
    """A flat seed: what comes before its assertions, the assertions, their atoms and its functions."""

    head: tuple[Command, ...]
    assertions: tuple[Term, ...]
    atoms: tuple[Term, ...]
    functions: tuple[Function, ...]
    names: frozenset[str]
    operators: frozenset[str]
    rarities: frozenset[str]

    @classmethod
    def of(cls, script: Script) -> SeedSkeleton:
        head = tuple(c for c in script.commands if not isinstance(c, Assert | CheckSat))
        atoms = dict.fromkeys(atom for term in script.assertions for atom in atoms_of(term))
        parts = [part for term in script.assertions for part in subterms(term)]
        symbols = (part.head.symbol for part in parts if isinstance(part, App))
        operators = frozenset(symbol.name for symbol in symbols if isinstance(symbol, Operator))
        functions = tuple(c.function for c in head if isinstance(c, DeclareFun))
        names = frozenset(declared_names(script))
        return cls(head, tuple(script.assertions), tuple(atoms), functions, names, operators, rarities(parts))


@dataclass(frozen=True, slots=True)
class HistFuzz:
    """Replaces one to `most` atoms of the seed, and the same atom everywhere it stands.

    `corpus` is a folder of scripts. Constants of an atom become constants of the seed of the same sort with
    the probability `matched`, else new ones. With the probability `ruled` an atom is chosen by how often its
    operators occur together with those of the script in the corpus.
    """

    name: str = "histfuzz"
    arity: int = 1
    corpus: str = parameter(
        "", "folder of scripts that atoms are taken from (default: the bundled seeds and the atlas)"
    )
    most: int = parameter(4, "atoms replaced in a mutant, at most", least=1)
    matched: float = share(0.8, "probability that a constant of an atom becomes one of the seed")
    ruled: float = share(0.7, "probability that the rules of the corpus choose an atom")

    def __post_init__(self) -> None:
        if self.corpus and not Path(self.corpus).is_dir():
            raise UsageError(f"histfuzz: corpus={self.corpus}: no such folder")

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = flatten(seeds[0].script)
        if script is None:
            return
        skeleton = SeedSkeleton.of(script)
        corpus = corpus_at(self.corpus)
        logic = logic_of(script.logic)
        failures = 0
        while failures < _MAX_FAILURES:
            filled = _Filled(self, skeleton, rng)
            count = min(rng.randint(1, self.most), len(skeleton.atoms))
            for old in rng.sample(skeleton.atoms, count):
                donor = corpus.draw(logic, rng)
                usable = [one for one in donor.atoms if one.rarities <= skeleton.rarities] if donor else []
                if usable:
                    filled.replace(old, self._chosen(usable, filled.operators, corpus, rng))
            failures = 0 if filled.lineage else failures + 1
            if filled.lineage:
                yield filled.mutant()

    def _chosen(
        self, atoms: Sequence[MinedAtom], operators: frozenset[str], corpus: Corpus, rng: Random
    ) -> MinedAtom:
        """An atom of a script, by the rules of the corpus or at random."""
        some = rng.sample(atoms, min(len(atoms), _COMPARED))
        if rng.random() >= self.ruled:
            return some[0]
        weights = [_LEAST_WEIGHT + corpus.association(operators, atom.operators) for atom in some]
        return rng.choices(some, weights)[0]


class _Filled:
    """A skeleton under construction."""

    def __init__(self, strategy: HistFuzz, skeleton: SeedSkeleton, rng: Random) -> None:
        self._strategy = strategy
        self._skeleton = skeleton
        self._rng = rng
        self._atoms: dict[Term, Term] = {}
        self._declared: list[Function] = []
        self.operators = skeleton.operators
        self.lineage: list[str] = []

    def replace(self, old: Term, atom: MinedAtom) -> None:
        replacements = {function: self._function(function) for function in atom.functions}
        # No variable of the atom may capture what stands for its functions.
        uncaught = rename_binders(atom.term, frozenset(function.name for function in replacements.values()))
        new = transform(uncaught, lambda part: _renamed(part, replacements))
        if new is not old:
            self._atoms[old] = new
            self.operators |= atom.operators
            self.lineage.append(replacement("histfuzz", old, new))

    def mutant(self) -> Mutant:
        filled = [Assert(with_atoms(term, self._atoms)) for term in self._skeleton.assertions]
        declarations = [DeclareFun(function) for function in self._declared]
        script = Script((*self._skeleton.head, *declarations, *filled, CheckSat()))
        return Mutant(print_script(script), lineage=tuple(self.lineage))

    def _function(self, function: Function) -> Function:
        """The replacement for a function of an atom: one of the same rank, or a new one."""
        alike = [
            other
            for other in (*self._skeleton.functions, *self._declared)
            if (other.args, other.result, other.params) == (function.args, function.result, ())
        ]
        if alike and self._rng.random() < self._strategy.matched:
            return self._rng.choice(alike)
        taken_names = self._skeleton.names.union(one.name for one in self._declared)
        new_function = Function(fresh(function.name, taken_names), function.args, function.result)
        self._declared.append(new_function)
        return new_function


def _renamed(part: Term, replacements: dict[Function, Function]) -> Term | None:
    symbol = part.head.symbol if isinstance(part, App) else None
    if not isinstance(part, App) or not isinstance(symbol, Function) or symbol not in replacements:
        return None
    return app(Head(replacements[symbol], part.head.indices, part.head.qualifier), part.args)
