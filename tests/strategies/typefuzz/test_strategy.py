"""The examples of the papers are within reach."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.smtlib import print_script, read_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.smtlib.terms import App
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import EndingKind
from falsum.solvers.request import Request
from falsum.strategies import BY_NAME, Seed, find_strategy, typefuzz
from falsum.strategies.typefuzz import TypeFuzz

LIST = Path(typefuzz.__file__).with_name("paper.txt")

FIGURE_2A = """(declare-fun x () String)
(assert (> (- (str.to_int (str.++ x x))) 0))
(check-sat)
"""
FIGURE_2D = """(declare-fun x () String)
(assert (> (- (str.to_int (str.++ (str.from_int 0) x))) 0))
(check-sat)
"""
FIGURE_3A = """(declare-fun x () String)
(declare-fun y () String)
(assert (= (str.replace x "B" (str.++ "B" "B")) (str.++ y "B")))
(check-sat)
"""
FIGURE_3B = """(declare-fun x () String)
(declare-fun y () String)
(assert (= (str.replace (str.replace x "B" (str.++ "B" "B")) "B" (str.++ y "B")) (str.++ y "B")))
(check-sat)
"""


def within_reach(seed: str, wanted: str, tries: int) -> bool:
    target = print_script(read_script(wanted))
    mutants = TypeFuzz(chain=1).mutants([Seed("figure", seed)], Random(0), None)
    return any(mutant.text == target for mutant in islice(mutants, tries))


def test_typefuzz_figure_2() -> None:
    assert within_reach(FIGURE_2A, FIGURE_2D, 20_000)


def test_typefuzz_figure_3() -> None:
    assert within_reach(FIGURE_3A, FIGURE_3B, 60_000)


def test_opfuzz_changes_operators_only() -> None:
    seed = Seed("figure", FIGURE_3A)
    for mutant in draw(BY_NAME["opfuzz"], [seed], 0, 200):
        assert mutant.text.count("(") == FIGURE_3A.count("(")


PRODUCT = Seed(
    "product",
    "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)"
    "(assert (< (* 3 (+ x (ite (> y 2) x y))) 7))(check-sat)",
)
SHARED = Seed(
    "shared",
    "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)"
    "(assert (let ((k 3)) (let ((j (- k))) (> (* j x) (+ y 2 (* (- 4) y))))))(check-sat)",
)


def test_below_a_product_everything_changes_that_may() -> None:
    places = {
        int(line.split()[1].rstrip(":"))
        for mutant in draw(TypeFuzz(chain=1, widened=0.0), [PRODUCT], 1, 400)
        for line in mutant.lineage
    }
    assert places == set(range(12))


def test_a_linear_seed_has_many_mutants() -> None:
    mutants = draw(TypeFuzz(widened=0.0), [PRODUCT], 1, 300)
    assert len({mutant.text for mutant in mutants}) > 250


@pytest.mark.parametrize("seed", [PRODUCT, SHARED], ids=lambda seed: seed.name)
@pytest.mark.parametrize("name", ["typefuzz:widened=0,chain=30,growth=20", "fuzzchick", "havoc"])
def test_linear_logic_stays_linear(name: str, seed: Seed) -> None:
    with live_lab("cvc5", seconds=5) as lab:
        for mutant in draw(find_strategy(name, BY_NAME), [seed], 0, 150):
            answer = lab.ask(Request("cvc5", mutant.text))
            assert answer.ending.kind is not EndingKind.REJECTED, (answer.ending.detail, mutant.text)


def test_a_share_of_the_chains_has_a_nonlinear_logic() -> None:
    mutants = draw(TypeFuzz(widened=0.5), [PRODUCT], 1, 300)
    wider = [mutant for mutant in mutants if "(set-logic QF_NIA)" in mutant.text]
    assert 80 < len(wider) < 220
    terms = [
        part for mutant in wider for term in read_script(mutant.text).assertions for part in subterms(term)
    ]
    applied = [part for part in terms if isinstance(part, App) and part.head.name == "*"]
    assert not all(logic_of("QF_LIA").allows(OPERATORS["*"], part.args) for part in applied)
    assert all(mutant.lineage[0] == "typefuzz: logic QF_NIA" for mutant in wider)
    assert all("(set-logic QF_LIA)" in mutant.text for mutant in mutants if mutant not in wider)


def test_a_failed_step_does_not_end_the_chain() -> None:
    """Half of the expressions are of a sort that no operator makes."""
    text = "(set-logic QF_UF)(declare-sort U 0)" + "".join(f"(declare-fun u{n} () U)" for n in range(6))
    seed = Seed("sorts", f"{text}(assert (distinct u0 u1 u2 u3 u4 u5))(check-sat)")
    mutants = draw(TypeFuzz(chain=10, growth=1.2, bare=0.0), [seed], 3, 100)
    assert max(len(mutant.lineage) for mutant in mutants) > 3


def test_a_bare_expression_replaces_another() -> None:
    seed = Seed("bare", FIGURE_3A)
    lines = [m.lineage[-1] for m in draw(TypeFuzz(chain=1, bare=1.0), [seed], 1, 100)]
    assert any(line.endswith('-> (str.++ y "B")') for line in lines)
    assert not any("str.len" in line for line in lines)


def test_operators_of_all_sorts_on_regular_languages() -> None:
    text = """(set-logic QF_SLIA)(declare-fun s () String)
(assert (str.in_re s (re.* (str.to_re "a"))))(assert (not (str.in_re s (str.to_re "b"))))(check-sat)"""
    some = {
        languages: "".join(
            m.text for m in draw(TypeFuzz(chain=1, languages=languages), [Seed("re", text)], 1, 3000)
        )
        for languages in ((), ("=", "distinct"), ("=", "distinct", "ite"))
    }
    words = ("(= (re.", "(distinct (re.", '(ite (str.in_re s (str.to_re "b")) (re.')
    assert [[word in text for word in words] for text in some.values()] == [
        [False, False, False], [True, True, False], [True, True, True],
    ]  # fmt: skip


def test_the_paper_uses_its_own_list_of_operators() -> None:
    paper = find_strategy("typefuzz:paper", BY_NAME)
    text = '(set-logic QF_SLIA)(declare-fun s () String)(assert (str.prefixof s "a"))(check-sat)'
    lines = "".join(m.lineage[-1] for m in draw(paper, [Seed("strings", text)], 1, 400))
    assert "(str.is_digit" in lines
    listed = {operator.name for operator in read_operator_file(LIST.read_text(encoding="utf-8"))}
    used = set(re.findall(r"\(([a-z]+\.[^ ()]*|[a-z=]+) ", lines.replace("->", "")))
    assert used <= listed


def test_a_visit_may_begin_inside_a_chain() -> None:
    """A campaign has eight mutants a visit, and chains may have a hundred."""
    lengths = [
        len(
            next(
                iter(TypeFuzz(chain=100, inside=1.0, growth=1000.0).mutants([PRODUCT], Random(n), None))
            ).lineage
        )
        for n in range(40)
    ]
    assert max(lengths) > 80
    assert min(lengths) < 20


def test_difference_logic_is_widened() -> None:
    text = "(set-logic QF_IDL)(declare-fun x () Int)(assert (< (- x x) 3))(check-sat)"
    mutant = next(iter(BY_NAME["opfuzz"].mutants([Seed("idl", text)], Random(0), None)))
    assert "(set-logic QF_LIA)" in mutant.text


def test_storm_figure_2() -> None:
    """The seed says a and b; an instance says the same through not (and (not b) (not a))."""
    text = "(declare-fun a () Bool)(declare-fun b () Bool)(assert a)(assert b)(check-sat)"
    mutants = BY_NAME["storm"].mutants([Seed("figure", text)], Random(0), None)
    wanted = "(assert (not (and (not b) (not a))))"
    found = next((m for m in islice(mutants, 5000) if wanted in m.text), None)
    assert found is not None
    assert found.claim is not None
    assert set(found.claim.verdicts) == {"sat"}
