"""Which scripts falsum reads, compared with the newest z3 and cvc5; lists every difference with all messages.

By folder of CORPUS: of the scripts that a solver reads, how many falsum reads; of those that both reject, how
many falsum rejects. What the solvers read is asked once and stored as JSON lines.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from bench.command import command_parser
from bench.solvers.warm_solver import WarmSolver
from platformdirs import user_cache_path

if TYPE_CHECKING:
    from collections.abc import Iterator

Reading = Literal["ok", "parse", "other"]

# Errors of z3 that are about neither syntax nor sorts.
Z3_OTHER: Final = re.compile(
    r"unknown parameter|the parameter '|parameter value|values for parameter|old parameter name"
    r"|check annotation|is not available|is not enabled|only available in|tactic|unknown command"
    r"|logic (does not|only|supports)|already been set|cancel|probe|unknown option|option value"
    r"|max\. (memory|resource)|invalid keyword argument|not supported|unsupported",
)
# Commands of cvc5 whose errors are about syntax or sorts: declarations and assertions …
CVC5_TYPED: Final = re.compile(r"declare|define|assert|synth|constraint|assume|inv-")
# … unless they mention the logic, an option or the order of commands.
CVC5_OTHER: Final = re.compile(
    r"logic|option|--|incremental|finished initializing|unsupported|not supported|interrupted"
    r"|experimental|cannot pop|safe-mode",
    re.IGNORECASE,
)
COMMAND_LINE: Final = re.compile(r"^;+\s*COMMAND-LINE:(.*)$", re.MULTILINE)
HOSTILE: Final = re.compile(r'output-channel\s+"(?!std)|\(\s*include\b')


@dataclass(frozen=True, slots=True)
class Truth:
    """Whether the two solvers read a file, and their first errors."""

    file: str
    z3: Reading
    z3_error: str
    cvc5: Reading
    cvc5_error: str

    @property
    def read_by_one(self) -> bool:
        return self.z3 != "parse" or self.cvc5 != "parse"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of `falsum check` for a file."""

    file: str
    ok: bool
    error: str
    line: int
    column: int


def scripts(root: Path) -> list[Path]:
    return sorted(root.rglob("*.smt2")) if root.is_dir() else [root]


def z3_program() -> str:
    installed = Path(sys.executable).with_name("z3")
    return str(installed) if installed.exists() else (shutil.which("z3") or "z3")


def z3_reads(file: Path, directory: str) -> tuple[Reading, str]:
    """Run z3 on the file, a tenth of a second per check, and look for errors."""
    try:
        result = subprocess.run(
            [z3_program(), "-t:100", "-T:4", str(file)],
            check=False, capture_output=True, cwd=directory, timeout=10, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "other", "timeout"
    output = result.stdout.decode(errors="replace")
    errors = re.findall(r'^\(error "(.*?)(?:"\)$|\n)', output, re.MULTILINE)
    wrong = [error for error in errors if not Z3_OTHER.search(error)]
    if wrong:
        return "parse", wrong[0]
    if errors:
        return "other", errors[0]
    if result.returncode < 0:
        return "other", f"crash: signal {-result.returncode}"
    if re.search(r"^unsupported$", output, re.MULTILINE):
        both = result.stderr.decode(errors="replace") + output
        what = re.search(r"^; (.*?) line: ", both, re.MULTILINE)
        return "other", f"unsupported: {what[1]}" if what else "unsupported"
    return "ok", "timeout" if re.search(r"^timeout$", output, re.MULTILINE) else ""


def cvc5_flags(text: str, *, from_comment: bool = True) -> list[str]:
    """The flags that a script needs, then those of its COMMAND-LINE comment."""
    several = "(push" in text or text.count("(check-sat") > 1
    # Formats other than Float32 and Float64 need a flag; some options exclude incremental solving.
    basic = ["--fp-exp", "--incremental" if several else "--no-incremental"]
    comments = COMMAND_LINE.findall(text) if from_comment else []
    return basic + [word.replace('"', "") for line in comments for word in line.split()]


def cvc5_reads(file: Path, warm: WarmSolver) -> tuple[Reading, str]:
    """Read with the flags of its COMMAND-LINE comment; if that fails, without them."""
    text = file.read_text(encoding="utf-8", errors="replace")
    with_flags = cvc5_reads_with(file, cvc5_flags(text), warm)
    if with_flags[0] != "parse" or not COMMAND_LINE.search(text):
        return with_flags
    without = cvc5_reads_with(file, cvc5_flags(text, from_comment=False), warm)
    return without if without[0] != "parse" else with_flags


def cvc5_reads_with(file: Path, flags: list[str], warm: WarmSolver) -> tuple[Reading, str]:
    answer = warm.ask({"mode": "read", "file": str(file), "flags": flags})
    if "ending" in answer:
        return "other", str(answer["ending"])
    errors: list[tuple[str, str]] = [(where, text) for where, text in answer["errors"]]
    wrong = [
        text
        for where, text in errors
        if where == "parse" or (CVC5_TYPED.match(where) and not CVC5_OTHER.search(text))
    ]
    if wrong:
        return "parse", wrong[0]
    return ("other", f"{errors[0][0]}: {errors[0][1]}") if errors else ("ok", "")


def ask_solvers(root: Path, files: list[Path]) -> Iterator[Truth]:
    with (
        WarmSolver("cvc5", seconds=10) as warm,
        tempfile.TemporaryDirectory(prefix="falsum-bench-") as directory,
    ):
        for file in files:
            name = str(file.relative_to(root)) if file != root else file.name
            if HOSTILE.search(file.read_text(encoding="utf-8", errors="replace")):
                reason = "not asked: it accesses other files"
                yield Truth(name, "other", reason, "other", reason)
                continue
            full = file.resolve()
            yield Truth(name, *z3_reads(full, directory), *cvc5_reads(full, warm))


def make_truth(root: Path, cache: Path, jobs: int) -> None:
    """Ask both solvers about every script and write their answers to `cache`."""
    files = scripts(root)
    shares = [files[start::jobs] for start in range(jobs)]
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda share: list(ask_solvers(root, share)), shares))
    lines = sorted((truth for part in found for truth in part), key=lambda truth: truth.file)
    cache.parent.mkdir(parents=True, exist_ok=True)
    draft = cache.with_suffix(".draft")
    draft.write_text("".join(json.dumps(asdict(truth)) + "\n" for truth in lines))
    draft.replace(cache)


def load_truth(cache: Path) -> list[Truth]:
    return [Truth(**json.loads(line)) for line in cache.read_text().splitlines()]


def falsum_checks(root: Path) -> dict[str, Check]:
    """`falsum check --json` over the whole directory, in one process."""
    program = Path(sys.executable).with_name("falsum")
    result = subprocess.run(
        [str(program), "check", "--json", str(root)], check=False, capture_output=True, text=True
    )
    if result.returncode not in (0, 1):
        sys.exit(f"falsum check ended with {result.returncode}:\n{result.stderr}")
    checks: dict[str, Check] = {}
    for line in result.stdout.splitlines():
        found = json.loads(line)
        file = Path(found["file"]).resolve().relative_to(root.resolve()).as_posix()
        error, row, column = found.get("error"), found.get("line"), found.get("column")
        checks[file] = Check(file, found["ok"], error or "", row or 0, column or 0)
    return checks


@dataclass(slots=True)
class Row:
    """The figures of one folder."""

    folder: str
    readable: int = 0
    read: int = 0
    wrong: int = 0
    rejected: int = 0

    @property
    def percent(self) -> float:
        return 100 * self.read / self.readable if self.readable else 100.0


@dataclass(frozen=True, slots=True)
class Difference:
    kind: Literal["refused", "accepted", "missing"]
    ours: str
    truth: Truth


def compare(truths: list[Truth], checks: dict[str, Check]) -> tuple[list[Row], list[Difference]]:
    rows: dict[str, Row] = {}
    differences: list[Difference] = []
    for truth in truths:
        folder = truth.file.split("/")[0] if "/" in truth.file else "."
        row = rows.setdefault(folder, Row(folder))
        check = checks.get(truth.file)
        ok = check is not None and check.ok
        ours = f"{check.line}:{check.column}: {check.error}" if check and not ok else ""
        if truth.read_by_one:
            row.readable += 1
            row.read += ok
        else:
            row.wrong += 1
            row.rejected += check is not None and not ok
        if check is None:
            differences.append(Difference("missing", "", truth))
        elif ok != truth.read_by_one:
            differences.append(Difference("accepted" if ok else "refused", ours, truth))
    return list(rows.values()), differences


def print_table(rows: list[Row], differences: list[Difference]) -> None:
    print(f"{'folder':<12}{'a solver reads':>15}{'falsum reads':>20}", end="")
    print(f"{'both reject':>14}{'falsum rejects':>16}")
    for row in rows:
        read = f"{row.read} ({row.percent:.2f} %)"
        print(f"{row.folder:<12}{row.readable:>15}{read:>20}{row.wrong:>14}{row.rejected:>16}")
    for kind, title in (
        ("refused", "A solver reads it, falsum does not"),
        ("accepted", "Both solvers reject it, falsum reads it"),
        ("missing", "falsum check does not list it"),
    ):
        found = [difference for difference in differences if difference.kind == kind]
        print(f"\n{title}: {len(found)}" if found else "", end="\n" if found else "")
        for difference in found:
            truth = difference.truth
            print(f"  {truth.file}")
            for who, text in (
                ("falsum", difference.ours or "ok"),
                ("z3", f"{truth.z3} {truth.z3_error}"),
                ("cvc5", f"{truth.cvc5} {truth.cvc5_error}"),
            ):
                print(f"    {who + ':':<8}{' '.join(text.split())[:200]}")


def print_json(rows: list[Row], differences: list[Difference]) -> None:
    for row in rows:
        print(json.dumps({"row": asdict(row), "percent": round(row.percent, 3)}))
    for difference in differences:
        print(json.dumps({"difference": asdict(difference)}))


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.acceptance", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument(
        "--truth", type=Path, metavar="FILE", help="answers of the solvers (default: in the cache)"
    )
    made.add_argument("--again", action="store_true", help="ask the solvers again")
    made.add_argument("--only-truth", action="store_true", help="ask the solvers, but not falsum")
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default 2)")
    made.add_argument("--json", action="store_true", help="write JSON lines")
    return made


def main() -> int:
    args = parser().parse_args()
    name = sha256(str(args.corpus.resolve()).encode()).hexdigest()[:12]
    cache: Path = args.truth or user_cache_path("falsum") / "bench" / f"truth-{name}.jsonl"
    if args.again or not cache.exists():
        make_truth(args.corpus, cache, args.jobs)
    truths = load_truth(cache)
    if args.only_truth:
        readable = sum(truth.read_by_one for truth in truths)
        print(f"{len(truths)} scripts, {readable} read by a solver: {cache}")
        return 0
    rows, differences = compare(truths, falsum_checks(args.corpus))
    (print_json if args.json else print_table)(rows, differences)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
