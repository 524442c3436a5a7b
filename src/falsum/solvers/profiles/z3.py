"""Z3: goes on after an error, keeps global parameters after `(reset)`, renamed string operators in 4.8.9."""

from __future__ import annotations

import re

from falsum.solvers.answer import Cause, EndingKind
from falsum.solvers.options import DrawRules, NeutralOptions
from falsum.solvers.profiles.profile import OwnLimit, Profile, ProofFormat, Renaming, ending

_OLD_STRING_NAMES = {
    "str.to_int": "str.to.int",
    "str.from_int": "int.to.str",
    "str.in_re": "str.in.re",
    "str.to_re": "str.to.re",
    "re.none": "re.nostr",
    "re.comp": "re.complement",
    "RegLan": "(RegEx String)",
}
# Of the standard's names for conversions, which came late.
_OLD_CONVERSION_NAMES = {"ubv_to_int": "bv2nat", "int_to_bv": "int2bv"}
_OLDEST_CONVERSION_NAMES = {"ubv_to_int": "bv2int", "bv2nat": "bv2int"}

# Tactics that only simplify, and those that decide; none that approximates, and none that is parallel.
_SIMPLIFYING = """
aig blast-term-ite bv1-blast cofactor-term-ite ctx-simplify ctx-solver-simplify der distribute-forall
dom-simplify elim-and elim-term-ite elim-uncnstr factor fm injectivity lia2card macro-finder max-bv-sharing
nnf normalize-bounds occf propagate-bv-bounds propagate-ineqs propagate-values purify-arith qe-light
quasi-macros reduce-args simplify snf solve-eqs split-clause symmetry-reduce tseitin-cnf ufbv-rewriter
unit-subsume-simplify
""".split()
_TACTICS = (
    "horn",
    "(then horn-simplify default)",
    "dom-simplify",
    "smt",
    "default",
    *(f"(then {name} smt)" for name in _SIMPLIFYING),
)

PROFILE = Profile(
    product="z3",
    echoes=True,
    has_statistics=True,
    check_info=("(get-info :rlimit)", "(get-info :reason-unknown)"),
    keeps_declarations=True,
    packages=("z3-solver",),
    programs=("z3",),
    is_bundled=True,
    module="z3",
    library="z3.py",
    arguments=("-smt2",),
    interactive=("-smt2", "-in"),
    option_template="{name}={value}",
    seed_options=("smt.random_seed", "sat.random_seed"),
    # Random seeds alone hardly ever change a model, and preprocessing hides what does.
    model_checks=("(check-sat)", "(check-sat-using smt)", "(check-sat-using smt)"),
    tactics=_TACTICS,
    # Steps before time: what they show is the same every time.
    limits=(OwnLimit("rlimit", (100, 2_000, 50_000)), OwnLimit("timeout", (250, 1), is_time=True)),
    model_options=(
        ("smt.random_seed", ("#",)),
        ("sat.random_seed", ("#",)),
        ("smt.phase_selection", ("5", "5", "0", "1", "3", "4", "6")),
        ("smt.arith.random_initial_value", ("true",)),
        ("smt.arith.solver", ("", "2", "6")),
    ),
    strips_status=True,  # it survives (reset), and a later answer is then compared with it
    renamings=(
        Renaming("4.14.1", _OLD_CONVERSION_NAMES),
        Renaming("4.8.9", _OLD_STRING_NAMES),
        Renaming("4.8.0", _OLDEST_CONVERSION_NAMES),
    ),
    old_escapes_before="4.8.11",
    ending_patterns=(
        ending(r"an invalid (?:model|unsat core|proof) was generated", EndingKind.CRASHED, Cause.SELF_CHECK),
        ending(
            r"unexpected code was reached[^\n]*|Overflow encountered when expanding vector|"
            r"verification of the unsat core failed|index out of bounds",
            EndingKind.CRASHED,
            Cause.INTERNAL,
        ),
        ending(r"out of memory|max\. memory exceeded", EndingKind.OUT_OF_MEMORY),
        ending(r"(?m)^timeout$|: (?:timeout|canceled)$", EndingKind.TIMED_OUT),
        ending(
            r"logic does not support[^\n]*|unsupported[^\n]*|not supported[^\n]*|"
            r"not been enabled[^\n]*|does not handle[^\n]*",
            EndingKind.REJECTED,
            Cause.UNSUPPORTED,
        ),
        ending(r"line \d+ column \d+: (?P<detail>[^\n]*)", EndingKind.REJECTED, Cause.SYNTAX),
    ),
    harmless_errors=re.compile(
        r"model is not available|unsat core (?:is not available|construction is not enabled)|"
        r"proof (?:is not available|construction is not enabled)|"
        r"check-sat/model required|there is no current proof|unknown parameter"
    ),
    normal_exits=frozenset({0, 1}),  # any error gives 1, also a harmless one
    crash_exits=frozenset({104, 110, 114}),  # unsoundness, a fatal error inside, unreachable code
    # Everything but these is a global parameter.
    persistent_settings=re.compile(
        r"\(\s*set-option\s+:(?!(?:produce-(?:models|unsat-cores|proofs|assertions|assignments|"
        r"unsat-assumptions)|print-success|global-declarations|interactive-mode)\s)([^\s()]+\s+[^\s()]+)"
    ),
    # After a script with proofs, scripts that ask for cores are refused or answered unknown; after one with
    # global declarations, those of the next survive its pops.
    cold_only=re.compile(r"\(\s*set-option\s+:(?:produce-proofs|proof|global-declarations)\s+true"),
    proofs=(
        ProofFormat("z3", "(set-option :produce-proofs true)\n(set-option :smt.proof.check true)\n"),
        # Lemmas are logged, and checked when they are, by the newer core.
        ProofFormat(
            "z3 log",
            "(set-option :tactic.default_tactic smt)\n(set-option :sat.euf true)\n"
            "(set-option :solver.proof.check true)\n(set-option :solver.proof.check_rup true)\n",
        ),
    ),
    decides=("QF_AUFBV", "QF_AUFLIRA", "QF_BVFP", "QF_UFDT"),
    theories=frozenset(
        {
            "arrays",
            "bitvectors",
            "core",
            "datatypes",
            "finite fields",
            "floats",
            "ints",
            "optimisation",
            "quantifiers",
            "reals",
            "regexes",
            "sequences",
            "sets",
            "strings",
            "uf",
        }
    ),
    engines=(
        ("smt.arith.solver", "2"),
        ("smt.arith.solver", "4"),
        ("smt.bv.solver", "1"),
        ("smt.bv.solver", "2"),
        ("smt.string_solver", "z3str3"),
        ("sat.smt", "true"),
        ("sat.local_search", "true"),
        ("tactic.default_tactic", "smt"),
        ("parallel.enable", "true"),
        ("proof", "true"),
        ("rewriter.flat", "false"),
        ("smt.auto_config", "false"),
        ("smt.elim_unconstrained", "false"),
        ("smt.relevancy", "0"),
        ("smt.solve_eqs", "false"),
        ("smt.threads", "2"),
        ("nlsat.randomize", "false"),
        ("nlsat.reorder", "false"),
        ("combined_solver.ignore_solver1", "true"),
    ),
    option_list="z3.txt",
    harmless_texts=frozenset(
        {
            "fp.engine",
            "fp.spacer.logic",
            "fp.xform.instantiate_arrays.slice_technique",
            "sat.branching.heuristic",
            "sat.local_search_mode",
            "sat.pb.lemma_format",
            "smt.logic",
            "smt.mbqi.id",
            "smt.seq.regex_transition_mode",
            "tactic.default_tactic",
        }
    ),
    # `rewriter.hi_fp_unspecified` and the like change the question; limits and output have their words.
    neutral_options=NeutralOptions(
        families=re.compile(
            r"(?:ackermannization|algebraic|factor|fp|lp|nlsat|nnf|opt|parallel|pi|rewriter|sat|sls|smt|solver|tactic)"
            r"\..*|auto_config|combined_solver\.ignore_solver1|model\.(?:compact|completion|inline_def)|model|"
            r"model_validate|proof|unsat_core"
        ),
        others=re.compile(
            r"hi_fp_unspecified|hi_div0|ignore_int|array\.(?:extensional|weak)|enable_int2bv|candidate_models|"
            r"(?:smt|spacer)\.logic|restricted|quick_checker|transcendental|unicode|override_incremental|"
            r"ignore_labels|enforce_model_conversion|user_functions|partial\Z|elim_quantifiers|"
            r"timeout|rlimit|memory|max_(?!sharing)|\.max\Z|_max\Z|limit|verbose|warning|trace|log|file|dump|display|"
            r"print|stats|pp\.|profile|debug|dbg|2console|2files|prefix|drat\.(?!check)|dimacs|inprocess\.out|"
            r"check_relation|generate_proof|datalog\.|tab\."
        ),
        values={
            "smt.string_solver": frozenset({"seq", "z3str3", "auto"}),
            "string_solver": frozenset({"seq", "z3str3", "auto"}),
            "tactic.default_tactic": frozenset(
                "default lia lira lra nra qfaufbv qfauflia qfbv qffp qffpbv qfidl qflia qflra qfnia qfnra "
                "qfuf qfufbv sat smt ufbv".split()
            ),
        },
        unlisted=frozenset({"smt.proof.check", "reproducible_resource_limit"}),
        limits=re.compile(r"rlimit|reproducible_resource_limit|(?:smt|sat|nlsat|pi)\.(?:\w+\.)?max_\w+"),
    ),
    draw_rules=DrawRules(
        most=2,
        never=re.compile(
            r"timeout|rlimit|memory|max_|threads|verbose|warning|trace|log|file|dump|display|print|"
            r"stats|^pp\.|debug|ctrl_c|proof|dot_|encoding|unicode|hi_div0|random_seed|validate|spacer\.|"
            r"restricted|_mb$|type_check|well_sorted|smtlib2_compliant|unsat_core|^model$"
        ),
        self_checks=re.compile(
            r"model_validate|smt\.core\.validate|nlsat\.check_lemmas|sat\.drat\.check_\w+"
        ),
    ),
    parameters_arguments=("-pd",),
    licence="MIT",
)
