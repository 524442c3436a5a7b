"""Edges of real builds of AFL++: programs and libraries, behind the fence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.toy.builds import AFL, binding, compiler_named, program

from falsum.api.bindings import serving_program
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.solvers.doctor import examine
from falsum.solvers.edge_watch import edge_count, family
from falsum.solvers.instruments.edges import EdgeMap, edge_of, packed_edges, unpacked
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision import fence
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Zoo

AND = "(declare-const p Bool)(declare-const q Bool)(assert (and p q))(check-sat)"
OR = AND.replace("and", "or")


@pytest.fixture(scope="module")
def toy() -> Solver:
    return resolve(program(compiler=AFL), Zoo())


def new(lab: LiveLab, solver: Solver, script: str) -> set[int]:
    assert lab.edges is not None
    lab.ask(Request(solver.name, script, again=True))
    return set(unpacked(lab.edges.take_new().get(family(solver), b"")))


def test_what_a_script_reaches_is_new_once(toy: Solver) -> None:
    with LiveLab([toy], watches_edges=True) as lab:
        first = new(lab, toy, AND)
        assert len(first) > 100
        assert not new(lab, toy, AND)
        assert 0 < len(new(lab, toy, OR)) < 100
        assert lab.edges is not None
        edges = sorted({edge_of(feature) for feature in first})
        watched = {family(toy): packed_edges(edges)}
        lab.edges.take_watched(watched)
        new(lab, toy, AND)
        assert list(unpacked(lab.edges.take_watched(watched)[family(toy)])) == edges


def test_variants_share_what_was_reached(toy: Solver) -> None:
    other = toy.with_settings((("script", "push"),))
    assert family(other) == family(toy)
    with LiveLab([toy, other], watches_edges=True) as lab:
        alone = new(lab, toy, AND)
        more = new(lab, other, AND)
        assert not alone & more


def test_a_plain_build_has_no_map() -> None:
    plain = resolve(program(), Zoo())
    assert not plain.build.has_edges
    with LiveLab([plain], watches_edges=True) as lab:
        assert not new(lab, plain, AND)
    assert examine(plain).edges == 0


def test_an_instrumented_build_says_how_many_edges_it_has(toy: Solver) -> None:
    assert (toy.build.has_edges, toy.build.has_sanitizer, toy.build.flags[:3]) == (True, False, "afl")
    with ProcessRunner() as runner:
        edges = edge_count(runner, toy.cold_program(toy.prepare(AND)))
    assert edges > 500
    assert examine(toy).edges == edges


@pytest.mark.skipif(not fence.has_seccomp(), reason="no seccomp on this machine")
def test_the_fence_lets_a_program_attach_its_own_map_alone() -> None:
    code = (
        "import ctypes, sys; libc = ctypes.CDLL(None); libc.shmat.restype = ctypes.c_void_p\n"
        "failed = ctypes.c_void_p(-1).value\n"
        "print([libc.shmat(int(word), None, 0) != failed for word in sys.argv[1:]],"
        " libc.shmget(0, 10, 0o600) >= 0)"
    )
    own, other = EdgeMap(10), EdgeMap(10)
    try:
        argv = (sys.executable, "-I", "-S", "-c", code, str(own.segment), str(other.segment))
        with ProcessRunner() as runner:
            output = runner.run(Program(argv, segment=own.segment), Limits()).stdout
            without = runner.run(Program(argv), Limits()).stdout
    finally:
        own.close()
        other.close()
    assert output == b"[True, False] False\n"
    assert without == b"[False, False] False\n"


def test_a_library_counts_edges_in_its_host() -> None:
    solver = resolve(binding(compiler=AFL), Zoo())
    assert solver.build.has_edges
    with Fuzzer(solver, Settings(compare=0, options=0), watches_edges=True) as fuzzer:
        name = family(solver)
        fuzzer.run(1)
        first = fuzzer.edges.take_new()[name]
        assert len(unpacked(first)) > 50
        fuzzer.run(1)
        again = fuzzer.edges.take_new().get(name, b"")
        assert len(again) < len(first) / 2  # counts depend on what a process did before
        with ProcessRunner() as runner:
            assert edge_count(runner, serving_program(solver.served_release)) > 150


def test_a_map_may_be_larger_than_usual(tmp_path: Path) -> None:
    branches = "".join(f"if (x == {number}) x += 3; " for number in range(30))
    functions = "\n".join(f"int f{number}(int x) {{ {branches} return x; }}" for number in range(1200))
    source = tmp_path / "large.c"
    source.write_text(f"{functions}\nint main(int count, char **words) {{ return f1199(count) == 0; }}\n")
    large = tmp_path / "large"
    compiler = compiler_named("afl-clang-fast")
    variables = os.environ | {"AFL_DONT_OPTIMIZE": "1", "AFL_QUIET": "1"}
    subprocess.run([compiler, "-O0", "-o", str(large), str(source)], check=True, env=variables)
    with ProcessRunner() as runner:
        edges = edge_count(runner, Program((str(large),)))
        assert edges > 1 << 16
        edge_map = EdgeMap(edges)
        program = Program((str(large),), edge_map.variables, segment=edge_map.segment)
        assert runner.run(program, Limits()).status == 0
        counts = edge_map.counts()
        edge_map.close()
    assert max(edge for edge, count in enumerate(counts) if count) > 1 << 16
