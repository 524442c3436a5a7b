"""Case splits: what is split, and which answers to the parts break the law."""

from __future__ import annotations

from random import Random
from zlib import crc32

import pytest
from tests.defects import liars

from falsum.defects.kinds.broken_law.broken_law import LawOracle
from falsum.defects.kinds.broken_law.splits import CaseSplit, drawn, with_assertion
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.solvers.answer import Answer
from falsum.solvers.fake_lab import Reply

DECLARED = "(declare-const x Int)(declare-const r Real)(declare-const p Bool)(declare-const b (_ BitVec 4))"


def splits_of(asserted: str) -> set[str]:
    """All that is drawn for an assertion, as the law and its first part."""
    script = flat(f"{DECLARED}(assert {asserted})(check-sat)")
    found = {drawn(script, Random(number)) for number in range(200)}
    return {f"{split.law}: {split.parts[0]}" if split else "" for split in found}


def flat(text: str) -> Script:
    script = at_last_check(read_script(text))
    assert script is not None
    return script


@pytest.mark.parametrize(
    ("asserted", "splits"),
    [
        ("p", [""]),
        # One atom is not enough for cubes, and none for a case split.
        ("(not p)", ["case split: p"]),
        ("(> x 0)", ["", "domain partition: (< x 0)"]),
        (
            "(or p (> x 7))",
            [
                "case split: p",
                "case split: (> x 7)",
                "cubes: (and p (> x 7))",
                "cubes: (and (> x 7) p)",
                "domain partition: (< x 0)",
            ],
        ),
        # A number is compared with another one of its sort, or with zero.
        (
            "(> r (to_real x))",
            [
                "",
                "domain partition: (< r (to_real x))",
                "domain partition: (< (to_real x) r)",
                "domain partition: (< r 0.0)",
                "domain partition: (< (to_real x) 0.0)",
                "domain partition: (< x 0)",
            ],
        ),
        ("(bvugt b #x3)", ["", "domain partition: (bvult b (_ bv0 4))"]),
    ],
)
def test_what_is_split(asserted: str, splits: list[str]) -> None:
    assert splits_of(asserted) == set(splits)


@pytest.mark.parametrize(
    ("asserted", "split"),
    [
        ("(not p)", CaseSplit("case split", ("p", "(not p)"))),
        ("(> x 7)", CaseSplit("domain partition", ("(< x 0)", "(= x 0)", "(> x 0)"))),
        (
            "(or p (> x 7))",
            CaseSplit(
                "cubes",
                (
                    "(and p (> x 7))",
                    "(and p (not (> x 7)))",
                    "(and (not p) (> x 7))",
                    "(and (not p) (not (> x 7)))",
                ),
            ),
        ),
    ],
)
def test_the_parts_of_a_split(asserted: str, split: CaseSplit) -> None:
    script = flat(f"{DECLARED}(assert {asserted})(check-sat)")
    assert split in {drawn(script, Random(number)) for number in range(200)}


def test_the_assertion_is_added_before_the_check() -> None:
    text = with_assertion(flat(f"{DECLARED}(assert p)(check-sat)"), "(> x 0)")
    assert text.endswith("(assert p)\n(assert (> x 0))\n(check-sat)\n")


def splitting_text() -> str:
    """A script of which the oracle splits an atom, by the number that is computed from its text."""
    for number in range(100):
        text = f"(declare-const p Bool)(assert (or p (not p)))(check-sat); {number}"
        if Random(crc32(text.encode())).random() < 0.5:
            return text
    raise AssertionError


SPLIT = splitting_text()


@pytest.mark.parametrize(
    ("whole", "first", "second", "evidence"),
    [
        ("sat", "unsat", "unsat", "answers sat to the script, but unsat with each of p, (not p)"),
        ("sat", "sat", "unsat", ""),
        ("sat", "unsat", "sat", ""),
        ("sat", "unsat", "unknown", ""),
        ("sat", "unknown", "unsat", ""),
        ("unsat", "sat", "unsat", "answers unsat to the script, but sat with p in addition"),
        ("unsat", "unsat", "sat", "answers unsat to the script, but sat with (not p) in addition"),
        ("unsat", "unsat", "unsat", ""),
        ("unsat", "unknown", "unknown", ""),
    ],
)
def test_answers_to_the_parts(whole: str, first: str, second: str, evidence: str) -> None:
    def replies(script: str) -> Reply:
        if script == SPLIT:
            return whole
        return first if "(assert p)" in script else second if "(assert (not p))" in script else "unknown"

    law_oracle = LawOracle().find(liars.case_of(SPLIT), liars.lab_of(solver=replies))
    assert (law_oracle is not None) is bool(evidence)
    if law_oracle is not None:
        assert law_oracle.suspects == ("solver",)
        assert law_oracle.evidence == f"solver {evidence}"


@pytest.mark.parametrize("reply", ["unknown", liars.TIMED_OUT, liars.REJECTED])
def test_who_does_not_decide_is_asked_no_more(reply: str | Answer) -> None:
    lab = liars.lab_of(unsure=liars.says(reply), solver=lambda script: "sat" if script == SPLIT else "unsat")
    law_oracle = LawOracle().find(liars.case_of(SPLIT), lab)
    assert law_oracle is not None
    assert law_oracle.suspects == ("solver",)
    assert [name for name, _script in lab.asked].count("unsure") == 1


@pytest.mark.parametrize("text", ["(declare-const p Bool)(check-sat)", f"(frobnicate){SPLIT}", "(assert"])
def test_without_assertions_or_if_it_cannot_be_read_nobody_is_asked(text: str) -> None:
    lab = liars.lab_of(solver=liars.says("sat"))
    assert LawOracle().find(liars.case_of(text), lab) is None
    assert lab.asked == []


def test_a_part_is_asked_with_the_logic_and_options_of_the_script() -> None:
    script = read_script("(set-logic QF_LIA)(set-option :smt.threads 2)(declare-const x Int)(check-sat)")
    asked = with_assertion(script, "(= x 2)").splitlines()
    assert asked[:2] == ["(set-logic QF_LIA)", "(set-option :smt.threads 2)"]
    assert asked[-2:] == ["(assert (= x 2))", "(check-sat)"]
