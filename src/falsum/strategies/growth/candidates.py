"""What may be put where: the expressions of a seed, and the operators that combine them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib.lexer import symbol_name
from falsum.smtlib.logics import PRODUCTS, Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import DefineFun, DefineFunsRec, Script
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import Bindings, Index, Sort, compute, match
from falsum.smtlib.substitution import symbols_in
from falsum.smtlib.terms import Annotated, App, Function, Head, Let, Term, Var, app
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import children, free_variables

# Sort tuples and index tuples that are looked at for one operator; more would only cost time.
_MOST_TUPLES: Final = 2000
_MOST_INDICES: Final = 64
# Standard operators that a current solver does not read: a mutant with one of them tests nothing. A seed that
# has one may spread it.
_NOT_EVERYWHERE: Final = frozenset(
    """
    divisible ** repeat str.replace_re str.replace_re_all
    seq.update seq.rev seq.last_indexof seq.map seq.mapi seq.foldl seq.foldli
    set.range set.universe set.complement bag.is_singleton bag.from_set bag.to_set
    """.split()
)
# Operators some argument of which has to be a constant.
_NEVER: Final = frozenset(["^", "const", "re.range", "re.loop", "re.^"])


class Spot(NamedTuple):
    """What is in scope at a place: bound variables by name, and the command it belongs to."""

    binders: dict[str, Var]
    command: int


class Pool:
    """The distinct expressions of a seed, by sort, in the order they occur, and where each may stand."""

    def __init__(self, layout: Layout, script: Script) -> None:
        self._is_linear = logic_of(script.logic).is_linear
        self._factors = _factors(layout) if self._is_linear else frozenset[str]()
        self.by_sort: dict[Sort, list[Term]] = {}
        self.has_binders = any(root.binders for root in layout.roots.values())
        self._defined = _definitions(script, layout)
        self._needs: dict[Term, int] = {}
        self._locals: dict[Term, tuple[frozenset[Var], frozenset[str]]] = {}
        named = self._look(layout)
        seen: set[Term] = set()
        self.replaceable: list[int] = []
        for number, place in enumerate(layout.places):
            if number in named or not self.may_replace(layout, number):
                continue
            self.replaceable.append(number)
            if place.term not in seen:
                seen.add(place.term)
                self.by_sort.setdefault(place.term.sort, []).append(place.term)
        self.sorts = tuple(self.by_sort)

    def _look(self, layout: Layout) -> set[int]:
        """Notes the last definition each term needs; gives the places that contain a name's definition."""
        named: set[int] = set()
        for number in range(len(layout.places) - 1, -1, -1):
            term = layout.places[number].term
            if isinstance(term, Var):
                self.has_binders = True
            if number in named or _is_named(term):
                named.update((number, layout.places[number].parent))
            if term not in self._needs:
                needs = max((self._needs[part] for part in children(term)), default=-1)
                if isinstance(term, App) and isinstance(term.head.symbol, Function):
                    needs = max(needs, self._defined.get(term.head.symbol.name, -1))
                self._needs[term] = needs
        return named

    def may_replace(self, layout: Layout, number: int) -> bool:
        """Whether any expression of the sort may stand at a place without leaving the logic."""
        if not layout.is_replaceable(number):
            return False
        if not self._is_linear:
            return True
        return not any(_is_factor(term, slot, self._factors) for term, slot in layout.around(number))

    def spot(self, layout: Layout, number: int) -> Spot:
        binders = layout.binders(number) if self.has_binders else {}
        return Spot(binders, layout.command(number) if self._defined else 0)

    def fits(self, term: Term, spot: Spot) -> bool:
        """Whether a term means the same at the spot: nothing in it is unknown there, nothing captured."""
        if self._defined and self._needs[term] >= spot.command:
            return False
        if not self.has_binders:
            return True
        known = self._locals.get(term)
        if known is None:
            free = free_variables(term)
            known = self._locals[term] = free, symbols_in(term) - {v.name for v in free}
        free, names = known
        return all(spot.binders.get(v.name) is v for v in free) and names.isdisjoint(spot.binders)

    def pick(self, sort: Sort, spot: Spot, other_than: Term | None, rng: Random) -> Term | None:
        """A random expression of a sort that may stand at the spot, other than the given one."""
        terms = self.by_sort.get(sort, ())
        if not terms:
            return None
        # A few blind draws first: looking at all is only needed where most do not fit.
        for _ in range(4):
            term = terms[rng.randrange(len(terms))]
            if term is not other_than and self.fits(term, spot):
                return term
        fitting = [term for term in terms if term is not other_than and self.fits(term, spot)]
        return fitting[rng.randrange(len(fitting))] if fitting else None


def _is_factor(term: Term, slot: int, factors: frozenset[str]) -> bool:
    """Whether child number `slot` of a term must stay as it is for a product to stay linear."""
    if isinstance(term, App):
        return term.head.name in PRODUCTS
    return isinstance(term, Let) and slot < len(term.values) and term.binders[slot].name in factors


def _factors(layout: Layout) -> frozenset[str]:
    """The variables that occur in products."""
    return frozenset(
        place.term.name
        for number, place in enumerate(layout.places)
        if isinstance(place.term, Var)
        and any(isinstance(term, App) and term.head.name in PRODUCTS for term, _ in layout.around(number))
    )


def _is_named(term: Term) -> bool:
    return isinstance(term, Annotated) and any(a.keyword == ":named" for a in term.attributes)


def _definitions(script: Script, layout: Layout) -> dict[str, int]:
    """By name, the command before whose end a defined function or a named term is unknown."""
    found = {}
    for index, command in enumerate(script.commands):
        if isinstance(command, DefineFun):
            found[command.function.name] = index
        elif isinstance(command, DefineFunsRec):
            found.update({function.name: index for function in command.functions})
    for number, place in enumerate(layout.places):
        if isinstance(place.term, Annotated):
            for attribute in place.term.attributes:
                if attribute.keyword == ":named" and isinstance(attribute.value, str):
                    found[symbol_name(attribute.value)] = layout.command(number)
    return found


@dataclass(frozen=True, slots=True)
class Production:
    """One operator that gives a sort, with the argument sorts and the indices it can do it with."""

    operator: Operator
    ways: tuple[tuple[tuple[Sort, ...], tuple[tuple[Index, ...], ...]], ...]


def usual_operators(terms: Iterable[Term]) -> tuple[Operator, ...]:
    """The operators a mutation may use: the standard's, and those the seed uses itself."""
    used = {
        term.head.symbol.canonical.name
        for term in terms
        if isinstance(term, App) and isinstance(term.head.symbol, Operator)
    }
    extended = {OPERATORS[name].theory for name in used if name in OPERATORS}
    return tuple(
        operator
        for operator in OPERATORS.values()
        if operator.alias_of is None
        and operator.signatures
        and operator.name not in _NEVER
        and (operator.name in used or _is_usual(operator, extended))
    )


def _is_usual(operator: Operator, theories: set[str]) -> bool:
    if operator.name in _NOT_EVERYWHERE:
        return False
    return operator.is_standard or (operator.theory in theories and operator.theory in _EXTENDED)


# Theories that are extensions as a whole: a seed in one of them may use all of it.
_EXTENDED: Final = frozenset(["Sequences", "Sets", "Bags", "FiniteFields"])


@lru_cache(maxsize=4096)
def productions(
    target: Sort, sorts: tuple[Sort, ...], operators: tuple[Operator, ...]
) -> tuple[Production, ...]:
    """The operators that make a term of the target sort from arguments of the given sorts."""
    found = []
    for operator in operators:
        ways = []
        for signature in operator.signatures:
            # Of a standard operator only the standard's ranks: not every solver takes the others.
            if signature.is_standard or not operator.is_standard:
                ways += _ways(signature, target, sorts)
        if ways:
            found.append(Production(operator, tuple(ways)))
    return tuple(found)


def _ways(
    signature: Signature, target: Sort, sorts: tuple[Sort, ...]
) -> list[tuple[tuple[Sort, ...], tuple[tuple[Index, ...], ...]]]:
    if signature.result.name != target.name and not signature.result.is_parameter:
        return []
    if not signature.args or (any(sort.name == "Seq" for sort in sorts) and _is_for_strings(signature)):
        return []
    fitting = [[sort for sort in sorts if match(pattern, sort, {})] for pattern in signature.args]
    ways = []
    for chosen in islice(product(*fitting), _MOST_TUPLES):
        indices = _indices(signature, target, chosen)
        if indices:
            ways.append((chosen, indices))
    return ways


def _is_for_strings(signature: Signature) -> bool:
    """A rank that takes strings for sequences, as z3 does and cvc5 does not."""
    return signature.name.startswith("seq.") and any(sort.name == "String" for sort in signature.args)


@lru_cache(maxsize=8192)
def _indices(signature: Signature, target: Sort, chosen: tuple[Sort, ...]) -> tuple[tuple[Index, ...], ...]:
    """Index tuples with which the signature gives the target from the chosen sorts."""
    known: Bindings = {}
    match(signature.result, target, known)
    free = [name for name in signature.indices if isinstance(name, str) and name not in known]
    widest = max((i for sort in (target, *chosen) for i in sort.indices if isinstance(i, int)), default=4)
    some = range(min(widest, _MOST_INDICES) + 1)
    if not all(match(pattern, sort, known) for pattern, sort in zip(signature.args, chosen, strict=True)):
        return ()
    found: list[tuple[Index, ...]] = []
    for values in product(*[some] * (len(free) - 1)):
        bindings = known | dict(zip(free, values, strict=False))
        for last in _solutions(signature, target, free[-1], bindings, some) if free else (0,):
            if free:
                bindings[free[-1]] = last
            indices = tuple(bindings[i] if isinstance(i, str) else i for i in signature.indices)
            plain = tuple(i for i in indices if not isinstance(i, Sort))
            if signature.rank(plain, chosen) is target:
                found.append(plain)
                if len(found) == _MOST_INDICES:
                    return tuple(found)
    return tuple(found)


def _solutions(
    signature: Signature, target: Sort, name: str, bindings: Bindings, some: range
) -> Iterable[int]:
    """Values of one index that may give the target: solved for where the result is linear in it."""
    for index, wanted in zip(signature.result.indices, target.indices, strict=False):
        zero = compute(index, bindings | {name: 0})
        one = compute(index, bindings | {name: 1})
        if zero is not None and one is not None and zero != one and isinstance(wanted, int):
            value, rest = divmod(wanted - zero, one - zero)
            return (value,) if rest == 0 and value >= 0 else ()
    return some


def grow(
    pool: Pool,
    sort: Sort,
    spot: Spot,
    operators: tuple[Operator, ...],
    logic: Logic,
    rng: Random,
) -> App | None:
    """TypeFuzz's GetReplacee: a random operator of the sort with random expressions as arguments.

    Its Algorithm 2 leaves out the expression that is replaced, its Example 3.4 needs it: it may be one.
    """
    choices = productions(sort, pool.sorts, operators)
    if not choices:
        return None
    production = choices[rng.randrange(len(choices))]
    sorts, indices = production.ways[rng.randrange(len(production.ways))]
    args = []
    for wanted in sorts:
        arg = pool.pick(wanted, spot, None, rng)
        if arg is None:
            return None
        args.append(arg)
    if not logic.allows(production.operator, tuple(args)):
        return None
    return app(Head(production.operator, indices[rng.randrange(len(indices))]), args)
