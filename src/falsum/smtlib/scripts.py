"""Script: a tuple of commands. Commands that are not understood are kept as written, and marked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple, TypeAlias

from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import Function, Term, Var


@dataclass(frozen=True, slots=True)
class SetLogic:
    name: str


@dataclass(frozen=True, slots=True)
class SetOption:
    keyword: str
    value: str


@dataclass(frozen=True, slots=True)
class SetInfo:
    keyword: str
    value: str


@dataclass(frozen=True, slots=True)
class DeclareSort:
    """`arity` is None for a sort parameter; `word` is the name of the command."""

    name: str
    arity: int | None
    word: str = "declare-sort"


@dataclass(frozen=True, slots=True)
class DefineSort:
    name: str
    params: tuple[Sort, ...]
    body: Sort


@dataclass(frozen=True, slots=True)
class DeclareFun:
    """`rest` is the text after the sorts (a grammar, the name of an oracle), as written."""

    function: Function
    word: str = "declare-fun"
    rest: str = ""


@dataclass(frozen=True, slots=True)
class DefineFun:
    function: Function
    binders: tuple[Var, ...]
    body: Term
    word: str = "define-fun"


@dataclass(frozen=True, slots=True)
class SynthFun:
    """A function to synthesise; the grammar is kept as written."""

    function: Function
    binders: tuple[Var, ...]
    word: str
    rest: str


@dataclass(frozen=True, slots=True)
class DefineFunsRec:
    functions: tuple[Function, ...]
    binders: tuple[tuple[Var, ...], ...]
    bodies: tuple[Term, ...]


class Constructor(NamedTuple):
    name: str
    selectors: tuple[tuple[str, Sort], ...]


class Datatype(NamedTuple):
    name: str
    params: tuple[Sort, ...]
    constructors: tuple[Constructor, ...]

    @property
    def sort(self) -> Sort:
        return Sort(self.name, (), self.params)


@dataclass(frozen=True, slots=True)
class DeclareDatatypes:
    datatypes: tuple[Datatype, ...]
    word: str = "declare-datatypes"
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Assert:
    term: Term


@dataclass(frozen=True, slots=True)
class CheckSat:
    pass


@dataclass(frozen=True, slots=True)
class CheckSatAssuming:
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Push:
    levels: int = 1


@dataclass(frozen=True, slots=True)
class Pop:
    levels: int = 1


@dataclass(frozen=True, slots=True)
class WithTerms:
    """A command that contains terms among other text: get-value, minimize, simplify, assert-soft, …"""

    word: str
    pieces: tuple[str | Term, ...]


@dataclass(frozen=True, slots=True)
class Plain:
    """A command without terms that is kept as text: get-model, exit, echo, …"""

    word: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A command that is kept as written, with the reason."""

    text: str
    reason: str


Command: TypeAlias = (
    SetLogic
    | SetOption
    | SetInfo
    | DeclareSort
    | DefineSort
    | DeclareFun
    | DefineFun
    | SynthFun
    | DefineFunsRec
    | DeclareDatatypes
    | Assert
    | CheckSat
    | CheckSatAssuming
    | Push
    | Pop
    | WithTerms
    | Plain
    | NotUnderstood
)

# Options that change what terms mean, with the values that do not: smaller alphabets, division by zero,
# numbers of other sorts.
_USUAL: Final = {
    ":encoding": "unicode",
    ":unicode": "true",
    ":smt.seq.use_unicode": "true",
    ":rewriter.hi_div0": "true",
    ":strings_alphabet_card": "196608",
    ":solve_int_as_bv": "0",
    ":solve_real_as_int": "false",
}


def is_understood(command: Command) -> bool:
    """Whether falsum knows what a command means for the checks that follow."""
    return not isinstance(command, NotUnderstood) and not changes_meaning(command)


def changes_meaning(command: Command) -> bool:
    """Whether terms no longer mean what they usually do: no model can be evaluated then."""
    if not isinstance(command, SetOption):
        return False
    return _USUAL.get(command.keyword.lower().replace("-", "_"), command.value) != command.value


EXIT: Final = Plain("exit")
# The commands that declare or define sorts and functions.
DECLARATIONS: Final = (DeclareSort, DefineSort, DeclareFun, DefineFun, DefineFunsRec, DeclareDatatypes)


@dataclass(frozen=True, slots=True)
class Script:
    """A script; equal scripts have the same printed text."""

    commands: tuple[Command, ...]

    @property
    def logic(self) -> str:
        """The first logic that is set, or ""."""
        return next((c.name for c in self.commands if isinstance(c, SetLogic)), "")

    @property
    def assertions(self) -> tuple[Term, ...]:
        return tuple(c.term for c in self.commands if isinstance(c, Assert))

    @property
    def not_understood(self) -> tuple[NotUnderstood, ...]:
        """The commands that are not understood; commands after `(exit)` do not count."""
        read = takewhile(lambda command: command != EXIT, self.commands)
        return tuple(_as_not_understood(c) for c in read if not is_understood(c))


def _as_not_understood(command: Command) -> NotUnderstood:
    if isinstance(command, SetOption):
        text = f"(set-option {command.keyword} {command.value})"
        return NotUnderstood(text, f"{command.keyword} changes what terms mean")
    assert isinstance(command, NotUnderstood)
    return command
