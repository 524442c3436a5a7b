"""Assignments for a seed: models solvers give it and its negation, and random ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from falsum.errors import ScriptError
from falsum.smtlib import Script, print_script
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import Assert, CheckSat, Command, Plain, Pop, Push
from falsum.smtlib.terms import Head, app
from falsum.smtlib.theories import OPERATORS
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Seed


def assignments(seed: Seed, rng: Random, lab: Lab | None) -> Iterator[tuple[str, Model]]:
    """Assignments without end, each with a word on where it is from."""
    script = seed.script
    if lab is not None:
        for what, asked in (("the seed", _once(script)), ("its negation", _negated(script))):
            for solver in lab.solvers:
                answer = lab.ask(Request(solver, print_script(asked), Want.MODEL))
                if answer.model is None:
                    continue
                try:
                    model = read_model(answer.model, script)
                except ScriptError:
                    continue  # a dialect we do not read: the next assignment will do
                yield f"a model of {what} by {solver}", model
    while True:
        number = rng.getrandbits(32)
        yield f"random model {number}", random_model(script, Random(number))


def _once(script: Script) -> Script:
    """All assertions of the script, one check."""
    kept = [c for c in script.commands if not isinstance(c, CheckSat | Push | Pop)]
    return Script((*_before_exit(kept), CheckSat()))


def _negated(script: Script) -> Script:
    """As `_once`, with the conjunction of all assertions negated."""
    kept: list[Command] = []
    terms = []
    for command in _before_exit(_once(script).commands):
        if isinstance(command, Assert):
            terms.append(command.term)
        elif not isinstance(command, CheckSat):
            kept.append(command)
    if not terms:
        return script
    whole = terms[0] if len(terms) == 1 else app(Head(OPERATORS["and"]), terms)
    return Script((*kept, Assert(app(Head(OPERATORS["not"]), (whole,))), CheckSat()))


def _before_exit(commands: Sequence[Command]) -> list[Command]:
    return [c for c in commands if not isinstance(c, Plain)]
