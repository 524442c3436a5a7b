"""Signatures: lines that are equal for two occurrences of one bug, before anything is reduced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from falsum.defects.case import Case
from falsum.smtlib.operators import Operator
from falsum.smtlib.terms import App, Quantifier, Term
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import PLACELESS, Ending
from falsum.solvers.messages import without_run_noise

_CONNECTIVES: Final = "Core"
_CRASH: Final = "crash"
_BETWEEN: Final = " | "


def of_crash(case: Case, solver: str, ending: Ending) -> str:
    """The message or place of a crash; the operators of the script if the program prints neither."""
    detail = without_run_noise(ending.detail)
    about = _about(case, None) if ending.cause in PLACELESS or not detail else ""
    return _joined(_CRASH, solver, f"{ending.cause}: {detail}", about)


def of_history_crash(solver: str, ending: Ending) -> str:
    """The signature of a crash that needs a history: its message alone."""
    return _joined(_CRASH, solver, f"{ending.cause}: {without_run_noise(ending.detail)} after other scripts")


def of_wrong_answer(
    kind: str, suspects: Iterable[str], case: Case, terms: Iterable[Term] | None = None, detail: str = ""
) -> str:
    """The signature: kind, suspects, theories and operators (of the wrong terms, if they are known)."""
    return _joined(kind, "+".join(sorted(suspects)), detail, _about(case, terms))


def of_slow_answer(solver: str, case: Case) -> str:
    """The signature of a slow answer: the theories alone, because many mutants are slow for one reason."""
    theories, _operators = operators_of(case.script.assertions if case.script else ())
    return _joined("slow", solver, " ".join(theories) or "core")


def message_or_theories(signature: str) -> str:
    """The message of a crash, or the theories of another finding: the part that findings of one bug share.

    Without solvers and operators, in which their signatures differ.
    """
    parts = signature.split(_BETWEEN)
    if parts[0] == _CRASH and len(parts) > 2:
        return parts[2]
    # Operators are the last part, where there are any.
    return parts[-2] if len(parts) > 3 else parts[-1]


def operators_of(terms: Iterable[Term]) -> tuple[list[str], list[str]]:
    """The theories and the operators of terms, sorted, without connectives."""
    theories: set[str] = set()
    operators: set[str] = set()
    for term in terms:
        for part in subterms(term):
            if isinstance(part, Quantifier):
                theories.add("quantifiers")
            elif isinstance(part, App):
                symbol = part.head.symbol
                if not isinstance(symbol, Operator):
                    theories.update(("uf",) if part.args else ())
                elif symbol.theory != _CONNECTIVES and not symbol.is_implicit:
                    theories.add(symbol.theory)
                    operators.add(symbol.canonical.name)
    return sorted(theories), sorted(operators)


def _about(case: Case, terms: Iterable[Term] | None) -> str:
    if terms is None:
        terms = case.script.assertions if case.script else ()
    theories, operators = operators_of(terms)
    return _joined(" ".join(theories) or "core", " ".join(operators))


def _joined(*parts: str) -> str:
    return _BETWEEN.join(part for part in parts if part)
