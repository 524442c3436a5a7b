"""MetaFormula: the monitors of a skeleton with their definitions, from which every φ^test is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from falsum.smtlib.printing.printer import print_command, print_term
from falsum.smtlib.scripts import (
    Assert,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    SetLogic,
    SetOption,
)
from falsum.smtlib.term_names import names_given
from falsum.smtlib.terms import Function, Head, Let, Term, app, sort_text
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import transform
from falsum.strategies.valfuzz.coverage import MonitorTarget
from falsum.strategies.valfuzz.holes import Skeleton, TextEdit, declaration
from falsum.strategies.valfuzz.monitors import (
    Monitor,
    boolean_places,
    compound_places,
    domains,
    monitors,
    relations,
    variables,
)
from falsum.strategies.valfuzz.scopes import PlaceScopes

_DECLARED = DeclareSort | DefineSort | DeclareFun | DeclareDatatypes

Enforced = Sequence[tuple[int, bool]]


@dataclass(frozen=True, slots=True)
class Refinements:
    """Which monitors are made, and what else is asserted; the names are those of the thesis.

    With `lets` the global variable of a let is tied to its value. At most `watched` places are watched, none
    with more than `largest` subterms. A φ^test with monitors of more than `longest` characters contains only
    those that are enforced.
    """

    adomain: bool = False
    adomaine: bool = False
    cpog: bool = False
    leafopt: bool = False
    skolu: bool = True
    noskole: bool = False
    relc: int = 0
    wide: bool = False
    lets: bool = False
    watched: int = 200
    largest: int = 2000
    longest: int = 65_536

    @property
    def skolemised(self) -> frozenset[str]:
        kinds = {"forall": self.skolu, "exists": not self.noskole}
        return frozenset(kind for kind, skolemised in kinds.items() if skolemised)


@dataclass(frozen=True, slots=True)
class MetaFormula:
    """The meta-formula of a skeleton (Definition III.5).

    `meanings` define the monitors; `asserted` are the skeleton's assertions, for CPOG; `functions` are the
    global variables that replace local ones.
    """

    skeleton: Skeleton
    monitors: tuple[Monitor, ...]
    # How many of the monitors are not relations between holes; and by term, the last command it is about.
    base: int
    commands: Mapping[Term, int]
    functions: tuple[Function, ...]
    meanings: tuple[str, ...]
    opening: str
    definitions: str
    asserted: tuple[Term, ...]
    sides: tuple[str, ...]
    is_long: bool
    # What bounds leave out, as lines of lineages.
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls, skeleton: Skeleton, refined: Refinements, rng: Random, related: Sequence[int] | None = None
    ) -> MetaFormula:
        """The meta-formula with relations between the holes of these numbers; drawn if there are none."""
        if related is None:
            related = sorted(rng.sample(range(len(skeleton.holes)), min(refined.relc, len(skeleton.holes))))
        scopes = PlaceScopes(skeleton.layout, skeleton.names, refined.skolemised)
        commands: dict[Term, int] = {}
        terms = list(dict.fromkeys(_watched(skeleton, scopes, refined, rng, commands)))
        base = len(terms)
        watched = monitors([*terms, *relations([skeleton.holes[n] for n in related])], skeleton.names)
        tied = list(_tied(scopes, skeleton)) if refined.lets else []
        written_terms = scopes.terms(skeleton.holes, as_written=True)
        roots = {root.command: number for number, root in skeleton.layout.roots.items()}
        asserts = [i for i, c in enumerate(skeleton.script.commands) if isinstance(c, Assert)]
        meanings = tuple(f"(assert (= {m.name} {print_term(m.term)}))\n" for m in watched)
        is_long = sum(map(len, meanings)) > refined.longest
        return cls(
            skeleton,
            watched,
            base,
            commands,
            tuple(scopes.globals.values()),
            meanings,
            _opening(skeleton),
            "".join([*_definitions(skeleton, written_terms, roots), *tied]),
            tuple(written_terms[roots[index]] for index in asserts),
            ("+", "-") if refined.cpog else ("",),
            is_long,
            tuple(_left_out(skeleton, refined, is_long=is_long)),
        )

    @property
    def targets(self) -> tuple[MonitorTarget, ...]:
        """Every monitor to be true and to be false, on every side."""
        numbers = range(len(self.monitors))
        return tuple(
            MonitorTarget(s, n, value) for s in self.sides for n in numbers for value in (True, False)
        )

    def test(self, enforced: Enforced, side: str = "") -> str:
        """φ^test: the meta-formula with some monitors asserted to be true or false."""
        numbers = list(range(len(self.monitors)))
        if self.is_long:
            numbers = [number for number, _ in enforced]
        lines = [
            self.declared(numbers),
            *(self.meanings[number] for number in numbers),
            *self.original(side),
            *(self.enforcement(*one) for one in enforced),
            "(check-sat)\n",
        ]
        return "".join(lines)

    def declared(self, numbers: Iterable[int]) -> str:
        """The declarations and definitions of a φ^test with these monitors."""
        declarations = [*map(declaration, self.functions)]
        declarations += (declaration(self.monitors[number].function) for number in numbers)
        return "".join([self.opening, *declarations, self.definitions])

    def enforcement(self, number: int, value: bool) -> str:
        name = self.monitors[number].name
        return f"(assert {name})\n" if value else f"(assert (not {name}))\n"

    def final(self, enforced: Enforced, values: Mapping[int, Term]) -> Iterator[TextEdit]:
        """Edits that enforce the same monitors in a value mutant (EFFINAL), with constants for the holes.

        A monitor of a later assertion is enforced behind that one, others before the first check.
        """
        skeleton = self.skeleton
        by = {hole.variable: values.get(hole.place, hole.constant) for hole in skeleton.holes}
        declarations = [*map(declaration, self.functions)]
        declarations += (declaration(self.monitors[number].function) for number, _wanted in enforced)
        yield TextEdit(skeleton.body, skeleton.body, "".join(declarations))
        for number, value in enforced:
            monitor = self.monitors[number]
            meaning = print_term(transform(monitor.term, by.get))
            place = max(skeleton.end_of(self.commands.get(monitor.term, -1)), skeleton.check)
            lines = f"(assert (= {monitor.name} {meaning}))\n{self.enforcement(number, value)}"
            yield TextEdit(place, place, lines)

    def original(self, side: str) -> Iterator[str]:
        """The skeleton's assertions, or each of them negated."""
        for term in self.asserted if side else ():
            formula = term if side == "+" else app(Head(OPERATORS["not"]), (term,))
            yield f"(assert {print_term(formula)})\n"


def _watched(
    skeleton: Skeleton, scopes: PlaceScopes, refined: Refinements, rng: Random, commands: dict[Term, int]
) -> Iterator[Term]:
    """The terms to be watched by monitors, those of the basic approach first.

    `commands` gets the first command in which each of those stands.
    """
    layout, holes = skeleton.layout, skeleton.holes
    terms = scopes.terms(holes)
    for number in _sample(boolean_places(layout, holes, leaves=refined.leafopt), skeleton, refined, rng):
        for term in _closed(scopes, number, terms[number], terms):
            commands.setdefault(term, layout.command(number))
            yield term
    if refined.adomain or refined.adomaine:
        for term in variables(skeleton.script)[: refined.watched]:
            yield from domains(term, wide=refined.wide)
    if refined.adomaine:
        for number in _sample(compound_places(layout, holes), skeleton, refined, rng):
            if layout.places[number].term.sort.name != "Bool":
                for term in domains(terms[number], wide=refined.wide):
                    yield from _closed(scopes, number, term, terms)


def _tied(scopes: PlaceScopes, skeleton: Skeleton) -> Iterator[str]:
    """Assertions that the global variable of a let equals the let's value, where that value can be closed."""
    layout, terms = skeleton.layout, scopes.terms(skeleton.holes)
    done = 0
    # Closing a value may bring further variables.
    while done < len(scopes.globals):
        (scope, binder), function = list(scopes.globals.items())[done]
        done += 1
        around = layout.places[scope.around].term if scope.around >= 0 else None
        if isinstance(around, Let) and not scopes.copies_quantifiers(scope.around):
            place = scopes.value_place(scope, binder)
            for value in _closed(scopes, place, terms[place], terms):
                yield f"(assert (= {function.name} {print_term(value)}))\n"


def _closed(scopes: PlaceScopes, number: int, term: Term, terms: Sequence[Term]) -> Iterator[Term]:
    closed = scopes.closed(number, term, terms)
    if closed is not None:
        yield closed


def _sample(places: list[int], skeleton: Skeleton, refined: Refinements, rng: Random) -> list[int]:
    """A sample of the places, without those of large terms; all places in a seed of ordinary size."""
    small = [n for n in places if skeleton.layout.places[n].size <= refined.largest]
    if len(small) <= refined.watched:
        return small
    return [small[i] for i in sorted(rng.sample(range(len(small)), refined.watched))]


def _left_out(skeleton: Skeleton, refined: Refinements, *, is_long: bool) -> Iterator[str]:
    """What the bounds leave out."""
    layout = skeleton.layout
    places = boolean_places(layout, skeleton.holes, leaves=refined.leafopt)
    large = sum(layout.places[number].size > refined.largest for number in places)
    more = len(places) - large - refined.watched
    if large:
        yield f"valfuzz: {large} sub-expressions of more than {refined.largest} subterms not watched"
    if more > 0:
        yield f"valfuzz: {more} sub-expressions beyond {refined.watched} not watched"
    if is_long:
        yield f"valfuzz: monitors of more than {refined.longest} characters, only those enforced are asserted"


def _opening(skeleton: Skeleton) -> str:
    """Logic, options and all declarations; the logic is ALL if coefficients may be variables."""
    commands = [c for c in skeleton.script.commands if isinstance(c, SetLogic | SetOption | _DECLARED)]
    if skeleton.is_nonlinear_open:
        commands = [SetLogic("ALL") if isinstance(c, SetLogic) else c for c in commands]
    lines = [print_command(command) + "\n" for command in commands]
    return "".join([*lines, *(declaration(hole.function) for hole in skeleton.holes)])


def _definitions(skeleton: Skeleton, terms: list[Term], roots: dict[int, int]) -> Iterator[str]:
    """The script's definitions with holes; a name given to a term becomes the definition of a constant."""
    places = skeleton.layout.places
    for index, command in enumerate(skeleton.script.commands):
        if isinstance(command, DefineFunsRec):
            yield print_command(command) + "\n"
        elif isinstance(command, DefineFun):
            definition = DefineFun(command.function, command.binders, terms[roots[index]], command.word)
            yield print_command(definition) + "\n"
        elif isinstance(command, Assert):
            first = roots[index]
            inside = range(first, first + places[first].size)
            # Inner terms first: a named term may use the name of one inside it.
            for number in sorted(inside, key=lambda n: (n + places[n].size, -n)):
                for name in names_given(places[number].term):
                    body = terms[number]
                    yield f"(define-fun {name} () {sort_text(body.sort)} {print_term(body)})\n"
