"""cvc5: strict parser, stops at the first error, compares its answer with `:status`; and CVC4, its
predecessor.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.options import DrawRules, NeutralOptions
from falsum.solvers.profiles.profile import OwnLimit, Profile, ProofFormat, Renaming, ending

_PROVING = "(set-option :produce-proofs true)\n(set-option :check-proofs true)\n"

# Of the standard's names for conversions, which came late.
OLD_CONVERSION_NAMES = {"ubv_to_int": "bv2nat", "int_to_bv": "int2bv"}

# Its developers accept reports with at most one regular option, and ask for safe mode.
_DRAW_RULES: Final = DrawRules(
    most=1,
    categories=frozenset({"common", "regular"}),
    never=re.compile(
        r"limit|timeout|verbos|quiet|print|dump|output|stats|help|version|copyright|show-|lang|"
        r"parse-|check-|seed|interactive|incremental|produce-|filename|^in$|^out$|^err$|"
        r"channel|segv|early-exit|exit|safe-mode|portfolio|sygus-enum|trace|force-logic|"
        r"stdin-input-per-line|debug|plugin|diagnostic|error-|abstract-values|"
        r"strict|global-|dag|exec"
    ),
    always=(("safe-mode", "safe"),),
    self_checks=re.compile(r"check-(?:models|unsat-cores|proofs|interpolants|abducts)"),
)

PROFILE = Profile(
    product="cvc5",
    echoes=True,
    has_statistics=True,
    packages=("cvc5",),
    programs=("cvc5",),
    is_bundled=True,
    module="cvc5",
    library="cvc5.py",
    first_parsing_release="1.0.9",
    arguments=("--quiet", "--lang=smt2"),
    synthesis_arguments=("--lang=sygus2",),
    # Reading standard input makes it incremental, with other engines, unless it is told otherwise; and long
    # input fails unless it is read line by line. Wheels contain only the library: later programs are unknown.
    interactive=("--quiet", "--lang=smt2", "--no-incremental", "--stdin-input-per-line"),
    interactive_before="1.1",
    # 1.0.3: after 200 scripts of 7 ms each takes 17.
    tires=True,
    one_line=True,
    incremental_prefix="(set-option :incremental true) ",
    seed_options=("seed", "sat-random-seed"),
    limits=(
        # Steps before time: what they show is the same every time.
        OwnLimit("rlimit-per", (10, 200, 5_000)),
        OwnLimit("reproducible-resource-limit", (1_000,)),
        OwnLimit("tlimit-per", (250, 1), is_time=True),
    ),
    model_options=(
        ("seed", ("#",)),
        ("sat-random-seed", ("#",)),
        ("decision", ("", "internal", "justification", "stoponly")),
    ),
    strips_status=True,
    renamings=(Renaming("1.3.0", OLD_CONVERSION_NAMES),),
    ending_patterns=(
        ending(r"[Ii]nterrupted by (?:timeout|user)|cvc5 interrupted|resource limit", EndingKind.TIMED_OUT),
        ending(
            r"(?:ERRORS SATISFYING ASSERTIONS WITH MODEL|produced an unsat core|"
            r"unsat core check|Proof checking failed|model doesn't satisfy)[^\n]*",
            EndingKind.CRASHED,
            Cause.SELF_CHECK,
        ),
        ending(r"std::bad_alloc|out of memory", EndingKind.OUT_OF_MEMORY),
        ending(
            r"Fatal failure within (?P<detail>[^\n]*)|Check failure[^\n]*|Unimplemented code"
            r"[^\n]*|Unreachable code[^\n]*|Unhandled case[^\n]*|Assertion failure[^\n]*",
            EndingKind.CRASHED,
            Cause.ASSERTION,
        ),
        ending(
            r"Caught an exception[^\n]*|Internal exception[^\n]*|cvc5 suffered a segfault[^\n]*",
            EndingKind.CRASHED,
            Cause.INTERNAL,
        ),
        ending(
            r"(?m:^)(?:[^\n]*(?:not supported|unsupported|does not support|doesn't (?:support|include)|"
            r"not (?:yet )?implemented|not enabled|cannot (?:be used|handle)|incompatible|requires|"
            r"unless|was not configured|is not allowed|LogicException|"
            r"illegal (?:in|for) )[^\n]*)",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        ending(r"(?<!\S)(?:\S+:\d+\.\d+: )(?P<detail>[^\n]*)", EndingKind.REJECTED, Cause.SYNTAX),
    ),
    harmless_errors=re.compile(
        r"(?i)cannot get (?:the )?(?:model|value|unsat (?:core|assumptions)|proof)[^\n]*"
        r"(?:unless|when|if|except|not in)|"
        r"(?i:model|unsat core)s? (?:is|are) not available"
    ),
    advice=re.compile(
        r"(?m)^\S+:\d+\.\d+: (?:No set-logic command was given|cvc5 will make all theories|"
        r"Consider setting a stricter logic|To suppress this warning)[^\n]*+\n?"
    ),
    proofs=(
        ProofFormat("cpc", f"{_PROVING}(set-option :proof-format-mode cpc)\n", checker="ethos"),
        ProofFormat("alethe", f"{_PROVING}(set-option :proof-format-mode alethe)\n", checker="carcara"),
    ),
    decides=("QF_AUFBV", "QF_AUFLIRA", "QF_BVFP", "QF_UFDT"),
    theories=frozenset(
        {
            "arrays",
            "bags",
            "bitvectors",
            "core",
            "datatypes",
            "floats",
            "higher order",
            "ints",
            "quantifiers",
            "reals",
            "regexes",
            "sequences",
            "sets",
            "strings",
            "transcendentals",
            "uf",
        }
    ),
    engines=(
        ("simplification", "none"),
        ("decision", "justification"),
        ("arith-rewrite-equalities", "true"),
        ("nl-cov", "true"),
        ("nl-cov", "false"),
        ("nl-ext", "none"),
        ("bv-solver", "bitblast-internal"),
        ("bitblast", "eager"),
        ("solve-bv-as-int", "sum"),
        ("ee-mode", "central"),
        ("arrays-eager-index", "false"),
        ("ext-rew-prep", "agg"),
        ("learned-rewrite", "true"),
        ("unconstrained-simp", "true"),
        ("strings-eager-eval", "false"),
        ("strings-eager-solver", "false"),
        ("strings-fmf", "true"),
        ("finite-model-find", "true"),
        ("mbqi", "true"),
        ("cegqi", "true"),
        ("produce-proofs", "true"),
    ),
    option_list="cvc5.txt",
    harmless_texts=frozenset({"input-language", "lang", "output-lang", "output-language"}),
    neutral_options=NeutralOptions(
        families=re.compile(
            r"ackermann|approx_branch_depth|arith_.*|arrays_.*|bags|bitblast.*|bitwise_eq|bool_to_bv|bv_.*|bvand_.*|"
            r"cbqi.*|cegqi.*|check_.*|cond_var_split_quant|condense_function_values|conjecture_gen.*|"
            r"cons_exp_triggers|cut_all_bounded|datatypes_exp|decision.*|deep_restart.*|dio_.*|dt_.*|e_matching|"
            r"eager_.*|early_ite_removal|ee_mode|elim_taut_quant|enum_inst.*|ext_rew.*|ff.*|finite_model_find|"
            r"flatten_ho_chains|fmf_bound.*|fmf_mbqi|foreign_theory_rewrite|fp|fp_.*|full_saturate_quant|"
            r"heuristic_pivots|ho_.*|iand_mode|ieval|increment_triggers|incremental|inst_.*|int_wf_ind|ite_.*|jh_.*|"
            r"learned_rewrite|leibniz_elim|lemma_inprocess.*|literal_matching|macros_quant.*|mbqi.*|"
            r"minimal_unsat_cores|minisat_simplification|miniscope_.*|miplib_.*|model_var_elim_uneval|"
            r"multi_trigger.*|new_prop|nl_.*|on_repeat_ite_simp|partial_triggers|pb_rewrites|pivot_threshold|"
            r"pool_inst|pre_skolem.*|prenex.*|preregister_mode|produce_.*|proof_.*|prop_.*|purify_triggers|"
            r"quant_.*|random_.*|re_.*|register_quant_body_terms|rel.*|repeat_simp|restart_.*|restrict_pivots|"
            r"sat_random_seed|sat_solver|seed|sep|sep_.*|seq_array|sets_.*|simp.*|soi_qe|solve_bv_as_int|"
            r"sort_inference|static_learning|strings_.*|sub_cbqi|sygus_inst.*|symmetry_breaker|tc_mode|"
            r"term_db_.*|theoryof_mode|trigger_.*|uf_(?!ss).*|uf_ss_fair.*|unate_lemmas|unconstrained_simp|"
            r"unsat_cores_mode|use_(?:approx|fcsimplex|soi)|user_pat|user_pool|var_.*_quant"
        ),
        # Of the first line it is known that they change the question, or the answers that may be given.
        others=re.compile(
            r"alpha_card|no_partial_fun|quant_fun_wd|unsafe|div_zero|semantic|fmf_fun|skip_body|"
            r"print|limit|timeout|max|abort|dump|stats|filename|output|log\Z"
        ),
        # Its `rlimit` is for all checks together, and counts other steps than z3's, which verifiers mean.
        limits=re.compile(r"reproducible_resource_limit|rlimit_per"),
    ),
    draw_rules=_DRAW_RULES,
    licence="BSD-3-Clause",
)

# cvc5 with finite fields, by libraries under the GPL. It is a product of its own: its licence is another, and
# it is installed only if somebody asks for it.
GPL: Final = replace(
    PROFILE,
    product="cvc5-gpl",
    packages=("cvc5-gpl",),
    programs=(),
    is_bundled=False,
    theories=PROFILE.theories | {"finite fields"},
    successor="cvc5",
    licence="GPL-3.0-or-later",
)

# CVC4: 1.8, its last release, as distributions still ship it, and 1.6; the same code under an older name.
CVC4: Final = replace(
    PROFILE,
    product="cvc4",
    echoes=True,
    has_statistics=False,
    packages=("cvc4-solver",),  # 1.6 only
    programs=("cvc4",),
    is_bundled=False,
    library=None,
    first_parsing_release="",
    arguments=("--quiet", "--lang=smt2", "--strings-exp"),
    # As cvc5's program, but it reads long input as it is.
    interactive=("--quiet", "--lang=smt2", "--strings-exp", "--no-incremental"),
    interactive_from="1.7",
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
    renamings=(Renaming("2", OLD_CONVERSION_NAMES),),
    ending_patterns=(
        ending(
            r"no concrete implementation of FloatingPoint\w*|Floating-point literals not yet implemented|"
            r"Conversion is dependent on SymFPU",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        *PROFILE.ending_patterns,
    ),
    # Debian's build has no floating point.
    theories=PROFILE.theories - {"bags", "floats"},
    option_list="cvc4.txt",
    harmless_texts=frozenset({"lang", "output-lang"}),
    help_arguments=("--help",),
    has_bare_flags=True,
    # It is developed no further: no mode is for reports only.
    draw_rules=replace(_DRAW_RULES, always=()),
    successor="cvc5",
    licence="BSD-3-Clause, the package of 1.6 GPL",
)
