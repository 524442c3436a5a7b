"""Reports in the form of each tracker."""

from __future__ import annotations

import pytest
from tests.app.report.example import SCRIPT, parts

from falsum.app.report import trackers
from falsum.app.report.trackers import Tracker


@pytest.mark.parametrize("tracker", trackers.ALL, ids=lambda tracker: tracker.product)
def test_every_report_has_what_a_maintainer_needs(tracker: Tracker) -> None:
    text = tracker.report(parts())
    for needed in (
        "# ", "unsat", "`sat`", SCRIPT.strip(), "4.8.6.0", "z3 smt.arith.solver=2 bug.smt2",
        "This model satisfies every assertion.", "(define-fun x () Int 6)",
        "Reproduced in 3 of 3 fresh processes, and in 2 of 3 with other random seeds.",
        "Needed: `smt.arith.solver=2`. Without it the answer is `sat`.", "| 4.8.6.0 … 4.8.7.0 (2) | bad |",
        "First bad: 4.8.6.0; last good: 4.8.5.0; fixed in: 5.4.0.0", "falsum", "seed.smt2",
    ):  # fmt: skip
        assert needed in text, needed
    assert "some/where" not in text


def test_reports_have_the_fields_of_the_projects_forms() -> None:
    z3 = trackers.BY_PRODUCT["z3"].report(parts())
    assert "### Minimal Reproduction" in z3
    assert "Incorrect result (SAT/UNSAT/Unknown)" in z3
    assert "last working version: 4.8.5.0" in z3
    assert "**cvc5 version/commit**" in trackers.BY_PRODUCT["cvc5"].report(parts())


def test_a_product_without_a_tracker_gets_the_generic_form() -> None:
    assert trackers.tracker_of("opensmt") is trackers.GENERIC
    assert trackers.tracker_of("cvc5").weekly == 3
