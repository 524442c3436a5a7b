"""CPU time of falsum in comparison with that of the solvers it asks, by how long a query takes.

The queries are made here. Both times are of the same processes in the same run, so that other load matters little.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.audits.falsum_run import run_falsum
from bench.audits.small_queries import write_queries
from bench.command import command_parser


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.audits.overhead", __doc__)
    parsed.add_argument("--solver", default="z3", metavar="S", help="solver (default z3)")
    parsed.add_argument(
        "--holes", type=int, nargs="+", default=[6, 7, 8], metavar="N", help="sizes (default 6 7 8)"
    )
    parsed.add_argument(
        "--seconds",
        type=float,
        default=10,
        metavar="S",
        help="CPU time of solvers for each size (default 10)",
    )
    return parsed


def main() -> None:
    args = parser().parse_args()
    commands = {
        "audit": ("audit", "--solver", args.solver),
        "audit --no-evidence": ("audit", "--no-evidence", "--solver", args.solver),
        "upgrade": ("upgrade", "--from", args.solver, "--to", f"{args.solver}:smt.random_seed=7"),
        "stability": ("stability", "--solver", args.solver),
    }
    print("| query | runs | CPU time of a run | audit | audit --no-evidence | upgrade | stability |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for holes in args.holes:
        cells, runs, seconds = [], 0, 0.0
        for command in commands.values():
            with tempfile.TemporaryDirectory() as name:
                home = Path(name)
                first = run_falsum(
                    *command, write_queries(home / "one", [holes], 3), "--out", home / "first", "-j1"
                )
                count = max(3, round(args.seconds / first.solver_cpu * 3))
                done = run_falsum(
                    *command, write_queries(home / "all", [holes], count), "--out", home / "out", "-j1"
                )
                runs += done.runs - first.runs
                seconds += done.solver_cpu - first.solver_cpu
                started = first.cpu - first.solver_cpu  # falsum starts once, however many queries there are
                own = done.cpu - done.solver_cpu - started
                cells.append(f"{own / (done.solver_cpu - first.solver_cpu):.1%}")
        print(
            f"| {holes + 1} pigeons, {holes} holes | {runs} | {1000 * seconds / runs:.0f} ms | {' | '.join(cells)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
