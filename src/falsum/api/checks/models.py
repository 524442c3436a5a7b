"""Models and values against our evaluator, and against themselves."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from falsum.api.checks.check import LONGEST, Complaint, Observer, functions_in, shown
from falsum.api.library_output import model_of, read_term
from falsum.api.model.mirror import Known, Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import FalsumError
from falsum.smtlib.evaluation.evaluator import evaluate, truth
from falsum.smtlib.models.model import Model
from falsum.smtlib.terms import Function, Value
from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from falsum.api.reference_solvers import Others

_STEPS: Final = 20_000
# Of so many questions for values one is asked again.
_AGAIN: Final = 5


class ModelHolds(Observer):
    """After sat the values of all inputs are fetched, and every formula in force is evaluated under them.

    Values of other terms are compared with what the evaluator makes of them; a value asked for twice stays
    the same.
    """

    name = "model"
    about = ("check", "get-value")

    def wants(self, mirror: Mirror, line: Line, reply: Reply) -> Iterable[Line]:
        if line.word == "get-value" and mirror.actions % _AGAIN == 0:
            yield line
        if line.word != "check" or mirror.mode != "sat" or not mirror.has("models"):
            return
        used = _symbols(mirror, mirror.in_force)
        names = [known.name for known in mirror.terms.values() if known.function in used and _declared(known)]
        if names and (
            mirror.has("function-values") or not any(mirror.known(n).role == "function" for n in names)
        ):
            yield Line("get-value", tuple(names))

    def judge(self, mirror: Mirror, line: Line, reply: Reply, others: Others) -> Complaint | None:
        if line.word != "get-value" or mirror.mode != "sat" or reply.is_error:
            return None
        model = model_of(mirror)
        if mirror.revised:
            name, before, now = mirror.revised
            if _are_two(mirror, before, now, model or Model()):
                return Complaint("revised", f"{name} had the value {before[:LONGEST]}, now {now[:LONGEST]}")
        if model is None:
            return None
        for name in mirror.in_force:
            known = mirror.known(name)
            if _covered(mirror, model, known) and truth(known.term, model, _STEPS) is False:
                return Complaint(self.name, f"the model falsifies {name}: {shown(known)}")
        for name in line.args:
            known = mirror.known(name)
            if name not in mirror.values or known.function is not None:
                continue
            if _covered(mirror, model, known) and _differs(mirror, known, model):
                said = mirror.values[name]
                return Complaint(
                    "value", f"{name} has the value {said[:LONGEST]} against the model: {shown(known)}"
                )
        return None


def _declared(known: Known) -> bool:
    return known.function is not None and known.function.role == "declared"


def _symbols(mirror: Mirror, names: Iterable[str]) -> set[Function]:
    return functions_in(mirror, [mirror.known(name).term for name in names])


def _covered(mirror: Mirror, model: Model, known: Known) -> bool:
    """Whether the model has a say on every symbol; what it leaves out may be anything."""
    if known.free:
        return False
    symbols = _symbols(mirror, [known.name])
    return all(symbol in model.definitions for symbol in symbols if symbol.role in ("declared", "defined"))


def _differs(mirror: Mirror, known: Known, model: Model) -> bool:
    said = _value(mirror, mirror.values[known.name], model)
    return said is not None and _unequal(said, evaluate(known.term, model, _STEPS))


def _are_two(mirror: Mirror, before: str, now: str, model: Model) -> bool:
    """Whether two prints are two values: some are formulas with names that are new each time."""
    first, second = _value(mirror, before, model), _value(mirror, now, model)
    return first is not None and second is not None and _unequal(first, second)


def _value(mirror: Mirror, text: str, model: Model) -> Value | CannotSay | None:
    try:
        return evaluate(read_term(text, mirror), model, _STEPS)
    except FalsumError:
        return None


def _unequal(first: Value | CannotSay, second: Value | CannotSay) -> bool:
    if isinstance(first, CannotSay) or isinstance(second, CannotSay) or first.sort is not second.sort:
        return False
    return bool(first.payload != second.payload)
