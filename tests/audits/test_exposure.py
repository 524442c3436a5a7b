"""Exposure: a query meets a bug of a release if it has all that the bug needs."""

from __future__ import annotations

from dataclasses import replace

from falsum.atlas.bug import WRONG_VERDICTS, AtlasBug
from falsum.atlas.collection import atlas
from falsum.audits.exposure import Exposure
from falsum.audits.query.features import cluster_of, features_of
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

HARMLESS = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 1))(check-sat)"


def bug(**facts: object) -> AtlasBug:
    given = {
        "name": "a", "kind": "refutation unsoundness", "evidence": "model", "first": "z3@4.8.5.0",
        "last": "z3@4.8.7.0", "script": HARMLESS, "signature": "", "operators": (">",),
    }  # fmt: skip
    return AtlasBug(**given | facts)  # type: ignore[arg-type]


def exposed(one: AtlasBug, name: str = "z3", text: str = HARMLESS) -> bool:
    return Exposure([resolve(name, Zoo())], (one,)).bugs(features_of(text)) == ("a",)


def test_every_bug_is_met_by_its_own_script() -> None:
    for one in atlas():
        features = features_of(one.script)
        own = {option.removeprefix(":") for option in one.options}
        assert features.words >= set(one.operators), one.name
        if one.may_show(frozenset(one.operators), own):
            assert one.may_show(features.words, features.options | own), one.name


def test_a_query_without_operators_of_a_bug_is_never_exposed() -> None:
    plain = features_of("(declare-const p Bool)(assert (and p (not p)))(check-sat)")
    for one in atlas():
        assert not one.may_show(plain.words, {option.removeprefix(":") for option in one.options}) or (
            set(one.operators) <= plain.words and one.options
        ), one.name


def test_only_wrong_verdicts_count() -> None:
    assert exposed(bug())
    assert not exposed(bug(kind="crash"))
    assert any(one.kind in WRONG_VERDICTS for one in atlas())


def test_options_count() -> None:
    one = bug(options=("proof=true",))
    assert not exposed(one)
    assert exposed(one, text="(set-option :proof true)" + HARMLESS)
    assert not exposed(one, text="(set-option :proof false)" + HARMLESS)
    assert exposed(one, "z3:proof=true")


def test_only_releases_that_have_a_bug_are_exposed() -> None:
    z3 = resolve("z3", Zoo())
    known = z3.release
    assert known is not None

    def names(release: str) -> tuple[str, ...]:
        solver: Solver = replace(z3, release=replace(known, version=release))
        return Exposure([solver], (bug(fixed="z3@4.8.9.0"),)).bugs(features_of(HARMLESS))

    assert names("4.8.7.0") == ("a",)
    assert names("4.8.12.0") == ()


def test_commands_that_other_engines_answer_are_words() -> None:
    text = "(declare-datatype D ((c)))(push 1)(assert true)(check-sat-assuming (true))"
    assert features_of(text).words >= {"declare-datatypes", "push", "check-sat-assuming"}
    assert features_of(HARMLESS).words == {">"}


def test_theories_are_told_by_operators() -> None:
    text = '(assert (forall ((a Int)) (= (bvadd #x1 #x2) (bvmul #x1 #x2))))(assert (= s "(select"))'
    assert features_of(text).theories == ("bit-vector", "quantifiers")
    assert cluster_of("timed out after 10 s", text) == "timed out after N s · bit-vector, quantifiers"
