"""How fast scripts are read and sort-checked: against yinyang and pySMT, and as they grow.

    python -m bench.reader_speed peers CORPUS --peers PYTHON [--sample 800]
    python -m bench.reader_speed scaling [--largest 10] [--huge]

PYTHON is an interpreter with yinyang and pySMT installed. Everything is CPU time of one run, each
reader in a process of its own, imports and empty environments not counted; the figures are over
the files all three read.
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

from bench.reading import scripts

# Every driver gets file names on its standard input and says, for each: read?, CPU seconds.
FRAME: Final = """
import json, os, signal, sys, time
sys.setrecursionlimit(100000)
pipe = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(1, 2)
class TooLong(BaseException):
    pass
def ring(*_):
    raise TooLong
signal.signal(signal.SIGVTALRM, ring)
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
def prepare():  # a fresh environment a file, not counted
    return SmtLibParser(Environment())
def read(text, parser):  # nodes are type-checked as they are made
    parser.get_script(StringIO(text))
"""
SCALING: Final = """
import json, sys, time
from pathlib import Path
from falsum.smtlib import read_script
def peak():  # of this program only; getrusage would remember its parent's
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
    """One reader's times for the files it read, and how many it did not."""

    name: str
    seconds: dict[str, float]
    failed: int


def run_reader(name: str, python: str, driver: str, files: list[Path], limit: float) -> Reader:
    program = FRAME.replace("{read}", driver).replace("{limit}", str(limit))
    said = subprocess.run(
        [python, "-c", program],
        input="\n".join(str(file) for file in files),
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [json.loads(line) for line in said.stdout.splitlines()]
    if not rows:
        sys.exit(f"{name} says nothing (exit code {said.returncode})")
    good = {file: seconds for file, error, seconds in rows if not error}
    return Reader(name, good, len(files) - len(good))


def peers(given: argparse.Namespace) -> int:
    files = scripts(given.corpus)
    if len(files) > given.sample:
        files = sorted(Random(given.rng).sample(files, given.sample))
    readers = [
        run_reader("falsum", sys.executable, FALSUM, files, given.limit),
        run_reader("yinyang", given.peers, YINYANG, files, given.limit),
        run_reader("pySMT", given.peers, PYSMT, files, given.limit),
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
    """Error, CPU seconds and megabytes that reading `text` takes in a fresh process."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        said = subprocess.run(
            [sys.executable, "-c", SCALING, stream.name],
            capture_output=True,
            text=True,
            check=False,
        )
    if said.returncode != 0:
        return f"exit code {said.returncode}: {said.stderr[-200:]}", 0.0, 0.0
    error, seconds, megabytes = json.loads(said.stdout)
    return error, seconds, megabytes


def scaling(given: argparse.Namespace) -> int:
    sizes = [size for size in (0.001, 0.01, 0.1, 1.0, 10.0) if size <= given.largest]
    print(f"{'script':<22}{'kB':>9}{'CPU s':>10}{'MB':>9}{'CPU s/MB':>11}{'MB/MB':>8}")
    cases = [(f"flat {size} MB", flat_script(int(size * 10**6))) for size in sizes]
    if given.huge:
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.reader_speed", description=__doc__)
    parts = parser.add_subparsers(required=True)
    against = parts.add_parser("peers")
    against.add_argument("corpus", type=Path)
    against.add_argument("--peers", required=True, metavar="PYTHON")
    against.add_argument("--sample", type=int, default=800)
    against.add_argument("--rng", type=int, default=1)
    against.add_argument("--limit", type=float, default=20.0, help="CPU seconds for one file")
    against.set_defaults(run=peers)
    growing = parts.add_parser("scaling")
    growing.add_argument("--largest", type=float, default=10.0, help="megabytes")
    growing.add_argument("--huge", action="store_true", help="50 MB as well")
    growing.set_defaults(run=scaling)
    given = parser.parse_args()
    result: int = given.run(given)
    return result


if __name__ == "__main__":
    sys.exit(main())
