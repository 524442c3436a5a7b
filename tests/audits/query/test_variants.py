"""Variants of queries mean the same: they are read, and solvers do not contradict themselves on them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.labs import live_lab

from falsum.audits.query.variants import Rewriting, renamed, shuffled, variant
from falsum.seeds import bundled
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request


@pytest.mark.parametrize("kind", list(Rewriting))
def test_every_seed_has_readable_variants(kind: Rewriting) -> None:
    for seed in bundled():
        text = seed.read_text(encoding="utf-8")
        before, after = read_script(text), read_script(variant(text, kind, Random(f"{seed.name}/{kind}")))
        kinds = [Counter(type(command).__name__ for command in one.commands) for one in (before, after)]
        assert kinds[0] == kinds[1], seed.name


@pytest.mark.timeout(300)
def test_verdicts_stay() -> None:
    with live_lab("z3", seconds=2) as lab:
        for seed in list(bundled())[::12]:
            text = seed.read_text(encoding="utf-8")
            changed = variant(text, Rewriting.ALL, Random(seed.name))
            verdicts = {lab.ask(Request("z3", one)).verdict for one in (text, changed)}
            assert not verdicts >= {Verdict.SAT, Verdict.UNSAT}, seed.name


def test_order_changes_within_scopes_alone() -> None:
    text = "".join(f"(assert (> x {n}))" for n in range(20))
    script = f"(declare-const x Int){text}(push 1)(assert false)(check-sat)(pop 1)(assert true)(check-sat)"
    after = shuffled(script, Random(1))
    assert after != shuffled(script, Random(2))
    lines = after.split()
    assert lines.index("(push") > after.count("x")
    assert after.index("(assert false)") > after.index("(push 1)") > after.index("(> x 19)")
    assert after.index("(pop 1)") < after.index("(assert true)")


def test_assertions_that_use_names_of_others_stay() -> None:
    text = "(assert (! (> 1 0) :named a))(assert (=> a (> 2 1)))(check-sat)"
    assert shuffled(text, Random(3)).split() == text.replace(")(", ") (").split()
    alone = "(assert (! (> 1 0) :named a))(assert (! (> 2 0) :named b))(check-sat)"
    assert len({shuffled(alone, Random(n)) for n in range(9)}) == 2


def test_names_change_everywhere_but_in_strings_and_options() -> None:
    text = (
        '(set-option :foo x)(declare-datatypes ((T 0)) (((pair (hd Int) (tl T)) (nil))))(declare-const |x| T)'
        '(assert ((_ is pair) x))(assert (is-pair |x|))(assert (= "x" (str.++ "x" "")))(check-sat)'
    )  # fmt: skip
    after = renamed(text, Random(5))
    assert "(set-option :foo x)" in after
    assert after.count('"x"') == 2
    for word in ("pair", "hd", "tl", "nil", "|x|"):
        assert word not in after
    assert after.count("(_ is n") == 1
    assert after.count("(is-n") == 1


def test_a_variant_depends_on_its_random_numbers_alone() -> None:
    text = bundled()[7].read_text(encoding="utf-8")
    one, again = (variant(text, Rewriting.ALL, Random("a")) for _ in range(2))
    assert one == again
