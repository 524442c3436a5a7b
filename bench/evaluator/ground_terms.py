"""Random ground terms of every standard operator, with a bias towards corner cases."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from random import Random
from typing import Final

from falsum.errors import SortError
from falsum.smtlib.models.model import Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.samples import random_value
from falsum.smtlib.signatures import Signature
from falsum.smtlib.sorts import (
    BOOL,
    INT,
    REAL,
    REGLAN,
    ROUNDING_MODE,
    STRING,
    Bindings,
    Index,
    Sort,
    array,
    bitvec,
    compute,
    floating_point,
    match,
    substitute,
)
from falsum.smtlib.terms import Head, Term, app
from falsum.smtlib.theories import ALL
from falsum.smtlib.values.cannot_say import CannotSay

_ATTEMPTS: Final = 60
_EMPTY_MODEL: Final = Model()
_THEORIES: Final = (
    "Core", "Arithmetic", "FixedSizeBitVectors", "FloatingPoint", "Strings", "ArraysEx",
)  # fmt: skip
SMALL_FORMATS: Final = (floating_point(2, 3), floating_point(3, 5), floating_point(5, 11))
FORMATS: Final = (*SMALL_FORMATS, floating_point(8, 24), floating_point(11, 53))
STANDARD_FORMATS: Final = FORMATS[2:]
_INDICES: Final = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 16)


def standard_operators() -> dict[str, Operator]:
    """The names of all operators of the standard theories."""
    found = chain.from_iterable(theory.operators for theory in ALL if theory.name in _THEORIES)
    return {o.name: o for o in found if o.is_standard and o.signatures and o.alias_of is None}


def standard_signatures(operator: Operator) -> list[Signature]:
    """Whether a rank is standard, not an extension such as sequences in place of strings."""
    return [signature for signature in operator.signatures if _is_standard(signature)]


def _is_standard(signature: Signature) -> bool:
    sorts = (*signature.args, signature.result)
    if any(not _BEYOND.isdisjoint(_sort_names(sort)) for sort in sorts):
        return False
    if signature.name in ("and", "or", "xor", "fp.to_ubv_I"):
        return bool(signature.args)
    if signature.name in ("to_fp", "re.loop", "re.^"):
        wanted = 1 if signature.name == "re.^" else 2
        return INT not in signature.args and len(signature.args) < 3 and len(signature.indices) == wanted
    return not (signature.name == "abs" and REAL in sorts) and not (
        signature.name == "str.indexof" and len(signature.args) == 2
    )


def _sort_names(sort: Sort) -> Iterator[str]:
    yield sort.name
    for arg in sort.args:
        yield from _sort_names(arg)


_BEYOND: Final = frozenset(["Seq", "RegEx", "Char", "->", "Set"])


class Maker:
    """Makes random terms with the given floating-point formats, `without` some operators."""

    def __init__(
        self, rng: Random, formats: tuple[Sort, ...] = FORMATS, without: Collection[str] = ()
    ) -> None:
        self.rng = rng
        self.formats = formats
        self.operators = [
            (operator, signature)
            for operator in standard_operators().values()
            for signature in standard_signatures(operator)
            if operator.name not in without
        ]

    def application(self, operator: Operator, depth: int) -> Term | None:
        """A random term whose topmost operator is this one."""
        for _ in range(_ATTEMPTS):
            signature = self.rng.choice(standard_signatures(operator))
            made = self._instance(operator, signature, None, depth)
            if made is not None:
                return made
        return None

    def term(self, sort: Sort, depth: int) -> Term | None:
        """A random term of a sort."""
        if depth > 0 and self.rng.random() < 0.7:
            for _ in range(_ATTEMPTS):
                operator, signature = self.rng.choice(self.operators)
                if signature.result.name != sort.name and not signature.result.is_parameter:
                    continue
                made = self._instance(operator, signature, sort, depth)
                if made is not None:
                    return made
        return self.leaf(sort)

    def leaf(self, sort: Sort) -> Term | None:
        if sort is REGLAN:
            return self._regex()
        if sort is INT and self.rng.random() < 0.5:
            return value_term(sort, self.rng.randint(-4, 9), {})
        payload = random_value(sort, _EMPTY_MODEL, self.rng)
        return None if isinstance(payload, CannotSay) else value_term(sort, payload, {})

    def _regex(self) -> Term | None:
        word = self.leaf(STRING)
        return None if word is None else app(Head(standard_operators()["str.to_re"]), (word,))

    def _instance(
        self, operator: Operator, signature: Signature, result: Sort | None, depth: int
    ) -> Term | None:
        bindings: Bindings = {}
        if result is not None and not _fits(signature.result, result, bindings):
            return None
        patterns = (*signature.args, signature.result)
        for name in dict.fromkeys(chain.from_iterable(map(_parameters, patterns))):
            bindings.setdefault(name, self._sort())
        self._bind_formats(signature, bindings)
        for name in dict.fromkeys(chain(_names(signature.indices), *map(_in_sort, patterns))):
            bindings.setdefault(name, self.rng.choice(_INDICES))
        if not all(compute(condition, bindings) for condition in signature.where):
            return None
        return self._applied(operator, signature, bindings, result, depth)

    def _bind_formats(self, signature: Signature, bindings: Bindings) -> None:
        for pattern in (*signature.args, signature.result):
            if pattern.name != "FloatingPoint":
                continue
            numbers = self.rng.choice(self.formats).indices
            for name, number in zip(pattern.indices, numbers, strict=True):
                if isinstance(name, str) and isinstance(number, int):
                    bindings.setdefault(name, number)
                elif isinstance(name, tuple) and isinstance(name[1], str) and isinstance(number, int):
                    bindings.setdefault(name[1], number - 1)

    def _applied(
        self, operator: Operator, signature: Signature, bindings: Bindings, result: Sort | None, depth: int
    ) -> Term | None:
        sorts = [substitute(arg, bindings) for arg in signature.args]
        if not all(_is_sensible(sort) for sort in sorts):
            return None
        # No solver accepts the standard's chains of str.< and str.<=.
        longer = signature.associativity in ("left-assoc", "chainable", "pairwise")
        if longer and not operator.name.startswith("str.<") and self.rng.random() < 0.2:
            sorts.append(sorts[-1])
        args = [self.term(sort, depth - 1) for sort in sorts]
        known = [arg for arg in args if arg is not None]
        indices = tuple(i if isinstance(i, int) else (compute(i, bindings) or 0) for i in signature.indices)
        try:
            made = app(Head(operator, indices), known) if len(known) == len(args) else None
        except SortError:
            return None
        return made if made is not None and (result is None or made.sort is result) else None

    def _sort(self) -> Sort:
        some = (BOOL, INT, REAL, STRING, ROUNDING_MODE, bitvec(4), self.rng.choice(self.formats))
        if self.rng.random() < 0.15:
            return array(self.rng.choice((INT, BOOL, bitvec(2))), self.rng.choice((INT, bitvec(3))))
        return self.rng.choice(some)


def _fits(pattern: Sort, sort: Sort, bindings: Bindings) -> bool:
    """As `match`, but an index that is an expression matches any number."""
    if any(isinstance(index, tuple) for index in pattern.indices):
        return pattern.name == sort.name
    return match(pattern, sort, bindings)


def _is_sensible(sort: Sort) -> bool:
    numbers = [index for index in sort.indices if isinstance(index, int)]
    if len(numbers) < len(sort.indices):
        return False
    low = {"BitVec": 1, "FloatingPoint": 2}.get(sort.name, 0)
    return all(low <= number <= 72 for number in numbers) and all(map(_is_sensible, sort.args))


def _names(indices: tuple[Index, ...]) -> Iterator[str]:
    for index in indices:
        if isinstance(index, str):
            yield index
        elif isinstance(index, tuple):
            yield from (name for name in _names(index[1:]) if name)


def _in_sort(sort: Sort) -> Iterator[str]:
    yield from _names(sort.indices)
    for arg in sort.args:
        yield from _in_sort(arg)


def _parameters(sort: Sort) -> Iterator[str]:
    if sort.is_parameter:
        yield sort.name
    for arg in sort.args:
        yield from _parameters(arg)
