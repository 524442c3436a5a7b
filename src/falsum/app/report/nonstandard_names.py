"""Which names of a script SMT-LIB does not have: extensions, names that solvers keep for themselves, clashes.

A maintainer reads a report in the language of the standard first. What it says of a name that only one solver
knows, or that the script shares with a built-in, is likely to be "do not do that".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import (
    Assert,
    CheckSatAssuming,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DefineFun,
    DefineFunsRec,
    Plain,
    Script,
    WithTerms,
)
from falsum.smtlib.terms import App, Function, Term
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import subterms

# Operators of preprocessing, bit-blasting and proofs that z3 or cvc5 happen to read.
INTERNAL: Final = frozenset(
    "div_total mod_total /_total div0 mod0 rem0 /0 mkbv bit0 bit1 bit2bool bit @bit bvite bvultbv bvsltbv "
    "bvsdiv0 bvudiv0 bvsrem0 bvurem0 bvsmod0 bvsdiv_i bvudiv_i bvsrem_i bvurem_i bvsmod_i".split()
)
# Symbols that are indexed by a constructor or a selector: with declared datatypes they mean something.
_INDEXED: Final = frozenset(("is", "update"))
# The standard keeps symbols that begin so for solvers.
_RESERVED: Final = ("@", ".")
_COMMANDS: Final = frozenset(("declare-heap", "declare-codatatype", "declare-codatatypes"))
_UPDATER: Final = "updater"


@dataclass(frozen=True, slots=True)
class NonstandardNames:
    """`extensions` are understood by some solvers and documented by them, `internal` are not meant for users,
    `clashes` are declared by the script and built in, too.
    """

    extensions: tuple[str, ...] = ()
    internal: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.extensions or self.internal or self.clashes)

    @property
    def is_doubtful(self) -> bool:
        """Whether a maintainer may say that the script itself is wrong."""
        return bool(self.internal or self.clashes)

    @property
    def rank(self) -> int:
        """The place of a report among others: a script in plain SMT-LIB comes first."""
        return 2 if self.is_doubtful else bool(self.extensions)

    def __str__(self) -> str:
        parts = (
            ("internal names of solvers", self.internal),
            ("declared although built in", self.clashes),
            ("extensions", self.extensions),
        )
        return "; ".join(f"{what}: {', '.join(names)}" for what, names in parts if names)


def nonstandard_names(script: Script) -> NonstandardNames:
    """The names of a script that SMT-LIB does not have, each list sorted."""
    used, declared = set(_used(script)), set(_declared(script.commands))
    reserved = {name for name in declared if name.startswith(_RESERVED)}
    internal = {name for name in used if name in INTERNAL} | reserved
    clashes = {name for name in declared if name in OPERATORS or name in _INDEXED}
    return NonstandardNames(*(tuple(sorted(names)) for names in (used - internal, internal, clashes)))


def _used(script: Script) -> Iterator[str]:
    """Commands and operators that are not in the standard."""
    for command in script.commands:
        word = command.word if isinstance(command, DeclareDatatypes | Plain) else ""
        if word in _COMMANDS:
            yield word
        for term in _terms(command):
            yield from _operators(term)


def _operators(term: Term) -> Iterator[str]:
    for part in subterms(term):
        symbol = part.head.symbol if isinstance(part, App) else None
        if isinstance(symbol, Operator) and not (symbol.is_standard or symbol.is_implicit):
            yield symbol.name
        elif isinstance(symbol, Function) and symbol.role == _UPDATER:
            yield symbol.role.removesuffix("r")


def _terms(command: Command) -> Iterable[Term]:
    match command:
        case Assert(term):
            return (term,)
        case DefineFun(body=body):
            return (body,)
        case DefineFunsRec(bodies=terms) | CheckSatAssuming(terms):
            return terms
        case WithTerms(pieces=pieces):
            return tuple(piece for piece in pieces if not isinstance(piece, str))
        case _:
            return ()


def _declared(commands: Iterable[Command]) -> Iterator[str]:
    """The functions that a script declares or defines, those of datatypes among them."""
    for command in commands:
        match command:
            case DeclareFun(function=function) | DefineFun(function=function):
                yield function.name
            case DefineFunsRec(functions=functions):
                yield from (function.name for function in functions)
            case DeclareDatatypes(datatypes=datatypes):
                for constructor in (each for datatype in datatypes for each in datatype.constructors):
                    yield constructor.name
                    yield from (name for name, _sort in constructor.selectors)
            case _:
                pass
