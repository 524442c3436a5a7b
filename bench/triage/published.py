"""Every published finding by every command: do they call it the same, keep it, and find it in releases?

A row for each page, then how many pages each command calls what `falsum solve` calls them, which pages do not
show on this machine, and where the parsers that accept a script are others than its page says. `--only solve`
takes seconds a page and verifies the pages; exit code 1 if one does not show.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.command import command_parser

from falsum.campaign.triage.ablation import readers
from falsum.defects.evidence.judgement import Defect
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

SCRIPT = re.compile(
    r"^```(?:smt2|text)\n(?P<script>(?:(?!```).)*\(check-sat(?:(?!```).)*)^```", re.MULTILINE | re.DOTALL
)
ACCEPTED = re.compile(r"^- \[.\] accepted by two other parsers: (?P<parsers>.*)$", re.MULTILINE)
REFERENCES = ("z3", "cvc5", "bitwuzla")
SECONDS = 600
NOTHING = "nothing"


@dataclass(frozen=True)
class Page:
    """A published finding, as its page says."""

    name: str
    product: str
    defect: str
    script: str
    parsers: str


def pages_in(folder: Path) -> list[Page]:
    pages = []
    for file in sorted(folder.glob("*.md")):
        product, _, rest = file.stem.partition("-")
        text = file.read_text(encoding="utf-8")
        match, accepted = SCRIPT.search(text), ACCEPTED.search(text)
        if match is not None and file.name != "README.md":
            defect = rest.rpartition("-")[0].replace("-", " ")
            parsers = accepted["parsers"] if accepted is not None else ""
            pages.append(Page(file.stem, product, defect, match["script"], parsers))
    return pages


def falsum(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "falsum.app.main", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)


def judged(folder: Path, file: str, product: str) -> str:
    """What `falsum solve` says of a script, with the product and the configured solvers."""
    others = [word for name in REFERENCES if name != product for word in ("-s", name)]
    done = falsum(folder, "solve", file, "-s", product, *others, "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    last = next((line for line in lines if "suspects" in line), None)
    if last is not None and product in last["suspects"]:
        return str(last["word"])
    return done.stderr[:80] if done.returncode > 1 else NOTHING


def reduced(folder: Path, page: Page) -> str:
    """What `falsum solve` says of the script that `falsum reduce` makes."""
    done = falsum(folder, "reduce", FILE, "-s", page.product, "--for", "60s", "--out", "small.smt2")
    return judged(folder, "small.smt2", page.product) if done.returncode == 0 else done.stderr[-120:]


def bisected(folder: Path, page: Page) -> str:
    """What releases are bisected for, and the first that shows it."""
    done = falsum(folder, "bisect", FILE, "--product", page.product, "--json")
    if done.returncode:
        return done.stderr[-120:]
    found = json.loads(done.stdout)
    return f"{found['target']['defect']} since {found['first_bad'] or 'none'}"


def reported(folder: Path, page: Page) -> str:
    """What `falsum report-bug` judges."""
    limits = ("--out", "out", "--no-bisect", "--for", "60s")
    done = falsum(folder, "report-bug", FILE, "-s", page.product, *limits, "--json")
    found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    word = found.get("triage", {}).get("judgement", {}).get("word")
    return str(word or done.stderr[-120:] or NOTHING)


FILE = "bug.smt2"
COMMANDS: dict[str, Callable[[Path, Page], str]] = {
    "solve": lambda folder, page: judged(folder, FILE, page.product),
    "reduce": reduced,
    "bisect": bisected,
    "report-bug": reported,
}


def accepting(page: Page) -> str:
    """The configured products besides the suspect's that accept a script, as the checklist names them."""
    zoo = Zoo()
    others = [resolve(name, zoo) for name in REFERENCES if name != page.product]
    with LiveLab(others, Limits(seconds=60.0)) as lab:
        return ", ".join(readers(lab, others, page.script)) or "none"


def row(page: Page, commands: Sequence[str]) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / FILE).write_text(page.script)
        answers = {name: COMMANDS[name](folder, page) for name in commands}
    said = {"page": page.name, "published": page.defect, **answers}
    return said | {"parsers on the page": page.parsers, "parsers": accepting(page)}


def shows(found: dict[str, str]) -> bool:
    """Whether the defect of a page shows, or of a wrong verdict at least the invalid model."""
    seen = found["solve"]
    return seen == found["published"] or (
        seen == Defect.INVALID_MODEL and found["published"] == Defect.SOLUTION_UNSOUNDNESS
    )


def summary(rows: Sequence[dict[str, str]], commands: Sequence[str]) -> str:
    lines = []
    for command in commands:
        same = sum(each[command].partition(" since ")[0] == each["solve"] != NOTHING for each in rows)
        lines.append(f"{command}: {same} of {len(rows)} pages are called what solve calls them")
    lines += [
        f"does not show on this machine: {each['page']} ({each['solve']})" for each in rows if not shows(each)
    ]
    lines += [
        f"accepted by others than its page says: {each['page']} ({each['parsers']})"
        for each in rows
        if each["parsers"] != each["parsers on the page"]
    ]
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.triage.published", __doc__)
    made.add_argument("folder", type=Path, metavar="FINDINGS", help="folder with the pages")
    made.add_argument("--results", type=Path, metavar="FILE", help="write the rows as JSON lines, too")
    made.add_argument(
        "--only", action="append", choices=tuple(COMMANDS), help="this command only; may be repeated"
    )
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="pages at a time (default 1)")
    return made


def main() -> int:
    options = parser().parse_args()
    commands = ["solve", *(name for name in options.only or COMMANDS if name != "solve")]
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for each in pool.map(partial(row, commands=commands), pages_in(options.folder)):
            rows.append(each)
            print(json.dumps(each), flush=True)
    print(summary(rows, commands))
    if options.results is not None:
        options.results.write_text("".join(json.dumps(each) + "\n" for each in rows))
    return 0 if all(map(shows, rows)) else 1


if __name__ == "__main__":
    sys.exit(main())
