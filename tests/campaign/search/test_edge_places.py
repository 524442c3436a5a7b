"""Edges of a real build of AFL++, and the functions and files whose code counts them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.toy.builds import AFL, NESTED, program

from falsum.campaign.search.edge_places import edge_places
from falsum.errors import SurroundingsError
from falsum.solvers.edge_watch import edge_count, family
from falsum.solvers.instruments.edges import edge_of, unpacked
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

PUSHES = "(declare-const p Bool)(push 1)(assert p)(check-sat)(pop 1)(check-sat)"


def test_edges_are_where_their_code_runs() -> None:
    toy = resolve(program(*NESTED, compiler=AFL), Zoo())
    code = edge_places(toy.binaries()[0])
    with ProcessRunner() as runner:
        assert code.edges + 1 == edge_count(runner, toy.cold_program(toy.prepare(PUSHES)))
    assert set(code.places) == set(range(1, code.edges + 1))
    assert all(place.files for place in code.places.values())

    def functions(script: str) -> set[str]:
        with LiveLab([toy], watches_edges=True) as lab:
            assert lab.edges is not None
            lab.ask(Request(toy.name, script))
            edges = set(map(edge_of, unpacked(lab.edges.take_new()[family(toy)])))
        return {name for edge in edges for name in code.places[edge].functions}

    with_levels, without = functions(PUSHES), functions("(declare-const p Bool)(assert p)(check-sat)")
    new = with_levels - without
    assert "Solver::pop()" in new
    assert "main" not in new
    assert "Solver::add(int)" in without


def test_a_program_without_guards_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SurroundingsError, match="build it, in one piece, with afl-clang-fast"):
        edge_places(Path(program()))
    with pytest.raises(SurroundingsError, match="objdump: "):
        edge_places(Path("/nowhere"))
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(SurroundingsError, match=r"objdump is needed .* install binutils"):
        edge_places(Path(program()))
