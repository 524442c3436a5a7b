"""`falsum upgrade`: what changes for queries with another solver or release."""

from __future__ import annotations

import click

from falsum.app import options
from falsum.app.audits.audit_options import AuditOptions, audit_options
from falsum.app.audits.audit_options import budget as budget_option
from falsum.app.audits.audit_options import install as install_option
from falsum.app.audits.audit_session import run_session
from falsum.app.audits.example_report import report_examples
from falsum.app.solver_names import absolute_name
from falsum.audits.comparison import FACTOR, MAX_REPEATS, REPEATS
from falsum.audits.examples import ExamplePlan, loss_examples
from falsum.audits.journal import Journal
from falsum.audits.orders import UpgradeOrder
from falsum.audits.query.queries import Query
from falsum.audits.rows import AnyRow, Change, UpgradeRow
from falsum.audits.upgrade import SEEDS
from falsum.solvers.zoo import Zoo

_FAILURES = (Change.CONTRADICTED, Change.LOST, Change.REJECTED, Change.UNSTABLE, Change.SLOWER)


@click.command()
@audit_options(Change, tuple(map(str, _FAILURES)))
@click.option("--from", "old", required=True, metavar="S", help="Solver in use.")
@options.solver("Solver to change to", flags=("--to",), required=True)
@click.option(
    "--seeds", type=click.IntRange(1), default=SEEDS, metavar="N", show_default=True,
    help="Runs on each side that look for differences, each with another random seed.",
)  # fmt: skip
@click.option(
    "--repeats", type=click.IntRange(REPEATS, MAX_REPEATS), default=REPEATS, metavar="N", show_default=True,
    help="Further runs on each side that test a difference.",
)  # fmt: skip
@click.option(
    "--factor", type=click.FloatRange(1.1), default=FACTOR, metavar="X", show_default=True,
    help="Smallest ratio of CPU times that counts as slower or faster.",
)  # fmt: skip
@budget_option
@install_option
@click.pass_context
def command(
    context: click.Context,
    about: AuditOptions,
    old: str,
    names: tuple[str, ...],
    seeds: int,
    repeats: int,
    factor: float,
    budget: float | None,
    *,
    is_installing: bool,
) -> None:
    """Find out what changes for queries with another solver.

    QUERIES are files, directories, patterns, archives (.zip, .tar.*) and lists of files (@FILE). Each check
    is the same, lost (decided before, and not any more), won, contradicted (sat and unsat: the judge says who
    is wrong), slower, faster, rejected (an option, a command or the format of models changed), unstable
    (decided with some random seeds only), or undecided on both sides.

    A difference in the first runs is only suspected. It counts if further runs, both solvers in turn and each
    time with another random seed, confirm it: lost and won by Fisher's exact test on how many runs decide,
    slower and faster by the exact rank-sum test on CPU time, both one-sided at 1 %.

    With --budget, one query of each cluster of losses is reduced while it stays lost, and the first release
    on this machine that loses it is found.

    Exit code 1 if something got worse (see --fail-on), 3 if a query cannot be read. Answers are kept in
    --out, so that an interrupted comparison can resume.
    """

    def make_examples(rows: list[AnyRow], queries: dict[str, Query], journal: Journal) -> None:
        compared = [row for row in rows if isinstance(row, UpgradeRow)]
        examples = ExamplePlan(budget or 0.0, about.timeout, about.memory, Zoo(), is_installing)
        losses = loss_examples(compared, queries, examples, journal)
        report_examples(losses, about.out, err=about.as_json)

    order = UpgradeOrder(absolute_name(old), names, seeds, factor, repeats)
    context.exit(run_session("upgrade", about, order, make_examples if budget else None))
