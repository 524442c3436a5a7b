"""Known wrong verdicts that a campaign finds again from the seeds of each bug alone, in so many CPU seconds.

For every bug of z3 in KNOWN_BUGS that an installed release shows with default options, each side runs once
on the release that shows it, in comparison with the newest one, from the bug's seeds, which do not show it.
It is found if a finding gets the same wrong verdict from that release, but neither from the one with the fix
nor from the newest. (Of other products the newest release has no program, which yinyang needs.)

Results are kept in DIRECTORY; the command continues where it stopped.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from bench.campaign.ablation import FIRST, FLAGS
from bench.campaign.sides import Hunt, Side, by_status, sides
from bench.command import command_parser
from bench.experiment import Experiment, Record, Unit
from bench.known_bugs import Bug, lab_for, load, shows

from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

_PRODUCT = "z3"
_SECONDS = 3.0  # CPU time of a solver, to see whether a finding shows the bug


def measure(side: Side, bug: Bug, cpu: float, rng: int) -> dict[str, Any]:
    """Run one side once: its CPU time, and after how much of it the bug was found, if it was."""
    zoo = Zoo()
    tested, newest = (f"{resolve(name, zoo).served_release.program}" for name in (bug.buggy, bug.newest))
    programs = (f"{tested} {FLAGS[_PRODUCT]}", f"{newest} {FLAGS[_PRODUCT]}")
    with tempfile.TemporaryDirectory() as folder:
        files = tuple(_written(Path(folder, "seeds"), bug))
        run = Path(folder, "run")
        run.mkdir()
        hunt = Hunt(bug.buggy, bug.newest, programs, files, *by_status(files, bug.newest), cpu, rng)
        found = side(hunt, run)
    with lab_for([bug], (), zoo, _SECONDS) as lab:
        times = [one.cpu for one in found.suspicions if shows(bug, one.script, lab)]
    return {
        "cpu": found.cpu,
        "suspicions": len(found.suspicions),
        "found": round(min(times), 1) if times else None,
    }


def _written(folder: Path, bug: Bug) -> Iterator[Path]:
    folder.mkdir()
    for seed in bug.seeds:
        file = folder / f"{seed.name}.smt2"
        file.write_text(seed.text, encoding="utf-8")
        yield file


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.single_bugs", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("directory", type=Path, metavar="DIRECTORY", help="where results are kept")
    made.add_argument(
        "--cpu", type=float, default=20.0, metavar="S", help="CPU seconds for each bug (default 20)"
    )
    made.add_argument("--count", type=int, metavar="N", help="so many bugs, drawn at random (default: all)")
    made.add_argument(
        "--side", action="append", metavar="NAME", help=f"as in bench.campaign.ablation (default: {FIRST})"
    )
    made.add_argument("--old", type=Path, metavar="PROGRAM", help="an earlier falsum")
    made.add_argument("--yinyang", type=Path, metavar="YINYANG_BIN", help="folder with yinyang's programs")
    return made


def main() -> None:
    args = parser().parse_args()
    all_bugs = load(args.known_bugs, Zoo())
    bugs = [b for b in all_bugs if b.is_soundness and b.seeds and b.newest.startswith(f"{_PRODUCT}@")]
    if args.count is not None and args.count < len(bugs):
        bugs = Random(0).sample(bugs, args.count)
    by_name = {bug.name: bug for bug in bugs}
    known, chosen = sides(args.old, args.yinyang), args.side or [FIRST]
    if unknown := [name for name in chosen if name not in known]:
        raise SystemExit(f"no side {unknown[0]!r}; there are: {', '.join(known)}")
    experiment = Experiment(args.directory, "single-bugs")
    units: list[Unit] = [
        {"side": side, "bug": name, "cpu": args.cpu, "run": 0} for name in by_name for side in chosen
    ]

    def measured(unit: Unit) -> dict[str, Any]:
        return measure(known[unit["side"]], by_name[unit["bug"]], unit["cpu"], unit["run"])

    print(write(experiment, experiment.run(units, measured), chosen, args.cpu))


def write(experiment: Experiment, records: Sequence[Record], chosen: Sequence[str], cpu: float) -> str:
    rows = []
    for side in chosen:
        mine = [record for record in records if record.unit["side"] == side]
        times = [record.result["found"] for record in mine if record.result["found"] is not None]
        missed = [record.unit["bug"] for record in mine if record.result["found"] is None]
        median = f"{statistics.median(times):.1f}" if times else ""
        rows.append([side, f"{len(times)} of {len(mine)}", median, ", ".join(missed)])
    note = f"At most {cpu:g} CPU seconds for each bug."
    heading = ["side", "found", "CPU seconds, median of those found", "not found"]
    return experiment.write("Known wrong verdicts, each from its own seeds", heading, rows, note=note)


if __name__ == "__main__":
    main()
