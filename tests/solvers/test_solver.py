"""Names of solvers: products, releases, options, paths, command lines, and what is wrong with them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.instruments.build import build_of
from falsum.solvers.profiles import GENERIC, cvc5, z3
from falsum.solvers.profiles.profile import Profile
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Origin, Release, Zoo


@pytest.fixture
def zoo(tmp_path: Path) -> Zoo:
    for version in ("4.8.6.0", "4.8.10.0", "4.12.6.0"):
        program = tmp_path / "z3" / version / "bin" / "z3"
        program.parent.mkdir(parents=True)
        program.touch(0o755)
    return Zoo(tmp_path)


@pytest.mark.parametrize(
    ("name", "release"),
    [("z3@4.8.6", "4.8.6.0"), ("z3@4.8.10.0", "4.8.10.0"), ("z3@4.8", "4.8.10.0"), ("z3@4.12", "4.12.6.0")],
)
def test_a_release_is_found_by_the_beginning_of_its_number(zoo: Zoo, name: str, release: str) -> None:
    found = resolve(name, zoo).release
    assert found is not None
    assert (found.version, found.origin) == (release, Origin.ZOO)


def test_without_a_release_falsums_own_is_meant(zoo: Zoo) -> None:
    found = resolve("z3", zoo).release
    assert found is not None
    assert found.origin is Origin.OWN


def test_options_become_settings_and_flags(zoo: Zoo) -> None:
    solver = resolve("z3@4.8.6:smt.arith.solver=2,sat.euf=true", zoo)
    assert solver.settings == (("smt.arith.solver", "2"), ("sat.euf", "true"))
    argv = solver.cold_program(solver.prepare("(check-sat)")).argv
    assert argv[-2:] == ("smt.arith.solver=2", "sat.euf=true")
    assert solver.with_settings((("a", "b"),)).name == "z3@4.8.6:a=b"
    assert solver.seeded(7).settings[-1] == ("sat.random_seed", "7")


def test_a_command_line_is_taken_as_it_is(zoo: Zoo) -> None:
    solver = resolve(f"{sys.executable} -c pass", zoo)
    assert solver.profile is GENERIC
    assert solver.cold_program(solver.prepare("")).argv == (sys.executable, "-c", "pass")
    assert solver.warm_program(solver.prepare("")) is None


def test_a_path_to_a_program(zoo: Zoo) -> None:
    solver = resolve(sys.executable, zoo)
    build = build_of([Path(sys.executable)])
    assert solver.release == Release("generic", "", Origin.FILE, program=sys.executable, build=build)


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("z33", UsageError, "did you mean z3"),
        ("frob", UsageError, "choose one of z3"),
        ("z3:x", UsageError, "name=value"),
        ("z3@1.2.3", SurroundingsError, "falsum solvers add z3@1.2.3"),
        ("mathsat@9.9.9", SurroundingsError, "is not installed"),
        ("/no/such/program", SurroundingsError, "program not found"),
        ("nosuchprogram -x", SurroundingsError, "program not found"),
    ],
)
def test_wrong_names_are_explained(zoo: Zoo, name: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        resolve(name, zoo)


@pytest.mark.parametrize(("profile", "tires"), [(cvc5.PROFILE, True), (z3.PROFILE, False)])
def test_a_host_knows_whether_it_tires(profile: Profile, *, tires: bool) -> None:
    build = build_of([Path(sys.executable)])
    release = Release(profile.product, "1.0.3", Origin.FILE, program=sys.executable, build=build)
    solver = Solver("name", profile, release)
    program = solver.warm_program(solver.prepare("(check-sat)"))
    assert program is not None
    assert program.tires is tires
