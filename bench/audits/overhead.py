"""CPU time of falsum in comparison with that of the solvers it asks, by how long a query takes.

The queries are made here, or given. Both times are of the same processes in the same run, so that other load
matters little.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.audits.falsum_run import FalsumRun, run_falsum
from bench.audits.small_queries import write_queries
from bench.command import command_parser


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.audits.overhead", __doc__)
    parsed.add_argument("queries", type=Path, nargs="?", metavar="CORPUS", help="queries (default: made)")
    parsed.add_argument("--solver", default="z3", metavar="S", help="solver (default z3)")
    parsed.add_argument(
        "--holes", type=int, nargs="+", default=[6, 7, 8], metavar="N", help="sizes (default 6 7 8)"
    )
    parsed.add_argument(
        "--seconds", type=float, default=10, metavar="S", help="solvers' CPU time for each size (default 10)"
    )
    parsed.add_argument(
        "--timeout", default="2s", metavar="TIME", help="limit of CPU time for a check (default 2s)"
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
    print("| queries | command | runs | CPU time of a run | overhead |")
    print("| --- | --- | --- | --- | --- |")
    for holes in args.holes if args.queries is None else [0]:
        for name, command in commands.items():
            options = (*command, "--timeout", args.timeout, "-j1")
            first, done = _made(options, holes, args.seconds) if holes else _given(options, args.queries)
            solvers = done.solver_cpu - first.solver_cpu
            own = done.cpu - first.cpu - solvers
            runs = done.runs - first.runs
            kind = f"{holes + 1} pigeons, {holes} holes" if holes else args.queries.name
            print(
                f"| {kind} | {name} | {runs} | {1000 * solvers / runs:.0f} ms | {own / solvers:.1%} |",
                flush=True,
            )


def _made(options: tuple[str, ...], holes: int, seconds: float) -> tuple[FalsumRun, FalsumRun]:
    """A run with three queries, and one with as many as take so long. falsum starts in both."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        few = write_queries(home / "few", [holes], 3)
        first = run_falsum(*options, few, "--out", home / "first")
        count = 3 + max(3, round(3 * seconds / first.solver_cpu))
        many = write_queries(home / "many", [holes], count)
        return first, run_falsum(*options, many, "--out", home / "out")


def _given(options: tuple[str, ...], queries: Path) -> tuple[FalsumRun, FalsumRun]:
    """A run with a trifle, and one with these queries."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        trifle = write_queries(home / "trifle", [2], 1)
        first = run_falsum(*options, trifle, "--out", home / "first")
        return first, run_falsum(*options, queries, "--out", home / "out")


if __name__ == "__main__":
    main()
