"""`falsum fuzz` with sanitizer builds: no false alarms, and crashes with their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.toy.builds import PLANTED, SANITIZED, program

from falsum.app.main import main

SEED = """(set-logic QF_UF)
(declare-fun p () Bool)
(declare-fun q () Bool)
(declare-fun r () Bool)
(assert (or p q (not r)))
(assert (and (or (not p) q r) (= p (not r))))
(check-sat)
"""


@pytest.mark.parametrize(("flags", "found"), [(SANITIZED, 0), (PLANTED, 1)])
def test_an_overflow_is_one_finding(tmp_path: Path, flags: tuple[str, ...], found: int) -> None:
    (tmp_path / "seed.smt2").write_text(SEED)
    asked = ["-s", program(*flags), "-s", "z3", "-t", "opfuzz", "--count", "25", "--rng", "1"]
    with pytest.raises(SystemExit) as left:
        main(
            [
                "fuzz",
                str(tmp_path / "seed.smt2"),
                *asked,
                "-j1",
                "--no-triage",
                "--out",
                str(tmp_path / "out"),
            ]
        )
    assert left.value.code == found
    records = [json.loads(file.read_text()) for file in tmp_path.glob("out/findings/*/finding.json")]
    assert len(records) == found
    for record in records:
        assert "AddressSanitizer: heap-buffer-overflow at toy.cpp:16 in Solver::apply" in record["signature"]
        assert "internal error rate" not in record["signature"]  # its debug output
