"""Assignments for the symbols of a seed: models of the seed and of its negation, then random ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


def assignments_of(
    seed: Seed, rng: Random, lab: Lab | None, *, shuffled: bool = False
) -> Iterator[tuple[str, Model]]:
    """Assignments without end, each with a phrase about its origin; shuffled, a random one may be first."""
    script = seed.script
    questions = (("the seed", _single_check), ("its negation", _negated))
    solvers = lab.solvers if lab is not None else ()
    origins: list[tuple[str, str, Callable[[Script], Script]] | None] = [
        (what, solver, question) for what, question in questions for solver in solvers
    ]
    if shuffled:
        origins.append(None)
        rng.shuffle(origins)
    for origin in origins:
        if origin is None or lab is None:
            yield _random_assignment(script, rng)
            continue
        what, solver, question = origin
        answer = lab.ask(Request(solver, print_script(question(script)), Want.MODEL))
        if answer.model is None:
            continue
        try:
            model = read_model(answer.model, script)
        except ScriptError:
            continue  # a dialect that falsum does not read: the next assignment will do
        yield f"a model of {what} by {solver}", model
    while True:
        yield _random_assignment(script, rng)


def _random_assignment(script: Script, rng: Random) -> tuple[str, Model]:
    number = rng.getrandbits(32)
    return f"random model {number}", random_model(script, Random(number))


def _single_check(script: Script) -> Script:
    """All assertions of the script, of all its levels, with one check."""
    commands_left_out = CheckSat | Push | Pop | Plain
    return Script((*(c for c in script.commands if not isinstance(c, commands_left_out)), CheckSat()))


def _negated(script: Script) -> Script:
    """As `_single_check`, with the conjunction of all assertions negated."""
    commands: list[Command] = []
    terms = []
    for command in _single_check(script).commands:
        if isinstance(command, Assert):
            terms.append(command.term)
        elif not isinstance(command, CheckSat):
            commands.append(command)
    if not terms:
        return script
    whole = terms[0] if len(terms) == 1 else app(Head(OPERATORS["and"]), terms)
    return Script((*commands, Assert(app(Head(OPERATORS["not"]), (whole,))), CheckSat()))
