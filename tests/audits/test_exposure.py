"""Known bugs: the table is well-formed, its pages exist, and each bug is met by its own script alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from falsum.audits.exposure import Exposure, KnownBug, known_bugs
from falsum.audits.query.features import cluster_of, features_of
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

PAGES = Path(__file__).parents[2] / "docs" / "findings"
HARMLESS = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)"


def script_of(bug: KnownBug) -> str:
    text = (PAGES / f"{bug.name.partition(' ')[0]}.md").read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```smt2\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return next(block for block in blocks if "(check-sat" in block)


@pytest.mark.parametrize("bug", known_bugs(), ids=lambda bug: bug.name)
def test_a_bug_is_met_by_its_script(bug: KnownBug) -> None:
    script = script_of(bug)
    assert bug.may_show(features_of(script), script)
    assert not bug.may_show(features_of(HARMLESS), HARMLESS)
    assert bug.title
    assert bug.is_in(bug.first)
    assert not bug.fixed or not bug.is_in(bug.fixed)


def test_options_and_releases_count() -> None:
    bug = KnownBug("a", "z3", "4.8.5", "t", fixed="4.8.9", options=("smt.arith.solver", "proof=true"))
    with_option = "(set-option :smt.arith.solver 2)" + HARMLESS
    assert bug.may_show(features_of(with_option), with_option)
    assert not bug.may_show(features_of("(set-option :proof false)"), "")
    assert bug.may_show(features_of("(set-option :proof true)"), "")
    assert [bug.is_in(release) for release in ("4.8.4", "4.8.5.0", "4.8.8", "4.8.9.0", "system")] == [
        False, True, True, False, False,
    ]  # fmt: skip


def test_only_releases_that_have_a_bug_are_exposed() -> None:
    z3 = resolve("z3", Zoo())
    known = z3.release
    assert known is not None
    bug = KnownBug("a", "z3", "4.8.5", "t", fixed="4.8.9", words=(">",))

    def exposed(release: str) -> tuple[str, ...]:
        solver: Solver = replace(z3, release=replace(known, version=release))
        return Exposure([solver], (bug,)).bugs(features_of(HARMLESS), HARMLESS)

    assert exposed("4.8.7.0") == ("a",)
    assert exposed("4.8.12.0") == ()


def test_theories_are_told_by_operators() -> None:
    text = '(assert (forall ((a Int)) (= (bvadd #x1 #x2) (bvmul #x1 #x2))))(assert (= s "(select"))'
    assert features_of(text).theories == ("bit-vector", "quantifiers")
    assert cluster_of("timed out after 10 s", text) == "timed out after N s · bit-vector, quantifiers"
