"""`falsum workers`: lists the workers of a cluster."""

from __future__ import annotations

import json
import sys

import click
import msgspec
from rich.console import Console
from rich.table import Table

from falsum.app import exit_codes, options
from falsum.campaign.executors.worker_list import ListedWorker, listed_workers
from falsum.printable import printable


@click.command()
@click.argument("address", metavar="ADDRESS")
@options.json_lines("worker")
@click.pass_context
def command(context: click.Context, address: str, *, as_json: bool) -> None:
    """List the workers of a cluster with their last errors.

    ADDRESS is that of the scheduler, tcp://HOST:PORT or tls://HOST:PORT; a campaign prints it when it
    starts. Workers that are gone or not used are listed as well. Exit code 3 if there is no worker.
    """
    workers = listed_workers(address)
    if as_json:
        for worker in workers:
            click.echo(json.dumps(msgspec.to_builtins(worker)))
    else:
        Console(file=sys.stdout, highlight=False, markup=False).print(_table(workers))
    if not any(worker.is_there for worker in workers):
        context.exit(exit_codes.BROKEN_SURROUNDINGS)


def _table(workers: list[ListedWorker]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("worker", "host", "cores", "running", "done", "falsum"):
        table.add_column(title, no_wrap=True)
    table.add_column("last error", overflow="fold")
    for one in workers:
        counts = (str(one.slots), str(one.running), str(one.done)) if one.is_there else ("-", "-", "-")
        table.add_row(*map(printable, (one.address, one.host, *counts, one.release, one.error)))
    return table
