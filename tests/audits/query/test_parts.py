"""Queries are cut into parts, and checks are asked alone, as text."""

from __future__ import annotations

from falsum.audits.query.parts import parts_of, plain
from falsum.audits.query.seeds import without_seeds

QUERY = """; a comment
(set-option :smt.mbqi false)
(set-option :produce-models true)
(declare-const x Int)
(push 1)
(assert (> x 1))
(check-sat)
(get-info :reason-unknown)
(pop 1)
(assert (< x 1))
(check-sat)
(get-model)
(echo "(check-sat)")
"""


def names(text: str) -> list[str]:
    return [line.split()[0].strip("()") for line in text.splitlines() if line.startswith("(")]


def test_a_check_alone_keeps_options_and_scopes() -> None:
    (part,) = parts_of(QUERY)
    assert names(part.alone(1)) == [
        "set-option", "set-option", "declare-const", "push", "assert", "pop", "assert", "check-sat",
    ]  # fmt: skip
    assert names(part.alone(0))[-2:] == ["assert", "check-sat"]


def test_the_rest_keeps_later_requests_alone() -> None:
    (part,) = parts_of(QUERY)
    assert part.rest(0) == part.text
    assert names(part.rest(1)).count("check-sat") == 1
    assert names(part.rest(1))[-2:] == ["get-model", "echo"]
    assert "get-info" not in names(part.rest(1))


def test_resets_part_and_exit_ends() -> None:
    text = "(check-sat)(check-sat)(reset)(reset)(assert true)(check-sat)(exit)(check-sat)"
    parts = parts_of(text)
    assert [(part.first, len(part.checks)) for part in parts] == [(0, 2), (2, 1)]
    assert not parts_of("(assert true)")


def test_plain_text_has_no_options_of_a_product() -> None:
    assert names(plain(QUERY)).count("set-option") == 1
    assert ":smt.mbqi" not in plain(QUERY)
    assert "get-model" not in plain(QUERY)


def test_numbers_that_one_product_lets_one_leave_out_are_added() -> None:
    text = (
        '(push)\n(declare-sort |T ;|)\n(assert (= s "\n(push)\n"))\n( pop )\n(push 2)\n(declare-sort U 1)\n'
    )
    numbered = text.replace("(push)\n(d", "(push 1)\n(d").replace("|)", "| 0)").replace("( pop )", "( pop 1)")
    assert plain(text) == numbered


def test_reserved_symbols_get_other_names() -> None:
    text = '(assert (! (forall ((@x0 T)) (= (a.b @x0) "@x0 @" |@ x| (f .y))) :named @query))\n'
    expected = text.replace("(@x0", "(reserved@x0").replace(" @x0)", " reserved@x0)")
    assert plain(text) == expected.replace(" .y", " reserved.y").replace(" @query", " reserved@query")


def test_seeds_are_taken_out_alone() -> None:
    options = "(set-option :random-seed 5)(set-option :smt.random_seed 1)( set-option :sat.random_seed 2 )"
    kept = "(set-option :smt.mbqi false)(assert true)"
    assert without_seeds(options + kept) == kept
