"""Atoms: the leaves of a script's Boolean structure, and those that can be used in other scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from falsum.errors import FalsumError
from falsum.smtlib import Script, read_script
from falsum.smtlib.logic_coverage import covers_script
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Assert, DeclareDatatypes, DeclareFun, DeclareSort, DefineSort
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import App, Function, Term
from falsum.smtlib.walk import children, rebuild, subterms
from falsum.strategies.seeds import flatten

_CONNECTIVES: Final = frozenset({"and", "or", "not", "=>", "xor", "ite", "=", "distinct"})
# Operators of the standard that not every solver reads.
_RARE: Final = frozenset(["divisible", "**"])
_COMMON_SORTS: Final = frozenset("Bool Int Real String RegLan RoundingMode BitVec Array".split())
_COMMON_FLOATS: Final = frozenset({(8, 24), (11, 53)})
_MAX_NODES: Final = 120
_MAX_ATOMS: Final = 200
# How many scripts are remembered with their atoms.
_REMEMBERED: Final = 2048


@dataclass(frozen=True, slots=True)
class MinedAtom:
    """A closed Boolean term, the functions it needs declared, the names of its operators, its rarities."""

    term: Term
    functions: tuple[Function, ...]
    operators: frozenset[str]
    rarities: frozenset[str]


@dataclass(frozen=True, slots=True)
class MinedScript:
    """The atoms of a script that other scripts can use."""

    logic: Logic
    atoms: tuple[MinedAtom, ...]


def atoms_of(term: Term) -> Iterator[Term]:
    """The atoms of a formula, from left to right: the terms below connectives that are no connectives
    themselves.
    """
    todo = [term]
    while todo:
        part = todo.pop()
        if is_connective(part):
            todo.extend(reversed(children(part)))
        else:
            yield part


def with_atoms(term: Term, by: Mapping[Term, Term]) -> Term:
    """The formula with atoms replaced where they are atoms; inside other atoms nothing changes."""
    done: dict[Term, Term] = {}
    todo = [term]
    while todo:
        part = todo[-1]
        below = children(part) if is_connective(part) else ()
        waiting = [child for child in below if child not in done]
        if waiting:
            todo.extend(waiting)
            continue
        todo.pop()
        done[part] = rebuild(part, [done[child] for child in below]) if below else by.get(part, part)
    return done[term]


def is_connective(term: Term) -> bool:
    symbol = term.head.symbol if isinstance(term, App) else None
    return (
        isinstance(symbol, Operator)
        and symbol.theory == "Core"
        and symbol.name in _CONNECTIVES
        and all(part.sort is BOOL for part in children(term))
    )


@lru_cache(_REMEMBERED)
def mined(text: str) -> MinedScript | None:
    """The atoms mined from a script, cached by its content; None if the script cannot be read or has no
    usable atom.

    Functions that a script defines, and sorts that it declares, mean nothing in another one.
    """
    try:
        script = flatten(read_script(text))
    except (FalsumError, RecursionError):
        return None
    if script is None or _declares_sorts(script):
        return None
    functions = {c.function for c in script.commands if isinstance(c, DeclareFun) and not c.function.params}
    mined_atoms = dict.fromkeys(atom for term in script.assertions for atom in atoms_of(term))
    atoms = [
        record for term in list(mined_atoms)[:_MAX_ATOMS] if (record := _atom(term, functions)) is not None
    ]
    return MinedScript(logic_of(script.logic), tuple(atoms)) if atoms else None


@lru_cache(_REMEMBERED)
def mined_for(text: str, logic: str) -> MinedScript | None:
    """The atoms of a script that names no logic, as far as they are allowed in a logic; None if there are
    none.
    """
    script = mined(text)
    atoms = [atom for atom in script.atoms if _is_allowed(atom, logic)] if script is not None else []
    return MinedScript(logic_of(logic), tuple(atoms)) if atoms else None


def _is_allowed(atom: MinedAtom, logic: str) -> bool:
    declarations = (DeclareFun(function) for function in atom.functions)
    return covers_script(logic_of(logic), Script((*declarations, Assert(atom.term))))


def _declares_sorts(script: Script) -> bool:
    return any(isinstance(c, DeclareSort | DeclareDatatypes | DefineSort) for c in script.commands)


def _atom(term: Term, symbols: set[Function]) -> MinedAtom | None:
    """The term as an atom for other scripts; None if it is a mere symbol or value, too large, or needs
    symbols that others lack.
    """
    parts = list(subterms(term))
    if len(parts) < 2 or len(parts) > _MAX_NODES:
        return None
    functions: dict[Function, None] = {}
    operators = set()
    for part in parts:
        symbol = part.head.symbol if isinstance(part, App) else None
        if isinstance(symbol, Operator):
            operators.add(symbol.name)
        elif isinstance(symbol, Function):
            if symbol not in symbols:
                return None
            functions[symbol] = None
    return MinedAtom(term, tuple(functions), frozenset(operators), rarities(parts))


def rarities(parts: Iterable[Term]) -> frozenset[str]:
    """Operators and sorts that not every solver has: a script must not get them unless it has them."""
    operators: set[str] = set()
    sorts: set[Sort] = set()
    for part in parts:
        symbol = part.head.symbol if isinstance(part, App) else None
        if isinstance(symbol, Operator) and (not symbol.is_standard or symbol.name in _RARE):
            operators.add(symbol.name)
        sorts.add(part.sort)
    todo = list(sorts)
    while todo:
        sort = todo.pop()
        todo.extend(sort.args)
        if sort.name == "FloatingPoint":
            if sort.indices not in _COMMON_FLOATS:
                operators.add(str(sort))
        elif sort.name not in _COMMON_SORTS:
            operators.add(sort.name)
        elif sort.name == "Array" and sort.args[0].name == "Array":  # cvc5 refuses arrays as indices
            operators.add("Array of Array")
    return frozenset(operators)
