"""TermGenerator: random terms of a grammar as text; notes the constants and functions they use."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import sort_text
from falsum.smtlib.theories import kind_of
from falsum.strategies.growth import Constants, Grammar, TermTemplate, VariablePlace

# A term of at most so many pieces of text may be used again.
_LONGEST_SHARED: Final = 12
# Probabilities: a leaf before the maximal depth; a constant as a leaf, Boolean and other; a bound variable
# rather than a free one; a connective rather than an atom; a declared function rather than an operator.
_EARLY_LEAF: Final = 0.15
_BOOLEAN_CONSTANT: Final = 0.05
_CONSTANT: Final = 0.35
_BOUND: Final = 0.7
_CONNECTIVE: Final = 0.5
_CALL: Final = 0.25


class TermShape(NamedTuple):
    """The shape of terms: the parameters of `Generate` with these names."""

    variables: int
    sharing: float
    quantifiers: float
    longest: int


class _Goal(NamedTuple):
    """A term to be generated."""

    sort: Sort
    depth: int


class _Keep(NamedTuple):
    """The end of a term that began at `start` in the output and may be used again."""

    sort: Sort
    start: int


class _Bind(NamedTuple):
    """The start of a variable's scope."""

    name: str
    sort: Sort


class _Forget(NamedTuple):
    """The end of a scope: its variables and the terms made inside it cannot be used any more."""

    bound: tuple[_Bind, ...]
    made: tuple[tuple[Sort, int], ...]


_Item: TypeAlias = "str | _Goal | _Keep | _Bind | _Forget | VariablePlace | Constants"


class TermGenerator:
    """Generates the terms of one script; `used` and `functions` are those it has to declare."""

    def __init__(self, grammar: Grammar, shape: TermShape, rng: Random) -> None:
        self.grammar = grammar
        self.shape = shape
        self.random = rng.random
        self.used: dict[str, Sort] = {}
        self.functions: list[tuple[str, tuple[Sort, ...], Sort]] = []
        self._calls: dict[Sort, list[TermTemplate]] = {}
        self._made: dict[Sort, list[str]] = {}
        self._bound: dict[Sort, list[str]] = {}
        self._count = 0
        self._last = ""
        self._names = grammar.prefixes
        self._quantifiable = tuple(s for s in grammar.theme.sorts if kind_of(s).is_first_class) or (BOOL,)
        if grammar.theme.functions:
            self._declare_functions()

    def term(self, sort: Sort, depth: int) -> str:
        """A random term."""
        out: list[str] = []
        todo: list[_Item] = [_Goal(sort, depth)]
        longest = self.shape.longest
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                out.append(item)
            elif isinstance(item, _Goal):
                is_full = item.depth <= 0 or len(out) > longest
                if is_full or (item.sort is not BOOL and self.random() < _EARLY_LEAF):
                    out.append(self._leaf(item.sort))
                else:
                    self._expand(item.sort, item.depth, out, todo)
            elif isinstance(item, _Keep):
                if len(out) - item.start <= _LONGEST_SHARED:
                    self._made.setdefault(item.sort, []).append("".join(out[item.start :]))
            elif isinstance(item, _Bind):
                self._bound.setdefault(item.sort, []).append(item.name)
            elif isinstance(item, _Forget):
                self._forget(item)
            elif isinstance(item, VariablePlace):
                out.append(self._variable(item.sort))
            else:
                out.append(self._one(item))
        return "".join(out)

    def literal(self) -> str:
        """A Boolean variable or its negation."""
        name = self._free_variable(BOOL)
        return name if self.random() < 0.5 else f"(not {name})"

    def _expand(self, sort: Sort, depth: int, out: list[str], todo: list[_Item]) -> None:
        shape = self.shape
        terms = self._made.get(sort)
        if terms and self.random() < shape.sharing:
            out.append(terms[int(self.random() * len(terms))])
            return
        if sort is BOOL and depth > 1:
            step = self.random()
            if self.grammar.theme.quantified and step < shape.quantifiers:
                self._quantify(depth, todo)
                return
            if step > 1 - shape.sharing / 3:
                self._let(depth, todo)
                return
        template = self._template(sort, depth)
        if template is None:
            out.append(self._leaf(sort))
            return
        if shape.sharing:
            todo.append(_Keep(sort, len(out)))
        below = depth - 1
        todo += [_Goal(p, below) if isinstance(p, Sort) else p for p in template.pieces[::-1]]

    def _template(self, sort: Sort, depth: int) -> TermTemplate | None:
        """A template of a random operator of the sort, all equally likely; atoms at the lowest level."""
        operators = self.grammar.operators[sort]
        if sort is BOOL and (not operators or (depth > 1 and self.random() < _CONNECTIVE)):
            operators = self.grammar.connectives
        calls = self._calls.get(sort)
        if calls and (not operators or self.random() < _CALL):
            return calls[int(self.random() * len(calls))]
        if not operators:
            return None
        some = operators[int(self.random() * len(operators))]
        return some[int(self.random() * len(some))]

    def _leaf(self, sort: Sort) -> str:
        constants = self.grammar.constants[sort]
        share = _BOOLEAN_CONSTANT if sort is BOOL else _CONSTANT
        if constants and (not kind_of(sort).is_first_class or self.random() < share):
            return constants[int(self.random() * len(constants))]
        return self._variable(sort)

    def _one(self, constants: Constants) -> str:
        return constants[int(self.random() * len(constants))]

    def _variable(self, sort: Sort) -> str:
        bound = self._bound.get(sort)
        if bound and self.random() < _BOUND:
            return bound[int(self.random() * len(bound))]
        return self._free_variable(sort)

    def _free_variable(self, sort: Sort) -> str:
        name = f"{self._names[sort]}{int(self.random() * self.shape.variables)}"
        if name == self._last:  # (= x x) tests little: draw once more
            name = f"{self._names[sort]}{int(self.random() * self.shape.variables)}"
        self._last = name
        self.used[name] = sort
        return name

    def _quantify(self, depth: int, todo: list[_Item]) -> None:
        kind = "forall" if self.random() < 0.5 else "exists"
        bound = tuple(
            self._fresh("q", self._quantifiable[int(self.random() * len(self._quantifiable))])
            for _ in range(1 + int(self.random() * 2))
        )
        binders = " ".join(f"({name} {sort_text(sort)})" for name, sort in bound)
        todo += [")", self._scope(bound), _Goal(BOOL, depth - 1), *bound, f"({kind} ({binders}) "]

    def _let(self, depth: int, todo: list[_Item]) -> None:
        sorts = self._quantifiable
        bound = self._fresh("l", sorts[int(self.random() * len(sorts))])
        todo += [")", self._scope((bound,)), _Goal(BOOL, depth - 1), bound]
        todo += [")) ", _Goal(bound.sort, depth - 1), f"(let (({bound.name} "]

    def _fresh(self, prefix: str, sort: Sort) -> _Bind:
        self._count += 1
        return _Bind(f"{prefix}{self._count}", sort)

    def _scope(self, bound: tuple[_Bind, ...]) -> _Forget:
        return _Forget(bound, tuple((sort, len(terms)) for sort, terms in self._made.items()))

    def _forget(self, scope: _Forget) -> None:
        for _name, sort in scope.bound:
            self._bound[sort].pop()
        before = dict(scope.made)
        for sort, terms in self._made.items():
            del terms[before.get(sort, 0) :]

    def _declare_functions(self) -> None:
        sorts = (*(s for s in self.grammar.theme.sorts if kind_of(s).is_first_class), BOOL)
        for number in range(1 + int(self.random() * 3)):
            result = sorts[int(self.random() * len(sorts))]
            count = 1 + int(self.random() * 2)
            args = tuple(sorts[int(self.random() * max(1, len(sorts) - 1))] for _ in range(count))
            self.functions.append((f"f{number}", args, result))
            pieces: list[str | Sort] = [f"(f{number} "]
            for arg in args:
                pieces += [arg, " "]
            pieces[-1] = ")"
            self._calls.setdefault(result, []).append(TermTemplate(tuple(pieces)))
