"""Scripts with one check: terms of a mirror, asserted after all declarations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from falsum.smtlib.scripts import Assert, CheckSat, DeclareFun, Script, SetLogic
from falsum.smtlib.terms import Function, Term, Var

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror


def script_asserting_names(mirror: Mirror, names: Iterable[str]) -> Script:
    """A script that asserts terms of the trace, given by their names."""
    return script_asserting(mirror, [mirror.entry(name).term for name in names])


def script_asserting(mirror: Mirror, terms: Iterable[Term], variables: Iterable[Var] = ()) -> Script:
    """A script that asserts terms; their free variables are declared as constants."""
    free = [DeclareFun(Function(variable.name, (), variable.sort)) for variable in variables]
    asserts = [Assert(term) for term in terms]
    return Script((SetLogic("ALL"), *mirror.declarations, *free, *asserts, CheckSat()))
