"""Checks of a library's terms: sorts, children, printed and simplified terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from falsum.api.checks.check import CheckFailure, RunCheck, term_text
from falsum.api.model.mirror import Mirror
from falsum.api.model.one_shot_script import script_asserting
from falsum.api.model.printed_terms import read_sort, read_term
from falsum.api.trace import Line, Reply
from falsum.errors import FalsumError
from falsum.smtlib.terms import App, Function, Head, Term, Var, app, sort_text
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import free_variables, subterms

if TYPE_CHECKING:
    from falsum.api.reference_solvers import ReferenceSolvers

_DISTINCT: Final = Head(OPERATORS["distinct"])


class SortCheck(RunCheck):
    """A term has the sort it has in the mirror."""

    name = "sort"
    words = ("get-sort",)

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error:
            return None
        entry = mirror.entry(line.args[0])
        try:
            sort = read_sort(reply.text, mirror)
        except FalsumError:
            return CheckFailure(self.name, f"{line.args[0]} has an unreadable sort {reply.text}")
        if sort is entry.sort:
            return None
        return CheckFailure(self.name, f"{line.args[0]} has sort {reply.text}, not {sort_text(entry.sort)}")


class ChildrenCheck(RunCheck):
    """A child that is a term of the trace is a subterm in the mirror as well.

    A library may have rewritten a term, so other children are not checked.
    """

    name = "children"
    words = ("get-children",)

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error or not reply.text:
            return None
        entry = mirror.entry(line.args[0])
        if entry.is_rewritten or entry.role not in ("term", "input", "value"):
            return None
        words = reply.text.split()
        count = len(entry.term.args) if isinstance(entry.term, App) else 0
        if count > 2 or len(words) > count + 1:  # some libraries count the function as a child
            return None  # a chain of pairs, or another rewritten term
        parts = frozenset(subterms(entry.term))
        if any(isinstance(part, App) and _is_defined(part) for part in parts):
            return None  # a library may expand the definition
        for word in words:
            names = [name for name in word.split("=") if name in mirror.terms]
            if names and not any(
                mirror.entry(name).term in parts or _is_function_or_value(mirror, name) for name in names
            ):
                return CheckFailure(
                    self.name, f"{names[0]} is not a subterm of {entry.name}: {term_text(entry)}"
                )
        return None


def _is_defined(part: App) -> bool:
    return isinstance(part.head.symbol, Function) and part.head.symbol.role == "defined"


def _is_function_or_value(mirror: Mirror, name: str) -> bool:
    """Whether a child is not compared: some libraries list functions among the children, and values are
    printed in several forms.
    """
    return mirror.entry(name).role in ("function", "value")


class EqualTermCheck(RunCheck):
    """A simplified term is equal to the original, and so is a printed one."""

    name = "equal"
    words = ("print", "extra")

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error:
            return None
        if line.word == "print":
            entry = mirror.entry(line.args[0])
            return (
                None
                if entry.role == "function"
                else self._compare(mirror, entry.term, reply, line, references)
            )
        extra = mirror.extras.get(line.args[0]) if line.results else None
        if extra is None or extra.returns != "equal":
            return None
        return self._compare(mirror, mirror.entry(line.args[1]).term, reply, line, references)

    def _compare(
        self, mirror: Mirror, first: Term, reply: Reply, line: Line, references: ReferenceSolvers
    ) -> CheckFailure | None:
        kind = "print" if line.word == "print" else self.name
        try:
            second = read_term(reply.text, mirror)
        except FalsumError:
            return None
        if second is first:
            return None
        if second.sort is not first.sort:
            return CheckFailure(kind, f"{reply.text} has sort {second.sort}, not {first.sort}")
        free: list[Var] = sorted(free_variables(first) | free_variables(second), key=lambda v: v.name)
        script = script_asserting(mirror, [app(_DISTINCT, (first, second))], free)
        for solver, verdict in references.verdicts(script):
            if verdict == "sat":
                return CheckFailure(kind, f"{solver} can distinguish it from {line.args[-1]}: {reply.text}")
        return None
