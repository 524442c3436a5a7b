"""Makes queries with the verifiers that are installed: Dafny, Boogie and Why3.

The first two get `bench/audits/programs`, Why3 its own library. A program that is not there is left out,
and that is said. What a verifier proves does not matter here.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.command import command_parser

PROGRAMS: Final = Path(__file__).with_name("programs")
# A verifier writes a query before it asks: more time makes no more queries.
_SECONDS: Final = 1
_LONGEST: Final = 600


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.audits.queries", __doc__)
    parsed.add_argument("out", type=Path, metavar="DIRECTORY", help="has a folder for each verifier")
    return parsed


def main() -> None:
    args = parser().parse_args()
    for name, commands in (("dafny", _dafny), ("boogie", _boogie), ("why3", _why3)):
        if shutil.which(name) is None:
            print(f"{name}: not installed, left out")
            continue
        folder = args.out.resolve() / name
        folder.mkdir(parents=True, exist_ok=True)
        for command in commands(folder):
            _run(command)
        print(f"{name}: {sum(1 for _each in folder.rglob('*.smt2'))} queries")


def _run(command: list[str]) -> None:
    """Verifiers end with an error if something is not proved; that there are queries is seen afterwards."""
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LONGEST, check=False)


def _dafny(folder: Path) -> Iterator[list[str]]:
    for file in sorted(PROGRAMS.glob("*.dfy")):
        log = f"/proverLog:{folder}/{file.stem}-@PROC@.smt2"
        yield ["dafny", "/compile:0", f"/timeLimit:{_SECONDS}", log, str(file)]


def _boogie(folder: Path) -> Iterator[list[str]]:
    for file in sorted(PROGRAMS.glob("*.bpl")):
        log = f"/proverLog:{folder}/{file.stem}-@PROC@.smt2"
        yield ["boogie", f"/timeLimit:{_SECONDS}", log, str(file)]


def _why3(folder: Path) -> Iterator[list[str]]:
    shown = subprocess.run(["why3", "--print-datadir"], capture_output=True, text=True, check=True)
    data = Path(shown.stdout.strip())
    for file in sorted((data / "stdlib").rglob("*.mlw")):
        driver = data / "drivers" / "z3_440.drv"
        yield ["why3", "prove", "-D", str(driver), "-a", "split_vc", "-o", str(folder), str(file)]


if __name__ == "__main__":
    main()
