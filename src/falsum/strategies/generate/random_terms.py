"""Drafts: random terms of a grammar as text, with what they declare noted along the way."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib.sorts import BOOL, REGLAN, Sort
from falsum.smtlib.terms import sort_text
from falsum.strategies.growth import Constants, Grammar, TermTemplate, VariablePlace

_LONGEST_SHARED: Final = 12


class Shape(NamedTuple):
    """What terms look like; the parameters of `Generate` of the same names."""

    variables: int
    sharing: float
    quantifiers: float
    longest: int


class _Ask(NamedTuple):
    """A term still to be made."""

    sort: Sort
    depth: int


class _Keep(NamedTuple):
    """A term made since a place in the output may be used again."""

    sort: Sort
    start: int


class _Bind(NamedTuple):
    """From here on a name stands for a term of a sort."""

    name: str
    sort: Sort


class _Forget(NamedTuple):
    """The end of a scope: its names and all terms made inside are gone."""

    bound: tuple[_Bind, ...]
    made: tuple[tuple[Sort, int], ...]


_Item: TypeAlias = "str | _Ask | _Keep | _Bind | _Forget | VariablePlace | Constants"


class Draft:
    """The terms of one script."""

    def __init__(self, grammar: Grammar, shape: Shape, rng: Random) -> None:
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
        self._quantifiable = tuple(s for s in grammar.theme.sorts if s is not REGLAN) or (BOOL,)
        if grammar.theme.functions:
            self._declare_functions()

    def term(self, sort: Sort, depth: int) -> str:
        """A random term."""
        out: list[str] = []
        todo: list[_Item] = [_Ask(sort, depth)]
        longest = self.shape.longest
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                out.append(item)
            elif isinstance(item, _Ask):
                if item.depth <= 0 or len(out) > longest or (item.sort is not BOOL and self.random() < 0.15):
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
        made = self._made.get(sort)
        if made and self.random() < shape.sharing:
            out.append(made[int(self.random() * len(made))])
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
        todo += [_Ask(p, below) if isinstance(p, Sort) else p for p in template.pieces[::-1]]

    def _template(self, sort: Sort, depth: int) -> TermTemplate | None:
        """An operator of the sort, every one as likely as another; formulas are of atoms at the bottom."""
        operators = self.grammar.operators[sort]
        if sort is BOOL and (not operators or (depth > 1 and self.random() < 0.5)):
            operators = self.grammar.connectives
        calls = self._calls.get(sort)
        if calls and (not operators or self.random() < 0.25):
            return calls[int(self.random() * len(calls))]
        if not operators:
            return None
        some = operators[int(self.random() * len(operators))]
        return some[int(self.random() * len(some))]

    def _leaf(self, sort: Sort) -> str:
        constants = self.grammar.constants[sort]
        if constants and (sort is REGLAN or self.random() < (0.05 if sort is BOOL else 0.35)):
            return constants[int(self.random() * len(constants))]
        return self._variable(sort)

    def _one(self, constants: Constants) -> str:
        return constants[int(self.random() * len(constants))]

    def _variable(self, sort: Sort) -> str:
        bound = self._bound.get(sort)
        if bound and self.random() < 0.7:
            return bound[int(self.random() * len(bound))]
        return self._free_variable(sort)

    def _free_variable(self, sort: Sort) -> str:
        name = f"{self._names[sort]}{int(self.random() * self.shape.variables)}"
        if name == self._last:  # (= x x) and its like are dull
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
        todo += [")", self._scope(bound), _Ask(BOOL, depth - 1), *bound, f"({kind} ({binders}) "]

    def _let(self, depth: int, todo: list[_Item]) -> None:
        sorts = self._quantifiable
        bound = self._fresh("l", sorts[int(self.random() * len(sorts))])
        todo += [")", self._scope((bound,)), _Ask(BOOL, depth - 1), bound]
        todo += [")) ", _Ask(bound.sort, depth - 1), f"(let (({bound.name} "]

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
        sorts = (*(s for s in self.grammar.theme.sorts if s is not REGLAN), BOOL)
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
