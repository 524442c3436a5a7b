"""Options that a help text lists: cvc4 has no other list of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from falsum.solvers.lab import LiveLab
from falsum.solvers.options import Option, draw
from falsum.solvers.profiles.help_text import defaults_in, names_in, options_in
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner

Find = Callable[[str], Solver]
HELP = """CVC4 options:
  --seed=N | -s N        seed for random number generator
  --arith-brab           whether to use simple rounding, similar to a unit-cube
                         test, for integers [*]
  --bitblast=MODE        choose bitblasting mode, see --bitblast=help (EXPERTS
                         only)
  --quiet | -q           decrease verbosity (may be repeated)
"""
ANSWERS = '"seed"\n0\n"arith-brab"\ntrue\n"bitblast"\n"BitblastMode::LAZY"\n"quiet"\nunsupported\n'


def test_options_have_the_defaults_that_the_solver_tells() -> None:
    assert names_in(HELP) == ["seed", "arith-brab", "bitblast", "quiet"]
    assert list(options_in(HELP, defaults_in(ANSWERS, HELP), None)) == [
        Option("seed", "int", "0"),
        Option("arith-brab", "bool", "true"),
        Option("bitblast", "mode", "BitblastMode::LAZY", "expert"),
    ]


def test_options_in_a_help_text_are_drawn_too(find: Find, runner: ProcessRunner) -> None:
    """cvc4 has no other list; its Booleans are flags without a value."""
    solver = find("cvc4")
    rules = solver.profile.draw_rules
    assert rules is not None
    by_name = {option.name: option for option in solver.options(runner)}
    assert by_name["bv-to-bool"].default == "false"
    assert by_name["dio-solver"].default == "true"
    assert by_name["random-seed"].category == "unsafe"
    assert by_name["bv-sat-solver"].category == "expert"
    drawn = {draw(tuple(by_name.values()), rules, Random(number)) for number in range(200)}
    assert len(drawn) > 60
    assert all(len(settings) == 1 for settings in drawn)
    script = "(set-logic QF_BV)(declare-fun x () (_ BitVec 4))(assert (= x #x1))(check-sat)"
    for setting in (("dio-solver", "false"), ("bv-to-bool", "true"), ("arith-prop-clauses", "9")):
        variant = solver.with_settings((setting,))
        with LiveLab([variant]) as lab:
            assert lab.ask(Request(variant.name, script)).verdict == "sat"
