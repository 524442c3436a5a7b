"""`falsum.audit`, `falsum.upgrade` and `falsum.stability` give the rows of the commands."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.audits.plants import honest, liar, planted, write

import falsum
import falsum.audits.rows  # the room does not hide the function
from falsum import SurroundingsError, UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = Random(6)
    return write(tmp_path / "queries", honest(2, rng) | {"plant_lost": planted(rng)["plant_lost"]})


@pytest.mark.timeout(300)
def test_rows_are_typed_and_in_the_order_of_the_queries(folder: Path, tmp_path: Path) -> None:
    rows = falsum.audit(folder, ["z3"], evidence=False, out=tmp_path / "out")
    assert [Path(row.query).stem for row in rows] == ["honest0", "honest1", "plant_lost"]
    assert all(isinstance(row, falsum.AuditRow) and row.word == "only the solver's word" for row in rows)
    changes = falsum.upgrade([folder], "z3", liar(tmp_path), out=tmp_path / "out")
    assert [str(row.change) for row in changes] == ["same", "same", "lost"]
    measured = falsum.stability(str(folder / "honest1.smt2"), ["z3"])
    assert [str(row.category) for row in measured] == ["stable"]


def test_what_makes_no_sense_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="solver"):
        falsum.audit(folder, [])
    with pytest.raises(SurroundingsError, match="nowhere"):
        falsum.audit("nowhere.smt2", ["z3"])
    (folder / "x.smt2.gz").write_bytes(b"no gzip")
    with pytest.raises(SurroundingsError, match="not a gzip"):
        falsum.audit(folder, ["z3"], evidence=False)
