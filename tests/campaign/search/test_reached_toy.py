"""Campaigns guided by edges find a bug behind nested conditions, in the toy solver built with AFL++."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from tests.campaign.test_campaign import Log
from tests.toy.builds import AFL, NESTED, program

from falsum.app.commands.report import command as report
from falsum.app.pages.campaign_figures import read_figures
from falsum.campaign.corpus.seed_files import gather
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.runner import FuzzRunner
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.guides import COVERAGE, NONE
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.search.schedule import LEARN
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.reader import StoreReader
from falsum.store.store import Store

# The bug needs five other operators at the top of the assertions.
SEED = (
    "(set-logic QF_UF)(declare-const p Bool)(declare-const q Bool)" + 5 * "(assert (and p q))" + "(check-sat)"
)
TRIALS = 10
ADVANTAGE = 5


def outcomes(folder: Path, guide: str, rng: int, count: int) -> Iterator[BatchOutcome]:
    """The outcomes of a campaign of so many mutants with one worker."""
    folder.mkdir()
    (folder / "seed.smt2").write_text(SEED)
    plan = FuzzPlan(
        seeds=(),
        solvers=(program(*NESTED, compiler=AFL),),
        strategies=("opfuzz",),
        rng=rng,
        timeout=5.0,
        memory=512,
        count=count,
        schedule=LEARN,
        guide=guide,
        models=0.0,
    )
    solvers = [resolve(name, Zoo()) for name in plan.solvers]
    with Store(folder / "out") as store, closing(FuzzRunner()) as runner:
        seeds = gather([str(folder)]).seeds
        number = store.begin(plan.plain())
        workload = FuzzWorkload(plan, store, number, seeds, solvers, {"opfuzz": 1}, Log())
        while (task := workload.next(0.0, 1)) is not None:
            outcome = msgspec.msgpack.decode(runner.run(task, bool), type=BatchOutcome)
            store.record(number, outcome.record, seeds=outcome.seeds)
            workload.take(outcome)
            yield outcome


def mutants_to_bug(folder: Path, guide: str, rng: int, most: int) -> int:
    """The number of mutants to the first crash; one more than `most` if none of them shows it."""
    mutants = 0
    for outcome in outcomes(folder, guide, rng, most):
        mutants += outcome.record.made
        if outcome.findings:
            assert [finding.kind for finding in outcome.findings] == ["crash"]
            return mutants
    return most + 1


def test_a_guided_campaign_finds_what_is_behind_conditions(tmp_path: Path) -> None:
    assert mutants_to_bug(tmp_path / "guided", COVERAGE, 7, 4000) <= 4000


@pytest.mark.slow
def test_a_guided_campaign_needs_a_fifth_of_the_mutants(tmp_path: Path) -> None:
    guided = [mutants_to_bug(tmp_path / f"guided{n}", COVERAGE, n, 4000) for n in range(TRIALS)]
    assert max(guided) <= 4000
    most = ADVANTAGE * int(statistics.median(guided))
    unguided = [mutants_to_bug(tmp_path / f"unguided{n}", NONE, n, most) for n in range(TRIALS)]
    assert statistics.median(unguided) >= most


def test_a_report_has_the_edges(tmp_path: Path) -> None:
    reached = sum(1 for _ in outcomes(tmp_path / "x", COVERAGE, 1, 60))
    assert reached
    folder = tmp_path / "x" / "out"
    with StoreReader(folder) as store:
        figures = read_figures(store)
    assert figures is not None
    ((name, configuration, count),) = figures.edges
    assert (name, configuration) == ("opfuzz", "")
    assert count > 100
    (plot,) = (plot for plot in figures.plots if plot.key == "edges")
    assert plot.series[0].values[-1] == count
    assert figures.rarest
    assert all(one.batches >= 1 and one.seed.startswith("mutant ") for one in figures.rarest)
    text = CliRunner().invoke(report, [str(folder), "--to", str(tmp_path / "report")])
    assert text.exit_code == 0, text.output
    page = (tmp_path / "report" / "report.html").read_text()
    assert "edges first reached" in page
    assert "rare edge" in page
