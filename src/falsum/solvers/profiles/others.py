"""Programs falsum finds on PATH and runs with what holds for every solver."""

from __future__ import annotations

from dataclasses import replace

from falsum.solvers.profiles.generic import PROFILE as GENERIC

_MATHSAT = replace(GENERIC, product="mathsat", programs=("mathsat",), version_arguments=("-version",))

PROFILES = (
    _MATHSAT,
    replace(GENERIC, product="opensmt", programs=("opensmt",)),
    replace(GENERIC, product="smtinterpol", programs=("smtinterpol",)),
    replace(GENERIC, product="princess", programs=("princess",)),
    replace(GENERIC, product="stp", programs=("stp",), arguments=("--SMTLIB2",)),
    replace(GENERIC, product="verit", programs=("veriT", "verit")),
    replace(GENERIC, product="ostrich", programs=("ostrich",)),
    replace(GENERIC, product="smtrat", programs=("smtrat",)),
)
