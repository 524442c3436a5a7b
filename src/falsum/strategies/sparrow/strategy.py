"""sparrow: skeletal approximation enumeration (Yao et al., ESEC/FSE 2021), over all theories.

Theorem: a script weaker than a satisfiable one is satisfiable, one stronger than an unsatisfiable one is
unsatisfiable. Literals of a satisfiable seed are weakened, those of an unsatisfiable one strengthened: by a
law of their predicate (PST), or by a snippet joined to them with `or` or `and` (LPI). Literals are found in
place, by polarity, or in the seed's CNF.

Claims the seed's verdicts, assuming that the solvers agreeing on them are right; claims nothing if none
decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final, NamedTuple

from falsum.smtlib.occurrences import Polarity
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import Command, Plain, Script, SynthFun, WithTerms, is_understood
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Let, Match, Quantifier, Term, Value
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool, LawApplier, PlaceScope, Vocabulary
from falsum.strategies.mutant import Claim, Mutant, Seed
from falsum.strategies.parameters import parameter, share
from falsum.strategies.seeds import (
    MIN_LENGTH,
    agreed_verdicts,
    count_checks,
    front_length,
    prepare,
    tactics_of,
    with_tactic,
)
from falsum.strategies.sparrow.approximation import Approximator, is_negation
from falsum.strategies.sparrow.cnf import cnf
from falsum.strategies.sparrow.polarity import polarities
from falsum.strategies.sparrow.snippets import SnippetGenerator

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 20
# The probability that literals are taken from the seed's CNF.
_CNF_SHARE: Final = 0.25
# The probability that a law's open variable becomes an expression of the seed: constants give trivial atoms.
_EXPRESSIONS: Final = 0.8
_CONNECTIVES: Final = frozenset(["and", "or", "not", "=>", "ite"])
# The commands beside declarations, assertions and checks that leave the meaning of assertions alone.
_HARMLESS: Final = frozenset(
    """
    apply assert-soft check-sat-using echo eval exit get-assertions get-assignment get-info get-model
    get-objectives get-option get-proof get-unsat-assumptions get-unsat-core get-value maximize minimize
    reset-assertions simplify
    """.split()
)


@dataclass(frozen=True, slots=True)
class Sparrow:
    """Approximates one to `most` literals of a seed, all in the direction that keeps its verdict.

    `rules` are "pst", "lpi" or both; `form` says where literals are found: "place" (by polarity), "cnf", or
    "either". `chain` mutants follow each other, each made from the one before; `growth` limits the length of
    a mutant as a multiple of the seed's. `tactics` is the share of mutants that check with a tactic of
    the solvers, or one of `tactic`.
    """

    configurations: ClassVar[Mapping[str, str]] = {
        "pst": "rules=pst",
        "lpi": "rules=lpi",
        "paper": "rules=pst/lpi,form=cnf,most=5,chain=1,growth=1000,tactics=0",
        "tactics": "tactics=1",
    }

    name: str = "sparrow"
    arity: int = 1
    rules: tuple[str, ...] = parameter(("pst", "lpi"), "kinds of changes", choices=("pst", "lpi"))
    form: str = parameter("either", "where literals are found", choices=("place", "cnf", "either"))
    most: int = parameter(3, "literals changed from one mutant to the next, at most", least=1)
    chain: int = parameter(2, "mutants in a row before the seed is used again", least=1)
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)
    tactics: float = share(0.05, "share of mutants that check with a tactic, for solvers that have some")
    tactic: tuple[str, ...] = parameter((), "tactics to check with; those of the solvers if there are none")

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        script = prepare(seeds[0].script)
        if script is None or any(_may_change_meaning(command) for command in script.commands):
            return
        statuses = agreed_verdicts(seeds[0].text, count_checks(script), lab)
        source = self._source(script, rng)
        if source is None:
            return
        longest = max(len(source.layout.text) * self.growth, MIN_LENGTH)
        tactics = tactics_of(lab, self.tactic)
        failures = 0
        while failures < _MAX_FAILURES:
            weaker, claim = _direction(statuses, rng)
            draft = _Draft(source, weaker=weaker)
            for _ in range(self.chain):
                text = draft.text if self._step(draft, rng) else ""
                if not text or len(text) > longest:
                    failures += 1
                    break
                failures = 0
                lineage = tuple(draft.lineage)
                if tactics and rng.random() < self.tactics:
                    tactic = rng.choice(tactics)
                    text, lineage = with_tactic(text, tactic), (*lineage, f"sparrow: checks with {tactic}")
                yield Mutant(text, claim, lineage=lineage)

    def _source(self, script: Script, rng: Random) -> _LiteralSource | None:
        """The seed in place or in CNF; if the drawn form has no literals, the other one."""
        forms = {"place": (False,), "cnf": (True,)}.get(self.form) or (
            (True, False) if rng.random() < _CNF_SHARE else (False, True)
        )
        for in_clauses in forms:
            clauses = cnf(script) if in_clauses else script
            if clauses is not None:
                source = _LiteralSource(clauses)
                if source.literals:
                    return source
        return None

    def _step(self, draft: _Draft, rng: Random) -> bool:
        """Approximate one to `most` literals; return whether any could be."""
        count = len(draft.source.literals)
        # What was changed already comes last: a literal changed again and again ends up trivial.
        open_assertions = [which for which in range(count) if which not in draft.written] or range(count)
        choice = rng.sample(open_assertions, min(rng.randint(1, self.most), len(open_assertions)))
        changes = [self._change(draft, which, rng) for which in choice]
        return any(changes)

    def _change(self, draft: _Draft, which: int, rng: Random) -> bool:
        rules = self.rules if len(self.rules) < 2 or rng.random() < 0.5 else self.rules[::-1]
        return any(
            draft.transform(which, rng) if rule == "pst" else draft.inject(which, rng) for rule in rules
        )


class Literal(NamedTuple):
    """A literal at its place; `positive` if weakening it weakens the assertions."""

    number: int
    term: Term
    start: int
    end: int
    positive: bool


class _LiteralSource:
    """A seed with its literals, and everything needed to approximate them."""

    def __init__(self, script: Script) -> None:
        self.layout = Layout.of(script)
        self.literals = literals(self.layout, script)
        self.pool = ExpressionPool(self.layout, script)
        vocabulary = Vocabulary(self.layout, script)
        self.approximator = Approximator(LawApplier(vocabulary, self.pool, _EXPRESSIONS))
        self.snippets = SnippetGenerator(script, self.pool, vocabulary)
        self.front = front_length(script)
        self._scopes: dict[int, PlaceScope] = {}

    def scope(self, which: int) -> PlaceScope:
        scope = self._scopes.get(which)
        if scope is None:
            scope = self._scopes[which] = self.pool.scope_at(self.layout, self.literals[which].number)
        return scope


class _Draft:
    """A mutant under construction: the literals approximated so far, by number."""

    def __init__(self, source: _LiteralSource, *, weaker: bool) -> None:
        self.source = source
        self.weaker = weaker
        self.terms: dict[int, Callable[[], Term]] = {}
        self.snippets: dict[int, list[str]] = {}
        self.written: dict[int, str] = {}
        self.fresh: dict[str, None] = {}
        self.lineage: list[str] = []

    def transform(self, which: int, rng: Random) -> bool:
        """Applies PST to a literal; snippets that were joined to it stay joined."""
        literal = self.source.literals[which]
        change = self.terms.get(which)
        term = literal.term if change is None else change()
        weaker = literal.positive is self.weaker
        approximation = self.source.approximator.of(term, self.source.scope(which), rng, weaker=weaker)
        if approximation is None:
            return False
        self.terms[which] = approximation.term
        text = approximation.text
        for snippet in self.snippets.get(which, ()):
            text = f"({_connective(weaker)} {text} {snippet})"
        if text == self._now(which):
            return False
        self._write(which, text, approximation.rule)
        return True

    def inject(self, which: int, rng: Random) -> bool:
        """Applies LPI to a literal: joins a snippet to it."""
        snippet = self.source.snippets.make(self.source.scope(which), rng)
        if snippet is None:
            return False
        literal = self.source.literals[which]
        weaker = literal.positive is self.weaker
        self.snippets.setdefault(which, []).append(snippet.text)
        self.fresh.update(dict.fromkeys(snippet.fresh))
        text = f"({_connective(weaker)} {self._now(which)} {snippet.text})"
        self._write(which, text, f"injection of {'a weaker' if weaker else 'a stronger'} formula")
        return True

    def _now(self, which: int) -> str:
        text = self.written.get(which)
        literal = self.source.literals[which]
        return text if text is not None else self.source.layout.text[literal.start : literal.end]

    def _write(self, which: int, text: str, rule: str) -> None:
        number = self.source.literals[which].number
        self.lineage.append(f"sparrow {number}: {self._now(which)} -> {text} by {rule}")
        self.written[which] = text

    @property
    def text(self) -> str:
        """The whole script: with fresh constants declared and the literals replaced."""
        whole, at = self.source.layout.text, self.source.front
        pieces = [whole[:at], *map(self.source.snippets.declaration, self.fresh)]
        for which in sorted(self.written):
            literal = self.source.literals[which]
            pieces += (whole[at : literal.start], self.written[which])
            at = literal.end
        pieces.append(whole[at:])
        return "".join(pieces)


def _connective(weaker: bool) -> str:
    return "or" if weaker else "and"


def _direction(statuses: tuple[Verdict | None, ...], rng: Random) -> tuple[bool, Claim | None]:
    """Whether to weaken literals, and the claim that holds then: sat stays sat, or unsat stays unsat."""
    possible = [verdict for verdict in dict.fromkeys(statuses) if verdict is not None]
    if not possible:
        return rng.random() < 0.5, None
    target = possible[rng.randrange(len(possible))]
    verdicts = tuple(verdict if verdict is target else None for verdict in statuses)
    return target is Verdict.SAT, Claim(verdicts)


def literals(layout: Layout, script: Script) -> list[Literal]:
    """The outermost literals of known polarity, in the order of the text."""
    result: list[Literal] = []
    end = -1
    for number, (place, polarity) in enumerate(zip(layout.places, polarities(layout, script), strict=True)):
        if polarity is Polarity.BOTH or place.start < end or not _is_literal(place.term):
            continue
        end = place.end
        if not layout.has_name(number):
            positive = polarity is Polarity.POSITIVE
            result.append(Literal(number, place.term, place.start, place.end, positive))
    return result


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


def _may_change_meaning(command: Command) -> bool:
    """Whether a command may change the meaning of assertions; soft ones and tactics change no verdict."""
    if isinstance(command, Plain | WithTerms):
        return command.word not in _HARMLESS
    return isinstance(command, SynthFun) or not is_understood(command)
