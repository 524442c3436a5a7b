"""Choice of seeds by logic and theory, for campaigns about a part of the language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from falsum.campaign.corpus.seed_files import SeedError, SeedFile
from falsum.defects.identity.signature import operators_of
from falsum.errors import FalsumError, UsageError
from falsum.smtlib import read_script
from falsum.smtlib.theories import THEORY_OF_SORT
from falsum.smtlib.walk import subterms

# The words of `--theory`, with the names that theories have in the standard and among solvers.
THEORIES: Final = {
    "arithmetic": "Arithmetic",
    "arrays": "ArraysEx",
    "bags": "Bags",
    "bitvectors": "FixedSizeBitVectors",
    "datatypes": "Datatypes",
    "fields": "FiniteFields",
    "floats": "FloatingPoint",
    "quantifiers": "quantifiers",
    "relations": "Relations",
    "separation": "Separation",
    "sequences": "Sequences",
    "sets": "Sets",
    "strings": "Strings",
    "uf": "uf",
}


def chosen(
    seeds: Iterable[SeedFile], logics: Iterable[str] = (), theories: Iterable[str] = ()
) -> tuple[SeedFile, ...]:
    """The seeds whose logic is among `logics` and that use one of `theories`; raises UsageError if there are
    none.
    """
    all_seeds, some_logics, some_theories = tuple(seeds), frozenset(logics), frozenset(theories)
    selection = tuple(seed for seed in all_seeds if not some_logics or seed.logic in some_logics)
    if some_theories:
        theory_records = {THEORIES[word] for word in some_theories}
        selection = tuple(seed for seed in selection if theory_records & theories_of(seed))
    if all_seeds and not selection:
        here = ", ".join(sorted({seed.logic or "none" for seed in all_seeds}))
        filters = ", ".join(sorted(some_logics | some_theories))
        raise UsageError(f"no seed of {filters}: the {len(all_seeds)} seeds have the logics {here}")
    return selection


def theories_of(seed: SeedFile) -> set[str]:
    """The theories of the operators and sorts of a seed; none for a seed that cannot be read."""
    try:
        assertions = read_script(seed.text()).assertions
    except (FalsumError, SeedError, RecursionError):
        return set()
    theories, _operators = operators_of(assertions)
    owners = (THEORY_OF_SORT.get(part.sort.name) for term in assertions for part in subterms(term))
    return {*theories, *(owner.name for owner in owners if owner is not None)}
