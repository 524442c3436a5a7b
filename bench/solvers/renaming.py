"""What it changes and costs that names of scripts are replaced before they are sent.

Makes mutants of honest seeds (CORPUS, or the bundled ones). Half of them get names that are replaced although
they are honest, as verifiers write them: `x` becomes `x_bounds`. Solvers are asked with replacement and
without it, if the text differs; verdicts that differ are listed. The cost is the CPU time of replacing names
and of putting them back, as a share of all CPU time of the requests with replacement.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from random import Random

from bench.command import command_parser
from bench.language.acceptance import scripts

from falsum.errors import FalsumError
from falsum.seeds import bundled
from falsum.smtlib import read_script
from falsum.smtlib.scripts import DeclareFun
from falsum.solvers import output
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.inputs import harmless_names, safe_script, tokens
from falsum.solvers.inputs.safe_script import _commands, _for_all, _printed_again, _understood_once
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME
from falsum.strategies.mutant import Seed

SOLVERS = ("z3", "cvc5")
STRATEGIES = ("opfuzz", "typefuzz", "rewrite", "sortswap", "havoc")
PER_SEED = 5
UNDECIDED = frozenset({EndingKind.TIMED_OUT, EndingKind.OUT_OF_MEMORY})
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.renaming", __doc__)
    made.add_argument(
        "corpus", nargs="?", type=Path, metavar="CORPUS",
        help="directory of .smt2 scripts (default: the bundled seeds)",
    )  # fmt: skip
    made.add_argument("--count", type=int, default=5000, metavar="N", help="mutants (default 5,000)")
    made.add_argument("--seconds", type=float, default=2.0, metavar="S", help="limit per script (default 2)")
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    return made


def main() -> int:
    args = parser().parse_args()
    solvers = [resolve(name, Zoo()) for name in SOLVERS]
    tally, spent, total, different = Counter[str](), 0.0, 0.0, 0
    with LiveLab(solvers, Limits(seconds=args.seconds)) as lab:
        for number, text in enumerate(islice(mutants(args.corpus, args.rng), args.count)):
            for solver in solvers:
                tally["requests"] += 1
                start = time.process_time()
                with timed() as cost:
                    answer = lab.ask(Request(solver.name, text, Want.MODEL))
                total += time.process_time() - start + answer.cpu
                spent += cost[0]
                tally["with replaced names"] += bool(solver.prepare(text).names)
                if not differs(solver, text):
                    tally["sent alike"] += 1
                    continue
                with as_they_are():
                    other = lab.ask(Request(solver.name, text, Want.MODEL, again=True))
                same = compared(answer, other)
                tally[same] += 1
                if same == "different":
                    different += 1
                    print(f"{number}, {solver.name}: {said(answer)}, and {said(other)} as it is\n{text}")
    print(f"{args.count} mutants: {', '.join(f'{count} {what}' for what, count in tally.items())}")
    print(f"{spent / total:.2%} of {total:.0f} s of CPU time is spent on replacing names")
    return 1 if different else 0


def mutants(corpus: Path | None, rng: int) -> Iterator[str]:
    """Mutants of seeds in turn, with every second seed under names that are replaced."""
    files = sorted(scripts(corpus)) if corpus else list(bundled())
    texts = [each.read_bytes().decode("utf-8", "replace") for each in files]
    drawn = Random(rng)
    for number in count():
        text = drawn.choice(texts)
        seed_text = (renamed(text) if number % 2 else text) if len(text) < 20_000 else ""
        strategy = BY_NAME[STRATEGIES[number % len(STRATEGIES)]]
        if not seed_text:
            continue
        try:
            seed = Seed(f"{number}", seed_text)
            yield from (made.text for made in islice(strategy.mutants((seed,), drawn, None), PER_SEED))
        except FalsumError:  # not for this strategy
            continue


def renamed(text: str) -> str:
    """The script with `_bounds` behind the names of its functions; "" if it cannot be read."""
    try:
        declared = {
            command.function.name for command in read_script(text).commands if isinstance(command, DeclareFun)
        }
    except FalsumError:
        return ""
    plain = sorted((name for name in declared if _SIMPLE.match(name)), key=len, reverse=True)
    if not plain:
        return ""
    words = re.compile(rf"(?<=[\s(])(?:{'|'.join(plain)})(?=[\s)])")
    return words.sub(lambda word: f"{word[0]}_bounds", text)


def differs(solver: Solver, text: str) -> bool:
    sent = solver.prepare(text).text
    with as_they_are():
        return solver.prepare(text).text != sent


@contextmanager
def as_they_are() -> Iterator[None]:
    """Names are sent as they are."""
    replace_name, needs = harmless_names.harmless_name, harmless_names.may_need_replacement
    forget()
    setattr(tokens, "harmless_name", lambda token: token)  # noqa: B010 - for a while
    setattr(safe_script, "may_need_replacement", lambda _text: False)  # noqa: B010
    try:
        yield
    finally:
        setattr(tokens, "harmless_name", replace_name)  # noqa: B010
        setattr(safe_script, "may_need_replacement", needs)  # noqa: B010
        forget()


def forget() -> None:
    """Empty the caches of what is made of names."""
    for cached in (
        tokens.safe_token,
        _for_all,
        _commands,
        _understood_once,
    ):
        cached.cache_clear()


@contextmanager
def timed() -> Iterator[list[float]]:
    """The CPU seconds spent on replacing names and putting them back."""
    spent = [0.0]
    printed_again, restored = _printed_again, harmless_names.restored
    needs = harmless_names.may_need_replacement

    def count_time(function: object) -> object:
        def timed_function(*given: object) -> object:
            start = time.process_time()
            try:
                return function(*given)  # type: ignore[operator]
            finally:
                spent[0] += time.process_time() - start

        return timed_function

    setattr(safe_script, "_printed_again", count_time(printed_again))  # noqa: B010
    setattr(safe_script, "may_need_replacement", count_time(needs))  # noqa: B010
    setattr(output, "restored", count_time(restored))  # noqa: B010
    try:
        yield spent
    finally:
        setattr(safe_script, "_printed_again", printed_again)  # noqa: B010
        setattr(safe_script, "may_need_replacement", needs)  # noqa: B010
        setattr(output, "restored", restored)  # noqa: B010


def compared(answer: Answer, other: Answer) -> str:
    if answer.ending.kind in UNDECIDED or other.ending.kind in UNDECIDED:
        return "not in time"
    is_same = (answer.verdicts, answer.ending.kind, answer.model is None) == (
        other.verdicts, other.ending.kind, other.model is None,
    )  # fmt: skip
    return "answered alike" if is_same else "different"


def said(answer: Answer) -> str:
    return f"{' '.join(map(str, answer.verdicts))} ({answer.ending.kind})"


if __name__ == "__main__":
    sys.exit(main())
