"""`falsum audit`: whether answers to queries are right, and how that is known."""

from __future__ import annotations

import click

from falsum.app import options
from falsum.app.audits.audit_options import AuditOptions, audit_options
from falsum.app.audits.audit_session import run_session
from falsum.audits.orders import AuditOrder
from falsum.audits.rows import Word
from falsum.errors import UsageError


@click.command()
@audit_options(Word, (str(Word.CONTRADICTED),))
@options.solver("Solver to ask")
@click.option(
    "--evidence/--no-evidence", default=True, show_default=True,
    help="Look for evidence: models, cores, proofs. Otherwise answers are only compared.",
)  # fmt: skip
@click.pass_context
def command(context: click.Context, about: AuditOptions, names: tuple[str, ...], *, evidence: bool) -> None:
    """Find out whether the answers to queries are right.

    QUERIES are files, directories, patterns, archives (.zip, .tar.*) and lists of files (@FILE). Each check
    of a query gets a word: contradicted (and who is wrong), confirmed (by a model that falsum's evaluator
    verifies, a core to which other products answer unsat as well, a checked proof), agreed (several
    independent products, no evidence), only the solver's word, or undecided. It also says which known
    soundness bugs of a release a query is exposed to.

    Answers are kept in --out, so that an interrupted audit can resume. Exit code 1 if something is
    contradicted (see --fail-on), 3 if a query cannot be read.
    """
    if not names:
        raise UsageError("name the solvers to ask: falsum audit QUERIES --solver S --solver S")
    context.exit(run_session("audit", about, AuditOrder(names, evidence)))
