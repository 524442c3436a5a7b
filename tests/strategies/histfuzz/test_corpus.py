"""A corpus: scripts of logics that fit, and what goes together in them."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

import pytest

from falsum.atlas.collection import atlas
from falsum.smtlib.logics import logic_of
from falsum.strategies.histfuzz.corpus import Corpus, corpus_at, default_texts

LINEAR = "(set-logic QF_LIA)(declare-const x Int)(assert (> (mod x 3) 1))(check-sat)"
PRODUCTS = "(set-logic QF_NIA)(declare-const x Int)(assert (> (* x x) (abs x)))(check-sat)"
BITS = "(set-logic QF_BV)(declare-const v (_ BitVec 4))(assert (bvult (bvadd v v) v))(check-sat)"


@pytest.mark.parametrize(
    ("logic", "found"),
    [
        ("QF_LIA", {"QF_LIA"}),
        ("QF_NIA", {"QF_LIA", "QF_NIA"}),
        ("QF_BV", {"QF_BV"}),
        ("ALL", {"QF_LIA", "QF_NIA", "QF_BV"}),
        ("QF_UF", set()),
    ],
)
def test_scripts_fit_the_logic(logic: str, found: set[str]) -> None:
    corpus, rng = Corpus.of([LINEAR, PRODUCTS, BITS]), Random(1)
    drawn = [corpus.draw(logic_of(logic), rng) for _ in range(40)]
    assert {one.logic.name for one in drawn if one is not None} == found


def test_operators_that_occur_together_are_associated() -> None:
    corpus = Corpus.of([LINEAR, PRODUCTS, BITS])
    given = frozenset({"abs"})
    assert corpus.association(given, frozenset({"*"})) == 1.0
    assert corpus.association(given, frozenset({"bvadd"})) == 0.0
    # `>` comes with each of the two.
    assert corpus.association(frozenset({">"}), frozenset({"mod"})) == 0.5


def test_a_folder_is_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(LINEAR)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.smt2.gz").write_bytes(gzip.compress(BITS.encode()))
    (tmp_path / "c.smt2").write_bytes(b"\xff\xfe")
    (tmp_path / "d.smt2").write_text(PRODUCTS + " " * (1 << 17))
    (tmp_path / "e.smt2.gz").write_bytes(b"no gzip")
    corpus = corpus_at(str(tmp_path))
    drawn = [corpus.draw(logic_of("ALL"), Random(number)) for number in range(20)]
    assert {one.logic.name for one in drawn if one is not None} == {"QF_LIA", "QF_BV"}


def test_the_bundled_seeds_are_a_corpus() -> None:
    for logic in ("QF_BV", "QF_SLIA", "QF_FP", "QF_LRA", "ALL"):
        assert corpus_at("").draw(logic_of(logic), Random(1)) is not None


def test_a_script_without_a_logic_gives_what_the_logic_allows() -> None:
    text = (
        "(declare-const x Int)(declare-const v (_ BitVec 4))(declare-fun f (Int) Int)"
        "(assert (> (* x x) 3))(assert (< (+ x 1) 3))(assert (= (f x) 1))"
        "(assert (bvult v (bvnot v)))(check-sat)"
    )
    corpus = Corpus.of([text])

    def atoms(logic: str) -> int:
        drawn = corpus.draw(logic_of(logic), Random(1))
        return len(drawn.atoms) if drawn is not None else 0

    logics = ("QF_LIA", "QF_NIA", "QF_UFLIA", "QF_BV", "QF_S", "ALL")
    assert [atoms(logic) for logic in logics] == [1, 2, 2, 1, 0, 4]


def test_bugs_of_the_atlas_are_a_prior_but_for_those_held_out() -> None:
    texts = set(default_texts())
    assert {bug.held_out for bug in atlas() if bug.script in texts} == {False}
