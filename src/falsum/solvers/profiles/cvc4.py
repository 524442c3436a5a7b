"""CVC4 1.8, its last release, as distributions still ship it."""

from __future__ import annotations

import re
from dataclasses import replace

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.profiles import cvc5
from falsum.solvers.profiles.profile import Renaming, ending

PROFILE = replace(
    cvc5.PROFILE,
    product="cvc4",
    echoes=True,
    has_statistics=False,
    packages=(),
    programs=("cvc4",),
    is_bundled=False,
    library=None,
    first_parsing_release="",
    arguments=("--quiet", "--lang=smt2", "--strings-exp"),
    # As cvc5's program, but it reads long input as it is.
    interactive=("--quiet", "--lang=smt2", "--strings-exp", "--no-incremental"),
    interactive_before="",
    cold_only=re.compile(r":named\b"),  # names survive `(reset)`
    incremental_arguments=("--incremental",),
    incremental_prefix="",
    seed_options=("seed", "random-seed"),
    model_options=(
        ("seed", ("#",)),
        ("random-seed", ("#",)),
        ("decision", ("", "internal", "justification")),
    ),
    renamings=(Renaming("2", cvc5.OLD_CONVERSION_NAMES),),
    ending_patterns=(
        ending(
            r"no concrete implementation of FloatingPoint\w*|Floating-point literals not yet implemented|"
            r"Conversion is dependent on SymFPU",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        *cvc5.PROFILE.ending_patterns,
    ),
    # Debian's build has no floating point.
    theories=cvc5.PROFILE.theories - {"bags", "floats"},
    option_list="cvc4.txt",
    harmless_texts=frozenset({"lang", "output-lang"}),
    draw_rules=None,
    successor="cvc5",
)
