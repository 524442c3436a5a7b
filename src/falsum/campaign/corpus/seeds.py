"""CorpusSeed: properties of a seed that need no solver; and the choice of few seeds with all behaviour of a
solver.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from falsum.campaign.corpus.seed_files import SeedError, SeedFile, completed, unusable
from falsum.defects.identity.signature import operators_of
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.models.model import declared_functions
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.instruments import statistics
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner
from falsum.strategies.mutant import Seed

_STATUS: Final = re.compile(r"\(\s*set-info\s+:status\s+(sat|unsat|unknown)\s*\)")
_INFO: Final = re.compile(
    r"\(\s*set-info\s[^()|\"]*\)|\(\s*set-info\s+:[\w-]+\s+(?:\|[^|]*\||\"[^\"]*\")\s*\)"
)
_COMMENT: Final = re.compile(r";[^\n]*")
_WORD: Final = re.compile(r"\|[^|]*\||\"(?:[^\"]|\"\")*\"|[()]|[^\s()]+")


@dataclass(frozen=True, slots=True)
class CorpusSeed:
    """A described seed; if `unusable` gives a reason, the rest is empty."""

    file: SeedFile
    text: str
    unusable: str = ""
    status: str = ""
    operators: tuple[str, ...] = ()
    structure: str = ""


def described(files: Iterable[SeedFile]) -> Iterator[CorpusSeed]:
    """The descriptions of seeds."""
    for file in files:
        try:
            text = file.text()
        except SeedError as error:
            yield CorpusSeed(file, "", f"unreadable: {error}")
            continue
        why = unusable(Seed(file.name, completed(text)))
        if why.startswith("unreadable"):
            yield CorpusSeed(file, text, why)
            continue
        _theories, operators = operators_of(read_script(text).assertions)
        status = _STATUS.findall(text)
        yield CorpusSeed(
            file, text, why, status[-1] if status else "unknown", tuple(operators), structure_of(text)
        )


def structure_of(text: str) -> str:
    """A digest that is the same for scripts that differ in names, comments, information and layout only."""
    try:
        names = [function.name for function in declared_functions(read_script(text))]
    except FalsumError:
        return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]
    numbers = {name: f"!{number}" for number, name in enumerate(dict.fromkeys(names))}
    plain = _INFO.sub("", _COMMENT.sub("", text))
    words = (numbers.get(word.strip("|"), word) for word in _WORD.findall(plain))
    return hashlib.sha256(" ".join(words).encode(errors="surrogateescape")).hexdigest()[:16]


def behaviour(
    solver: Solver, script: str, limits: Limits, runner: ProcessRunner, edges: EdgeWatch
) -> frozenset[str]:
    """The behaviour of a solver on a script: the edges that it reaches if it is built with AFL++, else its
    verdicts and statistics; a statistic is rounded to a power of two.
    """
    solver_input = solver.prepare(script)
    program = edges.watched(solver, solver.cold_program(solver_input))
    edges.clear(solver)
    question = "" if solver.build.has_edges else f"\n{statistics.QUESTION}\n"
    result = runner.run(program, limits, f"{solver_input.text}{question}".encode(errors="replace"))
    if solver.build.has_edges:
        return frozenset(f"edge {edge}" for edge in edges.reached(solver))
    return buckets(result.stdout.decode(errors="replace"))


def buckets(output: str) -> frozenset[str]:
    """The features in what a solver printed."""
    words = {word for word in ("sat", "unsat", "unknown") if re.search(rf"^{word}$", output, re.MULTILINE)}
    return statistics.buckets(output) | words


def fewest(features: Mapping[str, frozenset[str]], lengths: Mapping[str, int]) -> list[str]:
    """A small set of names that together have all features: greedily the one with the most new features, then
    the shortest.
    """
    uncovered = set().union(*features.values()) if features else set()
    choice: list[str] = []
    while uncovered:
        best = min(features, key=lambda name: (-len(features[name] & uncovered), lengths[name], name))
        choice.append(best)
        uncovered -= features[best]
    return choice
