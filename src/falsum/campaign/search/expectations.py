"""Expected yields of strategies, before a campaign has results of its own.

Different bugs that a strategy alone finds in old releases in the same CPU time, in comparison with the mean
of all, shrunk towards one (`bench.campaign.ablation` with sides like `opfuzz alone`; docs/search.md has the
figures). A campaign soon knows better: see LearnSchedule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

MEASURED: Final[Mapping[str, float]] = {
    "opfuzz": 2.3,
    "havoc": 2.3,
    "fuzzchick": 1.9,
    "typefuzz": 1.2,
    "sparrow": 1.1,
    "rewrite": 1.1,
    "valfuzz": 1.0,
    "fusion": 0.9,
    "pivot": 0.8,
    "storm": 0.7,
    "histfuzz": 0.6,
    "generate": 0.4,
    "enumerate": 0.2,
}


def expected_of(strategies: Iterable[str]) -> dict[str, float]:
    """The expectation by strategy, with its parameters. A composition counts as its last strategy;
    others are average.
    """
    return {name: MEASURED.get(name.rpartition("+")[2].partition(":")[0], 1.0) for name in strategies}
