"""opfuzz: which operators may stand for which, how many at a time, and from which script."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

import pytest
from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies import Mutant, Seed
from falsum.strategies.opfuzz import OpFuzz

SEED = Seed(
    "s", "(set-logic QF_LIA)(declare-const x Int)(declare-const y Int)(assert (< (+ x y) 3))(check-sat)"
)
EDIT = re.compile(r"opfuzz (\d+): (\S+) -> (\S+)")


def edits(mutant: Mutant) -> list[tuple[int, str, str]]:
    found = [EDIT.fullmatch(line) for line in mutant.lineage]
    return [(int(one[1]), one[2], one[3]) for one in found if one is not None]


def replacements(mutants: Iterable[Mutant], operator: str) -> set[str]:
    return {new for mutant in mutants for _at, old, new in edits(mutant) if old == operator}


@pytest.mark.parametrize(
    ("text", "operator", "others", "never"),
    [
        (SEED.text, "<", {"<=", ">", ">=", "=", "distinct"}, {"+", "and"}),
        (
            "(declare-const p Bool)(assert (and p p))(check-sat)",
            "and",
            {"or", "=>", "xor", "="},
            {"<", "not"},
        ),
        (
            "(declare-const b (_ BitVec 8))(assert (bvult (bvadd b b) b))(check-sat)",
            "bvadd",
            {"bvmul", "bvand", "bvudiv"},
            {"concat", "bvult", "bvneg"},
        ),
        (
            '(declare-const s String)(assert (str.prefixof s "a"))(check-sat)',
            "str.prefixof",
            {"str.suffixof", "str.contains"},
            {"str.++", "str.at"},
        ),
    ],
)
def test_operators_are_replaced_by_those_of_the_same_rank(
    text: str, operator: str, others: set[str], never: set[str]
) -> None:
    found = replacements(draw(OpFuzz(), [Seed("s", text)], 0, 400), operator)
    assert others <= found
    assert not found & never
    assert operator not in found


@pytest.mark.parametrize("most", [1, 2, 3])
def test_at_most_so_many_operators_change_and_at_least_one(most: int) -> None:
    text = SEED.text.replace("(< (+ x y) 3)", "(and (< (+ x y) 3) (> (* 2 x) (- y 1)))")
    counts = {len(edits(mutant)) for mutant in draw(OpFuzz(most=most), [Seed("s", text)], 1, 200)}
    assert counts == set(range(1, most + 1))


def test_the_lineage_says_where_and_what() -> None:
    for mutant in draw(OpFuzz(most=1), [SEED], 0, 50):
        ((at, _old, new),) = edits(mutant)
        assert mutant.text[at : at + len(new)] == new


def test_an_operator_file_restricts_what_comes_in() -> None:
    operators = read_operator_file("(< Int Int Bool)\n(>= Int Int Bool)\n")
    mutants = draw(OpFuzz(operators=operators), [SEED], 0, 50)
    assert {new for mutant in mutants for _at, _old, new in edits(mutant)} == {">="}


def test_a_chain_goes_on_from_what_the_solver_accepts() -> None:
    chain = draw(OpFuzz(chain=5), [SEED], 3, 60, FakeLab({"s": lambda _text: "unknown"}))
    assert max(len(edits(mutant)) for mutant in chain) > 2
    refusing = FakeLab({"s": lambda _text: Answer((), Ending(EndingKind.REJECTED))})
    assert max(len(edits(mutant)) for mutant in draw(OpFuzz(chain=5), [SEED], 3, 60, refusing)) <= 2
    for mutant in chain:
        read_script(mutant.text)


@pytest.mark.parametrize(
    "text",
    [
        # Nothing to replace, and declarations that cannot be moved to the front.
        "(declare-const p Bool)(assert p)(check-sat)",
        "(push 1)(define-fun f () Int 1)(pop 1)(push 1)(define-fun f () Int 2)(assert (= f f))(check-sat)",
    ],
)
def test_a_seed_without_operators_has_no_mutants(text: str) -> None:
    assert next(iter(OpFuzz().mutants([Seed("s", text)], Random(0), None)), None) is None
