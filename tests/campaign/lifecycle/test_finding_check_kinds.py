"""Checks of findings that no single script shows: leaks, what only an oracle tells, traces of libraries."""

from __future__ import annotations

from pathlib import Path

import msgspec
from tests.app.report.example import RECORD, TRIAGE
from tests.campaign.places import HONEST, leaky, liar
from tests.campaign.triage.test_steps import record

from falsum.campaign.lifecycle.finding_check import HistoryCheck, OracleCheck, check_of
from falsum.campaign.triage import result
from falsum.defects.targets.standing import Standing
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import ExchangeRecord

LIMITS = Limits(seconds=10.0, memory=1024)
POISON = "(declare-const y Int)(assert (< 0 (abs y)))(check-sat)\n"
LAST = "(declare-const x Int)(assert (> x 5))(check-sat)\n"
MARKED = "(declare-const x Int)(assert (<= x 5))(check-sat)\n"


def test_a_leak_is_checked_by_its_history(tmp_path: Path) -> None:
    check = HistoryCheck("z3", (POISON, LAST), LIMITS)
    shown = check.row(resolve(leaky(tmp_path, "abs"), Zoo()))
    assert (shown.standing, "unsat" in shown.said) == (Standing.BAD, True)
    assert check.row(resolve("z3", Zoo())).standing is Standing.GOOD
    harmless = HistoryCheck("z3", (LAST, LAST), LIMITS)
    assert harmless.row(resolve(leaky(tmp_path, "abs"), Zoo())).standing is Standing.GOOD


def answered(solver: str) -> ExchangeRecord:
    answer = {"verdicts": ["sat"], "ending": "finished", "cause": "", "detail": "", "seconds": 0.1}
    return ExchangeRecord(solver, "", (), MARKED, "verdict", True, answer, "sat\n", "")


def test_what_nobody_is_blamed_for_is_told_by_its_oracle() -> None:
    """The solver in question is exchanged, the others that the finding knows by name are asked again."""
    found = msgspec.structs.replace(
        record("disagreement", "toy", MARKED), exchanges=(answered("toy"), answered("z3"))
    )
    check = OracleCheck("generic", found, LIMITS, Zoo())
    assert check.row(resolve(liar("verdict", "<="), Zoo())).standing is Standing.BAD
    assert check.row(resolve(HONEST, Zoo())).standing is Standing.GOOD
    assert check.row(resolve(liar("unknown", "<="), Zoo())).standing is Standing.UNKNOWN


def test_programs_of_others_are_not_asked_again() -> None:
    """With nobody to compare with, an answer alone says that it is gone only if it decides."""
    found = msgspec.structs.replace(
        record("disagreement", "toy", MARKED), exchanges=(answered("/somebody/elses"),)
    )
    row = OracleCheck("generic", found, LIMITS, Zoo()).row(resolve(liar("unknown", "<="), Zoo()))
    assert row.standing is Standing.UNKNOWN


def test_a_flaky_one_is_never_called_gone() -> None:
    found = msgspec.structs.replace(
        record("flaky", "toy", MARKED), seemed="disagreement", exchanges=(answered("toy"), answered("z3"))
    )
    assert (
        OracleCheck("generic", found, LIMITS, Zoo()).row(resolve(HONEST, Zoo())).standing is Standing.UNKNOWN
    )


def test_the_check_follows_from_what_triage_has_found(tmp_path: Path) -> None:
    folder = finding_folder.write(tmp_path, RECORD)
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, history=(POISON, LAST)))
    assert check_of(folder, LIMITS, Zoo()) == HistoryCheck(TRIAGE.product, (POISON, LAST), LIMITS)
    result.write(folder, result.TRIAGE, msgspec.structs.replace(TRIAGE, target=None))
    check = check_of(folder, LIMITS, Zoo())
    assert isinstance(check, OracleCheck)
    assert (check.product, check.record) == (TRIAGE.product, RECORD)
