"""Bitwuzla: bit-vectors, floats, arrays, functions, quantifiers; a library with its own parser."""

from __future__ import annotations

import re

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.options import DrawRules, NeutralOptions
from falsum.solvers.profiles.profile import OwnLimit, Profile, ending

PROFILE = Profile(
    product="bitwuzla",
    echoes=True,
    has_statistics=True,
    packages=("bitwuzla",),
    programs=("bitwuzla",),
    is_bundled=True,
    module="bitwuzla",
    library="bitwuzla.py",
    seed_options=("seed",),
    # It goes on and may answer sat without having considered everything.
    fatal_warnings=(
        ending(r"warning: (?P<detail>[^\n]*not (?:yet )?supported)", EndingKind.REJECTED, Cause.UNSUPPORTED),
    ),
    ending_patterns=(
        ending(
            r"[Ii]nvalid model[^\n]*|check-?model[^\n]*|unsat core check[^\n]*",
            EndingKind.CRASHED,
            Cause.SELF_CHECK,
        ),
        ending(r"(?:Fatal failure|ASSERT)[^\n]*|Assertion [^\n]*", EndingKind.CRASHED, Cause.ASSERTION),
        ending(
            r"(?m:^)[^\n]*(?:unsupported|not supported|invalid (?:logic|sort)|is not enabled)[^\n]*",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        ending(r"(?<!\S)\S*:\d+:\d+: (?P<detail>[^\n]*)", EndingKind.REJECTED, Cause.SYNTAX),
        # Without a place in the script: an exception of its own.
        ending(r"\[error\] (?P<detail>[^\n]*)", EndingKind.CRASHED, Cause.INTERNAL),
    ),
    harmless_errors=re.compile(
        r"(?:model|unsat core|unsat assumptions?)s?[^\n]*(?:is|are) not (?:available|enabled)|"
        r"(?:model|unsat core) (?:generation|production) is not enabled|"
        r"cannot get (?:model|value|unsat)|only allowed after|after an? (?:un)?sat"
    ),
    decides=("QF_AUFBV", "QF_BVFP"),
    limits=(OwnLimit("time-limit-per", (250, 1), is_time=True),),
    theories=frozenset({"arrays", "bitvectors", "core", "floats", "quantifiers", "uf"}),
    engines=(
        ("rewrite-level", "0"),
        ("rewrite-level", "1"),
        ("bv-solver", "prop"),
        ("bv-solver", "preprop"),
        ("abstraction", "true"),
        ("abstraction", "false"),
        ("preprocess", "false"),
    ),
    option_list="bitwuzla.txt",
    neutral_options=NeutralOptions(
        families=re.compile(
            r"abstraction.*|bv_solver|check_.*|pp_.*|preprocess|produce_.*|prop_.*|rewrite_level|sat_solver|seed"
        ),
        others=re.compile(r"(?!)"),
    ),
    draw_rules=DrawRules(
        most=2,
        never=re.compile(
            r"log-level|verbosity|time-limit|memory-limit|nthreads|seed|produce-|check-|dbg-|write-|"
            r"dump|print|lp-|sat-solver|relevant"
        ),
        self_checks=re.compile(r"check-(?:model|unsat-core|interpolant)"),
    ),
    licence="MIT",
)
