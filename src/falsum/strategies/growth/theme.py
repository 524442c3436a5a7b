"""Theme: the sorts, datatypes and restrictions that generated scripts of one logic are made with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from falsum.smtlib import print_command
from falsum.smtlib.scripts import Datatype, DeclareDatatypes
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import sort_text


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """`sorts` are those beside Bool, in a fixed order; `declared` are names of declared sorts among them.

    `linear` and `difference` restrict arithmetic; `quantified` and `functions` say whether the logic has
    quantifiers and declared functions. `constant_arrays` is set in few themes: cvc5 takes only some of them.
    """

    logic: str
    sorts: tuple[Sort, ...]
    declared: tuple[str, ...] = ()
    datatypes: tuple[Datatype, ...] = ()
    linear: bool = False
    difference: bool = False
    quantified: bool = False
    functions: bool = False
    constant_arrays: bool = False


def declarations(
    theme: Theme, functions: Iterable[tuple[str, tuple[Sort, ...], Sort]], constants: Mapping[str, Sort]
) -> Iterator[str]:
    """The lines in front of a script's assertions; a function is its name, argument sorts and result."""
    yield f"(set-logic {theme.logic})\n"
    for name in theme.declared:
        yield f"(declare-sort {name} 0)\n"
    if theme.datatypes:
        yield print_command(DeclareDatatypes(theme.datatypes)) + "\n"
    for name, args, result in functions:
        yield f"(declare-fun {name} ({' '.join(map(sort_text, args))}) {sort_text(result)})\n"
    for name, sort in constants.items():
        yield f"(declare-fun {name} () {sort_text(sort)})\n"
