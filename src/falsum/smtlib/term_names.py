"""Names of terms: given by `(! t :named n)`, used as constants in the script and listed in unsat cores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from falsum.smtlib.terms import Annotated, App, Function, Term, annotated
from falsum.smtlib.text.lexer import symbol_name

_SYMBOL: Final = re.compile(r"\|[^|]*\||[^\s()]+")


def names_given(term: Term) -> tuple[str, ...]:
    """The names that annotations at the root of a term give it, as they are written."""
    if not isinstance(term, Annotated):
        return ()
    return tuple([a.value for a in term.attributes if a.keyword == ":named" and isinstance(a.value, str)])


def is_name(term: Term) -> bool:
    """Whether a term is a use of another term's name."""
    if not isinstance(term, App):
        return False
    symbol = term.head.symbol
    return isinstance(symbol, Function) and symbol.role == "named"


def assertion_name(number: int) -> str:
    """The name, by its number from 0, that an assertion gets when a solver is asked for an unsat core."""
    return f"falsum!{number + 1}"


def assertions_in_core(
    core: str, assertions: Sequence[Term], assumptions: Sequence[str] = ()
) -> frozenset[int]:
    """The numbers, from 0, of the assertions that a core lists, by their own names or by those given.

    None at all if it lists anything but these and the `assumptions`: where a term inside an assertion is the
    same as another assertion, cvc5 may list the name of the one for the other.
    """
    listed = {symbol_name(word) for word in _SYMBOL.findall(core)}
    names = {
        number: {assertion_name(number), *map(symbol_name, names_given(term))}
        for number, term in enumerate(assertions)
    }
    other = {symbol_name(word) for text in assumptions for word in _SYMBOL.findall(text)}
    if not listed <= other.union(*names.values()):
        return frozenset()
    return frozenset(number for number, known in names.items() if not listed.isdisjoint(known))


class NameResolver:
    """Removes names from terms, and replaces uses of a name by the term it stands for.

    Pass the terms of a script in order: a name is known after the term that it is given to.
    """

    def __init__(self) -> None:
        # The term that each name stands for, without names itself.
        self.terms: dict[str, Term] = {}

    def change(self, part: Term) -> Term | None:
        """What becomes of one part of a term; for `walk.transform`."""
        if isinstance(part, Annotated):
            names = names_given(part)
            if not names:
                return None
            self.terms.update((symbol_name(name), part.body) for name in names)
            kept = tuple(a for a in part.attributes if a.keyword != ":named")
            return annotated(part.body, kept) if kept else part.body
        if is_name(part):
            assert isinstance(part, App)
            return self.terms.get(part.head.name)
        return None
