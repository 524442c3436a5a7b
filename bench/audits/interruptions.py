"""An audit of thousands of queries that is killed or interrupted again and again, and goes on.

At the end every query has one row, no more runs were lost than were under way, and memory did not grow with
the number of queries.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from bench.audits.small_queries import write_queries
from bench.command import command_parser

_PAGE_KILOBYTES: Final = 4
_EVERY_SECONDS: Final = 0.2


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.audits.interruptions", __doc__)
    parsed.add_argument("--solver", default="z3", metavar="S", help="solver (default z3)")
    parsed.add_argument("--rng", type=int, default=1, metavar="N", help="for the moments (default 1)")
    parsed.add_argument("count", type=int, nargs="?", default=10_000, metavar="COUNT", help="queries")
    parsed.add_argument("times", type=int, nargs="?", default=6, metavar="TIMES", help="interruptions")
    return parsed


def main() -> None:
    args = parser().parse_args()
    rng = random.Random(args.rng)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        folder = write_queries(home / "queries", [2], args.count)
        command = [
            sys.executable, "-m", "falsum.app.main", "audit", str(folder), "--solver", args.solver,
            "--no-evidence", "-j1", "--out", str(home / "out"),
        ]  # fmt: skip
        moments = sorted(rng.randrange(1, args.count) for _ in range(args.times))
        for moment in [*moments, args.count + 1]:
            how = rng.choice((signal.SIGKILL, signal.SIGINT))
            _run(command, home / "out", moment, how)
        rows = [json.loads(line) for line in (home / "out" / "audit.jsonl").read_text().splitlines()]
        answers, kept = _records(home / "out" / "journal")
    names = {row["query"] for row in rows}
    print(f"{len(names)} of {args.count} queries have a row; {len(rows) - len(names)} have two")
    print(f"{answers} answers in the journal for {kept} different questions: {answers - kept} asked again")


def _run(command: list[str], out: Path, until: int, how: signal.Signals) -> None:
    """Run until so many queries are done, or to the end; print how memory grew meanwhile."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    sizes: list[tuple[int, int]] = []
    while process.poll() is None:
        done = _lines(out / "journal") // 2  # an answer and a row for each
        if (size := _resident(process.pid)) and done:
            sizes.append((done, size))
        if done >= until:
            process.send_signal(how)
            process.wait()
            break
        time.sleep(_EVERY_SECONDS)
    first = next((each for each in sizes if each[0] > sizes[0][0]), (0, 0))
    last = sizes[-1] if sizes else (0, 0)
    print(
        f"status {process.returncode}: {first[1] >> 10} MB after {first[0]} queries, "
        f"{last[1] >> 10} MB after {last[0]}",
        flush=True,
    )


def _lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def _records(journal: Path) -> tuple[int, int]:
    """The records of a journal, and how many different keys they have."""
    keys = [line.partition(b" ")[0] for line in journal.read_bytes().splitlines() if line]
    return len(keys), len(set(keys))


def _resident(pid: int) -> int:
    """Resident kilobytes of a process; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_KILOBYTES
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    main()
