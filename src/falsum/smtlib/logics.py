"""Logics: the meaning of a logic's name, and what its scripts may use.

A name is spelled in groups of letters, one for each theory, after `HO_` for higher-order logic and `QF_` for
no quantifiers. `ALL` and a missing name restrict nothing. About other names nothing is known: mutants in such
a logic should use only what their seeds use.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Term, Value

# Operators whose arguments decide whether a term is linear.
PRODUCTS: Final = frozenset(["*", "/", "div", "mod", "divisible", "**", "^"])
# The letters of a theory, in the order SMT-LIB writes them; any order is read. `AX` has arrays over declared
# sorts only.
_LETTERS: Final[dict[str, tuple[str, ...]]] = {
    "A": ("arrays",),
    "AX": ("arrays",),
    "UF": ("uf",),
    "BV": ("bitvectors",),
    "FP": ("floats",),
    "FF": ("finite fields",),
    "DT": ("datatypes",),
    "S": ("strings",),
    "SEQ": ("sequences",),
    "IDL": ("ints",),
    "RDL": ("reals",),
    "LIA": ("ints",),
    "LRA": ("reals",),
    "LIRA": ("ints", "reals"),
    "NIA": ("ints",),
    "NRA": ("reals",),
    "NIRA": ("ints", "reals"),
    "T": ("transcendentals",),
}
# Longer groups first: `AX` is not `A`, `SEQ` is not `S`.
_GROUP: Final = re.compile("|".join(sorted(_LETTERS, key=len, reverse=True)))
_PREFIX: Final = re.compile(r"(?P<higher>HO_)?(?P<free>QF_)?")
_LINEAR: Final = re.compile("LIA|LRA|LIRA")
# The sorts that scripts with a theory have. Theories that are not listed restrict no sorts.
_SORTS: Final[dict[str, tuple[str, ...]]] = {
    "arrays": ("Array",),
    "uf": (),
    "bitvectors": ("BitVec",),
    "floats": ("FloatingPoint", "RoundingMode", "BitVec"),
    "finite fields": ("FiniteField",),
    "datatypes": (),
    "strings": ("String", "RegLan", "Int"),
    "ints": ("Int",),
    "reals": ("Real",),
    "sequences": ("Seq", "Int"),
    "transcendentals": ("Real",),
}
# The theories of a logic with which it has the operators of a theory of falsum's.
_HOMES: Final[dict[str, frozenset[str]]] = {
    "Arithmetic": frozenset(["ints", "reals"]),
    "ArraysEx": frozenset(["arrays"]),
    "Datatypes": frozenset(["datatypes"]),
    "FiniteFields": frozenset(["finite fields"]),
    "FixedSizeBitVectors": frozenset(["bitvectors"]),
    "FloatingPoint": frozenset(["floats"]),
    "Sequences": frozenset(["sequences"]),
    "Strings": frozenset(["strings"]),
}
_NUMBERS: Final = frozenset(["Int", "Real"])
_MIXES_INTS_AND_REALS: Final = frozenset(["is_int", "to_int", "to_real"])
# For names that are made up: arithmetic comes last.
_ARITHMETIC: Final = {
    frozenset({"ints"}): "NIA",
    frozenset({"reals"}): "NRA",
    frozenset({"ints", "reals"}): "NIRA",
}


@dataclass(frozen=True)
class Logic:
    """A logic; `letters` are the groups of letters in its name; none means no restriction.

    `is_difference` implies `is_linear`; `is_real` means reals and no integers; `is_unknown` means a name that
    is not made of such groups.
    """

    name: str
    letters: tuple[str, ...]
    is_higher_order: bool
    is_quantifier_free: bool
    is_linear: bool
    is_difference: bool
    is_real: bool
    is_unknown: bool = False

    @cached_property
    def theories(self) -> frozenset[str] | None:
        """The theories in the name; None if the logic has all of them."""
        return frozenset(name for each in self.letters for name in _LETTERS[each]) if self.letters else None

    @cached_property
    def sorts(self) -> frozenset[str] | None:
        """The names of the theories' sorts the logic has, Bool included; None if it has all of them."""
        if self.is_unknown:
            return frozenset(["Bool"])
        if self.theories is None:
            return None
        return frozenset(["Bool", *(sort for theory in self.theories for sort in _SORTS[theory])])

    def has_theory(self, name: str) -> bool:
        """Whether the logic has a theory; for an unknown logic only Core is certain."""
        if name == "Core":
            return True
        if self.theories is None:
            return not self.is_unknown
        return not self.theories.isdisjoint(_HOMES.get(name, ()))

    def lacks_numbers(self, sort: Sort) -> bool:
        """Whether a sort is numeric and the logic lacks it, as far as its name tells.

        Scripts without it may still have numerals, for instance as arguments of `to_fp`.
        """
        if self.is_unknown or self.sorts is None:
            return False
        return sort.name in _NUMBERS and sort.name not in self.sorts

    def may_declare(self, sort: Sort) -> bool:
        """Whether every solver accepts new constants of a sort.

        Floats bring bit-vectors along, but some solvers have them only if the name of the logic says so.
        """
        spells_bitvectors = self.theories is None or "bitvectors" in self.theories
        return not self.lacks_numbers(sort) and (sort.name != "BitVec" or spells_bitvectors)

    @cached_property
    def needs(self) -> frozenset[str]:
        """What a solver must support for the logic, as far as its name tells."""
        if self.theories is None:
            return frozenset()
        binders = (("quantifiers", not self.is_quantifier_free), ("higher order", self.is_higher_order))
        return self.theories.union(name for name, is_needed in binders if is_needed)

    @property
    def widened(self) -> str:
        """The same logic without the restriction to differences, which any mutation breaks; with
        integers if it has strings, for their lengths.
        """
        if self.letters[-1:] == ("S",):
            return self.name + "LIA"
        return self.name.replace("IDL", "LIA").replace("RDL", "LRA") if self.is_difference else self.name

    @property
    def nonlinear(self) -> str:
        """The same logic with products of variables; unchanged if it has them already, or has no numbers."""
        return _LINEAR.sub(lambda match: f"N{match[0][1:]}", self.widened) if self.is_linear else self.widened

    def allows(self, operator: Operator, args: tuple[Term, ...]) -> bool:
        """Whether a solver that insists on the logic takes the application."""
        name = operator.canonical.name
        if (self.is_real or self.is_unknown) and name in _MIXES_INTS_AND_REALS:
            return False
        if not self.is_linear:
            return True
        if name == "*":
            return sum(not _is_number(arg) for arg in args) <= 1
        if name in PRODUCTS:
            return all(_is_number(arg, nonzero=True) for arg in args[1:])
        return True

    def covers(self, other: Logic) -> bool:
        """Whether this logic contains the other."""
        if self.is_quantifier_free and not other.is_quantifier_free:
            return False
        if other.is_higher_order and not self.is_higher_order:
            return False
        if self.theories is None or other.theories is None:
            return self.theories is None
        if not self.theories >= other.theories or ("A" in other.letters and "A" not in self.letters):
            return False
        return self._arithmetic >= other._arithmetic

    @property
    def _arithmetic(self) -> int:
        """The degree of arithmetic beyond differences: none, linear or nonlinear."""
        first = {each[0] for each in self.letters if each.endswith("A") and len(each) > 1}
        return 2 if "N" in first else int("L" in first)


@lru_cache(maxsize=1024)
def logic_of(name: str) -> Logic:
    prefix = _PREFIX.match(name)
    assert prefix is not None
    rest = name[prefix.end() :]
    # Arithmetic comes last, so that it is known even if something before it is not.
    is_difference = rest.endswith(("IDL", "RDL"))
    groups = _groups(rest)
    numbers = {theory for each in groups for theory in _LETTERS[each]} & {"ints", "reals"}
    return Logic(
        name,
        groups,
        is_higher_order=prefix["higher"] is not None,
        is_quantifier_free=prefix["free"] is not None,
        is_linear=is_difference or _LINEAR.search(rest) is not None,
        is_difference=is_difference,
        is_real=numbers == {"reals"}
        or (not groups and rest.endswith(("RA", "RDL")) and not rest.endswith(("IRA", "IRDL"))),
        is_unknown=not groups and rest not in ("", "ALL"),
    )


def _groups(rest: str) -> tuple[str, ...]:
    """The groups of letters of a name; none if it is not made of such groups."""
    if rest == "SAT":  # propositional, for cvc5: not strings, arrays and transcendentals
        return ()
    groups: list[str] = []
    start = 0
    while start < len(rest):
        group = _GROUP.match(rest, start)
        if group is None:
            return ()
        groups.append(group[0])
        start = group.end()
    return tuple(groups)


def covering(first: str, second: str) -> str:
    """One of two logics if it covers the other; otherwise ALL, which covers everything."""
    if first == second:
        return first
    one, other = logic_of(first), logic_of(second)
    if one.is_higher_order or other.is_higher_order:
        return "HO_ALL"
    if not one.letters or not other.letters:
        return "ALL"
    if one.covers(other):
        return first
    return second if other.covers(one) else "ALL"


def smallest_logic(theories: Collection[str], *, has_quantifiers: bool) -> str:
    """The name of the smallest logic with these theories; arithmetic is not restricted to linear terms."""
    wanted_theories = frozenset(theories)
    numbers = wanted_theories & {"ints", "reals"}
    others = wanted_theories - numbers
    spelled = [
        each for each, brought in _LETTERS.items() if each not in ("AX", "T") and others.issuperset(brought)
    ]
    if not wanted_theories or len(spelled) < len(others):
        return "ALL"
    if spelled == ["A"] and not numbers:
        spelled = ["AX"]
    return "".join(("" if has_quantifiers else "QF_", *spelled, _ARITHMETIC.get(numbers, "")))


def _is_number(term: Term, *, nonzero: bool = False) -> bool:
    """Whether a term is a numeral, possibly under minus signs, as negative numbers are written."""
    todo, seen = [term], {term}
    while todo:
        part = todo.pop()
        if isinstance(part, Value):
            if nonzero and part.payload == 0:
                return False
        elif isinstance(part, App) and part.head.name == "-":
            todo.extend(arg for arg in part.args if arg not in seen)
            seen.update(part.args)
        else:
            return False
    return True
