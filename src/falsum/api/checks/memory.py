"""What a library said before holds again later: verdicts and values, also after push and pop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from falsum.api.checks.check import LONGEST, Complaint, Observer, functions_in, shown
from falsum.api.library_output import read_term
from falsum.api.model.values import written_value
from falsum.api.traces.trace import Line
from falsum.errors import FalsumError
from falsum.smtlib.evaluation.evaluator import evaluate
from falsum.smtlib.models.model import Model
from falsum.smtlib.terms import App, Term, Value
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.reference_solvers import Others
    from falsum.api.traces.trace import Reply

# Of so many values told one is asserted at once, of so many remembered ones one is when they are due again.
_AT_ONCE: Final = 9
_LATER: Final = 3
_NOTHING: Final = Model()


class VerdictsAgree(Observer):
    """What more than this was satisfiable is; what less than this was unsatisfiable is."""

    name = "memory"
    about = ("check",)

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        del others, line
        if reply.is_error or mirror.mode not in ("sat", "unsat"):
            return None
        now = frozenset(mirror.in_force)
        for before, verdict in mirror.decided[:-1]:
            if mirror.mode == "unsat" and verdict == "sat" and now <= before:
                return Complaint(self.name, f"unsat now, sat before with the same or more: {_names(before)}")
            if mirror.mode == "sat" and verdict == "unsat" and before <= now:
                return Complaint(self.name, f"sat now, unsat before with the same or less: {_names(before)}")
        return None


class ValueIsAllowed(Observer):
    """A term may have the value the model gave it: with both equal there is still a model.

    Asked at once for some values, and again when the same is asserted after push and pop.
    """

    name = "value"
    about = ("check", "get-value")

    def wants(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        if reply.is_error or mirror.mode != "sat" or not mirror.has("assumptions"):
            return
        due = {"get-value": _AT_ONCE, "check": _LATER}.get(line.word)
        if due is None or mirror.actions % due:
            return
        told = [each for each in mirror.told if each[0] == frozenset(mirror.in_force)]
        for _, name, text in told[-1:]:
            yield from _equality(mirror, name, text)

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        del others
        if line.word != "check" or reply.is_error or mirror.mode != "unsat" or not line.args:
            return None
        rest = frozenset((*mirror.asserted, *line.args[:-1]))
        term = mirror.known(line.args[-1]).term
        if not isinstance(term, App) or term.head.text != "=" or len(term.args) != 2:
            return None
        first, second = term.args
        if any(f.role in ("declared", "defined") for f in functions_in(mirror, [second])):
            return None  # no value
        for before, name, text in mirror.told:
            known = mirror.known(name)
            if before == rest and first is known.term and _are_equal(mirror, text, second):
                why = f"{name} had the value {text}, and may not have it: {shown(known)}"
                return Complaint(self.name, why[:LONGEST])
        return None


def _names(names: frozenset[str]) -> str:
    return " ".join(sorted(names, key=lambda name: int(name[1:])))


def _value(mirror: Mirror, text: str) -> Value | None:
    try:
        found = evaluate(read_term(text, mirror), _NOTHING)
    except FalsumError:
        return None
    return None if isinstance(found, CannotSay) else found


def _are_equal(mirror: Mirror, text: str, term: Term) -> bool:
    first, second = _value(mirror, text), evaluate(term, _NOTHING)
    if first is None or isinstance(second, CannotSay) or first.sort is not second.sort:
        return False
    return bool(first.payload == second.payload)


def _equality(mirror: Mirror, name: str, text: str) -> Iterable[Line]:
    """The lines that make a value, an equality, and a check with it."""
    known, found = mirror.known(name), _value(mirror, text)
    sort = mirror.name_of(known.sort)
    written = None if found is None else written_value(known.sort, found.payload)
    if sort is None or written is None or found is None or found.sort is not known.sort:
        return
    assumed, value = mirror.assumed, mirror.next_term()
    yield Line("value", (sort, written), (value,))
    equal = mirror.next_term()
    yield Line("term", ("=", name, value), (equal,))
    yield Line("check", (*assumed, equal))
