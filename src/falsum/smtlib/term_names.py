"""Names of terms: given by `(! t :named n)`, used as constants in the script and listed in unsat cores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from falsum.smtlib.terms import Annotated, App, Function, Term, annotated
from falsum.smtlib.text.lexer import symbol_name
from falsum.smtlib.walk import subterms

_PREFIX: Final = "falsum!"
# A name that was given so: one more mark for each kind of names that the script has itself.
_GIVEN: Final = re.compile(rf"{_PREFIX}!*(\d+)")
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


def assertion_name(number: int, prefix: str = _PREFIX) -> str:
    """The name, by number from 0, that an assertion gets when an unsat core is requested."""
    return f"{prefix}{number + 1}"


def unused_prefix(text: str) -> str:
    """The start of names that do not occur in the text of a script."""
    prefix = _PREFIX
    while prefix in text:
        prefix += "!"
    return prefix


def assertions_in_core(
    core: str, assertions: Sequence[Term], assumptions: Sequence[str] = ()
) -> frozenset[int]:
    """The numbers, from 0, of the assertions that a core lists, by their own names or by generated ones.

    Empty if it lists anything but these and the `assumptions`: if a term inside an assertion equals another
    assertion, cvc5 may list the name of one for the other.
    """
    words = {symbol_name(word) for word in _SYMBOL.findall(core)}
    own = {symbol_name(name) for term in assertions for part in subterms(term) for name in names_given(part)}
    positions = {word: int(match[1]) - 1 for word in words - own if (match := _GIVEN.fullmatch(word))}
    names = {
        number: {
            *map(symbol_name, names_given(term)),
            *(word for word, place in positions.items() if place == number),
        }
        for number, term in enumerate(assertions)
    }
    other = {symbol_name(word) for text in assumptions for word in _SYMBOL.findall(text)}
    if not words <= other.union(*names.values()):
        return frozenset()
    return frozenset(number for number, own_name in names.items() if not words.isdisjoint(own_name))


class NameResolver:
    """Removes names from terms, and replaces uses of a name by the term it stands for.

    Pass the terms of a script in order: a name is known only after its term.
    """

    def __init__(self) -> None:
        # The term that each name stands for, without names itself.
        self.terms: dict[str, Term] = {}

    def change(self, part: Term) -> Term | None:
        """The replacement of one part of a term, for `walk.transform`."""
        if isinstance(part, Annotated):
            names = names_given(part)
            if not names:
                return None
            self.terms.update((symbol_name(name), part.body) for name in names)
            attributes = tuple(a for a in part.attributes if a.keyword != ":named")
            return annotated(part.body, attributes) if attributes else part.body
        if is_name(part):
            assert isinstance(part, App)
            return self.terms.get(part.head.name)
        return None
