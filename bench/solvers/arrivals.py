"""Whether scripts arrive at solvers byte by byte, and say there what falsum reads in them.

Puts every script of CORPUS, the hostile scripts, and generated ones to two hosts that answer with what they
have got, as each product gets it: a program that reads standard input, and a library. Every twentieth script
goes to fresh processes, too. Every second generated script is damaged: characters that solvers read in
different ways are put into it. Of scripts that count as whole, what arrives must say at each check what
falsum reads in the script.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from random import Random

from bench.command import command_parser
from bench.language.acceptance import scripts
from tests.solvers.hostile import dropped
from tests.solvers.hostile import scripts as hostile_scripts
from tests.solvers.inputs.test_sent_whole import LIBRARY, PROGRAM

from falsum.errors import FalsumError
from falsum.seeds import bundled
from falsum.smtlib import read_script
from falsum.solvers.hosts import serve
from falsum.solvers.hosts.host import Host
from falsum.solvers.inputs.safe_script import safe_script
from falsum.solvers.inputs.solver_input import prepare
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Want
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.strategies.generate import LOGICS, Generate

LIMITS = Limits(seconds=60.0, output=64)
# Larger scripts are not sent: their number is given.
LARGEST = 1 << 20
# Newest releases: an older one gets other names of operators.
RELEASES = {"z3": "5.4.0", "cvc5": "1.4.2", "bitwuzla": "0.9.1", "cvc4": "1.8"}
WANTS = (Want.VERDICT, Want.MODEL, Want.CORE)
SECRET = "falsum-secret"
ODD = [
    "\r",
    "\r\n",
    "\0",
    "\\",
    '"',
    '""',
    "|",
    ";",
    "#|",
    "|#",
    "\ufeff",
    "\x85",
    "\u2028",
    "é",
    "\x1b",
    "\t",
    "\v",
    "\f",
]
ODD += [
    "\udc80",
    "\U0001f600",
    "\\u{41}",
    "\\x41",
    "(",
    ")",
    "|a\rb|",
    "|a\\|",
    "|a\nunsat\nb|",
    '"\r"',
    "; \r",
    "falsum!1",
]
EVERY = 20


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.arrivals", __doc__)
    made.add_argument(
        "corpus", nargs="?", type=Path, metavar="CORPUS",
        help="directory of .smt2 scripts (default: the bundled seeds)",
    )  # fmt: skip
    made.add_argument("--count", type=int, default=10_000, metavar="N", help="generated (default 10,000)")
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    return made


def main() -> int:
    args = parser().parse_args()
    files = sorted(scripts(args.corpus)) if args.corpus else bundled()
    corpus = (each.read_bytes().decode("utf-8", "surrogateescape") for each in files)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, ProcessRunner() as runner:
        echoes = Echoes(runner, Path(folder))
        for title, texts in {
            "of the corpus": corpus,
            "hostile": iter(hostile_scripts().values()),
            "generated": islice(generated(args.rng), args.count),
        }.items():
            wrong += compare(title, texts, echoes)
        echoes.close()
    return 1 if wrong else 0


def compare(title: str, texts: Iterable[str], echoes: Echoes) -> int:
    """Send all scripts; how many do not arrive as they are, or say something else there."""
    tally = Counter[str]()
    for number, text in enumerate(texts):
        tally["scripts"] += 1
        tally[_judged(text)] += 1
        if what := dropped(text):
            tally["saying something else"] += 1
            print(f"{title}, {number}: {what[:300]}", flush=True)
        if len(text) > LARGEST:
            tally["too large to be sent"] += 1
            continue
        product = list(RELEASES)[number % len(RELEASES)]
        want = WANTS[number // len(RELEASES) % len(WANTS)]
        sent = prepare(text, BY_PRODUCT[product], RELEASES[product], want).marked(SECRET)
        for way, arrived in echoes.ask(sent, cold=number % EVERY == 0):
            tally["arrivals"] += 1
            if arrived != sent:
                tally["changed on the way"] += 1
                print(f"{title}, {number}, {product}, {way}: {sent!r:.200} arrives as {arrived!r:.200}")
    print(f"{title}: {', '.join(f'{count} {what}' for what, count in tally.items())}", flush=True)
    return tally["saying something else"] + tally["changed on the way"]


def _judged(text: str) -> str:
    """Whether answers to a script are judged."""
    if not safe_script(text).whole:
        return "refused"
    try:
        read_script(text)
    except FalsumError:
        return "not understood"
    return "judged"


class Echoes:
    """Hosts that answer with what they have got."""

    def __init__(self, runner: ProcessRunner, folder: Path) -> None:
        library, program = folder / "library.py", folder / "program.py"
        library.write_text(LIBRARY)
        program.write_text(PROGRAM)
        python = (sys.executable, "-I", "-S")
        serving = (*python, str(Path(serve.__file__)), str(library), str(folder))
        self._runner = runner
        self._cold = {
            "program": Program((*python, str(program))),
            "library": Program((*serving, "once")),
        }
        self._serving = {
            "program": self._cold["program"],
            "library": Program((*serving, "stay")),
        }
        self._warm = {name: self._host(name) for name in self._serving}

    def ask(self, text: str, *, cold: bool) -> Iterator[tuple[str, str]]:
        for name, host in self._warm.items():
            if not host.alive:  # it has had as many scripts as one may have
                self._warm[name] = self._host(name)
            yield f"warm {name}", _text(self._warm[name].ask(text).stdout)
        for name, program in self._cold.items() if cold else ():
            yield f"cold {name}", _text(self._runner.run(program, LIMITS, text.encode()).stdout)

    def _host(self, name: str) -> Host:
        return Host(self._runner, self._serving[name], LIMITS, library=name == "library")

    def close(self) -> None:
        for host in self._warm.values():
            host.close()


def _text(shown: bytes) -> str:
    return bytes.fromhex(shown.decode().strip()).decode()


def generated(rng: int) -> Iterator[str]:
    """Scripts of all logics in turn, every second one damaged."""
    logics = list(LOGICS)
    for number in count():
        logic = logics[number % len(logics)]
        drawn = Random(f"{rng}:{number}")
        for mutant in islice(Generate(logics=(logic,)).mutants((), drawn, None), 1):
            yield damaged(mutant.text, drawn) if number % 2 else mutant.text


def damaged(text: str, drawn: Random) -> str:
    for _ in range(drawn.randint(1, 3)):
        place = drawn.randrange(len(text) + 1)
        text = text[:place] + drawn.choice(ODD) + text[place:]
    return text


if __name__ == "__main__":
    sys.exit(main())
