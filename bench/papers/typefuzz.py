"""The experiments of TypeFuzz (Park et al., OOPSLA 2021): Figures 5, 6 and 7.

`figure5`: status, type and number of options of the findings in a store, and `figure6`: the releases they
affect (both need `--store`; a group counts once). `figure7`: lines, functions and branches that the seeds,
opfuzz, typefuzz and yinyang's originals reach (needs `--program`, `--build` and `--corpus`; see
`bench.coverage.solver_code`). Results are kept in DIRECTORY; an interrupted run continues.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.command import command_parser
from bench.coverage.solver_code import SEEDS, compare, comparison_of
from bench.papers.store_tables import write_tables

FIGURE5 = (
    ("figure5a", "TypeFuzz, Figure 5a: status of the findings", "state"),
    ("figure5b", "TypeFuzz, Figure 5b: types of the findings", "kind"),
    ("figure5c", "TypeFuzz, Figure 5c: options that the findings need", "option"),
)
FIGURE6 = (("figure6", "TypeFuzz, Figure 6: findings that affect each release", "release"),)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.papers.typefuzz", __doc__)
    made.add_argument("experiment", choices=("figure5", "figure6", "figure7"), help="what to measure")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument("--store", type=Path, metavar="STORE", help="directory of campaigns")
    made.add_argument("--program", type=Path, metavar="PROGRAM", help="program built with coverage")
    made.add_argument("--build", type=Path, metavar="BUILD", help="folder it was built in")
    made.add_argument("--corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("--yinyang", type=Path, metavar="YINYANG_BIN", help="folder with yinyang's programs")
    made.add_argument("--small", action="store_true", help="a version of some minutes")
    return made


def main() -> None:
    args = parser().parse_args()
    if args.experiment != "figure7":
        if args.store is None:
            parser().error("--store is needed: the directory of a campaign")
        write_tables(
            args.directory, "typefuzz", args.store, FIGURE5 if args.experiment == "figure5" else FIGURE6
        )
        return
    if not (args.program and args.build and args.corpus):
        parser().error("--program, --build and --corpus are needed")
    count, each = (20, 10) if args.small else (1000, 300)
    comparison = comparison_of(args.program, args.build, args.corpus, count, each, args.yinyang)
    theirs = ["yinyang opfuzz", "yinyang typefuzz"] if args.yinyang else []
    compare(
        args.directory, "typefuzz-figure7", "TypeFuzz, Figure 7: code of the solver that was reached",
        comparison, [SEEDS, "opfuzz", "typefuzz", *theirs], ("lines", "functions", "branches"),
    )  # fmt: skip


if __name__ == "__main__":
    main()
