"""Grammar: templates for the terms of every sort of a theme, as pieces of text with places to fill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib.laws import law_index
from falsum.smtlib.logics import PRODUCTS, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import BOOL, INT, REAL, REGLAN, ROUNDING_MODE, Sort
from falsum.smtlib.terms import Head, sort_text
from falsum.smtlib.theories import THEORY_OF_SORT, kind_of, theory_cache
from falsum.strategies.growth.literals import constants_of
from falsum.strategies.growth.productions import Rank, portable_operators, productions_of
from falsum.strategies.growth.theme import Theme

# A place for one of these constants.
Constants: TypeAlias = tuple[str, ...]


class VariablePlace(NamedTuple):
    """A place for a variable."""

    sort: Sort


Piece: TypeAlias = "str | Sort | Constants | VariablePlace"


class TermTemplate(NamedTuple):
    """A term with places: a Sort stands for any term of it, Constants and VariablePlace for leaves.

    `commutes` says that swapping the last two places does not change the meaning.
    """

    pieces: tuple[Piece, ...]
    commutes: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The constants and templates of each sort of a theme; templates are grouped by operator.

    For Bool, `connectives` combine formulas and `operators` make atoms. `prefixes` begin the names of
    variables.
    """

    theme: Theme
    constants: dict[Sort, Constants]
    operators: dict[Sort, tuple[tuple[TermTemplate, ...], ...]]
    connectives: tuple[tuple[TermTemplate, ...], ...]
    prefixes: dict[Sort, str]


# Operators that not every solver takes with more than two arguments.
_BINARY_ONLY: Final = frozenset(["str.<", "str.<="])
# Indices used for one rank of an operator.
_MAX_INDICES: Final = 6
_FACTORS: Final = {INT: ("2", "3", "(- 1)", "(- 2)", "5"), REAL: ("2.0", "0.5", "(- 1.0)", "3.0")}
_DIVISORS: Final = {INT: ("2", "3", "5", "(- 2)"), REAL: ("2.0", "4.0", "(- 3.0)")}
_LETTERS: Final = ('"a"', '"b"', '"c"', '"0"', '"9"', '"A"')


@theory_cache(maxsize=512)
def grammar_of(theme: Theme, width: int) -> Grammar:
    """The grammar of a theme; operators that take any number of arguments get at most `width`."""
    constants = {sort: _constants(sort, theme) for sort in (BOOL, *theme.sorts)}
    sorts = (BOOL, *theme.sorts)
    operators = _operators(theme)
    by_sort: dict[Sort, list[tuple[TermTemplate, ...]]] = {sort: [] for sort in sorts}
    connectives = []
    for sort in sorts:
        for production in productions_of(sort, sorts, operators):
            templates = tuple(_templates(production.operator, sort, production.ranks, theme, width))
            plain = tuple(t for t in templates if sort is BOOL and _is_connective(t))
            rest = templates if not plain else tuple(t for t in templates if not _is_connective(t))
            if plain:
                connectives.append(plain)
            if rest:
                by_sort[sort].append(rest)
        by_sort[sort] += _extras(sort, theme, constants)
    if theme.difference:
        _only_differences(by_sort, theme)
    return Grammar(
        theme, constants, {s: tuple(c) for s, c in by_sort.items()}, tuple(connectives), _prefixes(theme)
    )


def _operators(theme: Theme) -> tuple[Operator, ...]:
    theories = frozenset(THEORY_OF_SORT[s.name].name for s in theme.sorts if s.name in THEORY_OF_SORT)
    logic = logic_of(theme.logic)
    return tuple(
        operator
        for operator in _portable_operators(theories)
        if logic.allows(operator, ()) and not (theme.difference and operator.theory == "Arithmetic")
    )


@theory_cache(maxsize=64)
def _portable_operators(theories: frozenset[str]) -> tuple[Operator, ...]:
    return portable_operators((), theories)


def _templates(
    operator: Operator, sort: Sort, ranks: tuple[Rank, ...], theme: Theme, width: int
) -> Iterator[TermTemplate]:
    associative = next((s.associativity for s in operator.signatures if s.associativity), "")
    if operator.name in _BINARY_ONLY:
        associative = ""
    for sorts, indices in ranks:
        if theme.linear and operator.name in PRODUCTS:
            yield from _linear(operator.name, sorts)
            continue
        for index in indices[:: max(1, len(indices) // _MAX_INDICES)]:
            head = Head(operator, index).text
            commutes = _commutes(operator, sorts)
            yield _template(head, sorts, commutes=commutes)
            alike = len(sorts) == 2 and sorts[0] is sorts[1] and sort in (sorts[0], BOOL)
            # Three Booleans cannot be distinct.
            if alike and associative not in ("", "nary") and (operator.name, sorts[0]) != ("distinct", BOOL):
                for count in range(3, width + 1):
                    yield _template(head, sorts[:1] * count)


def _template(head: str, places: tuple[Piece, ...], *, commutes: bool = False) -> TermTemplate:
    pieces: list[Piece] = [f"({head} "]
    for place in places:
        pieces += [place, " "]
    pieces[-1] = ")"
    return TermTemplate(tuple(pieces), commutes)


def _linear(name: str, sorts: tuple[Sort, ...]) -> Iterator[TermTemplate]:
    """Products and quotients with a constant."""
    sort = sorts[0]
    if len(sorts) == 2 and sort in _FACTORS:
        if name == "*":
            yield _template(name, (_FACTORS[sort], sort))
        elif name in ("div", "mod", "/"):
            yield _template(name, (sort, _DIVISORS[sort]))


def _commutes(operator: Operator, sorts: tuple[Sort, ...]) -> bool:
    rest = sorts[1:] if sorts[0] is ROUNDING_MODE else sorts
    return len(rest) == 2 and rest[0] is rest[1] and law_index().is_commutative(operator.name)


def _is_connective(template: TermTemplate) -> bool:
    return all(not isinstance(piece, Sort) or piece is BOOL for piece in template.pieces)


def _extras(sort: Sort, theme: Theme, constants: dict[Sort, Constants]) -> list[tuple[TermTemplate, ...]]:
    """Terms beyond the operator tables: datatypes, constant arrays, regular languages with bounds."""
    templates: list[tuple[TermTemplate, ...]] = []
    for datatype in theme.datatypes:
        for constructor, selectors in datatype.constructors:
            if sort is datatype.sort and selectors:
                templates.append((_template(constructor, tuple(s for _, s in selectors)),))
            if sort is BOOL and len(datatype.constructors) > 1:
                templates.append((_template(f"(_ is {constructor})", (datatype.sort,)),))
            fields = [_template(name, (datatype.sort,)) for name, s in selectors if s is sort]
            if fields:
                templates.append(tuple(fields))
    if sort.name == "Array" and theme.constant_arrays:
        # cvc5 takes constant arrays of values only, and negative numbers are applications.
        values = tuple(text for text in constants.get(sort.args[1], ()) if not text.startswith(("(-", "(/")))
        if values:
            templates.append((_template(f"(as const {sort_text(sort)})", (values,)),))
    if sort is REGLAN:
        templates.append((_template("re.range", (_LETTERS, _LETTERS)),))
        templates.append(tuple(_template(f"(_ re.^ {n})", (REGLAN,)) for n in (0, 1, 2, 3)))
        bounds = ((0, 1), (1, 2), (0, 3), (2, 2), (2, 1))
        templates.append(tuple(_template(f"(_ re.loop {i} {j})", (REGLAN,)) for i, j in bounds))
    return templates


def _only_differences(by_sort: dict[Sort, list[tuple[TermTemplate, ...]]], theme: Theme) -> None:
    """Difference logic: comparisons of two variables, and of their difference with a number."""
    number = INT if INT in theme.sorts else REAL
    some = VariablePlace(number)
    names = ("<", "<=", ">", ">=", "=", "distinct")
    literals = tuple(text for text in constants_of(number) if "/" not in text)
    atoms = [
        (
            TermTemplate((f"({name} (- ", some, " ", some, ") ", literals, ")")),
            TermTemplate((f"({name} ", some, " ", some, ")")),
        )
        for name in names
    ]
    by_sort[BOOL] = [*atoms]
    by_sort[number] = []


def _constants(sort: Sort, theme: Theme) -> Constants:
    """The texts of simple and corner-case values of a sort; none for a sort without constants."""
    if theme.difference and sort in (INT, REAL):
        return ()
    for datatype in theme.datatypes:
        if datatype.sort is sort:
            return tuple(name for name, selectors in datatype.constructors if not selectors)
    return constants_of(sort)


def _prefixes(theme: Theme) -> dict[Sort, str]:
    """A distinct prefix for the variables of each sort."""
    names: dict[Sort, str] = {}
    free = iter("cdhjkuvwyzno")
    for sort in (BOOL, *theme.sorts):
        letter = kind_of(sort).letter
        names[sort] = letter if letter and letter not in names.values() else next(free)
    return names
