"""interrogation: Horn clauses with one more, which follows from them or from what a solver says of them.

Theorems. A resolvent of two clauses follows from them, and so does a fact that a derivation ends with: with
such a clause more, the verdict stays. It stays as well if a clause asks for facts outside of an invariant, or
has the invariant among its premises: both hold if the solver's model of the seed is right, and otherwise the
solver contradicts itself. With a clause that denies a derived fact, the mutant is unsat. Our evaluator
verifies every derivation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import Script, print_script
from falsum.smtlib.consequences.clauses import Clause, clauses_of, resolvents
from falsum.smtlib.consequences.consequence import negation
from falsum.smtlib.consequences.invariants import invariant_of, read_invariant
from falsum.smtlib.consequences.unrolled_clauses import unrolled
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.fragments.horn import HORN
from falsum.smtlib.models.model import Model
from falsum.smtlib.scripts import Assert, CheckSat, Command, DeclareFun, DefineFun
from falsum.smtlib.substitution import fresh
from falsum.smtlib.terms import App, Function, Head, Quantifier, Term, app, var
from falsum.smtlib.theories.core import FALSE, TRUE
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.growth.literals import is_writable
from falsum.strategies.mutant import Claim, Mutant, Seed, abbreviated
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import flatten

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 50


@dataclass(frozen=True, slots=True)
class Interrogation:
    """Adds one to `most` clauses, each of one kind: resolvents, or what a solver's invariant and the facts it
    derives say. Without a solver there are resolvents only; a seed that is not Horn has no mutants.
    """

    name: str = "interrogation"
    arity: int = 1
    most: int = parameter(3, "clauses added to a mutant, at most", least=1)
    depth: int = parameter(6, "steps of the derivations of facts, at most", least=1)

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        flat = flatten(seeds[0].script)
        clauses = clauses_of(flat) if flat is not None and flat.logic == HORN else None
        if flat is None or not clauses:
            return
        interview = _Interview(flat, clauses, lab, self.depth)
        reference = print_script(flat)
        failures = 0
        while failures < _MAX_FAILURES:
            steps = [interview.step(rng) for _ in range(rng.randint(1, self.most))]
            made = [step for step in steps if step is not None]
            denied = [step for step in made if step.is_denied]
            chosen = denied[:1] or made
            failures = 0 if chosen else failures + 1
            if not chosen:
                continue
            text = print_script(_with(flat, chosen))
            lineage = tuple(f"{self.name}: {step.what} {abbreviated(step.added)}" for step in chosen)
            if denied:
                yield Mutant(text, Claim((Verdict.UNSAT,)), lineage=lineage)
            else:
                yield Mutant(text, reference=reference, lineage=lineage)


@dataclass(frozen=True, slots=True)
class _Step:
    """A clause that is added, in the place of an assertion if it says which; `is_denied` if the clauses
    contradict it.
    """

    what: str
    added: Term
    instead: int | None = None
    is_denied: bool = False


class _Interview:
    """A seed, the invariant that a solver gives for it, and facts that follow from it."""

    def __init__(self, flat: Script, clauses: tuple[Clause, ...], lab: Lab | None, depth: int) -> None:
        self.flat = flat
        self.clauses = clauses
        self.lab = lab
        self.depth = depth
        self.taken = frozenset(_names(flat))
        self.heads = tuple(dict.fromkeys(clause.head.head for clause in clauses if clause.head is not None))
        # Assertions that are a single clause can be replaced.
        places = [clause.place for clause in clauses]
        self.alone = tuple(clause for clause in clauses if places.count(clause.place) == 1)
        self.invariant = self._invariant()
        self.unrollings: dict[tuple[Head, int], tuple[App, ...]] = {}

    def step(self, rng: Random) -> _Step | None:
        kinds = [self._resolvent]
        if self.lab is not None and self.heads:
            kinds += [self._fact, self._denied_fact]
        if self.invariant is not None:
            kinds += [self._question, self._premise]
        return kinds[rng.randrange(len(kinds))](rng)

    def _resolvent(self, rng: Random) -> _Step | None:
        able = [clause for clause in self.clauses if clause.atoms]
        if not able:
            return None
        clause = rng.choice(able)
        some = list(resolvents(clause, rng.randrange(len(clause.atoms)), self.clauses, self.taken))
        return _Step("resolvent", rng.choice(some).formula) if some else None

    def _question(self, rng: Random) -> _Step | None:
        """Whether there is a fact that the invariant excludes."""
        head = rng.choice(self.heads) if self.heads else None
        if head is None or not isinstance(head.symbol, Function):
            return None
        variables = tuple(var(fresh(f"x{n}", self.taken), sort) for n, sort in enumerate(head.symbol.args))
        atom = app(head, variables)
        body = self._said(atom)
        return (
            _Step("question", Clause(variables, (atom,), (negation(body),), None).formula) if body else None
        )

    def _premise(self, rng: Random) -> _Step | None:
        """A clause with the invariant of one of its atoms as a further premise."""
        able = [clause for clause in self.alone if clause.atoms]
        if not able:
            return None
        clause = rng.choice(able)
        body = self._said(rng.choice(clause.atoms))
        if body is None:
            return None
        longer = clause._replace(constraints=(*clause.constraints, body))
        return _Step("premise", longer.formula, clause.place)

    def _fact(self, rng: Random) -> _Step | None:
        facts = self._facts(rng)
        return _Step("fact", rng.choice(facts)) if facts else None

    def _denied_fact(self, rng: Random) -> _Step | None:
        facts = self._facts(rng)
        if not facts:
            return None
        fact = rng.choice(facts)
        return _Step("denied fact", Clause((), (fact,), (), None).formula, is_denied=True)

    def _said(self, atom: App) -> Term | None:
        """What the invariant says of an atom, without quantifiers and names that only the model has."""
        assert self.invariant is not None
        body = invariant_of(self.invariant, atom)
        if body is None or body in (TRUE, FALSE) or not is_writable(body):
            return None
        parts = list(subterms(body))
        symbols = {part.head.symbol for part in parts if isinstance(part, App)}
        is_own = not any(isinstance(s, Function) and s.name not in self.taken for s in symbols)
        return body if is_own and not any(isinstance(part, Quantifier) for part in parts) else None

    def _invariant(self) -> Model | None:
        text = print_script(self.flat)
        for solver in self.lab.solvers if self.lab is not None else ():
            assert self.lab is not None
            answer = self.lab.ask(Request(solver, text, Want.MODEL))
            if answer.verdict is Verdict.SAT and answer.model is not None:
                return read_invariant(self.flat, answer.model)
        return None

    def _facts(self, rng: Random) -> tuple[App, ...]:
        """Facts about a random predicate, with a derivation that our evaluator has verified."""
        head, depth = rng.choice(self.heads), rng.randrange(self.depth)
        if (head, depth) not in self.unrollings:
            self.unrollings[head, depth] = self._derived(head, depth)
        return self.unrollings[head, depth]

    def _derived(self, head: Head, depth: int) -> tuple[App, ...]:
        assert isinstance(head.symbol, Function)
        unrolling = unrolled(self.flat, self.clauses, depth, head.symbol)
        if unrolling is None or self.lab is None:
            return ()
        text = print_script(unrolling.script)
        for solver in self.lab.solvers:
            answer = self.lab.ask(Request(solver, text, Want.MODEL))
            read = read_invariant(unrolling.script, answer.model) if answer.model is not None else None
            if read is None or read.named or answer.verdict is not Verdict.SAT:
                continue
            if all(truth is True for truth in truths(unrolling.script, read)):
                return tuple(unrolling.facts(read))
        return ()


def _with(flat: Script, steps: Sequence[_Step]) -> Script:
    """The script with clauses added at its end, or in the place of others."""
    instead = {step.instead: step.added for step in steps if step.instead is not None}
    added = [Assert(step.added) for step in steps if step.instead is None]
    commands: list[Command] = []
    place = -1
    for command in flat.commands:
        if isinstance(command, Assert):
            place += 1
            commands.append(Assert(instead.get(place, command.term)))
        else:
            commands += added if isinstance(command, CheckSat) else []
            commands.append(command)
    return Script(tuple(commands))


def _names(flat: Script) -> Iterator[str]:
    for command in flat.commands:
        if isinstance(command, DeclareFun | DefineFun):
            yield command.function.name
