"""`falsum stability`: finds out which answers depend on luck."""

from __future__ import annotations

import click

from falsum.app import options
from falsum.app.audits.audit_options import AuditOptions, audit_options
from falsum.app.audits.audit_options import budget as budget_option
from falsum.app.audits.audit_options import install as install_option
from falsum.app.audits.audit_session import run_session
from falsum.app.audits.example_report import report_examples
from falsum.audits.examples import ExamplePlan, instability_examples
from falsum.audits.journal import Journal
from falsum.audits.orders import StabilityOrder
from falsum.audits.query.queries import Query
from falsum.audits.rows import AnyRow, Category, StabilityRow
from falsum.audits.stability import VARIANTS
from falsum.errors import UsageError
from falsum.solvers.zoo import Zoo


@click.command()
@audit_options(Category, (str(Category.UNSTABLE),))
@options.solver("Solver to ask")
@click.option(
    "--variants", type=click.IntRange(1, 10_000), default=VARIANTS, metavar="N", show_default=True,
    help="Maximum number of variants of each query.",
)  # fmt: skip
@click.option(
    "--adaptive/--all-variants", "is_adaptive", default=True, show_default=True,
    help="Stop asking variants of a query once its category is clear.",
)  # fmt: skip
@budget_option
@install_option
@click.pass_context
def command(
    context: click.Context,
    about: AuditOptions,
    names: tuple[str, ...],
    variants: int,
    budget: float | None,
    *,
    is_adaptive: bool,
    is_installing: bool,
) -> None:
    """Find out which answers depend on luck.

    QUERIES are files, directories, patterns, archives (.zip, .tar.*) and lists of files (@FILE). Each query
    is asked in variants that mean the same: assertions and declarations in another order, other names,
    another random seed, and all three. The share of variants that a solver decides puts each check into one
    of Mariposa's categories: stable (significantly more than 95 %), unsolvable (less than 5 %), unstable (in
    between), or inconclusive. The tests are exact binomial ones at 5 %.

    After 10, 20 and 40 variants, a query whose category is clear gets no more. With --budget, unstable
    queries are reduced while they stay unstable, and the first release on this machine that is unstable on
    them is found. Exit code 1 if a query is unstable (see --fail-on), 3 if a query cannot be read. Answers
    are kept in --out.
    """
    if not names:
        raise UsageError("name the solver to ask: falsum stability QUERIES --solver S")

    def make_examples(rows: list[AnyRow], queries: dict[str, Query], journal: Journal) -> None:
        measured = [row for row in rows if isinstance(row, StabilityRow)]
        examples = ExamplePlan(budget or 0.0, about.timeout, about.memory, Zoo(), is_installing)
        unstable = instability_examples(measured, queries, examples, journal)
        report_examples(unstable, about.out, err=about.as_json)

    order = StabilityOrder(names, variants, is_adaptive)
    context.exit(run_session("stability", about, order, make_examples if budget else None))
