"""What falsum has to know about the solver `truth-table`."""

from __future__ import annotations

from falsum.solvers.profiles import Profile

PROFILE = Profile(
    product="truth-table",
    packages=("falsum-example",),  # the package that installs the program
    programs=("truth-table",),
    theories=frozenset({"core"}),
    licence="MIT",
)
