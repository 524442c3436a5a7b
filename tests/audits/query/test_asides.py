"""What is put behind each check, and taken out of what is printed."""

from __future__ import annotations

from falsum.audits.query.asides import split, with_asides
from falsum.solvers.inputs.solver_input import prepare
from falsum.solvers.names import profile_of

SCRIPT = "(declare-const x Int)(push 1)(check-sat)(pop 1)(check-sat)"


def test_asides_stand_behind_the_markers_of_each_check() -> None:
    given = prepare(SCRIPT, profile_of("z3"), "4.13.0")
    sent = with_asides(given, "s", ("(get-info :rlimit)",)).marked("s").splitlines()
    assert sent[2:10] == [
        '(echo "s.0")', "(check-sat)", '(echo "s.0.")',
        '(echo "info-s")', "(get-info :rlimit)", '(echo "info-s")', "(pop 1)", '(echo "s.1")',
    ]  # fmt: skip
    assert with_asides(given, "s", ()) == given


def test_what_is_said_to_asides_is_no_part_of_the_output() -> None:
    stdout = 's.0\nsat\ns.0.\ninfo-s\n(:rlimit 3)\ninfo-s\ns.1\nunsat\ns.1.\n"info-s"\n"info-s"\nx\n'
    assert split(stdout, "s") == ("s.0\nsat\ns.0.\ns.1\nunsat\ns.1.\nx\n", ["(:rlimit 3)\n", ""])
