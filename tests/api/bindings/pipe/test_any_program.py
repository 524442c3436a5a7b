"""A program of which nothing is known is asked only what it has answered in a trial."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

# As yices-smt2 without --incremental: one check, and no assertion after it.
ONE_CHECK = f"""#!{sys.executable}
import sys

has_checked = False
for command in sys.stdin:
    word = command.strip("()\\n").split(" ")[0]
    if word in ("push", "pop", "check-sat-assuming", "reset-assertions", "get-value"):
        answer = f'(error "{{word}} is not allowed in non-incremental mode")'
    elif has_checked and word == "check-sat":
        answer = '(error "multiple calls to (check-sat) are not allowed in non-incremental mode")'
    elif has_checked and word == "assert":
        answer = '(error "assertions are not allowed after (check-sat) in non-incremental mode")'
    elif word == "check-sat":
        has_checked, answer = True, "sat"
    else:
        answer = "success"
    print(answer, flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "one-check"
    file.write_text(ONE_CHECK)
    file.chmod(0o755)
    return file


def test_a_program_with_one_check_is_no_finding(program: Path) -> None:
    settings = Settings(pipe=True, logic="QF_BV", options=0, seconds=5.0)
    with Fuzzer(resolve(str(program), Zoo()), settings) as fuzzer:
        assert not fuzzer.capabilities.has("incremental")
        results = [fuzzer.run(number) for number in range(25)]
    assert {result.status for result in results} == {RunStatus.DONE}, [r.evidence for r in results]
