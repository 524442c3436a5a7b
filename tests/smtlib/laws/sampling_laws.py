"""Looks for values that break a law, under falsum's own evaluator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any, NamedTuple

from falsum.smtlib.domains import Domains
from falsum.smtlib.evaluation.evaluator import payload_of, truth
from falsum.smtlib.laws import Law, LawInstance, instances
from falsum.smtlib.models.model import Definition, Model
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.samples import random_value
from falsum.smtlib.scripts import Assert, Datatype, DeclareDatatypes
from falsum.smtlib.sorts import REGLAN, Sort
from falsum.smtlib.syntax.reader import read_script
from falsum.smtlib.terms import App, Function, Term, Var, constant, value
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.walk import free_variables, transform

# Variables of sort RegLan stand for one of these: solvers have no such variables, and no value samples them.
LANGUAGES = """
    re.none re.all re.allchar (str.to_re "") (str.to_re "a") (str.to_re "ab") (re.range "a" "b")
    (re.* (str.to_re "a")) (re.+ (str.to_re "ab")) (re.opt (str.to_re "a")) (re.comp (str.to_re "a"))
    (re.union (str.to_re "a") (str.to_re "0")) (re.++ (re.* re.allchar) (str.to_re "b")) (re.range "0" "9")
"""
_POOL = 90
_PREMISES = 200
_MOST_POINTS = 5_000
_LETTERS = ("", "a", "b", "ab", "aa", "aba", "0", "1", "01", "c")


class Verdict(NamedTuple):
    """How often a law held, how often its premise did, how often it cannot be said, and what breaks it."""

    held: int
    premises: int
    unsaid: int
    reason: str
    broken: str


def languages() -> tuple[Term, ...]:
    text = f"(assert (= {LANGUAGES}))"
    (command,) = read_script(text).commands
    assert isinstance(command, Assert)
    assert isinstance(command.term, App)
    return command.term.args


_LANGUAGES = languages()


@cache
def _datatypes(prelude: tuple[str, ...]) -> dict[str, Datatype]:
    """The datatypes a law's prelude declares."""
    datatypes: dict[str, Datatype] = {}
    for command in read_script("\n".join(prelude)).commands:
        if isinstance(command, DeclareDatatypes):
            datatypes.update({datatype.name: datatype for datatype in command.datatypes})
    return datatypes


class Sampler:
    """Draws values for the binders of one instance, often the same for two of them."""

    def __init__(self, instance: LawInstance, rng: Random) -> None:
        self.rng = rng
        self.instance = instance
        self.datatypes = _datatypes(instance.law.prelude)
        self.model = Model(datatypes=self.datatypes)
        self.binders = [b for b in instance.claim_binders if b.sort is not REGLAN]
        self.symbols = {b: Function(f"{b.name}!c", (), b.sort) for b in self.binders}
        self.regexes = [b for b in instance.binders if b.sort is REGLAN]
        constants: dict[Term, Term] = {b: constant(f) for b, f in self.symbols.items()}
        self.claim = transform(instance.claim, constants.get)
        premise = instance.left if instance.law.kind != "equivalent" else instance.condition
        self.premise = transform(premise, constants.get) if premise is not None else None
        self.defined = _defined(instance)
        meaning = self.defined[1] if self.defined else None
        self.meaning = transform(meaning, constants.get) if meaning is not None else None

    def draws(self, count: int) -> Iterator[tuple[Term, Term | None, Model]]:
        for _ in range(count):
            by: dict[Term, Term] = {b: self.rng.choice(_LANGUAGES) for b in self.regexes}
            claim = transform(self.claim, by.get) if by else self.claim
            premise = transform(self.premise, by.get) if by and self.premise else self.premise
            pool: dict[Sort, list[Any]] = {}
            definitions = {}
            for binder, symbol in self.symbols.items():
                payload = self.payload(binder.sort, pool.setdefault(binder.sort, []))
                definitions[symbol] = Definition((), value(binder.sort, payload, "sampled"))
            model = Model(definitions, {}, self.datatypes)
            if self.defined is not None and self.meaning is not None and self.rng.random() < 0.7:
                # A premise (= z f) hardly ever holds by chance.
                payload = payload_of(transform(self.meaning, by.get), model)
                if not isinstance(payload, CannotSay):
                    subject = self.defined[0]
                    definition = Definition((), value(subject.sort, payload, "made"))
                    model = Model(definitions | {self.symbols[subject]: definition}, {}, self.datatypes)
            yield claim, premise, model

    def payload(self, sort: Sort, earlier: list[Any]) -> Any:
        rng = self.rng
        if earlier and rng.random() < 0.35:
            return rng.choice(earlier)
        if sort.name == "String" and rng.random() < 0.5:
            found: Any = rng.choice(_LETTERS)
            if earlier and rng.random() < 0.5:
                found = rng.choice((found + earlier[-1], earlier[-1] + found))
        elif sort.name == "Int" and rng.random() < 0.4:
            found = rng.randint(-3, 4)
        elif sort.args or sort.name in self.datatypes:
            found = rng.choice(self.pool(sort))
        else:
            found = random_value(sort, self.model, rng)
        earlier.append(found)
        return found

    def pool(self, sort: Sort) -> tuple[Any, ...]:
        return _pool(sort, self.instance.law.prelude)


@cache
def _pool(sort: Sort, prelude: tuple[str, ...]) -> tuple[Any, ...]:
    """Some values of a composed sort, the largest left out: they are dear to make and to work with."""
    model, rng = Model(datatypes=_datatypes(prelude)), Random(str(sort))
    drawn = [normalised(sort, random_value(sort, model, rng)) for _ in range(_POOL)]
    assert not any(isinstance(one, CannotSay) for one in drawn), f"no values of sort {sort}"
    return tuple(sorted(drawn, key=lambda one: len(repr(one)))[: _POOL * 2 // 3])


def _defined(instance: LawInstance) -> tuple[Var, Term] | None:
    """The variable and the term of a left side `(= z f)` or `(= f z)` where z is not in f."""
    left = instance.left
    if instance.law.kind == "equivalent" or not isinstance(left, App) or left.head.name != "=":
        return None
    for subject, meaning in (left.args[:2], left.args[1::-1]):
        if isinstance(subject, Var) and subject not in free_variables(meaning):
            return subject, meaning
    return None


def normalised(sort: Sort, payload: Any) -> Any:
    """Arrays over small finite index sorts have one form; random_value does not see to it."""
    if not isinstance(payload, ArrayValue):
        return payload
    return normal(payload.default, payload.entries, Domains({}, {}).of(sort.args[0]))


def sample(instance: LawInstance, count: int, rng: Random) -> Verdict:
    """The law at `count` random points."""
    sampler = Sampler(instance, rng)
    held = premises = unsaid = 0
    reason = ""
    for claim, premise, model in sampler.draws(count):
        said = truth(claim, model, 200_000)
        if said is False:
            values = {f.name: d.body for f, d in model.definitions.items()}
            shown = " ".join(f"{n}={getattr(v, 'payload', None)!r}" for n, v in values.items())
            return Verdict(held, premises, unsaid, reason, f"{print_term(claim)} at {shown}")
        if said is True:
            held += 1
            # Only for the first points: it is as dear as the claim itself.
            if held <= _PREMISES:
                premises += premise is None or truth(premise, model, 200_000) is True
        else:
            unsaid += 1
            reason = reason or said.reason
    return Verdict(held, premises, unsaid, reason, "")


def spread(found: Sequence[LawInstance], count: int) -> list[tuple[LawInstance, int]]:
    """`count` samples shared out among the instances."""
    share, rest = divmod(count, len(found))
    return [(one, share + (number < rest)) for number, one in enumerate(found) if share or number < rest]


def check(law: Law, count: int, rng: Random) -> Verdict:
    """The law at random points of all its instances."""
    held = premises = unsaid = 0
    reason = ""
    for instance, share in spread(list(instances(law)), count):
        found = sample(instance, share, rng)
        held, premises, unsaid = held + found.held, premises + found.premises, unsaid + found.unsaid
        reason = reason or found.reason
        if found.broken:
            return Verdict(held, premises, unsaid, reason, found.broken)
    return Verdict(held, premises, unsaid, reason, "")


def exhaust(law: Law) -> Verdict:
    """The law at every point of a small grid, at a small instance: a proof where that is the whole sort."""
    some = list(islice(instances(law), 2))
    # The larger of the two smallest, if all its values can be listed.
    instance = next((one for one in reversed(some) if all(map(_listed, one.binders))), some[0])
    sampler = Sampler(instance, Random(0))
    grids = [_grid(b.sort, law.prelude, len(sampler.binders)) for b in sampler.binders]
    held = unsaid = 0
    reason = ""
    choices = product(_LANGUAGES[4:9], repeat=len(sampler.regexes))
    for languages_, point in islice(product(choices, product(*grids)), _MOST_POINTS):
        by: dict[Term, Term] = dict(zip(sampler.regexes, languages_, strict=True))
        bound = zip(sampler.symbols.items(), point, strict=True)
        definitions = {f: Definition((), value(b.sort, payload, "grid")) for (b, f), payload in bound}
        said = truth(transform(sampler.claim, by.get) if by else sampler.claim, Model(definitions, {}))
        if said is False:
            return Verdict(held, 0, unsaid, reason, f"{law.name} at {point!r}")
        held, unsaid = held + (said is True), unsaid + (said is not True)
        reason = reason or (said.reason if isinstance(said, CannotSay) else "")
    return Verdict(held, 0, unsaid, reason, "")


def _listed(binder: Var) -> bool:
    return Domains({}, {}, limit=64).of(binder.sort) is not None


def _grid(sort: Sort, prelude: tuple[str, ...], binders: int) -> tuple[Any, ...]:
    domain = Domains({}, {}, limit=64).of(sort)
    if domain is not None:
        return domain
    most = {1: 200, 2: 100, 3: 26}.get(binders, 11)
    if sort.name == "String":
        return tuple("".join(word) for n in range(5) for word in product("ab", repeat=n))[:most]
    if sort.name == "Int":
        return tuple(sorted(range(-most // 2, most // 2 + 1), key=abs))[:most]
    if sort.name == "Real":
        return tuple(Fraction(n, d) for d in (1, 2, 3) for n in range(-most // 6, most // 6 + 1))[:most]
    return _pool(sort, prelude)[:most]
