"""The kernel of an unsatisfiable seed: an unsat core of its assertions that a second solver confirms."""

from __future__ import annotations

import re
from typing import Final

from falsum.smtlib import Script, print_script
from falsum.smtlib.scripts import Assert
from falsum.smtlib.terms import Annotated
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.seeds.agreement import agreed

# The names that a question for a core gives the assertions, counted from one.
_NAMED: Final = re.compile(r"falsum!(\d+)")


def kernel_of(flat: Script, lab: Lab) -> frozenset[int]:
    """The numbers of assertions that the solvers agree are unsatisfiable together; all of them at worst."""
    everything = frozenset(range(len(flat.assertions)))
    # An annotated assertion gets no name from the question: it may be needed without being in the core.
    always = {n for n, term in enumerate(flat.assertions) if isinstance(term, Annotated)}
    text = print_script(flat)
    for solver in lab.solvers:
        answer = lab.ask(Request(solver, text, Want.CORE))
        if answer.verdict is not Verdict.UNSAT or answer.core is None:
            continue
        kernel = frozenset(always | {int(n) - 1 for n in _NAMED.findall(answer.core)})
        if len(kernel) < len(everything) and _is_confirmed(flat, kernel, lab):
            return kernel
    return everything


def _is_confirmed(flat: Script, kernel: frozenset[int], lab: Lab) -> bool:
    numbers = iter(range(len(flat.assertions)))
    kept = [c for c in flat.commands if not isinstance(c, Assert) or next(numbers) in kernel]
    return agreed(print_script(Script(tuple(kept))), 1, lab) == (Verdict.UNSAT,)
