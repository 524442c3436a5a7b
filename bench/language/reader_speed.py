"""Speed of reading and sort-checking scripts: in comparison with yinyang and pySMT, and by size.

`comparison` gives kB per CPU second on the scripts of CORPUS that all three read; each reader runs in a
process of its own, and imports are not counted. The second environment has `yinyang==0.3.0` and
`pysmt==0.9.6`. `scaling` gives CPU time and memory for scripts of 1 kB to 10 MB and for nesting of 1,000 to
100,000.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from bench.command import command_parser
from bench.language.acceptance import scripts

# A driver reads file names from its standard input and writes for each: name, error, CPU seconds.
FRAME: Final = """
import json, os, signal, sys, time
sys.setrecursionlimit(100000)
pipe = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(1, 2)
class TooLong(BaseException):
    pass
def on_alarm(*_):
    raise TooLong
signal.signal(signal.SIGVTALRM, on_alarm)
{read}
for name in sys.stdin.read().splitlines():
    with open(name, encoding="utf-8", errors="replace", newline="") as stream:
        text = stream.read()
    ready = prepare()
    signal.setitimer(signal.ITIMER_VIRTUAL, {limit})
    start = time.process_time()
    try:
        read(text, ready)
        error = ""
    except (Exception, TooLong) as problem:
        error = repr(problem)[:200] or "error"
    seconds = time.process_time() - start
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    pipe.write(json.dumps([name, error, seconds]) + "\\n")
"""
FALSUM: Final = """
from falsum.smtlib import read_script
def prepare():
    return None
def read(text, _):
    read_script(text)
"""
YINYANG: Final = """
from antlr4.InputStream import InputStream
from yinyang.src.parsing.Parse import generate_ast
from yinyang.src.parsing.Typechecker import typecheck
def prepare():
    return None
def read(text, _):
    script, variables = generate_ast(InputStream(text), prep_seed=False)
    typecheck(script, variables)
"""
PYSMT: Final = """
from io import StringIO
from pysmt.environment import Environment
from pysmt.smtlib.parser import SmtLibParser
def prepare():  # a fresh environment per file, not counted
    return SmtLibParser(Environment())
def read(text, parser):  # nodes are type-checked as they are made
    parser.get_script(StringIO(text))
"""
SCALING: Final = """
import json, sys, time
from pathlib import Path
from falsum.smtlib import read_script
def peak():  # getrusage would include the parent's
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])
text = Path(sys.argv[1]).read_text(encoding="utf-8")
before = peak()
start = time.process_time()
try:
    script = read_script(text)
    error = ""
except Exception as problem:
    error = repr(problem)[:200]
seconds = time.process_time() - start
print(json.dumps([error, seconds, (peak() - before) / 1024]))
"""


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader's times for the files it reads, and the number of files it does not read."""

    name: str
    seconds: dict[str, float]
    failed: int


def run_reader(name: str, python: str, driver: str, files: list[Path], limit: float) -> Reader:
    program = FRAME.replace("{read}", driver).replace("{limit}", str(limit))
    result = subprocess.run(
        [python, "-c", program],
        input="\n".join(str(file) for file in files),
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    if not rows:
        sys.exit(f"{name} has no output (exit code {result.returncode})")
    good = {file: seconds for file, error, seconds in rows if not error}
    return Reader(name, good, len(files) - len(good))


def comparison(args: argparse.Namespace) -> int:
    files = scripts(args.corpus)
    if len(files) > args.sample:
        files = sorted(Random(args.rng).sample(files, args.sample))
    readers = [
        run_reader("falsum", sys.executable, FALSUM, files, args.limit),
        run_reader("yinyang", args.python, YINYANG, files, args.limit),
        run_reader("pySMT", args.python, PYSMT, files, args.limit),
    ]
    shared = [file for file in map(str, files) if all(file in r.seconds for r in readers)]
    size = sum(Path(file).stat().st_size for file in shared) / 1000
    total = sum(file.stat().st_size for file in files) / 1000
    print(f"{len(files)} files ({total:.0f} kB), all three read {len(shared)} ({size:.0f} kB)")
    print(f"{'reader':<10}{'reads':>7}{'CPU s':>9}{'kB/CPU s':>10}{'times yinyang':>15}")
    spent = {r.name: sum(r.seconds[file] for file in shared) for r in readers}
    for reader in readers:
        seconds = spent[reader.name]
        ratio = spent["yinyang"] / seconds
        print(f"{reader.name:<10}{len(reader.seconds):>7}{seconds:>9.2f}", end="")
        print(f"{size / seconds:>10.0f}{ratio:>15.1f}")
    own = sum(Path(file).stat().st_size for file in readers[0].seconds) / 1000
    print(f"falsum on all it reads: {own / sum(readers[0].seconds.values()):.0f} kB/CPU s")
    return 0


def flat_script(size: int) -> str:
    """A script of about `size` bytes: many assertions over integers, bit-vectors and arrays."""
    rng = Random(size)
    parts = ["(set-logic ALL)\n"]
    written = len(parts[0])
    for number in range(size):
        name = f"x{number}"
        other = f"x{rng.randrange(number + 1)}"
        constant = rng.randrange(10**6)
        text = (
            f"(declare-const {name} Int)\n(declare-const |b {number}| (_ BitVec 32))\n"
            f"(assert (=> (< {name} {constant}) (let ((y (+ {other} {number}))) "
            f"(or (= (* 2 y) {name}) (not (> y (- {constant})))))))\n"
            f"(assert (bvult (bvadd |b {number}| #x{constant:08x}) "
            f"((_ rotate_left 3) |b {number}|)))\n"
            f"(assert (forall ((z Int)) (! (= (ite (>= z {name}) z {other}) (mod z {number + 1})) "
            f":qid q{number})))\n"
        )
        parts.append(text)
        written += len(text)
        if written >= size:
            break
    return "".join(parts)


def deep_script(kind: str, depth: int) -> str:
    head = "(declare-const p Bool)(declare-const x Int)"
    before, core, after = {
        "not": ("(not ", "p", ")"),
        "plus": ("(+ 1 ", "x", ")"),
        "let": ("(let ((y x)) ", "p", ")"),
        "forall": ("(forall ((y Int)) ", "p", ")"),
        "annotation": ("(! ", "p", " :note 1)"),
        "open": ("(", "", ""),
    }[kind]
    body = before * depth + core + after * depth
    return head + (f"(assert (= x {body}))" if kind == "plus" else f"(assert {body})")


def measure(text: str) -> tuple[str, float, float]:
    """Error, CPU seconds and megabytes of reading `text` in a fresh process."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        result = subprocess.run(
            [sys.executable, "-c", SCALING, stream.name],
            capture_output=True,
            text=True,
            check=False,
        )
    if result.returncode != 0:
        return f"exit code {result.returncode}: {result.stderr[-200:]}", 0.0, 0.0
    error, seconds, megabytes = json.loads(result.stdout)
    return error, seconds, megabytes


def scaling(args: argparse.Namespace) -> int:
    sizes = [size for size in (0.001, 0.01, 0.1, 1.0, 10.0) if size <= args.largest]
    print(f"{'script':<22}{'kB':>9}{'CPU s':>10}{'MB':>9}{'CPU s/MB':>11}{'MB/MB':>8}")
    cases = [(f"flat {size} MB", flat_script(int(size * 10**6))) for size in sizes]
    if args.huge:
        cases.append(("flat 50 MB", flat_script(50 * 10**6)))
    for kind in ("not", "plus", "let", "forall", "annotation"):
        cases += [(f"{kind} x {n}", deep_script(kind, n)) for n in (1_000, 10_000, 100_000)]
    cases.append(("open x 1000000", deep_script("open", 1_000_000)))
    bad = 0
    for name, text in cases:
        size = len(text) / 10**6
        error, seconds, megabytes = measure(text)
        print(f"{name:<22}{size * 1000:>9.1f}{seconds:>10.3f}{megabytes:>9.1f}", end="")
        print(f"{seconds / size:>11.2f}{megabytes / size:>8.0f}  {error[:90]}")
        bad += bool(error) and not (name.startswith("open") and "ScriptError" in error)
    return 1 if bad else 0


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.reader_speed", __doc__)
    parts = made.add_subparsers(required=True)
    against = parts.add_parser("comparison")
    against.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    against.add_argument(
        "--python", required=True, metavar="PYTHON", help="interpreter with yinyang and pySMT"
    )
    against.add_argument(
        "--sample", type=int, default=800, metavar="N", help="number of scripts (default 800)"
    )
    against.add_argument("--rng", type=int, default=1, metavar="N", help="random seed of the sample")
    against.add_argument(
        "--limit", type=float, default=20.0, metavar="S", help="CPU seconds per script (default 20)"
    )
    against.set_defaults(run=comparison)
    growing = parts.add_parser("scaling")
    growing.add_argument(
        "--largest", type=float, default=10.0, metavar="MB", help="largest script (default 10)"
    )
    growing.add_argument("--huge", action="store_true", help="add a script of 50 MB")
    growing.set_defaults(run=scaling)
    return made


def main() -> int:
    args = parser().parse_args()
    result: int = args.run(args)
    return result


if __name__ == "__main__":
    sys.exit(main())
