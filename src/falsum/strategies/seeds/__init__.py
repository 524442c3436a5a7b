"""→ SeedStatus. Facts about a seed: its status, its last check as a flat script, assignments for it."""

from __future__ import annotations

from falsum.strategies.mutant import kept
from falsum.strategies.seeds.assignments import assignments_of
from falsum.strategies.seeds.declarations import (
    declared_names,
    names_declared_by,
    print_declarations,
    with_unique_names,
)
from falsum.strategies.seeds.flat import flatten
from falsum.strategies.seeds.horn import leaves_horn
from falsum.strategies.seeds.preparation import FRONT, PREAMBLE, front_length, prepare
from falsum.strategies.seeds.status import (
    EVALUATION_STEPS,
    MIN_LENGTH,
    SeedStatus,
    agreed_verdicts,
    count_checks,
    is_accepted,
    status_of,
    write_witness,
)
from falsum.strategies.seeds.tactics import CHECK, check_with, tactics_of, with_tactic

__all__ = [
    "CHECK",
    "EVALUATION_STEPS",
    "FRONT",
    "MIN_LENGTH",
    "PREAMBLE",
    "SeedStatus",
    "agreed_verdicts",
    "assignments_of",
    "check_with",
    "count_checks",
    "declared_names",
    "flatten",
    "front_length",
    "is_accepted",
    "kept",
    "leaves_horn",
    "names_declared_by",
    "prepare",
    "print_declarations",
    "status_of",
    "tactics_of",
    "with_tactic",
    "with_unique_names",
    "write_witness",
]
