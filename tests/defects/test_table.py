"""The table of kinds: which need their oracle to be seen again, their order, and what has no place in it."""

from __future__ import annotations

import pytest

from falsum.defects import table
from falsum.defects.evidence.judgement import Defect
from falsum.errors import UsageError


def test_what_solvers_answer_to_one_script_shows_some_kinds_without_their_oracle() -> None:
    alone = {kind.name for kind in table.kinds() if not kind.needs_oracle}
    assert alone == {Defect.REFUTATION_UNSOUNDNESS, Defect.INVALID_MODEL, Defect.CRASH, Defect.STATE_LEAK}


def test_every_defect_has_a_kind_and_every_kind_an_oracle() -> None:
    names = {word for kind in table.kinds() for word in kind.words}
    assert names >= set(Defect) - {Defect.UNDECIDED}
    assert Defect.UNDECIDED not in names
    for kind in table.kinds():
        assert all(table.kind_named(word) is kind for word in kind.words)
        assert table.oracles_of(kind)
        assert all(oracle.defect.name == kind.name for oracle in table.oracles_of(kind))


def test_the_gravest_kind_comes_first() -> None:
    ranks = [kind.rank for kind in table.kinds()]
    assert ranks == sorted(set(ranks))
    assert [kind.name for kind in table.kinds()[:4]] == [
        Defect.REFUTATION_UNSOUNDNESS, Defect.INVALID_MODEL, Defect.INVALID_INVARIANT, Defect.CRASH,
    ]  # fmt: skip


def test_what_is_undecided_has_no_kind() -> None:
    assert table.kind_of(Defect.UNDECIDED) is None
    with pytest.raises(UsageError, match="unknown defect 'strange'; falsum has refutation unsoundness"):
        table.kind_named("strange")
