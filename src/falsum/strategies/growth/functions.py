"""Functions of a seed that a mutation may apply: declared ones, constructors, selectors and testers, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from typing import Final, NamedTuple

from falsum.smtlib.scripts import Command, DeclareDatatypes, DeclareFun, DefineFun, Script
from falsum.smtlib.sorts import Sort, match
from falsum.smtlib.syntax.identifiers import tester
from falsum.smtlib.terms import Function, Head
from falsum.smtlib.text.lexer import quote

# Argument sorts tried for one function.
_MAX_SORT_TUPLES: Final = 200


class FunctionRank(NamedTuple):
    """A function with the sorts of its arguments."""

    head: Head
    args: tuple[Sort, ...]


def functions_of(script: Script) -> tuple[Head, ...]:
    """The functions of a prepared script, without those whose name has several meanings."""
    heads = [head for command in script.commands for head in _heads(command)]
    names = Counter(head.name for head in heads)
    return tuple(head for head in heads if names[head.name] == 1)


def _heads(command: Command) -> Iterator[Head]:
    if isinstance(command, DeclareFun | DefineFun):
        function = command.function
        if function.args and not function.params:
            yield Head(function)
    elif isinstance(command, DeclareDatatypes):
        for datatype in command.datatypes:
            for name, selectors in datatype.constructors:
                sorts = tuple(sort for _, sort in selectors)
                constructor = Function(name, sorts, datatype.sort, datatype.params, "constructor")
                if sorts or not datatype.params:
                    yield Head(constructor)
                yield Head(tester(constructor), (), None, f"(_ is {quote(name)})")
                for selector, result in selectors:
                    yield Head(Function(selector, (datatype.sort,), result, datatype.params, "selector"))


@lru_cache(maxsize=4096)
def function_ranks(
    target: Sort, sorts: tuple[Sort, ...], functions: tuple[Head, ...]
) -> tuple[FunctionRank, ...]:
    """The functions that make a term of the target sort from arguments of the given sorts."""
    ranks = []
    for head in functions:
        assert isinstance(head.symbol, Function)
        if not match(head.symbol.result, target, {}):
            continue
        fitting = [[sort for sort in sorts if match(pattern, sort, {})] for pattern in head.symbol.args]
        ranks += [
            FunctionRank(head, sorts_chosen)
            for sorts_chosen in islice(product(*fitting), _MAX_SORT_TUPLES)
            if head.rank(sorts_chosen) is target
        ]
    return tuple(ranks)
