"""Checks of models and values, by the evaluator and by each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from falsum.api.checks.check import MAX_EVIDENCE, CheckFailure, RunCheck, functions_in, term_text
from falsum.api.model.mirror import Mirror, TermEntry
from falsum.api.model.printed_terms import fetched_model, printed_model, read_term
from falsum.api.trace import Line, Reply
from falsum.errors import FalsumError
from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.models.model import Model
from falsum.smtlib.terms import Function, Head, Term, app
from falsum.smtlib.theories import OPERATORS

if TYPE_CHECKING:
    from falsum.api.reference_solvers import ReferenceSolvers

_STEPS: Final = 20_000
_EQUAL: Final = Head(OPERATORS["="])
# One of so many `get-value` calls is repeated.
_REPEATED: Final = 5


class ModelCheck(RunCheck):
    """After sat the values of all inputs are fetched, and the formulas of the check are evaluated under them.

    The same is done with a model that the library prints. Values of other terms are compared with the
    evaluator's; a value must not change between two calls.
    """

    name = "model"
    words = ("check", "get-value", "get-model")

    def follow_ups(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        if line.word == "get-value" and mirror.actions % _REPEATED == 0:
            yield line
        if line.word != "check" or mirror.mode != "sat" or not mirror.has("models"):
            return
        symbols = _symbols(mirror, mirror.formulas_at_check)
        names = [
            entry.name for entry in mirror.terms.values() if entry.function in symbols and _is_declared(entry)
        ]
        if names and (
            mirror.has("function-values") or not any(mirror.entry(n).role == "function" for n in names)
        ):
            yield Line("get-value", tuple(names))

    def examine(
        self, mirror: Mirror, line: Line, reply: Reply, references: ReferenceSolvers
    ) -> CheckFailure | None:
        if mirror.mode != "sat" or reply.is_error:
            return None
        if line.word == "get-model":
            model_text = printed_model(reply.text.replace("\t", "\n"), mirror) if reply.text else None
            return (
                None if model_text is None else self._false_formula(mirror, model_text, "the printed model")
            )
        if line.word != "get-value":
            return None
        model = fetched_model(mirror)
        if mirror.changed_value:
            name, before, now = mirror.changed_value
            if _are_different(mirror, before, now, model or Model()):
                return CheckFailure(
                    "revised",
                    f"the value of {name} was {before[:MAX_EVIDENCE]}, now it is {now[:MAX_EVIDENCE]}",
                )
        if model is None:
            return None
        failure = self._false_formula(mirror, model, "the model")
        if failure is not None:
            return failure
        for name in line.args:
            entry = mirror.entry(name)
            if name not in mirror.values or entry.function is not None:
                continue
            if _is_covered(mirror, model, entry) and _differs(mirror, entry, model):
                value = mirror.values[name][:MAX_EVIDENCE]
                return CheckFailure(
                    "value", f"{name} has the value {value}, another one in the model: {term_text(entry)}"
                )
        return None

    def _false_formula(self, mirror: Mirror, model: Model, source: str) -> CheckFailure | None:
        for name in mirror.formulas_at_check:
            entry = mirror.entry(name)
            if _is_covered(mirror, model, entry) and truth(entry.term, model, _STEPS) is False:
                return CheckFailure(self.name, f"{name} is false in {source}: {term_text(entry)}")
        return None


def _is_declared(entry: TermEntry) -> bool:
    return entry.function is not None and entry.function.role == "declared"


def _symbols(mirror: Mirror, names: Iterable[str]) -> set[Function]:
    return functions_in(mirror, [mirror.entry(name).term for name in names])


def _is_covered(mirror: Mirror, model: Model, entry: TermEntry) -> bool:
    """Whether the model defines every symbol of a term."""
    if entry.free:
        return False
    symbols = _symbols(mirror, [entry.name])
    return all(symbol in model.definitions for symbol in symbols if symbol.role in ("declared", "defined"))


def _differs(mirror: Mirror, entry: TermEntry, model: Model) -> bool:
    value = _term(mirror, mirror.values[entry.name])
    return value is not None and _are_unequal(value, entry.term, model)


def _are_different(mirror: Mirror, before: str, now: str, model: Model) -> bool:
    """Whether two printed values differ; some are printed as formulas with fresh names."""
    first, second = _term(mirror, before), _term(mirror, now)
    return first is not None and second is not None and _are_unequal(first, second, model)


def _term(mirror: Mirror, text: str) -> Term | None:
    try:
        return read_term(text, mirror)
    except FalsumError:
        return None


def _are_unequal(first: Term, second: Term, model: Model) -> bool:
    """Whether two values are certainly different; the evaluator cannot always compare irrational numbers."""
    return first.sort is second.sort and truth(app(_EQUAL, (first, second)), model, _STEPS) is False
