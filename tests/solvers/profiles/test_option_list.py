"""Which options a script may set: lists of real products, and what real solvers list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.profiles import ALL, BY_PRODUCT, Profile
from falsum.solvers.profiles.option_list import FOLDER, TEXT, UNLISTED
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

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
    ("z3", "5.4.0", ":no-such-option", "1", True),  # the solver is to say that there is none
    ("z3", "5.4.0", ":check-proofs", "true", True),
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
    ("yices", "2.6.5", ":yices-ef-max-iters", "5", True),
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
    listed = profile.options_of("")
    texts = [name for name, kind in listed.options.items() if kind == TEXT]
    harmless = {name for name in texts if listed.may_set(f":{name}", "word")}
    assert harmless == {name.lower().replace("-", "_") for name in profile.harmless_texts}


@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        (":random_seed 7 :auto_config false", True),
        (":restart luby", True),
        (":drat.file proof", False),
        (":Drat-File proof", False),
        (":spacer.trace_file t", False),
        (":dump_smt2 t", False),
        (":unheard-of 1", True),
        (":unheard-of word", False),
        (":trace_file_name 1", False),
    ],
)
def test_tactics_get_only_parameters_that_name_no_file(parameters: str, allowed: bool) -> None:
    script = f"(check-sat-using (using-params smt {parameters}))"
    assert bool(safe_script(script, BY_PRODUCT["z3"].options_of("5.4.0")).commands) is allowed


def test_a_product_without_a_list_gets_numbers_and_booleans() -> None:
    assert UNLISTED.may_set(":anything", "2.5")
    assert UNLISTED.may_set(":anything", "false")
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
