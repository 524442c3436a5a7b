"""Features of queries, read off their words."""

from __future__ import annotations

import pytest

from falsum.audits.query.features import cluster_of, features_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(assert (> x 1))(check-sat)", {">"}),
        ("(assert (= (str.++ a b) |bvadd|))", {"=", "str.++"}),
        ('(assert (= a "bvadd")) ; bvmul', {"="}),
        ("(assert (forall ((x Int)) (p x)))", {"forall"}),
        ("(assert (str.in.re a b))", {"str.in_re"}),  # a name of old
        ("(declare-fun bvadd (Int) Int)(push 1)(check-sat-assuming (p))", {"push", "check-sat-assuming"}),
        ("(declare-datatype L ((nil)))", {"declare-datatypes"}),
        ("(declare-const x Int)(check-sat)", set()),
    ],
)
def test_words(text: str, words: set[str]) -> None:
    assert features_of(text).words == words


def test_options_with_their_values() -> None:
    text = "(set-option :produce-models true)(set-option :smt.arith.solver 6)(set-info :status sat)"
    assert features_of(text).options == {"produce-models=true", "smt.arith.solver=6"}


def test_theories_and_clusters() -> None:
    text = "(assert (forall ((x Int)) (= (bvadd a b) c)))"
    assert set(features_of(text).theories) == {"bit-vector", "quantifiers"}
    assert cluster_of("timeout after 12.5 s", text) == cluster_of("timeout after 3 s", text)
    assert cluster_of("unknown", text) != cluster_of("unknown", "(assert (> x 1))")
    assert cluster_of("unknown", "(assert p)").endswith("no theory")
