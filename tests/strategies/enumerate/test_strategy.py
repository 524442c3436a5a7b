"""The enumeration has every formula once up to symmetry, the smallest first, from any position on."""

from __future__ import annotations

import re
from itertools import pairwise, product
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.errors import UsageError
from falsum.smtlib import read_script
from falsum.smtlib.laws import law_index
from falsum.smtlib.terms import App, Term
from falsum.smtlib.walk import subterms
from falsum.solvers.request import Request
from falsum.strategies.enumerate import Enumerate, themes

OPERATORS = {
    "Int": {"-": 1, "abs": 1, "+": 2, "- ": 2, "*": 2, "div": 2, "mod": 2, "ite": 3},
    "Bool": {"not": 1, "and": 2, "or": 2, "xor": 2, "=>": 2, "<": 2, "<=": 2, ">": 2, ">=": 2},
}
INTS, BOOLS = ["i0", "i1", "0"], ["p0", "p1"]
Tree = tuple[str, tuple["Tree", ...]]


def every(sort: str, size: int) -> list[Tree]:
    """All terms over two variables of a sort and one constant, made the simple way."""
    if size == 1:
        return [(name, ()) for name in (INTS if sort == "Int" else BOOLS)]
    made: list[Tree] = []
    ways: list[tuple[str, tuple[str, ...]]] = []
    for name, arity in OPERATORS[sort].items():
        compares = sort == "Bool" and name[0] in "<>"
        plain = ("Int" if sort == "Int" or compares else "Bool",) * arity
        ways.append((name, ("Bool", *plain[1:]) if name == "ite" else plain))
    if sort == "Bool":
        ways += [(name, (each, each)) for name in ("=", "distinct") for each in ("Int", "Bool")]
        ways.append(("ite", ("Bool", "Bool", "Bool")))
    for name, sorts in ways:
        for sizes in product(range(1, size), repeat=len(sorts)):
            if sum(sizes) == size - 1:
                made += [(name, args) for args in product(*map(every, sorts, sizes))]
    return [tree for tree in made if re.search("[ip][01]", text(tree))]


def text(tree: Tree) -> str:
    head, args = tree
    return f"({head.strip()} {' '.join(map(text, args))})" if args else head


def swaps(tree: Tree) -> list[Tree]:
    """The term with arguments swapped in every way that means the same."""
    head, args = tree
    found: list[Tree] = []
    for chosen in product(*map(swaps, args)):
        found.append((head, chosen))
        if len(chosen) == 2 and law_index().is_commutative(head.strip()):
            found.append((head, chosen[::-1]))
    return found


def renamed(words: str) -> str:
    names: dict[str, str] = {}
    counts = {"i": 0, "p": 0}

    def name(found: re.Match[str]) -> str:
        if found[0] not in names:
            names[found[0]] = f"{found[0][0]}{counts[found[0][0]]}"
            counts[found[0][0]] += 1
        return names[found[0]]

    return re.sub(r"\b[ip]\d\b", name, words)


def form(tree: Tree) -> str:
    """One text for all terms that differ by names and swaps only."""
    return min(renamed(text(each)) for each in swaps(tree))


def tree_of(term: Term) -> Tree:
    if isinstance(term, App):
        return term.head.text, tuple(map(tree_of, term.args))
    return getattr(term, "text", ""), ()


def assertion(script: str) -> Term:
    return read_script(script).assertions[0]


def test_nothing_is_missing_and_names_are_canonical() -> None:
    strategy = Enumerate(theory="ints", variables=2, constants=1, size=4)
    listed = [strategy.script("ints", place) for place in range(strategy.total("ints"))]
    found = [tree_of(assertion(script)) for script in listed]
    assert all(renamed(text(tree)) == text(tree) for tree in found)
    wanted = {form(tree) for size in (2, 3, 4) for tree in every("Bool", size)}
    assert {form(tree) for tree in found} == wanted
    # Few are there twice: two swaps at once that only renaming shows to be none.
    assert len(listed) == len(set(listed)) <= 1.1 * len(wanted)


def size_of(script: str) -> int:
    # A negative number is one constant in the list, and an application for the reader.
    return len(
        re.sub(r"\(- \d+(\.\d+)?\)", "0", script.split("(assert ")[1]).replace("(check-sat)", "").split()
    )


def test_the_smallest_come_first() -> None:
    strategy = Enumerate(theory="ints", size=5)
    sizes = [size_of(strategy.script("ints", place)) for place in range(strategy.total("ints"))]
    assert sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (2, 5)


@pytest.mark.parametrize("theory", themes())
def test_every_position_has_a_script(theory: str) -> None:
    strategy = Enumerate(theory=theory)
    total = strategy.total(theory)
    rng = Random(1)
    places = {0, 1, total - 1, *(rng.randrange(total) for _ in range(60))}
    texts = {strategy.script(theory, place) for place in places}
    assert len(texts) == len(places)
    for script in texts:
        assert len(list(subterms(assertion(script)))) >= 2
    with pytest.raises(IndexError):
        strategy.script(theory, total)


@pytest.mark.parametrize("theory", themes())
def test_larger_sizes_have_more_scripts(theory: str) -> None:
    """Sizes are drawn without counting the large ones."""
    totals = [Enumerate(size=size).total(theory) for size in range(1, 9)]
    counts = [more - fewer for fewer, more in pairwise(totals)]
    assert all(fewer <= more for fewer, more in pairwise(counts))


def test_a_start_continues_where_another_run_stopped() -> None:
    whole = [m.text for m in draw(Enumerate(theory="arrays", start=0), (), 1, 90)]
    rest = [m.text for m in draw(Enumerate(theory="arrays", start=60), (), 2, 30)]
    assert whole[60:] == rest
    small = Enumerate(theory="core", start=3, size=3)
    assert len(list(small.mutants((), Random(1), None))) == small.total("core") - 3


def test_batches_take_different_slices_without_gaps_inside() -> None:
    starts = set()
    for number in range(40):
        made = draw(Enumerate(theory="bitvectors"), (), number, 20)
        places = [int(mutant.lineage[0].split()[-1]) for mutant in made]
        assert places[:2] == [places[0], places[0] + 1]
        starts.add(places[0])
    assert len(starts) > 35
    theories = {m.lineage[0].split()[1] for m in draw(Enumerate(), (), 3, 1500)}
    assert len(theories) > 8


def test_an_unknown_theory_is_refused() -> None:
    with pytest.raises(UsageError):
        next(iter(Enumerate(theory="colours").mutants((), Random(1), None)))


def test_solvers_take_the_scripts() -> None:
    with live_lab("cvc5", seconds=2) as lab:
        for theory in themes():
            strategy = Enumerate(theory=theory, size=4)
            for place in range(0, strategy.total(theory), strategy.total(theory) // 5):
                answer = lab.ask(Request("cvc5", strategy.script(theory, place)))
                assert answer.verdicts, (strategy.script(theory, place), answer.ending)
