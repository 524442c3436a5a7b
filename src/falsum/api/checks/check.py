"""Check: what every one has in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from falsum.api.model.mirror import Known, Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import DefineFun
from falsum.smtlib.terms import App, Function, Term
from falsum.smtlib.walk import subterms

if TYPE_CHECKING:
    from falsum.api.reference_solvers import Others

LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something is wrong: which check says so, and why."""

    kind: str
    evidence: str


class Check(Protocol):
    name: ClassVar[str]

    @property
    def about(self) -> tuple[str, ...]:
        """The words of the lines it looks at."""
        ...

    def wants(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        """Further calls to make now."""
        ...

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        """What is wrong, if anything; `others` are solvers that can be asked."""
        ...


class Observer:
    """A check that wants nothing and has nothing to say."""

    name: ClassVar[str] = ""
    about: ClassVar[tuple[str, ...]] = ()

    def wants(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        del mirror, line, reply
        return ()

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        del mirror, line, reply, others
        return None


def shown(known: Known) -> str:
    text = print_term(known.term)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def functions_in(mirror: Mirror, terms: Iterable[Term]) -> set[Function]:
    """The functions that decide terms, those in definitions included."""
    bodies = {c.function: c.body for c in mirror.declarations if isinstance(c, DefineFun)}
    found: set[Function] = set()
    todo = list(terms)
    while todo:
        for part in subterms(todo.pop()):
            symbol = part.head.symbol if isinstance(part, App) else None
            if isinstance(symbol, Function) and symbol not in found:
                found.add(symbol)
                todo += [bodies[symbol]] if symbol in bodies else []
    return found
