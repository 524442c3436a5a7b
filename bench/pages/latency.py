"""Latency of the pages with many findings and batches in the store, while a campaign writes to it.

Makes a store of triaged findings and of batches in DIR (what is there is used again), starts `falsum serve`,
and a process that records batches, sightings and new findings as a campaign does. Then asks for every kind of
page in turn, and prints percentiles of the time until the whole page has arrived, and the server's CPU time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import psutil
from bench.command import command_parser

from falsum.campaign.tally import FuzzTally
from falsum.campaign.triage import result
from falsum.campaign.triage.bisection import Bisection
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import EvidenceRecord, JudgementRecord, ReductionRecord, Reproduced, Triage
from falsum.defects.evidence.judgement import Defect
from falsum.defects.identity.fingerprint import Fingerprint
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.verdict import Verdict
from falsum.store import totals
from falsum.store.records import Activity, BatchRecord, ExchangeRecord, FindingRecord, SeedRecord, Sighting
from falsum.store.store import FINDINGS, Store

STRATEGIES = (
    "storm",
    "typefuzz",
    "opfuzz",
    "fuzzchick",
    "valfuzz",
    "generate",
    "sparrow",
    "rewrite",
    "fusion",
)
SOLVERS = ("z3@4.8.7", "cvc5", "bitwuzla")
DEFECTS = (Defect.REFUTATION_UNSOUNDNESS, Defect.SOLUTION_UNSOUNDNESS, Defect.INVALID_MODEL, Defect.CRASH)
NAMES = sorted(OPERATORS)
PLAN = {"seeds": [], "solvers": SOLVERS, "strategies": STRATEGIES, "rng": 1, "timeout": 10.0, "memory": 2048}


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.pages.latency", __doc__)
    made.add_argument("--findings", type=int, default=10_000, metavar="N", help="findings in the store")
    made.add_argument("--batches", type=int, default=1_000_000, metavar="N", help="batches in the store")
    made.add_argument("--requests", type=int, default=400, metavar="N", help="pages to ask for")
    made.add_argument("folder", metavar="DIR", type=Path, help="where the store is, or will be")
    return made


def a_tally(rng: Random) -> dict[str, Any]:
    said = {
        name: {"sat": rng.randrange(15), "unsat": rng.randrange(15), "timed out": rng.randrange(2)}
        for name in SOLVERS
    }
    seconds = rng.uniform(0.5, 1.5)
    return FuzzTally(
        mutants=20, decided=19, said=said, rejections={"bitwuzla": {f"message {rng.randrange(40)}": 1}},
        seconds=seconds, solver_cpu=seconds * 0.8, solver_seconds=seconds, timeout_seconds=0.05, own_cpu=0.2,
    ).plain()  # fmt: skip


def a_batch(number: int, rng: Random) -> BatchRecord:
    return BatchRecord(
        number, rng.choice(STRATEGIES), f"seed-{number % 500}.smt2", 20, 1.5, "done", a_tally(rng)
    )


def a_finding(number: int, rng: Random) -> FindingRecord:
    names = rng.sample(NAMES, 3)
    lines = [
        f"(declare-const x{n} Int)\n(assert (> (* x{n} {rng.randrange(99)}) (+ x{n} {number})))\n"
        for n in range(12)
    ]
    script = f"(set-logic ALL)\n{''.join(lines)}(check-sat)\n"
    seed = script.replace("(* ", "(- ")
    answer = {
        "verdicts": ["sat"], "ending": "finished", "cause": "", "detail": "", "model": None, "core": None,
        "seconds": 0.1, "cpu": 0.1,
    }  # fmt: skip
    exchanges = tuple(
        ExchangeRecord(name, "1", ("/usr/bin/solver",), script, "verdict", True, answer, "sat\n", "")
        for name in SOLVERS
    )
    return FindingRecord(
        "disagreement", "", (rng.choice(SOLVERS),), f"disagreement | {number} | {' '.join(names)}",
        f"answer {number} differs", rng.choice(STRATEGIES), f"1:{number}", number, 0, "verdict", script,
        ((f"seed-{number % 500}.smt2", seed),), ("opfuzz: * -> -",), None, "", None, exchanges,
    )  # fmt: skip


def a_triage(record: FindingRecord, rng: Random) -> Triage:
    """Like what triage makes of a few hundred different bugs."""
    bug = Random(rng.randrange(300))
    defect, product = bug.choice(DEFECTS), bug.choice(("z3", "cvc5", "bitwuzla"))
    operators = tuple(sorted((bug.choice(NAMES), bug.randrange(1, 4)) for _ in range(4)))
    theory = OPERATORS[operators[0][0]].theory
    known_by = Fingerprint(str(defect), product, "", (theory,), operators)
    releases = tuple(
        ReleaseRow(f"4.8.{n}", Standing.BAD if n > 6 else Standing.GOOD, "sat" if n > 6 else "unsat")
        for n in range(14)
    )
    judgement = JudgementRecord(
        defect,
        record.suspects,
        Verdict.UNSAT,
        (EvidenceRecord("proof", f"{product} answers sat; the script is unsatisfiable."),),
    )
    return Triage(
        record.digest, judgement, record.script[:200], known_by.signature, record.suspects[0], product,
        "4.8.7",
        reduction=ReductionRecord(len(record.script), 200, 90, 2.0, "smallest", True, False),
        bisection=Bisection(product, Target(Defect.SOLUTION_UNSOUNDNESS, truth=Verdict.UNSAT), releases),
        cold=Reproduced(3, 3),
    )  # fmt: skip


def make(folder: Path, findings: int, batches: int) -> None:
    """The store; batches are inserted in bulk, and added up by the store itself."""
    rng = Random(1)
    with Store(folder) as store:
        if store.campaign() is not None:
            return
        campaign = store.begin(PLAN)
        database = store._database  # noqa: SLF001 - a million transactions would take an hour
        database.execute("begin")
        database.execute("update campaigns set elapsed = ? where id = ?", (batches * 0.75, campaign))
        for number in range(batches):
            batch = a_batch(number, rng)
            database.execute(
                "insert into batches values (?, ?, ?, ?, ?, ?, ?, ?)",
                (campaign, number, batch.strategy, batch.seed, batch.made, batch.seconds, batch.ending,
                 json.dumps(batch.tally)),
            )  # fmt: skip
            totals.add_batch(database, campaign, batch, number * 0.75, 0, 0)
        database.execute("commit")
        store.record_seeds(
            SeedRecord(f"{n:016x}", f"seeds/group-{n % 40}/seed-{n}.smt2") for n in range(5000)
        )
        for start in range(0, findings, 100):
            records = [a_finding(number, rng) for number in range(start, min(findings, start + 100))]
            store.record(campaign, a_batch(batches + start, rng), findings=records, elapsed=batches * 0.75)
            for record in records:
                where = folder / FINDINGS / f"{record.kind}-{record.suspects[0]}-{record.digest}"
                data = msgspec.json.encode(a_triage(record, rng))
                (where / result.TRIAGE).write_bytes(data)
                (where / result.REPORT).write_text("# A report\n\n" + record.script)


def write_for_ever(folder: Path) -> None:
    """Record twenty batches a second, some with findings, as a campaign with many workers does."""
    rng = Random(2)
    with Store(folder) as store:
        campaign = store.campaign()
        assert campaign is not None
        known = [one.signature for one in store.findings()[:500]]
        number = int(time.time() * 1000)
        start = time.monotonic()
        while True:
            number += 1
            found = [a_finding(number, rng)] if number % 40 == 0 else []
            seen = [Sighting(rng.choice(known), 1)] if known and number % 5 == 0 else []
            elapsed = campaign.elapsed + time.monotonic() - start
            store.record(campaign.id, a_batch(number, rng), findings=found, sightings=seen, elapsed=elapsed,
                         activity=Activity(32))  # fmt: skip
            time.sleep(0.05)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    """`falsum serve`: its address, and its process."""
    command = [sys.executable, "-m", "falsum.app.main", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        match = re.search(r"http://\S+", line)
        try:
            assert match, line
            yield match[0].rstrip("/"), psutil.Process(server.pid)
        finally:
            server.terminate()


def seconds_of(address: str) -> tuple[float, bytes]:
    start = time.perf_counter()
    with urllib.request.urlopen(address) as answer:
        body = answer.read()
    return time.perf_counter() - start, body


def addresses(base: str, requests: int, digests: list[str]) -> Iterator[tuple[str, str]]:
    rng = Random(3)
    for number in range(requests):
        page = number % 8
        yield [
            ("overview", f"{base}/"),
            ("findings", f"{base}/findings"),
            ("findings, filtered", f"{base}/findings?product=z3&state=open&theory=Strings"),
            ("findings, searched", f"{base}/findings?q=unsatisfiable&sort=seen&page=3"),
            ("finding", f"{base}/findings/{rng.choice(digests)}"),
            ("seeds", f"{base}/seeds?q=group-3&page=2"),
            ("solvers", f"{base}/solvers"),
            ("findings, sorted", f"{base}/findings?sort=-group&page={rng.randrange(1, 100)}"),
        ][page]


def load() -> str:
    """How busy the machine was."""
    return f"load average {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores"


def main() -> None:
    arguments = parser().parse_args()
    start = time.monotonic()
    make(arguments.folder, arguments.findings, arguments.batches)
    print(f"store made in {time.monotonic() - start:.0f} s")
    writer = multiprocessing.Process(target=write_for_ever, args=(arguments.folder,), daemon=True)
    start = time.monotonic()
    with serving(arguments.folder) as (base, server):
        print(f"first page can be asked for after {time.monotonic() - start:.1f} s")
        writer.start()
        time.sleep(5)
        _seconds, body = seconds_of(f"{base}/findings")
        digests = sorted(set(re.findall(r"/findings/([0-9a-f]{12})", body.decode())))
        times: dict[str, list[float]] = {}
        used, began = sum(server.cpu_times()[:2]), time.monotonic()
        for name, address in addresses(base, arguments.requests, digests):
            times.setdefault(name, []).append(seconds_of(address)[0])
            time.sleep(0.1)
        used, took = sum(server.cpu_times()[:2]) - used, time.monotonic() - began
    writer.terminate()
    print(f"{'page':<20} {'median':>8} {'95 %':>8} {'most':>8}   milliseconds")
    for name, taken in [*times.items(), ("all", [one for each in times.values() for one in each])]:
        cuts = statistics.quantiles(taken, n=20)
        print(f"{name:<20} {cuts[9] * 1000:8.0f} {cuts[18] * 1000:8.0f} {max(taken) * 1000:8.0f}")
    per_request = used / arguments.requests * 1000
    print(f"server: {per_request:.0f} ms CPU time per request, {used / took:.0%} of a core; {load()}")


if __name__ == "__main__":
    main()
