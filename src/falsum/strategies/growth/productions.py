"""Productions: the operators that make a term of a sort from expressions of given sorts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from random import Random
from typing import Final, TypeAlias

from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import REGLAN, STRING, Bindings, Index, Sort, compute, match
from falsum.smtlib.terms import App, Head, Term, Value, app
from falsum.smtlib.theories import OPERATORS, THEORIES, kind_of
from falsum.strategies.growth.expressions import ExpressionPool, PlaceScope
from falsum.strategies.growth.functions import function_ranks

# Argument sorts and indices tried for one operator.
_MAX_SORT_TUPLES: Final = 2000
_MAX_INDICES: Final = 64
# Standard operators that some current solver does not read: a mutant with one of them tests little. They are
# used only where the seed has them already.
_NOT_PORTABLE: Final = frozenset(
    """
    divisible ** repeat
    seq.update seq.rev seq.last_indexof seq.map seq.mapi seq.foldl seq.foldli
    set.range set.universe set.complement bag.is_singleton bag.from_set bag.to_set
    """.split()
)
# Operators that all solvers read and hardly one decides.
_HARD: Final = frozenset(["str.replace_re", "str.replace_re_all"])
# Operators that need a constant argument, and those for which one is made.
_NEED_CONSTANTS: Final = frozenset(["^", "const", "re.range", "re.loop", "re.^"])
_RANGE: Final = "re.range"
# Operators whose sorts are those of the heap that a script declares: they fit no other terms of the script.
_OF_THE_HEAP: Final = frozenset(["pto", "sep.nil"])
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
# Operators, and a number of arguments that not every solver takes.
_NOT_PORTABLE_ARITY: Final = {"seq.indexof": 2}
# Operators that not every solver takes on sorts that are not first-class.
_FIRST_CLASS: Final = frozenset(["=", "distinct", "ite"])
_ALL: Final = logic_of("ALL")
# Argument sorts, and the indices that go with them.
Rank: TypeAlias = tuple[tuple[Sort, ...], tuple[tuple[Index, ...], ...]]


@dataclass(frozen=True, slots=True)
class Production:
    """An operator that gives a sort, with the argument sorts and indices for which it does."""

    operator: Operator
    ranks: tuple[Rank, ...]


def portable_operators(
    terms: Iterable[Term],
    theories: frozenset[str] = frozenset(),
    logic: Logic = _ALL,
    *,
    hard: bool = False,
) -> tuple[Operator, ...]:
    """The operators a mutation may introduce: those of the logic that all solvers read, and those of the
    seed.

    With `hard` also those that solvers read but hardly decide, and those for which constants must be made.

    For a theory that is an extension, or that the logic does not have, all operators are included if one
    occurs in the terms, or if it is among the given `theories`.
    """
    operators = frozenset(
        term.head.symbol.canonical.name
        for term in terms
        if isinstance(term, App) and isinstance(term.head.symbol, Operator)
    )
    return _portable_operators(operators, theories, logic, hard=hard)


@lru_cache(1 << 10)
def _portable_operators(
    operators: frozenset[str], theories: frozenset[str], logic: Logic, *, hard: bool
) -> tuple[Operator, ...]:
    """The same by the names of the seed's operators, cached because a seed is visited repeatedly."""
    there = theories.union(OPERATORS[name].theory for name in operators if name in OPERATORS)
    extensions = {theory.name for theory in THEORIES if theory.is_extension and theory.name in there}
    return tuple(
        operator
        for operator in OPERATORS.values()
        if operator.alias_of is None
        and operator.signatures
        and operator.name not in _OF_THE_HEAP
        and (operator.name not in _NEED_CONSTANTS or (hard and operator.name == _RANGE))
        and (
            operator.name in operators
            or (
                (operator.theory in there or logic.has_theory(operator.theory))
                and _has_result(operator, logic)
                and _is_portable(operator, extensions)
                and (hard or operator.name not in _HARD)
            )
        )
    )


def _is_portable(operator: Operator, extensions: set[str]) -> bool:
    if operator.name in _NOT_PORTABLE:
        return False
    return operator.is_standard or operator.theory in extensions


def _has_result(operator: Operator, logic: Logic) -> bool:
    """Whether the logic has numbers, if the operator's result is one."""
    return any(not logic.lacks_numbers(s.result) for s in operator.signatures)


def portable_signatures(operator: Operator) -> Iterator[Signature]:
    """The signatures of an operator that all solvers know: of a standard operator only the standard ones."""
    for signature in operator.signatures:
        if operator.is_standard and not signature.is_standard:
            continue
        if len(signature.args) != _NOT_PORTABLE_ARITY.get(operator.name):
            yield signature


@lru_cache(maxsize=4096)
def productions_of(
    target: Sort,
    sorts: tuple[Sort, ...],
    operators: tuple[Operator, ...],
    on_languages: frozenset[str] = frozenset(),
) -> tuple[Production, ...]:
    """The operators that make a term of the target sort from arguments of the given sorts.

    `on_languages` are those of `=`, `distinct` and `ite` that are used on regular languages, which not every
    solver takes.
    """
    productions = []
    for operator in operators:
        ranks = []
        for signature in portable_signatures(operator):
            ranks += [
                rank
                for rank in _ranks(signature, target, sorts)
                if _is_portable_rank(operator, rank, on_languages)
            ]
        if ranks:
            productions.append(Production(operator, tuple(ranks)))
    return tuple(productions)


@lru_cache(maxsize=256)
def _constants(target: Sort, operators: tuple[Operator, ...]) -> tuple[Production, ...]:
    """The constants of a sort that has no values of its own, such as `re.allchar`."""
    if kind_of(target).is_first_class:
        return ()
    return tuple(
        Production(operator, (((), ((),)),))
        for operator in operators
        for signature in portable_signatures(operator)
        if not signature.args and not signature.indices and signature.result is target
    )


def _is_portable_rank(operator: Operator, rank: Rank, on_languages: frozenset[str]) -> bool:
    if operator.name not in _FIRST_CLASS:
        return True
    return all(
        kind_of(sort).is_first_class or (sort is REGLAN and operator.name in on_languages) for sort in rank[0]
    )


def _ranks(signature: Signature, target: Sort, sorts: tuple[Sort, ...]) -> list[Rank]:
    if signature.result.name != target.name and not signature.result.is_parameter:
        return []
    if not signature.args or (any(sort.name == "Seq" for sort in sorts) and _is_for_strings(signature)):
        return []
    fitting = [[sort for sort in sorts if match(pattern, sort, {})] for pattern in signature.args]
    ranks = []
    for sorts_chosen in islice(product(*fitting), _MAX_SORT_TUPLES):
        indices = _indices(signature, target, sorts_chosen)
        if indices:
            ranks.append((sorts_chosen, indices))
    return ranks


def _is_for_strings(signature: Signature) -> bool:
    """Whether a rank uses strings as sequences, as z3 does and cvc5 does not."""
    return signature.name.startswith("seq.") and any(sort.name == "String" for sort in signature.args)


@lru_cache(maxsize=8192)
def _indices(signature: Signature, target: Sort, chosen: tuple[Sort, ...]) -> tuple[tuple[Index, ...], ...]:
    """Index tuples for which the signature gives the target from the chosen argument sorts."""
    result_bindings: Bindings = {}
    match(signature.result, target, result_bindings)
    free = [name for name in signature.indices if isinstance(name, str) and name not in result_bindings]
    widest = max((i for sort in (target, *chosen) for i in sort.indices if isinstance(i, int)), default=4)
    numbers = range(min(widest, _MAX_INDICES) + 1)
    if not all(
        match(pattern, sort, result_bindings) for pattern, sort in zip(signature.args, chosen, strict=True)
    ):
        return ()
    index_tuples: list[tuple[Index, ...]] = []
    for values in product(*[numbers] * (len(free) - 1)):
        bindings = result_bindings | dict(zip(free, values, strict=False))
        for last in _solutions(signature, target, free[-1], bindings, numbers) if free else (0,):
            if free:
                bindings[free[-1]] = last
            indices = tuple(bindings[i] if isinstance(i, str) else i for i in signature.indices)
            plain = tuple(i for i in indices if not isinstance(i, Sort))
            if signature.rank(plain, chosen) is target:
                index_tuples.append(plain)
                if len(index_tuples) == _MAX_INDICES:
                    return tuple(index_tuples)
    return tuple(index_tuples)


def _solutions(
    signature: Signature, target: Sort, name: str, bindings: Bindings, candidates: range
) -> Iterable[int]:
    """Values of one index that may give the target; if the result is linear in it, the one solution."""
    for index, target_index in zip(signature.result.indices, target.indices, strict=False):
        zero = compute(index, bindings | {name: 0})
        one = compute(index, bindings | {name: 1})
        if zero is not None and one is not None and zero != one and isinstance(target_index, int):
            value, rest = divmod(target_index - zero, one - zero)
            return (value,) if rest == 0 and value >= 0 else ()
    return candidates


def random_application(
    pool: ExpressionPool,
    sort: Sort,
    scope: PlaceScope,
    operators: tuple[Operator, ...],
    logic: Logic,
    rng: Random,
    functions: tuple[Head, ...] = (),
    on_languages: frozenset[str] = frozenset(),
) -> App | None:
    """A random operator of the sort applied to random expressions of the seed (TypeFuzz's GetReplacee).

    `functions` of the seed are drawn as well. The paper's Algorithm 2 excludes the replaced expression as an
    argument, its Example 3.4 uses it; it is allowed here.
    """
    choices = productions_of(sort, pool.sorts, operators, on_languages) + _constants(sort, operators)
    ranks = function_ranks(sort, pool.sorts, functions) if functions else ()
    if not choices and not ranks:
        return None
    which = rng.randrange(len(choices) + len(ranks))
    if which >= len(choices):
        rank = ranks[which - len(choices)]
        term_args = _arguments(pool, rank.args, scope, rng)
        fits = term_args is not None and pool.knows(rank.head.name, scope)
        return app(rank.head, term_args) if term_args is not None and fits else None
    production = choices[which]
    sorts, indices = production.ranks[rng.randrange(len(production.ranks))]
    name = production.operator.canonical.name
    args = _range(pool, rng) if name == _RANGE else _arguments(pool, sorts, scope, rng)
    if args is None or not logic.allows(production.operator, tuple(args)):
        return None
    return app(Head(production.operator, indices[rng.randrange(len(indices))]), args)


def _arguments(
    pool: ExpressionPool, sorts: tuple[Sort, ...], scope: PlaceScope, rng: Random
) -> list[Term] | None:
    """A random expression of the seed for each sort; None if one is missing."""
    args = []
    for sort in sorts:
        arg = pool.pick(sort, scope, None, rng)
        if arg is None:
            return None
        args.append(arg)
    return args


def _range(pool: ExpressionPool, rng: Random) -> list[Term]:
    """Two characters, some of them of the seed, in order."""
    words = (t.payload for t in pool.by_sort.get(STRING, ()) if isinstance(t, Value))
    letters = "".join(dict.fromkeys("".join(word for word in words if isinstance(word, str)))) or _LETTERS
    ends = sorted(rng.choice(letters if rng.random() < 0.5 else _LETTERS) for _ in range(2))
    return [literals_ for char in ends if (literals_ := value_term(STRING, char, {})) is not None]
