"""Asks z3, cvc5, bitwuzla and yices for models of the scripts of CORPUS, and stores them for the other
commands of this folder.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.command import command_parser
from platformdirs import user_cache_path

from falsum.errors import FalsumError
from falsum.smtlib import Script, print_command, read_file
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    DefineFun,
    DefineFunsRec,
    NotUnderstood,
    Plain,
    Pop,
    Push,
    SetInfo,
    SetLogic,
    SetOption,
    SynthFun,
    WithTerms,
)
from falsum.smtlib.terms import Lambda, Quantifier
from falsum.smtlib.walk import subterms
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from falsum.smtlib.terms import Term

SOLVERS: Final = ("z3", "cvc5", "bitwuzla", "yices")
_CVC5_OPTIONS: Final = ("strings-exp", "fp-exp", "sets-exp", "arrays-exp")


@dataclass(frozen=True, slots=True)
class Printed:
    """A model that a solver prints for a script, up to the first check."""

    file: str
    solver: str
    cpu: float
    model: str


def first_check(script: Script) -> Script | None:
    """Declarations and assertions at the first check; None if a command before it has other effects."""
    kept: list[Command] = []
    for command in script.commands:
        if isinstance(command, CheckSat):
            return Script(tuple(kept))
        if isinstance(command, CheckSatAssuming):
            return Script((*kept, *(Assert(term) for term in command.terms)))
        if isinstance(command, SynthFun | NotUnderstood | Pop) or _has_other_effects(command):
            return None
        is_heap = isinstance(command, Plain) and command.word == "declare-heap"
        if is_heap or not isinstance(command, SetOption | SetInfo | Push | Plain | WithTerms):
            kept.append(command)
    return None


def _has_other_effects(command: Command) -> bool:
    if isinstance(command, Plain):
        return command.word in ("reset", "reset-assertions", "include")
    return isinstance(command, WithTerms) and command.word in ("rule", "query", "assert-soft", "assert-not")


def terms_of(script: Script) -> Iterator[Term]:
    for command in script.commands:
        if isinstance(command, Assert):
            yield command.term
        elif isinstance(command, DefineFun):
            yield command.body
        elif isinstance(command, DefineFunsRec):
            yield from command.bodies


def is_quantifier_free(script: Script) -> bool:
    """Whether a script has no quantifier, no lambda and no recursive definition."""
    if any(isinstance(c, DefineFunsRec) or (isinstance(c, DefineFun) and c.word == "define-fun-rec")
           for c in script.commands):  # fmt: skip
        return False
    seen: set[Term] = set()
    for term in terms_of(script):
        for part in subterms(term):
            if isinstance(part, Quantifier | Lambda):
                return False
            seen.add(part)
    return True


def script_for(script: Script, solver: str) -> str:
    """The script as text for one solver."""
    lines = [print_command(command) for command in script.commands]
    if solver == "cvc5":
        options = [f"(set-option :{name} true)" for name in _CVC5_OPTIONS]
        if not any(isinstance(command, SetLogic) for command in script.commands):
            options.append("(set-logic ALL)")
        lines = options + lines
    return "\n".join([*lines, "(check-sat)", ""])


def ask(root: Path, files: list[Path], seconds: float, *, quantified: bool) -> Iterator[Printed]:
    """The models that the solvers print within the limit."""
    with LiveLab([resolve(name, Zoo()) for name in SOLVERS], Limits(seconds=seconds)) as lab:
        for file in files:
            try:
                script = first_check(read_file(file))
            except FalsumError:
                continue
            if script is None or is_quantifier_free(script) is quantified:
                continue
            for solver in SOLVERS:
                answer = lab.ask(Request(solver, script_for(script, solver), Want.MODEL))
                if str(answer.verdict) == "sat" and answer.model is not None:
                    yield Printed(str(file.relative_to(root)), solver, answer.cpu, answer.model)


def models(root: Path, keep: Path | None, seconds: float, *, quantified: bool) -> list[Printed]:
    """The models of a corpus, which are asked for unless they are stored."""
    name = sha256(f"{root.resolve()} {quantified}".encode()).hexdigest()[:12]
    kept = keep or user_cache_path("falsum") / "bench" / f"models-{name}.jsonl"
    if not kept.exists():
        files = sorted(root.rglob("*.smt2"))
        shares = [files[start::2] for start in range(2)]
        with ThreadPoolExecutor(2) as pool:
            parts = list(pool.map(lambda s: list(ask(root, s, seconds, quantified=quantified)), shares))
        found = sorted((p for part in parts for p in part), key=lambda p: (p.file, p.solver))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text("".join(json.dumps(asdict(printed)) + "\n" for printed in found))
    return [Printed(**json.loads(line)) for line in kept.read_text().splitlines()]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.evaluator.solver_models", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument(
        "--keep", type=Path, metavar="FILE", help="models of the solvers (default: in the cache)"
    )
    made.add_argument(
        "--seconds", type=float, default=2.0, metavar="S", help="limit of a solver call (default 2)"
    )
    made.add_argument("--quantified", action="store_true", help="take the scripts with quantifiers instead")
    return made


def main() -> None:
    args = parser().parse_args()
    found = models(args.corpus, args.keep, args.seconds, quantified=args.quantified)
    print(f"{len(found)} models of {len({p.file for p in found})} scripts")


if __name__ == "__main__":
    main()
