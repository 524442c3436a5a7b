"""→ Law. Exact facts about operators, and how to apply them; `docs/laws.md` explains the notation.

all_laws()                      every law of the theories
laws_of_script(script)          these, and the laws of the script's own datatypes
instantiate, instances          a law at concrete sorts; `LawInstance.claim` is the law as a formula
match, matches, apply           match a side of a law with a term, and make the other side
law_index()                     laws by operator; negated and commutative operators
"""

from __future__ import annotations

from falsum.smtlib.laws.index import LawIndex
from falsum.smtlib.laws.instances import LawInstance, equations, instances, instantiate
from falsum.smtlib.laws.match import LawMatch, Side, apply, match, matches
from falsum.smtlib.laws.nary import associativity, binary
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import DeclareDatatypes, DeclareSort, DefineSort, Script
from falsum.smtlib.theories import THEORIES, theory_cache
from falsum.smtlib.theories.law import KINDS, Law, read_law, read_laws
from falsum.smtlib.theories.laws import datatypes


@theory_cache()
def all_laws() -> tuple[Law, ...]:
    """The laws of all theories, in the order of the theories."""
    return tuple(law for theory in THEORIES for table in theory.laws for law in table.read())


@theory_cache()
def law_index() -> LawIndex:
    """The index of the laws of all theories."""
    return LawIndex(all_laws())


def datatype_laws(script: Script) -> tuple[Law, ...]:
    """The laws of the datatypes a script declares."""
    prelude: list[str] = []
    laws: list[Law] = []
    for command in script.commands:
        if isinstance(command, DeclareSort | DefineSort | DeclareDatatypes):
            prelude.append(print_command(command))
        if isinstance(command, DeclareDatatypes):
            for datatype in command.datatypes:
                laws.extend(datatypes.laws_of(datatype, prelude))
    return tuple(laws)


def laws_of_script(script: Script) -> tuple[Law, ...]:
    """The laws of the theories and of the script's own datatypes."""
    return all_laws() + datatype_laws(script)


__all__ = [
    "KINDS",
    "Law",
    "LawIndex",
    "LawInstance",
    "LawMatch",
    "Side",
    "all_laws",
    "apply",
    "associativity",
    "binary",
    "datatype_laws",
    "equations",
    "instances",
    "instantiate",
    "law_index",
    "laws_of_script",
    "match",
    "matches",
    "read_law",
    "read_laws",
]
