"""Laws: exact facts about operators, one table per theory; `docs/laws.md` tells how to read and add one.

ALL                             every law of the theories
laws_of_script(script)          those, and the laws of the script's own datatypes
instantiate, instances          a law at concrete sorts; `Instance.claim` is what it says, as a formula
match, matches, apply           where a side of a law stands, and what it becomes
weaker, stronger, negation, …   neighbours of an operator, from the tables and signatures
"""

from __future__ import annotations

from typing import Final

from falsum.smtlib.laws.instances import Instance, equations, instances, instantiate
from falsum.smtlib.laws.law import KINDS, Law, read_law, read_laws
from falsum.smtlib.laws.match import Found, Side, apply, match, matches
from falsum.smtlib.laws.nary import associativity, binary
from falsum.smtlib.laws.neighbours import Neighbours
from falsum.smtlib.laws.tables import (
    arithmetic,
    arrays,
    bitvectors,
    core,
    datatypes,
    fields,
    floats,
    regexes,
    sequences,
    sets,
    strings,
)
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import DeclareDatatypes, DeclareSort, DefineSort, Script

ALL: Final[tuple[Law, ...]] = (
    *core.LAWS,
    *arithmetic.LAWS,
    *bitvectors.LAWS,
    *floats.LAWS,
    *strings.LAWS,
    *regexes.LAWS,
    *arrays.LAWS,
    *sequences.LAWS,
    *sets.LAWS,
    *fields.LAWS,
)
BY_NAME: Final[dict[str, Law]] = {law.name: law for law in ALL}

_NEIGHBOURS: Final = Neighbours(ALL)
weaker = _NEIGHBOURS.weaker
stronger = _NEIGHBOURS.stronger
negation = _NEIGHBOURS.negation
swapped = _NEIGHBOURS.swapped
is_commutative = _NEIGHBOURS.is_commutative
siblings = _NEIGHBOURS.siblings
laws_at = _NEIGHBOURS.laws_at


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
    return ALL + datatype_laws(script)


__all__ = [
    "ALL",
    "BY_NAME",
    "KINDS",
    "Found",
    "Instance",
    "Law",
    "Neighbours",
    "Side",
    "apply",
    "associativity",
    "binary",
    "datatype_laws",
    "equations",
    "instances",
    "instantiate",
    "is_commutative",
    "laws_at",
    "laws_of_script",
    "match",
    "matches",
    "negation",
    "read_law",
    "read_laws",
    "siblings",
    "stronger",
    "swapped",
    "weaker",
]
