"""Regular expressions: corners, laws against Python's own engine, depth and budgets."""

from __future__ import annotations

import gc
import re
from itertools import product
from random import Random

import pytest
from tests.smtlib.values.samples import regex as random_regex
from tests.smtlib.values.samples import word

from falsum.smtlib.values import automata, derivatives, regexes
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.derivatives import equivalent, example, is_empty, matches
from falsum.smtlib.values.regexes import ALL, ALLCHAR, EPSILON, NONE, Regex

A, B = regexes.literal("a"), regexes.literal("b")
AB = regexes.union(A, B)
DEEP = 10_000


@pytest.mark.parametrize(
    ("regex", "inside", "outside"),
    [
        (NONE, [], ["", "a"]),
        (ALL, ["", "a", "\U0002ffff\ud800"], []),
        (ALLCHAR, ["a", "\U0002ffff", "\0"], ["", "aa"]),
        (EPSILON, [""], ["a"]),
        (regexes.literal(""), [""], ["a"]),
        (regexes.literal("ab"), ["ab"], ["", "a", "b", "abc", "AB"]),
        (regexes.range_("b", "d"), ["b", "c", "d"], ["a", "e", "", "bc"]),
        (regexes.range_("d", "b"), [], ["b", "c", "d", ""]),
        (regexes.range_("a", "bc"), [], ["a", "b", ""]),
        (regexes.range_("", "b"), [], ["a", "b", ""]),
        (regexes.loop(A, 2, 3), ["aa", "aaa"], ["", "a", "aaaa"]),
        (regexes.loop(A, 3, 2), [], ["", "aa", "aaa"]),
        (regexes.loop(A, 0, 0), [""], ["a"]),
        (regexes.loop(A, 0, 1), ["", "a"], ["aa"]),
        (regexes.loop(A, 2, None), ["aa", "aaaaa"], ["", "a"]),
        (regexes.loop(NONE, 0, 5), [""], ["a"]),
        (regexes.loop(NONE, 1, 5), [], ["", "a"]),
        (regexes.loop(regexes.opt(A), 3, 4), ["", "a", "aaaa"], ["aaaaa"]),
        (regexes.power(A, 0), [""], ["a"]),
        (regexes.power(NONE, 0), [""], ["a"]),
        (regexes.power(A, 3), ["aaa"], ["aa", "aaaa"]),
        (regexes.opt(A), ["", "a"], ["aa", "b"]),
        (regexes.plus(A), ["a", "aa"], ["", "ab"]),
        (regexes.star(AB), ["", "abba"], ["abc"]),
        (regexes.comp(A), ["", "b", "aa"], ["a"]),
        (regexes.comp(ALL), [], ["", "a"]),
        (regexes.diff(regexes.star(A), A), ["", "aa"], ["a", "b"]),
        (regexes.diff(AB, A, B), [], ["a", "b"]),
        (regexes.inter(AB, A), ["a"], ["b", ""]),
        (regexes.inter(regexes.star(A), regexes.star(B)), [""], ["a", "b"]),
        (regexes.inter(EPSILON, regexes.star(B)), [""], ["b"]),
        (regexes.inter(EPSILON, B), [], ["", "b"]),
        (regexes.inter(), ["", "x"], []),
        (regexes.concat(ALL, A, ALL), ["a", "bab"], ["", "bb"]),
    ],
)
def test_membership(regex: Regex, inside: list[str], outside: list[str]) -> None:
    for text in inside:
        assert matches(regex, text) is True
    for text in outside:
        assert matches(regex, text) is False
    assert is_empty(regex) is (not inside)


def test_same_shape_is_same_object() -> None:
    assert regexes.union(A, B, A) is regexes.union(B, A)
    assert regexes.comp(regexes.comp(A)) is A
    assert regexes.star(regexes.star(A)) is regexes.star(A)
    assert regexes.star(ALLCHAR) is ALL
    assert regexes.concat(A, NONE, B) is NONE
    assert regexes.concat(ALL, ALL) is ALL
    assert regexes.union(A, ALL) is ALL
    assert regexes.union() is NONE
    assert regexes.opt(regexes.star(A)) is regexes.star(A)


def test_dead_nodes_are_forgotten() -> None:
    automata.automaton_of.cache_clear()
    gc.collect()
    before = len(regexes._nodes)
    regex = regexes.concat(regexes.star(regexes.literal("forgotten" * 50)), regexes.comp(NONE))
    assert matches(regex, "forgotten" * 100) is True
    assert derivatives.by_derivatives(regex, "forgotten" * 100) is True
    del regex
    automata.automaton_of.cache_clear()  # it keeps a few automata
    gc.collect()
    assert len(regexes._nodes) == before


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (regexes.star(AB), regexes.star(regexes.union(regexes.star(A), regexes.star(B))), True),
        (regexes.concat(A, regexes.star(regexes.concat(B, A))),
         regexes.concat(regexes.star(regexes.concat(A, B)), A), True),
        (regexes.comp(regexes.inter(A, ALL)), regexes.diff(ALL, A), True),
        (regexes.loop(A, 1, 3), regexes.union(A, regexes.loop(A, 2, 3)), True),
        (regexes.plus(A), regexes.star(A), False),
        (regexes.range_("a", "c"), AB, False),
        (regexes.concat(A, ALL), regexes.concat(ALL, A), False),
        (NONE, regexes.inter(regexes.plus(A), regexes.plus(B)), True),
    ],
)  # fmt: skip
def test_equivalence(left: Regex, right: Regex, same: bool) -> None:
    assert equivalent(left, right) is same
    assert equivalent(right, left) is same


def test_examples_are_shortest() -> None:
    assert example(NONE) is None
    assert example(regexes.star(A)) == ""
    assert example(regexes.concat(regexes.plus(A), B)) == "ab"
    assert example(regexes.diff(regexes.plus(A), A, regexes.literal("aa"))) == "aaa"
    assert example(regexes.range_("x", "z")) == "x"


@pytest.mark.parametrize(
    ("regex", "text", "nonempty", "place"),
    [
        (regexes.star(A), "baa", False, (0, 0)),
        (regexes.star(A), "baa", True, (1, 2)),
        (regexes.literal("aa"), "baa", False, (1, 3)),
        (regexes.union(regexes.literal("ab"), A), "xab", False, (1, 2)),
        (regexes.concat(regexes.star(A), B), "caab", True, (1, 4)),
        (B, "aaa", False, None),
        (EPSILON, "", True, None),
        (EPSILON, "", False, (0, 0)),
        (NONE, "", False, None),
    ],
)
def test_shortest_leftmost(regex: Regex, text: str, nonempty: bool, place: tuple[int, int] | None) -> None:
    assert derivatives.shortest_leftmost(regex, text, nonempty) == place


def test_against_sets_of_words() -> None:
    """Every operator on random regexes, against its definition on all short words."""
    rng = Random(3)
    words = ["".join(chars) for size in range(5) for chars in product("ab", repeat=size)]
    for _ in range(60):
        (_, one), (_, two) = random_regex(rng, 3), random_regex(rng, 3)
        first = {text for text in words if matches(one, text) is True}
        second = {text for text in words if matches(two, text) is True}
        pairs = {left + right for left in first for right in second}
        for text in words:
            assert matches(regexes.union(one, two), text) is (text in first | second)
            assert matches(regexes.inter(one, two), text) is (text in first & second)
            assert matches(regexes.diff(one, two), text) is (text in first - second)
            assert matches(regexes.comp(one), text) is (text not in first)
            assert matches(regexes.concat(one, two), text) is (text in pairs)


def test_automata_agree_with_derivatives() -> None:
    """Most languages have an automaton; words are asked for twice, since states are kept."""
    rng = Random(5)
    decided = {True: 0, False: 0}
    for _ in range(300):
        _, regex = random_regex(rng, 4)
        for text in 2 * [word(rng, 6) for _ in range(5)]:
            held = derivatives.by_derivatives(regex, text)
            assert matches(regex, text) is held
            assert isinstance(held, bool)
            decided[held] += 1
    assert min(decided.values()) > 500


def test_what_a_word_costs_does_not_depend_on_earlier_words() -> None:
    """So that a budget is exhausted for the same questions in every process."""
    text = "ab" * 20
    for regex in (regexes.star(AB), regexes.concat(ALL, A, regexes.power(AB, 5), ALL, B)):
        fresh = []
        for budget in range(0, 600, 7):
            automata.automaton_of.cache_clear()
            fresh.append(str(matches(regex, text, budget)))
        assert len(set(fresh)) == 2
        assert [str(matches(regex, text, budget)) for budget in range(0, 600, 7)] == fresh


def test_large_automata_are_not_kept() -> None:
    regex = regexes.loop(regexes.concat(regexes.opt(A), regexes.opt(B)), 0, 20_000)
    assert matches(regex, "a" * 5) is True
    found = automata.automaton_of(regex)
    assert found is not None
    assert not found._positions
    assert not found._states
    small = automata.automaton_of(regexes.star(A))
    assert small is not None
    assert small.accepts("aa", 100) is True
    assert small._states


def test_questions_agree_with_each_other() -> None:
    rng = Random(4)
    for _ in range(200):
        (_, one), (_, two) = random_regex(rng, 3), random_regex(rng, 3)
        shortest = example(one)
        assert not isinstance(shortest, CannotSay)
        if shortest is not None:
            assert matches(one, shortest) is True
        difference = regexes.union(regexes.diff(one, two), regexes.diff(two, one))
        assert equivalent(one, two) is is_empty(difference)


def test_against_python() -> None:
    rng = Random(2)
    for pattern, regex in (
        ("(ab|a)*b?", regexes.concat(regexes.star(regexes.union(regexes.literal("ab"), A)),
                                     regexes.opt(B))),
        ("((a|b){2,3}a){0,2}", regexes.loop(regexes.concat(regexes.loop(AB, 2, 3), A), 0, 2)),
        (".*aa.*", regexes.concat(ALL, regexes.literal("aa"), ALL)),
    ):  # fmt: skip
        compiled = re.compile(pattern, re.DOTALL)
        for _ in range(200):
            text = word(rng, 9)
            assert matches(regex, text) is (compiled.fullmatch(text) is not None)


def test_deep_nesting_needs_no_stack() -> None:
    left = right = spine = choice = A
    for i in range(DEEP):
        left = regexes.concat(left, AB)
        right = regexes.concat(AB, right)
        spine = regexes.star(regexes.concat(A, spine))
        choice = regexes.union(choice, regexes.literal("b" + chr(i)))
    assert matches(left, "a" * (DEEP + 1)) is True
    assert matches(left, "a" * DEEP) is False
    assert matches(right, "b" * DEEP + "a") is True
    assert matches(right, "b" * DEEP + "c") is False
    assert matches(spine, "", 10**6) is True
    assert matches(spine, "b", 10**6) is False
    assert matches(choice, "b" + chr(77)) is True
    assert matches(choice, "b" + chr(DEEP)) is False
    assert matches(regexes.literal("ab" * DEEP), "ab" * DEEP) is True


def test_large_counts_are_not_expanded() -> None:
    assert matches(regexes.loop(A, 0, 100_000), "a" * 1000) is True
    assert matches(regexes.loop(A, 2000, 100_000), "a" * 1000) is False
    assert matches(regexes.power(regexes.literal("ab"), 10**30), "abab") is False
    assert matches(regexes.loop(AB, 999, 10**30), "ab" * 500) is True


def test_an_exhausted_budget_is_cannot_say() -> None:
    # The n-th letter from the end: a million subsets to remember.
    ends = regexes.concat(regexes.star(AB), A, regexes.power(AB, 20))
    other = regexes.concat(regexes.star(AB), B, regexes.power(AB, 20))
    assert isinstance(is_empty(regexes.inter(ends, other), 10_000), CannotSay)
    assert isinstance(equivalent(ends, regexes.concat(ends, EPSILON, A), 300), CannotSay)
    assert isinstance(matches(regexes.star(AB), "ab" * 100, 50), CannotSay)
    assert isinstance(
        derivatives.shortest_leftmost(regexes.concat(regexes.star(A), B), "a" * 100, True, 50),
        CannotSay,
    )
