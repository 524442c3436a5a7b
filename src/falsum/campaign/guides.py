"""Guides of campaigns: new edges, new values of solvers' own statistics, or findings alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from falsum.errors import UsageError
from falsum.solvers.solver import Solver

COVERAGE: Final = "coverage"
STATISTICS: Final = "statistics"
NONE: Final = "none"
AUTO: Final = "auto"
GUIDES: Final = (AUTO, STATISTICS, COVERAGE, NONE)


def guide_for(guide: str, solvers: Iterable[Solver], otherwise: str) -> str:
    """The guide of a campaign with these solvers, `otherwise` if none of them reports edges and any guide
    will do; raises UsageError for coverage if none does.
    """
    has_edges = any(solver.build.has_edges for solver in solvers)
    if guide == COVERAGE and not has_edges:
        raise UsageError(
            "--guide coverage needs a solver that is built with AFL++ (afl-clang-fast), given by its path; "
            "see docs/builds.md"
        )
    return (COVERAGE if has_edges else otherwise) if guide == AUTO else guide
