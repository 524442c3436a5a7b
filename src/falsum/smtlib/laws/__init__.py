"""Laws: exact facts about operators, one table per theory; `docs/laws.md` tells how to read and add one.

all_laws()                      every law of the theories
laws_of_script(script)          those, and the laws of the script's own datatypes
instantiate, instances          a law at concrete sorts; `Instance.claim` is what it says, as a formula
match, matches, apply           where a side of a law stands, and what it becomes
law_index()                     weaker, stronger, negated, similar operators, read off laws and signatures
"""

from __future__ import annotations

from falsum.smtlib.law import KINDS, Law, read_law, read_laws
from falsum.smtlib.laws.instances import Instance, equations, instances, instantiate
from falsum.smtlib.laws.match import Found, Side, apply, match, matches
from falsum.smtlib.laws.nary import associativity, binary
from falsum.smtlib.laws.neighbours import Neighbours
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import DeclareDatatypes, DeclareSort, DefineSort, Script
from falsum.smtlib.theories import THEORIES, theory_cache
from falsum.smtlib.theories.laws import datatypes


@theory_cache()
def all_laws() -> tuple[Law, ...]:
    """Every law of the theories, in the theories' order."""
    return tuple(law for theory in THEORIES for table in theory.laws for law in table.read())


@theory_cache()
def law_index() -> Neighbours:
    """The neighbours of operators by the laws of the theories: weaker and stronger ones, negations, …"""
    return Neighbours(all_laws())


def datatype_laws(script: Script) -> tuple[Law, ...]:
    """The laws of the datatypes a script declares."""
    prelude: list[str] = []
    found: list[Law] = []
    for command in script.commands:
        if isinstance(command, DeclareSort | DefineSort | DeclareDatatypes):
            prelude.append(print_command(command))
        if isinstance(command, DeclareDatatypes):
            for datatype in command.datatypes:
                found.extend(datatypes.laws_of(datatype, prelude))
    return tuple(found)


def laws_of_script(script: Script) -> tuple[Law, ...]:
    """The laws of the theories and of the script's own datatypes."""
    return all_laws() + datatype_laws(script)


__all__ = [
    "KINDS",
    "Found",
    "Instance",
    "Law",
    "Neighbours",
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
