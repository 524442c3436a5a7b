"""Options: listed by the products themselves, drawn by the developers' rules."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from falsum.solvers.lab import LiveLab
from falsum.solvers.options import Option, draw, from_parameters
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner

Find = Callable[[str], Solver]


@pytest.mark.parametrize(
    ("name", "least", "known"),
    [
        ("z3", 500, Option("smt.arith.nl", "bool", "true")),
        ("cvc5", 400, Option("simplification", "mode", "batch", "regular", ("batch", "none"))),
        ("bitwuzla", 50, Option("pp-embedded", "bool", "true")),
        ("cvc4", 400, Option("bv-to-bool", "bool", "false")),
    ],
)
def test_a_product_lists_its_options(
    find: Find, runner: ProcessRunner, name: str, least: int, known: Option
) -> None:
    listed = find(name).options(runner)
    assert len(listed) >= least
    assert next(option for option in listed if option.name == known.name).kind == known.kind
    assert any(option.category == "unsafe" for option in listed)


def test_drawn_options_follow_the_rules_and_are_accepted(find: Find, runner: ProcessRunner) -> None:
    solver = find("cvc5")
    rules = solver.profile.draw_rules
    assert rules is not None
    listed = solver.options(runner)
    categories = {option.name: option.category for option in listed}
    for number in range(200):
        settings = draw(listed, rules, Random(number))
        assert ("safe-mode", "safe") in settings
        drawn = [name for name, _value in settings if name != "safe-mode"]
        assert len(drawn) == 1
        assert categories[drawn[0]] in {"common", "regular"}
        assert settings == draw(listed, rules, Random(number))


def test_options_reach_the_solver(lab_of: Callable[..., object], find: Find) -> None:
    script = "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (= x #x1))(check-sat)"
    names = ("z3:smt.arith.solver=2", "cvc5:simplification=none", "bitwuzla:pp-embedded=false")
    with LiveLab([find(name) for name in names]) as lab:
        for name in names:
            assert lab.ask(Request(name, script, cold=True)).verdict == "sat"
            assert lab.ask(Request(name, script)).verdict == "sat"
    for name in ("cvc5:no-such-option=1", "bitwuzla:no-such-option=1", "z3:no_such_option=1"):
        with LiveLab([find(name)]) as lab:
            assert lab.ask(Request(name, script, cold=True)).verdict is None


def test_parameters_with_named_values_become_modes() -> None:
    text = (
        "[module] sat, description: x\n"
        "    phase (symbol) phase: always_false, basic_caching, random (default: random)"
    )
    (option,) = from_parameters(text, BY_PRODUCT["z3"].draw_rules)
    assert option.choices == ("always_false", "basic_caching", "random")
    assert option.name == "sat.phase"


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("0 - geometric, 1 - inner-outer-geometric, 2 - luby, 3 - fixed", 3),
        ("Variable Ordering Strategy, 0 for none, 1 for BROWN, 2 for TRIANGULAR", 2),
        ("how lazy: 0- eager, 1- lazy for infinite types, 2- lazy", 2),
        ("resource limit (0 means no limit)", None),
        ("skip when it appears in more than this many monomials (0 = no limit)", None),
    ],
)
def test_numbers_that_are_listed_are_all_there_are(words: str, last: int | None) -> None:
    text = f"[module] smt, description: x\n    strategy (unsigned int) {words} (default: 1)"
    (option,) = from_parameters(text, BY_PRODUCT["z3"].draw_rules)
    assert option.maximum == last
