"""Known errors are counted, and not reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.api.conftest import Make

from falsum.api.known_errors import KnownErrors
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult, RunStatus
from falsum.api.trace import Trace
from falsum.errors import UsageError


def failed(status: RunStatus, kind: str, evidence: str) -> RunResult:
    return RunResult(Trace((), {}), status, kind, evidence)


def test_patterns_match_the_kind_and_the_message() -> None:
    known = KnownErrors({"z3": [r"^check: signal \d+"], "*": ["segmentation"], "cvc5": ["model"]}, "z3")
    assert known.match(failed(RunStatus.CRASHED, "check", "signal 6: std::get"))
    assert known.match(failed(RunStatus.CRASHED, "push", "segmentation fault"))
    assert not known.match(failed(RunStatus.CRASHED, "push", "signal 6"))
    assert not known.match(failed(RunStatus.CHECK_FAILED, "model", "t1 is false in the model"))
    assert not known.match(failed(RunStatus.REFUSED, "check", "signal 6"))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"zzz3": ["a"]}, "unknown product zzz3; use \\* or one of bitwuzla, z3"),
        ({"z3": ["("]}, "invalid regular expression '\\('"),
    ],
)
def test_wrong_entries_are_refused(table: dict[str, list[str]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        KnownErrors(table, "z3")


def test_a_known_failure_is_no_finding_and_is_found_again(
    make: Make, plant: Callable[[str, str], Path]
) -> None:
    fault = plant("bitwuzla", "def push(self, levels):\n    raise RuntimeError('out of luck')\n")
    settings = Settings(theories=("bitvectors",), options=0, compare=0, known={"bitwuzla": ("push: .*luck",)})
    fuzzer = make("bitwuzla", settings, fault)
    results = [fuzzer.run(number) for number in range(12)]
    known = [result for result in results if result.status is RunStatus.KNOWN]
    assert known
    assert not any(result.is_wrong for result in results)
    assert fuzzer.replay(known[0].trace).is_wrong  # a replay shows what there is
