"""Laws at concrete sorts: both sides as terms, with the binders as variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from falsum.errors import ScriptError, UsageError
from falsum.smtlib.sorts import (
    BOOL,
    INT,
    REGLAN,
    STRING,
    Bindings,
    Index,
    Sort,
    bitvec,
    compute,
    substitute,
)
from falsum.smtlib.syntax.commands import READERS
from falsum.smtlib.syntax.parser import Parser
from falsum.smtlib.terms import App, Head, Term, Var, app, sort_text, var
from falsum.smtlib.text.lexer import chunks, quote
from falsum.smtlib.text.sexpr import SExpr, write
from falsum.smtlib.theories import OPERATORS, SORTS
from falsum.smtlib.theories.law import Law

# Sorts for sort parameters, and numbers for index variables that are not indices of a sort.
ELEMENTS: Final = (INT, BOOL, bitvec(2))
POSITIONS: Final = ((0,), (1,), (2,), (3,))


@dataclass(frozen=True, slots=True, eq=False)
class LawInstance:
    """A law at concrete sorts; `condition` is None if the law has none."""

    law: Law
    binders: tuple[Var, ...]
    left: Term
    right: Term
    condition: Term | None

    def side(self, name: str) -> Term:
        return self.left if name == "left" else self.right

    @property
    def claim(self) -> Term:
        """The law as a formula whose free variables are `claim_binders`."""
        if self.law.kind != "equivalent":
            return _apply("=>", *self._premises(self.left), self.right)
        left, right = self.left, self.right
        if left.sort is REGLAN:
            # Solvers reject equations of languages: two are equal if every word is in both or in neither.
            left, right = _apply("str.in_re", _WORD, left), _apply("str.in_re", _WORD, right)
        equation = _apply("=", left, right)
        premises = self._premises()
        return _apply("=>", *premises, equation) if premises else equation

    @property
    def claim_binders(self) -> tuple[Var, ...]:
        return (*self.binders, _WORD) if self.left.sort is REGLAN else self.binders

    def _premises(self, *further: Term) -> tuple[Term, ...]:
        return further if self.condition is None else (self.condition, *further)


_WORD: Final = var("any!word", STRING)


def _apply(operator: str, *args: Term) -> Term:
    return app(Head(OPERATORS[operator]), args)


def instantiate(law: Law, bindings: Mapping[str, Sort | int]) -> LawInstance | None:
    """The law for these sorts and indices; None if they violate its `:where` conditions."""
    missing = [name for name in (*law.params, *law.indices) if name not in bindings]
    if missing:
        raise UsageError(f"{law.name} needs {', '.join(missing)}")
    return _instantiate(law, tuple((name, bindings[name]) for name in (*law.params, *law.indices)))


@lru_cache(maxsize=4096)
def _instantiate(law: Law, pairs: tuple[tuple[str, Sort | int], ...]) -> LawInstance | None:
    bindings: Bindings = dict(pairs)
    if not all(_number(condition, bindings) for condition in law.where):
        return None
    binders = [(name, substitute(sort, bindings)) for name, sort in law.binders]
    if not all(_is_possible(sort) for _, sort in binders):
        return None
    sides = [law.left, law.right, *([] if law.condition is None else [law.condition])]
    prelude = (*law.prelude, *_declarations(law, bindings))
    text = " ".join([*prelude, *(write(_filled(side, bindings)) for side in sides)])
    parser = Parser(text, law.name)
    for _ in prelude:
        parser.expect("(")
        word = parser.next()
        READERS[word](parser, word)
    parser.bind(binders)
    left, right, *condition = [parser.term() for _ in sides]
    if left.sort is not right.sort or (law.kind != "equivalent" and left.sort is not BOOL):
        raise ScriptError(f"{law.name} relates {left.sort} and {right.sort}", 1, 1, law.name)
    variables = tuple(var(name, sort) for name, sort in binders)
    return LawInstance(law, variables, left, right, condition[0] if condition else None)


def _declarations(law: Law, bindings: Bindings) -> list[str]:
    """Declarations of the declared sorts among the bindings: a law may mention them."""
    declarations: dict[str, int] = {}
    todo = [sort for sort in bindings.values() if isinstance(sort, Sort)]
    while todo:
        sort = todo.pop()
        todo.extend(sort.args)
        if not _is_of_theory(sort):
            declarations[sort.name] = len(sort.args)
    tokens = (
        {token for chunk in chunks(" ".join(law.prelude)) for token in chunk.tokens}
        if declarations
        else set()
    )
    return [
        f"(declare-sort {quote(n)} {arity})" for n, arity in declarations.items() if quote(n) not in tokens
    ]


def _is_possible(sort: Sort) -> bool:
    """Whether the sort exists with these indices."""
    if not all(isinstance(index, int) for index in sort.indices) or not all(map(_is_possible, sort.args)):
        return False
    return _is_of_theory(sort) or not sort.indices


def _is_of_theory(sort: Sort) -> bool:
    """Whether a theory has the sort; scripts may declare one of the same name and another arity."""
    kind = SORTS.get(sort.name)
    if kind is None:
        return False
    indices = tuple(index for index in sort.indices if isinstance(index, int))
    try:
        # `Tuple` alone is written for `UnitTuple`; a sort of that name is the script's own.
        return kind.instantiate(indices, sort.args) is sort
    except UsageError:
        return False


def _filled(expression: SExpr, bindings: Bindings) -> SExpr:
    """A side with numbers and sorts in place of variables; recursive, since laws are shallow."""
    if isinstance(expression, str):
        bound = bindings.get(expression)
        return expression if bound is None else sort_text(bound) if isinstance(bound, Sort) else str(bound)
    if expression and expression[0] == "#":
        # (# e) is the value of an index expression as a numeral.
        return str(_number(_as_index(expression[1]), bindings))
    if expression and expression[0] == "_":
        indices = [_filled_index(part, bindings) for part in expression[2:]]
        if expression[1] == "bv":
            # (_ bv e m) is the bit-vector of this number and width.
            return ("_", f"bv{indices[0]}", indices[1])
        return ("_", expression[1], *indices)
    return tuple(_filled(part, bindings) for part in expression)


def _filled_index(part: SExpr, bindings: Bindings) -> str:
    if isinstance(part, str) and part not in bindings:
        return part
    return str(_number(_as_index(part), bindings))


def _as_index(expression: SExpr) -> Index:
    if isinstance(expression, str):
        return int(expression) if expression.isdecimal() else expression
    return tuple(map(_as_index, expression))


def _number(expression: Index, bindings: Bindings) -> int:
    """Like `sorts.compute`, with powers."""
    if isinstance(expression, tuple):
        operation, *operands = expression
        numbers = [_number(operand, bindings) for operand in operands]
        if operation == "**":
            return int(numbers[0] ** numbers[1])
        expression = (operation, *numbers)
    number = compute(expression, bindings)
    if number is None:
        raise UsageError(f"index expression {expression} has no value")
    return number


def instances(
    law: Law,
    *,
    sizes: Mapping[str, Sequence[tuple[int, ...]]] | None = None,
    elements: Sequence[Sort] = ELEMENTS,
) -> Iterator[LawInstance]:
    """The law at every combination of indices and element sorts.

    `sizes` are the indices to use for the sorts of a name; by default the small indices of its kind.
    """
    choices: list[Iterable[Bindings]] = []
    groups = _index_groups(law, sizes or {})
    for name in law.indices:
        names, numbers = groups.get(name, ((name,), POSITIONS))
        if name == names[0]:
            choices.append([dict(zip(names, each, strict=True)) for each in numbers])
    for place, name in enumerate(law.params):
        # The second parameter starts with another sort, so that the two differ.
        turned = [*elements[place:], *elements[:place]]
        choices.append([{name: sort} for sort in (turned if place == 0 else turned[:2])])
    for combination in product(*choices):
        bindings: Bindings = {}
        for part in combination:
            bindings.update(part)
        instance = instantiate(law, bindings)
        if instance is not None:
            yield instance


_Group = tuple[tuple[str, ...], Sequence[tuple[int, ...]]]


def _index_groups(law: Law, sizes: Mapping[str, Sequence[tuple[int, ...]]]) -> dict[str, _Group]:
    """For each index variable of a sort: all index variables of that sort, and the indices to use."""
    groups: dict[str, _Group] = {}
    todo = [sort for _, sort in law.binders]
    while todo:
        sort = todo.pop(0)
        todo.extend(sort.args)
        names = tuple(index for index in sort.indices if isinstance(index, str))
        kind = SORTS.get(sort.name)
        if kind is not None and names and len(names) == kind.indices:
            for name in names:
                groups.setdefault(name, (names, sizes.get(sort.name, kind.small_indices)))
    return groups


def equations(instance: LawInstance) -> tuple[tuple[Var, Term], ...]:
    """The equations of an inverse law, as pairs of a variable and a term; the fused variable first."""
    formulas: list[Term] = [instance.left]
    right = instance.right
    if isinstance(right, App) and right.head.name == "and":
        formulas.extend(right.args)
    else:
        formulas.append(right)
    out = []
    for formula in formulas:
        assert isinstance(formula, App)
        subject, meaning = formula.args
        assert isinstance(subject, Var)
        out.append((subject, meaning))
    return tuple(out)
