"""CVC4 1.8, the last of its line, as distributions still ship it."""

from __future__ import annotations

from dataclasses import replace

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.profiles import cvc5
from falsum.solvers.profiles.profile import sign

PROFILE = replace(
    cvc5.PROFILE,
    product="cvc4",
    echoes=True,
    packages=(),
    programs=("cvc4",),
    comes_with_falsum=False,
    library=None,
    first_library_release="",
    arguments=("--quiet", "--lang=smt2", "--strings-exp"),
    incremental_arguments=("--incremental",),
    incremental_prefix="",
    signs=(
        sign(r"no concrete implementation of FloatingPoint\w*", EndingKind.REJECTED, Cause.UNSUPPORTED),
        *cvc5.PROFILE.signs,
    ),
    # Debian's build has no floating point.
    theories=cvc5.PROFILE.theories - {"bags", "floats"},
    draw_rules=None,
    successor="cvc5",
)
