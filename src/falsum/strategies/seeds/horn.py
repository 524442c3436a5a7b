"""Mutants of Horn clauses have to be Horn clauses: solvers run another engine on anything else."""

from __future__ import annotations

from collections.abc import Sequence

from falsum.errors import FalsumError
from falsum.smtlib import Script, read_script
from falsum.smtlib.fragments.horn import HORN, is_horn
from falsum.strategies.mutant import Seed, kept


def leaves_horn(text: str, seeds: Sequence[Seed]) -> bool:
    """Whether all seeds are scripts of Horn clauses, and a mutant of them is none."""
    if not seeds or not all(map(_is_horn_seed, seeds)):
        return False
    try:
        return not _is_horn(read_script(text))
    except FalsumError:
        return True


@kept
def _is_horn_seed(seed: Seed) -> bool:
    return HORN in seed.text and _is_horn(seed.script)


def _is_horn(script: Script) -> bool:
    return script.logic == HORN and is_horn(script)
