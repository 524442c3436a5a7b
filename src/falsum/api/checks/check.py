"""RunCheck: compares a library's replies with what the mirror, or another solver, expects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.trace import Line, Reply
from falsum.smtlib.consequences import consequence as consequences
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.terms import Function, Term

if TYPE_CHECKING:
    from falsum.api.reference_solvers import ReferenceSolvers

MAX_EVIDENCE: Final = 300


@dataclass(frozen=True, slots=True)
class CheckFailure:
    """A failed check: `kind` names the kind of defect, `evidence` is one line for people."""

    kind: str
    evidence: str


class RunCheck:
    """One check; the defaults call nothing and find nothing. `words`: the first words of lines to examine."""

    name: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ()

    def follow_ups(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        """Additional calls to make now."""
        return ()

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        """Return a failure if the reply is wrong; `references` are other solvers to compare with."""
        return None


def term_text(entry: TermEntry) -> str:
    """A term in SMT-LIB, cut off if it is long."""
    text = print_term(entry.term)
    return text if len(text) <= MAX_EVIDENCE else f"{text[:MAX_EVIDENCE]} …"


def functions_in(mirror: Mirror, terms: Iterable[Term]) -> set[Function]:
    """The functions in terms and in the definitions they use."""
    return set(consequences.functions_in(terms, consequences.bodies_of(mirror.declarations)))
