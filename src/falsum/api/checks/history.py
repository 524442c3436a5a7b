"""Checks of a library against its earlier answers: verdicts and values, also after push and pop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from falsum.api.checks.check import MAX_EVIDENCE, CheckFailure, RunCheck, functions_in, term_text
from falsum.api.model.printed_terms import read_term
from falsum.api.model.values import written_value
from falsum.api.trace import Line
from falsum.errors import FalsumError
from falsum.smtlib.evaluation.evaluator import evaluate
from falsum.smtlib.models.model import Model
from falsum.smtlib.terms import App, Term, Value
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.reference_solvers import ReferenceSolvers
    from falsum.api.trace import Reply

# One of so many values is asserted at once, one of so many after a later check of the same formulas.
_AT_ONCE: Final = 9
_LATER: Final = 3
_EMPTY_MODEL: Final = Model()


class MonotonicityCheck(RunCheck):
    """Subsets of sat formulas are sat, supersets of unsat formulas are unsat."""

    name = "history"
    words = ("check",)

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if reply.is_error or mirror.mode not in ("sat", "unsat"):
            return None
        now = frozenset(mirror.formulas_at_check)
        verdicts = [(formulas, verdict, "before") for formulas, verdict in mirror.past_verdicts[:-1]]
        verdicts += [(formulas, verdict, "by the script") for formulas, verdict in mirror.claims]
        for formulas, verdict, source in verdicts:
            if mirror.mode == "unsat" and verdict == "sat" and now <= formulas:
                return self._contradiction("unsat now, sat", source, "more", formulas)
            if mirror.mode == "sat" and verdict == "unsat" and formulas <= now:
                return self._contradiction("sat now, unsat", source, "fewer", formulas)
        return None

    def _contradiction(
        self, verdicts: str, source: str, others: str, formulas: frozenset[str]
    ) -> CheckFailure:
        evidence = f"{verdicts} {source} with the same formulas or {others}: {_names(formulas)}"
        return CheckFailure(self.name, evidence)


class AssertedValueCheck(RunCheck):
    """The formulas remain sat if a term is assumed to have the value it had in the model.

    Done at once for some values, and again when the same formulas are checked later.
    """

    name = "value"
    words = ("check", "get-value")

    def follow_ups(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        if reply.is_error or mirror.mode != "sat" or not mirror.has("assumptions"):
            return
        due = {"get-value": _AT_ONCE, "check": _LATER}.get(line.word)
        if due is None or mirror.actions % due:
            return
        values = [each for each in mirror.past_values if each[0] == frozenset(mirror.formulas_at_check)]
        for _, name, text in values[-1:]:
            yield from _equality(mirror, name, text)

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if line.word != "check" or reply.is_error or mirror.mode != "unsat" or not line.args:
            return None
        rest = frozenset((*mirror.asserted, *line.args[:-1]))
        term = mirror.entry(line.args[-1]).term
        if not isinstance(term, App) or term.head.text != "=" or len(term.args) != 2:
            return None
        first, second = term.args
        if any(f.role in ("declared", "defined") for f in functions_in(mirror, [second])):
            return None  # not a value
        for before, name, text in mirror.past_values:
            entry = mirror.entry(name)
            if before == rest and first is entry.term and _are_equal(mirror, text, second):
                evidence = f"unsat if {name} has the value {text} it had in the model: {term_text(entry)}"
                return CheckFailure(self.name, evidence[:MAX_EVIDENCE])
        return None


def _names(names: frozenset[str]) -> str:
    return " ".join(sorted(names, key=lambda name: int(name[1:])))


def _value(mirror: Mirror, text: str) -> Value | None:
    try:
        value = evaluate(read_term(text, mirror), _EMPTY_MODEL)
    except FalsumError:
        return None
    return None if isinstance(value, CannotSay) else value


def _are_equal(mirror: Mirror, text: str, term: Term) -> bool:
    first, second = _value(mirror, text), evaluate(term, _EMPTY_MODEL)
    if first is None or isinstance(second, CannotSay) or first.sort is not second.sort:
        return False
    return bool(first.payload == second.payload)


def _equality(mirror: Mirror, name: str, text: str) -> Iterable[Line]:
    """Lines that make a value, an equality, and a check under this assumption."""
    entry, current = mirror.entry(name), _value(mirror, text)
    sort = mirror.name_of(entry.sort)
    current_text = None if current is None else written_value(entry.sort, current.payload)
    if sort is None or current_text is None or current is None or current.sort is not entry.sort:
        return
    assumptions, value = mirror.assumptions, mirror.next_term()
    yield Line("value", (sort, current_text), (value,))
    equal = mirror.next_term()
    yield Line("term", ("=", name, value), (equal,))
    yield Line("check", (*assumptions, equal))
