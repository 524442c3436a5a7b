"""The unsat core of a seed, confirmed by asking the solvers about the core alone."""

from __future__ import annotations

from falsum.smtlib import Script, print_script
from falsum.smtlib.scripts import Assert
from falsum.smtlib.term_names import assertions_in_core
from falsum.smtlib.terms import Annotated
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.seeds import agreed_verdicts


def confirmed_core(flat: Script, lab: Lab) -> frozenset[int]:
    """The numbers of assertions that solvers agree are unsatisfiable together; all of them at worst."""
    everything = frozenset(range(len(flat.assertions)))
    # An annotated assertion gets no name, so it may belong to the core without being listed.
    always = frozenset(n for n, term in enumerate(flat.assertions) if isinstance(term, Annotated))
    text = print_script(flat)
    for solver in lab.solvers:
        answer = lab.ask(Request(solver, text, Want.CORE))
        if answer.verdict is not Verdict.UNSAT or answer.core is None:
            continue
        core = assertions_in_core(answer.core, flat.assertions) | always
        if len(core) < len(everything) and _is_confirmed(flat, core, lab):
            return core
    return everything


def _is_confirmed(flat: Script, core: frozenset[int], lab: Lab) -> bool:
    numbers = iter(range(len(flat.assertions)))
    kept = [c for c in flat.commands if not isinstance(c, Assert) or next(numbers) in core]
    return agreed_verdicts(print_script(Script(tuple(kept))), 1, lab) == (Verdict.UNSAT,)
