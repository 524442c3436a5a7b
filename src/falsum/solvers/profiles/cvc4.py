"""CVC4 1.8, the last of its line, as distributions still ship it."""

from __future__ import annotations

from dataclasses import replace

from falsum.solvers.profiles import cvc5

PROFILE = replace(
    cvc5.PROFILE,
    product="cvc4",
    packages=(),
    programs=("cvc4",),
    library=None,
    module=None,
    first_library_release=(),
    arguments=("--quiet", "--lang=smt2", "--strings-exp"),
    incremental_arguments=("--incremental",),
    incremental_prefix="",
    theories=cvc5.PROFILE.theories - {"bags", "floats"},
    draw_rules=None,
    notes=("Debian's build has no floating point",),
)
