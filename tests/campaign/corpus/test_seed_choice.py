"""Seeds of one logic or theory."""

from __future__ import annotations

import pytest

from falsum.campaign.corpus.seed_choice import THEORIES, chosen
from falsum.campaign.corpus.seed_files import SeedFile, digest_of
from falsum.errors import UsageError
from falsum.smtlib.theories import THEORIES as ALL_THEORIES


def _seed(logic: str, body: str) -> SeedFile:
    text = f"(set-logic {logic})\n{body}\n(check-sat)\n"
    return SeedFile(f"{logic}.smt2", digest_of(text), logic, bundled=text)


STRINGS = _seed("QF_S", "(declare-const s String)(assert (= s s))")
LENGTHS = _seed("QF_SLIA", '(assert (= (str.len (str.++ "a" "b")) 2))')
NUMBERS = _seed("LIA", "(assert (forall ((x Int)) (> (* 2 x) 1)))")
BROKEN = _seed("QF_S", "(assert")
ALL = (STRINGS, LENGTHS, NUMBERS, BROKEN)


def test_by_logic_and_theory() -> None:
    assert chosen(ALL) == ALL
    assert chosen(ALL, ["QF_S"]) == (STRINGS, BROKEN)
    assert chosen(ALL, [], ["strings"]) == (STRINGS, LENGTHS)
    assert chosen(ALL, [], ["arithmetic", "quantifiers"]) == (LENGTHS, NUMBERS)
    assert chosen(ALL, ["QF_S", "QF_SLIA"], ["arithmetic"]) == (LENGTHS,)


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(UsageError, match="no seed of QF_BV: the 4 seeds have the logics LIA, QF_S, QF_SLIA"):
        chosen(ALL, ["QF_BV"])


def test_every_theory_has_a_word() -> None:
    assert {theory.name for theory in ALL_THEORIES} - {"Core"} <= set(THEORIES.values())
