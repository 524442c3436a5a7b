"""Behaviour of solvers on mutants, in buckets: their statistics, and their verdicts by operator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from falsum.solvers.answer import Answer
from falsum.solvers.instruments import statistics

# Statistics cost time: they are asked for on one mutant in so many, and behaviour is looked at on those only.
EVERY: Final = 4
# A mutant that is longer is not sent, so it cannot become a seed.
MAX_GROWN_LENGTH: Final = 1 << 14
# A worker that has seen so many buckets begins anew; whoever collects them knows them all.
_MAX_SEEN: Final = 1 << 18
_OPERATOR: Final = re.compile(r"\(\s*([^\s()|\";:]+)")


class SeenBehaviour:
    """The behaviour that a worker has seen."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def new(self, text: str, answers: Mapping[str, Answer], variants: Mapping[str, str]) -> tuple[str, ...]:
        """The new buckets in the answers to a mutant."""
        new = behaviour(text, answers, variants) - self._seen
        if len(self._seen) > _MAX_SEEN:
            self._seen.clear()
        self._seen |= new
        return tuple(sorted(new))


def behaviour(text: str, answers: Mapping[str, Answer], variants: Mapping[str, str]) -> set[str]:
    """The buckets of a mutant. A rejection or a time-out is no behaviour worth looking for.

    Behaviour in another configuration (`variants`) is new if the solver has not shown it in any
    configuration.
    """
    operators = set(_OPERATOR.findall(text))
    features: set[str] = set()
    for name, answer in answers.items():
        solver = variants.get(name, name)
        if answer.finished and answer.verdict is not None:
            features.update(f"{solver} {bucket}" for bucket in statistics.buckets(answer.statistics))
            features.update(f"{solver} {answer.verdict} {operator}" for operator in operators)
    return features
