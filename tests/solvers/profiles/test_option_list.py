"""Which options a script may set: lists of real products, and what real solvers list."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.options import NeutralOptions, plain_name
from falsum.solvers.profiles import ALL, BY_PRODUCT, Profile
from falsum.solvers.profiles.option_list import FOLDER, TEXT, UNLISTED
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

ANY = NeutralOptions(re.compile(".*"), re.compile("(?!)"))
LISTED = [profile for profile in ALL.own if profile.option_list]
# Options with a plain word as value, by product and release: whether a script may set them.
CASES = [
    ("z3", "5.4.0", ":sat.drat.file", "proof", False),
    ("z3", "5.4.0", ":SAT.DRAT-FILE", "proof", False),
    ("z3", "5.4.0", ":tptp.dump_smt2", "goal", False),
    ("z3", "4.8.7", ":tptp.dump_smt2", "goal", False),
    ("z3", "5.4.0", ":sat.restart", "luby", True),
    ("z3", "5.4.0", ":sat.restart", "a.b", False),
    ("z3", "5.4.0", ":smt.arith.solver", "2", True),
    ("z3", "5.4.0", ":tactic.default_tactic", "smt", True),
    ("z3", "4.8.5", ":tactic.default_tactic", "smt", False),  # it came with 4.8.6
    ("z3", "4.8.6", ":tactic.default_tactic", "smt", True),
    ("z3", "4.8.11", ":tactic.default_tactic", "smt", True),  # between two releases that were examined
    ("z3", "", ":sat.restart", "luby", False),  # a file name for all we know of 4.5.1
    ("z3", "5.4.0", ":smt.RESTART_FACTOR", "|1.5|", True),
    ("z3", "5.4.0", ":smt.RESTART_FACTOR", "|x/y|", False),
    ("z3", "5.4.0", ":trace_file_name", "|1.5|", False),
    ("z3", "5.4.0", ":regular-output-channel", "x", False),
    ("z3", "5.4.0", ":produce-models", "true", True),
    ("z3", "5.4.0", ":no-such-option", "1", False),
    ("z3", "5.4.0", ":check-proofs", "true", False),
    # They name no file, and change the question, what may be answered, or what is printed.
    ("z3", "5.4.0", ":rewriter.hi_fp_unspecified", "true", False),
    ("z3", "5.4.0", ":REWRITER.HI-FP-UNSPECIFIED", "true", False),
    ("z3", "4.8.7", ":rewriter.hi_div0", "false", False),
    ("z3", "5.4.0", ":smt.array.extensional", "false", False),
    ("z3", "5.4.0", ":smt.arith.ignore_int", "true", False),
    ("z3", "5.4.0", ":smt.candidate_models", "true", False),
    ("z3", "5.4.0", ":smt.string_solver", "none", False),
    ("z3", "5.4.0", ":smt.string_solver", "empty", False),
    ("z3", "5.4.0", ":smt.string_solver", "seq", True),
    ("z3", "5.4.0", ":smt.logic", "QF_BV", False),
    ("z3", "5.4.0", ":sat.override_incremental", "true", False),
    ("z3", "5.4.0", ":memory_max_alloc_count", "3", False),
    ("z3", "5.4.0", ":memory_max_size", "3", False),
    ("z3", "5.4.0", ":smt.max_conflicts", "3", False),
    ("z3", "5.4.0", ":timeout", "3", False),
    ("z3", "5.4.0", ":rlimit", "3", False),
    ("z3", "5.4.0", ":smt.qi.profile", "true", False),
    ("z3", "5.4.0", ":verbose", "10", False),
    ("z3", "5.4.0", ":verbosity", "10", False),
    ("z3", "5.4.0", ":pp.decimal", "true", False),
    ("z3", "5.4.0", ":encoding", "ascii", False),
    ("z3", "5.4.0", ":model.partial", "true", False),
    ("z3", "5.4.0", ":tactic.default_tactic", "fail", False),
    ("z3", "5.4.0", ":opt.priority", "pareto", True),
    ("z3", "5.4.0", ":smt.proof.check", "true", True),
    ("z3", "5.4.0", ":sat.euf", "true", True),
    ("z3", "5.4.0", ":solver.proof.check_rup", "true", True),
    ("cvc5", "1.4.2", ":strings-alpha-card", "3", False),
    ("cvc5", "1.4.2", ":fmf-fun", "true", False),
    ("cvc5", "1.4.2", ":quant-fun-wd", "true", False),
    ("cvc5", "1.4.2", ":global-negate", "true", False),
    ("cvc5", "1.4.2", ":solve-int-as-bv", "4", False),
    ("cvc5", "1.4.2", ":solve-real-as-int", "true", False),
    ("cvc5", "1.4.2", ":model-u-print", "decl-fun", False),
    ("cvc5", "1.4.2", ":force-logic", "QF_BV", False),
    ("cvc5", "1.4.2", ":parse-only", "true", False),
    ("cvc5", "1.4.2", ":tlimit-per", "5", False),
    ("cvc5", "1.4.2", ":print-success", "true", True),
    ("cvc5", "1.4.2", ":solve-bv-as-int", "sum", True),
    ("cvc5", "1.4.2", ":check-models", "true", True),
    ("cvc5", "1.4.2", ":proof-format-mode", "alethe", True),
    ("cvc5", "1.4.2", ":incremental", "true", True),
    ("cvc5", "1.4.2", ":finite-model-find", "true", True),
    ("bitwuzla", "0.9.1", ":log-level", "3", False),
    ("bitwuzla", "0.9.1", ":verbosity", "3", False),
    ("bitwuzla", "0.9.1", ":time-limit-per", "3", False),
    ("bitwuzla", "0.9.1", ":rewrite-level", "0", True),
    ("z3", "5.4.0", ":no-such-option", "word", False),
    ("z3", "5.4.0", ":trace_file_name", "1", False),
    ("cvc5", "1.4.2", ":out", "x", False),
    ("cvc5", "1.4.2", ":write-partitions-to", "x", False),
    ("cvc5", "1.4.2", ":strings-exp", "true", True),
    ("cvc5", "1.4.2", ":decision", "internal", True),
    ("cvc4", "1.8", ":dump-to", "x", False),
    ("cvc4", "1.8", ":bv-aig-simp", "balance", False),  # a command for another program
    ("cvc4", "1.8", ":replay-log", "x", False),
    ("bitwuzla", "0.9.1", ":write-cnf", "x", False),
    ("bitwuzla", "0.9.1", ":pp-normalize", "true", True),
    ("yices", "2.6.5", ":yices-ef-max-iters", "5", False),
    ("yices", "2.6.5", ":yices-delegate", "kissat", False),
    ("mathsat", "5.6", ":debug.api_call_trace_filename", "x", False),
]


@pytest.mark.parametrize(("product", "release", "option", "value", "allowed"), CASES)
def test_scripts_set_only_options_that_name_no_file(
    product: str, release: str, option: str, value: str, allowed: bool
) -> None:
    options = BY_PRODUCT[product].options_of(release)
    assert options.may_set(option, value) is allowed
    sent = safe_script(f"(set-option {option} {value})", options)
    assert bool(sent.commands) is allowed
    assert bool(sent.changes) is not allowed


@pytest.mark.parametrize("profile", LISTED, ids=lambda profile: profile.product)
def test_no_text_is_set_unless_the_profile_says_that_it_is_harmless(profile: Profile) -> None:
    listed = replace(profile.options_of(""), neutral=ANY)
    texts = [name for name, kind in listed.options.items() if kind == TEXT]
    harmless = {name for name in texts if listed.may_set(f":{name}", "word")}
    assert harmless == {name.lower().replace("-", "_") for name in profile.harmless_texts}


@pytest.mark.parametrize("profile", LISTED, ids=lambda profile: profile.product)
def test_what_falsum_sets_itself_is_neutral(profile: Profile) -> None:
    """Engines, seeds, proofs, and what makes a solver find other models."""
    options = profile.options_of("")
    words = [word for each in profile.proofs for word in each.commands.split("(set-option ") if word.strip()]
    settings = [tuple(word.strip().rstrip(")").split()) for word in words]
    settings += [(name, "7") for name in profile.seed_options]
    settings += [(name, value) for name, value in profile.engines if not name.endswith("threads")]
    settings += [(n, v.replace("#", "7")) for n, values in profile.model_options for v in values if v]
    assert not [(n, v) for n, v in settings if not options.neutral.allows(plain_name(n), v)]


@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        (":random_seed 7 :auto_config false", True),
        (":restart luby", True),
        (":drat.file proof", False),
        (":Drat-File proof", False),
        (":spacer.trace_file t", False),
        (":dump_smt2 t", False),
        (":unheard-of 1", False),
        (":unheard-of word", False),
        (":trace_file_name 1", False),
        (":hi_fp_unspecified true", False),
        (":array.extensional false", False),
        (":ignore_int true", False),
        (":string_solver none", False),
        (":max_conflicts 3", False),
        (":som true :flat false", True),
        (":arith.solver 2", True),
    ],
)
def test_tactics_get_only_parameters_that_are_neutral(parameters: str, allowed: bool) -> None:
    script = f"(check-sat-using (using-params smt {parameters}))"
    sent = safe_script(script, BY_PRODUCT["z3"].options_of("5.4.0")).commands
    assert bool(sent[0].text) is allowed


def test_a_product_without_a_list_gets_what_the_standard_has() -> None:
    assert not UNLISTED.may_set(":anything", "2.5")
    assert not UNLISTED.may_set(":anything", "word")
    assert UNLISTED.may_set(":random-seed", "3")
    assert not UNLISTED.may_set(":produce-models", "/x")


@pytest.mark.parametrize("product", ["z3", "cvc5", "bitwuzla"])
def test_the_list_has_what_the_release_in_use_lists(product: str) -> None:
    """A list that lacks a release: python -m bench.solvers.option_lists."""
    solver = resolve(product, Zoo())
    plain = replace(solver, profile=replace(solver.profile, draw_rules=None))
    with ProcessRunner() as runner:
        listed = plain.options(runner)
    known = solver.profile.options_of(solver.version).options
    assert listed
    for option in listed:
        name = option.name.lower().replace("-", "_")
        assert name in known
        assert (known[name] == TEXT) == (option.kind == TEXT), name


def test_every_list_belongs_to_a_product() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {profile.option_list for profile in LISTED}
