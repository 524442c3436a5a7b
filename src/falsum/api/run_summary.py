"""RunSummary: what a run has reached, by its trace."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from falsum.api.checks.check import functions_in

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.trace import Trace


class RunSummary(NamedTuple):
    """`symbols`: constants and functions in asserted formulas; `distinct`: different formulas asserted."""

    theories: tuple[str, ...]
    options: tuple[str, ...]
    logic: str
    symbols: int
    assertions: int
    distinct: int
    checks: int

    def __str__(self) -> str:
        return (
            f"{self.symbols} symbols in {self.distinct} formulas, asserted {self.assertions} times; "
            f"{self.checks} checks; {len(self.options)} options; {self.logic or 'no logic'}; "
            f"theories {' '.join(self.theories)}"
        )


def summarize(trace: Trace, mirror: Mirror) -> RunSummary:
    """Summarise a run, given the mirror after its trace."""
    words = Counter(line.word for line in trace.lines)
    logics = [line.args[0] for line in trace.lines if line.word == "set-logic"]
    formulas = list(mirror.formulas_asserted)
    return RunSummary(
        tuple(trace.header.get("theories", "").split()),
        tuple(line.args[0] for line in trace.lines if line.word == "set-option"),
        logics[-1] if logics else "",
        sum(symbol.role == "declared" for symbol in functions_in(mirror, formulas)),
        words["assert"],
        len(formulas),
        words["check"],
    )
