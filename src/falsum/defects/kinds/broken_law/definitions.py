"""Terms that solvers print as simplified, without quantifiers, interpolants or abducts must be that.

They are checked by their definitions, as scripts.

A solver that rejects the command is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib import Script, print_term
from falsum.smtlib.consequences import consequence as consequences
from falsum.smtlib.consequences import relay
from falsum.smtlib.consequences.consequence import Consequence
from falsum.smtlib.scripts import Assert
from falsum.smtlib.syntax.reader import read_term
from falsum.smtlib.term_names import is_name
from falsum.smtlib.terms import Quantifier, Term
from falsum.smtlib.text.sexpr import items
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

_CHECK: Final = "(check-sat)\n"
_INTERPOLATING: Final = "(set-option :produce-interpolants true)\n"

_ABDUCING: Final = "(set-option :produce-abducts true)\n"


class Broken(NamedTuple):
    """A law that is broken, and how; `request` is the one for the wrong term, if there is one."""

    law: str
    how: str
    request: Request | None = None


def broken(flat: Script, whole: Verdict, solver: str, lab: Lab, rng: Random) -> Broken | None:
    """A definition that the printed term violates."""
    laws: list[Callable[[], Broken | None]] = [lambda: _simplified(flat, whole, solver, lab, rng)]
    if any(isinstance(term, Quantifier) for term in flat.assertions):
        laws.append(lambda: _eliminated(flat, whole, solver, lab, rng))
    # Assertions that use names which others give cannot be taken apart.
    parts = (part for term in flat.assertions for part in subterms(term))
    may_be_parted = len(flat.assertions) > 1 and not any(map(is_name, parts))
    if whole is Verdict.UNSAT and may_be_parted:
        laws.append(lambda: _interpolated(flat, solver, lab, rng))
    if whole is Verdict.SAT and may_be_parted:
        laws.append(lambda: _abduced(flat, solver, lab, rng))
    return rng.choice(laws)()


def _printed(request: Request, lab: Lab) -> str:
    """The single term that a solver prints for a script; "" if it prints an error, or anything else."""
    answer = lab.ask(request)
    items_ = list(items(answer.stdout))
    return items_[0] if answer.finished and len(items_) == 1 and "(error" not in items_[0] else ""


def _replaced(flat: Script, old: Term, new: Term) -> str:
    commands = tuple(Assert(new) if isinstance(c, Assert) and c.term is old else c for c in flat.commands)
    return relay.with_settings(Script(commands))


def _simplified(flat: Script, whole: Verdict, solver: str, lab: Lab, rng: Random) -> Broken | None:
    """Checks that a simplified assertion is equivalent to the original."""
    old = rng.choice(flat.assertions)
    plain = relay.with_settings(flat).removesuffix(_CHECK)
    request = Request(solver, f"{plain}(simplify {print_term(old)})\n")
    return _compared("simplify", request, old, flat, whole, lab)


def _eliminated(flat: Script, whole: Verdict, solver: str, lab: Lab, rng: Random) -> Broken | None:
    """Checks that a formula after quantifier elimination is equivalent to the original."""
    old = rng.choice([term for term in flat.assertions if isinstance(term, Quantifier)])
    declarations = relay.with_settings(_with(flat, ())).removesuffix(_CHECK)
    request = Request(solver, f"{declarations}(get-qe {print_term(old)})\n")
    return _compared("quantifier elimination", request, old, flat, whole, lab)


def _compared(law: str, request: Request, old: Term, flat: Script, whole: Verdict, lab: Lab) -> Broken | None:
    """Whether the verdict of the script changes when the printed term replaces the old one."""
    answers = _printed(request, lab)
    if not answers or (new := read_term(answers, flat)) is old:
        return None
    verdict = lab.ask(Request(request.solver, _replaced(flat, old, new))).verdict
    if verdict is None or not verdict.contradicts(whole):
        return None
    how = f"{verdict} with {print_term(new)[:200]} in place of {print_term(old)[:200]} ({law})"
    return Broken(law, how, request)


def _interpolated(flat: Script, solver: str, lab: Lab, rng: Random) -> Broken | None:
    """Checks an interpolant I of some assertions A and the others B: A implies I, I and B are unsat, I
    has symbols of both only.
    """
    cut = rng.randrange(1, len(flat.assertions))
    first, second = flat.assertions[:cut], flat.assertions[cut:]
    goal = f"(not (and true {' '.join(map(print_term, second))}))"
    assertions = relay.with_settings(_with(flat, first)).removesuffix(_CHECK)
    request = Request(solver, f"{_INTERPOLATING}{assertions}(get-interpolant I {goal})\n")
    answers = _printed(request, lab)
    if not answers.startswith("(define-fun I () Bool "):
        return None
    text = answers.removeprefix("(define-fun I () Bool ").removesuffix(")")
    term = read_term(text, flat)
    bodies = consequences.bodies_of(flat.commands)
    # Definitions are of both parts: solvers take them for axioms.
    defined = tuple(bodies.values())
    if foreign := consequences.foreign_symbols(term, (*first, *defined), (*second, *defined), bodies):
        how = f"its interpolant {text[:200]} has a symbol that is not common: {foreign[0]}"
        return Broken("interpolant", how, request)
    why = _refuted(consequences.of_interpolant(first, second, term), flat, solver, lab)
    return Broken("interpolant", f"{text[:200]} is not an interpolant: {why}", request) if why else None


def _abduced(flat: Script, solver: str, lab: Lab, rng: Random) -> Broken | None:
    """Checks an abduct C of A and a goal B, one of the assertions: A and C are satisfiable and imply B."""
    goal = rng.choice(flat.assertions)
    rest = tuple(term for term in flat.assertions if term is not goal)
    assertions = relay.with_settings(_with(flat, rest)).removesuffix(_CHECK)
    request = Request(solver, f"{_ABDUCING}{assertions}(get-abduct C {print_term(goal)})\n")
    answers = _printed(request, lab)
    if not answers.startswith("(define-fun C () Bool "):
        return None
    text = answers.removeprefix("(define-fun C () Bool ").removesuffix(")")
    why = _refuted(consequences.of_abduct(rest, read_term(text, flat), goal), flat, solver, lab)
    if not why:
        return None
    return Broken("abduct", f"{text[:200]} is not an abduct of {print_term(goal)[:200]}: {why}", request)


def _refuted(implied: Iterable[Consequence], flat: Script, solver: str, lab: Lab) -> str:
    """How the solver refutes the term that it has printed; "" if it does not."""
    for one in implied:
        if lab.ask(Request(solver, relay.with_settings(_with(flat, one.terms)))).verdict is one.wrong:
            return one.why
    return ""


def _with(flat: Script, assertions: tuple[Term, ...]) -> Script:
    """The script with these assertions in place of its own."""
    return Script((*(c for c in flat.commands if not isinstance(c, Assert)), *map(Assert, assertions)))
