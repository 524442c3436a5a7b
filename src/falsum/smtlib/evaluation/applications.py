"""Evaluates applications of function symbols (constructors, selectors, testers, calls) and open points."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation.functions import LATER, call, call_symbol
from falsum.smtlib.evaluation.heaps import is_spatial_argument
from falsum.smtlib.evaluation.settled import UNSETTLED, settled
from falsum.smtlib.models.model import Definition, Model, overload
from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App, Function, Term, app
from falsum.smtlib.theories.meanings import float_format
from falsum.smtlib.values import floats
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Constructed
from falsum.smtlib.values.functions import Closure, OpenPoint

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


def apply_function(
    evaluation: Evaluation, term: App, symbol: Operator | Function, stamp: int, args: list[Any]
) -> None:
    """Applies a function symbol of the script or model to evaluated arguments."""
    assert isinstance(symbol, Function)
    if len(args) < len(symbol.args):
        evaluation.finish(term, stamp, Closure(symbol, tuple(args)))
        return
    if args and evaluation.model.heap is not None and is_spatial_argument(term.args):
        evaluation.finish(term, stamp, CannotSay("separation logic in an argument of a function"))
        return
    role = _ROLES.get(symbol.role)
    # Fields of datatypes are settled, and further arguments, which tables are searched for.
    first = 0 if role is not None else len(symbol.args)
    if len(args) > first and any(arg.__class__ in UNSETTLED for arg in args):
        args[first:] = [
            settled(evaluation, t.sort, p) for t, p in zip(term.args[first:], args[first:], strict=True)
        ]
    if any(arg.__class__ in _UNKNOWN for arg in args):
        evaluation.finish(term, stamp, evaluation.unsure(term, args))
    elif role is not None:
        result = role(evaluation, term, stamp, symbol, args)
        if result is not LATER:
            evaluation.finish(term, stamp, result)
    else:
        call_symbol(evaluation, term, stamp, symbol, args)


_UNKNOWN: Final = frozenset((CannotSay, OpenPoint))


# -- roles of functions ----------------------------------------------------------------------------


def _construct(evaluation: Evaluation, term: App, stamp: int, symbol: Function, args: list[Any]) -> Any:
    del evaluation, term, stamp
    return Constructed(symbol.name, tuple(args))


def _select(evaluation: Evaluation, term: App, stamp: int, symbol: Function, args: list[Any]) -> Any:
    (subject,) = args
    for name, selectors in _constructors(evaluation, term.args[0]):
        for place, (selector, _) in enumerate(selectors):
            if selector == symbol.name and isinstance(subject, Constructed) and subject.constructor == name:
                return subject.args[place]
    return open_point(evaluation, term, stamp, symbol.name, args)


def _test(evaluation: Evaluation, term: App, stamp: int, symbol: Function, args: list[Any]) -> Any:
    del evaluation, term, stamp
    return isinstance(args[0], Constructed) and args[0].constructor == symbol.subject


def _update(evaluation: Evaluation, term: App, stamp: int, symbol: Function, args: list[Any]) -> Any:
    """Changes a selector's field; a value of another constructor stays as it is."""
    del stamp
    subject, new = args
    for name, selectors in _constructors(evaluation, term.args[0]):
        for place, (selector, _) in enumerate(selectors):
            if selector == symbol.subject and subject.constructor == name:
                fields = list(subject.args)
                fields[place] = new
                return Constructed(name, tuple(fields))
    return subject


def _is_subterm(evaluation: Evaluation, term: App, stamp: int, symbol: Function, args: list[Any]) -> Any:
    """z3's `:subterm` predicate: whether the first value is the second or a part of it."""
    del term, stamp, symbol
    part, whole = args
    todo, seen = [whole], {whole}
    while todo:
        value = todo.pop()
        evaluation.steps -= 1
        if value == part:
            return True
        fields = value.args if isinstance(value, Constructed) else ()
        fresh = [field for field in fields if isinstance(field, Constructed) and field not in seen]
        seen.update(fresh)
        todo += fresh
    return False


def _constructors(evaluation: Evaluation, subject: Term) -> Sequence[tuple[str, Any]]:
    datatype = evaluation.model.datatypes.get(subject.sort.name)
    return datatype.constructors if datatype is not None else ()


_ROLES: Final = {
    "constructor": _construct,
    "selector": _select,
    "tester": _test,
    "updater": _update,
    "subterm": _is_subterm,
}

# -- open points -----------------------------------------------------------------------------------

# The names under which solvers print their choice for an operator at open points.
_PRINTED: Final = {
    "/": ("/0", "@div_by_zero"),
    "div": ("div0", "@int_div_by_zero"),
    "mod": ("mod0", "@mod_by_zero"),
    "rem": ("rem0",),
    "seq.nth": ("seq.nth_u",),
}
CHOSEN: Final = frozenset(name for names in _PRINTED.values() for name in names)


@dataclass(slots=True, eq=False)
class SameFrame:
    """Waits for the value of another term with the same value."""

    whole: Term
    other: Term

    def resume(self, evaluation: Evaluation) -> None:
        payloads = evaluation.parts((self.other,))
        if payloads is not None:
            evaluation.todo.pop()
            evaluation.finish(self.whole, payloads[0], payloads[1][0])


def _printed_choice(model: Model, term: App, name: str) -> Definition | None:
    """The choice that a solver printed for an operator at the sorts of this term."""
    sorts = tuple(arg.sort for arg in term.args)
    for printed in _PRINTED.get(name, ()):
        for key in (printed, overload(printed, sorts)):
            symbol, definition = model.named.get(key, (None, None))
            if symbol is not None and symbol.args == sorts[: len(symbol.args)]:
                return definition
    return None


def open_point(evaluation: Evaluation, term: App, stamp: int, name: str, args: Sequence[Any]) -> Any:
    """The value at a point that the standard leaves open: the model's choice, or an OpenPoint."""
    if len(args) > 2 and name in ("/", "div"):
        # Left-associative: evaluated one by one, the divisions show which of them is at an open point.
        inner = app(term.head, (app(term.head, term.args[:-1]), term.args[-1]))
        evaluation.todo[-1] = SameFrame(term, inner)
        return LATER
    choices = _choices(evaluation, term, name)
    point = evaluation.point(f"the standard leaves {name} open here", term, args, choices)
    if point in evaluation.choices:
        return evaluation.choices[point]
    definition = _printed_choice(evaluation.model, term, name)
    if definition is not None:
        call(evaluation, term, stamp, None, definition, list(args)[: len(definition.binders)])
        return LATER
    evaluation.open_points[point] = None
    return point


def _choices(evaluation: Evaluation, term: App, name: str) -> tuple[Hashable, ...]:
    """The values that the standard allows, if they are few."""
    if name in ("fp.min", "fp.max"):
        fmt = float_format(term.sort)
        return (floats.plus_zero(fmt), floats.minus_zero(fmt))
    domain = evaluation.domains.of(term.sort)
    return domain if domain is not None and len(domain) <= _MOST_CHOICES else ()


_MOST_CHOICES: Final = 8
