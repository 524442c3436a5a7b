"""Configurations of solvers: which there are, what is drawn, and what is given up."""

from __future__ import annotations

import pytest
from tests.campaign.places import HONEST

from falsum.campaign.search.configurations import ALL, OFF, SAFE, Configurations
from falsum.solvers.options import DrawRules
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def made(*names: str, engines: bool = True, options: str = OFF) -> Configurations:
    return Configurations([resolve(name, Zoo()) for name in names], engines=engines, options=options)


def test_modes_engines_and_seeds_of_every_solver() -> None:
    names = made("z3", "bitwuzla").names
    expected = {"z3:script=push", "z3:script=again", "z3:smt.arith.solver=2", "bitwuzla:bv-solver=prop"}
    assert expected <= set(names)
    assert "z3:smt.random_seed=42,sat.random_seed=42" in names
    # Every one of them can be resolved by a worker.
    assert [resolve(name, Zoo()).name for name in names] == names
    # Options that the release does not list are no engines of it.
    assert "z3:tactic.default_tactic=smt" in names
    assert not any("sat.smt" in name for name in made("z3@4.8.10").names)
    assert not made(HONEST).names
    assert not made("z3", engines=False).names


def test_a_variant_is_compared_with_its_solver() -> None:
    one = made("z3", "z3:smt.arith.solver=6")
    name = "z3:smt.arith.solver=6,script=push"
    assert name in one.names
    assert one.variants(name, "1:1") == {name: "z3:smt.arith.solver=6"}
    assert one.variants("z3:script=push", "1:1") == {"z3:script=push": "z3"}
    assert one.variants("", "1:1") == {}


@pytest.mark.parametrize("level", [SAFE, ALL])
def test_options_are_drawn_by_the_number_of_the_batch(level: str) -> None:
    one = made("bitwuzla", engines=False, options=level)
    assert one.names == ["bitwuzla options"]
    drawn = [one.variants("bitwuzla options", f"1:{number}") for number in range(60)]
    assert drawn == [one.variants("bitwuzla options", f"1:{number}") for number in range(60)]
    assert len({name for names in drawn for name in names}) > 20
    most = max(name.count("=") for names in drawn for name in names)
    assert most == (2 if level == SAFE else 3)
    for names in drawn:
        for name, base in names.items():
            assert base == "bitwuzla"
            assert resolve(name, Zoo()).settings


def test_safe_options_of_cvc5_keep_to_its_developers_rules() -> None:
    one = made("cvc5", engines=False, options=SAFE)
    rules = resolve("cvc5", Zoo()).profile.draw_rules
    assert isinstance(rules, DrawRules)
    for number in range(20):
        (name,) = one.variants("cvc5 options", f"1:{number}")
        settings = resolve(name, Zoo()).settings
        assert settings[0] == ("safe-mode", "safe")
        assert len(settings) == 2


def test_what_only_refuses_is_given_up() -> None:
    one = made("bitwuzla", engines=True, options=SAFE)
    name = "bitwuzla:bv-solver=prop"
    assert not list(one.refused({name: {"rejected": 20}}))
    assert not list(one.refused({name: {"rejected": 20}}))
    assert not list(one.refused({name: {"rejected": 19, "sat": 1}}))
    for _ in range(2):
        assert not list(one.refused({name: {"rejected": 20}}))
    assert list(one.refused({name: {"timed out": 20}})) == [name]
    # An option that is refused is not drawn any more.
    drawn = [variant for n in range(200) for variant in one.variants("bitwuzla options", f"1:{n}")]
    assert not any("bv-solver=prop" in variant for variant in drawn)
    assert any("bv-solver=preprop" in variant for variant in drawn)
