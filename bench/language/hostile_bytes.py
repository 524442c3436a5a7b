"""Hostile bytes through every reader: only falsum's own exceptions, at most two seconds, bounded memory.

Readers of scripts, models, traces, stores, configurations and operator files get inputs made from valid ones:
bytes flipped, cut, repeated and joined, brackets nested by the thousand, numerals and names of any length.
Time is CPU time of this process, so a busy machine changes nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

import psutil
from bench.command import command_parser
from bench.language.broken_scripts import EMBEDDED

from falsum.api.trace import read_trace
from falsum.campaign import config
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.smtlib.text.lexer import decode
from falsum.solvers.limits import limit_own_memory
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.store import Store

MAX_SECONDS: Final = 2.0
MAX_MEMORY: Final = 2 << 30
SCRIPT: Final = """(declare-datatypes ((T 0)) (((nil) (cons (head Int) (tail T)))))
(declare-const x Int)(declare-const y Real)(declare-const b (_ BitVec 8))(declare-const s String)
(declare-const t T)(declare-const a (Array Int Int))(declare-const f (_ FloatingPoint 8 24))
(declare-fun g (Int) Int)(assert true)(check-sat)"""
MODEL: Final = """sat ((define-fun x () Int (- 7)) (define-fun y () Real (/ 1.0 3.0))
(define-fun b () (_ BitVec 8) #x0f)
(define-fun s () String "a\\u{41}") (define-fun t () T (cons 1 (as nil T)))
(define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 0) 1 2))
(define-fun f () (_ FloatingPoint 8 24) (fp #b0 #x80 #b00000000000000000000000))
(define-fun g ((z!1 Int)) Int (ite (= z!1 3) 4 5)))"""
TRACE: Final = """# falsum trace
# solver: z3
# rng: 3
new
set-option produce-models true
s1 = bool-sort
c1 = const s1 "x"
t1 = term and c1 c1
assert t1
check -> sat
"""
CONFIGURATION: Final = 'solvers = ["z3", "cvc5"]\ntimeout = 5.0\nmemory = 512\n[options.z3]\nseed = 3\n'
OPERATORS: Final = """(par (A) (= A A Bool :chainable))
(bvadd (_ BitVec m) (_ BitVec m) (_ BitVec m))
(not Bool Bool)
"""
PIECES: Final = (
    b"(", b")", b"|", b'"', b";", b"\x00", b"\xff\xfe", b"(_ bv3 90000000000)", b"(let ((x x)) ", b"\\",
    b"#x", b"#b", b"((_ is ", b"(! ", b"[", b"=", b"\n", b"\xed\xa0\x80",
    b"9e999999999", b"(as ", b"{", b"'''", b"-> ",
)  # fmt: skip


class Inputs:
    """Draws hostile inputs from valid ones."""

    def __init__(self, valid: list[bytes], rng: Random) -> None:
        self._valid = valid
        self._rng = rng

    def draw(self) -> bytes:
        rng = self._rng
        data = bytearray(rng.choice(self._valid))
        for _ in range(rng.choice((1, 1, 2, 5, 20))):
            place = rng.randrange(len(data) + 1)
            match rng.randrange(6):
                case 0:
                    data[place : place + 1] = bytes([rng.randrange(256)])
                case 1:
                    data[place:place] = rng.choice(PIECES)
                case 2:
                    del data[place : place + rng.randrange(1, 40)]
                case 3:
                    other = rng.choice(self._valid)
                    data[place:place] = other[rng.randrange(len(other)) :][:200]
                case 4:
                    data[place:place] = data[place : place + 30] * rng.choice((2, 3, 50))
                case _:
                    many = rng.choice((1, 10, 1_000, 30_000, 400_000)) if rng.random() < 0.02 else 10
                    data[place:place] = rng.choice((b"7", b"(", b"x", b"(not ", b"\\", b"0.1", b" ")) * many
        return bytes(data)


def store_reader(folder: Path) -> Callable[[bytes], None]:
    """Reads a store whose database, or the record of a finding, is the input."""

    def read(data: bytes) -> None:
        (folder / "falsum.sqlite").write_bytes(data)
        for extra in ("falsum.sqlite-wal", "falsum.sqlite-shm"):
            (folder / extra).unlink(missing_ok=True)
        (folder / "finding.json").write_bytes(data)
        for reader in (_read_store, finding_folder.read):
            try:
                reader(folder)
            except FalsumError:
                continue

    return read


def _read_store(folder: Path) -> None:
    with StoreReader(folder) as store:
        store.campaign(1)
        store.findings()
        store.batches(1)
        store.sightings(1)
        store.faults(1)


def valid_stores(folder: Path) -> list[bytes]:
    with Store(folder) as store:
        store.begin({"kind": "fuzz"})
    # The pages in use say enough: the whole file is mostly zeros.
    finding = b'{"kind": "crash", "suspects": ["z3"], "signature": "s", "digest": "0", "evidence": "e"}'
    return [(folder / "falsum.sqlite").read_bytes()[:8192], finding]


def readers(scratch: Path) -> dict[str, tuple[list[bytes], Callable[[bytes], object]]]:
    """The readers, each with valid inputs."""
    script = read_script(SCRIPT)
    settings = scratch / "falsum.toml"

    def configuration(data: bytes) -> None:
        settings.write_bytes(data)
        config.read(settings)

    folder = scratch / "store"
    stores = valid_stores(folder)
    scripts = [text.encode() for text in (*EMBEDDED, SCRIPT)]
    return {
        "script": (scripts, lambda data: read_script(decode(data))),
        "model": ([MODEL.encode()], lambda data: read_model(decode(data), script)),
        "trace": ([TRACE.encode()], lambda data: read_trace(data.decode(errors="replace"))),
        "operator file": ([OPERATORS.encode()], lambda data: read_operator_file(decode(data))),
        "configuration": ([CONFIGURATION.encode()], configuration),
        "store": (stores, store_reader(folder)),
    }


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.hostile_bytes", __doc__)
    made.add_argument(
        "--bytes", type=int, default=10_000_000, metavar="N", help="bytes per reader (default 10,000,000)"
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    made.add_argument("--reader", action="append", metavar="NAME", help="only this reader; may be repeated")
    return made


def main() -> int:
    args = parser().parse_args()
    limit_own_memory(MAX_MEMORY)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        for reader, (valid, read) in readers(Path(name)).items():
            if not args.reader or reader in args.reader:
                failures += feed(reader, Inputs(valid, Random(args.rng)), read, args.bytes)
    return 1 if failures else 0


def feed(name: str, inputs: Inputs, read: Callable[[bytes], object], most: int) -> int:
    """Feed a reader; how many inputs it failed on."""
    fed = count = refused = 0
    slowest = 0.0
    failures: dict[str, tuple[int, str, bytes]] = {}
    while fed < most:
        data = inputs.draw()
        fed += len(data)
        count += 1
        start = time.process_time()
        try:
            read(data)
        except FalsumError:
            refused += 1
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            key = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
            seen = failures.get(key, (0, "", data))
            failures[key] = (seen[0] + 1, str(error)[:200], min(seen[2], data, key=len))
        took = time.process_time() - start
        slowest = max(slowest, took)
        if took > MAX_SECONDS:
            failures[f"slow: {took:.1f} s"] = (1, f"{len(data)} bytes", data[:200])
    resident = psutil.Process().memory_info().rss >> 20
    print(
        f"{name}: {fed} bytes in {count} inputs, {refused} refused, slowest {slowest:.2f} s, "
        f"{resident} MB resident, {sum(n for n, _text, _data in failures.values())} failures"
    )
    for key, (times, text, data) in sorted(failures.items()):
        print(f"  {key} ({times}): {text}\n    {data[:300]!r}")
    sys.stdout.flush()
    return len(failures)


if __name__ == "__main__":
    sys.exit(main())
