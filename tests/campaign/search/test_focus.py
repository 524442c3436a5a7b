"""Focus: files and functions as AFL++ lists them, the edges in them, and what a campaign has reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.toy.builds import AFL, NESTED, program

from falsum.campaign.search.edge_places import EdgePlace
from falsum.campaign.search.focus import (
    Focus,
    bare_name,
    mangled,
    pattern_of,
    read_patterns,
    readable,
)
from falsum.errors import UsageError
from falsum.solvers.edge_watch import family
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

PLACE = EdgePlace(
    "_ZN6Solver5checkERKSt6vectorIiSaIiEE",
    ("fail_if(std::vector<int> const&)", "bool Solver::check<int>(std::vector<int, std::allocator<int> >)"),
    ("/src/toy/fail.cpp", "/src/toy/toy.cpp"),
)


@pytest.fixture(scope="module")
def toy() -> Solver:
    return resolve(program(*NESTED, compiler=AFL), Zoo())


@pytest.mark.parametrize(
    ("line", "matches"),
    [
        ("toy.cpp", True),
        ("fail.cpp", True),
        ("src: toy/*.cpp", True),
        ("src: other/toy.cpp", False),
        ("fail_if", True),
        ("check", True),
        ("Solver::check", True),
        ("fun: Solver::*", True),
        ("fun: *6Solver5check*", True),
        ("*5check*", True),
        ("*7fail_if*", True),
        ("hec", False),
        ("fail", False),
        ("check_all", False),
    ],
)
def test_patterns(line: str, matches: bool) -> None:
    assert pattern_of(line).matches(PLACE) is matches


def test_names() -> None:
    assert mangled("Solver::apply") == "*6Solver5apply*"
    assert readable(mangled("Solver::apply")) == "Solver::apply"
    assert readable("apply") == "apply"
    assert readable("*9short*") == "short"
    assert bare_name("void a::B<c<d> >::e<f>(int (*)(g))") == "a::B::e"
    assert bare_name("main") == "main"


def test_a_list_of_aflpp_is_read(tmp_path: Path) -> None:
    listed = tmp_path / "list"
    listed.write_text("# changed\n\nsource: a.cpp\nfunction: *6Solver5apply*\nb.cpp\n")
    assert read_patterns([f"@{listed}", "src: b.cpp", "main"]) == (
        "src: a.cpp",
        "fun: *6Solver5apply*",
        "src: b.cpp",
        "fun: main",
    )
    with pytest.raises(UsageError, match="the list cannot be read"):
        read_patterns([f"@{tmp_path / 'none'}"])
    with pytest.raises(UsageError, match="needs a file"):
        read_patterns([""])


def test_what_was_reached_of_a_focus(toy: Solver) -> None:
    focus = Focus.of(read_patterns(["Solver::pop", "Solver::push", "Solver::value"]), [toy])
    assert focus
    (edges,) = focus.edges.values()
    name = family(toy)
    assert focus.count({name: edges}) == len(edges) > 2
    assert focus.count({name: [max(edges), 10**6], "another": edges}) == 1
    nothing = focus.reached({})[name]
    assert (nothing.edges, nothing.all_edges, nothing.functions) == (0, len(edges), 0)
    assert "Solver::pop" in nothing.missing
    everything = focus.reached({name: edges})[name]
    assert (everything.edges, everything.missing) == (len(edges), ())
    assert str(everything).startswith(f"{len(edges)} of {len(edges)} edges, ")


def test_what_is_not_there_is_said(toy: Solver) -> None:
    with pytest.raises(UsageError, match="no instrumented code is in fun: nobody"):
        Focus.of(("fun: nobody",), [toy])
    assert not Focus.of((), [toy])
