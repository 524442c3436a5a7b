"""Evaluates the models that z3 and cvc5 print for the scripts of CORPUS; lists reasons for *cannot say*.

Every quantifier-free script that a solver finds sat within the limit counts. It is *true* if every assertion
is true under the model, *false* if one is false, else *cannot say*. Scripts with extensions of the standard
are counted separately. Every *false* is listed. Models are asked for once and stored.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.command import command_parser
from bench.evaluator.solver_models import Printed, first_check, models, terms_of

from falsum.errors import ScriptError
from falsum.smtlib import Script, print_term, read_file
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import DeclareDatatypes
from falsum.smtlib.terms import App, Lambda
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.walk import subterms

if TYPE_CHECKING:
    from falsum.smtlib.sorts import Sort

_EXTENDED_SORTS: Final = frozenset(
    "-> Seq Set Bag Nullable Tuple UnitTuple Char RegEx FiniteField Relation Table".split()
)


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one model: `answer` is true, false or cannot say, `why` a reason or an assertion."""

    printed: Printed
    extended: str
    answer: str
    why: str = ""
    seconds: float = 0.0


def extension(script: Script) -> str:
    """The first extension of the standard in a script, or ""."""
    if any(isinstance(c, DeclareDatatypes) and "co" in c.word for c in script.commands):
        return "codatatypes"
    for term in terms_of(script):
        for part in subterms(term):
            sort = _extended_sort(part.sort)
            if sort:
                return sort
            if isinstance(part, Lambda):
                return part.kind
            symbol = part.head.symbol if isinstance(part, App) else None
            if isinstance(symbol, Operator) and not symbol.canonical.is_standard and not symbol.is_implicit:
                return symbol.name
    return ""


def _extended_sort(sort: Sort) -> str:
    if sort.name in _EXTENDED_SORTS or (sort.name == "Array" and len(sort.args) > 2):
        return sort.name
    return next((name for arg in sort.args if (name := _extended_sort(arg))), "")


def evaluate(root: Path, printed: Printed) -> Result:
    """Evaluate the script's assertions under the model."""
    script = first_check(read_file(root / printed.file))
    assert script is not None
    beyond = extension(script)
    start = time.process_time()
    try:
        model = read_model(printed.model, script, printed.file)
    except ScriptError as error:
        return Result(printed, beyond, "cannot say", f"model: {error.message}")
    answers = truths(script, model)
    spent = time.process_time() - start
    for term, answer in zip(script.assertions, answers, strict=True):
        if answer is False:
            return Result(printed, beyond, "false", print_term(term), spent)
    for answer in answers:
        if isinstance(answer, CannotSay):
            return Result(printed, beyond, "cannot say", answer.reason, spent)
    return Result(printed, beyond, "true", "", spent)


def kind(reason: str) -> str:
    """A reason without names and positions, for counting."""
    reason = re.sub(r"the model's .* cannot be read: \d+:\d+: ", "unreadable: ", reason)
    return re.sub(r"\d+", "N", reason)[:90]


def report(title: str, results: list[Result]) -> None:
    counts = Counter(result.answer for result in results)
    total = len(results) or 1
    shares = ", ".join(f"{answer} {n} ({100 * n / total:.2f} %)" for answer, n in counts.most_common())
    print(f"{title}: {len(results)} models of {len({r.printed.file for r in results})} scripts: {shares}")
    by_script: dict[str, set[str]] = {}
    for result in results:
        by_script.setdefault(result.printed.file, set()).add(result.answer)
    shown = sum("true" in answers for answers in by_script.values())
    print(
        f"    true under a model of a solver: {shown} scripts ({100 * shown / (len(by_script) or 1):.2f} %)"
    )
    reasons = Counter(kind(result.why) for result in results if result.answer == "cannot say")
    for reason, count in reasons.most_common():
        print(f"    {count:5} {reason}")
    for result in results:
        if result.answer == "false":
            print(f"  FALSE {result.printed.solver} {result.printed.file}: {result.why[:200]}")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.evaluator.corpus", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument(
        "--keep", type=Path, metavar="FILE", help="models of the solvers (default: in the cache)"
    )
    made.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="limit of a solver call (default 2)"
    )
    made.add_argument("--quantified", action="store_true", help="take the scripts with quantifiers instead")
    made.add_argument(
        "--list", default="", metavar="REASON", help="list models with a reason that contains REASON"
    )
    return made


def main() -> int:
    args = parser().parse_args()
    found = models(args.corpus, args.keep, args.seconds, quantified=args.quantified)
    results = [evaluate(args.corpus, printed) for printed in found]
    report("standard theories", [result for result in results if not result.extended])
    report("extensions of the standard", [result for result in results if result.extended])
    slow = sorted(results, key=lambda result: -result.seconds)[:3]
    print("slowest:", ", ".join(f"{r.printed.file} {r.seconds:.2f} s" for r in slow))
    for result in results:
        if args.list and args.list in result.why:
            print(f"  {result.printed.solver} {result.printed.file}: {result.why[:160]}")
    return 1 if any(result.answer == "false" for result in results) else 0


if __name__ == "__main__":
    raise SystemExit(main())
