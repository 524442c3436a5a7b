"""Terms as the library has them: sorts, prints, what it says is equal."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from typing import TYPE_CHECKING, Final

from falsum.api.checks.check import Complaint, Observer, shown
from falsum.api.library_output import read_sort, read_term
from falsum.api.model.mirror import Mirror
from falsum.api.traces.to_script import asserting
from falsum.api.traces.trace import Line, Reply
from falsum.errors import FalsumError
from falsum.smtlib.terms import App, Function, Head, Term, Var, app, sort_text
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import free_variables, subterms

if TYPE_CHECKING:
    from falsum.api.reference_solvers import Others

_DISTINCT: Final = Head(OPERATORS["distinct"])


class SortHolds(Observer):
    """A term has the sort it has here."""

    name = "sort"
    about = ("get-sort",)

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if reply.is_error:
            return None
        known = mirror.known(line.args[0])
        try:
            sort = read_sort(reply.text, mirror)
        except FalsumError:
            return Complaint(self.name, f"{line.args[0]} has the sort {reply.text}, which cannot be read")
        if sort is known.sort:
            return None
        return Complaint(self.name, f"{line.args[0]} has the sort {reply.text}, not {sort_text(known.sort)}")


class ChildrenHold(Observer):
    """What a term is made of: every part the library names is one of ours.

    A library may have made something else of a term, so parts it does not name, or has more of, are none of
    our business; a part that is nowhere in the term is.
    """

    name = "children"
    about = ("get-children",)

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if reply.is_error or not reply.text:
            return None
        known = mirror.known(line.args[0])
        if known.is_rewritten or known.role not in ("term", "input", "value"):
            return None
        words = reply.text.split()
        count = len(known.term.args) if isinstance(known.term, App) else 0
        if count > 2 or len(words) > count + 1:  # to some the function in front is a child, too
            return None  # links of a chain, or something else it has made of it: other lines may have, too
        parts = frozenset(subterms(known.term))
        if any(isinstance(part, App) and _is_defined(part) for part in parts):
            return None  # its parts are those of the definition, too
        for word in words:
            names = [name for name in word.split("=") if name in mirror.terms]
            if names and not any(
                mirror.known(name).term in parts or _is_symbol(mirror, name) for name in names
            ):
                return Complaint(self.name, f"{names[0]} is no part of {known.name}: {shown(known)}")
        return None


def _is_defined(part: App) -> bool:
    return isinstance(part.head.symbol, Function) and part.head.symbol.role == "defined"


def _is_symbol(mirror: Mirror, name: str) -> bool:
    """A function in front of its arguments is a child to some; a value may be written in other ways."""
    return mirror.known(name).role in ("function", "value")


class EqualHolds(Observer):
    """What an action gives as equal to its argument is equal; a printed term is the term."""

    name = "equal"
    about = ("print", "extra")

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if reply.is_error:
            return None
        if line.word == "print":
            known = mirror.known(line.args[0])
            return (
                None if known.role == "function" else self._compare(mirror, known.term, reply, line, others)
            )
        declared = mirror.extras.get(line.args[0]) if line.made else None
        if declared is None or declared.returns != "equal":
            return None
        return self._compare(mirror, mirror.known(line.args[1]).term, reply, line, others)

    def _compare(
        self, mirror: Mirror, first: Term, reply: Reply, line: Line, others: Others
    ) -> Complaint | None:
        kind = "print" if line.word == "print" else self.name
        try:
            second = read_term(reply.text, mirror)
        except FalsumError:
            return None
        if second is first:
            return None
        if second.sort is not first.sort:
            return Complaint(kind, f"{reply.text} has the sort {second.sort}, not {first.sort}")
        free: list[Var] = sorted(free_variables(first) | free_variables(second), key=lambda v: v.name)
        script = asserting(mirror, [app(_DISTINCT, (first, second))], free)
        for solver, verdict in others.asked(script):
            if verdict == "sat":
                return Complaint(kind, f"{solver} tells it from {line.args[-1]}: {reply.text}")
        return None
