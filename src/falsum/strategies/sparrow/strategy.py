"""sparrow: skeletal approximation enumeration (Yao et al., ESEC/FSE 2021), for every theory.

Literals of a satisfiable seed are made weaker, those of an unsatisfiable one stronger: by the laws of their
predicates (PST), or by a snippet joined to them (LPI). Literals are found in place, by polarity, or in the
seed's CNF.
Promises: the seed's verdicts, where solvers know them; nothing where they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from falsum.smtlib.occurrences import Polarity
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import Command, NotUnderstood, Plain, Script, SynthFun, WithTerms
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Let, Match, Quantifier, Term, Value
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.growth.allowed import Vocabulary
from falsum.strategies.growth.candidates import Pool, Spot
from falsum.strategies.growth.law_application import Filling
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.seeds.agreement import agreed, checks_of
from falsum.strategies.seeds.preparation import prepared
from falsum.strategies.sparrow.approximation import Approximations, is_negation
from falsum.strategies.sparrow.cnf import FRONT, cnf
from falsum.strategies.sparrow.polarity import polarities
from falsum.strategies.sparrow.snippets import Snippets

# A seed none of whose literals could be changed so often in a row is given up.
_MOST_FAILURES = 20
# How often the clauses of a seed are changed, not the seed itself.
_CNF_SHARE = 0.25
_CONNECTIVES = frozenset(["and", "or", "not", "=>", "ite"])


@dataclass(frozen=True, slots=True)
class Sparrow:
    """Approximates one to `most` literals of a seed, all in the direction its status allows.

    `rules` are "pst", "lpi" or both; `form` says where literals are found: "place" (by polarity), "cnf", or
    "either". `chain` mutants follow each other, each made from the one before; `growth` bounds a mutant's
    length as a multiple of the seed's.
    """

    name: str = "sparrow"
    arity: int = 1
    rules: tuple[str, ...] = ("pst", "lpi")
    form: str = "either"
    most: int = 5
    chain: int = 3
    growth: float = 4.0

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        script = prepared(seeds[0].script)
        if script is None or any(_is_foreign(command) for command in script.commands):
            return
        statuses = agreed(seeds[0].text, checks_of(script), lab)
        scene = self._scene(script, rng)
        if scene is None:
            return
        longest = max(len(scene.layout.text) * self.growth, 400)
        failures = 0
        while failures < _MOST_FAILURES:
            weaker, claim = _direction(statuses, rng)
            draft = _Draft(scene, weaker=weaker)
            for _ in range(self.chain):
                text = draft.text if self._step(draft, rng) else ""
                if not text or len(text) > longest:
                    failures += 1
                    break
                failures = 0
                yield Mutant(text, claim, lineage=tuple(draft.lineage))

    def _scene(self, script: Script, rng: Random) -> _Scene | None:
        """The seed in the form its literals are taken from; the other form if that one has none."""
        forms = {"place": (False,), "cnf": (True,)}.get(self.form) or (
            (True, False) if rng.random() < _CNF_SHARE else (False, True)
        )
        for in_clauses in forms:
            given = cnf(script) if in_clauses else script
            if given is not None:
                scene = _Scene(given)
                if scene.literals:
                    return scene
        return None

    def _step(self, draft: _Draft, rng: Random) -> bool:
        """Changes one to `most` literals; whether any could be changed."""
        count = len(draft.scene.literals)
        chosen = rng.sample(range(count), min(rng.randint(1, self.most), count))
        done = [self._change(draft, which, rng) for which in chosen]
        return any(done)

    def _change(self, draft: _Draft, which: int, rng: Random) -> bool:
        rules = self.rules if len(self.rules) < 2 or rng.random() < 0.5 else self.rules[::-1]
        return any(
            draft.transform(which, rng) if rule == "pst" else draft.inject(which, rng) for rule in rules
        )


class Literal(NamedTuple):
    """A literal at its place; `positive` if making it weaker makes the assertions weaker."""

    number: int
    term: Term
    start: int
    end: int
    positive: bool


class _Scene:
    """A seed prepared for approximation."""

    def __init__(self, script: Script) -> None:
        self.layout = Layout.of(script)
        self.literals = literals(self.layout, script)
        self.pool = Pool(self.layout, script)
        vocabulary = Vocabulary(self.layout, script)
        self.approximations = Approximations(Filling(vocabulary, self.pool))
        self.snippets = Snippets(script, self.pool, vocabulary)
        self.front = _front(script)
        self._spots: dict[int, Spot] = {}

    def spot(self, which: int) -> Spot:
        known = self._spots.get(which)
        if known is None:
            known = self._spots[which] = self.pool.spot(self.layout, self.literals[which].number)
        return known


class _Draft:
    """A mutant in the making: the literals changed so far, by number, and how."""

    def __init__(self, scene: _Scene, *, weaker: bool) -> None:
        self.scene = scene
        self.weaker = weaker
        self.terms: dict[int, Callable[[], Term]] = {}
        self.snippets: dict[int, list[str]] = {}
        self.written: dict[int, str] = {}
        self.fresh: dict[str, None] = {}
        self.lineage: list[str] = []

    def transform(self, which: int, rng: Random) -> bool:
        """PST; a snippet joined to the literal before stays joined."""
        literal = self.scene.literals[which]
        changed = self.terms.get(which)
        term = literal.term if changed is None else changed()
        weaker = literal.positive is self.weaker
        made = self.scene.approximations.of(term, self.scene.spot(which), rng, weaker=weaker)
        if made is None:
            return False
        self.terms[which] = made.term
        text = made.text
        for snippet in self.snippets.get(which, ()):
            text = f"({_joint(weaker)} {text} {snippet})"
        if text == self._now(which):
            return False
        self._write(which, text, made.rule)
        return True

    def inject(self, which: int, rng: Random) -> bool:
        """LPI."""
        snippet = self.scene.snippets.make(self.scene.spot(which), rng)
        if snippet is None:
            return False
        literal = self.scene.literals[which]
        weaker = literal.positive is self.weaker
        self.snippets.setdefault(which, []).append(snippet.text)
        self.fresh.update(dict.fromkeys(snippet.fresh))
        text = f"({_joint(weaker)} {self._now(which)} {snippet.text})"
        self._write(which, text, f"injection of {'a weaker' if weaker else 'a stronger'} formula")
        return True

    def _now(self, which: int) -> str:
        known = self.written.get(which)
        literal = self.scene.literals[which]
        return known if known is not None else self.scene.layout.text[literal.start : literal.end]

    def _write(self, which: int, text: str, rule: str) -> None:
        number = self.scene.literals[which].number
        self.lineage.append(f"sparrow {number}: {self._now(which)} -> {text} by {rule}")
        self.written[which] = text

    @property
    def text(self) -> str:
        """The whole script: fresh constants declared, every changed literal in its place."""
        whole, at = self.scene.layout.text, self.scene.front
        pieces = [whole[:at], *map(self.scene.snippets.declaration, self.fresh)]
        for which in sorted(self.written):
            literal = self.scene.literals[which]
            pieces += (whole[at : literal.start], self.written[which])
            at = literal.end
        pieces.append(whole[at:])
        return "".join(pieces)


def _joint(weaker: bool) -> str:
    return "or" if weaker else "and"


def _direction(statuses: tuple[Verdict | None, ...], rng: Random) -> tuple[bool, Claim | None]:
    """Whether literals become weaker, and what is then known: sat stays sat, or unsat stays unsat."""
    known = [verdict for verdict in dict.fromkeys(statuses) if verdict is not None]
    if not known:
        return rng.random() < 0.5, None
    kept = known[rng.randrange(len(known))]
    verdicts = tuple(verdict if verdict is kept else None for verdict in statuses)
    return kept is Verdict.SAT, Claim(verdicts)


def literals(layout: Layout, script: Script) -> list[Literal]:
    """The literals whose polarity is known, in the order of the text; none is inside another."""
    found: list[Literal] = []
    end = -1
    for number, (place, polarity) in enumerate(zip(layout.places, polarities(layout, script), strict=True)):
        if polarity is Polarity.BOTH or place.start < end or not _is_literal(place.term):
            continue
        end = place.end
        if not layout.has_name(number):
            positive = polarity is Polarity.POSITIVE
            found.append(Literal(number, place.term, place.start, place.end, positive))
    return found


def _is_literal(term: Term) -> bool:
    if is_negation(term):
        assert isinstance(term, App)
        term = term.args[0]
        if is_negation(term):
            return False
    if term.sort is not BOOL or isinstance(term, Value | Quantifier | Let | Match | Annotated):
        return False
    is_connective = (
        isinstance(term, App)
        and isinstance(term.head.symbol, Operator)
        and term.head.symbol.canonical.name in _CONNECTIVES
    )
    return not is_connective


def _front(script: Script) -> int:
    """Where the text of the declarations ends."""
    length = 0
    for command in script.commands:
        if not isinstance(command, FRONT):
            break
        length += len(print_command(command)) + 1
    return length


# Commands after which assertions mean something else, or that mean something we do not know, are not here.
_HARMLESS = frozenset(
    """
    echo exit get-assertions get-assignment get-info get-model get-option get-proof get-unsat-assumptions
    get-unsat-core get-value
    """.split()
)


def _is_foreign(command: Command) -> bool:
    if isinstance(command, Plain | WithTerms):
        return command.word not in _HARMLESS
    return isinstance(command, NotUnderstood | SynthFun)
