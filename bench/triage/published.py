"""Every published finding by every command: do they call it the same, keep it, and find it in releases?

python -m bench.triage.published docs/findings [--results FILE]: a row for each page, and a line of counts.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.command import command_parser

SCRIPT = re.compile(
    r"^```(?:smt2|text)\n(?P<script>(?:(?!```).)*\(check-sat(?:(?!```).)*)^```", re.MULTILINE | re.DOTALL
)
SECONDS = 600
MINOR = {"incompleteness", "slow"}


@dataclass(frozen=True)
class Page:
    """A published finding, as its page says."""

    name: str
    product: str
    defect: str
    script: str


def pages_in(folder: Path) -> list[Page]:
    pages = []
    for file in sorted(folder.glob("*.md")):
        product, _, rest = file.stem.partition("-")
        match = SCRIPT.search(file.read_text(encoding="utf-8"))
        if match is not None and file.name != "README.md":
            defect = rest.rpartition("-")[0].replace("-", " ")
            pages.append(Page(file.stem, product, defect, match["script"]))
    return pages


def falsum(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "falsum.app.main", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)


def judged(folder: Path, file: str, product: str) -> str:
    """What `falsum solve` says of a script, with the product and the configured solvers."""
    others = [word for name in ("z3", "cvc5", "bitwuzla") if name != product for word in ("-s", name)]
    done = falsum(folder, "solve", file, "-s", product, *others, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    last = next((line for line in lines if "suspects" in line), None)
    return (
        str(last["word"])
        if last is not None and product in last["suspects"]
        else done.stderr[:80] or "nothing"
    )


def row(page: Page) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "bug.smt2").write_text(page.script)
        solve = judged(folder, "bug.smt2", page.product)
        reduce = falsum(
            folder, "reduce", "bug.smt2", "-s", page.product, "--for", "60s", "--out", "small.smt2"
        )
        kept = judged(folder, "small.smt2", page.product) if reduce.returncode == 0 else reduce.stderr[-120:]
        bisect = falsum(folder, "bisect", "bug.smt2", "--product", page.product, "--json")
        shown = json.loads(bisect.stdout) if bisect.returncode == 0 else {}
        report = falsum(
            folder,
            "report-bug",
            "bug.smt2",
            "-s",
            page.product,
            "--out",
            "out",
            "--no-bisect",
            "--for",
            "60s",
            "--json",
        )
        triage = json.loads(report.stdout).get("triage", {}) if report.stdout.startswith("{") else {}
    return {
        "page": page.name,
        "published": page.defect,
        "solve": solve,
        "reduce": kept,
        "bisect": shown.get("target", {}).get("defect", bisect.stderr[-120:]),
        "first_bad": shown.get("first_bad", ""),
        "report-bug": triage.get("judgement", {}).get("word", report.stderr[-120:] or "nothing"),
    }


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.triage.published", __doc__)
    made.add_argument("folder", type=Path, metavar="FINDINGS", help="folder with the pages")
    made.add_argument("--results", type=Path, metavar="FILE", help="write the rows as JSON lines, too")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="pages at a time (default 1)")
    return made


def main() -> None:
    options = parser().parse_args()
    counts: Counter[str] = Counter()
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for each in pool.map(row, pages_in(options.folder)):
            rows.append(each)
            print(json.dumps(each), flush=True)
            for command in ("solve", "reduce", "bisect", "report-bug"):
                counts[command] += each[command] == each["solve"] != "nothing"
    print(f"of {len(rows)} pages: {dict(counts)} call it as `falsum solve` does")
    if options.results is not None:
        options.results.write_text("".join(json.dumps(each) + "\n" for each in rows))


if __name__ == "__main__":
    main()
