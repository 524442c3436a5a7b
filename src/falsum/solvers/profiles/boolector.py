"""Boolector: bit-vectors, arrays and functions; no longer developed, a good second opinion."""

from __future__ import annotations

import re

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.options import DrawRules, NeutralOptions
from falsum.solvers.profiles.profile import Omission, Profile, ending

PROFILE = Profile(
    product="boolector",
    packages=("pyboolector",),
    programs=("boolector",),
    module="pyboolector",
    library="boolector.py",
    arguments=("--smt2",),
    seed_options=("seed",),
    omissions=(Omission("2", frozenset({"set-option", "get-model", "get-value", "get-info"})),),
    ending_patterns=(
        ending(r"\[btor>?\w*\] [^\n]*Assertion[^\n]*", EndingKind.CRASHED, Cause.ASSERTION),
        ending(
            r"(?m:^)[^\n]*(?:unsupported|not supported|not been enabled|requires)[^\n]*",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        ending(r"(?<!\S)\S*:\d+:(?:\d+:)? (?P<detail>[^\n]*)", EndingKind.REJECTED, Cause.SYNTAX),
    ),
    harmless_errors=re.compile(r"model generation (?:is not|has not been) enabled|cannot retrieve model"),
    normal_exits=frozenset({0, 10, 20}),
    decides=("QF_AUFBV",),
    theories=frozenset({"arrays", "bitvectors", "core", "uf"}),
    option_list="boolector.txt",
    neutral_options=NeutralOptions(
        families=re.compile(
            r"ackermannize|aigprop_.*|beta_reduce|chk_.*|eliminate_slices|extract_lambdas|fun_.*|incremental|"
            r"merge_lambdas|model_gen|nondestr_subst|normalize.*|prop_.*|quant_.*|rewrite_level|"
            r"rw_zero_lower_slice|seed|simp_norm_adds|simplify_constraints|skeleton_preproc|sls_.*|sort_.*|"
            r"ucopt|var_subst"
        ),
        others=re.compile(r"limit"),
    ),
    draw_rules=DrawRules(
        most=2,
        never=re.compile(
            r"verbos|loglevel|seed|model-gen|incremental|input|output|pretty|parse|dump|time|stats|"
            r"auto-cleanup|exit-codes|smt-comp|chk-|sat-engine|declsort|engine|print|lgl|nthreads"
        ),
        self_checks=re.compile(r"chk-[\w-]+"),
    ),
    successor="bitwuzla",
    licence="MIT",
)
